/* SPDX-License-Identifier: MIT */
/* capi/object.hpp - the object behind a `struct walkway_chain`: a chain, its roots, time, queues and
 * counts. */
#ifndef WALKWAY_CAPI_OBJECT_HPP
#define WALKWAY_CAPI_OBJECT_HPP

#include "capi/chain.hpp"
#include "capi/parameters.hpp"
#include "capi/walkway.h"

#include <string>
#include <vector>

namespace walkway
{

constexpr uint64_t most_time_ps = uint64_t{1} << 62; /* the latest time whose clock edges can be computed */

/* Counts of commits; each is a statistic (report.cpp). */
struct access_counts {
    uint64_t accesses = 0, first_lookups = 0, faults[WALKWAY_FAULT_REASONS] = {}, faults_dropped = 0;
    uint64_t latency_sum_ps = 0, latency_most_ps = 0, submitted = 0, polled = 0, pending_most = 0,
             invalidates = 0;
};

/* An answer that is not due yet. */
struct pending_answer {
    walkway_result result;
    uint64_t number; /* of its submission */
};
/* Order of a heap whose front is the answer due first. */
inline bool due_later(const pending_answer &a, const pending_answer &b)
{
    return a.result.done_ps != b.result.done_ps ? a.result.done_ps > b.result.done_ps : a.number > b.number;
}

/* Returns the options with defaults in place of 0. Throws refusal if they are illegal. */
walkway_options completed(const walkway_options *given);
chain_parameters parameters_of(const char *platform, const walkway_options &o);

} // namespace walkway

/* In the global namespace: C knows it by this name. */
struct walkway_chain {
    walkway_chain(const char *platform, const walkway_options *given);

    /* Returns NULL, or names what is wrong with the access. */
    const char *wrong(const walkway_access &a) const;
    /* Returns WALKWAY_OK or WALKWAY_FAULT. */
    int answer(const walkway_access &a, walkway::now_how how, walkway_result *r);
    int commit(const walkway_access &a, walkway_result *r);
    void forget(const ww_inval_scope &scope);
    void set_root(uint16_t vmid, bool rooted, uint64_t root_pa);

    std::string snapshot() const;
    uint64_t state_hash() const;
    void restore(const void *bytes, size_t size);
    std::string statistics() const;
    std::string parameters_text() const;
    void reset_statistics();

    const walkway_options options;
    const walkway::chain_parameters parameters;
    walkway::chain chain;
    std::vector<uint8_t> rooted; /* by VM-ID */
    uint64_t now_ps = 0, submissions = 0;
    std::vector<walkway::pending_answer> pending; /* a heap */
    std::vector<walkway_fault> faults;            /* a ring: */
    size_t first_fault = 0, queued_faults = 0;
    walkway::access_counts counts;
    walkway_fault last = {}; /* the fault, if answer() returned one */
    bool broken = false;     /* true after a defect of the library: its state is unreliable */

private:
    uint8_t reason_of(uint64_t va, uint16_t vmid);
    uint64_t configuration() const;
};

#endif

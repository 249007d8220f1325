/* SPDX-License-Identifier: MIT */
/* observe/transactions/writer.hpp - translations as a file in the Trace Event Format (JSON), for Perfetto and
 * chrome://tracing. A slice is a pair of B and E events on a thread; times are exact decimals of
 * microseconds, made from integers. Streams: memory is that of the lanes. docs/transactions.md says what it
 * looks like. */
#ifndef WALKWAY_OBSERVE_TRANSACTIONS_WRITER_HPP
#define WALKWAY_OBSERVE_TRANSACTIONS_WRITER_HPP

#include "model/common/xlat.hpp"
#include "observe/output_file.hpp"
#include "observe/transactions/lanes.hpp"
#include "observe/transactions/plan.hpp"

namespace walkway
{

/* A translation whose account is closed. */
struct transaction {
    static constexpr uint32_t nobody = UINT32_MAX;
    xlat_request request;
    uint64_t number; /* in the order of the answers, from 1 */
    tick answered;
    uint32_t walker; /* that took it, or whose read served it; else nobody */
    bool coalesced;  /* served by another's read */
};

class transaction_writer
{
public:
    /* Opens the file; throws file_failure. */
    transaction_writer(const std::string &path, const transaction_tracks &tracks);
    /* In any order; in the order of their beginnings the tracks have the fewest lanes. */
    void write(const transaction &t);
    /* The file is whole and has its name. Throws file_failure. */
    void finish(const transaction_plan &plan, const transaction_counts &counts, tick ended, bool partial);

private:
    struct track {
        uint32_t process;
        std::string name;
        lane_set lanes;
    };
    struct place {
        uint32_t process, thread;
    };
    size_t track_of(const transaction &t, cause c) const;
    place lane(size_t track_number, tick from, tick to);
    void begin_event(char phase, const place &at, tick time);
    void end_event();
    void name_event(const char *what, const place &at, const std::string &name, uint64_t order);
    void flow(char phase, const place &at, tick time, uint64_t number);
    void stretch(const transaction &t, unsigned i, const place &at, tick from, char phase);
    void describe(const transaction &t);

    output_file file_;
    tick cycle_ps_;
    std::vector<std::string> processes_;
    std::vector<bool> named_; /* processes */
    std::vector<track> tracks_;
    size_t l2_, tlb_, backlog_, buffer_, walkers_; /* in tracks_ */
    bool first_ = true;
    std::string line_;
};

} // namespace walkway

#endif

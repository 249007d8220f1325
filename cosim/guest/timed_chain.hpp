/* SPDX-License-Identifier: MIT */
/* guest/timed_chain.hpp - the TLBs and walks of a platform as translators within a call
 * (docs/use/translate-now.md), for the accesses of a processor that waits for each translation. Each part's
 * time is its own, and their sum is the whole time. Models: the levels of a machine's path that answer within
 * a call, page-walk caches, a read of memory for each entry. Not modelled: queues, ports, coalescing; a
 * memory in which reads wait for each other: each opens its row. */
#ifndef WALKWAY_GUEST_TIMED_CHAIN_HPP
#define WALKWAY_GUEST_TIMED_CHAIN_HPP

#include "guest/stream.h"
#include "guest/walk.h"
#include "model/common/stats.hpp"
#include "platforms/gpu_params.hpp"
#include "platforms/now_path.hpp"
#include "translate/translator.hpp"
#include "translate/walk_translator.hpp"

#include <memory>
#include <vector>

namespace walkway
{

/* Lookups of one part of the chain, and their time including all parts below. */
struct part_account {
    std::string name, text;
    uint64_t lookups = 0;
    tick whole_ps = 0;
};

class timed_chain
{
public:
    /* Throws failure(exit_usage) if the platform cannot be a chain. */
    timed_chain(const gpu_machine_params &p, ww_guest_ram ram);
    ~timed_chain();
    timed_chain(const timed_chain &) = delete;
    timed_chain &operator=(const timed_chain &) = delete;

    /* Sets CR3 and CR4 as written; drops everything. */
    void root(uint64_t cr3, uint64_t cr4);
    void drop_page(uint64_t va);
    void drop_all();
    /* Translates an access whose walk read these entries. Returns false if it faults. */
    bool translate(const ww_guest_record &access, uint64_t *pa);

    tick now() const { return now_; }
    tick period() const { return clock_.period(); }
    /* From the requester down; the last is memory. */
    const std::vector<part_account> &parts() const { return parts_; }
    const histogram &latency() const { return latency_; } /* of a translation, in cycles */
    uint64_t again() const { return again_; } /* walks repeated because a walk cache had misled them */
    /* Returns NULL, or names the first broken invariant of a store. */
    const char *check() const;

private:
    class watched;
    class guest_memory;

    void build(uint32_t levels);

    level_path path_;
    unsigned cus_;
    clock_domain clock_;
    std::unique_ptr<guest_memory> memory_;
    std::vector<part_account> parts_;
    std::vector<std::unique_ptr<walk_translator>> walks_;
    std::vector<std::unique_ptr<watched>> watched_;
    now_path stages_;
    translator *top_ = nullptr;
    uint64_t cr3_ = 0;
    uint32_t levels_ = 0;
    tick now_ = 0;
    histogram latency_;
    uint64_t again_ = 0;
};

} // namespace walkway

#endif

/* SPDX-License-Identifier: MIT */
/* model/walk_march.hpp - a walk unit whose walkers march: each takes a batch of walks and issues their reads
 * one after another, several in flight. docs/model/marching.md; kernels/walk/march.h has the rules, here is
 * when a read is issued. A walk has a place; the unit knows which walk it is and what it reads. */
#ifndef WALKWAY_MODEL_WALK_MARCH_HPP
#define WALKWAY_MODEL_WALK_MARCH_HPP

#include "kernels/walk/march.h"
#include "model/common/due_queue.hpp"
#include "model/common/pool.hpp"
#include "model/common/stats.hpp"
#include "model/params/walk_unit.hpp"

#include <vector>

namespace walkway
{

struct walk_march_stats {
    uint64_t march_busy_ps = 0;
    histogram march_batch, march_reads;
};

class walk_march
{
public:
    walk_march(const clock_domain &clock, const walk_unit_params &p, walk_march_stats &stats);
    bool ok() const { return kernel_.bytes() != 0; }

    /* Bit w % 64 of word w / 64: walker w has no walk and may begin a batch. */
    const std::vector<uint64_t> &idle() const { return idle_; }
    uint32_t walker(uint32_t place) const { return ww_march_walker(kernel(), place); }
    uint32_t first_place(uint32_t walker) const { return ww_march_first(kernel(), walker); }
    uint32_t next(const ww_wbuf *buffer, uint32_t &place) { return ww_march_next(kernel(), buffer, &place); }
    void begin(uint32_t place, uint64_t va, uint16_t vmid, tick now);
    void end(uint32_t place, tick now);

    /* The walk has a read to issue from `at` on. */
    void wait(uint32_t place, tick at)
    {
        waits_[place] = true;
        asked_.push(at, place);
    }
    bool waits(uint32_t place) const { return waits_[place]; }
    /* Issues a read at `now`, of the lowest walker that can, and sets `place`. Returns false if there is
     * none. */
    bool send(tick now, uint32_t &place);
    /* Completes the place's read, if it had one. */
    void back(uint32_t place) { ww_march_back(kernel(), place); }
    /* Returns the next time at which send() may have a read, as far as is known. */
    tick next_send() const;

private:
    const ww_march *kernel() const { return kernel_.as<ww_march>(); }
    ww_march *kernel() { return kernel_.as<ww_march>(); }

    walk_march_stats &stats_;
    tick issue_;
    blob kernel_;
    due_queue<uint32_t> asked_; /* places whose walk cache is being looked up */
    std::vector<bool> waits_;   /* places whose next read is not issued */
    std::vector<tick> free_at_; /* by walker: time from which it may issue another read */
    std::vector<tick> since_;   /* by walker: begin of its batch */
    std::vector<uint64_t> idle_;
};

} // namespace walkway

#endif

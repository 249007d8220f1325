/* SPDX-License-Identifier: MIT */
/* model/walk_march.cpp - schedules the reads of marching walkers. */
#include "model/walk_march.hpp"

#include "model/common/kernel_blob.hpp"

#include <algorithm>

namespace walkway
{

walk_march::walk_march(const clock_domain &clock, const walk_unit_params &p, walk_march_stats &stats)
    : stats_(stats), issue_(clock.cycles(p.march_issue_cycles)),
      kernel_(kernel_blob(ww_march_bytes, ww_march_init, p.march())), asked_(clock), waits_(p.places()),
      free_at_(p.walkers), since_(p.walkers), idle_((p.walkers + 63) / 64, 0)
{
    for (uint32_t walker = 0; walker < p.walkers; ++walker)
        idle_[walker / 64] |= uint64_t{1} << (walker % 64);
}

void walk_march::begin(uint32_t place, uint64_t va, uint16_t vmid, tick now)
{
    const uint32_t walker = ww_march_walker(kernel(), place);
    if (ww_march_is_idle(kernel(), walker))
        since_[walker] = now;
    idle_[walker / 64] &= ~(uint64_t{1} << (walker % 64));
    ww_march_begin(kernel(), place, va, vmid);
}

void walk_march::end(uint32_t place, tick now)
{
    const uint32_t walks = ww_march_end(kernel(), place);
    if (walks == 0)
        return;
    const uint32_t walker = ww_march_walker(kernel(), place);
    idle_[walker / 64] |= uint64_t{1} << (walker % 64);
    stats_.march_batch.add(walks);
    stats_.march_busy_ps += now - since_[walker];
}

/* A walker without a read in flight need not wait for issue_, so a lone walk never waits for itself. */
bool walk_march::send(tick now, uint32_t &place)
{
    for (uint32_t p = 0; asked_.pop(now, p);)
        ww_march_wait(kernel(), p);
    for (uint32_t walker = 0; walker < free_at_.size(); ++walker) {
        const bool apart = free_at_[walker] <= now || ww_march_reads(kernel(), walker) == 0;
        if (!apart || !ww_march_may_read(kernel(), walker))
            continue;
        place = ww_march_read(kernel(), walker);
        waits_[place] = false;
        free_at_[walker] = now + issue_;
        stats_.march_reads.add(ww_march_reads(kernel(), walker));
        return true;
    }
    return false;
}

tick walk_march::next_send() const
{
    tick next = asked_.next();
    for (uint32_t walker = 0; walker < free_at_.size(); ++walker)
        if (ww_march_may_read(kernel(), walker))
            next = std::min(next, free_at_[walker]);
    return next;
}

} // namespace walkway

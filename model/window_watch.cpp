/* SPDX-License-Identifier: MIT */
/* model/window_watch.cpp - when to look, and stopping. */
#include "model/window_watch.hpp"

#include <algorithm>

namespace walkway
{

void window_watch::stop_at(tick t)
{
    arm(nullptr, t);
}

void window_watch::stop_when(count_fn count, uint64_t reaches)
{
    arm(std::move(count), reaches);
}

void window_watch::arm(count_fn count, uint64_t until)
{
    count_ = std::move(count);
    until_ = until;
    armed_ = true;
    reached_ = false;
    begin();
}

void window_watch::step(tick now)
{
    if (!armed_)
        return;
    if ((count_ ? count_() : now) >= until_) {
        armed_ = false;
        reached_ = true;
        scheduler::here()->run_ahead(0); /* nobody goes on; */
        sc_core::sc_pause();             /* nor does SystemC's time */
        return;
    }
    const tick next = count_ ? next_of_others() : until_;
    if (next != never)
        wake(std::max(now + clock().period(), clock().ceil(next)));
}

} // namespace walkway

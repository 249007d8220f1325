/* SPDX-License-Identifier: MIT */
/* model/window_watch.cpp - stops the simulation when a moment is reached. */
#include "model/window_watch.hpp"

#include <algorithm>

namespace walkway
{

void window_watch::stop_at(tick t)
{
    arm({nullptr, t}, window);
}

void window_watch::stop_when(count_fn count, uint64_t reaches, what of)
{
    arm({std::move(count), reaches}, of);
}

void window_watch::arm(moment m, what of)
{
    moments_[of] = std::move(m);
    moments_[of].armed = true;
    begin();
}

void window_watch::step(tick now)
{
    bool stop = false;
    tick next = never;
    for (moment &m : moments_) {
        if (m.armed && m.here(now)) {
            m.armed = false;
            m.reached = stop = true;
        } else if (m.armed) {
            next = std::min(next, m.count ? next_of_others() : m.until);
        }
    }
    if (next != never)
        wake(std::max(now + clock().period(), clock().ceil(next)));
    if (stop) {
        scheduler::here()->run_ahead(0); /* stops blocks that run ahead, */
        sc_core::sc_pause();             /* and SystemC's time */
    }
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* model/common/block.cpp - activation of a block. */
#include "model/common/block.hpp"

#include "kernels/base.h"

#include <cstdlib>

/* A broken contract inside a kernel is a defect of the model: it ends the simulation with its place. Weak: a
 * platform of somebody else may have a handler of its own. */
extern "C" __attribute__((weak)) void ww_assert_fail(const char *expr, const char *file, int line)
{
    SC_REPORT_FATAL("/walkway/kernel",
                    (std::string(file) + ":" + std::to_string(line) + ": " + expr).c_str());
    std::abort(); /* not reached: a fatal report throws or aborts */
}

namespace walkway
{

block::block(const sc_core::sc_module_name &name, const clock_domain &clock)
    : sc_core::sc_module(name), clock_(clock), due_("due")
{
    SC_METHOD(activate);
    sensitive << due_;
    dont_initialize();
}

void block::wake(tick t)
{
    if (t >= next_) {
        /* the activation before it may not know of this wish: keep the earliest */
        if (t > next_ && t < after_)
            after_ = t;
        return;
    }
    if (next_ != never && next_ < after_)
        after_ = next_;
    next_ = t;
    if (stepping_)
        return; /* activate() notifies once, at its end */
    const tick current = now();
    due_.notify(sc_core::sc_time::from_value(t > current ? t - current : 0));
}

void block::activate()
{
    ++activations_;
    const tick current = now();
    next_ = after_ > current ? after_ : never;
    after_ = never;
    stepping_ = true;
    step(current);
    stepping_ = false;
    if (sampler_ != nullptr)
        sampler_->after_step(current);
    if (next_ != never)
        due_.notify(sc_core::sc_time::from_value(next_ > current ? next_ - current : 0));
}

} // namespace walkway

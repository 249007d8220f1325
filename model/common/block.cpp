/* SPDX-License-Identifier: MIT */
/* model/common/block.cpp - activation of a block. */
#include "model/common/block.hpp"

#include "kernels/base.h"
#include "model/common/fail.hpp"

/* A broken contract inside a kernel is a defect of the model: it ends the simulation with its place. Weak: a
 * platform of somebody else may have a handler of its own. */
extern "C" __attribute__((weak)) void ww_assert_fail(const char *expr, const char *file, int line)
{
    walkway::fail("/walkway/kernel", std::string(file) + ":" + std::to_string(line) + ": " + expr);
}

namespace walkway
{

block::block(const sc_core::sc_module_name &name, const clock_domain &clock)
    : sc_core::sc_module(name), clock_(clock), scheduler_(scheduler::here()), id_(scheduler_->add(*this))
{
}

void block::tell(tick t, event_kind kind, uint64_t a, uint64_t b) const
{
    observer_->on_event(observed_event{t, this, kind, a, b});
}

block::~block()
{
    scheduler_->remove(id_);
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* model/common/block.cpp - registration of blocks and link ends. */
#include "model/common/block.hpp"

#include "kernels/base.h"
#include "model/common/fail.hpp"

#include <algorithm>

/* A failed assertion in a kernel is a defect of the model: it ends the simulation and reports its place.
 * Weak, so that a foreign platform may define its own handler. */
extern "C" __attribute__((weak)) void ww_assert_fail(const char *expr, const char *file, int line)
{
    walkway::fail("/walkway/kernel", std::string(file) + ":" + std::to_string(line) + ": " + expr);
}

namespace walkway
{

namespace
{
/* Checks the clock before the block is registered. */
scheduler &able(scheduler &s, const block &b)
{
    const tick period = b.clock().period();
    if (!s.scale().holds(period))
        fail("/walkway/time", std::string(b.name()) + ": a clock period of " + std::to_string(period) +
                                  " ps is no multiple of SystemC's time resolution, " +
                                  s.scale().resolution() + "; set it to " + time_scale::needed(period) +
                                  " or finer (sc_set_time_resolution)");
    return s;
}
} // namespace

block::block(const sc_core::sc_module_name &name, const clock_domain &clock)
    : sc_core::sc_module(name), clock_(clock), scheduler_(scheduler::here()),
      id_(able(*scheduler_, *this).add(*this))
{
}

void block::notify(tick t, const event_kind &kind, uint64_t a, uint64_t b, const xlat_request *r) const
{
    observer_->on_event(observed_event{t, this, &kind, a, b, r});
}

asking_end::asking_end(block &owner) : owner_(owner)
{
    owner.asks_.push_back(this);
}

serving_end::serving_end(block &owner) : owner_(owner)
{
    owner.serves_.push_back(this);
}

void block::room_for_wires()
{
    uint32_t most = 0;
    for (const serving_end *to : serves_)
        most = to->source() == nullptr ? most : std::max(most, to->source()->holds());
    for (serving_end *to : serves_)
        to->add_wire(most);
}

block::~block()
{
    scheduler_->remove(id_);
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* model/common/time_scale.hpp - conversion between the model's time and SystemC's, only here. The model
 * counts picoseconds (tick); SystemC counts multiples of a resolution that the program chooses, 1 ps by
 * default, a power of ten from 1 fs up. Finer than 1 ps: every tick is exact, and an action of a foreign
 * process between two ticks is seen at the later one. Coarser: a tick is exact if it is a multiple of the
 * resolution, as is every edge of a clock whose period is one; a block with another period refuses at
 * elaboration (block.cpp). */
#ifndef WALKWAY_MODEL_COMMON_TIME_SCALE_HPP
#define WALKWAY_MODEL_COMMON_TIME_SCALE_HPP

#include "model/common/clock.hpp"

#include <systemc>

#include <string>

namespace walkway
{

class time_scale
{
public:
    /* Returns the scale of the current simulation context. The resolution cannot be changed from then on. */
    static time_scale here();

    /* Returns the first tick that is not before t. */
    tick ticks(const sc_core::sc_time &t) const
    {
        return unit_ ? t.value() : finer_.ceil_cycle(coarser_.cycles(t.value()));
    }
    /* Returns the first SystemC time that is not before t. Required: t is not `never`. */
    sc_core::sc_time time(tick t) const
    {
        return sc_core::sc_time::from_value(unit_ ? t : coarser_.ceil_cycle(finer_.cycles(t)));
    }
    /* True if every edge of a clock with this period is a SystemC time. */
    bool holds(tick period) const { return period % coarser_.period() == 0; }
    /* "10 ps" */
    std::string resolution() const;
    /* Returns the coarsest resolution that holds this period. */
    static std::string needed(tick period);

private:
    time_scale(uint64_t units_per_tick, uint64_t ticks_per_unit)
        : finer_(units_per_tick), coarser_(ticks_per_unit), unit_(units_per_tick == ticks_per_unit)
    {
    }
    /* Numbers, not clocks: they serve for exact division by multiplication. One of them is 1. */
    clock_domain finer_, coarser_;
    bool unit_;
};

/* Time in ticks; for code outside any block. */
inline tick simulation_time()
{
    return time_scale::here().ticks(sc_core::sc_time_stamp());
}

} // namespace walkway

#endif

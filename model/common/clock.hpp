/* SPDX-License-Identifier: MIT */
/* model/common/clock.hpp - time inside the model: integer picoseconds, on the edges of a block's clock.
 * sc_time appears only at sockets and event notifications (time_scale.hpp). */
#ifndef WALKWAY_MODEL_COMMON_CLOCK_HPP
#define WALKWAY_MODEL_COMMON_CLOCK_HPP

#include <cstdint>

namespace walkway
{

using tick = uint64_t; /* picoseconds since time zero */
constexpr tick never = UINT64_MAX;

class clock_domain
{
public:
    explicit clock_domain(tick period_ps) : period_(period_ps)
    {
        /* 2^(63 + bits) / period, rounded up, where bits are those of the period: below 2^64 */
        unsigned bits = 0;
        while (bits < 63 && (tick{1} << bits) < period_ps)
            ++bits;
        shift_ = bits;
        inverse_ = static_cast<uint64_t>((((wide{1} << 63) << bits) + period_ps - 1) / period_ps);
    }

    tick period() const { return period_; }
    tick cycles(uint64_t n) const { return n * period_; }
    /* Returns the number of the last edge at or before t, or the whole cycles in t. Exact, by a
     * multiplication instead of a division. Required: t is below 2^63. */
    uint64_t floor_cycle(tick t) const
    {
        return static_cast<uint64_t>(wide{2 * t} * inverse_ >> 64) >> shift_;
    }
    /* Returns the number of the first edge at or after t. */
    uint64_t ceil_cycle(tick t) const { return floor_cycle(t + period_ - 1); }
    tick ceil(tick t) const { return ceil_cycle(t) * period_; }

private:
    __extension__ using wide = unsigned __int128;
    tick period_;
    uint64_t inverse_ = 0;
    unsigned shift_ = 0;
};

} // namespace walkway

#endif

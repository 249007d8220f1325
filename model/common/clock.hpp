/* SPDX-License-Identifier: MIT */
/* model/common/clock.hpp - time inside the model: integer picoseconds, on the edges of a block's clock.
 * sc_time appears only at sockets and event notifications (SystemC's resolution stays at its default, 1 ps).
 */
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
    explicit clock_domain(tick period_ps) : period_(period_ps), inverse_(1.0 / static_cast<double>(period_ps))
    {
    }

    tick period() const { return period_; }
    tick cycles(uint64_t n) const { return n * period_; }
    /* Number of the last edge at or before t (below 2^63): a multiplication, put right where it rounded. The
     * conversions are signed, which the host has as single instructions. */
    uint64_t floor_cycle(tick t) const
    {
        auto n = static_cast<uint64_t>(
            static_cast<int64_t>(static_cast<double>(static_cast<int64_t>(t)) * inverse_));
        if (n * period_ > t)
            --n;
        else if ((n + 1) * period_ <= t)
            ++n;
        return n;
    }
    /* Number of the first edge at or after t. */
    uint64_t ceil_cycle(tick t) const { return floor_cycle(t + period_ - 1); }
    tick ceil(tick t) const { return ceil_cycle(t) * period_; }

private:
    tick period_;
    double inverse_;
};

} // namespace walkway

#endif

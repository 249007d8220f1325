/* SPDX-License-Identifier: MIT */
/* model/common/time_scale.cpp - reads and names SystemC's resolution. */
#include "model/common/time_scale.hpp"

#include <cmath>

namespace walkway
{

namespace
{

constexpr uint64_t fs_per_tick = 1000;

std::string named(uint64_t femtoseconds)
{
    static const char *const units[] = {"fs", "ps", "ns", "us", "ms", "s"};
    unsigned u = 0;
    for (; femtoseconds % 1000 == 0 && u < 5; ++u)
        femtoseconds /= 1000;
    return std::to_string(femtoseconds) + " " + units[u];
}

uint64_t resolution_fs()
{
    return static_cast<uint64_t>(std::llround(sc_core::sc_get_time_resolution().to_seconds() * 1e15));
}

} // namespace

time_scale time_scale::here()
{
    const uint64_t fs = resolution_fs();
    return fs < fs_per_tick ? time_scale(fs_per_tick / fs, 1) : time_scale(1, fs / fs_per_tick);
}

std::string time_scale::resolution() const
{
    return named(coarser_.period() * fs_per_tick / finer_.period());
}

std::string time_scale::needed(tick period)
{
    uint64_t ps = 1;
    while (period % (ps * 10) == 0)
        ps *= 10;
    return named(ps * fs_per_tick);
}

} // namespace walkway

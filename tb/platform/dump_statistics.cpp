/* SPDX-License-Identifier: MIT */
/* Prints every statistic of one run; the determinism test compares two processes. */
#include "tb/platform/apu_rig.hpp"

#include <cstdlib>
#include <iostream>

namespace
{
const int silence = setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
}

int sc_main(int, char *[])
{
    using namespace walkway::test;
    const trace t(scatter(12, 12, 8 << 20, 40));
    const outcome o =
        run_apu(configured("walk_unit.coalesce=full l1_tlb.replace=random address_space.frames=random"), t);
    for (const auto &s : o.stats)
        std::cout << s.first << " = " << s.second << "\n";
    return silence;
}

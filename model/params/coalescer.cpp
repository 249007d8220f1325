/* SPDX-License-Identifier: MIT */
/* model/params/coalescer.cpp - the parameters of a coalescer. */
#include "model/params/coalescer.hpp"

namespace walkway
{

void coalescer_params::visit(param_visitor &v)
{
    v.number("lanes_per_cycle", lanes_per_cycle,
             {"lanes", 1, 64, "lanes whose addresses are compared in a cycle"});
    v.number("pages_per_cycle", pages_per_cycle, {"requests", 1, 64, "translations asked for in a cycle"});
    v.number("lines_per_cycle", lines_per_cycle, {"lines", 1, 64, "lines asked for in a cycle"});
    v.number("instructions", instructions, {"instructions", 1, 1024, "memory instructions in flight"});
    v.number(
        "window", window,
        {"pages", 0, 4096, "unsent pages that later instructions may join; 0: no merging here", neutral});
    v.number("queue_entries", queue_entries, {"instructions", 1, 1024, "input queue"});
    v.number("response_cycles", response_cycles,
             {"cycles", 0, 100000, "from the last lane's data to the wave", neutral});
}

} // namespace walkway

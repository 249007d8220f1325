/* SPDX-License-Identifier: MIT */
/* model/params/dispatcher.cpp - the parameters of the dispatcher. */
#include "model/params/dispatcher.hpp"

namespace walkway
{

void dispatcher_params::visit(param_visitor &v)
{
    v.choice("policy", policy, {"round_robin", "compact"},
             {"", 0, 0, "compute unit of the next work-group: the next with room, or the lowest with room",
              neutral});
    v.choice(
        "space", space, {"launch", "group"},
        {"", 0, 0,
         "address space of a work-group: the number of the launch modulo address_space.spaces, or the number "
         "of the work-group modulo it, as if that many programs ran side by side",
         neutral});
    v.number("dispatch_cycles", dispatch_cycles, {"cycles", 1, 100000, "between two work-groups"});
    v.number("launch_cycles", launch_cycles,
             {"cycles", 0, 10000000, "from a kernel's end to the next one's start"});
    v.number("spread_cycles", spread_cycles,
             {"cycles", 0, 10000000,
              "from a kernel's start to the first waves of the last compute unit; those of the others begin "
              "evenly spread before it, in the order of their numbers",
              neutral});
    v.number("shares", shares,
             {"shares", 1, 1u << 16,
              "equal shares of the compute units, one for each of several programs; 1: programs take turns, "
              "kernel by kernel, on all of them",
              neutral});
    v.flag("again", again,
           {"", 0, 0, "of several programs, one that ends begins again, until each has ended once", neutral});
    v.choice("on_switch", on_switch, {"keep", "flush"},
             {"", 0, 0,
              "TLBs and walk caches when another program's turn comes: entries stay, told apart by VM-ID, or "
              "the whole machine is invalidated first",
              neutral});
}

} // namespace walkway

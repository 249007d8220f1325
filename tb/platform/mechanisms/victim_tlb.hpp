/* SPDX-License-Identifier: MIT */
/* The victim TLB, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_victim_tlb()
{
    using s = stimulus;
    const std::string l1_small = "l1_tlb.entries=16 l1_tlb.ways=4 ", kept = l1_small + "victim.entries=64 ";
    const std::string there = "victim.entries=64 ";
    const std::string wide = there + "victim.ports=64 victim.queue_entries=4096 victim.fills=4096 ";
    const std::string to_it =
        wide + "l1_tlb.hit_cycles=1 l1_tlb.link_cycles=0 l1_tlb.ports=2 victim.ports=1 ";
    mechanism m;
    m.on = "victim.entries=16";
    m.between = "victim";
    m.rows = {
        {"victim.entries", "64", s::rows, l1_small},
        {"victim.ways", "1", s::rows, kept},
        {"victim.hit_cycles", "40", s::rows, kept},
        {"victim.ports", "1", s::rows, kept},
        {"victim.queue_entries", "1", s::rows, kept + "l1_tlb.hit_cycles=1 victim.ports=1"},
        {"victim.fills", "1", s::rows, kept},
        {"victim.response_cycles", "9", s::rows, kept},
        {"victim.link_cycles", "9", s::rows, kept},
        {"victim.shared_by", "2", s::rows, kept},
        {"victim.order", "arrival", s::rows, kept + "victim.shared_by=8 victim.ports=1"},
        {"victim.victims", "pass", s::rows, kept + "l2_tlb.fills=4 victim.entries=16"},
    };
    m.bounds = {
        {"victim.ports", "", there, wide, "account.victim_queue"},
        {"victim.queue_entries", "", there, to_it, "l1_tlb.stall_below_cycles"},
    };
    m.capacities = {
        {"victim.entries", "1", "", "", ""},
        {"victim.ways", "1", "victim.entries=4", "", ""},
        {"victim.fills", "", "victim.entries=4", "", ""},
    };
    m.no_bounds = {{"victim.shared_by", "how many there are of the whole"}};
    m.levels = {{"l1_tlb", "victim", ""}, {"victim", "l2_tlb", ""}};
    m.corners = {
        "victim.entries=16 victim.ways=4 victim.queue_entries=1 victim.fills=1 gpu.cus=3 victim.shared_by=2 "
        "l1_tlb.entries=4 l1_tlb.ways=4 victim.victims=pass l2_tlb.fills=1",
        "victim.entries=16 victim.shared_by=3 l2_tlb.fills=2 l1_tlb.entries=8 l1_tlb.ways=8",
        "victim.entries=1 victim.queue_entries=1 victim.ports=1 victim.fills=1 l1_tlb.queue_entries=1 "
        "l1_tlb.mshrs=1 l1_tlb.merges=1 l2_tlb.queue_entries=1 address_space.page=mixed",
    };
    return m;
}

} // namespace walkway::test

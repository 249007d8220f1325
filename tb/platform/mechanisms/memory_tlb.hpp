/* SPDX-License-Identifier: MIT */
/* The table of translations in memory, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_memory_tlb()
{
    using s = stimulus;
    const std::string tiny = "l1_tlb.entries=4 l1_tlb.ways=4 l2_tlb.entries=4 l2_tlb.ways=4 ";
    const std::string there = "memory_tlb.entries=65536", used = tiny + there + " ";
    const std::string wide = used + "memory_tlb.ports=64 memory_tlb.queue_entries=4096 memory_tlb.fills=4096 "
                                    "memory_tlb.mshrs=4096 memory_tlb.merges=4096 ";
    const std::string to_it = wide + "l2_tlb.hit_cycles=1 memory_tlb.above_cycles=0 l2_tlb.ports=2 ";
    mechanism m;
    m.on = there;
    m.below = "memory_tlb";
    m.asks = {"memory_tlb.line_reads", "memory_tlb.line_writes"};
    m.rows = {
        {"memory_tlb.entries", "65536", s::reuse, tiny},
        {"memory_tlb.shared_by", "4", s::same, used + "l2_tlb.shared_by=4"},
        {"memory_tlb.order", "arrival", s::rows, used + "l2_tlb.shared_by=1 memory_tlb.ports=1"},
        {"memory_tlb.index", "xor", s::rows, tiny + "memory_tlb.entries=64"},
        {"memory_tlb.ports", "1", s::rows, used},
        {"memory_tlb.mshrs", "1", s::rows, used},
        {"memory_tlb.merges", "1", s::same, tiny + "memory_tlb.entries=4"},
        {"memory_tlb.queue_entries", "1", s::rows, to_it + "memory_tlb.ports=1"},
        {"memory_tlb.fills", "1", s::rows, used + "memory_tlb.mshrs=1"},
        {"memory_tlb.read_cycles", "40", s::rows, used},
        {"memory_tlb.compare_cycles", "20", s::rows, used},
        {"memory_tlb.response_cycles", "9", s::rows, used},
        {"memory_tlb.above_cycles", "40", s::rows, used},
    };
    m.bounds = {
        {"memory_tlb.ports", "", there, wide, "account.memory_tlb_queue"},
        {"memory_tlb.mshrs", "", there, wide, "memory_tlb.stall_lines_cycles"},
        {"memory_tlb.merges", "", "", wide + "memory_tlb.entries=4 ", "memory_tlb.stall_lines_cycles"},
        {"memory_tlb.queue_entries", "", there, to_it + "memory_tlb.ports=1 ", "l2_tlb.stall_below_cycles"},
        {"memory_tlb.fills", "", there, wide + "memory_tlb.mshrs=1 ", "memory_tlb.fills_dropped"},
    };
    m.no_bounds = {{"memory_tlb.shared_by", "how many there are of the whole"}};
    m.capacities = {{"memory_tlb.entries", "4", "", "", ""}};
    m.levels = {{"l2_tlb", "memory_tlb", " " + there}, {"memory_tlb", "iommu_tlb", " " + there}};
    m.corners = {
        tiny + "memory_tlb.entries=4 memory_tlb.mshrs=1 memory_tlb.merges=1 memory_tlb.queue_entries=1 "
               "memory_tlb.ports=1 memory_tlb.fills=1 iommu_tlb.queue_entries=1",
        tiny + "memory_tlb.entries=16 memory_tlb.fills=2 address_space.page=mixed address_space.spaces=2 "
               "dispatcher.space=group memory_tlb.mshrs=2 walk_unit.walk_path=l2d",
        "memory_tlb.entries=64 l2_tlb.store=compressed l1_tlb.victims=pass l2_tlb.fills=3 "
        "address_space.map=first_touch l2d.bytes=16384 l2d.ways=4 l2d.queue_entries=1 "
        "iommu_tlb.tlb1_entries=0 iommu_tlb.tlb2_entries=0 walk_unit.coalesce=full",
    };
    return m;
}

} // namespace walkway::test

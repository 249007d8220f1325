/* SPDX-License-Identifier: MIT */
/* The compressed store, in the L1 and in the L2 TLB, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_compressed_tlb()
{
    using s = stimulus;
    const std::string slots = "l2_tlb.entries=64 l2_tlb.ways=16 l2_tlb.compressed_ways=8 ";
    const std::string tight = "l2_tlb.store=compressed l2_tlb.entries=32 l2_tlb.ways=8 l1_tlb.entries=4 "
                              "l1_tlb.ways=4 l2_tlb.rebase_after=2 l2_tlb.compressed_ways=";
    const std::string upper = "l1_tlb.ways=16 l1_tlb.store=compressed ";
    mechanism m;
    m.on = "l2_tlb.store=compressed";
    m.rows = {
        {"l2_tlb.store", "compressed", s::rows, slots},
        {"l2_tlb.compressed_ways", "1", s::rows, slots + "l2_tlb.store=compressed"},
        {"l2_tlb.rebase_after", "1", s::rows, slots + "l2_tlb.store=compressed address_space.frames=random"},
        {"l1_tlb.compressed_ways", "1", s::rows, upper},
        {"l1_tlb.rebase_after", "1", s::rows, upper + "address_space.frames=random"},
    };
    m.capacities = {{"l2_tlb.compressed_ways", "0", "l2_tlb.store=compressed", "", ""}};
    m.no_bounds = {{"l2_tlb.rebase_after", "a count of failures"},
                   {"l1_tlb.compressed_ways", "of a store that is tried at the L2 TLB"},
                   {"l1_tlb.rebase_after", "of a store that is tried at the L2 TLB"}};
    m.corners = {
        tight + "4",
        tight + "4 address_space.frames=random",
        tight + "7 address_space.frames=fragmented address_space.page=mixed address_space.spaces=2 "
                "dispatcher.space=group l1_tlb.victims=pass l2_tlb.fills=3",
    };
    return m;
}

} // namespace walkway::test

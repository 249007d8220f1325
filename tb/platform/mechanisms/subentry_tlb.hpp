/* SPDX-License-Identifier: MIT */
/* The subentry store, in the L1 and in the L2 TLB, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_subentry_tlb()
{
    using s = stimulus;
    const std::string lower = "l2_tlb.entries=64 l2_tlb.ways=16 l2_tlb.store=subentry ";
    const std::string upper = "l1_tlb.entries=8 l1_tlb.ways=8 l1_tlb.store=subentry ";
    const std::string tight = "l2_tlb.store=subentry l2_tlb.entries=8 l2_tlb.ways=2 l1_tlb.entries=2 "
                              "l1_tlb.ways=2 l2_tlb.subentry_pages=";
    mechanism m;
    m.on = "l2_tlb.store=subentry";
    m.rows = {
        {"l2_tlb.subentry_pages", "1", s::rows, lower},    {"l1_tlb.subentry_pages", "1", s::rows, upper},
        {"l2_tlb.subentry_fill", "all", s::rows, lower},   {"l1_tlb.subentry_fill", "all", s::rows, upper},
        {"l2_tlb.subentry_share", "half", s::rows, lower}, {"l1_tlb.subentry_share", "any", s::rows, upper},
    };
    m.capacities = {{"l2_tlb.subentry_pages", "", "l2_tlb.store=subentry", "", ""},
                    {"l1_tlb.subentry_pages", "", "l1_tlb.store=subentry", "", ""}};
    m.corners = {
        tight + "2",
        tight + "32 l2_tlb.subentry_fill=all l1_tlb.store=subentry l1_tlb.subentry_pages=2 "
                "l1_tlb.subentry_fill=all l2_tlb.subentry_share=any "
                "l1_tlb.victims=pass l2_tlb.fills=1 address_space.page=mixed address_space.frames=random",
        tight + "16 l1_tlb.store=subentry l1_tlb.subentry_pages=4 address_space.frames=random",
        tight + "4 address_space.frames=fragmented address_space.page=mixed address_space.spaces=2 "
                "dispatcher.space=group l1_tlb.store=subentry l1_tlb.subentry_pages=16 l1_tlb.victims=pass "
                "l2_tlb.fills=1 l2_tlb.subentry_share=half l1_tlb.subentry_share=quarter",
    };
    return m;
}

} // namespace walkway::test

/* SPDX-License-Identifier: MIT */
/* The prefetchers below L1 TLBs, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_tlb_prefetch()
{
    using s = stimulus;
    const std::string there = "prefetch.entries=16 ";
    const std::string many = "l1_tlb.entries=16 l1_tlb.ways=4 prefetch.entries=64 prefetch.in_flight=64 ";
    mechanism m;
    m.on = "prefetch.entries=16";
    m.between = "prefetch";
    m.asks = {"prefetch.prefetches"};
    m.rows = {
        {"prefetch.entries", "16", s::rows, ""},
        {"prefetch.shared_by", "2", s::rows, there},
        {"prefetch.order", "arrival", s::rows, there + "prefetch.shared_by=8"},
        {"prefetch.in_flight", "1", s::rows, there},
        {"prefetch.hit_cycles", "40", s::rows, there},
        {"prefetch.response_cycles", "9", s::rows, there},
    };
    m.no_bounds = {{"prefetch.shared_by", "how many there are of the whole"}};
    m.capacities = {
        {"prefetch.entries", "1", "", "", ""},
        {"prefetch.in_flight", "", "prefetch.entries=4", "", ""},
    };
    m.corners = {
        "prefetch.entries=1 prefetch.in_flight=1 l1_tlb.entries=4 l1_tlb.ways=4 l1_tlb.queue_entries=1 "
        "l1_tlb.mshrs=1 l1_tlb.merges=1 l2_tlb.queue_entries=1 address_space.page=mixed",
        many + "gpu.cus=3 l1_tlb.victims=pass l2_tlb.fills=1 l2_tlb.mshrs=2 l2_tlb.merges=2",
    };
    return m;
}

} // namespace walkway::test

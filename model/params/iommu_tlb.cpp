/* SPDX-License-Identifier: MIT */
/* model/params/iommu_tlb.cpp - the parameters of the TLBs of an IOMMU. */
#include "model/params/iommu_tlb.hpp"

#include "model/common/set_sizes.hpp"
#include "translate/tlb_stores.hpp"

namespace walkway
{

void iommu_tlb_params::visit(param_visitor &v)
{
    v.number("tlb1_entries", tlb1_entries, {"entries", 0, 4096, "first TLB, fully associative; 0: none"});
    v.needs("tlb1_entries");
    v.number("tlb1_cycles", tlb1_cycles, {"cycles", 1, 100000, "from a port to a hit in the first TLB"});
    v.needs("");
    v.number("tlb2_entries", tlb2_entries, {"entries", 0, 1u << 20, "second TLB; 0: none"});
    v.needs("tlb2_entries");
    v.number("tlb2_ways", tlb2_ways, {"ways", 1, 64, "associativity of the second TLB"});
    v.number("tlb2_cycles", tlb2_cycles,
             {"cycles", 1, 100000, "from a port to a hit in the second TLB, and to a miss in both"});
    v.needs("");
    v.only_timed(one_access);
    v.number("ports", ports, {"lookups per cycle", 1, 64, "TLB lookups that may start in one cycle"});
    v.number("queue_entries", queue_entries, {"requests", 1, 65536, "input queue of the TLBs"});
    v.only_timed("");
    v.number("response_cycles", response_cycles,
             {"cycles", 1, 100000, "from a hit, or from the end of a walk, back to the requester", neutral});
}

std::string iommu_tlb_params::validate() const
{
    return tlb2_entries == 0
               ? ""
               : wrong_sets("tlb2_entries / tlb2_ways", "tlb2_entries", tlb2_entries, tlb2_ways);
}

namespace
{

tlb_array array_with(uint32_t entries, uint32_t ways, uint32_t page_sizes, tick time)
{
    return {entries == 0 ? stage_store() : make_tlb_store(plain_tlb(entries, ways, page_sizes)), time};
}

uint64_t bytes_of(uint32_t entries, uint32_t ways, uint32_t page_sizes)
{
    return entries == 0 ? 0 : bytes_of_store(plain_tlb(entries, ways, page_sizes));
}

} // namespace

uint64_t iommu_tlb_params::state_bytes() const
{
    return bytes_of(tlb1_entries, tlb1_entries, page_sizes) + bytes_of(tlb2_entries, tlb2_ways, page_sizes);
}

void iommu_tlb_params::structures(structure_list &list) const
{
    const auto add = [&](const char *name, uint32_t entries, uint32_t ways) {
        if (entries == 0)
            return;
        const uint64_t bits = bits_of_store(plain_tlb(entries, ways, page_sizes), list.widths);
        const uint32_t key = list.widths.va - list.widths.page_shift + list.widths.vmid;
        list.add_array(name, bits, array_of(entries, bits, ways, key, ports), {".requests"}, {".tlb_misses"});
    };
    add("tlb1", tlb1_entries, tlb1_entries);
    add("tlb2", tlb2_entries, tlb2_ways);
}

tlb_array iommu_tlb_params::first(const clock_domain &clock) const
{
    return array_with(tlb1_entries, tlb1_entries, page_sizes, clock.cycles(tlb1_cycles));
}

tlb_array iommu_tlb_params::second(const clock_domain &clock) const
{
    return array_with(tlb2_entries, tlb2_ways, page_sizes, clock.cycles(tlb2_cycles));
}

} // namespace walkway

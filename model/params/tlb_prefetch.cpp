/* SPDX-License-Identifier: MIT */
/* model/params/tlb_prefetch.cpp - the parameters of a prefetcher below an L1 TLB. */
#include "model/params/tlb_prefetch.hpp"

#include "model/common/pending.hpp"
#include "translate/tlb_stores.hpp"

namespace walkway
{

void tlb_prefetch_params::visit(param_visitor &v)
{
    v.number("entries", entries,
             {"entries", 0, 4096, "prefetched translations held, fully associative; 0: no prefetcher"});
    v.needs("entries");
    v.number("in_flight", in_flight,
             {"entries", 1, 4096, "prefetches that may be under way; one more is not begun"});
    v.number("hit_cycles", hit_cycles, {"cycles", 1, 100000, "from a port to the answer, hit or miss"});
    v.number("response_cycles", response_cycles,
             {"cycles", 1, 100000, "from an answer of the level below to the requester", neutral});
}

tlb_section tlb_prefetch_params::store() const
{
    return plain_tlb(entries, entries, page_sizes);
}

/* Each demand that has an MSHR in the L1 TLB gets another one here, so no demand waits for one here. */
ww_mshr_cfg tlb_prefetch_params::pending() const
{
    return {mshrs + in_flight, mshrs};
}

/* Demands wait in the L1 TLB's MSHRs, which are listed there. */
void tlb_prefetch_params::structures(structure_list &list) const
{
    if (!present())
        return;
    list.add_entries(bits_of_store(store(), list.widths), entries, entries, 1);
    list.add_mshrs({in_flight, in_flight}, list.widths.va - list.widths.page_shift + list.widths.vmid,
                   {".prefetches"}, {".merged"});
}

uint64_t tlb_prefetch_params::state_bytes() const
{
    return present() ? bytes_of_store(store()) + pending_bytes(pending()) : 0;
}

} // namespace walkway

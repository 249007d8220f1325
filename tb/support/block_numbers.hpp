/* SPDX-License-Identifier: MIT */
/* tb/support/block_numbers.hpp - a block's parameters as in apu-micro18, because blocks have no defaults. */
#ifndef WW_TB_SUPPORT_BLOCK_NUMBERS_HPP
#define WW_TB_SUPPORT_BLOCK_NUMBERS_HPP

#include "model/params/iommu_tlb.hpp"
#include "model/params/memory_tlb.hpp"
#include "model/params/tlb.hpp"
#include "model/params/tlb_prefetch.hpp"
#include "model/params/victim_tlb.hpp"
#include "model/params/walk_unit.hpp"
#include "tb/support/machine_files.hpp"

#include <type_traits>

namespace walkway::test
{

/* The section of apu-micro18 with a block's parameters: tlb_params has those of the L1 TLB, data_cache_params
 * those of the compute units' data caches. */
template <class P> constexpr const char *section_of = nullptr;
template <> inline constexpr const char *section_of<address_space_params> = "address_space";
template <> inline constexpr const char *section_of<coalescer_params> = "coalescer";
template <> inline constexpr const char *section_of<compute_unit_params> = "cu";
template <> inline constexpr const char *section_of<copy_engine_params> = "copy_engine";
template <> inline constexpr const char *section_of<data_cache_params> = "l1d";
template <> inline constexpr const char *section_of<dispatcher_params> = "dispatcher";
template <> inline constexpr const char *section_of<dram_params> = "dram";
template <> inline constexpr const char *section_of<host_link_params> = "host_link";
template <> inline constexpr const char *section_of<icache_params> = "icache";
template <> inline constexpr const char *section_of<icache_tx_params> = "icache_tx";
template <> inline constexpr const char *section_of<iommu_tlb_params> = "iommu_tlb";
template <> inline constexpr const char *section_of<lds_params> = "lds";
template <> inline constexpr const char *section_of<lds_tx_params> = "lds_tx";
template <> inline constexpr const char *section_of<memory_tlb_params> = "memory_tlb";
template <> inline constexpr const char *section_of<pager_params> = "pager";
template <> inline constexpr const char *section_of<tlb_params> = "l1_tlb";
template <> inline constexpr const char *section_of<tlb_prefetch_params> = "prefetch";
template <> inline constexpr const char *section_of<victim_params> = "victim";
template <> inline constexpr const char *section_of<walk_unit_params> = "walk_unit";

template <class P> const P &numbers_of()
{
    static const P shipped = [] {
        P p;
        read_sections("apu-micro18", [&p](param_visitor &v) { v.section(section_of<P>, "", p); });
        if constexpr (std::is_same_v<P, walk_unit_params>)
            p.fault_entries = 0; /* the machine has no pager */
        return p;
    }();
    return shipped;
}

} // namespace walkway::test

#endif

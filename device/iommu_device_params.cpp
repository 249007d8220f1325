/* SPDX-License-Identifier: MIT */
/* device/iommu_device_params.cpp - see iommu_device_params.hpp. */
#include "device/iommu_device_params.hpp"

#include "model/common/set_sizes.hpp"

namespace walkway
{

void iommu_device_params::visit(param_visitor &v)
{
    v.choice("mode", mode, {"lt", "at"},
             {"", 0, 1, "accesses come loosely timed, in calls; or approximately timed, in four phases",
              assumed()});
    v.number("clock_ps", clock_ps, {"ps", 1, 1000000000, "period of the device's clock", assumed()});
    v.number("tlb_entries", tlb_entries,
             {"entries", 1, 1u << 20, "TLB, for pages of 4 KiB, 64 KiB, 2 MiB and 1 GiB", assumed()});
    v.number("tlb_ways", tlb_ways, {"ways", 1, 64, "associativity of the TLB", assumed()});
    v.number("tlb_cycles", tlb_cycles,
             {"cycles", 1, 100000, "from an access to a hit in the TLB, or to a miss", assumed()});
    v.number("walk_cache_entries", walk_cache_entries,
             {"entries", 0, 4096, "page-walk cache of each level above the leaf; 0: none", assumed()});
    v.number("walk_cache_cycles", walk_cache_cycles,
             {"cycles", 0, 100000, "lookup of the page-walk caches, once per walk", assumed()});
    v.number("line_cache_bytes", line_cache_bytes,
             {"bytes", 0, 1u << 18, "cache of page-table lines, fully associative; 0: none", assumed()});
    v.number("line_cache_cycles", line_cache_cycles,
             {"cycles", 0, 100000, "lookup of the cache of page-table lines, once per read", assumed()});
    v.number("contexts", contexts,
             {"entries", 1, 4096, "requesters and PASIDs whose device-table entries are held", assumed()});
    v.number("irte_entries", irte_entries,
             {"entries", 0, 4096, "entries of interrupt tables that are held; 0: none", assumed()});
    v.number("response_cycles", response_cycles,
             {"cycles", 0, 100000, "from the end of a walk to the access going on", assumed()});
    v.number("accesses_per_port", accesses_per_port,
             {"accesses", 1, 1u << 16,
              "in four phases, of a port from END_REQ to END_RESP; END_REQ waits until there is room",
              assumed()});
    v.number(
        "request_cycles", request_cycles,
        {"cycles", 0, 100000, "in four phases, from a request that a port takes to the next", assumed()});
    v.number("invalidate_timeout_ns", invalidate_timeout_ns,
             {"ns", 1, 100000000000,
              "time that a device has for an invalidate, where CONTROL does not say one", assumed()});
    v.choice("dmi", dmi, {"off", "functional", "always"},
             {"", 0, 2,
              "direct memory pointers: never; while nobody observes; always, unseen accesses being unknown",
              assumed()});
}

std::string iommu_device_params::validate() const
{
    const std::string sets = wrong_sets("tlb_entries / tlb_ways", "tlb_entries", tlb_entries, tlb_ways);
    if (!sets.empty())
        return sets;
    if (line_cache_bytes % 64 != 0)
        return "line_cache_bytes is not a multiple of 64";
    return "";
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* device/iommu_device_params.cpp - see iommu_device_params.hpp. */
#include "device/iommu_device_params.hpp"

#include "model/common/set_sizes.hpp"
#include "support/parameters.hpp"

namespace walkway
{

void iommu_device_params::visit(param_visitor &v)
{
    v.choice("mode", mode, {"lt", "at"},
             {"", 0, 1, "accesses come loosely timed, in calls; or approximately timed, in four phases"});
    v.number("clock_ps", clock_ps, {"ps", 1, 1000000000, "period of the device's clock"});
    v.number("tlb_entries", tlb_entries,
             {"entries", 1, 1u << 20, "TLB, for pages of 4 KiB, 64 KiB, 2 MiB and 1 GiB"});
    v.number("tlb_ways", tlb_ways, {"ways", 1, 64, "associativity of the TLB"});
    v.number("tlb_cycles", tlb_cycles,
             {"cycles", 1, 100000, "from an access to a hit in the TLB, or to a miss"});
    v.number("walk_cache_entries", walk_cache_entries,
             {"entries", 0, 4096, "page-walk cache of each level above the leaf; 0: none"});
    v.number("walk_cache_cycles", walk_cache_cycles,
             {"cycles", 0, 100000, "lookup of the page-walk caches, once per walk"});
    v.number("line_cache_bytes", line_cache_bytes,
             {"bytes", 0, 1u << 18, "cache of page-table lines, fully associative; 0: none"});
    v.number("line_cache_cycles", line_cache_cycles,
             {"cycles", 0, 100000, "lookup of the cache of page-table lines, once per read"});
    v.number("contexts", contexts,
             {"entries", 1, 4096, "requesters and PASIDs whose device-table entries are held"});
    v.number("irte_entries", irte_entries,
             {"entries", 0, 4096, "entries of interrupt tables that are held; 0: none"});
    v.number("response_cycles", response_cycles,
             {"cycles", 0, 100000, "from the end of a walk to the access going on"});
    v.number("accesses_per_port", accesses_per_port,
             {"accesses", 1, 1u << 16,
              "in four phases, of a port from END_REQ to END_RESP; END_REQ waits until there is room"});
    v.number("request_cycles", request_cycles,
             {"cycles", 0, 100000, "in four phases, from a request that a port takes to the next"});
    v.number(
        "invalidate_timeout_ns", invalidate_timeout_ns,
        {"ns", 1, 100000000000, "time that a device has for an invalidate, where CONTROL does not say one"});
    v.number("walker_bytes", walker_bytes,
             {"bytes", 4, 64, "of one access to tables, commands and logs; what is longer is split"});
    v.choice("dmi", dmi, {"off", "functional", "always"},
             {"", 0, 2,
              "direct memory pointers: never; while no observer is attached; always, unseen accesses being "
              "unknown"});
}

/* Returns what is wrong with a value, or "". Values from a file have been checked before; values set in C++
 * have not. */
static std::string outside(const parameter &p)
{
    const bool choice = p.what == parameter::kind::choice;
    const uint64_t min = choice ? 0 : p.min, max = choice ? p.choices.size() - 1 : p.max;
    return p.number >= min && p.number <= max
               ? ""
               : p.key + " = " + std::to_string(p.number) + ": valid: " + std::to_string(min) + " ... " +
                     std::to_string(max) + (choice ? " (" + p.range() + ")" : " " + p.unit);
}

std::string iommu_device_params::validate() const
{
    iommu_device_params copy = *this;
    for (const parameter &p : list_parameters([&copy](param_visitor &v) { copy.visit(v); }))
        if (const std::string wrong = outside(p); !wrong.empty())
            return wrong;
    if (walker_bytes % 4 != 0 || 64 % walker_bytes != 0)
        return "walker_bytes = " + std::to_string(walker_bytes) + ": valid: 4 | 8 | 16 | 32 | 64 bytes";
    const std::string sets = wrong_sets("tlb_entries / tlb_ways", "tlb_entries", tlb_entries, tlb_ways);
    if (!sets.empty())
        return sets;
    if (line_cache_bytes % 64 != 0)
        return "line_cache_bytes is not a multiple of 64";
    return "";
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* device/iommu_device_params.cpp - see iommu_device_params.hpp. */
#include "device/iommu_device_params.hpp"

#include "model/common/set_sizes.hpp"

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
              "direct memory pointers: never; while nobody observes; always, unseen accesses being unknown"});
}

namespace
{

/* The first value out of its range, as the reader of files says it. */
class range_checker final : public param_visitor
{
public:
    std::string wrong;
    void begin(const char *, const char *) override {}
    void end() override {}
    using param_visitor::number;
    void number(const char *key, uint64_t &value, const param_info &info) override
    {
        if (wrong.empty() && (value < info.min || value > info.max))
            wrong = std::string(key) + " = " + std::to_string(value) +
                    ": valid: " + std::to_string(info.min) + " ... " + std::to_string(info.max) +
                    (*info.unit == 0 ? "" : std::string(" ") + info.unit);
    }
    void choice(const char *key, uint8_t &value, const choice_names &names, const param_info &) override
    {
        if (!wrong.empty() || value < names.size())
            return;
        wrong = std::string(key) + " = " + std::to_string(value) + ": valid: 0 ... " +
                std::to_string(names.size() - 1);
        for (size_t i = 0; i < names.size(); ++i)
            wrong += (i == 0 ? " (" : " | ") + std::string(names[i]);
        wrong += ")";
    }
    void flag(const char *, bool &, const param_info &) override {}
};

} // namespace

std::string iommu_device_params::validate() const
{
    range_checker ranges;
    iommu_device_params(*this).visit(ranges);
    if (!ranges.wrong.empty())
        return ranges.wrong;
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

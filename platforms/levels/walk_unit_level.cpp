/* SPDX-License-Identifier: MIT */
/* platforms/levels/walk_unit_level.cpp - page-table walks, the end of a path:
 * docs/model/neighbourhood-coalescing.md. */
#include "model/params/walk_unit.hpp"
#include "platforms/level.hpp"

namespace walkway
{

namespace
{

class walk_unit_level final : public level_of<walk_unit_params>
{
public:
    using level_of::level_of;
    std::unique_ptr<level> copy() const override { return std::make_unique<walk_unit_level>(*this); }
    const char *kind() const override { return "walk_unit"; }
    const char *sentence() const override
    {
        return "walkers behind a buffer of walk requests, with their walk caches";
    }
    std::string plural() const override { return "walk units"; }
    std::string text() const override
    {
        return "page-table walks: each unit's walk buffer, walkers and walk caches";
    }
    bool ends_path() const override { return true; }
    uint32_t ports() const override { return 1; }
    uint32_t queue_entries() const override { return params.queue_entries; }
    uint64_t wire_slots() const override { return 0; }
    level_wants wants() const override
    {
        level_wants w;
        (params.walk_path == 0 ? w.memory_ways : w.l2d_ports) = 1;
        return w;
    }
    void know(const level_facts &f) override
    {
        if (!f.faults)
            params.fault_entries = 0;
        if (f.rung >= ideal::unlimited_walkers) {
            params.walkers = params.buffer_entries = 4096;
            params.march_walks = 0;
        }
        params.zero_walk = f.rung >= ideal::zero_walk;
    }
    ideal lost_from(const std::string &key, bool) const override
    {
        if (key == "walkers" || key == "buffer_entries" || key.rfind("march_", 0) == 0)
            return ideal::unlimited_walkers;
        const bool of_reads = key == "read_cycles" || key == "reply_cycles" || key == "walk_path" ||
                              key == "line_reads" || key == "match_cycles" || key == "pwc_merge" ||
                              key == "pte_cache_merge";
        return of_reads ? ideal::zero_walk : never_lost;
    }
    std::string reads() const override { return params.zero_walk ? "" : "pte_reads"; }
    const char *asked() const override { return "walk_requests"; }
};

} // namespace

std::unique_ptr<level> make_walk_unit_level(const std::string &section)
{
    return std::make_unique<walk_unit_level>(section);
}

} // namespace walkway

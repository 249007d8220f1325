/* SPDX-License-Identifier: MIT */
/* model/tables/amd_v1.cpp - AMD's own I/O page table (kernels/table/amd_table.h, kernels/table/table_amd.h).
 */
#include "kernels/table/amd_table.h"
#include "kernels/table/table_amd.h"
#include "model/table_builder.hpp"

namespace walkway
{

namespace
{

class amd_table final : public table_builder
{
public:
    amd_table(const ww_amd_cfg &cfg, uint64_t *words) : table_builder(cfg.arena_pa, words)
    {
        require_table(ww_amd_init(&amd_, &cfg, words, size_t{cfg.max_nodes} * WW_NODE_ENTRIES));
    }
    ww_table table() const override { return ww_amd_v1_table(amd_.cfg.mode, first_pa()); }
    int map(uint64_t va, uint64_t pa, uint8_t shift) override
    {
        return ww_amd_map(&amd_, words_to_write(), va, pa, shift, WW_PERM_ALL);
    }
    bool translate(uint64_t va, ww_xlat *out, const uint64_t *words) const override
    {
        return ww_amd_lookup(&amd_, words, va, out);
    }
    uint64_t nodes() const override { return amd_.nodes; }

private:
    uint64_t right_to_write() const override { return WW_AMD_IW; }

    ww_amd amd_{};
};

class amd_maker final : public table_maker
{
    const char *text() const override { return "AMD's own I/O page table (v1)"; }
    std::string wrong(const address_space_params &p) const override
    {
        return ww_page_level(p.largest_shift()) > p.levels
                   ? "levels = " + std::to_string(p.levels) + ": pages of 2m need a second level"
                   : "";
    }
    uint32_t va_bits(const address_space_params &p) const override { return ww_amd_va_bits(p.levels); }
    const ww_table_kind *kind(const address_space_params & /* p */) const override { return &ww_amd_v1; }
    /* A table that grows skips no node: one inserted later would change an entry that a walk cache may
     * hold. */
    table_room room(const address_space_params &p, const std::vector<space_ranges> &of_space) const override
    {
        const uint32_t levels = p.levels;
        const uint8_t shift = p.page_shift();
        const bool skip = p.skip_levels && p.mode() == map_mode::all;
        const uint64_t frames = most_nodes(of_space, [=](const space_ranges &ranges) {
            return nodes_for(ranges, shift, [=](uint64_t va, uint64_t bytes) {
                return ww_amd_nodes_needed(levels, va, bytes, shift);
            });
        });
        return {frames, [=](uint64_t first_pa, uint64_t *words) {
                    const ww_amd_cfg cfg = {static_cast<uint8_t>(levels), skip, first_pa,
                                            static_cast<uint32_t>(frames)};
                    return std::make_unique<amd_table>(cfg, words);
                }};
    }
};

} // namespace

const table_maker &amd_v1_tables()
{
    static const amd_maker maker;
    return maker;
}

} // namespace walkway

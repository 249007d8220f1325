/* SPDX-License-Identifier: MIT */
/* model/tables/radix.cpp - the x86-64 radix page table (kernels/table/radix.h, kernels/table/table_radix.h).
 */
#include "kernels/table/radix.h"

#include "kernels/table/table_radix.h"
#include "model/table_builder.hpp"

namespace walkway
{

namespace
{

class radix_table final : public table_builder
{
public:
    radix_table(const ww_radix_cfg &cfg, uint64_t *words) : table_builder(cfg.arena_pa, words)
    {
        require_table(ww_radix_init(&radix_, &cfg, words, size_t{cfg.max_nodes} * WW_NODE_ENTRIES));
    }
    ww_table table() const override { return ww_radix_table(radix_.cfg.levels, ww_radix_root_pa(&radix_)); }
    int map(uint64_t va, uint64_t pa, uint8_t shift) override
    {
        return ww_radix_map(&radix_, words_to_write(), va, pa, shift, WW_PERM_ALL);
    }
    bool translate(uint64_t va, ww_xlat *out, const uint64_t *words) const override
    {
        return ww_radix_lookup(&radix_, words, va, out);
    }
    uint64_t nodes() const override { return radix_.nodes; }

private:
    ww_radix radix_{};
};

class radix_maker final : public table_maker
{
    const char *text() const override { return "x86-64's"; }
    std::string wrong(const address_space_params &p) const override
    {
        return p.levels >= WW_LEVELS_MIN && p.levels <= WW_LEVELS_MAX
                   ? ""
                   : "levels = " + std::to_string(p.levels) +
                         ": a radix table has 4 or 5 (table = amd_v1: 1 to 6)";
    }
    uint32_t va_bits(const address_space_params &p) const override { return ww_va_bits(p.levels); }
    const ww_table_kind *kind(const address_space_params &p) const override
    {
        return ww_radix_table(p.levels, 0).kind;
    }
    table_room room(const address_space_params &p, const std::vector<space_ranges> &of_space) const override
    {
        const auto levels = static_cast<uint8_t>(p.levels);
        const uint8_t shift = p.page_shift();
        const uint64_t frames = most_nodes(of_space, [=](const space_ranges &ranges) {
            return nodes_for(ranges, shift, [=](uint64_t va, uint64_t bytes) {
                return ww_radix_nodes_needed(levels, va, bytes, shift);
            });
        });
        return {frames, [=](uint64_t first_pa, uint64_t *words) {
                    const ww_radix_cfg cfg = {levels, first_pa, static_cast<uint32_t>(frames)};
                    return std::make_unique<radix_table>(cfg, words);
                }};
    }
};

} // namespace

const table_maker &radix_tables()
{
    static const radix_maker maker;
    return maker;
}

} // namespace walkway

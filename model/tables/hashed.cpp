/* SPDX-License-Identifier: MIT */
/* model/tables/hashed.cpp - the hashed page table, with a step cache or without
 * (kernels/table/hashed_table.h). */
#include "kernels/table/hashed_table.h"
#include "kernels/table/table_radix.h"

#include "model/table_builder.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace walkway
{

namespace
{

class hashed_table final : public table_builder
{
public:
    hashed_table(const ww_hashed_cfg &cfg, bool moves, uint64_t *words)
        : table_builder(cfg.arena_pa, words), moves_(moves)
    {
        require_table(ww_hashed_init(&hashed_, &cfg, words, ww_hashed_frames(&cfg) * WW_NODE_ENTRIES));
    }
    ww_table table() const override { return ww_hashed_table(&hashed_); }
    int map(uint64_t va, uint64_t pa, uint8_t shift) override
    {
        return ww_hashed_map(&hashed_, words_to_write(), va, pa, shift, WW_PERM_ALL);
    }
    void make_room(uint64_t va) override
    {
        if (moves_)
            (void)ww_hashed_make_room(&hashed_, words_to_write(), va);
    }
    /* Without a slot, the page is in the victim buffer. */
    void place(uint64_t va, uint64_t /* pa */, uint8_t /* shift */) override
    {
        ww_hashed_place(&hashed_, words_to_write(), va);
    }
    bool translate(uint64_t va, ww_xlat *out, const uint64_t *words) const override
    {
        return ww_hashed_lookup(&hashed_, words, va, out);
    }
    table_slots slots() const override { return {hashed_.cfg.slots, hashed_.cfg.stride}; }
    /* Removes the region from the victim buffer last. */
    bool give(uint64_t va, uint32_t step, std::vector<uint64_t> *nodes) override
    {
        const size_t line =
            hashed_.cfg.slots * WW_HASHED_PTES + ww_hstep_line(va, hashed_.cfg.step_lines) * WW_LINE_PTES;
        uint64_t was = 0, is = 0;
        const bool known = ww_hstep_find(words() + line, va, &was);
        if (ww_hashed_give(&hashed_, words_to_write(), va, step) != WW_OK)
            throw std::runtime_error("address_space.step_entries: the step table has no room for the group "
                                     "of virtual address " +
                                     std::to_string(va));
        const bool changed = known && ww_hstep_find(words() + line, va, &is) && was != is;
        nodes->push_back(frame_of(slot_word(va, step)));
        nodes->push_back(frame_of(line));
        add_way(victims(), va, nodes);
        ww_hashed_forget(&hashed_, words_to_write(), va);
        return changed;
    }
    /* Enters the region into the victim buffer first. */
    void leave(uint64_t va, std::vector<uint64_t> *nodes) override
    {
        size_t slot = 0;
        for (uint32_t step = 0; step < WW_HASHED_STEPS; ++step)
            if (ww_hpt_line_tag(words() + slot_word(va, step)) == (ww_hashed_tag(va) | WW_HPT_VALID))
                slot = slot_word(va, step);
        require_table(ww_hashed_leave(&hashed_, words_to_write(), va));
        add_way(victims(), va, nodes);
        nodes->push_back(frame_of(slot));
    }
    /* Counts all frames before the victim buffer, in use or not. */
    uint64_t nodes() const override { return ww_hashed_victims_at(&hashed_.cfg) + hashed_.victims.nodes; }

private:
    size_t slot_word(uint64_t va, uint32_t step) const
    {
        return ww_hashed_slot(va, step, hashed_.cfg.slots, hashed_.cfg.stride) * WW_HASHED_PTES;
    }
    uint64_t frame_of(size_t word) const { return first_pa() + word / WW_NODE_ENTRIES * WW_NODE_BYTES; }
    ww_table victims() const { return ww_radix_table(WW_LEVELS_MIN, ww_radix_root_pa(&hashed_.victims)); }
    /* The bits of an entry that hold a part of its line's tag. */
    uint64_t kept() const override { return WW_HPT_PTE_TAG; }

    ww_hpt hashed_{};
    bool moves_;
};

/* Returns the number of aligned pieces of 1 << shift bytes that the ranges touch. */
uint64_t pieces_of(const space_ranges &ranges, uint32_t shift)
{
    std::set<uint64_t> pieces;
    for (const va_range &r : ranges)
        for (uint64_t n = r.base_va >> shift; r.bytes != 0 && n <= (r.base_va + (r.bytes - 1)) >> shift; ++n)
            pieces.insert(n);
    return pieces.size();
}

class hashed_maker final : public table_maker
{
public:
    explicit hashed_maker(bool stepless) : stepless_(stepless) {}

private:
    const char *text() const override
    {
        return stepless_ ? "the same, walked without a step cache" : "walked with a step cache";
    }
    uint32_t va_bits(const address_space_params & /* p */) const override { return WW_HASHED_VA_BITS; }
    std::string width(const address_space_params & /* p */) const override { return "a hashed page table"; }
    const ww_table_kind *kind(const address_space_params & /* p */) const override
    {
        return stepless_ ? &ww_hashed_stepless : &ww_hashed;
    }
    table_room room(const address_space_params &p, const std::vector<space_ranges> &of_space) const override
    {
        ww_hashed_cfg most = {};
        for (const space_ranges &ranges : of_space) {
            const ww_hashed_cfg cfg = config_for(p, ranges);
            most.stepless = cfg.stepless;
            most.stride = cfg.stride;
            most.slots = std::max(most.slots, cfg.slots);
            most.step_lines = std::max(most.step_lines, cfg.step_lines);
            most.victim_nodes = std::max(most.victim_nodes, cfg.victim_nodes);
        }
        const uint64_t frames = of_space.empty() ? 0 : ww_hashed_frames(&most);
        if (frames == 0 && !of_space.empty())
            throw std::runtime_error("address_space.slots_percent = " + std::to_string(p.slots_percent) +
                                     ", slot_stride = " + std::to_string(p.slot_stride) +
                                     ", step_entries = " + std::to_string(p.step_entries) +
                                     ": the hashed page table would be too large");
        return {frames, [most, moves = p.slot_moves](uint64_t first_pa, uint64_t *words) {
                    ww_hashed_cfg cfg = most;
                    cfg.arena_pa = first_pa;
                    return std::make_unique<hashed_table>(cfg, moves, words);
                }};
    }
    /* Returns a configuration with room for these ranges, and a victim buffer with room for all of them. Adds
     * slots until the eight slots of every region differ. */
    ww_hashed_cfg config_for(const address_space_params &p, const space_ranges &ranges) const
    {
        ww_hashed_cfg cfg = {};
        cfg.stepless = stepless_;
        cfg.stride = p.slot_stride;
        const uint64_t wanted = (pieces_of(ranges, WW_HASHED_REGION_SHIFT) * p.slots_percent + 99) / 100;
        cfg.slots = std::max({wanted, uint64_t{WW_HASHED_STEPS}, uint64_t{p.slot_stride} + 1});
        while (cfg.slots < WW_HASHED_SLOTS_MAX && ww_hashed_wrong(cfg.slots, cfg.stride) != nullptr)
            ++cfg.slots;
        const uint64_t groups = std::max<uint64_t>(1, pieces_of(ranges, WW_HASHED_GROUP_SHIFT));
        cfg.step_lines = ww_hashed_step_lines(groups, p.step_entries);
        const uint8_t shift = p.page_shift();
        cfg.victim_nodes =
            static_cast<uint32_t>(nodes_for(ranges, shift, [shift](uint64_t va, uint64_t bytes) {
                return ww_radix_nodes_needed(WW_LEVELS_MIN, va, bytes, shift);
            }));
        return cfg;
    }

    bool stepless_;
};

} // namespace

const table_maker &hashed_tables()
{
    static const hashed_maker maker(false);
    return maker;
}

const table_maker &hashed_stepless_tables()
{
    static const hashed_maker maker(true);
    return maker;
}

} // namespace walkway

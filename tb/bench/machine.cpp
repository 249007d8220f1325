/* SPDX-License-Identifier: MIT */
/* tb/bench/machine.cpp - connects the kernels of a machine. */
#include "tb/bench/machine.hpp"

#include <cstring>

namespace bench
{

namespace
{

#define X(section, key, value) constexpr uint64_t section##_##key = value;
WALKWAY_BENCH_SIZES(X)
#undef X

constexpr uint8_t page_shift = WW_PAGE_4K;
constexpr uint64_t page_bytes = uint64_t{1} << page_shift;
constexpr uint32_t line_bytes = 64;

kernel<ww_tlb> make_tlb(uint64_t entries, uint64_t ways)
{
    ww_tlb_cfg cfg = {};
    cfg.sets = static_cast<uint32_t>(entries / ways);
    cfg.ways = static_cast<uint32_t>(ways);
    cfg.page_sizes = 1u << page_shift;
    return {ww_tlb_bytes, ww_tlb_init, cfg};
}

kernel<ww_dcache> make_cache(uint64_t bytes, uint64_t ways, ww_write_policy write)
{
    ww_dcache_cfg cfg = {};
    cfg.sets = static_cast<uint32_t>(bytes / line_bytes / ways);
    cfg.ways = static_cast<uint32_t>(ways);
    cfg.line_bytes = line_bytes;
    cfg.write = static_cast<uint8_t>(write);
    return {ww_dcache_bytes, ww_dcache_init, cfg};
}

kernel<ww_pwc> make_pwc()
{
    const ww_pwc_cfg cfg = {{0, 0, walk_unit_pwc_l2, walk_unit_pwc_l3, walk_unit_pwc_l4}, &ww_radix4, 0, 0};
    return {ww_pwc_bytes, ww_pwc_init, cfg};
}

kernel<ww_dram> make_dram()
{
    ww_dram_cfg cfg;
    ww_dram_cfg_ddr3_1600(&cfg);
    cfg.ranks = dram_ranks;
    cfg.banks = dram_banks;
    cfg.read_entries = dram_read_entries;
    cfg.write_entries = dram_write_entries;
    return {ww_dram_bytes, ww_dram_init, cfg};
}

} // namespace

machine::machine(unsigned units, wkt_reader *trace)
    : l2_tlb_(make_tlb(l2_tlb_entries, l2_tlb_ways)),
      tlb1_(make_tlb(iommu_tlb_tlb1_entries, iommu_tlb_tlb1_entries)),
      tlb2_(make_tlb(iommu_tlb_tlb2_entries, iommu_tlb_tlb2_ways)), pwc_(make_pwc()),
      l2d_(make_cache(l2d_bytes, l2d_ways, WW_WRITE_BACK))
{
    for (unsigned u = 0; u < units; ++u) {
        l1_tlb_.push_back(make_tlb(l1_tlb_entries, l1_tlb_ways));
        l1d_.push_back(make_cache(l1d_bytes, l1d_ways, WW_WRITE_THROUGH));
    }
    for (uint64_t c = 0; c < dram_channels; ++c)
        channels_.push_back({make_dram(), 0});
    ww_dram_map_cfg cfg;
    ww_dram_map_cfg_default(&cfg);
    if (ww_dram_map_init(&map_, &cfg) != WW_OK)
        give_up("the address map does not fit");
    in_.page_shift = page_shift;
    map(trace);
}

/* Maps every page of every buffer, in the order of the buffer table, to consecutive frames. */
void machine::map(wkt_reader *trace)
{
    uint64_t nodes = 1;
    const uint32_t buffers = wkt_reader_info(trace)->buffers;
    for (uint32_t i = 0; i < buffers; ++i) {
        const wkt_buffer *b = wkt_reader_buffer(trace, i);
        const uint64_t first = b->base_va & ~(page_bytes - 1);
        const uint64_t bytes = (b->base_va - first + b->bytes + page_bytes - 1) & ~(page_bytes - 1);
        nodes += ww_radix_nodes_needed(address_space_levels, first, bytes, page_shift);
    }
    table_.assign(nodes * 512, 0);
    const ww_radix_cfg cfg = {address_space_levels, address_space_table_pa, static_cast<uint32_t>(nodes)};
    if (ww_radix_init(&radix_, &cfg, table_.data(), table_.size()) != WW_OK)
        give_up("the page table does not fit");
    uint64_t pa = address_space_data_pa;
    for (uint32_t i = 0; i < buffers; ++i) {
        const wkt_buffer *b = wkt_reader_buffer(trace, i);
        for (uint64_t va = b->base_va & ~(page_bytes - 1); va < b->base_va + b->bytes; va += page_bytes) {
            ww_xlat mapped;
            if (ww_radix_lookup(&radix_, table_.data(), va, &mapped))
                continue; /* two small buffers share a page */
            if (pa >= address_space_data_pa + address_space_memory_bytes ||
                ww_radix_map(&radix_, table_.data(), va, pa, page_shift, WW_PERM_ALL) != WW_OK)
                give_up("the program's buffers do not fit");
            pa += page_bytes;
        }
    }
}

void machine::access(unsigned unit, const wkt_record &r)
{
    in_.mask = r.mask;
    in_.bytes = r.bytes;
    std::memcpy(in_.va, r.va, sizeof in_.va);
    ww_coalesce(&in_, &out_);
    ++counts_.coalescer_instructions;
    counts_.coalescer_pages += out_.pages;
    counts_.coalescer_lines += out_.lines;
    ww_xlat page[WW_COAL_MAX];
    bool there[WW_COAL_MAX];
    for (uint32_t p = 0; p < out_.pages; ++p)
        there[p] = translate(unit, out_.page_va[p], &page[p]);
    for (uint32_t l = 0; l < out_.lines; ++l)
        if (there[out_.line_page[l]])
            data(unit, ww_xlat_pa(&page[out_.line_page[l]], out_.line_va[l]), r.kind);
}

namespace
{
void enter(ww_tlb *tlb, uint64_t va, const ww_xlat &x)
{
    const ww_mapping m = {va, x, 0};
    ww_tlb_store.insert(tlb, &m, nullptr);
}
} // namespace

/* A miss is looked up in the level below, and the answer is inserted. */
bool machine::translate(unsigned unit, uint64_t va, ww_xlat *x)
{
    ++counts_.l1_tlb_lookups;
    if (ww_tlb_store.lookup(l1_tlb_[unit], va, 0, x)) {
        ++counts_.l1_tlb_hits;
        return true;
    }
    ++counts_.l2_tlb_lookups;
    bool found = ww_tlb_store.lookup(l2_tlb_, va, 0, x);
    counts_.l2_tlb_hits += found;
    if (!found) {
        ++counts_.iommu_tlb_requests;
        found = ww_tlb_store.lookup(tlb1_, va, 0, x) || ww_tlb_store.lookup(tlb2_, va, 0, x);
        if (!found) {
            ++counts_.iommu_tlb_tlb_misses;
            found = walk(va, x);
            if (!found)
                return false;
            enter(tlb1_, va, *x);
            enter(tlb2_, va, *x);
        }
        enter(l2_tlb_, va, *x);
    }
    enter(l1_tlb_[unit], va, *x);
    return true;
}

bool machine::walk(uint64_t va, ww_xlat *x)
{
    const ww_table table = ww_radix_table(address_space_levels, ww_radix_root_pa(&radix_));
    uint64_t walk = ww_pwc_lookup(pwc_, va, 0);
    if (walk == 0)
        walk = ww_table_start(&table, va);
    ww_walk_read read;
    while (ww_table_next(&table, walk, va, &read) == WW_WALK_READ) {
        const uint64_t line_pa = read.pa & ~uint64_t{line_bytes - 1};
        uint64_t line[WW_LINE_PTES];
        std::memcpy(line, &table_[ww_radix_word(&radix_, line_pa)], sizeof line);
        ++counts_.walk_unit_pte_reads;
        memory(line_pa, false);
        walk = ww_table_feed(&table, walk, va, line);
        if (ww_walk_act(walk) == WW_WALK_READ)
            ww_pwc_fill(pwc_, va, 0, walk);
    }
    if (ww_walk_act(walk) == WW_WALK_FAULT)
        return false;
    *x = ww_walk_xlat(walk);
    return true;
}

/* docs/model/data-cache.md: L1D writes through and does not allocate; atomics are executed below it. */
void machine::data(unsigned unit, uint64_t pa, uint8_t kind)
{
    if (kind == WKT_LOAD) {
        ++counts_.l1d_reads;
        if (ww_dcache_lookup(l1d_[unit], pa, false) == WW_DCACHE_HIT)
            return;
        l2d(pa, false, false);
        ww_dcache_victim victim;
        ww_dcache_fill(l1d_[unit], pa, false, &victim);
        return;
    }
    ++counts_.l1d_writes;
    bool was_dirty = false;
    if (kind == WKT_ATOMIC)
        ww_dcache_invalidate(l1d_[unit], pa, &was_dirty);
    else
        ww_dcache_lookup(l1d_[unit], pa, true);
    l2d(pa, true, kind == WKT_ATOMIC);
}

void machine::l2d(uint64_t pa, bool is_write, bool fetch)
{
    ++(is_write ? counts_.l2d_writes : counts_.l2d_reads);
    if (ww_dcache_lookup(l2d_, pa, is_write) == WW_DCACHE_HIT)
        return;
    if (!is_write || fetch)
        memory(pa, false);
    ww_dcache_victim victim;
    ww_dcache_fill(l2d_, pa, is_write, &victim);
    if (victim.valid && victim.dirty)
        memory(victim.pa, true);
}

void machine::memory(uint64_t pa, bool is_write)
{
    ++(is_write ? counts_.dram_writes : counts_.dram_reads);
    const ww_dram_loc loc = ww_dram_decode(&map_, pa & ~uint64_t{line_bytes - 1});
    channel &c = channels_[loc.channel];
    while (!ww_dram_can_enqueue(c.dram, is_write))
        step(c);
    ww_dram_enqueue(c.dram, &loc, is_write, 0, c.cycle);
}

void machine::step(channel &c)
{
    const uint64_t due = ww_dram_due(c.dram);
    c.cycle = due > c.cycle ? due : c.cycle + 1;
    ww_dram_event event;
    ww_dram_step(c.dram, c.cycle, &event);
}

void machine::drain()
{
    for (channel &c : channels_) {
        while (ww_dram_waiting(c.dram, false) + ww_dram_waiting(c.dram, true) != 0)
            step(c);
        counts_.dram_cycles = counts_.dram_cycles > c.cycle ? counts_.dram_cycles : c.cycle;
    }
}

} // namespace bench

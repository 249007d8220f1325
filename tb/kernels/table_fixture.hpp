/* SPDX-License-Identifier: MIT */
/* Kinds of tables for tests: shorthand for radix walks, and a kind unlike them: two steps numbered from the
 * root, entries of 16 bytes, four per line, pages of 4 KiB and, at its first step, 1 MiB, and a register that
 * bounds the root. */
#ifndef WW_TB_KERNELS_TABLE_FIXTURE_HPP
#define WW_TB_KERNELS_TABLE_FIXTURE_HPP

#include "kernels/table/table_radix.h"

#include <cstring>
#include <vector>

/* A radix walk whose entry at `level` points to the node at `pa`: [M18] writes PL = level, PA = pa. */
inline uint64_t after_level(uint32_t level, uint64_t pa)
{
    return ww_walk_reading(level - 1, level, pa);
}

namespace two_step
{

/* VA[31:20] indexes the root, VA[19:12] a leaf node. In an entry, word 0 is 0 (absent), or an address | 1 (of
 * a leaf node) or | 2 (of a page); word 1 is ~word 0. */
constexpr uint32_t va_bits = 32, root_entries = 4096, leaf_entries = 256;
constexpr uint64_t to_node = 1, to_page = 2;

inline uint64_t index_of(uint64_t va, uint32_t step)
{
    return step == 1 ? va >> 20 : va >> 12 & 255;
}

/* Registers: the root's address; the number of its entries. */
inline uint64_t start(const ww_table_regs *regs, uint64_t va)
{
    const uint64_t walk = ww_walk_reading(1, 0, regs->word[0]);
    return index_of(va, 1) < regs->word[1] ? walk : ww_walk_fault(walk, WW_WHY_ADDRESS);
}

inline ww_walk_read entry(uint64_t walk, uint64_t va, const ww_table_regs *)
{
    return {ww_walk_pa(walk) + index_of(va, ww_walk_step(walk)) * 16, 16};
}

inline uint64_t feed(uint64_t walk, uint64_t va, const ww_table_regs *regs, const uint64_t *line)
{
    const uint32_t step = ww_walk_step(walk);
    const uint64_t *pair = line + index_of(va, step) % 4 * 2;
    if (step == 1 && index_of(va, 1) >= regs->word[1])
        return ww_walk_fault(walk, WW_WHY_ADDRESS); /* a neighbour beyond the bound */
    if (pair[0] == 0)
        return ww_walk_fault(walk, WW_WHY_ABSENT);
    if (pair[1] != ~pair[0] || (step == 2 && (pair[0] & to_page) == 0))
        return ww_walk_fault(walk, WW_WHY_MALFORMED);
    if ((pair[0] & to_page) == 0)
        return ww_walk_reading(2, 1, pair[0] & WW_WALK_PA);
    const ww_xlat x = {pair[0] & WW_WALK_PA, static_cast<uint8_t>(step == 1 ? 20 : 12), WW_PERM_ALL};
    return ww_walk_done(walk, &x);
}

inline const ww_table_kind kind = {
    "two_step",  2,           2,         va_bits, 0,     0,    0, {nullptr, "root", "leaf"},
    {0, 20, 12}, {0, 22, 14}, {0, 2, 1}, start,   entry, feed, 0, 0};

/* Its memory: the root first, then leaf nodes. */
struct memory {
    explicit memory(uint32_t entries = root_entries, uint32_t nodes = 16)
        : words(root_entries * 2 + nodes * leaf_entries * 2), table{&kind, {{base_pa, entries}}}
    {
    }
    uint64_t &word(uint64_t pa) { return words[(pa - base_pa) / 8]; }
    const uint64_t *line(uint64_t pa) { return &word(pa & ~uint64_t{63}); }
    void put(uint64_t pa, uint64_t value)
    {
        word(pa) = value;
        word(pa + 8) = ~value;
    }
    void map(uint64_t va, uint64_t pa)
    {
        const uint64_t at = base_pa + index_of(va, 1) * 16;
        if (word(at) == 0)
            put(at, (base_pa + root_entries * 16 + nodes_used++ * leaf_entries * 16) | to_node);
        put((word(at) & WW_WALK_PA) + index_of(va, 2) * 16, pa | to_page);
    }
    void map_large(uint64_t va, uint64_t pa) { put(base_pa + index_of(va, 1) * 16, pa | to_page); }
    /* Does the walk's next step. */
    uint64_t read(uint64_t walk, uint64_t va)
    {
        ww_walk_read r = {};
        ww_table_next(&table, walk, va, &r);
        return ww_table_feed(&table, walk, va, line(r.pa));
    }
    uint64_t whole(uint64_t va)
    {
        uint64_t walk = ww_table_start(&table, va);
        while (ww_walk_act(walk) == WW_WALK_READ)
            walk = read(walk, va);
        return walk;
    }

    static constexpr uint64_t base_pa = 0x10000000;
    std::vector<uint64_t> words;
    uint64_t nodes_used = 0;
    ww_table table;
};

} // namespace two_step

#endif

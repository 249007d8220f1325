/* SPDX-License-Identifier: MIT */
/* image/table_walk.cpp - walks a table through lines of the image. */
#include "image/table_walk.hpp"

namespace walkway
{

bool image_table::read_line(uint64_t pa, uint64_t line[WW_LINE_PTES]) const
{
    return image.read(pa, line, WW_LINE_BYTES);
}

table_walk walk_of(const image_table &t, uint64_t va)
{
    table_walk walk{va, {}, ww_table_start(&t.table, va)};
    ww_walk_read read{};
    while (ww_table_next(&t.table, walk.end, va, &read) == WW_WALK_READ) {
        uint64_t line[WW_LINE_PTES];
        const bool there = t.read_line(ww_line_base(read.pa), line);
        walk.steps.push_back(
            {ww_walk_step(walk.end), read.pa, there ? line[read.pa % WW_LINE_BYTES / sizeof(uint64_t)] : 0});
        walk.end = ww_table_feed(&t.table, walk.end, va, there ? line : nullptr);
    }
    return walk;
}

root_entries entries_of_root(const image_table &t)
{
    root_entries found;
    for (uint32_t i = 0; i < WW_NODE_ENTRIES; ++i) {
        const uint64_t va = ww_x86_canonical(uint64_t{i} << ww_level_shift(t.levels()), t.levels());
        const uint64_t walk = ww_table_start(&t.table, va);
        uint64_t line[WW_LINE_PTES];
        if (ww_walk_act(walk) != WW_WALK_READ ||
            !t.read_line(ww_line_base(ww_walk_pa(walk) + i * sizeof(uint64_t)), line) ||
            !ww_pte_present(line[i % WW_LINE_PTES]))
            continue;
        ++found.present;
        const uint64_t next = ww_table_feed(&t.table, walk, va, line);
        found.leading += ww_walk_act(next) == WW_WALK_READ && t.image.has(ww_walk_pa(next), WW_LINE_BYTES);
    }
    return found;
}

std::string text_of_rights(uint64_t walk)
{
    std::string text = "-r--";
    if ((walk & WW_X86_USER) != 0)
        text[0] = 'u';
    if ((walk & WW_X86_WRITE) != 0)
        text[2] = 'w';
    if ((walk & WW_X86_EXEC) != 0)
        text[3] = 'x';
    return text;
}

} // namespace walkway

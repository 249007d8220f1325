/* SPDX-License-Identifier: MIT */
/* image/image_format.cpp - walks a table of any kind through lines of the image. */
#include "image/image_format.hpp"

#include <cstring>

namespace walkway
{

/* The entry of address 0 is the first of its node; an entry's index is its distance from that one. */
format_walk walk_of(const format_table &t, uint64_t va)
{
    format_walk walk{va, {}, ww_table_start(&t.table, va)};
    ww_walk_read read{};
    while (ww_table_next(&t.table, walk.end, va, &read) == WW_WALK_READ) {
        const ww_walk_read first = t.table.kind->entry(walk.end, 0, &t.table.regs);
        uint64_t line[WW_LINE_PTES];
        const uint64_t offset = read.pa % WW_LINE_BYTES;
        format_step step{ww_walk_step(walk.end), (read.pa - first.pa) / read.bytes, read.pa, read.bytes,
                         t.image.read(read.pa - offset, line, WW_LINE_BYTES)};
        if (step.there)
            std::memcpy(step.words, &line[offset / sizeof(uint64_t)], read.bytes);
        walk.steps.push_back(step);
        walk.end = ww_table_feed(&t.table, walk.end, va, step.there ? line : nullptr);
    }
    return walk;
}

} // namespace walkway

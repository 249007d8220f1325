/* SPDX-License-Identifier: MIT */
/* image/table_walk.hpp - a page table in an image of memory: the walk of one address, step by step, through
 * the same kernel (kernels/table/table_x86.h) as a simulated walker. */
#ifndef WALKWAY_IMAGE_TABLE_WALK_HPP
#define WALKWAY_IMAGE_TABLE_WALK_HPP

#include "image/memory_image.hpp"
#include "kernels/table/table_x86.h"

#include <vector>

namespace walkway
{

/* A table whose kind is ww_x86_4 or ww_x86_5, and its memory. */
struct image_table {
    const memory_image &image;
    ww_table table;

    uint32_t levels() const { return table.kind->steps; }
    uint64_t cr3() const { return table.regs.word[0]; }
    uint64_t root_pa() const { return ww_x86_root_pa(&table.regs); }
    /* Returns an entry as an address and flags. */
    uint64_t plain(uint64_t entry) const { return ww_x86_plain(&table.regs, entry); }
    uint64_t encryption() const { return ww_x86_encryption(&table.regs); }
    uint32_t phys_bits() const { return ww_x86_phys_bits(&table.regs); }
    /* Reads the 64-byte line at `pa`. Returns false if the image does not contain all of it. */
    bool read_line(uint64_t pa, uint64_t line[WW_LINE_PTES]) const;
};

struct walk_step {
    uint32_t level;
    uint64_t pa;    /* of the entry */
    uint64_t entry; /* its value; 0 if it could not be read */
};

struct table_walk {
    uint64_t va;
    std::vector<walk_step> steps;
    uint64_t end; /* the walk's word at its end: DONE, or FAULT */
    bool done() const { return ww_walk_act(end) == WW_WALK_DONE; }
};

table_walk walk_of(const image_table &t, uint64_t va);

/* Entries in the root's page. */
struct root_entries {
    uint32_t present = 0;
    uint32_t leading = 0; /* of these, entries with a table that the image contains */
};

root_entries entries_of_root(const image_table &t);

/* Returns rights in the form 'urw-': u user, r read, w write, x execute. */
std::string text_of_rights(uint64_t walk);

} // namespace walkway

#endif

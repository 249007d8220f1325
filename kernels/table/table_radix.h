/* SPDX-License-Identifier: MIT */
/* kernels/table/table_radix.h - walks of the x86-64 radix page table, 4 or 5 levels; the builder is radix.h,
 * the entry pte.h. A step is a level: 1 reads the entries of 4 KiB pages, 4 or 5 those of the root. Models:
 * one read a level, leaves at levels 1 to 3, 64 KiB pages by their mark. Not modelled: accessed and dirty
 * updates, rights of table entries. Time: none. Allocation: none. */
#ifndef WW_KERNELS_TABLE_RADIX_H
#define WW_KERNELS_TABLE_RADIX_H

#include "kernels/table/table.h"

WW_BEGIN_DECLS

/* Registers: word[0] is the root's physical address, as in CR3; the others are not used. */
extern const struct ww_table_kind ww_radix4, ww_radix5;

/* Fields of a kind whose steps are these levels: names, reach, bytes of a line, reads left. */
/* clang-format off */
#define WW_RADIX_STEPS                                                                                       \
    {NULL, "l1", "l2", "l3", "l4", "l5", NULL, NULL}, {0, 12, 21, 30, 39, 48, 0, 0},                         \
    {0, 15, 24, 33, 42, 51, 0, 0}, {0, 1, 2, 3, 4, 5, 0, 0}
/* clang-format on */

static inline struct ww_table ww_radix_table(uint32_t levels, uint64_t root_pa)
{
    const struct ww_table t = {levels == WW_LEVELS_MIN ? &ww_radix4 : &ww_radix5, {{root_pa}}};
    WW_ASSERT((root_pa & ~WW_WALK_PA) == 0 && levels - WW_LEVELS_MIN <= WW_LEVELS_MAX - WW_LEVELS_MIN);
    return t;
}

WW_END_DECLS

#endif

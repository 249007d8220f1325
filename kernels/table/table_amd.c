/* SPDX-License-Identifier: MIT */
/* kernels/table/table_amd.c - see table_amd.h. Time: none. Allocation: none. */
#include "kernels/table/table_amd.h"

#include "kernels/table/amd_pte.h"

/* The kind's own bits of a walk that reads: the rights that the path has granted so far. */
#define GRANTED_R WW_BITS64(58, 58)
#define GRANTED_W WW_BITS64(59, 59)
WW_STATIC_ASSERT(((GRANTED_R | GRANTED_W) & ~WW_WALK_OWN) == 0, "they are the kind's own");
WW_STATIC_ASSERT(WW_AMD_DTE_IR == WW_AMD_IR && WW_AMD_DTE_IW == WW_AMD_IW, "rights have one place");

static uint64_t rights_of(uint64_t entry)
{
    return ((entry & WW_AMD_IR) != 0 ? GRANTED_R : 0) | ((entry & WW_AMD_IW) != 0 ? GRANTED_W : 0);
}

static uint64_t start(const struct ww_table_regs *regs, uint64_t va)
{
    const uint64_t dte = regs->word[0], valid = WW_AMD_DTE_V | WW_AMD_DTE_TV;
    const uint32_t mode = (uint32_t)ww_bits_get(WW_AMD_DTE_MODE, dte);
    if ((dte & valid) != valid || mode - 1 >= WW_AMD_LEVELS_MAX)
        return ww_walk_fault(ww_walk_reading(1, 0, 0), WW_WHY_MALFORMED);
    const uint64_t walk = ww_walk_reading(mode, 0, dte & WW_AMD_DTE_ROOT) | rights_of(dte);
    return va >> ww_amd_va_bits(mode) == 0 ? walk : ww_walk_fault(walk, WW_WHY_ADDRESS);
}

static uint64_t page(uint64_t walk, uint64_t pte, uint64_t granted)
{
    struct ww_xlat x;
    x.page_shift = (uint8_t)ww_amd_page_shift(pte, ww_walk_step(walk));
    x.page_pa = ww_amd_page_pa(pte, ww_walk_step(walk));
    x.perm = (uint8_t)(((granted & GRANTED_R) != 0 ? WW_PERM_R | WW_PERM_X : 0) |
                       ((granted & GRANTED_W) != 0 ? WW_PERM_W : 0));
    return ww_walk_done(walk, &x);
}

static uint64_t feed(uint64_t walk, uint64_t va, const struct ww_table_regs *regs,
                     const uint64_t line[WW_LINE_PTES])
{
    const uint32_t level = ww_walk_step(walk);
    const uint64_t pte = line[ww_index(va, level) % WW_LINE_PTES];
    const uint32_t next = ww_amd_next_level(pte);
    const uint64_t granted = walk & rights_of(pte);
    (void)regs;
    const enum ww_amd_kind kind = ww_amd_kind(pte, level);
    if (kind == WW_AMD_ABSENT)
        return ww_walk_fault(walk, WW_WHY_ABSENT);
    if (kind == WW_AMD_MALFORMED)
        return ww_walk_fault(walk, WW_WHY_MALFORMED);
    if (kind == WW_AMD_PAGE)
        return page(walk, pte, granted);
    if (ww_amd_skips_bits(va, level, next))
        return ww_walk_fault(walk, WW_WHY_ADDRESS);
    /* `from` is next + 1, not `level`: what a walk cache keeps of it holds for the node's addresses only,
     * which are fewer if levels are skipped. */
    return ww_walk_reading(next, next + 1, pte & WW_AMD_ADDR) | granted;
}

/* clang-format off */
const struct ww_table_kind ww_amd_v1 = {
    "amd_v1", WW_AMD_LEVELS_MAX, 1, WW_WALK_VA_BITS_MAX, 2, 0, 0,
    {NULL, "l1", "l2", "l3", "l4", "l5", "l6", NULL}, {0, 12, 21, 30, 39, 48, 57, 0},
    {0, 15, 24, 33, 42, 51, 57, 0}, {0, 1, 2, 3, 4, 5, 6, 0}, start, ww_table_level_entry, feed, 0, 0};
/* clang-format on */

/* SPDX-License-Identifier: MIT */
/* kernels/table/table_radix.c - see table_radix.h. Time: none. Allocation: none. */
#include "kernels/table/table_radix.h"

#include "kernels/table/pte.h"

static uint64_t start(uint32_t levels, const struct ww_table_regs *regs, uint64_t va)
{
    const uint64_t walk = ww_walk_reading(levels, 0, regs->word[0]);
    return ww_va_legal(va, levels) ? walk : ww_walk_fault(walk, WW_WHY_ADDRESS);
}

static uint64_t start4(const struct ww_table_regs *regs, uint64_t va)
{
    return start(4, regs, va);
}

static uint64_t start5(const struct ww_table_regs *regs, uint64_t va)
{
    return start(5, regs, va);
}

static uint64_t feed(uint64_t walk, uint64_t va, const struct ww_table_regs *regs,
                     const uint64_t line[WW_LINE_PTES])
{
    const uint32_t level = ww_walk_step(walk);
    const uint64_t pte = line[ww_index(va, level) % WW_LINE_PTES];
    const enum ww_pte_kind kind = ww_pte_kind(pte, level);
    (void)regs;
    if (kind == WW_PTE_TABLE)
        return ww_walk_reading(level - 1, level, ww_pte_node_pa(pte));
    if (kind == WW_PTE_LEAF) {
        const struct ww_xlat x = ww_pte_xlat(pte, level);
        return ww_walk_done(walk, &x);
    }
    return ww_walk_fault(walk, ww_pte_present(pte) ? WW_WHY_MALFORMED : WW_WHY_ABSENT);
}

const struct ww_table_kind ww_radix4 = {
    "radix4", 4, 1, 48, 0, 0, 0, WW_RADIX_STEPS, start4, ww_table_level_entry, feed, 0, 0};
const struct ww_table_kind ww_radix5 = {
    "radix5", 5, 1, 57, 0, 0, 0, WW_RADIX_STEPS, start5, ww_table_level_entry, feed, 0, 0};

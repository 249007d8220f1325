/* SPDX-License-Identifier: MIT */
/* kernels/table/table_x86.c - see table_x86.h. Time: none. Allocation: none. */
#include "kernels/table/table_x86.h"

#include "kernels/table/table_radix.h"

WW_STATIC_ASSERT((WW_X86_RIGHTS & ~WW_WALK_OWN) == 0, "they are the kind's own");
WW_STATIC_ASSERT(WW_WALK_PA == WW_PTE_FRAME, "a walk keeps what an entry leads to");

static uint64_t start(uint32_t levels, const struct ww_table_regs *regs, uint64_t va)
{
    const uint64_t cr3 = ww_x86_plain(regs, regs->word[0]) & ~WW_X86_CR3_LAM;
    const uint64_t walk = ww_walk_reading(levels, 0, ww_x86_root_pa(regs)) | WW_X86_RIGHTS;
    if ((cr3 & ~ww_page_mask(ww_x86_phys_bits(regs))) != 0)
        return ww_walk_fault(walk, WW_WHY_MALFORMED);
    return ww_x86_va_legal(regs, va, levels) ? walk : ww_walk_fault(walk, WW_WHY_ADDRESS);
}

static uint64_t start4(const struct ww_table_regs *regs, uint64_t va)
{
    return start(4, regs, va);
}

static uint64_t start5(const struct ww_table_regs *regs, uint64_t va)
{
    return start(5, regs, va);
}

static uint64_t page(uint64_t walk, uint64_t pte, uint64_t granted)
{
    struct ww_xlat x;
    x.page_shift = (uint8_t)ww_level_shift(ww_walk_step(walk));
    x.page_pa = ww_page_base(pte & WW_PTE_FRAME, x.page_shift);
    x.perm = (uint8_t)(WW_PERM_R | ((granted & WW_X86_WRITE) != 0 ? WW_PERM_W : 0) |
                       ((granted & WW_X86_EXEC) != 0 ? WW_PERM_X : 0));
    return ww_walk_done(walk, &x) | granted;
}

static uint64_t feed(uint64_t walk, uint64_t va, const struct ww_table_regs *regs,
                     const uint64_t line[WW_LINE_PTES])
{
    const uint32_t level = ww_walk_step(walk);
    const uint64_t pte = ww_x86_plain(regs, line[ww_index(va, level) % WW_LINE_PTES]);
    const uint64_t granted = walk & ww_x86_grants(pte);
    if (!ww_pte_present(pte))
        return ww_walk_fault(walk, WW_WHY_ABSENT);
    if ((pte & ww_x86_reserved(pte, level, ww_x86_phys_bits(regs))) != 0)
        return ww_walk_fault(walk, WW_WHY_MALFORMED);
    if (ww_x86_is_page(pte, level))
        return page(walk, pte, granted);
    return ww_walk_reading(level - 1, level, pte & WW_PTE_FRAME) | granted;
}

const struct ww_table_kind ww_x86_4 = {
    "x86_4", 4, 1, 48, 3, 0, 0, WW_RADIX_STEPS, start4, ww_table_level_entry, feed, 0, 0};
const struct ww_table_kind ww_x86_5 = {
    "x86_5", 5, 1, 57, 3, 0, 0, WW_RADIX_STEPS, start5, ww_table_level_entry, feed, 0, 0};

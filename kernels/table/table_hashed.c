/* SPDX-License-Identifier: MIT */
/* kernels/table/table_hashed.c - walks of the hashed page table, see hashed_table.h. While a walk reads the
 * step table or a slot, its word has the group's sixteen steps in place of a node: they hold for every
 * address of the group, so a step cache can keep the word and neighbours can share it. Time: none.
 * Allocation: none. */
#include "kernels/table/hashed_table.h"
#include "kernels/table/table_radix.h"

WW_STATIC_ASSERT((WW_HASHED_WALK_STEPS & (WW_WALK_STEP | WW_WALK_FROM | WW_WALK_ACT)) == 0,
                 "the steps leave what every walk has");

static uint64_t reading(uint32_t at, uint32_t from, uint64_t steps)
{
    return ww_bits_put(WW_HASHED_WALK_STEPS, ww_walk_reading(at, from, 0), steps);
}

static uint64_t start_at(uint32_t step, uint64_t va)
{
    const uint64_t walk = reading(step, 0, 0);
    return ww_va_legal(va, WW_LEVELS_MIN) ? walk : ww_walk_fault(walk, WW_WHY_ADDRESS);
}

static uint64_t start(const struct ww_table_regs *regs, uint64_t va)
{
    (void)regs;
    return start_at(WW_HASHED_AT_STEPS, va);
}

static uint64_t start_stepless(const struct ww_table_regs *regs, uint64_t va)
{
    (void)regs;
    return start_at(WW_HASHED_AT_HOME, va);
}

static struct ww_walk_read entry(uint64_t walk, uint64_t va, const struct ww_table_regs *regs)
{
    const uint32_t at = ww_walk_step(walk);
    struct ww_walk_read read;
    if (at <= WW_LEVELS_MIN)
        return ww_table_level_entry(walk, va, regs);
    if (at == WW_HASHED_AT_STEPS) { /* the whole line is searched */
        read.pa = regs->word[2] + ww_hstep_line(va, regs->word[3]) * WW_LINE_BYTES;
        read.bytes = WW_LINE_BYTES;
        return read;
    }
    const uint32_t step = ww_hstep_of(ww_bits_get(WW_HASHED_WALK_STEPS, walk), va); /* 0 for the home slot */
    const uint64_t slot = ww_hashed_slot(va, step, regs->word[1] & UINT32_MAX, regs->word[1] >> 32);
    read.pa = regs->word[0] + slot * WW_HASHED_SLOT_BYTES + ww_index(va, 1) * sizeof(uint64_t);
    read.bytes = sizeof(uint64_t);
    return read;
}

/* Continues at the victim buffer's root, a register: the table proper does not have the page. */
static uint64_t to_victims(const struct ww_table_regs *regs)
{
    return ww_walk_reading(WW_LEVELS_MIN, 0, regs->word[4]);
}

/* Returns the walk that ends with the page of a slot's line, or 0 if the page is absent. */
static uint64_t page(uint64_t walk, uint64_t va, const uint64_t line[WW_LINE_PTES])
{
    const uint64_t pte = line[ww_index(va, 1) % WW_LINE_PTES];
    if (!ww_pte_present(pte))
        return 0;
    const struct ww_xlat x = ww_pte_xlat(pte, (pte & WW_PTE_PS) != 0 ? 2 : 1);
    return ww_walk_done(walk, &x);
}

static uint64_t feed_slot(uint64_t walk, uint64_t va, const struct ww_table_regs *regs,
                          const uint64_t line[WW_LINE_PTES])
{
    const bool ours = ww_hpt_line_tag(line) == (ww_hashed_tag(va) | WW_HPT_VALID);
    const uint64_t there = ours ? page(walk, va, line) : 0;
    if (there != 0)
        return there;
    if (!ours && ww_walk_step(walk) == WW_HASHED_AT_HOME)
        return reading(WW_HASHED_AT_STEPS, 0, 0);
    return to_victims(regs);
}

/* `home_read`: the home slot has been read before, as there is no step cache. */
static uint64_t feed_steps(uint64_t va, const struct ww_table_regs *regs, const uint64_t line[WW_LINE_PTES],
                           bool home_read)
{
    uint64_t steps = 0;
    if (!ww_hstep_find(line, va, &steps) || (home_read && ww_hstep_of(steps, va) == 0))
        return to_victims(regs);
    return reading(WW_HASHED_AT_SLOT, WW_HASHED_AT_STEPS, steps);
}

static uint64_t feed_any(uint64_t walk, uint64_t va, const struct ww_table_regs *regs,
                         const uint64_t line[WW_LINE_PTES], bool stepless)
{
    const uint32_t at = ww_walk_step(walk);
    if (at <= WW_LEVELS_MIN)
        return ww_radix4.feed(walk, va, regs, line);
    return at == WW_HASHED_AT_STEPS ? feed_steps(va, regs, line, stepless) : feed_slot(walk, va, regs, line);
}

static uint64_t feed(uint64_t walk, uint64_t va, const struct ww_table_regs *regs,
                     const uint64_t line[WW_LINE_PTES])
{
    return feed_any(walk, va, regs, line, false);
}

static uint64_t feed_stepless(uint64_t walk, uint64_t va, const struct ww_table_regs *regs,
                              const uint64_t line[WW_LINE_PTES])
{
    return feed_any(walk, va, regs, line, true);
}

/* Bits of `alone`: the victim buffer's levels; without a step cache all steps but the home slot's, since only
 * walks that do not find their page there reach the others. */
#define VICTIMS 0x1eu
#define NOT_HOME 0x7eu

/* clang-format off */
#define STEPS                                                                                                \
    {NULL, "v1", "v2", "v3", "v4", "hpt", "steps", "home"}, {0, 12, 21, 30, 39, 12, 25, 12},                 \
    {0, 15, 24, 33, 42, 15, 25, 15}, {0, 1, 2, 3, 4, 5, 6, 7}
#define OWN_BITS (WW_HASHED_GROUP_REGIONS * WW_HASHED_STEP_BITS - 40u)
const struct ww_table_kind ww_hashed = {"hashed", 6, WW_HASHED_AT_SLOT, WW_HASHED_VA_BITS, OWN_BITS, VICTIMS,
                                        WW_HASHED_AT_STEPS, STEPS, start, entry, feed, 0, 0};
const struct ww_table_kind ww_hashed_stepless = {"hashed_stepless", 7, WW_HASHED_AT_HOME, WW_HASHED_VA_BITS, OWN_BITS,
                                                 NOT_HOME, 0, STEPS, start_stepless, entry, feed_stepless, 0, 0};
/* clang-format on */

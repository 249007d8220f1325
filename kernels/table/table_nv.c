/* SPDX-License-Identifier: MIT */
/* kernels/table/table_nv.c - see table_nv.h. A walk with both tables of a PDE0 keeps their distances from the
 * base instead of a node. Time: none. Allocation: none. */
#include "kernels/table/table_nv.h"

#define DUAL WW_BITS64(63, 63)       /* the walk reads a big entry and has a small table, too */
#define DUAL_SMALL WW_BITS64(61, 37) /* distance of the small table >> 12 */
#define DUAL_BIG WW_BITS64(36, 8)    /* distance of the big table, in place */

WW_STATIC_ASSERT(((DUAL | DUAL_SMALL | DUAL_BIG) & (WW_WALK_STEP | WW_WALK_FROM | WW_WALK_ACT)) == 0,
                 "what every walk has stays");
WW_STATIC_ASSERT((WW_WALK_INFO >> WW_NV_BIG_TABLE_SHIFT << WW_NV_BIG_TABLE_SHIFT) == WW_WALK_INFO,
                 "a big table's address goes on in the bits below a node's");

/* Reads a table's entry, or a directory entry that is a page. */
static struct ww_nv_entry page_entry(enum ww_nv_version v, uint32_t step, uint64_t word)
{
    struct ww_nv_entry e;
    memset(&e, 0, sizeof e);
    e.says = ww_nv_pte(v, word);
    if (e.says != WW_NV_PAGE)
        return e;
    e.page = ww_nv_xlat(v, word, ww_nv_reach(step));
    if ((e.page.page_pa & ww_page_mask(e.page.page_shift)) != 0)
        e.says = WW_NV_MALFORMED;
    return e;
}

/* Reads a PDE0 that is not a page. It is sparse only if it has no table. */
static struct ww_nv_entry pde0_entry(enum ww_nv_version v, const uint64_t *words)
{
    struct ww_nv_entry e;
    memset(&e, 0, sizeof e);
    const enum ww_nv_says big = ww_nv_pde(v, words[0], true), small = ww_nv_pde(v, words[1], false);
    if (big == WW_NV_MALFORMED || small == WW_NV_MALFORMED) {
        e.says = WW_NV_MALFORMED;
    } else if (big == WW_NV_TABLE || small == WW_NV_TABLE) {
        e.says = WW_NV_TABLE;
        e.big = big == WW_NV_TABLE;
        e.small = small == WW_NV_TABLE;
        e.big_pa = ww_nv_table_pa(v, words[0], true);
        e.small_pa = ww_nv_table_pa(v, words[1], false);
    } else {
        e.says = big == WW_NV_SPARSE ? big : small;
    }
    return e;
}

struct ww_nv_entry ww_nv_read_entry(enum ww_nv_version v, uint32_t step, const uint64_t *words)
{
    struct ww_nv_entry e;
    if (step <= WW_NV_BIG || (step <= WW_NV_PDE1 && (words[0] & WW_NV_IS_PAGE) != 0))
        return page_entry(v, step, words[0]);
    if (step == WW_NV_PDE0)
        return pde0_entry(v, words);
    memset(&e, 0, sizeof e);
    e.says = (words[0] & WW_NV_IS_PAGE) != 0 ? WW_NV_MALFORMED : ww_nv_pde(v, words[0], false);
    e.small_pa = ww_nv_table_pa(v, words[0], false);
    return e;
}

/* MODEL: the word of a walk has room for WW_NV_DUAL_BITS bits of each distance. */
static uint64_t to_both(const struct ww_nv_entry *e, uint64_t walk, uint64_t base)
{
    const uint64_t big = e->big_pa - base, small = e->small_pa - base;
    if (((big | small) >> WW_NV_DUAL_BITS) != 0)
        return ww_walk_fault(walk, WW_WHY_MALFORMED);
    return DUAL | ww_bits_put(DUAL_SMALL, 0, small >> WW_PAGE_4K) | big |
           ww_walk_reading(WW_NV_BIG, WW_NV_PDE0, 0);
}

static uint64_t to_table(const struct ww_nv_entry *e, uint64_t walk, uint64_t base)
{
    const uint32_t step = ww_walk_step(walk);
    if (e->big)
        return e->small ? to_both(e, walk, base) : e->big_pa | ww_walk_reading(WW_NV_BIG, step, 0);
    return ww_walk_reading(step == WW_NV_PDE0 ? WW_NV_SMALL : step - 1, step, e->small_pa);
}

static uint64_t start(enum ww_nv_version v, const struct ww_table_regs *regs, uint64_t va)
{
    const uint64_t walk = ww_walk_reading(ww_nv_root_step(v), 0, regs->word[0]);
    return va >> ww_nv_va_bits(v) == 0 ? walk : ww_walk_fault(walk, WW_WHY_ADDRESS);
}

static struct ww_walk_read entry(uint64_t walk, uint64_t va, const struct ww_table_regs *regs)
{
    const uint32_t step = ww_walk_step(walk);
    struct ww_walk_read read;
    read.pa = (walk & DUAL) != 0 ? regs->word[1] + (walk & DUAL_BIG)
                                 : walk & (WW_WALK_PA | (step == WW_NV_BIG ? WW_WALK_INFO : 0));
    read.pa += ww_nv_word_of(va, step) * sizeof(uint64_t);
    read.bytes = (uint32_t)(ww_nv_entry_words(step) * sizeof(uint64_t));
    return read;
}

static uint64_t feed(enum ww_nv_version v, uint64_t walk, uint64_t va, const struct ww_table_regs *regs,
                     const uint64_t line[WW_LINE_PTES])
{
    const uint32_t step = ww_walk_step(walk);
    const struct ww_nv_entry e = ww_nv_read_entry(v, step, &line[ww_nv_word_of(va, step) % WW_LINE_PTES]);
    if (e.says == WW_NV_TABLE)
        return to_table(&e, walk, regs->word[1]);
    if (e.says == WW_NV_PAGE)
        return ww_walk_done(walk, &e.page);
    if (e.says == WW_NV_SPARSE)
        return ww_walk_fault(walk, WW_WHY_SPARSE);
    if (e.says == WW_NV_MALFORMED)
        return ww_walk_fault(walk, WW_WHY_MALFORMED);
    if (e.says == WW_NV_NOTHING && (walk & DUAL) != 0)
        return ww_walk_reading(WW_NV_SMALL, WW_NV_BIG,
                               regs->word[1] + (ww_bits_get(DUAL_SMALL, walk) << WW_PAGE_4K));
    return ww_walk_fault(walk, WW_WHY_ABSENT);
}

static uint64_t start2(const struct ww_table_regs *regs, uint64_t va)
{
    return start(WW_NV_V2, regs, va);
}

static uint64_t feed2(uint64_t walk, uint64_t va, const struct ww_table_regs *regs, const uint64_t *line)
{
    return feed(WW_NV_V2, walk, va, regs, line);
}

static uint64_t start3(const struct ww_table_regs *regs, uint64_t va)
{
    return start(WW_NV_V3, regs, va);
}

static uint64_t feed3(uint64_t walk, uint64_t va, const struct ww_table_regs *regs, const uint64_t *line)
{
    return feed(WW_NV_V3, walk, va, regs, line);
}

/* Steps have the names of levels of other tables that reach about as far, so that walk caches have the same
 * parameters: l2 is PDE0, l3 PDE1, l4 PDE2, l5 PDE3, l6 PDE4. */
/* clang-format off */
const struct ww_table_kind ww_nv_v2 = {
    "nvidia_v2", 6, WW_NV_SMALL, 49, 15, 0, 0, {NULL, "l1", "big", "l2", "l3", "l4", "l5", NULL},
    {0, 12, 16, 21, 29, 38, 47, 0}, {0, 15, 19, 23, 32, 41, 49, 0}, {0, 1, 2, 3, 4, 5, 6, 0},
    start2, entry, feed2, 0, 0};
const struct ww_table_kind ww_nv_v3 = {
    "nvidia_v3", 7, WW_NV_SMALL, 57, 15, 0, 0, {NULL, "l1", "big", "l2", "l3", "l4", "l5", "l6"},
    {0, 12, 16, 21, 29, 38, 47, 56}, {0, 15, 19, 23, 32, 41, 50, 57}, {0, 1, 2, 3, 4, 5, 6, 7},
    start3, entry, feed3, 0, 0};
/* clang-format on */

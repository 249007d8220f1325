/* SPDX-License-Identifier: MIT */
/* kernels/table/table_gpuvm.c - see table_gpuvm.h. Time: none. Allocation: none. */
#include "kernels/table/table_gpuvm.h"

/* The kind's own bits of a walk that reads: the rest of its table's address, and how to read its entries. */
#define BASE_HIGH WW_WALK_INFO     /* address bits [11:8] */
#define BASE_LOW WW_BITS64(59, 58) /* [7:6] */
#define PAGES WW_BITS64(60, 60)    /* entries are pages unless they have TF */
#define OWN_BITS 7
WW_STATIC_ASSERT(((BASE_LOW | PAGES) & ~WW_WALK_OWN) == 0, "they are the kind's own");

static uint64_t base_of(uint64_t walk)
{
    return ww_walk_pa(walk) | ww_bits_get(BASE_HIGH, walk) << 8 | ww_bits_get(BASE_LOW, walk) << 6;
}

/* Continues at the table that an entry (NEXT) names. The root's register counts as an entry one level
 * above. */
static uint64_t go_on(enum ww_gpuvm_generation generation, uint64_t entry, uint32_t level, uint32_t from)
{
    const uint64_t base_pa = entry & WW_GPUVM_TABLE;
    const uint64_t own = ww_bits_put(BASE_HIGH, 0, base_pa >> 8 & 15) |
                         ww_bits_put(BASE_LOW, 0, base_pa >> 6 & 3) |
                         (ww_gpuvm_leads_to_pages(generation, entry) ? PAGES : 0);
    return ww_walk_reading(level - 1, from, base_pa & WW_WALK_PA) | own;
}

static uint64_t start(enum ww_gpuvm_generation generation, const struct ww_table_regs *regs, uint64_t va)
{
    const uint64_t base = regs->word[0], control = regs->word[1];
    const uint32_t levels = (uint32_t)ww_bits_get(WW_GPUVM_CNTL_DEPTH, control) + 1;
    const uint64_t block = generation == WW_GPUVM_GFX9 ? WW_GPUVM_CNTL_BLOCK_GFX9 : WW_GPUVM_CNTL_BLOCK_GFX12;
    if ((control & WW_GPUVM_CNTL_ENABLE) == 0 || (control & block) != 0 ||
        ww_gpuvm_kind(generation, base, levels + 1, false) != WW_GPUVM_NEXT)
        return ww_walk_fault(ww_walk_reading(levels, 0, 0), WW_WHY_MALFORMED);
    const uint64_t walk = go_on(generation, base, levels + 1, 0);
    const uint64_t above = va >> ww_va_bits(levels);
    const bool upper_half = levels == WW_GPUVM_LEVELS_MAX && va >> 47 == UINT64_MAX >> 47;
    return above == 0 || upper_half ? walk : ww_walk_fault(walk, WW_WHY_ADDRESS);
}

static struct ww_walk_read entry(uint64_t walk, uint64_t va, const struct ww_table_regs *regs)
{
    struct ww_walk_read read;
    (void)regs;
    read.pa = base_of(walk) + (uint64_t)ww_index(va, ww_walk_step(walk)) * sizeof(uint64_t);
    read.bytes = sizeof(uint64_t);
    return read;
}

static uint64_t feed(enum ww_gpuvm_generation generation, uint64_t walk, uint64_t va,
                     const uint64_t line[WW_LINE_PTES])
{
    const uint32_t level = ww_walk_step(walk);
    const uint64_t found = line[ww_index(va, level) % WW_LINE_PTES];
    const enum ww_gpuvm_kind kind = ww_gpuvm_kind(generation, found, level, (walk & PAGES) != 0);
    if (kind == WW_GPUVM_NEXT)
        return go_on(generation, found, level, level);
    if (kind != WW_GPUVM_PAGE)
        return ww_walk_fault(walk, kind == WW_GPUVM_ABSENT   ? WW_WHY_ABSENT
                                   : kind == WW_GPUVM_SPARSE ? WW_WHY_SPARSE
                                                             : WW_WHY_MALFORMED);
    const struct ww_xlat x = ww_gpuvm_xlat(found, level, va);
    return ww_walk_done(walk, &x);
}

static uint64_t start_gfx9(const struct ww_table_regs *regs, uint64_t va)
{
    return start(WW_GPUVM_GFX9, regs, va);
}

static uint64_t start_gfx12(const struct ww_table_regs *regs, uint64_t va)
{
    return start(WW_GPUVM_GFX12, regs, va);
}

static uint64_t feed_gfx9(uint64_t walk, uint64_t va, const struct ww_table_regs *regs,
                          const uint64_t line[WW_LINE_PTES])
{
    (void)regs;
    return feed(WW_GPUVM_GFX9, walk, va, line);
}

static uint64_t feed_gfx12(uint64_t walk, uint64_t va, const struct ww_table_regs *regs,
                           const uint64_t line[WW_LINE_PTES])
{
    (void)regs;
    return feed(WW_GPUVM_GFX12, walk, va, line);
}

/* clang-format off */
#define GPUVM_STEPS                                                                                          \
    {NULL, "l1", "l2", "l3", "l4", NULL, NULL, NULL}, {0, 12, 21, 30, 39, 0, 0, 0},                          \
    {0, 15, 24, 33, 42, 0, 0, 0}, {0, 1, 2, 3, 4, 0, 0, 0}
/* clang-format on */

const struct ww_table_kind ww_gpuvm_gfx9 = {
    "amdgpu", WW_GPUVM_LEVELS_MAX, 1, 48, OWN_BITS, 0, 0, GPUVM_STEPS, start_gfx9, entry, feed_gfx9, 0, 0};
const struct ww_table_kind ww_gpuvm_gfx12 = {
    "amdgpu_gfx12", WW_GPUVM_LEVELS_MAX, 1,     48,         OWN_BITS, 0, 0,
    GPUVM_STEPS,    start_gfx12,         entry, feed_gfx12, 0,        0};

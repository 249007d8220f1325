/* SPDX-License-Identifier: MIT */
/* kernels/table/table_nv.h - walks of NVIDIA's page tables, version 2 (Pascal to Ada) and 3 (Hopper,
 * Blackwell); the entry is nv_pte.h, the builder nv_table.h. A step is a level, and the tables of 64 KiB
 * pages (big) and of 4 KiB pages are two: PDE0 leads to either or to both, and of both the big entry is read
 * first; where it says nothing, the small one counts. Models: pages of 4 KiB, 64 KiB, 2 MiB in PDE0, 512 MiB
 * in PDE1; sparse entries; big entries that hide the small ones. MODEL: where PDE0 leads to both, they lie
 * within 128 GiB from a base that is a register: v2's video memory, so that it is 0 there. Not modelled:
 * instance blocks and their big-page size, ATS, accessed and dirty updates. Time: none. Allocation: none. */
#ifndef WW_KERNELS_TABLE_NV_H
#define WW_KERNELS_TABLE_NV_H

#include "kernels/table/nv_pte.h"
#include "kernels/table/table.h"

WW_BEGIN_DECLS

/* Registers: word[0] is the root's physical address; word[1] the base of tables that lie side by side, a
 * multiple of 4096. */
extern const struct ww_table_kind ww_nv_v2, ww_nv_v3;

#define WW_NV_DUAL_BITS 37u /* of their distance from it */

static inline const struct ww_table_kind *ww_nv_kind_of(enum ww_nv_version v)
{
    return v == WW_NV_V2 ? &ww_nv_v2 : &ww_nv_v3;
}

static inline struct ww_table ww_nv_table_of(enum ww_nv_version v, uint64_t root_pa, uint64_t base_pa)
{
    const struct ww_table t = {ww_nv_kind_of(v), {{root_pa, base_pa}}};
    WW_ASSERT(((root_pa | base_pa) & ~WW_WALK_PA) == 0);
    return t;
}

static inline uint32_t ww_nv_va_bits(enum ww_nv_version v)
{
    return ww_nv_kind_of(v)->va_bits;
}

static inline uint32_t ww_nv_root_step(enum ww_nv_version v)
{
    return ww_nv_kind_of(v)->steps;
}

/* log2 of the bytes that an entry of a step translates; the steps of v2 reach as far as those of v3. */
static inline uint32_t ww_nv_reach(uint32_t step)
{
    return ww_nv_v3.reach[step];
}

/* Words of an entry, and its first one's place in its table. */
static inline uint32_t ww_nv_entry_words(uint32_t step)
{
    return step == WW_NV_PDE0 ? 2 : 1;
}

static inline uint32_t ww_nv_word_of(uint64_t va, uint32_t step)
{
    const uint32_t entries = step == WW_NV_PDE0 ? 256 : step == WW_NV_BIG ? 32 : 512;
    return ((uint32_t)(va >> ww_nv_reach(step)) & (entries - 1)) * ww_nv_entry_words(step);
}

/* What an entry says as a whole: its words, and where they lead. */
struct ww_nv_entry {
    enum ww_nv_says says;
    bool big, small;           /* of PDE0 with tables: which it has */
    uint64_t big_pa, small_pa; /* where; of another directory small_pa is its only table's */
    struct ww_xlat page;
};

struct ww_nv_entry ww_nv_read_entry(enum ww_nv_version v, uint32_t step, const uint64_t *words);

WW_END_DECLS

#endif

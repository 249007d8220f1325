/* SPDX-License-Identifier: MIT */
/* kernels/table/table_nv.h - walks of NVIDIA's page tables, version 2 (Pascal to Ada) and 3 (Hopper,
 * Blackwell); the entry is nv_pte.h, the builder nv_table.h. A step is a level, and the tables of 64 KiB
 * pages (big) and of 4 KiB pages (small) are two: PDE0 points to either or both. With both, the big entry is
 * read first; if it says nothing, the small one counts. Models: pages of 4 KiB, 64 KiB, 2 MiB in PDE0, 512
 * MiB in PDE1; sparse entries; big entries that hide the small ones. MODEL: if PDE0 points to both, they lie
 * within 128 GiB from a base that is a register, 0 for v2, whose video memory is no larger. Not modelled:
 * instance blocks and their big-page size, ATS, accessed and dirty updates. Time: none. Allocation: none. */
#ifndef WW_KERNELS_TABLE_NV_H
#define WW_KERNELS_TABLE_NV_H

#include "kernels/table/nv_pte.h"
#include "kernels/table/table.h"

WW_BEGIN_DECLS

/* Registers: word[0] is the root's physical address; word[1] the base of tables that lie side by side, a
 * multiple of 4096. */
extern const struct ww_table_kind ww_nv_v2, ww_nv_v3;

#define WW_NV_DUAL_BITS 37u /* bits of their distance from it */

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

/* Returns log2 of the bytes that an entry of a step translates; steps of v2 and v3 reach equally far. */
static inline uint32_t ww_nv_reach(uint32_t step)
{
    return ww_nv_v3.reach[step];
}

/* Return the words of an entry, and the place of its first word in its table. */
static inline uint32_t ww_nv_entry_words(uint32_t step)
{
    return step == WW_NV_PDE0 ? 2 : 1;
}

static inline uint32_t ww_nv_word_of(uint64_t va, uint32_t step)
{
    const uint32_t entries = step == WW_NV_PDE0 ? 256 : step == WW_NV_BIG ? 32 : 512;
    return ((uint32_t)(va >> ww_nv_reach(step)) & (entries - 1)) * ww_nv_entry_words(step);
}

/* Meaning of an entry: its words, and where they lead. */
struct ww_nv_entry {
    enum ww_nv_says says;
    bool big, small;           /* of PDE0 with tables: those it has */
    uint64_t big_pa, small_pa; /* their addresses; small_pa of another directory: its only table's */
    struct ww_xlat page;
};

struct ww_nv_entry ww_nv_read_entry(enum ww_nv_version v, uint32_t step, const uint64_t *words);

WW_END_DECLS

#endif

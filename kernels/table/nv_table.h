/* SPDX-License-Identifier: MIT */
/* kernels/table/nv_table.h - builder of NVIDIA's page tables, version 2 and 3: pages of 4 KiB, 64 KiB, 2 MiB
 * and 512 MiB. Like radix.h, the table is bytes of simulated memory: frames of 512 words in the caller's
 * array, frame i at arena_pa + 4096 * i, frame 0 the root. Sixteen tables of 64 KiB pages (256 bytes) share a
 * frame. PDE0 gets each table when a page first needs it; with `both`, it always gets both at once, as a
 * driver may do that changes sizes later. Not modelled: unmapping, sparse entries. Time: none. Allocation:
 * none. */
#ifndef WW_KERNELS_NV_TABLE_H
#define WW_KERNELS_NV_TABLE_H

#include "kernels/base.h"
#include "kernels/table/nv_pte.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

struct ww_nv_cfg {
    uint8_t version;    /* enum ww_nv_version */
    bool both;          /* a PDE0 with a table has both */
    uint64_t arena_pa;  /* physical address of frame 0, 4 KiB-aligned */
    uint32_t max_nodes; /* frames the arena has room for, at least 1; all below 2^37 (v2) or 2^40 */
};

struct ww_nv {
    struct ww_nv_cfg cfg;
    uint32_t nodes;      /* frames in use */
    uint32_t big_frame;  /* frame of the next big table, */
    uint32_t big_tables; /* and the big tables in it; 16: it is full, or there is none */
};

/* Begins an empty table; writes only the root. `words` is the size of `arena` in words. Returns WW_OK;
 * WW_E_ARG: illegal configuration; WW_E_SIZE: fewer than 512 words a frame. */
int ww_nv_init(struct ww_nv *t, const struct ww_nv_cfg *cfg, uint64_t *arena, size_t words);

/* Maps the page at `va` to `pa`, both aligned to it, with R, X and, by perm, W. Returns WW_OK; WW_E_ARG: an
 * illegal, misaligned or too large argument, or a page is mapped there already; WW_E_SIZE: the arena is full.
 * On failure nothing has changed. */
int ww_nv_map(struct ww_nv *t, uint64_t *arena, uint64_t va, uint64_t pa, uint32_t page_shift, uint8_t perm);

/* True if `va` is mapped; only then sets *out. Needs no walker. */
bool ww_nv_lookup(const struct ww_nv *t, const uint64_t *arena, uint64_t va, struct ww_xlat *out);

/* Returns the frames, root included, for one range of `bytes` at `va` in an empty table whose 2 MiB regions
 * each have a big table, a small one, both or none; summed, an upper bound for several ranges. Returns 0 if
 * an argument is illegal. */
uint64_t ww_nv_nodes_needed(uint8_t version, uint64_t va, uint64_t bytes, bool big, bool small);

/* Returns NULL, or names the first broken invariant of the whole table. O(table). */
const char *ww_nv_check(const struct ww_nv *t, const uint64_t *arena);

WW_END_DECLS

#endif

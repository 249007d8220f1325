/* SPDX-License-Identifier: MIT */
/* kernels/table/amd_table.h - builder of AMD's own I/O page table (v1): root levels 1 to 6, pages of any
 * power of two from 4 KiB to 256 GiB. Like radix.h, the table is bytes of simulated memory: 512 words a node
 * in the caller's array, node i at arena_pa + 4096 * i, node 0 the root. With `skip` a node is left out if
 * its only index would be 0: the entry above names the next level that matters; a later page that needs the
 * node inserts it. Not modelled: unmapping, tables that restrict rights. Time: none. Allocation: none. */
#ifndef WW_KERNELS_AMD_TABLE_H
#define WW_KERNELS_AMD_TABLE_H

#include "kernels/base.h"
#include "kernels/table/amd_pte.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

#define WW_AMD_PAGE_SHIFT_MAX 38u

struct ww_amd_cfg {
    uint8_t mode;       /* level of the root, 1 .. 6 */
    bool skip;          /* leave out nodes whose only index would be 0 */
    uint64_t arena_pa;  /* physical address of node 0, 4 KiB-aligned */
    uint32_t max_nodes; /* nodes the arena has room for, at least 1 */
};

struct ww_amd {
    struct ww_amd_cfg cfg;
    uint32_t nodes; /* nodes in use, the root included */
};

/* Begins an empty table; writes only the root. `words` is the size of `arena` in words. Returns WW_OK;
 * WW_E_ARG: illegal configuration; WW_E_SIZE: fewer than 512 words a node. */
int ww_amd_init(struct ww_amd *t, const struct ww_amd_cfg *cfg, uint64_t *arena, size_t words);

/* Maps the page at `va` to `pa`, both aligned to it, with R, X and, by perm, W. Returns WW_OK; WW_E_ARG: an
 * illegal, misaligned or too large argument, or a page is mapped there already; WW_E_SIZE: the arena is full.
 * On failure nothing has changed. */
int ww_amd_map(struct ww_amd *t, uint64_t *arena, uint64_t va, uint64_t pa, uint32_t page_shift,
               uint8_t perm);

/* True if `va` is mapped; only then sets *out. Needs no walker. */
bool ww_amd_lookup(const struct ww_amd *t, const uint64_t *arena, uint64_t va, struct ww_xlat *out);

/* Returns the nodes, root included, for one range of `bytes` at `va`, mapped with pages of one size in an
 * empty table that skips nothing: an upper bound for one that skips and, summed, for several ranges. Returns
 * 0 if an argument is illegal. */
uint64_t ww_amd_nodes_needed(uint32_t mode, uint64_t va, uint64_t bytes, uint32_t page_shift);

/* Returns NULL, or names the first broken invariant of the whole table. O(table). */
const char *ww_amd_check(const struct ww_amd *t, const uint64_t *arena);

WW_END_DECLS

#endif

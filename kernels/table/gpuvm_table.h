/* SPDX-License-Identifier: MIT */
/* kernels/table/gpuvm_table.h - builder of the page tables of AMD's GPUs, as the amdgpu driver writes them:
 * unused directory entries have P and nothing else, those of a page table block have X. Like radix.h, the
 * table is bytes of simulated memory: 512 words a node in the caller's array, node i at arena_pa + 4096 * i,
 * node 0 the root. A page is a fragment: all its entries have its size, each its own address. Not modelled:
 * unmapping, sparse pages, MTYPE. Time: none. Allocation: none. */
#ifndef WW_KERNELS_GPUVM_TABLE_H
#define WW_KERNELS_GPUVM_TABLE_H

#include "kernels/base.h"
#include "kernels/table/table_gpuvm.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

struct ww_gpuvm_cfg {
    uint8_t generation; /* enum ww_gpuvm_generation */
    uint8_t levels;     /* 1 .. 4 */
    bool further;       /* translate further; for three or four levels of GFX9 */
    bool in_blocks;     /* every page is made of entries of a PTB, none is an entry of a directory */
    uint64_t arena_pa;  /* physical address of node 0, 4 KiB-aligned */
    uint32_t max_nodes; /* nodes the arena has room for, at least 1 */
};

struct ww_gpuvm {
    struct ww_gpuvm_cfg cfg;
    uint32_t nodes; /* nodes in use, the root included */
};

/* Begins an empty table; writes only the root. `words` is the size of `arena` in words. Returns WW_OK;
 * WW_E_ARG: illegal configuration; WW_E_SIZE: fewer than 512 words a node. */
int ww_gpuvm_init(struct ww_gpuvm *t, const struct ww_gpuvm_cfg *cfg, uint64_t *arena, size_t words);

/* Returns the address space of the table, for a walker. */
struct ww_table ww_gpuvm_table(const struct ww_gpuvm *t);

/* Maps the page of 1 << page_shift bytes at `va` to `pa`, both aligned to it, as entries of the highest level
 * that reach no further than it, or as entries of a PTB (in_blocks, up to 2 MiB). Required: perm includes R.
 * Returns WW_OK; WW_E_ARG: an illegal, misaligned or too large argument, or a page is mapped there already;
 * WW_E_SIZE: the arena is full. On failure nothing has changed. */
int ww_gpuvm_map(struct ww_gpuvm *t, uint64_t *arena, uint64_t va, uint64_t pa, uint32_t page_shift,
                 uint8_t perm);

/* True if `va` is mapped; only then sets *out. Needs no walker. */
bool ww_gpuvm_lookup(const struct ww_gpuvm *t, const uint64_t *arena, uint64_t va, struct ww_xlat *out);

/* Returns the nodes, root included, for one range of `bytes` at `va`, mapped with pages of one size in an
 * empty table; summed, an upper bound for several ranges. Returns 0 if an argument is illegal. */
uint64_t ww_gpuvm_nodes_needed(const struct ww_gpuvm_cfg *cfg, uint64_t va, uint64_t bytes,
                               uint32_t page_shift);

/* Returns NULL, or names the first broken invariant of the whole table. O(table). */
const char *ww_gpuvm_check(const struct ww_gpuvm *t, const uint64_t *arena);

WW_END_DECLS

#endif

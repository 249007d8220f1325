/* SPDX-License-Identifier: MIT */
/* kernels/table/radix.h - builder of an x86-64 radix page table, 4 or 5 levels, pages of 4 KiB, 64 KiB, 2
 * MiB, 1 GiB. The table is bytes of simulated memory: 512 words a node in the caller's array `arena`, node i
 * at physical address arena_pa + 4096 * i, node 0 the root. struct ww_radix holds only counters; walkers read
 * the same words through the memory path (table_radix.h). Emptied nodes are used again. Not modelled:
 * accessed and dirty updates, table entries that restrict, changing a page in place. The caller that unmaps
 * must invalidate cached translations and nodes. Time: none. Allocation: none. */
#ifndef WW_KERNELS_RADIX_H
#define WW_KERNELS_RADIX_H

#include "kernels/addr.h"
#include "kernels/base.h"
#include "kernels/table/pte.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

struct ww_radix_cfg {
    uint8_t levels;     /* 4 or 5 */
    uint64_t arena_pa;  /* physical address of node 0, 4 KiB-aligned */
    uint32_t max_nodes; /* nodes the arena has room for, at least 1 */
};

struct ww_radix {
    struct ww_radix_cfg cfg;
    uint32_t nodes;      /* nodes in use, the root included */
    uint32_t high_nodes; /* nodes ever used: those from this number on are untouched memory */
    uint32_t free_head;  /* first emptied node + 1, 0: none; its word 0 has the next one */
};

/* Begins an empty table; writes only the root. `words` is the size of `arena` in words. Returns WW_OK;
 * WW_E_ARG: illegal configuration; WW_E_SIZE: fewer than 512 words a node. */
int ww_radix_init(struct ww_radix *r, const struct ww_radix_cfg *cfg, uint64_t *arena, size_t words);

/* Maps the page at `va` to `pa`, both aligned to it. Required: perm includes R. Returns WW_OK; WW_E_ARG: an
 * illegal, misaligned or too large argument, or a page is mapped there already; WW_E_SIZE: the arena is full.
 * On failure nothing has changed. */
int ww_radix_map(struct ww_radix *r, uint64_t *arena, uint64_t va, uint64_t pa, uint8_t page_shift,
                 uint8_t perm);

/* Unmaps the whole page that holds `va` and takes back nodes that became empty. Returns WW_OK, or WW_E_ARG if
 * nothing is mapped. */
int ww_radix_unmap(struct ww_radix *r, uint64_t *arena, uint64_t va);

/* True if `va` is mapped; only then sets *out. Needs no walker. */
bool ww_radix_lookup(const struct ww_radix *r, const uint64_t *arena, uint64_t va, struct ww_xlat *out);

/* Returns the nodes, root included, for one range of `bytes` at `va`, mapped with pages of one size in an
 * empty table; summed, an upper bound for several ranges. Returns 0 if an argument is illegal. */
uint64_t ww_radix_nodes_needed(uint8_t levels, uint64_t va, uint64_t bytes, uint8_t page_shift);

/* Returns NULL, or names the first broken invariant of the whole table. O(table). */
const char *ww_radix_check(const struct ww_radix *r, const uint64_t *arena);

static inline uint64_t ww_radix_root_pa(const struct ww_radix *r)
{
    return r->cfg.arena_pa;
}

/* True if the table's memory holds this physical address. */
static inline bool ww_radix_owns(const struct ww_radix *r, uint64_t pa)
{
    return pa - r->cfg.arena_pa < (uint64_t)r->cfg.max_nodes * WW_NODE_BYTES;
}

/* Returns the index in the arena of the word at physical address `pa`, which the table must own. */
static inline size_t ww_radix_word(const struct ww_radix *r, uint64_t pa)
{
    WW_ASSERT(ww_radix_owns(r, pa));
    return (size_t)((pa - r->cfg.arena_pa) / sizeof(uint64_t));
}

WW_END_DECLS

#endif

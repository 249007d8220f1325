/* SPDX-License-Identifier: MIT */
/* kernels/mshr.h - miss status holding registers: outstanding misses by key, each with its waiters in arrival
 * order. Models: the MSHRs of every TLB and data cache; a full file or an empty waiter pool is the caller's
 * stall. docs/tlb.md. The waiters share one pool (cfg.waiters), as entries of a linked target list. Not
 * modelled: a target limit an entry, sub-blocked targets. Time: none. Allocation: none. */
#ifndef WW_KERNELS_MSHR_H
#define WW_KERNELS_MSHR_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_MSHR_NONE UINT32_MAX
#define WW_MSHR_MAX (1u << 20) /* entries, and waiters */

struct ww_mshr_cfg {
    uint32_t entries; /* 1..2^20 */
    uint32_t waiters; /* 1..2^20, shared by all entries */
};

/* Internal: one register and one waiter. */
struct ww_mshr_entry {
    uint32_t head, tail; /* of its waiters, WW_MSHR_NONE = none */
    uint32_t waiters;
    uint32_t next_free; /* WW_MSHR_IN_USE while it holds a key */
};
#define WW_MSHR_IN_USE (UINT32_MAX - 1)

struct ww_mshr_node {
    uint32_t value, next;
};

struct ww_mshr {
    struct ww_mshr_cfg cfg;
    uint64_t bytes;
    uint64_t keys_off, entries_off, nodes_off, cells_off;
    uint32_t cell_mask;             /* of the part of the index in use: it grows with the entries */
    uint32_t used;                  /* entries with a lower number have been in use at some time */
    uint32_t count;                 /* entries in use */
    uint32_t waiting;               /* waiters held */
    uint32_t free_entry, free_node; /* heads of the free lists, WW_MSHR_NONE = empty */
};

size_t ww_mshr_bytes(const struct ww_mshr_cfg *cfg);
int ww_mshr_init(struct ww_mshr *m, size_t bytes, const struct ww_mshr_cfg *cfg);
/* The entry of a key, or WW_MSHR_NONE. */
uint32_t ww_mshr_find(const struct ww_mshr *m, uint64_t key);
/* A new entry without waiters for a key that has none; WW_MSHR_NONE when the file is full. */
uint32_t ww_mshr_alloc(struct ww_mshr *m, uint64_t key);
/* Append a waiter (any value but WW_MSHR_NONE) to an entry; false when the waiter pool is exhausted. */
bool ww_mshr_add(struct ww_mshr *m, uint32_t idx, uint32_t waiter);
/* Take the entry's oldest waiter; WW_MSHR_NONE when it has none. */
uint32_t ww_mshr_pop(struct ww_mshr *m, uint32_t idx);
/* The waiters of an entry in arrival order, without taking them: a node, WW_MSHR_NONE behind the last, and
 * what stands in a node. */
uint32_t ww_mshr_first(const struct ww_mshr *m, uint32_t idx);
uint32_t ww_mshr_next(const struct ww_mshr *m, uint32_t node);
uint32_t ww_mshr_waiter(const struct ww_mshr *m, uint32_t node);
/* Release an entry and the waiters that it still has. */
void ww_mshr_free(struct ww_mshr *m, uint32_t idx);
/* The key of an entry in use. */
uint64_t ww_mshr_key(const struct ww_mshr *m, uint32_t idx);
/* Waiters of an entry in use. */
uint32_t ww_mshr_waiters(const struct ww_mshr *m, uint32_t idx);
const char *ww_mshr_check(const struct ww_mshr *m);

static inline uint32_t ww_mshr_count(const struct ww_mshr *m)
{
    return m->count;
}

static inline bool ww_mshr_full(const struct ww_mshr *m)
{
    return m->count == m->cfg.entries;
}

static inline bool ww_mshr_waiters_full(const struct ww_mshr *m)
{
    return m->waiting == m->cfg.waiters;
}

WW_END_DECLS

#endif

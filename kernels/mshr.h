/* SPDX-License-Identifier: MIT */
/* kernels/mshr.h - miss status holding registers: outstanding misses by key, each with its waiters in arrival
 * order. Models: the MSHRs of every TLB and data cache; a full file or an empty waiter pool is the caller's
 * stall. docs/tlb.md. The waiters share one pool (cfg.waiters), as entries of a linked target list. Not
 * modelled: a target limit an entry, sub-blocked targets. Time: none. Allocation: none. */
#ifndef WW_KERNELS_MSHR_H
#define WW_KERNELS_MSHR_H

#include "kernels/base.h"
#include "kernels/hash_index.h"

WW_BEGIN_DECLS

#define WW_MSHR_NONE UINT32_MAX
#define WW_MSHR_MAX (1u << 20) /* entries, and waiters */

struct ww_mshr_cfg {
    uint32_t entries; /* 1..2^20 */
    uint32_t waiters; /* 1..2^20, shared by all entries */
};

/* Internal: one register, half a line of the host's cache. The oldest waiter stands in it: most have no
 * other. */
struct ww_mshr_entry {
    uint64_t key;
    uint64_t oldest;
    uint32_t head, tail; /* nodes of the other waiters, oldest first */
    uint32_t waiters;
    uint32_t next_free; /* WW_MSHR_IN_USE while it holds a key */
};
#define WW_MSHR_IN_USE (UINT32_MAX - 1)

struct ww_mshr_node {
    uint64_t waiter;
    uint32_t next, pad;
};

struct ww_mshr {
    struct ww_mshr_cfg cfg;
    uint64_t bytes;
    uint64_t entries_off, nodes_off, cells_off;
    uint32_t cell_mask;             /* of the part of the index in use: it grows with the entries */
    uint32_t used;                  /* entries with a lower number have been in use at some time */
    uint32_t count;                 /* entries in use */
    uint32_t waiting;               /* waiters held */
    uint32_t free_entry, free_node; /* heads of the free lists, WW_MSHR_NONE = empty */
};

size_t ww_mshr_bytes(const struct ww_mshr_cfg *cfg);
int ww_mshr_init(struct ww_mshr *m, size_t bytes, const struct ww_mshr_cfg *cfg);
/* The key of an entry in use. */
uint64_t ww_mshr_key(const struct ww_mshr *m, uint32_t idx);
/* Waiters of an entry in use. */
uint32_t ww_mshr_waiters(const struct ww_mshr *m, uint32_t idx);
const char *ww_mshr_check(const struct ww_mshr *m);

/* Internal. Doubles the part of the index that is in use, so that a file that is mostly empty keeps its index
 * in a few lines of the host's cache; an entry that is being allocated is not in it yet. And the arrays. */
void ww_mshr_widen(struct ww_mshr *m);

static inline struct ww_mshr_entry *ww_mshr_entries(struct ww_mshr *m)
{
    return (struct ww_mshr_entry *)(void *)((unsigned char *)m + m->entries_off);
}

static inline const struct ww_mshr_entry *ww_mshr_const_entries(const struct ww_mshr *m)
{
    return (const struct ww_mshr_entry *)(const void *)((const unsigned char *)m + m->entries_off);
}

static inline struct ww_mshr_node *ww_mshr_nodes(struct ww_mshr *m)
{
    return (struct ww_mshr_node *)(void *)((unsigned char *)m + m->nodes_off);
}

static inline const struct ww_mshr_node *ww_mshr_const_nodes(const struct ww_mshr *m)
{
    return (const struct ww_mshr_node *)(const void *)((const unsigned char *)m + m->nodes_off);
}

static inline uint32_t *ww_mshr_cells(struct ww_mshr *m)
{
    return (uint32_t *)(void *)((unsigned char *)m + m->cells_off);
}

static inline const uint32_t *ww_mshr_const_cells(const struct ww_mshr *m)
{
    return (const uint32_t *)(const void *)((const unsigned char *)m + m->cells_off);
}

static inline bool ww_mshr_in_use(const struct ww_mshr *m, uint32_t idx)
{
    return idx < m->cfg.entries && ww_mshr_const_entries(m)[idx].next_free == WW_MSHR_IN_USE;
}

/* The entry of a key, or WW_MSHR_NONE. */
static inline uint32_t ww_mshr_find(const struct ww_mshr *m, uint64_t key)
{
    return ww_hidx_find(ww_mshr_const_cells(m), m->cell_mask, ww_mshr_const_entries(m),
                        sizeof(struct ww_mshr_entry), key);
}

/* A new entry without waiters for a key that has none; WW_MSHR_NONE when the file is full. */
static inline uint32_t ww_mshr_alloc(struct ww_mshr *m, uint64_t key)
{
    const uint32_t idx = m->free_entry;
    if (idx == WW_MSHR_NONE)
        return WW_MSHR_NONE;
    struct ww_mshr_entry *entry = &ww_mshr_entries(m)[idx];
    m->free_entry = entry->next_free;
    m->count += 1;
    m->used = idx >= m->used ? idx + 1 : m->used;
    if (2 * m->count > m->cell_mask + 1)
        ww_mshr_widen(m);
    entry->key = key;
    entry->waiters = 0;
    entry->next_free = WW_MSHR_IN_USE;
    ww_hidx_insert(ww_mshr_cells(m), m->cell_mask, key, idx);
    return idx;
}

/* Append a waiter (any number or address) to an entry; false when the waiter pool is exhausted. */
static inline bool ww_mshr_add(struct ww_mshr *m, uint32_t idx, uint64_t waiter)
{
    WW_ASSERT(ww_mshr_in_use(m, idx));
    if (m->waiting == m->cfg.waiters)
        return false;
    struct ww_mshr_entry *entry = &ww_mshr_entries(m)[idx];
    m->waiting += 1;
    entry->waiters += 1;
    if (entry->waiters == 1) {
        entry->oldest = waiter;
        return true;
    }
    struct ww_mshr_node *nodes = ww_mshr_nodes(m);
    const uint32_t at = m->free_node;
    m->free_node = nodes[at].next;
    nodes[at].waiter = waiter;
    nodes[at].next = WW_MSHR_NONE;
    if (entry->waiters == 2)
        entry->head = at;
    else
        nodes[entry->tail].next = at;
    entry->tail = at;
    return true;
}

/* The waiters of an entry in arrival order, without taking them: *at is WW_MSHR_FIRST before the first call;
 * false behind the last. */
#define WW_MSHR_FIRST (UINT32_MAX - 2)
static inline bool ww_mshr_read(const struct ww_mshr *m, uint32_t idx, uint32_t *at, uint64_t *waiter)
{
    WW_ASSERT(ww_mshr_in_use(m, idx));
    const struct ww_mshr_entry *entry = &ww_mshr_const_entries(m)[idx];
    if (*at == WW_MSHR_FIRST) {
        *waiter = entry->oldest;
        *at = entry->waiters > 1 ? entry->head : WW_MSHR_NONE;
        return entry->waiters != 0;
    }
    if (*at == WW_MSHR_NONE)
        return false;
    const struct ww_mshr_node *node = &ww_mshr_const_nodes(m)[*at];
    *waiter = node->waiter;
    *at = node->next;
    return true;
}

/* The oldest waiter of an entry that has one. */
static inline uint64_t ww_mshr_oldest(const struct ww_mshr *m, uint32_t idx)
{
    WW_ASSERT(ww_mshr_in_use(m, idx) && ww_mshr_const_entries(m)[idx].waiters != 0);
    return ww_mshr_const_entries(m)[idx].oldest;
}

/* Release an entry and the waiters that it still has. */
static inline void ww_mshr_free(struct ww_mshr *m, uint32_t idx)
{
    WW_ASSERT(ww_mshr_in_use(m, idx));
    struct ww_mshr_entry *entry = &ww_mshr_entries(m)[idx];
    m->waiting -= entry->waiters;
    if (entry->waiters > 1) {
        ww_mshr_nodes(m)[entry->tail].next = m->free_node;
        m->free_node = entry->head;
    }
    ww_hidx_remove(ww_mshr_cells(m), m->cell_mask, ww_mshr_const_entries(m), sizeof *entry, idx);
    entry->next_free = m->free_entry;
    m->free_entry = idx;
    m->count -= 1;
}

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

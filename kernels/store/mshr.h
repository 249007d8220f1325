/* SPDX-License-Identifier: MIT */
/* kernels/store/mshr.h - miss status holding registers: outstanding misses by key, each with its waiters in
 * order of arrival. Models: the MSHRs of every TLB and data cache. An entry has a place for the request that
 * missed; each request that joins it takes a place of a pool shared by all entries, as a linked list of
 * targets. The owner keeps the waiters themselves, indexed by place: entries first, then the pool. A full
 * file, or an empty pool, is the owner's stall. docs/model/tlb.md. Not modelled: a limit of waiters for each
 * entry, targets within the line. Time: none. Allocation: none. */
#ifndef WW_KERNELS_MSHR_H
#define WW_KERNELS_MSHR_H

#include "kernels/base.h"
#include "kernels/bits.h"
#include "kernels/host/hash_index.h"

WW_BEGIN_DECLS

#define WW_MSHR_NONE UINT32_MAX
#define WW_MSHR_MAX ((1u << 20) - 1) /* most entries, and most places of the pool */

struct ww_mshr_cfg {
    uint32_t entries; /* 1 .. WW_MSHR_MAX */
    uint32_t merges;  /* 0 .. WW_MSHR_MAX: places of the pool */
};

/* An entry is its key and this word; a place of the pool is a word with a NEXT. */
#define WW_MSHR_FIRST WW_BITS64(19, 0)   /* [19:0] the oldest that joined; of a free entry: the next */
#define WW_MSHR_LAST WW_BITS64(39, 20)   /* [39:20] the youngest that joined */
#define WW_MSHR_JOINED WW_BITS64(59, 40) /* [59:40] host only: the length of the list */
#define WW_MSHR_VALID WW_BITS64(63, 63)  /* [63] */
#define WW_MSHR_NEXT WW_BITS64(19, 0)    /* [19:0] the next that joined, or the next free place */
#define WW_MSHR_NIL 0xfffffu             /* FIRST and NEXT: none */

WW_STATIC_ASSERT((WW_MSHR_FIRST | WW_MSHR_LAST | WW_MSHR_JOINED | WW_MSHR_VALID) ==
                     WW_MSHR_FIRST + WW_MSHR_LAST + WW_MSHR_JOINED + WW_MSHR_VALID,
                 "no bit is named twice");

struct ww_mshr_entry {
    uint64_t key, word;
};

struct ww_mshr {
    struct ww_mshr_cfg cfg;
    uint64_t bytes;
    uint64_t entries_off, pool_off;
    uint32_t count, joined;          /* entries in use; places of the pool in use */
    uint32_t free_entry, free_place; /* heads of the free lists; WW_MSHR_NIL: empty */
    /* host only: an index of the keys; its part in use grows with the entries */
    uint64_t cells_off;
    uint32_t cell_mask;
    uint32_t used; /* entries from this number on have never been in use */
};

size_t ww_mshr_bytes(const struct ww_mshr_cfg *cfg);
int ww_mshr_init(struct ww_mshr *m, size_t bytes, const struct ww_mshr_cfg *cfg);
const char *ww_mshr_check(const struct ww_mshr *m);
/* Return the bits of state in hardware of the entries (valid, key, waiter that missed, first and last that
 * joined), and of the pool (waiter, next). waiter_bits: bits of a waiter. */
uint64_t ww_mshr_bits(const struct ww_mshr_cfg *cfg, uint32_t key_bits, uint32_t waiter_bits);
uint64_t ww_mshr_pool_bits(const struct ww_mshr_cfg *cfg, uint32_t waiter_bits);

/* Internal: doubles the part of the index in use and rebuilds it from the entries. */
void ww_mshr_widen(struct ww_mshr *m);

static inline struct ww_mshr_entry *ww_mshr_entries(struct ww_mshr *m)
{
    return (struct ww_mshr_entry *)(void *)((unsigned char *)m + m->entries_off);
}

static inline const struct ww_mshr_entry *ww_mshr_const_entries(const struct ww_mshr *m)
{
    return (const struct ww_mshr_entry *)(const void *)((const unsigned char *)m + m->entries_off);
}

static inline uint32_t *ww_mshr_pool(struct ww_mshr *m)
{
    return (uint32_t *)(void *)((unsigned char *)m + m->pool_off);
}

static inline const uint32_t *ww_mshr_const_pool(const struct ww_mshr *m)
{
    return (const uint32_t *)(const void *)((const unsigned char *)m + m->pool_off);
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
    return idx < m->cfg.entries && (ww_mshr_const_entries(m)[idx].word & WW_MSHR_VALID) != 0;
}

static inline uint32_t ww_mshr_first_joined(uint64_t word)
{
    return (uint32_t)(word & WW_MSHR_FIRST);
}

static inline uint32_t ww_mshr_last_joined(uint64_t word)
{
    return (uint32_t)ww_bits_get(WW_MSHR_LAST, word);
}

/* Returns the entry of a key, or WW_MSHR_NONE. */
static inline uint32_t ww_mshr_find(const struct ww_mshr *m, uint64_t key)
{
    return ww_hidx_find(ww_mshr_const_cells(m), m->cell_mask, ww_mshr_const_entries(m),
                        sizeof(struct ww_mshr_entry), key);
}

static inline bool ww_mshr_full(const struct ww_mshr *m)
{
    return m->free_entry == WW_MSHR_NIL;
}

static inline bool ww_mshr_pool_empty(const struct ww_mshr *m)
{
    return m->free_place == WW_MSHR_NIL;
}

/* Allocates an entry for a key that has none. Returns its number, the place of the request that missed, or
 * WW_MSHR_NONE if the file is full. */
static inline uint32_t ww_mshr_alloc(struct ww_mshr *m, uint64_t key)
{
    const uint32_t idx = m->free_entry;
    if (idx == WW_MSHR_NIL)
        return WW_MSHR_NONE;
    struct ww_mshr_entry *entry = &ww_mshr_entries(m)[idx];
    m->free_entry = ww_mshr_first_joined(entry->word);
    m->count += 1;
    m->used = idx >= m->used ? idx + 1 : m->used;
    if (2 * m->count > m->cell_mask + 1)
        ww_mshr_widen(m);
    entry->key = key;
    entry->word = WW_MSHR_VALID | WW_MSHR_NIL;
    ww_hidx_insert(ww_mshr_cells(m), m->cell_mask, key, idx);
    return idx;
}

/* Adds a waiter to an entry. Returns its place, or WW_MSHR_NONE if the pool is empty. */
static inline uint32_t ww_mshr_join(struct ww_mshr *m, uint32_t idx)
{
    WW_ASSERT(ww_mshr_in_use(m, idx));
    const uint32_t at = m->free_place;
    if (at == WW_MSHR_NIL)
        return WW_MSHR_NONE;
    uint64_t *word = &ww_mshr_entries(m)[idx].word;
    uint32_t *pool = ww_mshr_pool(m);
    m->joined += 1;
    m->free_place = pool[at];
    pool[at] = WW_MSHR_NIL;
    if (ww_mshr_first_joined(*word) == WW_MSHR_NIL)
        *word = (*word & ~WW_MSHR_FIRST) | at;
    else
        pool[ww_mshr_last_joined(*word)] = at;
    *word = ((*word & ~WW_MSHR_LAST) | (uint64_t)at << 20) + ((uint64_t)1 << 40);
    return m->cfg.entries + at;
}

/* Returns the place after `place` in an entry's order of arrival, or WW_MSHR_NONE after the last. The first
 * place is the entry's number. */
static inline uint32_t ww_mshr_next(const struct ww_mshr *m, uint32_t idx, uint32_t place)
{
    WW_ASSERT(ww_mshr_in_use(m, idx));
    const uint32_t next = place == idx ? ww_mshr_first_joined(ww_mshr_const_entries(m)[idx].word)
                                       : ww_mshr_const_pool(m)[place - m->cfg.entries];
    return next == WW_MSHR_NIL ? WW_MSHR_NONE : m->cfg.entries + next;
}

/* Releases an entry and all its places. */
static inline void ww_mshr_free(struct ww_mshr *m, uint32_t idx)
{
    WW_ASSERT(ww_mshr_in_use(m, idx));
    struct ww_mshr_entry *entry = &ww_mshr_entries(m)[idx];
    const uint32_t first = ww_mshr_first_joined(entry->word);
    if (first != WW_MSHR_NIL) {
        ww_mshr_pool(m)[ww_mshr_last_joined(entry->word)] = m->free_place;
        m->free_place = first;
        m->joined -= (uint32_t)ww_bits_get(WW_MSHR_JOINED, entry->word);
    }
    ww_hidx_remove(ww_mshr_cells(m), m->cell_mask, entry - idx, sizeof *entry, idx);
    entry->word = m->free_entry;
    m->free_entry = idx;
    m->count -= 1;
}

static inline uint32_t ww_mshr_count(const struct ww_mshr *m)
{
    return m->count;
}

/* Returns the waiters of all entries: those that missed and those that joined. */
static inline uint32_t ww_mshr_waiting(const struct ww_mshr *m)
{
    return m->count + m->joined;
}

WW_END_DECLS

#endif

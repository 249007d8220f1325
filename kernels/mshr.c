/* SPDX-License-Identifier: MIT */
/* kernels/mshr.c - see mshr.h. Blob: header, keys, entries, waiter nodes, hash cells. Entries and nodes not
 * in use are on free lists that hand out the one released last; a fresh file hands out 0, 1, 2 ... */
#include "kernels/mshr.h"

#include "kernels/hash_index.h"

#include <string.h>

#define FIRST_CELLS 64u /* of the index, in use at the start */

static uint64_t *keys_of(struct ww_mshr *m)
{
    return (uint64_t *)(void *)((unsigned char *)m + m->keys_off);
}

static const uint64_t *const_keys_of(const struct ww_mshr *m)
{
    return (const uint64_t *)(const void *)((const unsigned char *)m + m->keys_off);
}

static struct ww_mshr_entry *entries_of(struct ww_mshr *m)
{
    return (struct ww_mshr_entry *)(void *)((unsigned char *)m + m->entries_off);
}

static const struct ww_mshr_entry *const_entries_of(const struct ww_mshr *m)
{
    return (const struct ww_mshr_entry *)(const void *)((const unsigned char *)m + m->entries_off);
}

static struct ww_mshr_node *nodes_of(struct ww_mshr *m)
{
    return (struct ww_mshr_node *)(void *)((unsigned char *)m + m->nodes_off);
}

static const struct ww_mshr_node *const_nodes_of(const struct ww_mshr *m)
{
    return (const struct ww_mshr_node *)(const void *)((const unsigned char *)m + m->nodes_off);
}

static uint32_t *cells_of(struct ww_mshr *m)
{
    return (uint32_t *)(void *)((unsigned char *)m + m->cells_off);
}

static const uint32_t *const_cells_of(const struct ww_mshr *m)
{
    return (const uint32_t *)(const void *)((const unsigned char *)m + m->cells_off);
}

static bool in_use(const struct ww_mshr *m, uint32_t idx)
{
    return idx < m->cfg.entries && const_entries_of(m)[idx].next_free == WW_MSHR_IN_USE;
}

static size_t plan(struct ww_mshr *m, const struct ww_mshr_cfg *cfg)
{
    if (cfg->entries == 0 || cfg->entries > WW_MSHR_MAX || cfg->waiters == 0 || cfg->waiters > WW_MSHR_MAX)
        return 0;
    const uint32_t cells = ww_hidx_cells(cfg->entries);
    memset(m, 0, sizeof *m);
    m->cfg = *cfg;
    m->cell_mask = (cells < FIRST_CELLS ? cells : FIRST_CELLS) - 1;
    m->keys_off = ww_align64(sizeof *m);
    m->entries_off = ww_align64(m->keys_off + cfg->entries * sizeof(uint64_t));
    m->nodes_off = ww_align64(m->entries_off + cfg->entries * sizeof(struct ww_mshr_entry));
    m->cells_off = ww_align64(m->nodes_off + cfg->waiters * sizeof(struct ww_mshr_node));
    m->bytes = ww_align64(m->cells_off + cells * sizeof(uint32_t));
    return m->bytes;
}

size_t ww_mshr_bytes(const struct ww_mshr_cfg *cfg)
{
    struct ww_mshr m;
    return plan(&m, cfg);
}

int ww_mshr_init(struct ww_mshr *m, size_t bytes, const struct ww_mshr_cfg *cfg)
{
    struct ww_mshr head;
    const size_t need = plan(&head, cfg);
    if (need == 0)
        return WW_E_ARG;
    if (bytes < need)
        return WW_E_SIZE;
    memset(m, 0, need);
    *m = head;
    for (uint32_t idx = 0; idx < cfg->entries; ++idx)
        entries_of(m)[idx].next_free = idx + 1 < cfg->entries ? idx + 1 : WW_MSHR_NONE;
    for (uint32_t node = 0; node < cfg->waiters; ++node)
        nodes_of(m)[node].next = node + 1 < cfg->waiters ? node + 1 : WW_MSHR_NONE;
    return WW_OK;
}

/* Doubles the part of the index that is in use: a file that is mostly empty keeps its index in a few lines.
 * The new entry is not in it yet. */
static void widen(struct ww_mshr *m)
{
    m->cell_mask = 2 * m->cell_mask + 1;
    memset(cells_of(m), 0, (m->cell_mask + (size_t)1) * sizeof(uint32_t));
    for (uint32_t idx = 0; idx < m->used; ++idx)
        if (in_use(m, idx))
            ww_hidx_insert(cells_of(m), m->cell_mask, const_keys_of(m)[idx], idx);
}

uint32_t ww_mshr_find(const struct ww_mshr *m, uint64_t key)
{
    return ww_hidx_find(const_cells_of(m), m->cell_mask, const_keys_of(m), key);
}

uint32_t ww_mshr_alloc(struct ww_mshr *m, uint64_t key)
{
    const uint32_t idx = m->free_entry;
    if (idx == WW_MSHR_NONE)
        return WW_MSHR_NONE;
    WW_ASSERT(ww_mshr_find(m, key) == WW_MSHR_NONE);
    struct ww_mshr_entry *entry = &entries_of(m)[idx];
    m->free_entry = entry->next_free;
    m->count += 1;
    m->used = idx >= m->used ? idx + 1 : m->used;
    if (2 * m->count > m->cell_mask + 1)
        widen(m);
    *entry = (struct ww_mshr_entry){
        .head = WW_MSHR_NONE, .tail = WW_MSHR_NONE, .waiters = 0, .next_free = WW_MSHR_IN_USE};
    keys_of(m)[idx] = key;
    ww_hidx_insert(cells_of(m), m->cell_mask, key, idx);
    return idx;
}

bool ww_mshr_add(struct ww_mshr *m, uint32_t idx, uint32_t waiter)
{
    WW_ASSERT(in_use(m, idx) && waiter != WW_MSHR_NONE);
    const uint32_t at = m->free_node;
    if (at == WW_MSHR_NONE)
        return false;
    struct ww_mshr_node *nodes = nodes_of(m);
    struct ww_mshr_entry *entry = &entries_of(m)[idx];
    m->free_node = nodes[at].next;
    nodes[at] = (struct ww_mshr_node){.value = waiter, .next = WW_MSHR_NONE};
    if (entry->waiters == 0)
        entry->head = at;
    else
        nodes[entry->tail].next = at;
    entry->tail = at;
    entry->waiters += 1;
    m->waiting += 1;
    return true;
}

uint32_t ww_mshr_pop(struct ww_mshr *m, uint32_t idx)
{
    WW_ASSERT(in_use(m, idx));
    struct ww_mshr_entry *entry = &entries_of(m)[idx];
    if (entry->waiters == 0)
        return WW_MSHR_NONE;
    const uint32_t at = entry->head;
    struct ww_mshr_node *node = &nodes_of(m)[at];
    const uint32_t waiter = node->value;
    entry->head = node->next;
    entry->waiters -= 1;
    node->next = m->free_node;
    m->free_node = at;
    m->waiting -= 1;
    return waiter;
}

uint32_t ww_mshr_first(const struct ww_mshr *m, uint32_t idx)
{
    WW_ASSERT(in_use(m, idx));
    return const_entries_of(m)[idx].waiters == 0 ? WW_MSHR_NONE : const_entries_of(m)[idx].head;
}

uint32_t ww_mshr_next(const struct ww_mshr *m, uint32_t node)
{
    WW_ASSERT(node < m->cfg.waiters);
    return const_nodes_of(m)[node].next;
}

uint32_t ww_mshr_waiter(const struct ww_mshr *m, uint32_t node)
{
    WW_ASSERT(node < m->cfg.waiters);
    return const_nodes_of(m)[node].value;
}

void ww_mshr_free(struct ww_mshr *m, uint32_t idx)
{
    WW_ASSERT(in_use(m, idx));
    struct ww_mshr_entry *entry = &entries_of(m)[idx];
    if (entry->waiters != 0) {
        nodes_of(m)[entry->tail].next = m->free_node;
        m->free_node = entry->head;
        m->waiting -= entry->waiters;
    }
    ww_hidx_remove(cells_of(m), m->cell_mask, const_keys_of(m), idx);
    entry->next_free = m->free_entry;
    m->free_entry = idx;
    m->count -= 1;
}

uint64_t ww_mshr_key(const struct ww_mshr *m, uint32_t idx)
{
    WW_ASSERT(in_use(m, idx));
    return const_keys_of(m)[idx];
}

uint32_t ww_mshr_waiters(const struct ww_mshr *m, uint32_t idx)
{
    WW_ASSERT(in_use(m, idx));
    return const_entries_of(m)[idx].waiters;
}

/* Waiters on the entry's list, stopping at `limit`: a list longer than the pool has a loop. */
static uint32_t list_length(const struct ww_mshr *m, uint32_t head, uint32_t limit)
{
    uint32_t length = 0;
    for (uint32_t at = head; at != WW_MSHR_NONE && length < limit; at = const_nodes_of(m)[at].next)
        length += 1;
    return length;
}

const char *ww_mshr_check(const struct ww_mshr *m)
{
    const struct ww_mshr_entry *entries = const_entries_of(m);
    uint32_t count = 0;
    uint32_t waiting = 0;
    for (uint32_t idx = 0; idx < m->cfg.entries; ++idx) {
        if (!in_use(m, idx))
            continue;
        count += 1;
        waiting += entries[idx].waiters;
        if (ww_mshr_find(m, const_keys_of(m)[idx]) != idx)
            return "mshr: a key is held twice or the index has lost it";
        if (entries[idx].waiters != 0 && const_nodes_of(m)[entries[idx].tail].next != WW_MSHR_NONE)
            return "mshr: the tail of a waiter list is not its end";
        if (entries[idx].waiters != 0 &&
            list_length(m, entries[idx].head, entries[idx].waiters + 1) != entries[idx].waiters)
            return "mshr: a waiter list has another length than its count";
    }
    if (count != m->count)
        return "mshr: the count of entries is wrong";
    if (waiting != m->waiting)
        return "mshr: the count of waiters is wrong";
    if (list_length(m, m->free_node, m->cfg.waiters + 1) != m->cfg.waiters - waiting)
        return "mshr: a waiter node is lost or free twice";
    uint32_t free_entries = 0;
    for (uint32_t idx = m->free_entry; idx < m->cfg.entries && free_entries <= m->cfg.entries; ++free_entries)
        idx = entries[idx].next_free;
    return free_entries == m->cfg.entries - count ? NULL : "mshr: an entry is lost or free twice";
}

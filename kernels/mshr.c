/* SPDX-License-Identifier: MIT */
/* kernels/mshr.c - see mshr.h. Blob: header, entries, waiter nodes, hash cells. Entries and nodes not
 * in use are on free lists that hand out the one released last; a fresh file hands out 0, 1, 2 ... */
#include "kernels/mshr.h"

#include <string.h>

#define FIRST_CELLS 64u /* of the index, in use at the start */

static size_t plan(struct ww_mshr *m, const struct ww_mshr_cfg *cfg)
{
    if (cfg->entries == 0 || cfg->entries > WW_MSHR_MAX || cfg->waiters == 0 || cfg->waiters > WW_MSHR_MAX)
        return 0;
    const uint32_t cells = ww_hidx_cells(cfg->entries);
    memset(m, 0, sizeof *m);
    m->cfg = *cfg;
    m->cell_mask = (cells < FIRST_CELLS ? cells : FIRST_CELLS) - 1;
    m->entries_off = ww_align64(sizeof *m);
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
        ww_mshr_entries(m)[idx].next_free = idx + 1 < cfg->entries ? idx + 1 : WW_MSHR_NONE;
    for (uint32_t node = 0; node < cfg->waiters; ++node)
        ww_mshr_nodes(m)[node].next = node + 1 < cfg->waiters ? node + 1 : WW_MSHR_NONE;
    return WW_OK;
}

void ww_mshr_widen(struct ww_mshr *m)
{
    m->cell_mask = 2 * m->cell_mask + 1;
    memset(ww_mshr_cells(m), 0, (m->cell_mask + (size_t)1) * sizeof(uint32_t));
    for (uint32_t idx = 0; idx < m->used; ++idx)
        if (ww_mshr_in_use(m, idx))
            ww_hidx_insert(ww_mshr_cells(m), m->cell_mask, ww_mshr_const_entries(m)[idx].key, idx);
}

uint64_t ww_mshr_key(const struct ww_mshr *m, uint32_t idx)
{
    WW_ASSERT(ww_mshr_in_use(m, idx));
    return ww_mshr_const_entries(m)[idx].key;
}

uint32_t ww_mshr_waiters(const struct ww_mshr *m, uint32_t idx)
{
    WW_ASSERT(ww_mshr_in_use(m, idx));
    return ww_mshr_const_entries(m)[idx].waiters;
}

/* Waiters on the entry's list, stopping at `limit`: a list longer than the pool has a loop. */
static uint32_t list_length(const struct ww_mshr *m, uint32_t head, uint32_t limit)
{
    uint32_t length = 0;
    for (uint32_t at = head; at != WW_MSHR_NONE && length < limit; at = ww_mshr_const_nodes(m)[at].next)
        length += 1;
    return length;
}

const char *ww_mshr_check(const struct ww_mshr *m)
{
    const struct ww_mshr_entry *entries = ww_mshr_const_entries(m);
    uint32_t count = 0;
    uint32_t waiting = 0;
    uint32_t listed = 0;
    for (uint32_t idx = 0; idx < m->cfg.entries; ++idx) {
        if (!ww_mshr_in_use(m, idx))
            continue;
        const struct ww_mshr_entry *entry = &entries[idx];
        count += 1;
        waiting += entry->waiters;
        if (ww_mshr_find(m, entry->key) != idx)
            return "mshr: a key is held twice or the index has lost it";
        if (entry->waiters < 2)
            continue;
        listed += entry->waiters - 1;
        if (ww_mshr_const_nodes(m)[entry->tail].next != WW_MSHR_NONE)
            return "mshr: the tail of a waiter list is not its end";
        if (list_length(m, entry->head, entry->waiters) != entry->waiters - 1)
            return "mshr: a waiter list has another length than its count";
    }
    if (count != m->count)
        return "mshr: the count of entries is wrong";
    if (waiting != m->waiting)
        return "mshr: the count of waiters is wrong";
    if (list_length(m, m->free_node, m->cfg.waiters + 1) != m->cfg.waiters - listed)
        return "mshr: a waiter node is lost or free twice";
    uint32_t free_entries = 0;
    for (uint32_t idx = m->free_entry; idx < m->cfg.entries && free_entries <= m->cfg.entries; ++free_entries)
        idx = entries[idx].next_free;
    return free_entries == m->cfg.entries - count ? NULL : "mshr: an entry is lost or free twice";
}

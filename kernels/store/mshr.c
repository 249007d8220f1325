/* SPDX-License-Identifier: MIT */
/* kernels/store/mshr.c - see mshr.h. Blob: header, entries, pool, and the host's cells. Free lists hold the
 * entries and places not in use and hand out the one released last; a fresh file hands out 0, 1, 2 ... */
#include "kernels/store/mshr.h"

#include <string.h>

#define FIRST_CELLS 64u /* cells of the index in use at the start */

static size_t plan(struct ww_mshr *m, const struct ww_mshr_cfg *cfg)
{
    if (cfg->entries == 0 || cfg->entries > WW_MSHR_MAX || cfg->merges > WW_MSHR_MAX)
        return 0;
    const uint32_t cells = ww_hidx_cells(cfg->entries);
    memset(m, 0, sizeof *m);
    m->cfg = *cfg;
    m->cell_mask = (cells < FIRST_CELLS ? cells : FIRST_CELLS) - 1;
    m->entries_off = ww_align64(sizeof *m);
    m->pool_off = ww_align64(m->entries_off + cfg->entries * sizeof(struct ww_mshr_entry));
    m->cells_off = ww_align64(m->pool_off + cfg->merges * sizeof(uint32_t));
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
    const int fault = ww_clear(m, bytes, plan(&head, cfg));
    if (fault != WW_OK)
        return fault;
    *m = head;
    m->free_place = cfg->merges == 0 ? WW_MSHR_NIL : 0;
    for (uint32_t idx = 0; idx < cfg->entries; ++idx)
        ww_mshr_entries(m)[idx].word = idx + 1 < cfg->entries ? idx + 1 : WW_MSHR_NIL;
    for (uint32_t place = 0; place < cfg->merges; ++place)
        ww_mshr_pool(m)[place] = place + 1 < cfg->merges ? place + 1 : WW_MSHR_NIL;
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

uint64_t ww_mshr_bits(const struct ww_mshr_cfg *cfg, uint32_t key_bits, uint32_t waiter_bits)
{
    const uint64_t place = ww_name_bits((uint64_t)cfg->merges + 1); /* one of the places, or none */
    return cfg->entries * (1 + key_bits + waiter_bits + 2 * place);
}

uint64_t ww_mshr_pool_bits(const struct ww_mshr_cfg *cfg, uint32_t waiter_bits)
{
    return cfg->merges * (uint64_t)(waiter_bits + ww_name_bits((uint64_t)cfg->merges + 1));
}

/* Returns the length of the list from `at` on and sets *last to its last place. If the length exceeds the
 * places of the pool, the list has a loop or a link out of the pool. */
static uint32_t list_length(const struct ww_mshr *m, uint32_t at, uint32_t *last)
{
    uint32_t length = 0;
    for (; at != WW_MSHR_NIL && length <= m->cfg.merges; at = ww_mshr_const_pool(m)[at]) {
        if (at >= m->cfg.merges)
            return m->cfg.merges + 1;
        *last = at;
        length += 1;
    }
    return length;
}

static const char *check_entry(const struct ww_mshr *m, uint32_t idx)
{
    const struct ww_mshr_entry *entry = &ww_mshr_const_entries(m)[idx];
    uint32_t last = ww_mshr_last_joined(entry->word);
    if (ww_mshr_find(m, entry->key) != idx)
        return "mshr: a key is held twice or the index has lost it";
    if (list_length(m, ww_mshr_first_joined(entry->word), &last) != ww_bits_get(WW_MSHR_JOINED, entry->word))
        return "mshr: a list of waiters has another length than its count";
    return last == ww_mshr_last_joined(entry->word) ? NULL : "mshr: the last waiter is not the list's end";
}

const char *ww_mshr_check(const struct ww_mshr *m)
{
    uint32_t count = 0, joined = 0, cells = 0, free_entries = 0, last = 0;
    for (uint32_t idx = 0; idx < m->cfg.entries; ++idx) {
        if (!ww_mshr_in_use(m, idx))
            continue;
        const char *broken = check_entry(m, idx);
        if (broken != NULL)
            return broken;
        count += 1;
        joined += (uint32_t)ww_bits_get(WW_MSHR_JOINED, ww_mshr_const_entries(m)[idx].word);
    }
    if (count != m->count || joined != m->joined)
        return "mshr: a count is not that of the entries";
    for (uint32_t cell = 0; cell <= m->cell_mask; ++cell)
        cells += ww_mshr_const_cells(m)[cell] != 0;
    if (cells != count)
        return "mshr: the index holds what no entry does";
    if (list_length(m, m->free_place, &last) != m->cfg.merges - joined)
        return "mshr: a place is lost or free twice";
    for (uint32_t idx = m->free_entry; idx < m->cfg.entries && free_entries <= m->cfg.entries; ++free_entries)
        idx = ww_mshr_first_joined(ww_mshr_const_entries(m)[idx].word);
    return free_entries == m->cfg.entries - count ? NULL : "mshr: an entry is lost or free twice";
}

/* SPDX-License-Identifier: MIT */
/* kernels/store/assoc.c - see assoc.h. Layout from `at` on: keys [slots], then fingerprints and ranks of each
 * set, or for wide sets stamps [slots] and hash cells. Padding slots keep rank or stamp 0, since victims are
 * sought among the first `ways` of a set. */
#include "kernels/store/assoc.h"

#include <string.h>

static uint64_t *keys_of(const struct ww_assoc *a, void *base)
{
    return (uint64_t *)(void *)((unsigned char *)base + a->keys_off);
}

static uint32_t *cells_of(const struct ww_assoc *a, void *base)
{
    return (uint32_t *)(void *)((unsigned char *)base + a->cells_off);
}

static bool wide(const struct ww_assoc *a)
{
    return a->cell_mask != 0;
}

size_t ww_assoc_plan(struct ww_assoc *a, uint32_t sets, uint32_t ways, size_t at)
{
    if (sets == 0 || ways == 0 || ways > (sets == 1 ? WW_ASSOC_MAX_WAYS : WW_ASSOC_SCAN_WAYS))
        return 0;
    uint32_t set_shift = 4;
    while ((1u << set_shift) < ways)
        set_shift += 1;
    const uint32_t stride = 1u << set_shift;
    if (sets > WW_ASSOC_MAX_SLOTS / stride)
        return 0;
    const size_t words = (size_t)sets * stride * sizeof(uint64_t);
    *a = (struct ww_assoc){.sets = sets, .ways = ways, .stride = stride, .set_shift = set_shift};
    a->keys_off = ww_align64(at);
    if (ways <= WW_ASSOC_SCAN_WAYS) {
        a->sets_off = ww_align64(a->keys_off + words);
        return ww_align64(a->sets_off + (size_t)sets * stride * 2);
    }
    a->cell_mask = ww_hidx_cells(stride) - 1;
    a->stamps_off = ww_align64(a->keys_off + words);
    a->cells_off = ww_align64(a->stamps_off + words);
    return ww_align64(a->cells_off + ((size_t)a->cell_mask + 1) * sizeof(uint32_t));
}

void ww_assoc_flush(struct ww_assoc *a, void *base)
{
    const size_t words = (size_t)ww_assoc_slots(a) * sizeof(uint64_t);
    memset(keys_of(a, base), 0, words);
    if (wide(a)) {
        memset(ww_assoc_stamps(a, base), 0, words);
        memset(cells_of(a, base), 0, ((size_t)a->cell_mask + 1) * sizeof(uint32_t));
    } else {
        memset(ww_assoc_set(a, base, 0), 0, (size_t)ww_assoc_slots(a) * 2);
    }
    a->live = 0;
    a->clock = 0;
}

void ww_assoc_put_wide(struct ww_assoc *a, void *base, uint32_t slot, uint64_t key)
{
    uint64_t *keys = keys_of(a, base);
    if (keys[slot] != 0)
        ww_hidx_remove(cells_of(a, base), a->cell_mask, keys, sizeof *keys, slot);
    else
        a->live += 1;
    ww_hidx_insert(cells_of(a, base), a->cell_mask, key, slot);
    keys[slot] = key;
    ww_lru_touch(ww_assoc_stamps(a, base), slot, &a->clock);
}

void ww_assoc_drop(struct ww_assoc *a, void *base, uint32_t slot)
{
    uint64_t *keys = keys_of(a, base);
    WW_ASSERT(slot < ww_assoc_slots(a) && keys[slot] != 0);
    if (wide(a)) {
        ww_hidx_remove(cells_of(a, base), a->cell_mask, keys, sizeof *keys, slot);
        ww_lru_drop(ww_assoc_stamps(a, base), slot);
    } else {
        ww_rank_drop(ww_assoc_set(a, base, slot >> a->set_shift) + a->stride, a->stride,
                     slot & (a->stride - 1));
    }
    keys[slot] = 0;
    a->live -= 1;
}

/* True if the slot has a place in the LRU order. */
static bool in_order(const struct ww_assoc *a, const void *base, uint32_t set, uint32_t way)
{
    return wide(a) ? ww_lru_valid(ww_assoc_const_stamps(a, base), way)
                   : ww_assoc_ranks(a, base, set)[way] != 0;
}

const char *ww_assoc_check(const struct ww_assoc *a, const void *base)
{
    const uint64_t *keys = ww_assoc_keys(a, base);
    uint32_t live = 0;
    for (uint32_t set = 0; set < a->sets; ++set) {
        for (uint32_t way = 0; way < a->stride; ++way) {
            const uint32_t slot = set * a->stride + way;
            if ((keys[slot] != 0) != in_order(a, base, set, way))
                return "assoc: a key without a place in the order of use, or a place without a key";
            if (keys[slot] == 0)
                continue;
            live += 1;
            if (way >= a->ways)
                return "assoc: a key in the padding of a set";
            if (ww_assoc_find(a, base, set, keys[slot]) != slot)
                return "assoc: a key is held twice or the index has lost it";
        }
        const char *broken = wide(a) ? ww_lru_check(ww_assoc_const_stamps(a, base), a->ways, a->clock)
                                     : ww_rank_check(ww_assoc_ranks(a, base, set), a->stride, a->ways);
        if (broken != NULL)
            return broken;
    }
    return live == a->live ? NULL : "assoc: the count of valid slots is wrong";
}

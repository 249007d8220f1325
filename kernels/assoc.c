/* SPDX-License-Identifier: MIT */
/* kernels/assoc.c - see assoc.h. Layout behind `at`: keys [slots], stamps [slots], hash cells (wide sets
 * only). Stamps of padding slots stay 0 and are never looked at: victims are sought among the first `ways` of
 * a set. */
#include "kernels/assoc.h"

#include <string.h>

static uint64_t *keys_of(const struct ww_assoc *a, void *base)
{
    return (uint64_t *)(void *)((unsigned char *)base + a->keys_off);
}

static void *search_of(const struct ww_assoc *a, void *base)
{
    return (unsigned char *)base + a->search_off;
}

static size_t search_bytes(const struct ww_assoc *a)
{
    if (a->cell_mask != 0)
        return ((size_t)a->cell_mask + 1) * sizeof(uint32_t);
    return ww_assoc_slots(a);
}

static void put_print(const struct ww_assoc *a, void *base, uint32_t slot, uint64_t key)
{
    uint64_t *prints = (uint64_t *)search_of(a, base);
    const uint32_t shift = slot % 8 * 8;
    prints[slot / 8] = (prints[slot / 8] & ~((uint64_t)UINT8_MAX << shift)) | ww_assoc_print(key) << shift;
}

size_t ww_assoc_plan(struct ww_assoc *a, uint32_t sets, uint32_t ways, size_t at)
{
    if (sets == 0 || ways == 0 || ways > (sets == 1 ? WW_ASSOC_MAX_WAYS : WW_ASSOC_SCAN_WAYS))
        return 0;
    const uint32_t stride = (ways + 7) & ~7u;
    if (sets > WW_ASSOC_MAX_SLOTS / stride)
        return 0;
    const size_t words = (size_t)sets * stride * sizeof(uint64_t);
    *a = (struct ww_assoc){.sets = sets, .ways = ways, .stride = stride};
    a->keys_off = ww_align64(at);
    a->stamps_off = ww_align64(a->keys_off + words);
    a->search_off = ww_align64(a->stamps_off + words);
    if (ways > WW_ASSOC_SCAN_WAYS)
        a->cell_mask = ww_hidx_cells(stride) - 1;
    return ww_align64(a->search_off + search_bytes(a));
}

void ww_assoc_flush(struct ww_assoc *a, void *base)
{
    const size_t words = (size_t)ww_assoc_slots(a) * sizeof(uint64_t);
    memset(keys_of(a, base), 0, words);
    memset(ww_assoc_stamps(a, base), 0, words);
    memset(search_of(a, base), 0, search_bytes(a));
    a->live = 0;
    a->clock = 0;
}

void ww_assoc_put(struct ww_assoc *a, void *base, uint32_t slot, uint64_t key)
{
    uint64_t *keys = keys_of(a, base);
    WW_ASSERT(slot < ww_assoc_slots(a) && key != 0);
    if (keys[slot] != 0)
        ww_assoc_drop(a, base, slot);
    keys[slot] = key;
    if (a->cell_mask != 0)
        ww_hidx_insert((uint32_t *)search_of(a, base), a->cell_mask, key, slot);
    else
        put_print(a, base, slot, key);
    a->live += 1;
    ww_assoc_touch(a, base, slot);
}

void ww_assoc_drop(struct ww_assoc *a, void *base, uint32_t slot)
{
    uint64_t *keys = keys_of(a, base);
    WW_ASSERT(slot < ww_assoc_slots(a) && keys[slot] != 0);
    if (a->cell_mask != 0)
        ww_hidx_remove((uint32_t *)search_of(a, base), a->cell_mask, keys, slot);
    keys[slot] = 0;
    ww_lru_drop(ww_assoc_stamps(a, base), slot);
    a->live -= 1;
}

const char *ww_assoc_check(const struct ww_assoc *a, const void *base)
{
    const uint64_t *keys = ww_assoc_keys(a, base);
    const uint64_t *stamps = ww_assoc_const_stamps(a, base);
    uint32_t live = 0;
    for (uint32_t set = 0; set < a->sets; ++set) {
        for (uint32_t way = 0; way < a->stride; ++way) {
            const uint32_t slot = set * a->stride + way;
            if ((keys[slot] != 0) != ww_lru_valid(stamps, slot))
                return "assoc: a key without a stamp, or a stamp without a key";
            if (keys[slot] == 0)
                continue;
            live += 1;
            if (way >= a->ways)
                return "assoc: a key in the padding of a set";
            if (ww_assoc_find(a, base, set, keys[slot]) != slot)
                return "assoc: a key is held twice or the index has lost it";
        }
        const char *broken = ww_lru_check(stamps + (size_t)set * a->stride, a->ways, a->clock);
        if (broken != NULL)
            return broken;
    }
    return live == a->live ? NULL : "assoc: the count of valid slots is wrong";
}

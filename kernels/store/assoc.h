/* SPDX-License-Identifier: MIT */
/* kernels/store/assoc.h - the tag store of the TLB, the page-walk cache, the PTE-line cache and the data
 * cache: sets x ways of packed 64-bit keys with true LRU (lru.h) and, for wide sets, a hash index. A key of 0
 * means an empty way, so owners put a constant 1 bit into their keys. A slot is set * stride + way; owners
 * keep their data in arrays indexed by slot. It lives inside the owner's blob: `base` is the blob's first
 * byte. Not modelled: pseudo-LRU; banks and ports (left to the module). Time: none. Allocation: none. */
#ifndef WW_KERNELS_ASSOC_H
#define WW_KERNELS_ASSOC_H

#include "kernels/base.h"
#include "kernels/host/bytes16.h"
#include "kernels/host/hash_index.h"
#include "kernels/store/lru.h"

WW_BEGIN_DECLS

#define WW_ASSOC_NONE UINT32_MAX
#define WW_ASSOC_SCAN_WAYS 64u  /* up to this, fingerprints are searched; above, a hash index */
#define WW_ASSOC_MAX_WAYS 4096u /* fully associative only (one set) */
#define WW_ASSOC_MAX_SLOTS (1u << 26)

struct ww_assoc {
    uint32_t sets, ways;
    uint32_t stride;    /* ways rounded up to 16, 32 or 64: the padding keys stay 0 and never match */
    uint32_t set_shift; /* log2 of the stride; of the only, wide set: slot >> set_shift is 0 */
    uint32_t live;      /* valid slots */
    uint64_t clock;     /* counter of the LRU stamps */
    uint64_t keys_off;
    uint64_t sets_off;   /* up to 64 ways: per set its fingerprints (host only), then its LRU ranks */
    uint64_t stamps_off; /* wider sets: LRU stamps */
    /* host only: */
    uint32_t cell_mask; /* cells of the hash index - 1; 0: no index */
    uint64_t cells_off;
};

/* Lays the arrays out from byte `at` of the blob. Returns the byte after them, or 0 if sets or ways are
 * illegal. Sets: any number from 1. Ways: 1..WW_ASSOC_SCAN_WAYS, or up to WW_ASSOC_MAX_WAYS if there is one
 * set. */
size_t ww_assoc_plan(struct ww_assoc *a, uint32_t sets, uint32_t ways, size_t at);
void ww_assoc_flush(struct ww_assoc *a, void *base);
/* Internal: ww_assoc_put() of a wide set. */
void ww_assoc_put_wide(struct ww_assoc *a, void *base, uint32_t slot, uint64_t key);
/* Frees a slot. Required (asserted): it is in use. */
void ww_assoc_drop(struct ww_assoc *a, void *base, uint32_t slot);
const char *ww_assoc_check(const struct ww_assoc *a, const void *base);

static inline const uint64_t *ww_assoc_keys(const struct ww_assoc *a, const void *base)
{
    return (const uint64_t *)(const void *)((const unsigned char *)base + a->keys_off);
}

static inline const uint64_t *ww_assoc_const_stamps(const struct ww_assoc *a, const void *base)
{
    return (const uint64_t *)(const void *)((const unsigned char *)base + a->stamps_off);
}

static inline uint64_t *ww_assoc_stamps(const struct ww_assoc *a, void *base)
{
    return (uint64_t *)(void *)((unsigned char *)base + a->stamps_off);
}

static inline uint32_t ww_assoc_slots(const struct ww_assoc *a)
{
    return a->sets * a->stride;
}

/* Returns a set's fingerprints, with its ranks after them: half a cache line of the host for 16 ways. */
static inline uint8_t *ww_assoc_set(const struct ww_assoc *a, void *base, uint32_t set)
{
    return (uint8_t *)base + a->sets_off + (size_t)set * 2 * a->stride;
}

static inline const uint8_t *ww_assoc_prints(const struct ww_assoc *a, const void *base, uint32_t set)
{
    return (const uint8_t *)base + a->sets_off + (size_t)set * 2 * a->stride;
}

static inline const uint8_t *ww_assoc_ranks(const struct ww_assoc *a, const void *base, uint32_t set)
{
    return ww_assoc_prints(a, base, set) + a->stride;
}

/* Returns the slot of a key in its set, or WW_ASSOC_NONE. Compares the fingerprints of the whole set without
 * a branch, then the keys of the few candidates. */
static inline uint32_t ww_assoc_find(const struct ww_assoc *a, const void *base, uint32_t set, uint64_t key)
{
    const uint64_t *keys = ww_assoc_keys(a, base);
    if (a->cell_mask != 0)
        return ww_hidx_find((const uint32_t *)(const void *)((const unsigned char *)base + a->cells_off),
                            a->cell_mask, keys, sizeof *keys, key);
    uint64_t candidates = ww_equal(ww_assoc_prints(a, base, set), a->stride, ww_fingerprint(key));
    for (; candidates != 0; candidates &= candidates - 1) {
        const uint32_t slot = (set << a->set_shift) + (uint32_t)__builtin_ctzll(candidates);
        if (keys[slot] == key)
            return slot;
    }
    return WW_ASSOC_NONE;
}

static inline void ww_assoc_touch(struct ww_assoc *a, void *base, uint32_t slot)
{
    if (a->cell_mask != 0)
        ww_lru_touch(ww_assoc_stamps(a, base), slot, &a->clock);
    else
        ww_rank_touch(ww_assoc_set(a, base, slot >> a->set_shift) + a->stride, a->stride,
                      slot & (a->stride - 1));
}

/* Puts a key into a slot, replacing any key there, and makes it the most recently used. Required: the key is
 * not 0 and not in the set. */
static inline void ww_assoc_put(struct ww_assoc *a, void *base, uint32_t slot, uint64_t key)
{
    WW_ASSERT(slot < ww_assoc_slots(a) && key != 0);
    if (a->cell_mask != 0) {
        ww_assoc_put_wide(a, base, slot, key);
        return;
    }
    uint64_t *at = (uint64_t *)(void *)((unsigned char *)base + a->keys_off) + slot;
    uint8_t *set = ww_assoc_set(a, base, slot >> a->set_shift);
    const uint32_t way = slot & (a->stride - 1);
    a->live += *at == 0;
    *at = key;
    set[way] = ww_fingerprint(key);
    ww_rank_touch(set + a->stride, a->stride, way);
}

/* Returns the slot to fill next in a set: the lowest empty way, else the least recently used. */
static inline uint32_t ww_assoc_victim(const struct ww_assoc *a, const void *base, uint32_t set)
{
    if (a->cell_mask != 0)
        return ww_lru_victim(ww_assoc_const_stamps(a, base), a->ways);
    return (set << a->set_shift) + ww_rank_victim(ww_assoc_ranks(a, base, set), a->stride, a->ways);
}

/* Returns the slot to fill next by random replacement: an empty way, else any. */
static inline uint32_t ww_assoc_random(const struct ww_assoc *a, const void *base, uint32_t set,
                                       struct ww_rng *rng)
{
    if (a->cell_mask != 0)
        return ww_rand_victim(ww_assoc_const_stamps(a, base), a->ways, rng);
    return (set << a->set_shift) + ww_rank_random(ww_assoc_ranks(a, base, set), a->stride, a->ways, rng);
}

WW_END_DECLS

#endif

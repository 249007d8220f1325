/* SPDX-License-Identifier: MIT */
/* kernels/host/age_index.h - finds the entries of a buffer by age and by neighbourhood. Not hardware (there a
 * CAM compares all entries at once): it makes such a search cheap on the host, and the buffer's check
 * compares it with the entries. Entries sit in slots that never move. Their order of age is an array of
 * positions that grows only at its end and is compacted when full (one insert in N/2), so the oldest ready
 * entry is the lowest bit of a bit set, and a scan meets the entries oldest first. A position has a key (VM
 * and smallest neighbourhood, exact, with a hash index) and a tag (32 bits of the larger neighbourhoods:
 * different tags prove a difference). It lies inside the owner's blob: `base` is the blob's first byte. Time:
 * none. Allocation: none. */
#ifndef WW_KERNELS_HOST_AGE_INDEX_H
#define WW_KERNELS_HOST_AGE_INDEX_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_AGES_NONE UINT32_MAX
#define WW_AGES_NIL UINT16_MAX /* as a link: none; as a slot's position: the slot is free */
#define WW_AGES_MAX_ENTRIES 4096u
#define WW_AGES_MAX_WORDS ((WW_AGES_MAX_ENTRIES + WW_AGES_MAX_ENTRIES / 2) / 64)

struct ww_ages {
    uint32_t entries, positions, words, bucket_shift;
    uint32_t key_at, tag_at, slot_at, live_at, ready_at, bucket_at, link_at;
    uint32_t count, tail, free_idx;
    uint8_t va_bits, key_shift, tag_shift; /* log2 of the bytes of small and of larger neighbourhoods */
};

/* Links of a slot: its hash chain, oldest first (of a free slot: the next free one), and its position. */
struct ww_ages_link {
    uint16_t next_idx, prev_idx, pos;
};

/* A set of entries by position: bit 0 of word 0 is the oldest position. */
struct ww_ages_set {
    uint64_t word[WW_AGES_MAX_WORDS];
};

/* Lays the index out from byte `at` of the blob. Returns the byte after it. Required: 1..WW_AGES_MAX_ENTRIES
 * entries; a key, 16 + va_bits - key_shift bits, has at most 63. */
size_t ww_ages_plan(struct ww_ages *a, uint32_t entries, uint8_t va_bits, uint8_t key_shift,
                    uint8_t tag_shift, size_t at);
void ww_ages_init(struct ww_ages *a, void *base);
/* Inserts the youngest entry, ready. Returns its slot. Required: there is room. */
uint32_t ww_ages_insert(struct ww_ages *a, void *base, uint64_t va, uint16_t vmid);
void ww_ages_remove(struct ww_ages *a, void *base, uint32_t slot);
void ww_ages_flip_ready(struct ww_ages *a, void *base, uint32_t slot);

/* Return slots, oldest first, or WW_AGES_NONE at the end. _near: those of one VM and smallest
 * neighbourhood. */
uint32_t ww_ages_oldest(const struct ww_ages *a, const void *base);
uint32_t ww_ages_younger(const struct ww_ages *a, const void *base, uint32_t slot);
uint32_t ww_ages_youngest(const struct ww_ages *a, const void *base);
uint32_t ww_ages_oldest_ready(const struct ww_ages *a, const void *base);
uint32_t ww_ages_younger_ready(const struct ww_ages *a, const void *base, uint32_t slot);
uint32_t ww_ages_first_near(const struct ww_ages *a, const void *base, uint64_t va, uint16_t vmid);
uint32_t ww_ages_next_near(const struct ww_ages *a, const void *base, uint32_t slot);
/* Sets *set (its first a->words words) to the entries of one VM with equal va >> shift. Required: shift is
 * key_shift, or tag_shift..va_bits. */
void ww_ages_match(const struct ww_ages *a, const void *base, uint64_t va, uint16_t vmid, uint32_t shift,
                   struct ww_ages_set *set);
/* True if the index agrees with the entry at a position. */
bool ww_ages_agrees(const struct ww_ages *a, const void *base, uint32_t pos, uint64_t va, uint16_t vmid);
/* Returns NULL, or names the first broken invariant of the index alone. */
const char *ww_ages_check(const struct ww_ages *a, const void *base);

static inline const struct ww_ages_link *ww_ages_links(const struct ww_ages *a, const void *base)
{
    return (const struct ww_ages_link *)(const void *)((const unsigned char *)base + a->link_at);
}

static inline const uint64_t *ww_ages_live(const struct ww_ages *a, const void *base)
{
    return (const uint64_t *)(const void *)((const unsigned char *)base + a->live_at);
}

static inline const uint64_t *ww_ages_ready(const struct ww_ages *a, const void *base)
{
    return (const uint64_t *)(const void *)((const unsigned char *)base + a->ready_at);
}

/* Returns the slot of a position, live or not. */
static inline uint32_t ww_ages_slot(const struct ww_ages *a, const void *base, uint32_t pos)
{
    return ((const uint16_t *)(const void *)((const unsigned char *)base + a->slot_at))[pos];
}

WW_END_DECLS

#endif

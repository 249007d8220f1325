/* SPDX-License-Identifier: MIT */
/* kernels/store/tlb_compressed_entries.h - the entries of a compressed TLB, for its kernel: packing and order
 * of use. An entry is named by its number in its set: the plain ones 0 .. plain - 1, then the compressed
 * ones; slot plain + i / 2 holds compressed entry i in its lower or upper half. Time: none. Allocation: none.
 */
#ifndef WW_KERNELS_TLB_COMPRESSED_ENTRIES_H
#define WW_KERNELS_TLB_COMPRESSED_ENTRIES_H

#include "kernels/store/tlb_compressed.h"

WW_BEGIN_DECLS

#define WW_TLBC_NONE UINT32_MAX

#define WW_TLBC_WORDS(t, off) ((uint64_t *)(void *)((unsigned char *)(t) + (t)->off))
#define WW_TLBC_CONST_WORDS(t, off) ((const uint64_t *)(const void *)((const unsigned char *)(t) + (t)->off))

/* The two parts of a set, as ranges of entries. */
struct ww_tlbc_part {
    uint32_t first, end;
};

/* A page: its set and the fields of its entry. */
struct ww_tlbc_page {
    uint32_t set, shift;
    uint64_t tag, ppn;
    uint16_t vmid;
    uint8_t perm;
};

static inline uint64_t ww_tlbc_low_mask(uint32_t bits)
{
    return ((uint64_t)1 << bits) - 1;
}

static inline struct ww_tlbc_part ww_tlbc_plain_part(const struct ww_tlbc *t)
{
    const struct ww_tlbc_part p = {0, t->plain};
    return p;
}

static inline struct ww_tlbc_part ww_tlbc_compressed_part(const struct ww_tlbc *t)
{
    const struct ww_tlbc_part p = {t->plain, t->all};
    return p;
}

static inline struct ww_tlbc_part ww_tlbc_part_of(const struct ww_tlbc *t, uint32_t entry)
{
    return entry < t->plain ? ww_tlbc_plain_part(t) : ww_tlbc_compressed_part(t);
}

static inline uint64_t ww_tlbc_side_of(const struct ww_tlbc *t, uint32_t set, uint32_t entry)
{
    return WW_TLBC_CONST_WORDS(t, side_off)[(size_t)set * t->all + entry];
}

static inline void ww_tlbc_put_side(struct ww_tlbc *t, uint32_t set, uint32_t entry, uint64_t side)
{
    WW_TLBC_WORDS(t, side_off)[(size_t)set * t->all + entry] = side;
}

static inline bool ww_tlbc_valid(const struct ww_tlbc *t, uint32_t set, uint32_t entry)
{
    return (ww_tlbc_side_of(t, set, entry) & WW_TLBC_VALID) != 0;
}

/* Returns the word with an entry's tag and frame; sets *at to their lowest bit in it. */
static inline size_t ww_tlbc_slot_of(const struct ww_tlbc *t, uint32_t set, uint32_t entry, uint32_t *at)
{
    const uint32_t i = entry < t->plain ? 0 : entry - t->plain;
    *at = i % WW_TLBC_PER_SLOT * (t->widths.tag_delta + t->widths.ppn_delta);
    return (size_t)set * t->cfg.ways + (entry < t->plain ? entry : t->plain + i / WW_TLBC_PER_SLOT);
}

static inline bool ww_tlbc_based(const struct ww_tlbc *t, uint32_t set)
{
    return (ww_tlbc_set(t, set) & WW_TLBC_SET_LEFT) != 0;
}

/* Returns a page's bits of the base registers. */
static inline uint64_t ww_tlbc_base_for(const struct ww_tlbc *t, const struct ww_tlbc_page *p)
{
    return p->tag >> t->widths.tag_delta << t->widths.ppn_base | p->ppn >> t->widths.ppn_delta;
}

/* True if the page has the set's base. Required: the set has one. */
static inline bool ww_tlbc_compresses(const struct ww_tlbc *t, const struct ww_tlbc_page *p)
{
    return ww_bits_get(WW_TLBC_SET_VMID, ww_tlbc_set(t, p->set)) == p->vmid &&
           ww_tlbc_base(t, p->set) == ww_tlbc_base_for(t, p);
}

/* Returns an entry's page; the bases supply the bits that a compressed entry leaves out. */
static inline struct ww_tlbc_page ww_tlbc_page_of(const struct ww_tlbc *t, uint32_t set, uint32_t entry)
{
    const struct ww_tlbc_widths *w = &t->widths;
    const uint64_t side = ww_tlbc_side_of(t, set, entry), base = ww_tlbc_base(t, set);
    uint32_t at = 0;
    const size_t slot = ww_tlbc_slot_of(t, set, entry, &at); /* before `at` is used */
    const uint64_t word = WW_TLBC_CONST_WORDS(t, slot_off)[slot] >> at;
    struct ww_tlbc_page p;
    p.set = set;
    p.shift = (uint32_t)ww_bits_get(WW_TLBC_SHIFT, side);
    p.perm = (uint8_t)ww_bits_get(WW_TLBC_PERM, side);
    if (entry < t->plain) {
        p.ppn = word & ww_tlbc_low_mask(w->ppn);
        p.tag = word >> w->ppn & ww_tlbc_low_mask(w->tag);
        p.vmid = (uint16_t)ww_bits_get(WW_TLBC_VMID, side);
        return p;
    }
    p.ppn = (base & ww_tlbc_low_mask(w->ppn_base)) << w->ppn_delta | (word & ww_tlbc_low_mask(w->ppn_delta));
    p.tag = base >> w->ppn_base << w->tag_delta | (word >> w->ppn_delta & ww_tlbc_low_mask(w->tag_delta));
    p.vmid = (uint16_t)ww_bits_get(WW_TLBC_SET_VMID, ww_tlbc_set(t, set));
    return p;
}

/* Writes a page into an entry; its place in the order of use stays. */
static inline void ww_tlbc_put_page(struct ww_tlbc *t, uint32_t entry, const struct ww_tlbc_page *p)
{
    const struct ww_tlbc_widths *w = &t->widths;
    const bool plain = entry < t->plain;
    const uint32_t tag_bits = plain ? w->tag : w->tag_delta, ppn_bits = plain ? w->ppn : w->ppn_delta;
    uint32_t at = 0;
    uint64_t *word = &WW_TLBC_WORDS(t, slot_off)[ww_tlbc_slot_of(t, p->set, entry, &at)];
    const uint64_t bits =
        (p->tag & ww_tlbc_low_mask(tag_bits)) << ppn_bits | (p->ppn & ww_tlbc_low_mask(ppn_bits));
    *word = ww_bits_put(WW_BITS64(at + tag_bits + ppn_bits - 1, at), *word, bits);
    uint64_t side = (ww_tlbc_side_of(t, p->set, entry) & WW_TLBC_RANK) | WW_TLBC_VALID;
    side = ww_bits_put(WW_TLBC_SHIFT, ww_bits_put(WW_TLBC_PERM, side, p->perm), p->shift);
    ww_tlbc_put_side(t, p->set, entry, plain ? ww_bits_put(WW_TLBC_VMID, side, p->vmid) : side);
}

static inline bool ww_tlbc_same_page(const struct ww_tlbc_page *a, const struct ww_tlbc_page *b)
{
    return a->tag == b->tag && a->shift == b->shift && a->vmid == b->vmid;
}

/* Returns the entry of either part that holds the page, or WW_TLBC_NONE. */
static inline uint32_t ww_tlbc_find_page(const struct ww_tlbc *t, const struct ww_tlbc_page *p)
{
    for (uint32_t entry = 0; entry < t->all; ++entry) {
        if (!ww_tlbc_valid(t, p->set, entry))
            continue;
        const struct ww_tlbc_page held = ww_tlbc_page_of(t, p->set, entry);
        if (ww_tlbc_same_page(&held, p))
            return entry;
    }
    return WW_TLBC_NONE;
}

static inline uint64_t ww_tlbc_rank_of(const struct ww_tlbc *t, uint32_t set, uint32_t entry)
{
    return ww_bits_get(WW_TLBC_RANK, ww_tlbc_side_of(t, set, entry));
}

/* Updates the other ranks of a part for an entry of rank `before`: it becomes the newest and newer ones age
 * by one; or, with `drop`, it leaves and older ones become one younger. */
static inline void ww_tlbc_reorder(struct ww_tlbc *t, uint32_t set, struct ww_tlbc_part part, uint64_t before,
                                   bool drop)
{
    for (uint32_t entry = part.first; entry < part.end; ++entry) {
        const uint64_t rank = ww_tlbc_rank_of(t, set, entry);
        if (!ww_tlbc_valid(t, set, entry) || (drop ? rank <= before : rank >= before))
            continue;
        ww_tlbc_put_side(
            t, set, entry,
            ww_bits_put(WW_TLBC_RANK, ww_tlbc_side_of(t, set, entry), drop ? rank - 1 : rank + 1));
    }
}

static inline void ww_tlbc_touch(struct ww_tlbc *t, uint32_t set, uint32_t entry)
{
    ww_tlbc_reorder(t, set, ww_tlbc_part_of(t, entry), ww_tlbc_rank_of(t, set, entry), false);
    ww_tlbc_put_side(t, set, entry, ww_tlbc_side_of(t, set, entry) & ~WW_TLBC_RANK);
}

/* Drops an entry. */
static inline void ww_tlbc_drop_entry(struct ww_tlbc *t, uint32_t set, uint32_t entry)
{
    ww_tlbc_reorder(t, set, ww_tlbc_part_of(t, entry), ww_tlbc_rank_of(t, set, entry), true);
    ww_tlbc_put_side(t, set, entry, 0);
    t->live -= 1;
    t->live_compressed -= entry >= t->plain;
}

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* kernels/store/tlb_compressed.h - a TLB in which a part of each set holds compressed entries, two per slot:
 * the L2 TLB of [P20], known from a summary only. docs/model/compressed-tlb.md. A compressed entry keeps the
 * low bits (delta) of tag and frame; the high bits are the set's, one base for all, with the VM-ID. Each part
 * has its own LRU and loses entries only to its own. A counter of entries that do not compress empties the
 * compressed part when it gets to 0; the next entry sets the bases. Not modelled: random replacement, more
 * than one base a set. Time: none. Allocation: none. */
#ifndef WW_KERNELS_TLB_COMPRESSED_H
#define WW_KERNELS_TLB_COMPRESSED_H

#include "kernels/base.h"
#include "kernels/bits.h"
#include "kernels/store/index.h"
#include "kernels/store/store.h"

WW_BEGIN_DECLS

#define WW_TLBC_MAX_WAYS 32u
#define WW_TLBC_PER_SLOT 2u /* compressed entries in a slot */

struct ww_tlbc_cfg {
    uint32_t sets;            /* power of two */
    uint32_t ways;            /* 1..32, slots of a set */
    uint32_t compressed_ways; /* slots of a set with compressed entries, 0..ways - 1 */
    uint32_t va_bits;         /* 32..57 */
    uint32_t pa_bits;         /* 13..52: log2 of the memory's bytes, rounded up */
    uint32_t page_sizes;      /* bit n set: pages of 1 << n bytes may be held; n 12..30 */
    uint16_t rebase_after;    /* entries that do not compress until the part is emptied; 1..65535 */
    uint8_t index;            /* enum ww_index_kind */
};

/* Bits of a slot by the width of addresses. A plain entry fills it: tag + ppn, at most 64. Two compressed
 * entries share it, less three bits each for permissions, which a slot has once. Half of the frame's bits,
 * rounded down, are its delta; the rest of an entry's share is the tag's. */
#define WW_TLBC_TAG_BITS(va_bits, log2_sets) ((va_bits)-12u - (log2_sets))
#define WW_TLBC_PPN_BITS(pa_bits) ((pa_bits)-12u)
#define WW_TLBC_SHARE_BITS(tag, ppn) (((tag) + (ppn)) / WW_TLBC_PER_SLOT - 3u)
#define WW_TLBC_PPN_DELTA_BITS(ppn) ((ppn) / 2u)
#define WW_TLBC_TAG_DELTA_BITS(tag, ppn) (WW_TLBC_SHARE_BITS(tag, ppn) - WW_TLBC_PPN_DELTA_BITS(ppn))

struct ww_tlbc_widths {
    uint32_t tag, ppn;             /* of a plain entry */
    uint32_t tag_delta, ppn_delta; /* of a compressed one */
    uint32_t tag_base, ppn_base;   /* of a set's base registers */
};

/* State of a set: the base's VM-ID; entries that do not compress until a rebase, 0: there is no base. */
#define WW_TLBC_SET_VMID WW_BITS64(15, 0)
#define WW_TLBC_SET_LEFT WW_BITS64(31, 16)

/* State of an entry besides tag and frame: valid, permissions, log2 of the page's bytes, place in the order
 * of use of its part (0 = newest), VM-ID (of a plain entry; a compressed one has the base's). */
#define WW_TLBC_VALID WW_BITS64(0, 0)
#define WW_TLBC_PERM WW_BITS64(3, 1)
#define WW_TLBC_SHIFT WW_BITS64(8, 4)
#define WW_TLBC_RANK WW_BITS64(14, 9)
#define WW_TLBC_VMID WW_BITS64(31, 16)

/* Counted since init(). */
struct ww_tlbc_counts {
    uint64_t compressed; /* entries kept compressed, */
    uint64_t plain;      /* and kept plain */
    uint64_t failures;   /* entries that did not compress */
    uint64_t rebases;    /* compressed parts emptied, and the entries evicted by that: */
    uint64_t rebased;
    uint64_t displaced; /* entries evicted from a place that another took */
};

struct ww_tlbc {
    struct ww_tlbc_cfg cfg;
    struct ww_tlbc_widths widths;
    uint64_t bytes;
    uint32_t set_bits, sizes;
    uint32_t plain, all;            /* entries of a set: the plain ones, and all (plain ones first) */
    uint64_t slot_off;              /* offset of state: a word per slot, for one entry or two */
    uint64_t side_off;              /* offset of state: a word per entry */
    uint64_t base_off, set_off;     /* offsets of state: a set's base registers; the rest of it */
    uint32_t live, live_compressed; /* entries held; those that are compressed */
    struct ww_tlbc_counts counts;
};

/* Returns the bytes of storage, aligned to 64 bytes, or 0 if the configuration is illegal. */
size_t ww_tlbc_bytes(const struct ww_tlbc_cfg *cfg);
int ww_tlbc_init(struct ww_tlbc *t, size_t bytes, const struct ww_tlbc_cfg *cfg);

/* Returns the most entries that all slots can hold. */
uint32_t ww_tlbc_capacity(const struct ww_tlbc *t);
/* Returns the slots that hold an entry or two. Entries held / slots used is the effective gain. */
uint32_t ww_tlbc_slots_used(const struct ww_tlbc *t);
/* Return the set's base registers, tag above frame, and the rest of its state, as packed. Required
 * (asserted): the set exists. */
uint64_t ww_tlbc_base(const struct ww_tlbc *t, uint32_t set);
uint64_t ww_tlbc_set(const struct ww_tlbc *t, uint32_t set);
/* Returns the word of a slot, as packed. The plain slots come first, then the compressed ones. */
uint64_t ww_tlbc_slot(const struct ww_tlbc *t, uint32_t set, uint32_t slot);

/* Returns the bits of state in hardware. */
uint64_t ww_tlbc_bits(const struct ww_tlbc *t, uint32_t vmid_bits);

/* insert() is REFUSED for addresses from 2^va_bits on. Required: frames are below 2^pa_bits. A refresh
 * whose new frame does not compress moves to the plain part. flush() drops the bases too; invalidate()
 * keeps them. */
extern const struct ww_store_kind ww_tlbc_store;

WW_END_DECLS

#endif

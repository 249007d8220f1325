/* SPDX-License-Identifier: MIT */
/* kernels/store/tlb_subentry.h - a TLB whose places hold runs of pages: one tag covers up to 32 page numbers,
 * and each of them has a sub-entry with valid bit, frame and permissions. docs/model/subentry-tlb.md. Packed
 * key of a place: group [44:0] = page number / pages, size code [47:45] (1 = smallest size of the
 * configuration; 0 = empty place), vmid [63:48]. An insert fills one sub-entry; an answer brings one, or with
 * `fill` all mapped pages of its place, which the owner inserts one by one. With `share` an underused place
 * of a full set takes a second group, its second base, so that no place has to leave: it has a second key
 * and, per sub-entry, a bit that names its base (STAR, MICRO'24). True LRU over places. Not modelled: random
 * replacement. Time: none. Allocation: none. */
#ifndef WW_KERNELS_TLB_SUBENTRY_H
#define WW_KERNELS_TLB_SUBENTRY_H

#include "kernels/base.h"
#include "kernels/bits.h"
#include "kernels/store/assoc.h"
#include "kernels/store/index.h"
#include "kernels/store/store.h"

WW_BEGIN_DECLS

#define WW_TLBS_MAX_PAGES 32u /* most pages of a place */
#define WW_TLBS_MAX_SIZES 7u

/* Pages of its place that an answer makes valid. */
enum ww_tlbs_fill { WW_TLBS_FILL_ONE, WW_TLBS_FILL_ALL };

/* Places that are underused: those with at most this part of their pages. */
enum ww_tlbs_share {
    WW_TLBS_SHARE_OFF, /* none: a place has one base */
    WW_TLBS_SHARE_QUARTER,
    WW_TLBS_SHARE_HALF,
    WW_TLBS_SHARE_ANY
};

struct ww_tlbs_cfg {
    uint32_t sets;       /* power of two */
    uint32_t ways;       /* places of a set: 1..64; up to 4096 when sets == 1 */
    uint32_t pages;      /* of a place: 1, 2, 4, 8, 16 or 32 */
    uint32_t page_sizes; /* bit n set: pages of 1 << n bytes may be held; n 12..30, at most 7 sizes */
    uint8_t index;       /* enum ww_index_kind, of the group's number */
    uint8_t fill;        /* enum ww_tlbs_fill */
    uint8_t share;       /* enum ww_tlbs_share */
};

/* A sub-entry. Page i of a group is in sub-entry i of the place if the group is its first base, and in
 * sub-entry pages - 1 - i if it is the second; so groups used sparsely, or from their first page on, do not
 * collide. */
#define WW_TLBS_FRAME WW_BITS64(63, 12) /* page_pa */
#define WW_TLBS_BASE WW_BITS64(9, 9)    /* base of the page: 0 the first, 1 the second */
#define WW_TLBS_VALID WW_BITS64(8, 8)
#define WW_TLBS_PERM WW_BITS64(7, 0)

/* Counted since init(). */
struct ww_tlbs_counts {
    uint64_t beside; /* pages kept in a place already in use */
    uint64_t places; /* places taken by another group, and the pages evicted by that: */
    uint64_t displaced;
    uint64_t shared; /* places that took a second base */
    uint64_t ousted; /* pages evicted from a sub-entry by a page of the place's other base */
};

struct ww_tlbs {
    struct ww_tlbs_cfg cfg;
    uint64_t bytes;
    struct ww_assoc tags;
    uint64_t sub_off;    /* offset of state: `pages` words per slot */
    uint64_t second_off; /* with `share`, offset: the second base's key by slot, 0 = none */
    uint32_t set_bits, page_bits, sizes;
    uint32_t live;                           /* pages held */
    uint8_t code_of[32];                     /* size code by page shift, 0: no such size */
    uint8_t shift_of[WW_TLBS_MAX_SIZES + 1]; /* page shift by size code */
    struct ww_tlbs_counts counts;
};

/* Returns the bytes of storage, aligned to 64 bytes, or 0 if the configuration is illegal. */
size_t ww_tlbs_bytes(const struct ww_tlbs_cfg *cfg);
int ww_tlbs_init(struct ww_tlbs *t, size_t bytes, const struct ww_tlbs_cfg *cfg);

/* Returns the places in use. Pages held / places in use is the reach of a place. */
uint32_t ww_tlbs_places_used(const struct ww_tlbs *t);
/* Returns those of them in which two bases have pages. */
uint32_t ww_tlbs_places_shared(const struct ww_tlbs *t);

/* insert() is never PASSED or REFUSED. bits(), per place: tag (page number without the bits that name set and
 * sub-entry, VM-ID) and code of the size if there are several, both twice with `share`, place in the order of
 * use; per sub-entry: valid, frame, permissions, and with `share` its base. */
extern const struct ww_store_kind ww_tlbs_store;

WW_END_DECLS

#endif

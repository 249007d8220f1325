/* SPDX-License-Identifier: MIT */
/* kernels/store/tlb.h - translation lookaside buffer, direct-mapped to fully associative, pages of several
 * sizes side by side. Models: the L1, L2 and IOMMU TLBs of [M18 Table I], [M21], [H14], [P24].
 * docs/model/tlb.md. Packed key: vpn [44:0] = va >> page_shift, size code [47:45] (1 = smallest size of the
 * configuration; 0 = empty way), vmid [63:48]. Each configured size is probed with its own index; the
 * smallest page that covers the address wins. Not modelled: permission upgrade in place, global pages, PASID.
 * Time: none. Allocation: none. */
#ifndef WW_KERNELS_TLB_H
#define WW_KERNELS_TLB_H

#include "kernels/base.h"
#include "kernels/bits.h"
#include "kernels/store/assoc.h"
#include "kernels/store/index.h"
#include "kernels/store/store.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

#define WW_TLB_MAX_SIZES 7

#define WW_REPLACE_LIST(X)                                                                                   \
    X(WW_REPLACE_LRU, "lru")                                                                                 \
    X(WW_REPLACE_RANDOM, "random")

#define WW_TLB_ENUM(id, text) id,
enum ww_replace { WW_REPLACE_LIST(WW_TLB_ENUM) };
#undef WW_TLB_ENUM

struct ww_tlb_cfg {
    uint32_t sets;       /* power of two */
    uint32_t ways;       /* 1..64; up to 4096 when sets == 1 */
    uint8_t index;       /* enum ww_index_kind */
    uint8_t replace;     /* enum ww_replace */
    uint32_t page_sizes; /* bit n set: pages of 1 << n bytes may be held; n 12..30, at most 7 sizes */
    uint64_t seed;       /* seed of random replacement */
};

struct ww_tlb {
    struct ww_tlb_cfg cfg;
    uint64_t bytes;
    struct ww_assoc tags;
    uint64_t xlat_off; /* offset: one word per slot: page_pa [63:12], perm [7:0] */
    struct ww_rng rng;
    uint32_t set_bits;
    uint32_t sizes;                         /* number of page sizes */
    uint8_t code_of[32];                    /* size code by page shift, 0: no such size */
    uint8_t shift_of[WW_TLB_MAX_SIZES + 1]; /* page shift by size code */
    /* host only: entries by size code; sizes without entries are not searched */
    uint32_t live_of[WW_TLB_MAX_SIZES + 1];
};

/* Returns the bytes of storage, a multiple of 64, or 0 if the configuration is illegal. */
size_t ww_tlb_bytes(const struct ww_tlb_cfg *cfg);
/* Starts empty. Returns WW_OK; WW_E_ARG: illegal configuration; WW_E_SIZE: fewer than ww_tlb_bytes(). The
 * storage begins at t. */
int ww_tlb_init(struct ww_tlb *t, size_t bytes, const struct ww_tlb_cfg *cfg);

/* insert() is KEPT, with an entry that leaves its set as the only victim, or REFRESHED in place. Required:
 * the page has one of cfg.page_sizes. bits(), per entry: valid, tag (page number without the set's bits,
 * VM-ID), frame, permissions, the code of its size if there are several, and its place in the order of its
 * set. */
extern const struct ww_store_kind ww_tlb_store;
/* Required (asserted): a value of the enum. */
const char *ww_replace_name(enum ww_replace replace);

WW_END_DECLS

#endif

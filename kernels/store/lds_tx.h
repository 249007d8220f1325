/* SPDX-License-Identifier: MIT */
/* kernels/store/lds_tx.h - translations in the idle segments of a local data share: the reconfigurable LDS of
 * [M21 section 4.2]. docs/model/lds-translations.md. A segment's tags (lds_tx_format.h) share a base; a mode
 * bit says whether it holds data or translations. Not modelled: the application's data (lds.h has its banks),
 * VRF-IDs other than 0. Time: none. Allocation: none. */
#ifndef WW_KERNELS_LDS_TX_H
#define WW_KERNELS_LDS_TX_H

#include "kernels/base.h"
#include "kernels/store/index.h"
#include "kernels/store/lds_tx_format.h"
#include "kernels/store/store.h"

WW_BEGIN_DECLS

#define WW_LDS_TX_MAX_BYTES (1u << 20)

/* Treatment of a translation whose base is not its segment's; the paper does not say. */
#define WW_LDS_TX_MISMATCH_LIST(X)                                                                           \
    X(WW_LDS_TX_REBASE, "rebase") /* evicts the segment's translations, sets its base to the new one */      \
    X(WW_LDS_TX_BYPASS, "bypass") /* passed on */
#define WW_LDS_TX_ENUM(id, text) id,
/* Layout of a segment's tags and translations: Figure 6b. */
#define WW_LDS_TX_LAYOUT_LIST(X)                                                                             \
    X(WW_LDS_TX_TOGETHER, "together") /* in one chunk of the segment's size: (ii) */                         \
    X(WW_LDS_TX_APART, "apart") /* all tags in the first quarter of the LDS, translations behind: (i) */     \
    X(WW_LDS_TX_READJUSTED, "readjusted") /* as apart; an allocation moves what it covers [section 4.2.2] */
enum ww_lds_tx_mismatch { WW_LDS_TX_MISMATCH_LIST(WW_LDS_TX_ENUM) };
enum ww_lds_tx_layout { WW_LDS_TX_LAYOUT_LIST(WW_LDS_TX_ENUM) };
#undef WW_LDS_TX_ENUM

enum ww_lds_tx_mode {
    WW_LDS_TX_IDLE, /* LDS-mode, outside every allocation */
    WW_LDS_TX_USED, /* LDS-mode, in an allocation; or the segment has no place */
    WW_LDS_TX_TX,   /* Tx-mode, in an allocation or not */
};

struct ww_lds_tx_cfg {
    uint32_t lds_bytes;     /* power of two, 1 KiB..1 MiB */
    uint32_t segment_bytes; /* 32 or 64 */
    uint8_t index;          /* enum ww_index_kind */
    uint8_t mismatch;       /* enum ww_lds_tx_mismatch */
    uint8_t layout;         /* enum ww_lds_tx_layout */
    uint32_t page_sizes;    /* bit n set: pages of 1 << n bytes may be held; n 12..30 */
};

/* Counted since init(). A chunk is as large as a segment. With the layout `together` it is a segment;
 * otherwise it holds the tags of four segments, or translations of two. */
struct ww_lds_tx_counts {
    uint64_t opened;        /* idle segments that became Tx-mode */
    uint64_t claimed;       /* Tx-mode chunks that an access made LDS-mode, */
    uint64_t dropped;       /* and the translations lost with them */
    uint64_t orphaned;      /* `apart`: bytes of tags or translations lost outside a claimed chunk */
    uint64_t readjusted;    /* `apart`: bytes that allocations would move; `readjusted`: bytes moved */
    uint64_t homeless;      /* `readjusted`: segments left without a place by an allocation */
    uint64_t bypassed_mode; /* passed on: the application uses the segment */
    uint64_t bypassed_base; /* passed on: another base */
    uint64_t rebases;       /* rebases, and the translations evicted by them: */
    uint64_t rebased;
    uint64_t displaced; /* translations evicted from a place that another took */
};

struct ww_lds_tx {
    struct ww_lds_tx_cfg cfg;
    uint64_t bytes;
    uint32_t segments, segment_bits;
    uint32_t ways;  /* translations per segment */
    uint32_t sizes; /* number of page sizes */
    struct ww_lds_tx_format format;
    uint64_t tag_off, data_off; /* offsets of state: a segment's tag words, its translations (xlat_word.h) */
    uint64_t mode_off;          /* offset of state: a bit per chunk, 1 = Tx-mode */
    uint64_t allocated_off;     /* offset: a bit per chunk, kept by the allocator, not the LDS */
    uint64_t place_off; /* offset: chunks of each four segments, unless `together`; state if they move */
    uint32_t live;      /* translations held */
    struct ww_lds_tx_counts counts;
};

/* Returns the bytes of storage, aligned to 64 bytes, or 0 if the configuration is illegal. */
size_t ww_lds_tx_bytes(const struct ww_lds_tx_cfg *cfg);
int ww_lds_tx_init(struct ww_lds_tx *t, size_t bytes, const struct ww_lds_tx_cfg *cfg);

/* Gives a work-group bytes [first, first + bytes). Translations there stay until the group uses them; with
 * the layout `readjusted` they move at once, as far as there is room. Returns how many translations are lost.
 * Required: allocations are whole chunks. */
uint32_t ww_lds_tx_allocate(struct ww_lds_tx *t, uint64_t first, uint64_t bytes);
/* Makes the chunks of a SIMD data access (a read too) to bytes of an allocation LDS-mode. Returns how many
 * translations are lost. */
uint32_t ww_lds_tx_access(struct ww_lds_tx *t, uint64_t first, uint64_t bytes);
/* Ends the work-group: its Tx-mode chunks stay, the others become idle. */
void ww_lds_tx_release(struct ww_lds_tx *t, uint64_t first, uint64_t bytes);

const char *ww_lds_tx_mismatch_name(enum ww_lds_tx_mismatch mismatch);
const char *ww_lds_tx_layout_name(enum ww_lds_tx_layout layout);

/* Return the segment of the page of 1 << page_shift bytes that holds va, and a segment's mode: Tx if all of
 * it is. A segment that is not Tx may still be filled unless the application uses a part of it. */
uint32_t ww_lds_tx_segment(const struct ww_lds_tx *t, uint64_t va, uint32_t page_shift);
enum ww_lds_tx_mode ww_lds_tx_mode_of(const struct ww_lds_tx *t, uint32_t segment);

/* Returns the bits of tags, translations and mode bits, the LDS's own bytes included. */
uint64_t ww_lds_tx_bits(const struct ww_lds_tx_cfg *cfg);
/* Returns those of them that an LDS without translations lacks: a mode bit per chunk, and the chunks' numbers
 * if they move. */
uint64_t ww_lds_tx_extra_bits(const struct ww_lds_tx_cfg *cfg);

/* Returns word i of a segment's tags, as packed. */
static inline uint64_t ww_lds_tx_tag(const struct ww_lds_tx *t, uint32_t segment, uint32_t i)
{
    WW_ASSERT(segment < t->segments && i < t->format.words);
    return ((const uint64_t *)(const void *)((const unsigned char *)t +
                                             t->tag_off))[segment * t->format.words + i];
}

/* insert() is REFUSED for VM-IDs above 3 and addresses from 2^48 on, and PASSED if the application uses the
 * segment, or it has another base and the policy is bypass. claim() allocates and accesses all bytes at once.
 * flush() keeps allocations. */
extern const struct ww_store_kind ww_lds_tx_store;

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* kernels/store/lds_tx.h - translations in the idle segments of a local data share: the reconfigurable LDS of
 * [M21 section 4.2]. docs/model/lds-translations.md. A segment's tags (lds_tx_format.h) share a base; a mode
 * bit says whose it is. Not modelled: the application's data (lds.h has its banks), VRF-IDs other than 0.
 * Time: none. Allocation: none. */
#ifndef WW_KERNELS_LDS_TX_H
#define WW_KERNELS_LDS_TX_H

#include "kernels/base.h"
#include "kernels/store/index.h"
#include "kernels/store/lds_tx_format.h"
#include "kernels/store/store.h"

WW_BEGIN_DECLS

#define WW_LDS_TX_MAX_BYTES (1u << 20)

/* What becomes of a translation whose base is not its segment's; the paper does not say. */
#define WW_LDS_TX_MISMATCH_LIST(X)                                                                           \
    X(WW_LDS_TX_REBASE, "rebase") /* the segment's translations leave, its base becomes the new one's */     \
    X(WW_LDS_TX_BYPASS, "bypass") /* it is passed on */
#define WW_LDS_TX_ENUM(id, text) id,
/* Where tags and translations of a segment lie: Figure 6b. */
#define WW_LDS_TX_LAYOUT_LIST(X)                                                                             \
    X(WW_LDS_TX_TOGETHER, "together") /* in one chunk of the segment's size: (ii) */                         \
    X(WW_LDS_TX_APART, "apart") /* all tags in the first quarter of the LDS, translations behind: (i) */     \
    X(WW_LDS_TX_READJUSTED, "readjusted") /* as apart; an allocation moves what it covers [section 4.2.2] */
enum ww_lds_tx_mismatch { WW_LDS_TX_MISMATCH_LIST(WW_LDS_TX_ENUM) };
enum ww_lds_tx_layout { WW_LDS_TX_LAYOUT_LIST(WW_LDS_TX_ENUM) };
#undef WW_LDS_TX_ENUM

enum ww_lds_tx_mode {
    WW_LDS_TX_IDLE, /* LDS-mode and outside every allocation */
    WW_LDS_TX_USED, /* LDS-mode, in an allocation: the application has it, or it has no place */
    WW_LDS_TX_TX,   /* translations, whether in an allocation or not */
};

struct ww_lds_tx_cfg {
    uint32_t lds_bytes;     /* power of two, 1 KiB..1 MiB */
    uint32_t segment_bytes; /* 32 or 64 */
    uint8_t index;          /* enum ww_index_kind */
    uint8_t mismatch;       /* enum ww_lds_tx_mismatch */
    uint8_t layout;         /* enum ww_lds_tx_layout */
    uint32_t page_sizes;    /* bit n set: pages of 1 << n bytes may be held; n 12..30 */
};

/* Counted since init(). A chunk is as large as a segment: with the layout `together` it is one, with the
 * others it has the tags of four, or translations of two or three. */
struct ww_lds_tx_counts {
    uint64_t opened;        /* idle segments that became Tx-mode */
    uint64_t claimed;       /* Tx-mode chunks that an access made LDS-mode, */
    uint64_t dropped;       /* and translations lost with them */
    uint64_t orphaned;      /* `apart`: bytes of those chunks, tags or translations, that no access claimed */
    uint64_t readjusted;    /* `apart`: bytes that allocations would read and write to keep what they cover;
                               `readjusted`: those that they did read and write */
    uint64_t homeless;      /* `readjusted`: segments that an allocation left without a place */
    uint64_t bypassed_mode; /* passed on: the segment is the application's */
    uint64_t bypassed_base; /* passed on: another base */
    uint64_t rebases;       /* and translations that left for another base: */
    uint64_t rebased;
    uint64_t displaced; /* translations whose place another took */
};

struct ww_lds_tx {
    struct ww_lds_tx_cfg cfg;
    uint64_t bytes;
    uint32_t segments, segment_bits;
    uint32_t ways;  /* translations of a segment */
    uint32_t sizes; /* of pages */
    struct ww_lds_tx_format format;
    uint64_t tag_off, data_off; /* state: a segment's tag words, and its translations (xlat_word.h) */
    uint64_t mode_off;          /* state: a bit a chunk, 1 = Tx-mode */
    uint64_t allocated_off;     /* the allocator's, not the LDS's: a bit a chunk */
    uint64_t place_off; /* the four chunks of each four segments, unless `together`; state if they move */
    uint32_t live;      /* translations held */
    struct ww_lds_tx_counts counts;
};

/* Bytes of 64-byte aligned storage; 0 if the configuration is illegal. */
size_t ww_lds_tx_bytes(const struct ww_lds_tx_cfg *cfg);
int ww_lds_tx_init(struct ww_lds_tx *t, size_t bytes, const struct ww_lds_tx_cfg *cfg);

/* The dispatcher gives a work-group bytes [first, first + bytes); translations there live on until the group
 * uses them. With the layout `readjusted` they are moved at once, as far as there is room elsewhere. Returns
 * how many translations are lost. Allocations are of whole chunks: two never share one. */
uint32_t ww_lds_tx_allocate(struct ww_lds_tx *t, uint64_t first, uint64_t bytes);
/* A SIMD data access (a read too) to bytes of an allocation: its chunks become LDS-mode. Returns how many
 * translations are lost. */
uint32_t ww_lds_tx_access(struct ww_lds_tx *t, uint64_t first, uint64_t bytes);
/* The work-group is done. Tx-mode chunks stay as they are; the others are idle. */
void ww_lds_tx_release(struct ww_lds_tx *t, uint64_t first, uint64_t bytes);

const char *ww_lds_tx_mismatch_name(enum ww_lds_tx_mismatch mismatch);
const char *ww_lds_tx_layout_name(enum ww_lds_tx_layout layout);

/* Segment of the page of 1 << page_shift bytes that holds va, and its mode: Tx if all of it is; what is not
 * may still be filled unless some of it is the application's. */
uint32_t ww_lds_tx_segment(const struct ww_lds_tx *t, uint64_t va, uint32_t page_shift);
enum ww_lds_tx_mode ww_lds_tx_mode_of(const struct ww_lds_tx *t, uint32_t segment);

/* What lookups, fills and orders translations, the LDS's own bytes included: tags, translations, mode bits.
 */
uint64_t ww_lds_tx_bits(const struct ww_lds_tx_cfg *cfg);
/* Of these, what an LDS does not have without: a mode bit a chunk (0.4 % at 32 bytes), and the chunks'
 * numbers where they move. */
uint64_t ww_lds_tx_extra_bits(const struct ww_lds_tx_cfg *cfg);

/* Word i of a segment's tags, as packed. */
static inline uint64_t ww_lds_tx_tag(const struct ww_lds_tx *t, uint32_t segment, uint32_t i)
{
    WW_ASSERT(segment < t->segments && i < t->format.words);
    return ((const uint64_t *)(const void *)((const unsigned char *)t +
                                             t->tag_off))[segment * t->format.words + i];
}

/* insert() is REFUSED for VM-IDs above 3 and addresses from 2^48 on. PASSED: the segment is the
 * application's, or has another base and the policy is bypass. claim(): an allocation and an access to all of
 * it at once. flush() drops the translations; allocations stay. */
extern const struct ww_store_kind ww_lds_tx_store;

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* kernels/store/lds_tx_format.h - the tag words of a segment of translations, bit by bit: [M21 section 4.2.4,
 * Figure 7]. A segment of 32 bytes is a tag word and three translations, one of 64 bytes two tag words and
 * six. Of the T tag bits of a page number, the lowest x are each translation's own and the others are the
 * segment's base; x is the largest number with which all fit. The low part of each tag word has three
 * translations' own bits; the base takes the rest of the first word, then the rest of the second. Time: none.
 * Allocation: none. */
#ifndef WW_KERNELS_LDS_TX_FORMAT_H
#define WW_KERNELS_LDS_TX_FORMAT_H

#include "kernels/base.h"
#include "kernels/bits.h"

WW_BEGIN_DECLS

#define WW_LDS_TX_VA_BITS 48u
#define WW_LDS_TX_VMIDS 4u     /* VM-IDs 0 to 3 */
#define WW_LDS_TX_WORD_WAYS 3u /* translations whose own bits share a tag word */

/* A translation's own bits. Its place in the order of use and the low bits of the tag follow. */
#define WW_LDS_TX_VALID WW_BITS64(0, 0)
#define WW_LDS_TX_VRFID WW_BITS64(2, 1) /* virtual function, always 0 */
#define WW_LDS_TX_VMID WW_BITS64(4, 3)
#define WW_LDS_TX_RANK_AT 5u /* 0 = the most recently used; 0 where not valid */

#define WW_LDS_TX_TAG_BITS(log2_segments) (WW_LDS_TX_VA_BITS - 12u - (log2_segments))
#define WW_LDS_TX_RANK_BITS(ways) ((ways) == 3u ? 2u : 3u)
#define WW_LDS_TX_FIXED_BITS(ways) (WW_LDS_TX_RANK_AT + WW_LDS_TX_RANK_BITS(ways))
#define WW_LDS_TX_LOW_BITS(ways, tag)                                                                        \
    ((64u * ((ways) / WW_LDS_TX_WORD_WAYS) - (tag) - (ways)*WW_LDS_TX_FIXED_BITS(ways)) / ((ways)-1u))
#define WW_LDS_TX_BASE_BITS(ways, tag) ((tag)-WW_LDS_TX_LOW_BITS(ways, tag))
#define WW_LDS_TX_OWN_BITS(ways, tag) (WW_LDS_TX_LOW_BITS(ways, tag) + WW_LDS_TX_FIXED_BITS(ways))

/* The format of an LDS of 1 << log2_segments segments of 3 or 6 translations. */
struct ww_lds_tx_format {
    uint32_t words;                         /* tag words of a segment */
    uint32_t low_bits, base_bits, own_bits; /* x, T - x, and all own bits of a translation */
    uint64_t own, rank, low;                /* masks: a translation's own bits, and two fields of them */
};

static inline struct ww_lds_tx_format ww_lds_tx_format_of(uint32_t log2_segments, uint32_t ways)
{
    const uint32_t tag = WW_LDS_TX_TAG_BITS(log2_segments), low_at = WW_LDS_TX_FIXED_BITS(ways);
    struct ww_lds_tx_format f;
    f.words = ways / WW_LDS_TX_WORD_WAYS;
    f.low_bits = WW_LDS_TX_LOW_BITS(ways, tag);
    f.base_bits = WW_LDS_TX_BASE_BITS(ways, tag);
    f.own_bits = WW_LDS_TX_OWN_BITS(ways, tag);
    f.own = WW_BITS64(f.own_bits - 1, 0);
    f.rank = WW_BITS64(low_at - 1, WW_LDS_TX_RANK_AT);
    f.low = WW_BITS64(f.own_bits - 1, low_at);
    return f;
}

/* Returns the own bits of a way. tags: the words of its segment. */
static inline uint64_t ww_lds_tx_own(const struct ww_lds_tx_format *f, const uint64_t *tags, uint32_t way)
{
    return tags[way / WW_LDS_TX_WORD_WAYS] >> (way % WW_LDS_TX_WORD_WAYS * f->own_bits) & f->own;
}

static inline void ww_lds_tx_put_own(const struct ww_lds_tx_format *f, uint64_t *tags, uint32_t way,
                                     uint64_t own)
{
    uint64_t *tag = tags + way / WW_LDS_TX_WORD_WAYS;
    *tag = ww_bits_put(f->own << (way % WW_LDS_TX_WORD_WAYS * f->own_bits), *tag, own);
}

static inline uint64_t ww_lds_tx_base(const struct ww_lds_tx_format *f, const uint64_t *tags)
{
    const uint32_t below = WW_LDS_TX_WORD_WAYS * f->own_bits;
    return tags[0] >> below | (f->words == 1 ? 0 : tags[1] >> below << (64 - below));
}

/* Sets the tags to this base without translations. */
static inline void ww_lds_tx_put_base(const struct ww_lds_tx_format *f, uint64_t *tags, uint64_t base)
{
    const uint32_t below = WW_LDS_TX_WORD_WAYS * f->own_bits;
    tags[0] = base << below;
    if (f->words == 2)
        tags[1] = base >> (64 - below) << below;
}

WW_END_DECLS

#endif

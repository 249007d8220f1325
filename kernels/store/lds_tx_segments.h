/* SPDX-License-Identifier: MIT */
/* kernels/store/lds_tx_segments.h - segments of translations in local memory, for the two halves of their
 * kernel: lds_tx_memory.c and lds_tx.c. Time: none. Allocation: none. */
#ifndef WW_KERNELS_LDS_TX_SEGMENTS_H
#define WW_KERNELS_LDS_TX_SEGMENTS_H

#include "kernels/store/lds_tx.h"
#include "kernels/xlat_word.h"

WW_BEGIN_DECLS

static inline uint64_t *ww_lds_tx_words_at(void *t, uint64_t off)
{
    return (uint64_t *)(void *)((unsigned char *)t + off);
}

static inline const uint64_t *ww_lds_tx_const_words_at(const void *t, uint64_t off)
{
    return (const uint64_t *)(const void *)((const unsigned char *)t + off);
}

static inline uint64_t *ww_lds_tx_data_of(struct ww_lds_tx *t, uint32_t segment)
{
    return ww_lds_tx_words_at(t, t->data_off) + (size_t)segment * t->ways;
}

static inline const uint64_t *ww_lds_tx_const_data_of(const struct ww_lds_tx *t, uint32_t segment)
{
    return ww_lds_tx_const_words_at(t, t->data_off) + (size_t)segment * t->ways;
}

static inline bool ww_lds_tx_bit_of(const uint64_t *bits, uint32_t i)
{
    return (bits[i / 64] >> (i % 64) & 1) != 0;
}

static inline void ww_lds_tx_set_bit(uint64_t *bits, uint32_t i, bool on)
{
    const uint64_t bit = (uint64_t)1 << (i % 64);
    bits[i / 64] = on ? bits[i / 64] | bit : bits[i / 64] & ~bit;
}

#define WW_LDS_TX_NOWHERE UINT32_MAX

/* Returns the chunks of four segments unless tags and translations are together: that of their tags, then the
 * three of their translations; all are NOWHERE if the segments have no place. */
static inline uint32_t *ww_lds_tx_place_of(struct ww_lds_tx *t, uint32_t four)
{
    return (uint32_t *)(void *)((unsigned char *)t + t->place_off) + 4 * (size_t)four;
}

static inline const uint32_t *ww_lds_tx_const_place_of(const struct ww_lds_tx *t, uint32_t four)
{
    return (const uint32_t *)(const void *)((const unsigned char *)t + t->place_off) + 4 * (size_t)four;
}

/* Returns the chunk of a translation of a segment that has a place, unless tags and translations are
 * together. A segment's tags take a quarter of a chunk, its translations three. */
static inline uint32_t ww_lds_tx_chunk_of(const struct ww_lds_tx *t, uint32_t segment, uint32_t way)
{
    const uint32_t quarter = 3 * (segment % 4) + (t->ways == 3 ? way : way / 2);
    return ww_lds_tx_const_place_of(t, segment / 4)[1 + quarter / 4];
}

/* The chunks that a segment lies in: one; or that of its tags and one or two of its translations; none if it
 * has no place. */
struct ww_lds_tx_chunks {
    uint32_t n, at[3];
};

static inline struct ww_lds_tx_chunks ww_lds_tx_chunks_of(const struct ww_lds_tx *t, uint32_t segment)
{
    struct ww_lds_tx_chunks p = {1, {segment, 0, 0}};
    if (t->cfg.layout == WW_LDS_TX_TOGETHER)
        return p;
    p.at[0] = ww_lds_tx_const_place_of(t, segment / 4)[0];
    p.at[1] = ww_lds_tx_chunk_of(t, segment, 0);
    p.at[2] = ww_lds_tx_chunk_of(t, segment, t->ways - 1);
    p.n = p.at[0] == WW_LDS_TX_NOWHERE ? 0 : p.at[1] == p.at[2] ? 2 : 3;
    return p;
}

static inline bool ww_lds_tx_is_tx(const struct ww_lds_tx *t, uint32_t segment)
{
    const struct ww_lds_tx_chunks p = ww_lds_tx_chunks_of(t, segment);
    for (uint32_t i = 0; i < p.n; ++i)
        if (!ww_lds_tx_bit_of(ww_lds_tx_const_words_at(t, t->mode_off), p.at[i]))
            return false;
    return p.n != 0;
}

/* True if the application uses a chunk of the segment, or the segment has no place. */
static inline bool ww_lds_tx_is_used(const struct ww_lds_tx *t, uint32_t segment)
{
    const struct ww_lds_tx_chunks p = ww_lds_tx_chunks_of(t, segment);
    for (uint32_t i = 0; i < p.n; ++i)
        if (ww_lds_tx_bit_of(ww_lds_tx_const_words_at(t, t->allocated_off), p.at[i]) &&
            !ww_lds_tx_bit_of(ww_lds_tx_const_words_at(t, t->mode_off), p.at[i]))
            return true;
    return p.n == 0;
}

static inline uint64_t *ww_lds_tx_tags_of(struct ww_lds_tx *t, uint32_t segment)
{
    return ww_lds_tx_words_at(t, t->tag_off) + (size_t)segment * t->format.words;
}

static inline uint64_t ww_lds_tx_own_of(const struct ww_lds_tx *t, uint32_t segment, uint32_t way)
{
    const uint64_t *tags = ww_lds_tx_const_words_at(t, t->tag_off) + (size_t)segment * t->format.words;
    return ww_lds_tx_own(&t->format, tags, way);
}

static inline void ww_lds_tx_set_own(struct ww_lds_tx *t, uint32_t segment, uint32_t way, uint64_t own)
{
    ww_lds_tx_put_own(&t->format, ww_lds_tx_tags_of(t, segment), way, own);
}

static inline uint64_t ww_lds_tx_base_of(const struct ww_lds_tx *t, uint32_t segment)
{
    return ww_lds_tx_base(&t->format,
                          ww_lds_tx_const_words_at(t, t->tag_off) + (size_t)segment * t->format.words);
}

static inline void ww_lds_tx_set_base(struct ww_lds_tx *t, uint32_t segment, uint64_t base)
{
    ww_lds_tx_put_base(&t->format, ww_lds_tx_tags_of(t, segment), base);
}

static inline bool ww_lds_tx_is_valid(const struct ww_lds_tx *t, uint32_t segment, uint32_t way)
{
    return (ww_lds_tx_own_of(t, segment, way) & WW_LDS_TX_VALID) != 0;
}

static inline uint32_t ww_lds_tx_held_in(const struct ww_lds_tx *t, uint32_t segment)
{
    uint32_t n = 0;
    for (uint32_t way = 0; way < t->ways; ++way)
        n += ww_lds_tx_is_valid(t, segment, way);
    return n;
}

/* Returns the bytes of a segment's tags and translations that lie in a chunk; its tags count if it holds a
 * translation. Required: tags and translations are apart, and the segment has a place. */
static inline uint64_t ww_lds_tx_bytes_in(const struct ww_lds_tx *t, uint32_t segment, uint32_t chunk)
{
    const bool tags_there = ww_lds_tx_const_place_of(t, segment / 4)[0] == chunk;
    uint32_t words = tags_there && ww_lds_tx_held_in(t, segment) != 0 ? t->format.words : 0;
    for (uint32_t way = 0; way < t->ways; ++way)
        words += ww_lds_tx_is_valid(t, segment, way) && ww_lds_tx_chunk_of(t, segment, way) == chunk;
    return words * sizeof(uint64_t);
}

/* Sets *m to a valid translation, with the page from its tag and its segment's number. */
static inline void ww_lds_tx_describe(const struct ww_lds_tx *t, uint32_t segment, uint32_t way,
                                      struct ww_mapping *m)
{
    const uint64_t own = ww_lds_tx_own_of(t, segment, way);
    const uint64_t tag =
        ww_lds_tx_base_of(t, segment) << t->format.low_bits | ww_bits_get(t->format.low, own);
    const uint64_t high = tag << t->segment_bits;
    const uint32_t low = segment ^ ww_set_index(t->cfg.index, high, t->segment_bits);
    m->xlat = ww_xlat_of_word(ww_lds_tx_const_data_of(t, segment)[way]);
    m->va = (high | low) << m->xlat.page_shift;
    m->vmid = (uint16_t)ww_bits_get(WW_LDS_TX_VMID, own);
}

/* Evicts all translations of a segment, lowest way first, and writes them to victims unless NULL. Returns how
 * many. */
static inline uint32_t ww_lds_tx_empty(struct ww_lds_tx *t, uint32_t segment, struct ww_mapping *victims)
{
    uint32_t n = 0;
    for (uint32_t way = 0; way < t->ways; ++way) {
        if (!ww_lds_tx_is_valid(t, segment, way))
            continue;
        if (victims != NULL)
            ww_lds_tx_describe(t, segment, way, &victims[n]);
        n += 1;
    }
    t->live -= n;
    ww_lds_tx_set_base(t, segment, 0);
    return n;
}

/* In lds_tx_readjust.c. Moves or drops the translations that a new allocation covers. Returns how many are
 * lost. */
uint32_t ww_lds_tx_readjust(struct ww_lds_tx *t);
/* Gives segments without a place one after a release, as far as there is room. */
void ww_lds_tx_settle(struct ww_lds_tx *t);
/* Returns NULL, or names what is wrong with the places of segments. */
const char *ww_lds_tx_check_places(const struct ww_lds_tx *t);

WW_END_DECLS

#endif

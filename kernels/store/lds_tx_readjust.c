/* SPDX-License-Identifier: MIT */
/* kernels/store/lds_tx_readjust.c - see lds_tx.h: makes room for an allocation if tags and translations lie
 * apart, "the tag and the corresponding data should be readjusted" [M21 section 4.2.2]. Every four
 * segments share four chunks, which lie anywhere. As few segments as possible lose theirs; the chunks of the
 * others that the allocation covers move to free ones. */
#include "kernels/store/lds_tx_segments.h"

#include <string.h>

#include "kernels/bits.h"

#define MOST_CHUNKS (WW_LDS_TX_MAX_BYTES / 32u)

/* A bit per chunk: it is in an allocation, or has a part of a segment. */
struct taken {
    uint64_t bits[MOST_CHUNKS / 64];
};

static bool is_allocated(const struct ww_lds_tx *t, uint32_t chunk)
{
    return ww_lds_tx_bit_of(ww_lds_tx_const_words_at(t, t->allocated_off), chunk);
}

static bool has_place(const struct ww_lds_tx *t, uint32_t four)
{
    return ww_lds_tx_const_place_of(t, four)[0] != WW_LDS_TX_NOWHERE;
}

static struct taken taken_of(const struct ww_lds_tx *t)
{
    struct taken taken = {{0}};
    memcpy(taken.bits, ww_lds_tx_const_words_at(t, t->allocated_off),
           (t->segments + 63) / 64 * sizeof(uint64_t));
    for (uint32_t four = 0; four < t->segments / 4; ++four)
        for (uint32_t i = 0; i < 4 && has_place(t, four); ++i)
            ww_lds_tx_set_bit(taken.bits, ww_lds_tx_const_place_of(t, four)[i], true);
    return taken;
}

static uint32_t free_chunks(const struct ww_lds_tx *t, const struct taken *taken)
{
    uint32_t n = t->segments;
    for (uint32_t w = 0; w < (t->segments + 63) / 64; ++w)
        n -= ww_bits_count(taken->bits[w]);
    return n;
}

/* Takes the lowest free chunk and returns it. Required: there is one. */
static uint32_t take_lowest(const struct ww_lds_tx *t, struct taken *taken)
{
    uint32_t word = 0;
    while (taken->bits[word] == UINT64_MAX)
        ++word;
    const uint32_t chunk = word * 64 + (uint32_t)__builtin_ctzll(~taken->bits[word]);
    WW_ASSERT(chunk < t->segments);
    ww_lds_tx_set_bit(taken->bits, chunk, true);
    return chunk;
}

/* Returns how many chunks of these four segments lie in an allocation. */
static uint32_t covered(const struct ww_lds_tx *t, uint32_t four)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < 4 && has_place(t, four); ++i)
        n += is_allocated(t, ww_lds_tx_const_place_of(t, four)[i]);
    return n;
}

static uint32_t lose_place(struct ww_lds_tx *t, uint32_t four)
{
    uint32_t *place = ww_lds_tx_place_of(t, four);
    uint32_t lost = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        lost += ww_lds_tx_empty(t, 4 * four + i, NULL);
        ww_lds_tx_set_bit(ww_lds_tx_words_at(t, t->mode_off), place[i], false);
        place[i] = WW_LDS_TX_NOWHERE;
    }
    t->counts.homeless += 4;
    return lost;
}

/* Returns the bytes of tags or translations in the i-th chunk of four segments. */
static uint64_t bytes_in(const struct ww_lds_tx *t, uint32_t four, uint32_t i)
{
    uint64_t bytes = 0;
    for (uint32_t segment = 4 * four; segment < 4 * four + 4; ++segment)
        bytes += ww_lds_tx_bytes_in(t, segment, ww_lds_tx_const_place_of(t, four)[i]);
    return bytes;
}

static void move(struct ww_lds_tx *t, uint32_t *chunk, uint32_t to)
{
    uint64_t *modes = ww_lds_tx_words_at(t, t->mode_off);
    ww_lds_tx_set_bit(modes, to, ww_lds_tx_bit_of(modes, *chunk));
    ww_lds_tx_set_bit(modes, *chunk, false);
    *chunk = to;
}

uint32_t ww_lds_tx_readjust(struct ww_lds_tx *t)
{
    struct taken taken = taken_of(t);
    uint32_t lost = 0, room = free_chunks(t, &taken), to_move = 0;
    for (uint32_t four = 0; four < t->segments / 4; ++four)
        to_move += covered(t, four);
    for (uint32_t most = 4; to_move > room; --most) { /* most covered first; ties go to the highest */
        WW_ASSERT(most != 0);
        for (uint32_t four = t->segments / 4; four-- != 0 && to_move > room;) {
            if (covered(t, four) != most)
                continue;
            to_move -= most;
            room += 4 - most;
            lost += lose_place(t, four);
        }
    }
    taken = taken_of(t);
    for (uint32_t four = 0; to_move != 0; ++four) {
        WW_ASSERT(four < t->segments / 4);
        uint32_t *place = ww_lds_tx_place_of(t, four);
        for (uint32_t i = 0; i < 4 && has_place(t, four); ++i) {
            if (!is_allocated(t, place[i]))
                continue;
            t->counts.readjusted += 2 * bytes_in(t, four, i);
            move(t, &place[i], take_lowest(t, &taken));
            to_move -= 1;
        }
    }
    return lost;
}

void ww_lds_tx_settle(struct ww_lds_tx *t)
{
    struct taken taken = taken_of(t);
    uint32_t room = free_chunks(t, &taken);
    for (uint32_t four = 0; room >= 4; ++four) { /* if four chunks are free, four segments have none */
        WW_ASSERT(four < t->segments / 4);
        if (has_place(t, four))
            continue;
        for (uint32_t i = 0; i < 4; ++i)
            ww_lds_tx_place_of(t, four)[i] = take_lowest(t, &taken);
        room -= 4;
    }
}

const char *ww_lds_tx_check_places(const struct ww_lds_tx *t)
{
    struct taken seen = {{0}};
    if (t->cfg.layout != WW_LDS_TX_READJUSTED)
        return NULL;
    for (uint32_t four = 0; four < t->segments / 4; ++four) {
        if (covered(t, four) != 0)
            return "lds_tx: a segment lies in an allocation";
        for (uint32_t i = 0; i < 4 && has_place(t, four); ++i) {
            const uint32_t chunk = ww_lds_tx_const_place_of(t, four)[i];
            if (ww_lds_tx_bit_of(seen.bits, chunk))
                return "lds_tx: a chunk has two parts";
            ww_lds_tx_set_bit(seen.bits, chunk, true);
        }
    }
    return NULL;
}

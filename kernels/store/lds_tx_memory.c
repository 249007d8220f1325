/* SPDX-License-Identifier: MIT */
/* kernels/store/lds_tx_memory.c - see lds_tx.h: set-up, formats, and the application's side: allocations,
 * accesses, modes. Blob: header, tag words, translations, mode bits, allocated bits, places. */
#include "kernels/store/lds_tx_segments.h"

#include <string.h>

#define TAG_64K WW_LDS_TX_TAG_BITS(11u) /* 2048 segments of 32 bytes */
#define TAG_16K WW_LDS_TX_TAG_BITS(9u)
#define TAG_16K_WIDE WW_LDS_TX_TAG_BITS(8u) /* 256 segments of 64 bytes */
WW_STATIC_ASSERT(TAG_64K + WW_LDS_TX_FIXED_BITS(3u) == 32, "[M21] Figure 7a: 25 + 2 + 2 + 2 + 1");
WW_STATIC_ASSERT(WW_LDS_TX_BASE_BITS(3u, TAG_64K) == 16, "[M21] Figure 7b: the base is VA[47:32]");
WW_STATIC_ASSERT(WW_LDS_TX_OWN_BITS(3u, TAG_64K) == 16, "[M21] Figure 7b: three deltas of 16 bits");
WW_STATIC_ASSERT(WW_LDS_TX_BASE_BITS(3u, TAG_16K) == 19 && WW_LDS_TX_OWN_BITS(3u, TAG_16K) == 15,
                 "16 KiB: 19 + 3 x 15 = 64");
WW_STATIC_ASSERT(WW_LDS_TX_BASE_BITS(6u, TAG_16K_WIDE) == 18 && WW_LDS_TX_OWN_BITS(6u, TAG_16K_WIDE) == 18,
                 "16 KiB in segments of 64 bytes: 18 + 6 x 18 = 126 of 128");
WW_STATIC_ASSERT((WW_LDS_TX_VALID | WW_LDS_TX_VRFID | WW_LDS_TX_VMID) == WW_BITS64(WW_LDS_TX_RANK_AT - 1, 0),
                 "without gaps");
WW_STATIC_ASSERT(WW_LDS_TX_VALID + WW_LDS_TX_VRFID + WW_LDS_TX_VMID == WW_BITS64(WW_LDS_TX_RANK_AT - 1, 0),
                 "disjoint");

#define LDS_BYTES_MIN 1024u

static bool legal(const struct ww_lds_tx_cfg *cfg)
{
    return ww_is_pow2(cfg->lds_bytes) && cfg->lds_bytes >= LDS_BYTES_MIN &&
           cfg->lds_bytes <= WW_LDS_TX_MAX_BYTES && (cfg->segment_bytes == 32 || cfg->segment_bytes == 64) &&
           cfg->index <= WW_INDEX_XOR && cfg->mismatch <= WW_LDS_TX_BYPASS &&
           cfg->layout <= WW_LDS_TX_READJUSTED && cfg->page_sizes != 0 &&
           (cfg->page_sizes & ~(uint32_t)WW_BITS64(30, 12)) == 0;
}

static size_t plan(struct ww_lds_tx *t, const struct ww_lds_tx_cfg *cfg)
{
    if (!legal(cfg))
        return 0;
    memset(t, 0, sizeof *t);
    t->cfg = *cfg;
    t->segments = cfg->lds_bytes / cfg->segment_bytes;
    t->segment_bits = ww_log2_u64(t->segments);
    t->ways = cfg->segment_bytes == 32 ? 3 : 6;
    t->format = ww_lds_tx_format_of(t->segment_bits, t->ways);
    t->sizes = ww_bits_count(cfg->page_sizes);
    t->tag_off = ww_align64(sizeof *t);
    t->data_off = ww_align64(t->tag_off + (size_t)t->segments * t->format.words * sizeof(uint64_t));
    t->mode_off = ww_align64(t->data_off + (size_t)t->segments * t->ways * sizeof(uint64_t));
    t->allocated_off = ww_align64(t->mode_off + (t->segments + 63) / 64 * sizeof(uint64_t));
    t->place_off = ww_align64(t->allocated_off + (t->segments + 63) / 64 * sizeof(uint64_t));
    t->bytes =
        ww_align64(t->place_off + (cfg->layout == WW_LDS_TX_TOGETHER ? 0 : t->segments * sizeof(uint32_t)));
    return t->bytes;
}

size_t ww_lds_tx_bytes(const struct ww_lds_tx_cfg *cfg)
{
    struct ww_lds_tx t;
    return plan(&t, cfg);
}

int ww_lds_tx_init(struct ww_lds_tx *t, size_t bytes, const struct ww_lds_tx_cfg *cfg)
{
    struct ww_lds_tx head;
    const int fault = ww_clear(t, bytes, plan(&head, cfg));
    if (fault != WW_OK)
        return fault;
    *t = head;
    for (uint32_t four = 0; cfg->layout != WW_LDS_TX_TOGETHER && four < t->segments / 4; ++four) {
        uint32_t *place = ww_lds_tx_place_of(t, four);
        place[0] = four;
        for (uint32_t i = 0; i < 3; ++i)
            place[1 + i] = t->segments / 4 + 3 * four + i;
    }
    return WW_OK;
}

/* Numbers first to last, both included. */
struct range {
    uint32_t first, last;
};

static struct range chunks_at(const struct ww_lds_tx *t, uint64_t at, uint64_t bytes)
{
    WW_ASSERT(bytes != 0 && bytes <= t->cfg.lds_bytes && at <= t->cfg.lds_bytes - bytes);
    const struct range r = {(uint32_t)(at / t->cfg.segment_bytes),
                            (uint32_t)((at + bytes - 1) / t->cfg.segment_bytes)};
    return r;
}

/* Returns the segments that have a part in a chunk. Required: no chunk has moved (lds_tx_readjust.c). */
static struct range segments_in(const struct ww_lds_tx *t, uint32_t chunk)
{
    struct range r = {chunk, chunk};
    if (t->cfg.layout == WW_LDS_TX_TOGETHER)
        return r;
    r.first = 4 * chunk;
    r.last = 4 * chunk + 3;
    if (r.first >= t->segments) { /* a chunk of translations */
        r.first = (r.first - t->segments) / 3;
        r.last = (r.last - t->segments) / 3;
    }
    return r;
}

static void set_allocated(struct ww_lds_tx *t, uint64_t first, uint64_t bytes, bool on)
{
    const struct range r = chunks_at(t, first, bytes);
    for (uint32_t chunk = r.first; chunk <= r.last; ++chunk)
        ww_lds_tx_set_bit(ww_lds_tx_words_at(t, t->allocated_off), chunk, on);
}

/* Returns the bytes to read and write to keep the tags and translations of the segments that have a chunk in
 * the range. */
static uint64_t readjustment(const struct ww_lds_tx *t, struct range covered)
{
    uint64_t bytes = 0;
    for (uint32_t segment = 0; segment < t->segments; ++segment) {
        const uint32_t held = ww_lds_tx_held_in(t, segment);
        const struct ww_lds_tx_chunks p = ww_lds_tx_chunks_of(t, segment);
        bool meets = false;
        for (uint32_t i = 0; i < p.n; ++i)
            meets = meets || (p.at[i] >= covered.first && p.at[i] <= covered.last);
        if (held != 0 && meets)
            bytes += 2 * sizeof(uint64_t) * (t->format.words + held);
    }
    return bytes;
}

uint32_t ww_lds_tx_allocate(struct ww_lds_tx *t, uint64_t first, uint64_t bytes)
{
    if (t->cfg.layout == WW_LDS_TX_APART)
        t->counts.readjusted += readjustment(t, chunks_at(t, first, bytes));
    set_allocated(t, first, bytes, true);
    const uint32_t dropped = t->cfg.layout == WW_LDS_TX_READJUSTED ? ww_lds_tx_readjust(t) : 0;
    t->counts.dropped += dropped;
    return dropped;
}

void ww_lds_tx_release(struct ww_lds_tx *t, uint64_t first, uint64_t bytes)
{
    set_allocated(t, first, bytes, false);
    if (t->cfg.layout == WW_LDS_TX_READJUSTED)
        ww_lds_tx_settle(t);
}

/* Returns the bytes of a segment's tags and translations that lie outside a chunk. */
static uint64_t bytes_outside(const struct ww_lds_tx *t, uint32_t segment, uint32_t chunk)
{
    const uint32_t held = ww_lds_tx_held_in(t, segment);
    return held == 0 ? 0
                     : (t->format.words + held) * sizeof(uint64_t) - ww_lds_tx_bytes_in(t, segment, chunk);
}

/* Gives a chunk to the application. The translations of its segments are lost. Returns how many. */
static uint32_t claim_chunk(struct ww_lds_tx *t, uint32_t chunk)
{
    const struct range r = segments_in(t, chunk);
    uint32_t dropped = 0;
    for (uint32_t segment = r.first; segment <= r.last; ++segment) {
        if (t->cfg.layout == WW_LDS_TX_APART)
            t->counts.orphaned += bytes_outside(t, segment, chunk);
        dropped += ww_lds_tx_empty(t, segment, NULL);
    }
    ww_lds_tx_set_bit(ww_lds_tx_words_at(t, t->mode_off), chunk, false);
    t->counts.claimed += 1;
    return dropped;
}

uint32_t ww_lds_tx_access(struct ww_lds_tx *t, uint64_t first, uint64_t bytes)
{
    const struct range r = chunks_at(t, first, bytes);
    uint32_t dropped = 0;
    for (uint32_t chunk = r.first; chunk <= r.last; ++chunk) {
        WW_ASSERT(ww_lds_tx_bit_of(ww_lds_tx_const_words_at(t, t->allocated_off), chunk));
        if (ww_lds_tx_bit_of(ww_lds_tx_const_words_at(t, t->mode_off), chunk))
            dropped += claim_chunk(t, chunk);
    }
    t->counts.dropped += dropped;
    return dropped;
}

enum ww_lds_tx_mode ww_lds_tx_mode_of(const struct ww_lds_tx *t, uint32_t segment)
{
    WW_ASSERT(segment < t->segments);
    if (ww_lds_tx_is_tx(t, segment))
        return WW_LDS_TX_TX;
    return ww_lds_tx_is_used(t, segment) ? WW_LDS_TX_USED : WW_LDS_TX_IDLE;
}

uint64_t ww_lds_tx_extra_bits(const struct ww_lds_tx_cfg *cfg)
{
    const uint32_t chunks = cfg->lds_bytes / cfg->segment_bytes;
    return chunks + (cfg->layout == WW_LDS_TX_READJUSTED ? chunks * ww_log2_u64(chunks) : 0);
}

uint64_t ww_lds_tx_bits(const struct ww_lds_tx_cfg *cfg)
{
    return cfg->lds_bytes * UINT64_C(8) + ww_lds_tx_extra_bits(cfg);
}

const char *ww_lds_tx_mismatch_name(enum ww_lds_tx_mismatch mismatch)
{
    static const char *const names[] = {
#define WW_LDS_TX_NAME(id, text) text,
        WW_LDS_TX_MISMATCH_LIST(WW_LDS_TX_NAME)};
    WW_ASSERT((uint32_t)mismatch < sizeof names / sizeof names[0]);
    return names[mismatch];
}

const char *ww_lds_tx_layout_name(enum ww_lds_tx_layout layout)
{
    static const char *const names[] = {WW_LDS_TX_LAYOUT_LIST(WW_LDS_TX_NAME)
#undef WW_LDS_TX_NAME
    };
    WW_ASSERT((uint32_t)layout < sizeof names / sizeof names[0]);
    return names[layout];
}

/* SPDX-License-Identifier: MIT */
/* kernels/lds_tx.c - see lds_tx.h. Blob: header, tag words, translations, mode bits, allocated bits. */
#include "kernels/lds_tx.h"

#include "kernels/xlat_word.h"

#include <string.h>

#define TAG_64K WW_LDS_TX_TAG_BITS(11u) /* 2048 segments of 32 bytes */
#define TAG_16K WW_LDS_TX_TAG_BITS(9u)
#define TAG_16K_WIDE WW_LDS_TX_TAG_BITS(8u) /* of 64 bytes */
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
#define NO_WAY UINT32_MAX

/* Where a page belongs. */
struct place {
    uint32_t segment;
    uint32_t page_shift;
    uint64_t base;
    uint64_t own; /* but for the place in the order of use */
};

static uint64_t *words_at(void *t, uint64_t off)
{
    return (uint64_t *)(void *)((unsigned char *)t + off);
}

static const uint64_t *const_words_at(const void *t, uint64_t off)
{
    return (const uint64_t *)(const void *)((const unsigned char *)t + off);
}

static uint64_t *data_of(struct ww_lds_tx *t, uint32_t segment)
{
    return words_at(t, t->data_off) + (size_t)segment * t->ways;
}

static const uint64_t *const_data_of(const struct ww_lds_tx *t, uint32_t segment)
{
    return const_words_at(t, t->data_off) + (size_t)segment * t->ways;
}

static bool bit_of(const uint64_t *bits, uint32_t i)
{
    return (bits[i / 64] >> (i % 64) & 1) != 0;
}

static void set_bit(uint64_t *bits, uint32_t i, bool on)
{
    const uint64_t bit = (uint64_t)1 << (i % 64);
    bits[i / 64] = on ? bits[i / 64] | bit : bits[i / 64] & ~bit;
}

/* The chunks that a segment lies in: one, or with the layout `apart` that of its tags and one or two of its
 * translations. In quarters of a chunk: tags have one, a quarter of the LDS together; translations three. */
struct chunks {
    uint32_t n, at[3];
};

static struct chunks chunks_of(const struct ww_lds_tx *t, uint32_t segment)
{
    struct chunks p = {1, {segment, 0, 0}};
    if (t->cfg.layout == WW_LDS_TX_TOGETHER)
        return p;
    const uint32_t data = t->segments + 3 * segment;
    p.at[0] = segment / 4;
    p.at[1] = data / 4;
    p.at[2] = (data + 2) / 4;
    p.n = p.at[1] == p.at[2] ? 2 : 3;
    return p;
}

static bool is_tx(const struct ww_lds_tx *t, uint32_t segment)
{
    const struct chunks p = chunks_of(t, segment);
    for (uint32_t i = 0; i < p.n; ++i)
        if (!bit_of(const_words_at(t, t->mode_off), p.at[i]))
            return false;
    return true;
}

/* Has the application a chunk of a segment? */
static bool is_used(const struct ww_lds_tx *t, uint32_t segment)
{
    const struct chunks p = chunks_of(t, segment);
    for (uint32_t i = 0; i < p.n; ++i)
        if (bit_of(const_words_at(t, t->allocated_off), p.at[i]) &&
            !bit_of(const_words_at(t, t->mode_off), p.at[i]))
            return true;
    return false;
}

static uint64_t *tags_of(struct ww_lds_tx *t, uint32_t segment)
{
    return words_at(t, t->tag_off) + (size_t)segment * t->format.words;
}

static uint64_t own_of(const struct ww_lds_tx *t, uint32_t segment, uint32_t way)
{
    const uint64_t *tags = const_words_at(t, t->tag_off) + (size_t)segment * t->format.words;
    return ww_lds_tx_own(&t->format, tags, way);
}

static void put_own(struct ww_lds_tx *t, uint32_t segment, uint32_t way, uint64_t own)
{
    ww_lds_tx_put_own(&t->format, tags_of(t, segment), way, own);
}

static uint64_t base_of(const struct ww_lds_tx *t, uint32_t segment)
{
    return ww_lds_tx_base(&t->format, const_words_at(t, t->tag_off) + (size_t)segment * t->format.words);
}

static void put_base(struct ww_lds_tx *t, uint32_t segment, uint64_t base)
{
    ww_lds_tx_put_base(&t->format, tags_of(t, segment), base);
}

static bool valid(const struct ww_lds_tx *t, uint32_t segment, uint32_t way)
{
    return (own_of(t, segment, way) & WW_LDS_TX_VALID) != 0;
}

static uint32_t held_in(const struct ww_lds_tx *t, uint32_t segment)
{
    uint32_t n = 0;
    for (uint32_t way = 0; way < t->ways; ++way)
        n += valid(t, segment, way);
    return n;
}

static bool legal(const struct ww_lds_tx_cfg *cfg)
{
    return ww_is_pow2(cfg->lds_bytes) && cfg->lds_bytes >= LDS_BYTES_MIN &&
           cfg->lds_bytes <= WW_LDS_TX_MAX_BYTES && (cfg->segment_bytes == 32 || cfg->segment_bytes == 64) &&
           cfg->index <= WW_INDEX_XOR && cfg->mismatch <= WW_LDS_TX_BYPASS &&
           cfg->layout <= WW_LDS_TX_APART && cfg->page_sizes != 0 &&
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
    t->bytes = ww_align64(t->allocated_off + (t->segments + 63) / 64 * sizeof(uint64_t));
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
    const size_t need = plan(&head, cfg);
    if (need == 0)
        return WW_E_ARG;
    if (bytes < need)
        return WW_E_SIZE;
    memset(t, 0, need);
    *t = head;
    return WW_OK;
}

uint32_t ww_lds_tx_segment(const struct ww_lds_tx *t, uint64_t va, uint32_t page_shift)
{
    return ww_set_index(t->cfg.index, va >> page_shift, t->segment_bits);
}

static struct place place_of(const struct ww_lds_tx *t, uint64_t va, uint16_t vmid, uint32_t page_shift)
{
    const uint64_t tag = va >> page_shift >> t->segment_bits;
    struct place p;
    p.segment = ww_lds_tx_segment(t, va, page_shift);
    p.page_shift = page_shift;
    p.base = tag >> t->format.low_bits;
    p.own = ww_bits_put(t->format.low, WW_LDS_TX_VALID, tag & (((uint64_t)1 << t->format.low_bits) - 1));
    p.own = ww_bits_put(WW_LDS_TX_VMID, p.own, vmid);
    return p;
}

/* The way of a segment of the place's base that holds the page, or NO_WAY. */
static uint32_t find_way(const struct ww_lds_tx *t, const struct place *p)
{
    const uint64_t *data = const_data_of(t, p->segment);
    for (uint32_t way = 0; way < t->ways; ++way)
        if (((own_of(t, p->segment, way) ^ p->own) & ~t->format.rank) == 0 &&
            ww_xlat_word_shift(data[way]) == p->page_shift)
            return way;
    return NO_WAY;
}

static bool holdable(uint64_t va, uint16_t vmid)
{
    return va >> WW_LDS_TX_VA_BITS == 0 && vmid < WW_LDS_TX_VMIDS;
}

/* Way and segment of the smallest page that covers va, or NO_WAY. */
static uint32_t find(const struct ww_lds_tx *t, uint64_t va, uint16_t vmid, uint32_t *segment)
{
    if (!holdable(va, vmid))
        return NO_WAY;
    for (uint32_t left = t->cfg.page_sizes; left != 0; left &= left - 1) {
        const struct place p = place_of(t, va, vmid, (uint32_t)__builtin_ctz(left));
        *segment = p.segment;
        if (!is_tx(t, p.segment) || base_of(t, p.segment) != p.base)
            continue;
        const uint32_t way = find_way(t, &p);
        if (way != NO_WAY)
            return way;
    }
    return NO_WAY;
}

/* A translation of rank `before` becomes the newest: those newer than it grow one older. Or it is dropped:
 * those older grow one younger. */
static void reorder(struct ww_lds_tx *t, uint32_t segment, uint64_t before, bool drop)
{
    for (uint32_t way = 0; way < t->ways; ++way) {
        const uint64_t own = own_of(t, segment, way);
        const uint64_t rank = ww_bits_get(t->format.rank, own);
        if ((own & WW_LDS_TX_VALID) == 0 || (drop ? rank <= before : rank >= before))
            continue;
        put_own(t, segment, way, ww_bits_put(t->format.rank, own, drop ? rank - 1 : rank + 1));
    }
}

/* A valid translation becomes the most recently used. */
static void touch(struct ww_lds_tx *t, uint32_t segment, uint32_t way)
{
    reorder(t, segment, ww_bits_get(t->format.rank, own_of(t, segment, way)), false);
    put_own(t, segment, way, ww_bits_put(t->format.rank, own_of(t, segment, way), 0));
}

static void drop_way(struct ww_lds_tx *t, uint32_t segment, uint32_t way)
{
    reorder(t, segment, ww_bits_get(t->format.rank, own_of(t, segment, way)), true);
    put_own(t, segment, way, 0);
    t->live -= 1;
}

/* The page of a valid translation, from its tag and its segment's number. */
static void describe(const struct ww_lds_tx *t, uint32_t segment, uint32_t way, struct ww_mapping *m)
{
    const uint64_t own = own_of(t, segment, way);
    const uint64_t tag = base_of(t, segment) << t->format.low_bits | ww_bits_get(t->format.low, own);
    const uint64_t high = tag << t->segment_bits;
    const uint32_t low = segment ^ ww_set_index(t->cfg.index, high, t->segment_bits);
    m->xlat = ww_xlat_of_word(const_data_of(t, segment)[way]);
    m->va = (high | low) << m->xlat.page_shift;
    m->vmid = (uint16_t)ww_bits_get(WW_LDS_TX_VMID, own);
}

static bool lookup(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    struct ww_lds_tx *t = store;
    uint32_t segment = 0;
    const uint32_t way = find(t, va, vmid, &segment);
    if (way == NO_WAY)
        return false;
    touch(t, segment, way);
    *out = ww_xlat_of_word(data_of(t, segment)[way]);
    return true;
}

static bool probe(const void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    const struct ww_lds_tx *t = store;
    uint32_t segment = 0;
    const uint32_t way = find(t, va, vmid, &segment);
    if (way == NO_WAY)
        return false;
    *out = ww_xlat_of_word(const_data_of(t, segment)[way]);
    return true;
}

static bool take(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    struct ww_lds_tx *t = store;
    uint32_t segment = 0;
    const uint32_t way = find(t, va, vmid, &segment);
    if (way == NO_WAY)
        return false;
    *out = ww_xlat_of_word(data_of(t, segment)[way]);
    drop_way(t, segment, way);
    return true;
}

/* The lowest free way of a segment, else the least recently used. */
static uint32_t way_to_fill(const struct ww_lds_tx *t, uint32_t segment)
{
    uint32_t oldest = 0;
    for (uint32_t way = 0; way < t->ways; ++way) {
        if (!valid(t, segment, way))
            return way;
        if (ww_bits_get(t->format.rank, own_of(t, segment, way)) == t->ways - 1)
            oldest = way;
    }
    return oldest;
}

/* All translations of a segment leave, the lowest way first; returns how many. */
static uint32_t empty(struct ww_lds_tx *t, uint32_t segment, struct ww_mapping *victims)
{
    uint32_t n = 0;
    for (uint32_t way = 0; way < t->ways; ++way) {
        if (!valid(t, segment, way))
            continue;
        if (victims != NULL)
            describe(t, segment, way, &victims[n]);
        n += 1;
    }
    t->live -= n;
    put_base(t, segment, 0);
    return n;
}

/* May the segment take a page of this base? It is Tx-mode and has the base then. */
static bool make_room(struct ww_lds_tx *t, const struct place *p, struct ww_mapping *victims, uint32_t *left)
{
    if (!is_tx(t, p->segment)) {
        if (is_used(t, p->segment)) {
            t->counts.bypassed_mode += 1;
            return false;
        }
        const struct chunks chunks = chunks_of(t, p->segment);
        t->counts.opened += 1;
        for (uint32_t i = 0; i < chunks.n; ++i)
            set_bit(words_at(t, t->mode_off), chunks.at[i], true);
        put_base(t, p->segment, p->base);
        return true;
    }
    if (base_of(t, p->segment) == p->base)
        return true;
    const uint32_t held = held_in(t, p->segment);
    if (held != 0 && t->cfg.mismatch == WW_LDS_TX_BYPASS) {
        t->counts.bypassed_base += 1;
        return false;
    }
    *left = empty(t, p->segment, victims);
    t->counts.rebases += held != 0;
    t->counts.rebased += *left;
    put_base(t, p->segment, p->base);
    return true;
}

static struct ww_store_entered insert(void *store, const struct ww_mapping *m, struct ww_mapping *victims)
{
    struct ww_lds_tx *t = store;
    WW_ASSERT(m->xlat.page_shift < 32 && (t->cfg.page_sizes >> m->xlat.page_shift & 1) != 0);
    WW_ASSERT((m->xlat.page_pa & ww_page_mask(m->xlat.page_shift)) == 0);
    if (!holdable(m->va, m->vmid))
        return (struct ww_store_entered){WW_STORE_REFUSED, 0};
    const struct place p = place_of(t, m->va, m->vmid, m->xlat.page_shift);
    uint32_t left = 0;
    if (!make_room(t, &p, victims, &left))
        return (struct ww_store_entered){WW_STORE_PASSED, 0};
    uint32_t way = find_way(t, &p);
    const bool refreshed = way != NO_WAY;
    if (!refreshed) {
        way = way_to_fill(t, p.segment);
        if (valid(t, p.segment, way)) {
            if (victims != NULL)
                describe(t, p.segment, way, victims);
            left = 1;
            t->counts.displaced += 1;
            drop_way(t, p.segment, way);
        }
        /* Older than all, so that touch() makes every other one older. */
        put_own(t, p.segment, way, p.own | t->format.rank);
        t->live += 1;
    }
    touch(t, p.segment, way);
    data_of(t, p.segment)[way] = ww_xlat_word(&m->xlat);
    return (struct ww_store_entered){refreshed ? WW_STORE_REFRESHED : WW_STORE_KEPT, left};
}

static uint32_t invalidate(void *store, const struct ww_inval_scope *scope)
{
    struct ww_lds_tx *t = store;
    uint32_t dropped = 0;
    for (uint32_t segment = 0; segment < t->segments; ++segment) {
        if (!is_tx(t, segment))
            continue;
        for (uint32_t way = 0; way < t->ways; ++way) {
            if (!valid(t, segment, way))
                continue;
            struct ww_mapping m;
            describe(t, segment, way, &m);
            if (!ww_inval_covers(scope, m.va, m.xlat.page_shift, m.vmid))
                continue;
            drop_way(t, segment, way);
            dropped += 1;
        }
    }
    return dropped;
}

static void flush(void *store)
{
    struct ww_lds_tx *t = store;
    memset(words_at(t, t->tag_off), 0, (size_t)(t->allocated_off - t->tag_off));
    t->live = 0;
}

/* Numbers first to last. */
struct range {
    uint32_t first, last;
};

/* Chunks that bytes [at, at + bytes) touch. */
static struct range chunks_at(const struct ww_lds_tx *t, uint64_t at, uint64_t bytes)
{
    WW_ASSERT(bytes != 0 && bytes <= t->cfg.lds_bytes && at <= t->cfg.lds_bytes - bytes);
    const struct range r = {(uint32_t)(at / t->cfg.segment_bytes),
                            (uint32_t)((at + bytes - 1) / t->cfg.segment_bytes)};
    return r;
}

/* Segments that lie in a chunk. */
static struct range segments_in(const struct ww_lds_tx *t, uint32_t chunk)
{
    struct range r = {chunk, chunk};
    if (t->cfg.layout == WW_LDS_TX_TOGETHER)
        return r;
    r.first = 4 * chunk;
    r.last = 4 * chunk + 3;
    if (r.first >= t->segments) { /* not a chunk of tags */
        r.first = (r.first - t->segments) / 3;
        r.last = (r.last - t->segments) / 3;
    }
    return r;
}

static void set_allocated(struct ww_lds_tx *t, uint64_t first, uint64_t bytes, bool on)
{
    const struct range r = chunks_at(t, first, bytes);
    for (uint32_t chunk = r.first; chunk <= r.last; ++chunk)
        set_bit(words_at(t, t->allocated_off), chunk, on);
}

/* Bytes that would be read and written so that what an allocation covers of tags and translations stays. */
static uint64_t readjustment(const struct ww_lds_tx *t, struct range covered)
{
    uint64_t bytes = 0;
    for (uint32_t segment = 0; segment < t->segments; ++segment) {
        const uint32_t held = held_in(t, segment);
        const struct chunks p = chunks_of(t, segment);
        bool meets = false;
        for (uint32_t i = 0; i < p.n; ++i)
            meets = meets || (p.at[i] >= covered.first && p.at[i] <= covered.last);
        if (held != 0 && meets)
            bytes += 2 * sizeof(uint64_t) * (t->format.words + held);
    }
    return bytes;
}

void ww_lds_tx_allocate(struct ww_lds_tx *t, uint64_t first, uint64_t bytes)
{
    if (t->cfg.layout == WW_LDS_TX_APART)
        t->counts.readjusted += readjustment(t, chunks_at(t, first, bytes));
    set_allocated(t, first, bytes, true);
}

void ww_lds_tx_release(struct ww_lds_tx *t, uint64_t first, uint64_t bytes)
{
    set_allocated(t, first, bytes, false);
}

/* A chunk is the application's: the translations that it has a part of are lost. Returns how many. */
static uint32_t claim_chunk(struct ww_lds_tx *t, uint32_t chunk)
{
    const struct range r = segments_in(t, chunk);
    const bool tags = 4 * chunk < t->segments;
    uint32_t dropped = 0;
    for (uint32_t segment = r.first; segment <= r.last; ++segment) {
        const uint32_t held = empty(t, segment, NULL);
        dropped += held;
        if (t->cfg.layout == WW_LDS_TX_APART && held != 0)
            t->counts.orphaned += sizeof(uint64_t) * (tags ? held : t->format.words);
    }
    set_bit(words_at(t, t->mode_off), chunk, false);
    t->counts.claimed += 1;
    return dropped;
}

uint32_t ww_lds_tx_access(struct ww_lds_tx *t, uint64_t first, uint64_t bytes)
{
    const struct range r = chunks_at(t, first, bytes);
    uint32_t dropped = 0;
    for (uint32_t chunk = r.first; chunk <= r.last; ++chunk) {
        WW_ASSERT(bit_of(const_words_at(t, t->allocated_off), chunk));
        if (bit_of(const_words_at(t, t->mode_off), chunk))
            dropped += claim_chunk(t, chunk);
    }
    t->counts.dropped += dropped;
    return dropped;
}

enum ww_lds_tx_mode ww_lds_tx_mode_of(const struct ww_lds_tx *t, uint32_t segment)
{
    WW_ASSERT(segment < t->segments);
    if (is_tx(t, segment))
        return WW_LDS_TX_TX;
    return is_used(t, segment) ? WW_LDS_TX_USED : WW_LDS_TX_IDLE;
}

uint64_t ww_lds_tx_extra_bits(const struct ww_lds_tx_cfg *cfg)
{
    return cfg->lds_bytes / cfg->segment_bytes;
}

uint64_t ww_lds_tx_bits(const struct ww_lds_tx_cfg *cfg)
{
    return cfg->lds_bytes * UINT64_C(8) + ww_lds_tx_extra_bits(cfg);
}

static const char *check_segment(const struct ww_lds_tx *t, uint32_t segment)
{
    const uint32_t held = held_in(t, segment);
    const uint64_t base = base_of(t, segment);
    uint32_t ranks = 0;
    if (!is_tx(t, segment) && (held != 0 || base != 0))
        return "lds_tx: tags in a segment of the application's";
    if (base >> t->format.base_bits != 0)
        return "lds_tx: a base with more bits than a tag";
    for (uint32_t way = 0; way < t->ways; ++way) {
        const uint64_t own = own_of(t, segment, way);
        if ((own & WW_LDS_TX_VALID) == 0) {
            if (own != 0)
                return "lds_tx: a tag without a translation";
            continue;
        }
        if ((own & WW_LDS_TX_VRFID) != 0)
            return "lds_tx: a virtual function other than 0";
        ranks |= 1u << ww_bits_get(t->format.rank, own);
        struct ww_mapping m;
        describe(t, segment, way, &m);
        if ((t->cfg.page_sizes >> m.xlat.page_shift & 1) == 0)
            return "lds_tx: a page size that is not configured";
        const struct place p = place_of(t, m.va, m.vmid, m.xlat.page_shift);
        if (find_way(t, &p) != way)
            return "lds_tx: a page is held twice";
    }
    return ranks == (1u << held) - 1 ? NULL : "lds_tx: the order of use has a gap";
}

static const char *check(const void *store)
{
    const struct ww_lds_tx *t = store;
    uint32_t live = 0;
    for (uint32_t segment = 0; segment < t->segments; ++segment) {
        const char *broken = check_segment(t, segment);
        if (broken != NULL)
            return broken;
        live += held_in(t, segment);
    }
    return live == t->live ? NULL : "lds_tx: the count of translations is wrong";
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

static uint32_t most_victims(const void *store)
{
    const struct ww_lds_tx *t = store;
    return t->cfg.mismatch == WW_LDS_TX_REBASE ? t->ways : 1;
}

static uint32_t claim(void *store, uint64_t first, uint64_t bytes)
{
    ww_lds_tx_allocate(store, first, bytes);
    return ww_lds_tx_access(store, first, bytes);
}

static void release(void *store, uint64_t first, uint64_t bytes)
{
    ww_lds_tx_release(store, first, bytes);
}

static uint32_t count(const void *store)
{
    return ((const struct ww_lds_tx *)store)->live;
}

static uint32_t probes(const void *store)
{
    return ((const struct ww_lds_tx *)store)->sizes;
}

/* The format is the paper's, whatever the machine's addresses. */
static uint64_t bits(const void *store, const struct ww_widths *w)
{
    (void)w;
    return ww_lds_tx_bits(&((const struct ww_lds_tx *)store)->cfg);
}

const struct ww_store_kind ww_lds_tx_store = {
    .name = "lds_tx",
    .lookup = lookup,
    .probe = probe,
    .insert = insert,
    .most_victims = most_victims,
    .take = take,
    .invalidate = invalidate,
    .claim = claim,
    .release = release,
    .flush = flush,
    .count = count,
    .probes = probes,
    .check = check,
    .bits = bits,
};

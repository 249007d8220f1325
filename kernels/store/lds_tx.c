/* SPDX-License-Identifier: MIT */
/* kernels/store/lds_tx.c - see lds_tx.h: the translations, as a store. */
#include "kernels/store/lds_tx_segments.h"

#include <string.h>

#define NO_WAY UINT32_MAX

/* The segment and the tag fields of a page. */
struct place {
    uint32_t segment;
    uint32_t page_shift;
    uint64_t base;
    uint64_t own; /* own bits, with rank 0 */
};

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

/* Returns the way that holds the page, or NO_WAY. Required: the segment has the place's base. */
static uint32_t find_way(const struct ww_lds_tx *t, const struct place *p)
{
    const uint64_t *data = ww_lds_tx_const_data_of(t, p->segment);
    for (uint32_t way = 0; way < t->ways; ++way)
        if (((ww_lds_tx_own_of(t, p->segment, way) ^ p->own) & ~t->format.rank) == 0 &&
            ww_xlat_word_shift(data[way]) == p->page_shift)
            return way;
    return NO_WAY;
}

static bool holdable(uint64_t va, uint16_t vmid)
{
    return va >> WW_LDS_TX_VA_BITS == 0 && vmid < WW_LDS_TX_VMIDS;
}

/* Returns the way of the smallest page that covers va and sets *segment, or returns NO_WAY. */
static uint32_t find(const struct ww_lds_tx *t, uint64_t va, uint16_t vmid, uint32_t *segment)
{
    if (!holdable(va, vmid))
        return NO_WAY;
    for (uint32_t left = t->cfg.page_sizes; left != 0; left &= left - 1) {
        const struct place p = place_of(t, va, vmid, (uint32_t)__builtin_ctz(left));
        *segment = p.segment;
        if (!ww_lds_tx_is_tx(t, p.segment) || ww_lds_tx_base_of(t, p.segment) != p.base)
            continue;
        const uint32_t way = find_way(t, &p);
        if (way != NO_WAY)
            return way;
    }
    return NO_WAY;
}

/* Ages the translations newer than rank `before` by one or, with `drop`, makes the older ones one younger. */
static void reorder(struct ww_lds_tx *t, uint32_t segment, uint64_t before, bool drop)
{
    for (uint32_t way = 0; way < t->ways; ++way) {
        const uint64_t own = ww_lds_tx_own_of(t, segment, way);
        const uint64_t rank = ww_bits_get(t->format.rank, own);
        if ((own & WW_LDS_TX_VALID) == 0 || (drop ? rank <= before : rank >= before))
            continue;
        ww_lds_tx_set_own(t, segment, way, ww_bits_put(t->format.rank, own, drop ? rank - 1 : rank + 1));
    }
}

static void touch(struct ww_lds_tx *t, uint32_t segment, uint32_t way)
{
    reorder(t, segment, ww_bits_get(t->format.rank, ww_lds_tx_own_of(t, segment, way)), false);
    ww_lds_tx_set_own(t, segment, way, ww_bits_put(t->format.rank, ww_lds_tx_own_of(t, segment, way), 0));
}

static void drop_way(struct ww_lds_tx *t, uint32_t segment, uint32_t way)
{
    reorder(t, segment, ww_bits_get(t->format.rank, ww_lds_tx_own_of(t, segment, way)), true);
    ww_lds_tx_set_own(t, segment, way, 0);
    t->live -= 1;
}

static bool lookup(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    struct ww_lds_tx *t = store;
    uint32_t segment = 0;
    const uint32_t way = find(t, va, vmid, &segment);
    if (way == NO_WAY)
        return false;
    touch(t, segment, way);
    *out = ww_xlat_of_word(ww_lds_tx_data_of(t, segment)[way]);
    return true;
}

static bool probe(const void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    const struct ww_lds_tx *t = store;
    uint32_t segment = 0;
    const uint32_t way = find(t, va, vmid, &segment);
    if (way == NO_WAY)
        return false;
    *out = ww_xlat_of_word(ww_lds_tx_const_data_of(t, segment)[way]);
    return true;
}

static bool take(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    struct ww_lds_tx *t = store;
    uint32_t segment = 0;
    const uint32_t way = find(t, va, vmid, &segment);
    if (way == NO_WAY)
        return false;
    *out = ww_xlat_of_word(ww_lds_tx_data_of(t, segment)[way]);
    drop_way(t, segment, way);
    return true;
}

/* Returns the lowest free way of a segment, else the least recently used. */
static uint32_t way_to_fill(const struct ww_lds_tx *t, uint32_t segment)
{
    uint32_t oldest = 0;
    for (uint32_t way = 0; way < t->ways; ++way) {
        if (!ww_lds_tx_is_valid(t, segment, way))
            return way;
        if (ww_bits_get(t->format.rank, ww_lds_tx_own_of(t, segment, way)) == t->ways - 1)
            oldest = way;
    }
    return oldest;
}

/* Makes the segment Tx-mode with the page's base. Returns false if the page is to bypass it. */
static bool make_room(struct ww_lds_tx *t, const struct place *p, struct ww_mapping *victims, uint32_t *left)
{
    if (!ww_lds_tx_is_tx(t, p->segment)) {
        if (ww_lds_tx_is_used(t, p->segment)) {
            t->counts.bypassed_mode += 1;
            return false;
        }
        const struct ww_lds_tx_chunks chunks = ww_lds_tx_chunks_of(t, p->segment);
        t->counts.opened += 1;
        for (uint32_t i = 0; i < chunks.n; ++i)
            ww_lds_tx_set_bit(ww_lds_tx_words_at(t, t->mode_off), chunks.at[i], true);
        ww_lds_tx_set_base(t, p->segment, p->base);
        return true;
    }
    if (ww_lds_tx_base_of(t, p->segment) == p->base)
        return true;
    const uint32_t held = ww_lds_tx_held_in(t, p->segment);
    if (held != 0 && t->cfg.mismatch == WW_LDS_TX_BYPASS) {
        t->counts.bypassed_base += 1;
        return false;
    }
    *left = ww_lds_tx_empty(t, p->segment, victims);
    t->counts.rebases += held != 0;
    t->counts.rebased += *left;
    ww_lds_tx_set_base(t, p->segment, p->base);
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
        if (ww_lds_tx_is_valid(t, p.segment, way)) {
            if (victims != NULL)
                ww_lds_tx_describe(t, p.segment, way, victims);
            left = 1;
            t->counts.displaced += 1;
            drop_way(t, p.segment, way);
        }
        /* It begins as the oldest, so that touch() ages all others. */
        ww_lds_tx_set_own(t, p.segment, way, p.own | t->format.rank);
        t->live += 1;
    }
    touch(t, p.segment, way);
    ww_lds_tx_data_of(t, p.segment)[way] = ww_xlat_word(&m->xlat);
    return (struct ww_store_entered){refreshed ? WW_STORE_REFRESHED : WW_STORE_KEPT, left};
}

static uint32_t invalidate(void *store, const struct ww_inval_scope *scope)
{
    struct ww_lds_tx *t = store;
    uint32_t dropped = 0;
    for (uint32_t segment = 0; segment < t->segments; ++segment) {
        if (!ww_lds_tx_is_tx(t, segment))
            continue;
        for (uint32_t way = 0; way < t->ways; ++way) {
            if (!ww_lds_tx_is_valid(t, segment, way))
                continue;
            struct ww_mapping m;
            ww_lds_tx_describe(t, segment, way, &m);
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
    memset(ww_lds_tx_words_at(t, t->tag_off), 0, (size_t)(t->allocated_off - t->tag_off));
    t->live = 0;
}

static const char *check_segment(const struct ww_lds_tx *t, uint32_t segment)
{
    const uint32_t held = ww_lds_tx_held_in(t, segment);
    const uint64_t base = ww_lds_tx_base_of(t, segment);
    uint32_t ranks = 0;
    if (!ww_lds_tx_is_tx(t, segment) && (held != 0 || base != 0))
        return "lds_tx: tags in a segment of the application's";
    if (base >> t->format.base_bits != 0)
        return "lds_tx: a base with more bits than a tag";
    for (uint32_t way = 0; way < t->ways; ++way) {
        const uint64_t own = ww_lds_tx_own_of(t, segment, way);
        if ((own & WW_LDS_TX_VALID) == 0) {
            if (own != 0)
                return "lds_tx: a tag without a translation";
            continue;
        }
        if ((own & WW_LDS_TX_VRFID) != 0)
            return "lds_tx: a virtual function other than 0";
        ranks |= 1u << ww_bits_get(t->format.rank, own);
        struct ww_mapping m;
        ww_lds_tx_describe(t, segment, way, &m);
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
        live += ww_lds_tx_held_in(t, segment);
    }
    return live == t->live ? ww_lds_tx_check_places(t) : "lds_tx: the count of translations is wrong";
}

static uint32_t most_victims(const void *store)
{
    const struct ww_lds_tx *t = store;
    return t->cfg.mismatch == WW_LDS_TX_REBASE ? t->ways : 1;
}

static uint32_t claim(void *store, uint64_t first, uint64_t bytes)
{
    const uint32_t moved_out = ww_lds_tx_allocate(store, first, bytes);
    return moved_out + ww_lds_tx_access(store, first, bytes);
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

/* The paper's format holds for any address width. */
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

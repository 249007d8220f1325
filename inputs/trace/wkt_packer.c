/* SPDX-License-Identifier: MIT */
/* trace/wkt_packer.c - writes one work-group as a compressed block (docs/develop/trace-format.md,
 * "Work-group"). Takes the first form that fits a record's addresses, the short ones first; a record is the
 * difference to the last one of its site. Memory: twice the group's bytes, its sites, 8 bytes per record, and
 * its compressed form; storage is kept for the next group. Thread-safety: one owner; packers of different
 * threads are independent. */
#include "trace/wkt_internal.h"

#include <stdlib.h>
#include <zstd.h>

#define RECORD_ROOM (16u + 10u * 8u + 8u * WKT_WAVE_LANES)

struct use_entry {
    uint32_t site, use;
};

struct wave {
    struct wkt_buf records;
    struct wkt_site *sites;
    uint32_t *index; /* open-addressed: site + 1, 0 = empty */
    struct use_entry *uses;
    uint32_t sites_n, sites_cap, index_cap;
    uint32_t records_n, uses_cap, tail;
    uint64_t lanes, mask;
};

struct wkt_packer {
    ZSTD_CCtx *zstd;
    struct wave *waves;
    uint32_t waves_n, waves_cap, tile_width, wave_lanes;
    struct wkt_buf raw, stored;
    struct wkt_packed result;
    bool done;
};

struct shape {
    uint8_t form, width, phase;
    uint64_t base, stride, pitch;
};

struct wkt_packer *wkt_packer_new(int level)
{
    struct wkt_packer *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->zstd = ZSTD_createCCtx();
    if (!p->zstd) {
        free(p);
        return NULL;
    }
    ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, level ? level : 3);
    p->wave_lanes = WKT_WAVE_LANES;
    return p;
}

int wkt_packer_wave_lanes(struct wkt_packer *p, uint32_t lanes)
{
    if (!wkt_legal_wave_lanes(lanes))
        return WKT_E_ARG;
    p->wave_lanes = lanes;
    return WKT_OK;
}

void wkt_packer_free(struct wkt_packer *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->waves_cap; i++) {
        free(p->waves[i].records.p);
        free(p->waves[i].sites);
        free(p->waves[i].index);
        free(p->waves[i].uses);
    }
    free(p->waves);
    free(p->raw.p);
    free(p->stored.p);
    ZSTD_freeCCtx(p->zstd);
    free(p);
}

void wkt_packer_begin(struct wkt_packer *p, uint32_t tile_width)
{
    p->waves_n = 0;
    p->tile_width = tile_width;
    p->done = false;
    memset(&p->result, 0, sizeof p->result);
    p->result.totals.groups = 1;
}

int wkt_packer_wave(struct wkt_packer *p, uint64_t lanes)
{
    if (lanes == 0 || wkt_beyond_wave(lanes, p->wave_lanes) || p->done)
        return WKT_E_ARG;
    if (p->waves_n == p->waves_cap) {
        uint32_t cap = p->waves_cap ? p->waves_cap * 2 : 16;
        struct wave *waves = realloc(p->waves, cap * sizeof *waves);
        if (!waves)
            return WKT_E_MEMORY;
        memset(waves + p->waves_cap, 0, (cap - p->waves_cap) * sizeof *waves);
        p->waves = waves;
        p->waves_cap = cap;
    }
    struct wave *w = &p->waves[p->waves_n++];
    w->records.n = 0;
    w->sites_n = 0;
    w->records_n = 0;
    w->tail = 0;
    w->lanes = lanes;
    w->mask = lanes;
    if (w->index)
        memset(w->index, 0, w->index_cap * sizeof *w->index);
    p->result.totals.waves++;
    return WKT_OK;
}

static uint32_t site_slot(const struct wave *w, uint32_t pc, uint8_t kind, uint8_t bytes)
{
    uint32_t slot = (pc * 0x9E3779B1u ^ (uint32_t)kind << 8 ^ bytes) & (w->index_cap - 1);
    while (w->index[slot]) {
        const struct wkt_site *s = &w->sites[w->index[slot] - 1];
        if (s->pc == pc && s->kind == kind && s->bytes == bytes)
            break;
        slot = (slot + 1) & (w->index_cap - 1);
    }
    return slot;
}

static bool sites_room(struct wave *w)
{
    if (w->sites_n < w->sites_cap)
        return true;
    uint32_t cap = w->sites_cap ? w->sites_cap * 2 : 16;
    uint32_t *index = calloc(cap * 2u, sizeof *index);
    if (!index)
        return false;
    struct wkt_site *sites = realloc(w->sites, cap * sizeof *sites);
    if (!sites) {
        free(index);
        return false;
    }
    free(w->index);
    w->sites = sites;
    w->sites_cap = cap;
    w->index = index;
    w->index_cap = cap * 2;
    for (uint32_t i = 0; i < w->sites_n; i++)
        w->index[site_slot(w, sites[i].pc, sites[i].kind, sites[i].bytes)] = i + 1;
    return true;
}

static bool uses_room(struct wave *w)
{
    if (w->records_n < w->uses_cap)
        return true;
    uint32_t cap = w->uses_cap ? w->uses_cap * 2 : 64;
    struct use_entry *uses = realloc(w->uses, cap * sizeof *uses);
    if (!uses)
        return false;
    w->uses = uses;
    w->uses_cap = cap;
    return true;
}

/* Sets *step to difference / steps. Returns false if the division is not exact. */
static bool exact_step(uint64_t difference, uint32_t steps, uint64_t *step)
{
    int64_t d = (int64_t)difference;
    if (d % (int64_t)steps != 0)
        return false;
    *step = (uint64_t)(d / (int64_t)steps);
    return true;
}

static bool find_stride(const struct wkt_record *r, struct shape *s)
{
    uint32_t first = wkt_first64(r->mask);
    uint64_t rest = r->mask & (r->mask - 1);
    s->form = WKT_UNIFORM;
    s->base = r->va[first];
    s->stride = 0;
    if (!rest)
        return true;
    uint32_t second = wkt_first64(rest);
    if (!exact_step(r->va[second] - s->base, second - first, &s->stride))
        return false;
    uint64_t base = s->base - first * s->stride;
    if (r->mask == UINT64_MAX) {
        uint64_t wrong = 0;
        for (uint32_t l = 0; l < WKT_WAVE_LANES; l++)
            wrong |= r->va[l] ^ (base + l * s->stride);
        if (wrong)
            return false;
    } else {
        for (; rest; rest &= rest - 1) {
            uint32_t l = wkt_first64(rest);
            if (r->va[l] != base + l * s->stride)
                return false;
        }
    }
    if (s->stride) {
        s->form = WKT_STRIDE;
        s->base = base;
    }
    return true;
}

static bool find_tile(const struct wkt_record *r, uint32_t width, uint32_t phase, struct shape *s)
{
    uint32_t first = wkt_first64(r->mask) + phase, row0 = first / width, col0 = first % width;
    uint64_t va0 = r->va[first - phase], stride = 0, pitch = 0, last_va = va0;
    uint32_t last_row = row0, last_col = col0;
    bool has_stride = false, has_pitch = false;
    /* two lanes of one row give the stride; any lane of another row then gives the pitch */
    for (uint64_t rest = r->mask & (r->mask - 1); rest && !has_stride; rest &= rest - 1) {
        uint32_t l = wkt_first64(rest), row = (l + phase) / width, col = (l + phase) % width;
        if (row == last_row) {
            if (!exact_step(r->va[l] - last_va, col - last_col, &stride))
                return false;
            has_stride = true;
        }
        last_row = row;
        last_col = col;
        last_va = r->va[l];
    }
    for (uint64_t rest = r->mask & (r->mask - 1); rest; rest &= rest - 1) {
        uint32_t l = wkt_first64(rest), row = (l + phase) / width, col = (l + phase) % width;
        uint64_t in_row = r->va[l] - va0 - (uint64_t)((int64_t)col - (int64_t)col0) * stride;
        if (row != row0 && !has_pitch) {
            if (!exact_step(in_row, row - row0, &pitch))
                return false;
            has_pitch = true;
        }
        if (in_row != (row - row0) * pitch)
            return false;
    }
    s->form = WKT_TILE;
    s->width = (uint8_t)width;
    s->phase = (uint8_t)phase;
    s->stride = stride;
    s->pitch = pitch;
    s->base = va0 - col0 * stride - row0 * pitch;
    return true;
}

static void find_shape(const struct wkt_packer *p, uint32_t wave, const struct wkt_record *r, struct shape *s)
{
    memset(s, 0, sizeof *s);
    if (find_stride(r, s))
        return;
    uint32_t hint = p->tile_width;
    if (hint > 1 && hint < WKT_WAVE_LANES &&
        find_tile(r, hint, (uint32_t)((uint64_t)wave * p->wave_lanes % hint), s))
        return;
    for (uint32_t width = 32; width >= 2; width /= 2) {
        if (width != hint && find_tile(r, width, 0, s))
            return;
    }
    s->form = WKT_LANES;
    s->base = UINT64_MAX;
    for (uint64_t rest = r->mask; rest; rest &= rest - 1) {
        uint64_t va = r->va[wkt_first64(rest)];
        s->base = va < s->base ? va : s->base;
    }
}

static void put_lanes(struct wkt_buf *b, const struct wkt_record *r, uint64_t base)
{
    uint64_t all = 0;
    for (uint64_t rest = r->mask; rest; rest &= rest - 1)
        all |= r->va[wkt_first64(rest)] - base;
    uint32_t shift = all ? wkt_first64(all) : 0;
    all >>= shift;
    uint32_t code = all <= UINT8_MAX ? 0 : all <= UINT16_MAX ? 1 : all <= UINT32_MAX ? 2 : 3;
    wkt_buf_u8(b, (uint8_t)(code << 6 | shift));
    for (uint64_t rest = r->mask; rest; rest &= rest - 1) {
        uint64_t v = (r->va[wkt_first64(rest)] - base) >> shift;
        for (uint32_t i = 0; i < (1u << code); i++)
            wkt_buf_u8(b, (uint8_t)(v >> (8 * i)));
    }
}

int wkt_packer_record(struct wkt_packer *p, uint32_t wave, const struct wkt_record *r, uint32_t *number)
{
    bool barrier = r->kind == WKT_BARRIER;
    if (wave >= p->waves_n || p->done || r->kind >= WKT_KINDS || r->mask == 0 || r->bytes > WKT_BYTES_MAX ||
        barrier != (r->bytes == 0) || (r->mask & ~p->waves[wave].lanes))
        return WKT_E_ARG;
    struct wave *w = &p->waves[wave];
    if (w->records.n > WKT_RAW_MAX)
        return WKT_E_LIMIT;
    if (!sites_room(w) || !uses_room(w) || !wkt_buf_room(&w->records, RECORD_ROOM))
        return WKT_E_MEMORY;

    struct shape s = {0};
    if (!barrier)
        find_shape(p, wave, r, &s);
    uint32_t slot = site_slot(w, r->pc, r->kind, r->bytes);
    bool fresh = w->index[slot] == 0;
    if (fresh) {
        memset(&w->sites[w->sites_n], 0, sizeof *w->sites);
        w->index[slot] = ++w->sites_n;
    }
    uint32_t site_idx = w->index[slot] - 1;
    struct wkt_site *site = &w->sites[site_idx];

    uint64_t step = s.base - site->base;
    bool new_mask = r->mask != w->mask;
    bool new_compute = r->compute != site->compute;
    bool new_base = !barrier && step != site->step;
    bool new_shape = (s.form == WKT_STRIDE && s.stride != site->stride) ||
                     (s.form == WKT_TILE && (s.stride != site->stride || s.pitch != site->pitch ||
                                             s.width != site->width || s.phase != site->phase));
    struct wkt_buf *b = &w->records;
    wkt_buf_u8(b, (uint8_t)(s.form | (new_mask ? WKT_F_MASK : 0) | (new_compute ? WKT_F_COMPUTE : 0) |
                            (new_shape ? WKT_F_SHAPE : 0) | (new_base ? WKT_F_BASE : 0) |
                            (fresh ? WKT_F_SITE : 0)));
    if (fresh) {
        site->pc = r->pc;
        site->kind = r->kind;
        site->bytes = r->bytes;
        wkt_buf_varint(b, r->pc);
        wkt_buf_u8(b, r->kind);
        wkt_buf_u8(b, r->bytes);
    } else {
        wkt_buf_varint(b, site_idx);
    }
    if (new_compute)
        wkt_buf_varint(b, site->compute = r->compute);
    if (new_mask) {
        w->mask = r->mask;
        wkt_put64(b->p + b->n, r->mask);
        b->n += 8;
    }
    if (new_base)
        wkt_buf_varint(b, wkt_zigzag(site->step = step));
    if (new_shape) {
        site->stride = s.stride;
        wkt_buf_varint(b, wkt_zigzag(s.stride));
        if (s.form == WKT_TILE) {
            site->pitch = s.pitch;
            site->width = s.width;
            site->phase = s.phase;
            wkt_buf_varint(b, wkt_zigzag(s.pitch));
            wkt_buf_u8(b, s.width);
            wkt_buf_u8(b, s.phase);
        }
    }
    if (s.form == WKT_LANES)
        put_lanes(b, r, s.base);
    site->base = barrier ? site->base : s.base;

    w->uses[w->records_n] = (struct use_entry){site_idx, r->use};
    if (number)
        *number = w->records_n;
    w->records_n++;
    p->result.totals.records[r->kind]++;
    p->result.totals.lanes[r->kind] += wkt_count64(r->mask);
    p->result.totals.compute += r->compute;
    return WKT_OK;
}

void wkt_packer_use(struct wkt_packer *p, uint32_t wave, uint32_t number, uint32_t use)
{
    if (wave < p->waves_n && number < p->waves[wave].records_n)
        p->waves[wave].uses[number].use = use;
}

void wkt_packer_tail(struct wkt_packer *p, uint32_t wave, uint32_t compute)
{
    if (wave < p->waves_n && !p->done) {
        p->result.totals.compute -= p->waves[wave].tail;
        p->result.totals.compute += compute;
        p->waves[wave].tail = compute;
    }
}

/* Writes runs of records with the same use as the last record of their site: the length of a run, then the
 * use that differs, as use + 2 modulo 2^32 so that the two special values take one byte. */
static bool put_uses(struct wkt_buf *b, struct wave *w)
{
    for (uint32_t i = 0; i < w->sites_n; i++)
        w->sites[i].use = WKT_USE_NEVER;
    uint64_t run = 0;
    for (uint32_t i = 0; i < w->records_n; i++, run++) {
        struct wkt_site *site = &w->sites[w->uses[i].site];
        if (w->uses[i].use == site->use)
            continue;
        if (!wkt_buf_room(b, 20))
            return false;
        wkt_buf_varint(b, run);
        wkt_buf_varint(b, (uint32_t)(w->uses[i].use + 2u));
        site->use = w->uses[i].use;
        run = UINT64_MAX; /* the loop's step makes it 0: this record is not part of the next run */
    }
    return true;
}

int wkt_packer_lay_out(struct wkt_packer *p, const struct wkt_buf **raw)
{
    if (p->done)
        return WKT_E_ARG;
    struct wkt_buf *b = &p->raw;
    b->n = 0;
    size_t heads = WKT_GROUP_HEADER_BYTES + (size_t)p->waves_n * WKT_WAVE_HEADER_BYTES;
    if (!wkt_buf_room(b, heads))
        return WKT_E_MEMORY;
    memset(b->p, 0, heads);
    wkt_put32(b->p, p->waves_n);
    b->n = heads;
    for (uint32_t i = 0; i < p->waves_n; i++) {
        struct wave *w = &p->waves[i];
        if (!wkt_buf_room(b, w->records.n + 20))
            return WKT_E_MEMORY;
        if (w->records.n)
            memcpy(b->p + b->n, w->records.p, w->records.n);
        b->n += w->records.n;
        size_t uses = b->n;
        if (!put_uses(b, w))
            return WKT_E_MEMORY;
        if (b->n > WKT_RAW_MAX)
            return WKT_E_LIMIT;
        uint8_t *h = b->p + WKT_GROUP_HEADER_BYTES + (size_t)i * WKT_WAVE_HEADER_BYTES;
        wkt_put32(h, (uint32_t)w->records.n);
        wkt_put32(h + 4, (uint32_t)(b->n - uses));
        wkt_put32(h + 8, w->sites_n);
        wkt_put32(h + 12, w->records_n);
        wkt_put32(h + 16, w->tail);
        wkt_put64(h + 24, w->lanes);
    }
    *raw = b;
    return WKT_OK;
}

int wkt_packer_end(struct wkt_packer *p)
{
    const struct wkt_buf *b;
    int status = wkt_packer_lay_out(p, &b);
    if (status)
        return status;
    p->stored.n = 0;
    if (!wkt_buf_room(&p->stored, ZSTD_compressBound(b->n)))
        return WKT_E_MEMORY;
    size_t n = ZSTD_compress2(p->zstd, p->stored.p, p->stored.cap, b->p, b->n);
    if (ZSTD_isError(n))
        return WKT_E_MEMORY;
    p->stored.n = n;
    p->result.stored = p->stored.p;
    p->result.stored_bytes = (uint32_t)n;
    p->result.raw_bytes = (uint32_t)b->n;
    p->result.wave_lanes = p->wave_lanes;
    p->result.hash = wkt_hash64(p->stored.p, n, 0);
    p->done = true;
    return WKT_OK;
}

const struct wkt_packed *wkt_packer_result(const struct wkt_packer *p)
{
    return p->done ? &p->result : NULL;
}

/* SPDX-License-Identifier: MIT */
/* trace/wkt_cursor.c - decodes the records of one wave. Every read is bounded by the wave's bytes; a
 * contradiction ends the wave with `failed` set. Allocation: none. */
#include "trace/wkt_group.h"
#include "trace/wkt_internal.h"

static bool get_varint(const uint8_t **at, const uint8_t *end, uint64_t *v)
{
    const uint8_t *p = *at;
    if (p < end && *p < 0x80) {
        *v = *p;
        *at = p + 1;
        return true;
    }
    uint64_t sum = 0;
    for (int shift = 0; shift < 64 && p < end; shift += 7) {
        uint8_t byte = *p++;
        sum |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *v = sum;
            *at = p;
            return shift < 63 || byte < 2;
        }
    }
    return false;
}

static bool get_u32(const uint8_t **at, const uint8_t *end, uint32_t *v)
{
    uint64_t wide;
    if (!get_varint(at, end, &wide) || wide > UINT32_MAX)
        return false;
    *v = (uint32_t)wide;
    return true;
}

static bool next_use_run(struct wkt_cursor *c)
{
    if (c->use_at == c->use_end) {
        c->use_run = UINT64_MAX;
        return true;
    }
    return get_varint(&c->use_at, c->use_end, &c->use_run) && c->use_run < c->records_left;
}

void wkt_cursor_start(struct wkt_group *g, uint32_t wave, struct wkt_cursor *c)
{
    const struct wkt_wave_view *w = &g->waves[wave];
    c->lanes = w->lanes;
    c->records_left = w->records;
    c->tail_compute = w->tail;
    c->at = g->raw + w->at;
    c->end = c->at + w->record_bytes;
    c->use_at = c->end;
    c->use_end = c->use_at + w->use_bytes;
    c->sites = g->sites + w->first_site;
    c->sites_seen = 0;
    c->sites_max = w->sites;
    c->mask = w->lanes;
    c->failed = !next_use_run(c);
}

static void fill_tile(const struct wkt_site *s, uint64_t *va)
{
    uint32_t row = s->phase / s->width, col = s->phase % s->width;
    for (uint32_t l = 0; l < WKT_WAVE_LANES; l++) {
        va[l] = s->base + col * s->stride + row * s->pitch;
        if (++col == s->width) {
            col = 0;
            row++;
        }
    }
}

#define FILL_LANES(name, type)                                                                               \
    static void name(const uint8_t *p, uint64_t base, uint32_t shift, uint64_t mask, uint64_t *va)           \
    {                                                                                                        \
        type v;                                                                                              \
        if (mask == UINT64_MAX) {                                                                            \
            for (uint32_t l = 0; l < WKT_WAVE_LANES; l++) {                                                  \
                memcpy(&v, p + l * sizeof v, sizeof v);                                                      \
                va[l] = base + ((uint64_t)v << shift);                                                       \
            }                                                                                                \
            return;                                                                                          \
        }                                                                                                    \
        for (; mask; mask &= mask - 1, p += sizeof v) {                                                      \
            memcpy(&v, p, sizeof v);                                                                         \
            va[wkt_first64(mask)] = base + ((uint64_t)v << shift);                                           \
        }                                                                                                    \
    }
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "wkt_cursor.c reads the lane lists in host order: add the swap for a big-endian host"
#endif
FILL_LANES(fill_lanes8, uint8_t)
FILL_LANES(fill_lanes16, uint16_t)
FILL_LANES(fill_lanes32, uint32_t)
FILL_LANES(fill_lanes64, uint64_t)

/* Reads the byte with code and shift, then the offsets. Fills va unless it is NULL. */
static bool get_lanes(struct wkt_cursor *c, const struct wkt_site *s, uint64_t *va)
{
    if (c->at == c->end)
        return false;
    uint32_t code = *c->at >> 6, shift = *c->at & 63;
    c->at++;
    size_t bytes = (size_t)wkt_count64(c->mask) << code;
    if ((size_t)(c->end - c->at) < bytes)
        return false;
    if (va) {
        if (code == 0)
            fill_lanes8(c->at, s->base, shift, c->mask, va);
        else if (code == 1)
            fill_lanes16(c->at, s->base, shift, c->mask, va);
        else if (code == 2)
            fill_lanes32(c->at, s->base, shift, c->mask, va);
        else
            fill_lanes64(c->at, s->base, shift, c->mask, va);
    }
    c->at += bytes;
    return true;
}

static struct wkt_site *get_site(struct wkt_cursor *c, uint8_t flags)
{
    if (!(flags & WKT_F_SITE)) {
        uint64_t idx;
        if (!get_varint(&c->at, c->end, &idx) || idx >= c->sites_seen)
            return NULL;
        return &c->sites[idx];
    }
    if (c->sites_seen == c->sites_max)
        return NULL;
    struct wkt_site *s = &c->sites[c->sites_seen++];
    memset(s, 0, sizeof *s);
    s->use = WKT_USE_NEVER;
    s->width = 1;
    if (!get_u32(&c->at, c->end, &s->pc) || c->end - c->at < 2)
        return NULL;
    s->kind = c->at[0];
    s->bytes = c->at[1];
    c->at += 2;
    bool ok = s->kind < WKT_KINDS && s->bytes <= WKT_BYTES_MAX && (s->kind == WKT_BARRIER) == (s->bytes == 0);
    return ok ? s : NULL;
}

static bool get_shape(struct wkt_cursor *c, struct wkt_site *s, uint8_t form)
{
    uint64_t v;
    if (!get_varint(&c->at, c->end, &v))
        return false;
    s->stride = wkt_unzigzag(v);
    if (form == WKT_STRIDE)
        return true;
    if (form != WKT_TILE || !get_varint(&c->at, c->end, &v) || c->end - c->at < 2)
        return false;
    s->pitch = wkt_unzigzag(v);
    s->width = c->at[0];
    s->phase = c->at[1];
    c->at += 2;
    return s->width >= 2 && s->width < WKT_WAVE_LANES && s->phase < s->width;
}

static bool get_use(struct wkt_cursor *c, struct wkt_site *s)
{
    if (c->use_run-- > 0)
        return true;
    uint32_t v;
    if (!get_u32(&c->use_at, c->use_end, &v))
        return false;
    s->use = v - 2u;
    return next_use_run(c);
}

static bool decode(struct wkt_cursor *c, struct wkt_record *out, uint64_t *va)
{
    if (c->at == c->end)
        return false;
    uint8_t flags = *c->at++, form = flags & WKT_F_FORM;
    struct wkt_site *s = get_site(c, flags);
    if (!s || (flags & WKT_F_ZERO))
        return false;
    if ((flags & WKT_F_COMPUTE) && !get_u32(&c->at, c->end, &s->compute))
        return false;
    if (flags & WKT_F_MASK) {
        if (c->end - c->at < 8)
            return false;
        c->mask = wkt_get64(c->at);
        c->at += 8;
        if (c->mask == 0 || (c->mask & ~c->lanes))
            return false;
    }
    if (s->kind == WKT_BARRIER) {
        if (flags & (WKT_F_FORM | WKT_F_BASE | WKT_F_SHAPE))
            return false;
    } else {
        uint64_t step;
        if (flags & WKT_F_BASE) {
            if (!get_varint(&c->at, c->end, &step))
                return false;
            s->step = wkt_unzigzag(step);
        }
        s->base += s->step;
        if ((flags & WKT_F_SHAPE) && !get_shape(c, s, form))
            return false;
        if (form == WKT_LANES) {
            if (!get_lanes(c, s, va))
                return false;
        } else if (va) {
            if (form == WKT_TILE) {
                fill_tile(s, va);
            } else {
                uint64_t stride = form == WKT_STRIDE ? s->stride : 0, base = s->base;
                for (uint32_t l = 0; l < WKT_WAVE_LANES; l++)
                    va[l] = base + l * stride;
            }
        }
    }
    if (--c->records_left == UINT32_MAX || !get_use(c, s))
        return false;
    out->pc = s->pc;
    out->kind = s->kind;
    out->form = form;
    out->bytes = s->bytes;
    out->reserved = 0;
    out->compute = s->compute;
    out->use = s->use;
    out->mask = c->mask;
    return true;
}

static bool next(struct wkt_cursor *c, struct wkt_record *out, uint64_t *va)
{
    if (c->failed)
        return false;
    if (c->records_left == 0) {
        c->failed = c->at != c->end || c->use_at != c->use_end;
        return false;
    }
    if (decode(c, out, va))
        return true;
    c->failed = true;
    return false;
}

bool wkt_next(struct wkt_cursor *c, struct wkt_record *out)
{
    return next(c, out, out->va);
}

bool wkt_next_brief(struct wkt_cursor *c, struct wkt_record *out)
{
    return next(c, out, NULL);
}

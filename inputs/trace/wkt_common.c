/* SPDX-License-Identifier: MIT */
/* trace/wkt_common.c - names, errors, byte buffers and the checksum (XXH64, Y. Collet's public
 * specification). */
#include "trace/wkt_internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define WKT_NAME_ENTRY(name, text) text,
static const char *const kind_names[] = {WKT_KIND_LIST(WKT_NAME_ENTRY)};
static const char *const form_names[] = {WKT_FORM_LIST(WKT_NAME_ENTRY)};
#undef WKT_NAME_ENTRY

const char *wkt_kind_name(uint8_t kind)
{
    return kind < WKT_KINDS ? kind_names[kind] : "?";
}

const char *wkt_device_name(uint32_t type)
{
    switch (type) {
#define WKT_CASE(name, number, text)                                                                         \
    case name:                                                                                               \
        return text;
        WKT_DEVICE_LIST(WKT_CASE)
#undef WKT_CASE
    default:
        return NULL;
    }
}

bool wkt_device_legal(const struct wkt_device *d)
{
    if (d->type == 0)
        return d->compute_units == 0 && d->group_items == 0;
    return wkt_device_name(d->type) && d->compute_units && d->group_items;
}

const char *wkt_form_name(uint8_t form)
{
    return form < WKT_FORMS ? form_names[form] : "?";
}

int wkt_fail(struct wkt_error *e, int code, const char *path, uint64_t offset, const char *format, ...)
{
    if (!e)
        return code;
    e->code = code;
    e->output = false;
    int n = offset == UINT64_MAX ? snprintf(e->text, sizeof e->text, "%.160s: ", path)
                                 : snprintf(e->text, sizeof e->text, "%.160s: at byte %llu: ", path,
                                            (unsigned long long)offset);
    size_t used = n < 0 ? 0 : (size_t)n < sizeof e->text ? (size_t)n : sizeof e->text - 1;
    va_list args;
    va_start(args, format);
    vsnprintf(e->text + used, sizeof e->text - used, format, args);
    va_end(args);
    return code;
}

int wkt_cannot(struct wkt_error *e, const char *path, uint64_t offset, const char *what)
{
    const int status = wkt_fail(e, WKT_E_IO, path, offset, "cannot %s: %s", what, strerror(errno));
    if (e)
        e->output = true;
    return status;
}

bool wkt_buf_room(struct wkt_buf *b, size_t more)
{
    if (b->cap - b->n >= more)
        return true;
    size_t cap = b->cap ? b->cap : 256;
    while (cap - b->n < more) {
        if (cap > SIZE_MAX / 2)
            return false;
        cap *= 2;
    }
    uint8_t *p = realloc(b->p, cap);
    if (!p)
        return false;
    b->p = p;
    b->cap = cap;
    return true;
}

void wkt_totals_add(struct wkt_totals *sum, const struct wkt_totals *t)
{
    sum->groups += t->groups;
    sum->waves += t->waves;
    sum->compute += t->compute;
    for (int k = 0; k < WKT_KINDS; k++) {
        sum->records[k] += t->records[k];
        sum->lanes[k] += t->lanes[k];
    }
}

uint64_t wkt_launch_groups(const struct wkt_launch *l)
{
    uint64_t n = 1;
    for (int d = 0; d < 3; d++) {
        uint64_t along = ((uint64_t)l->grid[d] + l->group[d] - 1) / l->group[d];
        n = n > UINT64_MAX / along ? UINT64_MAX : n * along;
    }
    return n > l->groups ? n : l->groups;
}

void wkt_footer(uint8_t footer[WKT_FOOTER_BYTES], const uint8_t start[16], uint64_t offset, const void *index,
                size_t n, uint64_t raw_bytes)
{
    wkt_put64(footer, offset);
    wkt_put64(footer + 8, n);
    wkt_put64(footer + 16, raw_bytes);
    uint64_t seed = wkt_hash64(index, n, wkt_hash64(start, 16, 0));
    wkt_put64(footer + 24, wkt_hash64(footer, 24, seed));
    memcpy(footer + 32, WKT_END_MAGIC, 8);
}

#define P1 0x9E3779B185EBCA87ull
#define P2 0xC2B2AE3D27D4EB4Full
#define P3 0x165667B19E3779F9ull
#define P4 0x85EBCA77C2B2AE63ull
#define P5 0x27D4EB2F165667C5ull

static inline uint64_t rotl(uint64_t v, int n)
{
    return (v << n) | (v >> (64 - n));
}

static inline uint64_t lane_round(uint64_t acc, uint64_t input)
{
    return rotl(acc + input * P2, 31) * P1;
}

static inline uint64_t load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

uint64_t wkt_hash64(const void *data, size_t n, uint64_t seed)
{
    const uint8_t *p = data;
    uint64_t h;
    size_t left = n;
    if (left >= 32) {
        uint64_t v[4] = {seed + P1 + P2, seed + P2, seed, seed - P1};
        for (; left >= 32; left -= 32, p += 32) {
            for (int i = 0; i < 4; i++)
                v[i] = lane_round(v[i], load64(p + 8 * i));
        }
        h = rotl(v[0], 1) + rotl(v[1], 7) + rotl(v[2], 12) + rotl(v[3], 18);
        for (int i = 0; i < 4; i++)
            h = (h ^ lane_round(0, v[i])) * P1 + P4;
    } else {
        h = seed + P5;
    }
    h += n;
    for (; left >= 8; left -= 8, p += 8)
        h = rotl(h ^ lane_round(0, load64(p)), 27) * P1 + P4;
    if (left >= 4) {
        h = rotl(h ^ wkt_get32(p) * P1, 23) * P2 + P3;
        left -= 4;
        p += 4;
    }
    for (; left; left--, p++)
        h = rotl(h ^ *p * P5, 11) * P1;
    h = (h ^ (h >> 33)) * P2;
    h = (h ^ (h >> 29)) * P3;
    return h ^ (h >> 32);
}

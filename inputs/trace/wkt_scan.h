/* SPDX-License-Identifier: MIT */
/* trace/wkt_scan.h - reads numbers and strings from bytes that may end anywhere: a missing value reads as 0
 * and sets `bad`. */
#ifndef WW_TRACE_WKT_SCAN_H
#define WW_TRACE_WKT_SCAN_H

#include "trace/wkt_internal.h"

struct wkt_scan {
    const uint8_t *at, *end;
    bool bad;
};

static inline const uint8_t *wkt_scan_bytes(struct wkt_scan *s, uint64_t n)
{
    if (s->bad || (uint64_t)(s->end - s->at) < n) {
        s->bad = true;
        return NULL;
    }
    const uint8_t *p = s->at;
    s->at += n;
    return p;
}

static inline uint32_t wkt_scan32(struct wkt_scan *s)
{
    const uint8_t *p = wkt_scan_bytes(s, 4);
    return p ? wkt_get32(p) : 0;
}

static inline uint64_t wkt_scan64(struct wkt_scan *s)
{
    const uint8_t *p = wkt_scan_bytes(s, 8);
    return p ? wkt_get64(p) : 0;
}

/* Reads a string after its length and copies it to *to, terminated with 0; advances *to. */
static inline const char *wkt_scan_string(struct wkt_scan *s, char **to)
{
    uint32_t n = wkt_scan32(s);
    const uint8_t *p = wkt_scan_bytes(s, n);
    if (!p || memchr(p, 0, n)) {
        s->bad = true;
        return "";
    }
    char *copy = *to;
    memcpy(copy, p, n);
    copy[n] = 0;
    *to = copy + n + 1;
    return copy;
}

#endif

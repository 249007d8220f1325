/* SPDX-License-Identifier: MIT */
/* trace/wkt_group.h - a decompressed work-group, shared by reader and cursor. */
#ifndef WW_TRACE_WKT_GROUP_H
#define WW_TRACE_WKT_GROUP_H

#include "trace/wkt.h"

struct wkt_site;

struct wkt_wave_view {
    size_t at; /* of its records in raw; its use distances follow */
    uint32_t record_bytes, use_bytes, sites, records, tail, first_site;
    uint64_t lanes;
};

struct wkt_group {
    uint32_t waves_n;
    uint32_t raw_bytes; /* of raw */
    uint8_t *stored, *raw;
    struct wkt_wave_view *waves;
    struct wkt_site *sites;
    size_t stored_cap, raw_cap, waves_cap, sites_cap; /* bytes, bytes, elements, elements */
};

#endif

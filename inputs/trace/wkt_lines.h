/* SPDX-License-Identifier: MIT */
/* trace/wkt_lines.h - where in the program's source instructions lie, as a trace keeps it behind its index: a
 * table for each kernel that differs, and for each launch which one is its. */
#ifndef WW_TRACE_WKT_LINES_H
#define WW_TRACE_WKT_LINES_H

#include "trace/wkt_internal.h"

struct ZSTD_DCtx_s;
struct wkt_lines;

/* Lines of `launches` launches, from the n bytes that the file stores between index and footer. WKT_OK, or a
 * negative wkt_status and why. */
int wkt_lines_unpack(const uint8_t *stored, size_t n, uint32_t launches, struct ZSTD_DCtx_s *zstd,
                     struct wkt_lines **out, const char **why);
/* Of a launch of the whole trace. */
const struct wkt_line *wkt_lines_of(const struct wkt_lines *lines, uint32_t launch, uint32_t *n);
void wkt_lines_free(struct wkt_lines *lines); /* NULL is fine */

/* What a writer collects; zeros to begin with. */
struct wkt_lines_written {
    struct wkt_buf tables;    /* one behind the other, as the file has them */
    struct wkt_buf ends;      /* of each in `tables`, 4 bytes */
    struct wkt_buf of_launch; /* 4 bytes each, up to the last that has a table */
    uint32_t lines;           /* in all tables */
};

/* Of launch number `launch`, the last begun. WKT_OK, WKT_E_MEMORY, WKT_E_LIMIT or WKT_E_ARG: not by ascending
 * pc, or no line. */
int wkt_lines_add(struct wkt_lines_written *w, uint32_t launch, const struct wkt_line *lines, uint32_t n);
/* Encodes them as the file stores them, for `launches` launches; the caller frees *to. */
int wkt_lines_pack(struct wkt_lines_written *w, uint32_t launches, int level, struct wkt_buf *to);
void wkt_lines_written_free(struct wkt_lines_written *w);

#endif

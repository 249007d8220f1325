/* SPDX-License-Identifier: MIT */
/* trace/wkt_lines.h - the source lines of instructions, as a trace stores them after its index: a table for
 * each distinct kernel, and each launch's table. */
#ifndef WW_TRACE_WKT_LINES_H
#define WW_TRACE_WKT_LINES_H

#include "trace/wkt_internal.h"

struct ZSTD_DCtx_s;
struct wkt_lines;

/* Decodes the lines of `launches` launches from the n bytes that the file stores between index and footer.
 * Returns WKT_OK, or a negative wkt_status with *why. */
int wkt_lines_unpack(const uint8_t *stored, size_t n, uint32_t launches, struct ZSTD_DCtx_s *zstd,
                     struct wkt_lines **out, const char **why);
/* Returns the lines of a launch of the whole trace. */
const struct wkt_line *wkt_lines_of(const struct wkt_lines *lines, uint32_t launch, uint32_t *n);
void wkt_lines_free(struct wkt_lines *lines); /* NULL is fine */

/* Lines collected by a writer. Begins all zero. */
struct wkt_lines_written {
    struct wkt_buf tables;    /* one after the other, in the file's form */
    struct wkt_buf ends;      /* end of each in `tables`, 4 bytes */
    struct wkt_buf of_launch; /* 4 bytes each, up to the last that has a table */
    uint32_t lines;           /* in all tables */
};

/* Adds the lines of launch number `launch`, the last begun. Returns WKT_OK, WKT_E_MEMORY, WKT_E_LIMIT or
 * WKT_E_ARG: not by ascending pc, or no line. */
int wkt_lines_add(struct wkt_lines_written *w, uint32_t launch, const struct wkt_line *lines, uint32_t n);
/* Encodes the lines for `launches` launches in the file's form. The caller frees *to. */
int wkt_lines_pack(struct wkt_lines_written *w, uint32_t launches, int level, struct wkt_buf *to);
void wkt_lines_written_free(struct wkt_lines_written *w);

#endif

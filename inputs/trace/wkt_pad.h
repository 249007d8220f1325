/* SPDX-License-Identifier: MIT */
/* trace/wkt_pad.h - a trace with longer rows in one of its buffers: each access to the buffer keeps its row
 * and its place in it. The buffer then lies after all others, with the same alignment within 2 MiB. Not
 * modelled: accesses across the end of a row; a program that would act differently. */
#ifndef WW_TRACE_WKT_PAD_H
#define WW_TRACE_WKT_PAD_H

#include "trace/wkt.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wkt_pad {
    uint32_t buffer;      /* by number */
    uint64_t pitch_bytes; /* of its rows, not 0 */
    uint64_t pad_bytes;   /* between one row and the next */
};

/* Returns the padded size of `bytes` bytes: every row but the last is longer. */
uint64_t wkt_padded_bytes(uint64_t bytes, const struct wkt_pad *pad);

/* Saves as wkt_reader_save(). Returns WKT_E_ARG if there is no such buffer. */
int wkt_reader_save_padded(struct wkt_reader *r, const struct wkt_pad *pad, const char *path, int level,
                           struct wkt_error *error);

#ifdef __cplusplus
}
#endif

#endif

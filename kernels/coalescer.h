/* SPDX-License-Identifier: MIT */
/* kernels/coalescer.h - from one wave instruction's addresses to distinct pages (translation requests) and
 * distinct lines (data accesses), both in order of their first lanes. docs/model/coalescer.md. Models: the
 * per-CU address coalescer of [M18], [M21]; an access that straddles a line or page boundary touches both
 * sides, the lower one first. Not modelled: the pace of 16 lanes a cycle and the merge window (left to the
 * module). Time: none. Allocation: none; O(lanes). */
#ifndef WW_KERNELS_COALESCER_H
#define WW_KERNELS_COALESCER_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_COAL_LANES 64u
#define WW_COAL_BYTES 128u /* most bytes of a lane's access */
#define WW_COAL_MAX 192u   /* most lines or pages: the widest access of each lane can touch three lines */
#define WW_COAL_LINE_SHIFT 6u

struct ww_coal_in {
    uint64_t mask;              /* bit n: lane n is active */
    uint32_t bytes;             /* of each lane's access, 1..WW_COAL_BYTES */
    uint8_t page_shift;         /* log2 of the page's bytes, 12..48 */
    uint64_t va[WW_COAL_LANES]; /* inactive lanes are not read */
};

struct ww_coal_out {
    uint32_t pages, lines;                /* elements written below; the others are untouched */
    uint64_t page_va[WW_COAL_MAX];        /* first byte of the page */
    uint64_t page_lanes[WW_COAL_MAX];     /* lanes that touch the page */
    uint64_t line_va[WW_COAL_MAX];        /* first byte of the line */
    uint64_t line_lanes[WW_COAL_MAX];     /* lanes that touch the line */
    uint8_t line_page[WW_COAL_MAX];       /* index of the line's page */
    uint8_t page_first_lane[WW_COAL_MAX]; /* lowest lane of page_lanes */
};

void ww_coalesce(const struct ww_coal_in *in, struct ww_coal_out *out);
/* Returns NULL, or names the first broken invariant of a coalescer's output. */
const char *ww_coalesce_check(const struct ww_coal_out *out);

WW_END_DECLS

#endif

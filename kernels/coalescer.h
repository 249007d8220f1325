/* SPDX-License-Identifier: MIT */
/* kernels/coalescer.h - one wave instruction's addresses to distinct pages (translation requests) and
 * distinct 64-byte lines (data accesses), both in first-lane order. docs/model/coalescer.md. Models: the
 * per-CU address coalescer of [M18], [M21]; an access that straddles a line or page boundary touches both
 * sides, the lower one first. Not modelled: the 16-lanes-a-cycle pace and the merge window (module). Time:
 * none. Allocation: none; O(lanes). */
#ifndef WW_KERNELS_COALESCER_H
#define WW_KERNELS_COALESCER_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_COAL_LANES 64u
#define WW_COAL_BYTES 128u /* of a lane's access, at most */
#define WW_COAL_MAX 192u   /* lines and pages: the widest access of every lane can touch three lines */
#define WW_COAL_LINE_SHIFT 6u

struct ww_coal_in {
    uint64_t mask;              /* bit n: lane n takes part */
    uint32_t bytes;             /* a lane's access, 1..WW_COAL_BYTES */
    uint8_t page_shift;         /* 12..48 */
    uint64_t va[WW_COAL_LANES]; /* inactive lanes are not read */
};

struct ww_coal_out {
    uint32_t pages, lines;                /* entries used below; the rest is not written */
    uint64_t page_va[WW_COAL_MAX];        /* first byte of the page */
    uint64_t page_lanes[WW_COAL_MAX];     /* lanes that touch the page */
    uint64_t line_va[WW_COAL_MAX];        /* first byte of the line */
    uint64_t line_lanes[WW_COAL_MAX];     /* lanes that touch the line */
    uint8_t line_page[WW_COAL_MAX];       /* index of the line's page */
    uint8_t page_first_lane[WW_COAL_MAX]; /* lowest lane of page_lanes */
};

void ww_coalesce(const struct ww_coal_in *in, struct ww_coal_out *out);
/* NULL, or the first invariant of a coalescer's output that does not hold. */
const char *ww_coalesce_check(const struct ww_coal_out *out);

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* import/asim_lines.h - the source line of each access of a kernel, if the tracer wrote them (-enable
 * lineinfo = 1). It writes numbers only: neither the file nor its text. */
#ifndef WW_IMPORT_ASIM_LINES_H
#define WW_IMPORT_ASIM_LINES_H

#include "trace/wkt.h"

/* By ascending pc. Begins all zero; set n = 0 to begin another kernel. */
struct asim_lines {
    struct wkt_line *all;
    uint32_t n, cap;
};

/* Sets the line of a pc, unless it has one; ignores line 0. Returns false if out of memory. */
bool asim_lines_add(struct asim_lines *lines, uint32_t pc, uint32_t line);

#endif

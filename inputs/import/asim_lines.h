/* SPDX-License-Identifier: MIT */
/* import/asim_lines.h - which line of its source each access of a kernel is of, where the tracer wrote them
 * (-enable lineinfo = 1). It wrote numbers only: neither the file nor its text. */
#ifndef WW_IMPORT_ASIM_LINES_H
#define WW_IMPORT_ASIM_LINES_H

#include "trace/wkt.h"

/* By ascending pc; zeros to begin with. n = 0 begins another kernel. */
struct asim_lines {
    struct wkt_line *all;
    uint32_t n, cap;
};

/* The first line that is said of a pc stays; 0 is none. False: out of memory. */
bool asim_lines_add(struct asim_lines *lines, uint32_t pc, uint32_t line);

#endif

/* SPDX-License-Identifier: MIT */
/* import/asim_lines.c - see asim_lines.h. */
#include "import/asim_lines.h"

#include <stdlib.h>
#include <string.h>

static bool room(struct asim_lines *lines)
{
    if (lines->n < lines->cap)
        return true;
    const uint32_t cap = lines->cap ? 2 * lines->cap : 64;
    struct wkt_line *all = realloc(lines->all, cap * sizeof *all);
    if (!all)
        return false;
    lines->all = all;
    lines->cap = cap;
    return true;
}

bool asim_lines_add(struct asim_lines *lines, uint32_t pc, uint32_t line)
{
    uint32_t at = 0, end = lines->n;
    while (at < end) {
        const uint32_t middle = at + (end - at) / 2;
        if (lines->all[middle].pc < pc)
            at = middle + 1;
        else
            end = middle;
    }
    if (line == 0 || (at < lines->n && lines->all[at].pc == pc))
        return true;
    if (!room(lines))
        return false;
    memmove(lines->all + at + 1, lines->all + at, (lines->n - at) * sizeof *lines->all);
    lines->all[at] = (struct wkt_line){pc, line, "", ""};
    lines->n++;
    return true;
}

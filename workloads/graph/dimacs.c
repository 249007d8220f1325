/* SPDX-License-Identifier: MIT */
/* workloads/graph/dimacs.c - DIMACS shortest paths (.gr): "c" comment, one "p sp vertices arcs", then "a from
 * to weight", vertices from 1. Not read: the problems of other challenges. */
#include "graph/readers.h"

#include <string.h>

static bool read_header(struct ww_text *t, uint32_t *vertices, uint64_t *arcs)
{
    if (*vertices != 0) {
        return ww_text_fail(t, "a second header");
    }
    if (!ww_text_word(t) || strcmp(t->word, "sp") != 0) {
        return ww_text_fail(t, "the header's problem is '%.20s', only sp is read", t->word);
    }
    return (ww_text_word(t) || ww_text_fail(t, "the line ends where the number of vertices should be")) &&
           ww_read_as_vertices(t, vertices) && ww_text_number(t, "the number of arcs", WW_GRAPH_MAX, arcs) &&
           ww_text_line_ends(t);
}

static bool read_arc(struct ww_text *t, struct ww_arcs *a, uint32_t vertices)
{
    uint32_t from = 0, to = 0, weight = 0;
    if (vertices == 0) {
        return ww_text_fail(t, "an arc before the header 'p sp vertices arcs'");
    }
    return ww_read_vertex(t, 1, vertices, &from) && ww_read_vertex(t, 1, vertices, &to) &&
           ww_read_weight(t, &weight) && ww_text_line_ends(t) && ww_read_add(t, a, from, to, weight);
}

bool ww_read_dimacs(struct ww_text *t, struct ww_arcs *a, uint32_t *vertices)
{
    uint64_t arcs = 0;
    a->weighted = true;
    while (ww_read_line(t, "c")) {
        if (strcmp(t->word, "a") == 0) {
            if (!read_arc(t, a, *vertices)) {
                return false;
            }
            if (a->count > arcs) {
                return ww_read_count(t, "arcs", a->count, arcs);
            }
        } else if (strcmp(t->word, "p") == 0) {
            if (!read_header(t, vertices, &arcs)) {
                return false;
            }
        } else {
            return ww_text_fail(t, "a line of DIMACS begins with a, c or p, not '%.20s'", t->word);
        }
    }
    if (*vertices == 0) {
        return ww_text_fail(t, "the file ends without a header 'p sp vertices arcs'");
    }
    return ww_read_count(t, "arcs", a->count, arcs);
}

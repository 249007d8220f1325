/* SPDX-License-Identifier: MIT */
/* workloads/graph/dimacs.c - DIMACS: "c" comment, one header "p <problem> <vertices> <arcs>", vertices
 * from 1. Shortest paths (p sp): "a from to weight". Colouring (p edge, p col): "e one other", an arc in
 * each direction, no weights. Not read: the problems of other challenges. */
#include "graph/readers.h"

#include <string.h>

#define HEADERS "'p sp vertices arcs' or 'p edge vertices edges'"

struct header {
    uint32_t vertices; /* 0: not yet read */
    bool edges;        /* a colouring problem */
    uint64_t stated;   /* number of arcs, or of edges */
};

static bool read_header(struct ww_text *t, struct header *h)
{
    if (h->vertices != 0) {
        return ww_text_fail(t, "a second header");
    }
    ww_text_word(t);
    h->edges = strcmp(t->word, "edge") == 0 || strcmp(t->word, "edges") == 0 || strcmp(t->word, "col") == 0;
    if (!h->edges && strcmp(t->word, "sp") != 0) {
        return ww_text_fail(t, "the header's problem is '%.20s', only sp, edge and col are read", t->word);
    }
    return (ww_text_word(t) || ww_text_fail(t, "the line ends where the number of vertices should be")) &&
           ww_read_as_vertices(t, &h->vertices) &&
           ww_text_number(t, h->edges ? "the number of edges" : "the number of arcs", WW_GRAPH_MAX,
                          &h->stated) &&
           ww_text_line_ends(t);
}

static bool read_arc(struct ww_text *t, const struct header *h, struct ww_arcs *a)
{
    uint32_t from = 0, to = 0, weight = 0;
    if (!ww_read_vertex(t, 1, h->vertices, &from) || !ww_read_vertex(t, 1, h->vertices, &to) ||
        (!h->edges && !ww_read_weight(t, &weight)) || !ww_text_line_ends(t) ||
        !ww_read_add(t, a, from, to, weight)) {
        return false;
    }
    return !h->edges || ww_read_add(t, a, to, from, weight);
}

/* Some colouring instances state twice as many edges as they list, and some list each edge twice. */
static bool check_count(struct ww_text *t, const struct header *h, const struct ww_arcs *a, bool at_end)
{
    const uint64_t lines = h->edges ? a->count / 2 : a->count, most = h->edges ? 2 * h->stated : h->stated;
    const bool twice = h->edges && (2 * lines == h->stated || lines == most);
    return (at_end ? twice : lines <= most) ||
           ww_read_count(t, h->edges ? "edges" : "arcs", lines, h->stated);
}

bool ww_read_dimacs(struct ww_text *t, struct ww_arcs *a, uint32_t *vertices)
{
    struct header h = {0};
    while (ww_read_line(t, "c")) {
        if (strcmp(t->word, "p") == 0) {
            if (!read_header(t, &h)) {
                return false;
            }
            a->weighted = !h.edges;
        } else if (h.vertices == 0) {
            return ww_text_fail(t, "a line '%.20s' before the header " HEADERS, t->word);
        } else if (strcmp(t->word, h.edges ? "e" : "a") == 0) {
            if (!read_arc(t, &h, a) || !check_count(t, &h, a, false)) {
                return false;
            }
        } else if (!h.edges || strcmp(t->word, "n") != 0) { /* n: a vertex's weight */
            return ww_text_fail(t, "a line of DIMACS begins with %s, not '%.20s'",
                                h.edges ? "c, e, n or p" : "a, c or p", t->word);
        }
    }
    if (h.vertices == 0) {
        return ww_text_fail(t, "the file ends without a header " HEADERS);
    }
    *vertices = h.vertices;
    return !t->failed && check_count(t, &h, a, true);
}

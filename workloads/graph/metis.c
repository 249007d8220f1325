/* SPDX-License-Identifier: MIT */
/* workloads/graph/metis.c - METIS: "vertices edges [fmt [ncon]]", then a line a vertex with its neighbours,
 * from 1, each with a weight where fmt ends in 1. Sizes and weights of vertices are passed over. An empty
 * line is a vertex without neighbours. Every edge stands in two lines, so there are twice as many arcs as the
 * header has edges. */
#include "graph/readers.h"

#include <inttypes.h>
#include <string.h>

struct header {
    uint32_t vertices;
    uint64_t edges;
    uint64_t passed_over; /* numbers before a vertex's neighbours */
};

/* fmt has up to three digits: sizes of vertices, weights of vertices, weights of edges. */
static bool read_fmt(struct ww_text *t, struct header *h, bool *weighted)
{
    uint64_t weights = 1;
    const size_t digits = strlen(t->word);
    if (digits > 3 || strspn(t->word, "01") != digits) {
        return ww_text_fail(t, "fmt is '%.20s', not up to three digits of 0 and 1", t->word);
    }
    const bool has_sizes = digits == 3 && t->word[0] == '1';
    const bool has_weights = digits >= 2 && t->word[digits - 2] == '1';
    *weighted = t->word[digits - 1] == '1';
    if (ww_text_word(t) && (!ww_text_as_number(t, "ncon", 1024, &weights) || !ww_text_line_ends(t))) {
        return false;
    }
    h->passed_over = (has_sizes ? 1 : 0) + (has_weights ? weights : 0);
    return true;
}

static bool read_header(struct ww_text *t, struct header *h, bool *weighted)
{
    if (!ww_read_line(t, "%")) {
        return ww_text_fail(t, "the file ends before its header 'vertices edges [fmt [ncon]]'");
    }
    if (!ww_read_as_vertices(t, &h->vertices) ||
        !ww_text_number(t, "the number of edges", WW_GRAPH_MAX / 2, &h->edges)) {
        return false;
    }
    return !ww_text_word(t) || read_fmt(t, h, weighted);
}

static bool read_neighbours(struct ww_text *t, struct ww_arcs *a, uint32_t vertex, const struct header *h)
{
    uint64_t ignored = 0;
    for (uint64_t i = 0; i < h->passed_over; i++) {
        if (!ww_text_number(t, "a vertex's size or weight", UINT64_MAX, &ignored)) {
            return false;
        }
    }
    while (ww_text_word(t)) {
        uint32_t to = 0, weight = 0;
        if (!ww_read_as_vertex(t, 1, h->vertices, &to) || (a->weighted && !ww_read_weight(t, &weight)) ||
            !ww_read_add(t, a, vertex, to, weight)) {
            return false;
        }
        if (a->count > 2 * h->edges) {
            return ww_read_count(t, "arcs, two an edge", a->count, 2 * h->edges);
        }
    }
    return !t->failed;
}

bool ww_read_metis(struct ww_text *t, struct ww_arcs *a, uint32_t *vertices)
{
    struct header h = {0};
    uint32_t vertex = 0;
    if (!read_header(t, &h, &a->weighted)) {
        return false;
    }
    while (!t->failed && ww_text_line(t)) {
        const int byte = ww_text_peek(t);
        if (byte == '%') {
            continue;
        }
        if (vertex < h.vertices) {
            if (!read_neighbours(t, a, vertex++, &h)) {
                return false;
            }
        } else if (byte > 0) {
            return ww_text_fail(t, "a line too many: the header states %" PRIu32 " vertices", h.vertices);
        }
    }
    *vertices = h.vertices;
    return ww_read_count(t, "vertices, a line each", vertex, h.vertices) &&
           ww_read_count(t, "arcs, two an edge", a->count, 2 * h.edges);
}

/* SPDX-License-Identifier: MIT */
/* workloads/graph/metis.c - METIS: "vertices edges [fmt [ncon]]", then one line per vertex with its
 * neighbours, from 1, each with a weight if fmt ends in 1. Sizes and weights of vertices are ignored. An
 * empty line is a vertex without neighbours. Every edge is in two lines, so there are twice as many arcs as
 * the header has edges; only multigraphs of the tenth DIMACS challenge (fmt 100) state the arcs. */
#include "graph/readers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct header {
    uint32_t vertices;
    uint64_t edges;
    uint64_t passed_over; /* numbers before a vertex's neighbours */
    bool either;          /* fmt is 100: a size precedes them, or nothing */
};

/* The first number of each line if fmt is 100; 0: an empty line, as ids count from 1 and sizes are unused. */
struct first_numbers {
    uint64_t lines, room, there; /* there: number of lines that have one */
    uint64_t *number;
};

/* Reads fmt, up to three digits: sizes of vertices, weights of vertices, weights of edges; and ncon. */
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
    h->either = has_sizes && !has_weights && !*weighted;
    h->passed_over = h->either ? 0 : (has_sizes ? 1 : 0) + (has_weights ? weights : 0);
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

static bool keep_first(struct ww_text *t, struct first_numbers *f)
{
    uint64_t first = 0;
    if (f->lines == f->room) {
        const uint64_t room = f->room == 0 ? 1024 : f->room * 2;
        uint64_t *bigger = realloc(f->number, (size_t)room * sizeof *bigger);
        if (bigger == NULL) {
            return ww_text_fail(t, "no memory for %" PRIu64 " vertices", room);
        }
        f->number = bigger;
        f->room = room;
    }
    if (ww_text_peek(t) >= 0) {
        f->there++;
        if (!ww_text_number(t, "a vertex or its size", UINT64_MAX, &first)) {
            return false;
        }
    }
    f->number[f->lines++] = first;
    return !t->failed;
}

/* Inserts the first numbers into the arcs, as the first neighbours of their vertices. */
static bool put_before(struct ww_text *t, struct ww_arcs *a, const struct first_numbers *f, uint32_t vertices)
{
    struct ww_arcs all = {0};
    bool right = true;
    uint64_t next = 0;
    for (uint32_t v = 0; right && v < vertices; v++) {
        if (f->number[v] > vertices) {
            right = ww_text_fail(t,
                                 "vertex %" PRIu64 ", the first neighbour of vertex %" PRIu32
                                 ", is not one of 1 to %" PRIu32,
                                 f->number[v], v + 1, vertices);
        } else if (f->number[v] != 0) {
            right = ww_read_add(t, &all, v, (uint32_t)(f->number[v] - 1), 0);
        }
        while (right && next < a->count && a->from[next] == v) {
            right = ww_read_add(t, &all, v, a->to[next++], 0);
        }
    }
    ww_arcs_free(a);
    *a = all;
    return right;
}

/* With fmt 100, METIS 5 has a size per vertex and each edge twice. Files of the tenth DIMACS challenge have
 * no sizes, but loops or repeated edges; their header has the number of all neighbours. */
static bool read_either(struct ww_text *t, struct ww_arcs *a, const struct first_numbers *f,
                        const struct header *h)
{
    if (f->there == h->vertices && a->count == 2 * h->edges) {
        return true;
    }
    if (a->count + f->there == h->edges) {
        return put_before(t, a, f, h->vertices);
    }
    return ww_text_fail(t,
                        "the header states %" PRIu64 " edges with fmt 100: %" PRIu64
                        " neighbours behind a size of each vertex, or %" PRIu64
                        " without sizes; the file has %" PRIu64 " numbers",
                        h->edges, 2 * h->edges, h->edges, a->count + f->there);
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

static bool read_lines(struct ww_text *t, struct ww_arcs *a, const struct header *h, struct first_numbers *f)
{
    uint32_t vertex = 0;
    while (!t->failed && ww_text_line(t)) {
        const int byte = ww_text_peek(t);
        if (byte == '%') {
            continue;
        }
        if (vertex < h->vertices) {
            if ((h->either && !keep_first(t, f)) || !read_neighbours(t, a, vertex++, h)) {
                return false;
            }
        } else if (byte > 0) {
            return ww_text_fail(t, "a line too many: the header states %" PRIu32 " vertices", h->vertices);
        }
    }
    return ww_read_count(t, "vertices, a line each", vertex, h->vertices);
}

bool ww_read_metis(struct ww_text *t, struct ww_arcs *a, uint32_t *vertices)
{
    struct header h = {0};
    struct first_numbers f = {0};
    if (!read_header(t, &h, &a->weighted)) {
        return false;
    }
    *vertices = h.vertices;
    const bool right =
        read_lines(t, a, &h, &f) &&
        (h.either ? read_either(t, a, &f, &h) : ww_read_count(t, "arcs, two an edge", a->count, 2 * h.edges));
    free(f.number);
    return right;
}

/* SPDX-License-Identifier: MIT */
/* workloads/graph/rodinia.c - the files of Rodinia's bfs: the number of vertices; for each the begin and the
 * number of its arcs; the source (ignored, as the suite's program sets it to 0); the number of arcs; for each
 * its end and weight. Vertices count from 0. Arcs keep the file's order, so that each lane of the program has
 * the same addresses. */
#include "graph/readers.h"

#include <inttypes.h>

static bool read_pairs(struct ww_text *t, struct ww_arcs *pairs, const char *things, uint64_t count,
                       uint64_t max)
{
    while (pairs->count < count && ww_read_line(t, "#")) {
        uint64_t first = 0;
        uint32_t second = 0;
        if (!ww_text_as_number(t, "a number", max, &first) || !ww_read_weight(t, &second) ||
            !ww_text_line_ends(t) || !ww_read_add(t, pairs, (uint32_t)first, second, 0)) {
            return false;
        }
    }
    return ww_read_count(t, things, pairs->count, count);
}

static bool read_single(struct ww_text *t, const char *what, uint64_t max, uint64_t *number)
{
    if (!ww_read_line(t, "#")) {
        return ww_text_fail(t, "the file ends before %s", what);
    }
    return ww_text_as_number(t, what, max, number) && ww_text_line_ends(t);
}

static bool read_nodes(struct ww_text *t, struct ww_arcs *nodes, uint32_t *vertices, uint64_t *arcs)
{
    uint64_t number = 0;
    if (!read_single(t, "the number of vertices", WW_GRAPH_MAX, &number)) {
        return false;
    }
    if (number == 0) {
        return ww_text_fail(t, "a graph without vertices");
    }
    *vertices = (uint32_t)number;
    const uint64_t before = t->line;
    if (!read_pairs(t, nodes, "vertices", number, WW_GRAPH_MAX)) {
        return false;
    }
    for (uint32_t v = 0; v < *vertices; v++) {
        if (nodes->from[v] != *arcs) {
            return ww_text_fail(t,
                                "vertex %" PRIu32 " (lines from %" PRIu64 ") begins at arc %" PRIu32
                                ", those before it end at %" PRIu64,
                                v, before + 1, nodes->from[v], *arcs);
        }
        *arcs += nodes->to[v];
    }
    return true;
}

static bool read_arcs(struct ww_text *t, struct ww_arcs *a, const struct ww_arcs *nodes, uint32_t vertices,
                      uint64_t arcs)
{
    uint64_t stated = 0;
    if (!read_single(t, "the source", vertices - 1, &stated) ||
        !read_single(t, "the number of arcs", WW_GRAPH_MAX, &stated)) {
        return false;
    }
    if (stated != arcs) {
        return ww_text_fail(t, "states %" PRIu64 " arcs, the vertices have %" PRIu64, stated, arcs);
    }
    for (uint32_t v = 0; v < vertices; v++) {
        for (uint32_t i = 0; i < nodes->to[v]; i++) {
            uint32_t to = 0, weight = 0;
            if (!ww_read_line(t, "#")) {
                return ww_read_count(t, "arcs", a->count, arcs);
            }
            if (!ww_read_as_vertex(t, 0, vertices, &to) || !ww_read_weight(t, &weight) ||
                !ww_text_line_ends(t) || !ww_read_add(t, a, v, to, weight)) {
                return false;
            }
        }
    }
    return !ww_read_line(t, "#") ? !t->failed : ww_read_count(t, "arcs", arcs + 1, arcs);
}

bool ww_read_rodinia(struct ww_text *t, struct ww_arcs *a, uint32_t *vertices)
{
    struct ww_arcs nodes = {0};
    uint64_t arcs = 0;
    a->weighted = true;
    const bool right = read_nodes(t, &nodes, vertices, &arcs) && read_arcs(t, a, &nodes, *vertices, arcs);
    ww_arcs_free(&nodes);
    return right;
}

/* SPDX-License-Identifier: MIT */
/* workloads/graph/csr.c - operations on a graph in rows; see graph.h. */
#include "graph/arcs.h"

#include <stdlib.h>

void ww_csr_free(struct ww_csr *g)
{
    free(g->row);
    free(g->column);
    free(g->weight);
    *g = (struct ww_csr){0};
}

const char *ww_csr_check(const struct ww_csr *g)
{
    if (g->vertices == 0 || g->vertices > WW_GRAPH_MAX || g->edges > WW_GRAPH_MAX) {
        return "sizes within the limits";
    }
    if (g->row[0] != 0 || g->row[g->vertices] != g->edges) {
        return "rows from the first arc to the last";
    }
    for (uint32_t v = 0; v < g->vertices; v++) {
        if (g->row[v] > g->row[v + 1]) {
            return "rows in order";
        }
    }
    for (uint64_t i = 0; i < g->edges; i++) {
        if (g->column[i] >= g->vertices) {
            return "arcs to vertices of the graph";
        }
    }
    return NULL;
}

/* Lists the arcs of all rows reversed, with `straight` also unchanged. Loops only with `loops`. */
static bool list_arcs(const struct ww_csr *g, bool straight, bool loops, struct ww_arcs *a,
                      struct ww_graph_error *e)
{
    a->weighted = g->weight != NULL;
    for (uint32_t v = 0; v < g->vertices; v++) {
        for (uint32_t i = g->row[v]; i < g->row[v + 1]; i++) {
            const uint32_t weight = g->weight != NULL ? g->weight[i] : 0;
            if (g->column[i] == v && !loops) {
                continue;
            }
            if (!ww_arcs_add(a, g->column[i], v, weight, e) ||
                (straight && !ww_arcs_add(a, v, g->column[i], weight, e))) {
                return false;
            }
        }
    }
    return true;
}

int ww_csr_transpose(const struct ww_csr *g, struct ww_csr *turned, struct ww_graph_error *e)
{
    struct ww_arcs a = {0};
    const int code = list_arcs(g, false, true, &a, e) ? ww_arcs_to_csr(&a, g->vertices, turned, e) : WW_E_ARG;
    ww_arcs_free(&a);
    return code;
}

/* Keeps one of several arcs of a row to one vertex, which are adjacent, with their smallest weight. */
static void drop_repeats(struct ww_csr *g)
{
    uint32_t kept = 0, begin = 0;
    for (uint32_t v = 0; v < g->vertices; v++) {
        const uint32_t end = g->row[v + 1], first = kept;
        for (uint32_t i = begin; i < end; i++) {
            if (kept > first && g->column[kept - 1] == g->column[i]) {
                if (g->weight != NULL && g->weight[i] < g->weight[kept - 1]) {
                    g->weight[kept - 1] = g->weight[i];
                }
                continue;
            }
            g->column[kept] = g->column[i];
            if (g->weight != NULL) {
                g->weight[kept] = g->weight[i];
            }
            kept++;
        }
        begin = end;
        g->row[v + 1] = kept;
    }
    g->edges = kept;
}

int ww_csr_undirected(const struct ww_csr *g, struct ww_csr *both, struct ww_graph_error *e)
{
    struct ww_arcs a = {0};
    struct ww_csr unsorted;
    int code = list_arcs(g, true, false, &a, e) ? ww_arcs_to_csr(&a, g->vertices, &unsorted, e) : WW_E_ARG;
    ww_arcs_free(&a);
    if (code != WW_OK) {
        return code;
    }
    /* transposing sorts the rows, and this graph is its own transpose */
    code = ww_csr_transpose(&unsorted, both, e);
    ww_csr_free(&unsorted);
    if (code == WW_OK) {
        drop_repeats(both);
    }
    return code;
}

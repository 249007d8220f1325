/* SPDX-License-Identifier: MIT */
/* workloads/graph/arcs.c - see arcs.h. */
#include "graph/arcs.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ww_graph_fail(struct ww_graph_error *e, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(e->text, sizeof e->text, format, list);
    va_end(list);
    return false;
}

static bool grow(uint32_t **array, uint64_t room)
{
    uint32_t *bigger = realloc(*array, (size_t)room * sizeof **array);
    if (bigger == NULL) {
        return false;
    }
    *array = bigger;
    return true;
}

bool ww_arcs_add(struct ww_arcs *a, uint32_t from, uint32_t to, uint32_t weight, struct ww_graph_error *e)
{
    if (a->count == a->room) {
        const uint64_t room = a->room == 0 ? 1024 : a->room * 2;
        if (a->count == WW_GRAPH_MAX) {
            return ww_graph_fail(e, "more than %" PRIu32 " arcs", WW_GRAPH_MAX);
        }
        if (!grow(&a->from, room) || !grow(&a->to, room) || (a->weighted && !grow(&a->weight, room))) {
            return ww_graph_fail(e, "no memory for %" PRIu64 " arcs", room);
        }
        a->room = room;
    }
    a->from[a->count] = from;
    a->to[a->count] = to;
    if (a->weighted) {
        a->weight[a->count] = weight;
    }
    a->count++;
    return true;
}

void ww_arcs_free(struct ww_arcs *a)
{
    free(a->from);
    free(a->to);
    free(a->weight);
    *a = (struct ww_arcs){0};
}

int ww_arcs_to_csr(const struct ww_arcs *a, uint32_t vertices, struct ww_csr *g, struct ww_graph_error *e)
{
    /* one more element each, as calloc() of none may return NULL */
    struct ww_csr made = {.vertices = vertices, .edges = a->count};
    made.row = calloc((size_t)vertices + 2, sizeof *made.row);
    made.column = calloc((size_t)a->count + 1, sizeof *made.column);
    made.weight = a->weighted ? calloc((size_t)a->count + 1, sizeof *made.weight) : NULL;
    if (made.row == NULL || made.column == NULL || (a->weighted && made.weight == NULL)) {
        ww_csr_free(&made);
        ww_graph_fail(e, "no memory for a graph of %" PRIu32 " vertices and %" PRIu64 " arcs", vertices,
                      a->count);
        return WW_E_ARG;
    }
    /* counts v at row[v + 2], sums its start into row[v + 1]; filling advances this to the end of v */
    for (uint64_t i = 0; i < a->count; i++) {
        made.row[a->from[i] + 2]++;
    }
    for (uint32_t v = 1; v < vertices; v++) {
        made.row[v + 1] += made.row[v];
    }
    for (uint64_t i = 0; i < a->count; i++) {
        const uint32_t place = made.row[a->from[i] + 1]++;
        made.column[place] = a->to[i];
        if (a->weighted) {
            made.weight[place] = a->weight[i];
        }
    }
    *g = made;
    return WW_OK;
}

/* SPDX-License-Identifier: MIT */
/* workloads/graph/arcs.h - a graph while it is being read or made: a growing list of arcs, turned into rows
 * at the end. Grows with the arcs that are there, never with what a header promises. Allocation: doubling. */
#ifndef WW_WORKLOADS_GRAPH_ARCS_H
#define WW_WORKLOADS_GRAPH_ARCS_H

#include "graph/graph.h"

struct ww_arcs {
    uint64_t count, room;
    uint32_t *from, *to;
    uint32_t *weight; /* NULL unless weighted */
    bool weighted;    /* set it before the first arc */
};

/* False when there is no memory, or WW_GRAPH_MAX arcs are there; *e then says so. */
bool ww_arcs_add(struct ww_arcs *a, uint32_t from, uint32_t to, uint32_t weight, struct ww_graph_error *e);
void ww_arcs_free(struct ww_arcs *a);

/* The arcs as rows: those of one source stay in the order in which they came. Ends of arcs are below
 * `vertices`, and that is at most WW_GRAPH_MAX. */
int ww_arcs_to_csr(const struct ww_arcs *a, uint32_t vertices, struct ww_csr *g, struct ww_graph_error *e);

/* Writes the reason; false, so that it can be returned. */
bool ww_graph_fail(struct ww_graph_error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

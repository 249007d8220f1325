/* SPDX-License-Identifier: MIT */
/* workloads/graph/measure.h - what decides how a graph's program uses memory: degrees, hops, and how near the
 * ids of neighbours are. Time: a few passes over the arcs. Allocation: some words a vertex. */
#ifndef WW_WORKLOADS_GRAPH_MEASURE_H
#define WW_WORKLOADS_GRAPH_MEASURE_H

#include "graph/graph.h"

WW_BEGIN_DECLS

#define WW_DEGREE_CLASSES 30 /* 0, 1, 2 to 3, 4 to 7, ... */

struct ww_measure {
    uint32_t degree_min, degree_max;
    uint64_t degrees[WW_DEGREE_CLASSES]; /* vertices of each class */
    uint64_t loops, repeats; /* arcs to themselves; arcs that an arc before them in the row equals */
    uint64_t one_way;        /* arcs without one back */
    uint32_t weight_min, weight_max;
    uint32_t reached;            /* from vertex 0, with it */
    uint32_t eccentricity;       /* hops to the farthest of them */
    uint32_t diameter;           /* at least so many hops: the farthest from the farthest */
    uint64_t near_64, near_1024; /* arcs between ids so near */
    double pages; /* distinct 4 KiB pages of a 4-byte property, for the k-th neighbours of 64 vertices in a
                     row */
};

/* False when there is no memory. */
bool ww_measure_graph(const struct ww_csr *g, struct ww_measure *m);

WW_END_DECLS

#endif

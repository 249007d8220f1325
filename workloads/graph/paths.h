/* SPDX-License-Identifier: MIT */
/* workloads/graph/paths.h - references for programs on graphs: hops, distances, components, by the textbook.
 */
#ifndef WW_WORKLOADS_GRAPH_PATHS_H
#define WW_WORKLOADS_GRAPH_PATHS_H

#include "graph/graph.h"

WW_BEGIN_DECLS

/* The first two are false when there is no memory. */

/* Arcs from a source to every vertex, `none` where there is no way. */
bool ww_hops(const struct ww_csr *g, uint32_t source, uint32_t none, uint32_t *hops);

/* Dijkstra: the least sum of weights (1 each where there are none) from a source to every vertex. Sums of
 * `none` or more, which is less than 2^63, count as no way and become `none`. */
bool ww_distances(const struct ww_csr *g, uint32_t source, uint64_t none, uint64_t *distances);

/* The smallest vertex of each vertex's component, arcs taken as edges: union-find. */
void ww_components(const struct ww_csr *g, uint32_t *smallest);

WW_END_DECLS

#endif

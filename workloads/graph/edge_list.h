/* SPDX-License-Identifier: MIT */
/* workloads/graph/edge_list.h - an edge list as its lines have it, before its ids become vertices; and what
 * only the whole list can tell: that its first line is a header, that each edge of an undirected graph stands
 * there once. */
#ifndef WW_WORKLOADS_GRAPH_EDGE_LIST_H
#define WW_WORKLOADS_GRAPH_EDGE_LIST_H

#include "graph/readers.h"

#define WW_NOT_STATED UINT64_MAX

/* The first line that could be an arc. */
struct ww_first_line {
    uint64_t line;
    uint32_t words;
    uint64_t number[3]; /* WW_NOT_STATED: not a whole number */
};

struct ww_edge_list {
    uint64_t nodes, edges; /* as stated */
    uint32_t single_lines;
    bool undirected; /* as stated */
    uint64_t count, room;
    uint64_t *ids; /* 2 * count: from, to */
    struct ww_arcs weights;
    struct ww_first_line first;
    uint64_t words; /* of the lines behind it */
};

/* Fails where the first line is a header by what follows: its last number is that of the lines that follow
 * (or of their edges, if they stand there in both directions) and the others bound their ids; or it is
 * METIS'. */
bool ww_edges_check_first(struct ww_text *t, const struct ww_edge_list *l);

/* Does each arc from that one on stand there the other way round as well, as often? */
bool ww_edges_are_mirrored(const struct ww_edge_list *l, uint64_t first);
/* The other direction behind each arc that is no loop. */
bool ww_edges_mirror(struct ww_text *t, struct ww_arcs *a);

#endif

/* SPDX-License-Identifier: MIT */
/* workloads/graph/edge_list.h - an edge list as its lines have it, before its ids become vertices; and checks
 * of the whole list: whether its first line is a header, and whether it has each edge of an undirected graph
 * in one direction only. */
#ifndef WW_WORKLOADS_GRAPH_EDGE_LIST_H
#define WW_WORKLOADS_GRAPH_EDGE_LIST_H

#include "graph/readers.h"

#define WW_NOT_STATED UINT64_MAX

/* The line of arc 0, which may be a header. */
struct ww_first_line {
    uint64_t line;      /* from 1 */
    uint32_t words;     /* 2 to 4 */
    uint64_t number[3]; /* its first words; [2]: 0 without a third word, WW_NOT_STATED if no whole number */
};

struct ww_edge_list {
    uint64_t nodes, edges;  /* as the file states, in a comment or in lines of one number; or WW_NOT_STATED */
    uint32_t single_lines;  /* lines of one number before the first arc */
    bool undirected;        /* a comment says that the graph is undirected */
    uint64_t count, room;   /* arcs read, and arcs for which ids[] has memory */
    uint64_t *ids;          /* 2 * count: from, to; the owner calls free() */
    struct ww_arcs weights; /* of the arcs; its `from` and `to` are 0 */
    struct ww_first_line first;
    uint64_t words; /* in all lines of arcs after the first */
};

/* Returns false after ww_text_fail() if the first line fits as a header: its last number is the number of
 * lines that follow (or half of it, if they have each edge in both directions) and its other numbers bound
 * their ids, or it fits as METIS has it. */
bool ww_edges_check_first(struct ww_text *t, const struct ww_edge_list *l);

/* Returns true if the list, from arc number `first` on, has each arc as often in the other direction. Takes
 * one pass and no memory; by chance a list in 2^64 gets a wrong `true`. */
bool ww_edges_are_mirrored(const struct ww_edge_list *l, uint64_t first);
/* Inserts the other direction, with the same weight, directly after each arc that is no loop. Returns false
 * after ww_text_fail(), with *a unchanged. */
bool ww_edges_mirror(struct ww_text *t, struct ww_arcs *a);

#endif

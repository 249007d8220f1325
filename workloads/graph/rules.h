/* SPDX-License-Identifier: MIT */
/* workloads/graph/rules.h - what rules.c reads from "road:n=1000,seed=3" and the makers of the graphs take.
 * Private to them. */
#ifndef WW_WORKLOADS_GRAPH_RULES_H
#define WW_WORKLOADS_GRAPH_RULES_H

#include "graph/arcs.h"
#include "kernels/bits.h"

/* The keys of a rule. width, height, scale, edges, arcs and both are 0 if the rule does not give them. */
struct ww_rule {
    uint64_t vertices;      /* of every rule: from n, width and height, or scale */
    uint64_t width, height; /* of a grid */
    /* rmat: scale is log2 of the vertices; the rule gives either edges, per vertex, or arcs, in all; both = 1
     * adds each edge in both directions. power: arcs in all. */
    uint64_t scale, edges, arcs, both;
    uint64_t uniform; /* power: percent of the edges whose end is any earlier vertex, uniformly */
    uint64_t aspect;  /* road: width of the map / its height */
    uint64_t seed;
    uint64_t weights;             /* the largest weight; 0: the arcs have none */
    struct ww_arcs *made;         /* the caller's */
    struct ww_graph_error *error; /* the caller's */
};

/* Each adds the arcs to r->made; false after ww_graph_fail(). */
bool ww_make_grid(struct ww_rule *r);
bool ww_make_rmat(struct ww_rule *r);
bool ww_make_power(struct ww_rule *r);
bool ww_make_road(struct ww_rule *r);
bool ww_make_rodinia(struct ww_rule *r);

/* Return the number of arcs that the maker of this rule adds: two for each edge. */
uint64_t ww_arcs_of_grid(const struct ww_rule *r);
uint64_t ww_arcs_of_power(const struct ww_rule *r);
uint64_t ww_arcs_of_road(const struct ww_rule *r);

/* Add an arc, and an edge as an arc in each direction. The weight is 1 to r->weights, or 0 if that is 0; it
 * depends only on the seed and the pair of ends, so both directions have the same. Return false after
 * ww_graph_fail(). */
bool ww_rule_arc(struct ww_rule *r, uint32_t from, uint32_t to);
bool ww_rule_edge(struct ww_rule *r, uint32_t u, uint32_t v);

/* 0 .. count - 1 in an order that is a function of the generator; NULL after ww_graph_fail(). free() it. */
uint32_t *ww_rule_shuffled(struct ww_rule *r, uint32_t count, struct ww_rng *rng);

#endif

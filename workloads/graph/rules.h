/* SPDX-License-Identifier: MIT */
/* workloads/graph/rules.h - what rules.c reads from "road:n=1000,seed=3" and the makers of the graphs take.
 * Private to them. */
#ifndef WW_WORKLOADS_GRAPH_RULES_H
#define WW_WORKLOADS_GRAPH_RULES_H

#include "graph/arcs.h"
#include "kernels/bits.h"

struct ww_rule {
    uint64_t vertices;
    uint64_t width, height; /* of a grid */
    uint64_t scale, edges, arcs, both;
    uint64_t uniform; /* percent */
    uint64_t aspect;  /* of a map: width to height */
    uint64_t seed;
    uint64_t weights; /* the largest; 0: none */
    struct ww_arcs *made;
    struct ww_graph_error *error;
};

/* Each adds the arcs to r->made; false after ww_graph_fail(). */
bool ww_make_grid(struct ww_rule *r);
bool ww_make_rmat(struct ww_rule *r);
bool ww_make_power(struct ww_rule *r);
bool ww_make_road(struct ww_rule *r);
bool ww_make_rodinia(struct ww_rule *r);

/* How many arcs the maker will add, each edge as two and none twice. */
uint64_t ww_arcs_of_grid(const struct ww_rule *r);
uint64_t ww_arcs_of_power(const struct ww_rule *r);
uint64_t ww_arcs_of_road(const struct ww_rule *r);

/* An arc, and an edge in both directions: with the same weight, a function of seed and ends alone. */
bool ww_rule_arc(struct ww_rule *r, uint32_t from, uint32_t to);
bool ww_rule_edge(struct ww_rule *r, uint32_t u, uint32_t v);

/* 0 .. count - 1 in an order that is a function of the generator; NULL after ww_graph_fail(). free() it. */
uint32_t *ww_rule_shuffled(struct ww_rule *r, uint32_t count, struct ww_rng *rng);

#endif

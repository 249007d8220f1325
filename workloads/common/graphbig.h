/* SPDX-License-Identifier: MIT */
/* workloads/common/graphbig.h - what the programs of GraphBIG share on the host: the graph in 64-bit arrays,
 * and loops that go on while the device says so in one byte. */
#ifndef WW_WORKLOADS_GRAPHBIG_H
#define WW_WORKLOADS_GRAPHBIG_H

#include "common/graph_input.h"

#define WW_GRAPHBIG_FAR 0xffffff00u /* the suite's infinity */

/* The suite's small data set by size, and LDBC-1000k's; both are social networks. */
#define WW_GRAPHBIG_SMALL "power:n=1000,arcs=29790,uniform=80"
#define WW_GRAPHBIG_LARGE "power:n=1000000,arcs=28820000,uniform=80"
#define WW_GRAPHBIG_PRESETS(extra)                                                                           \
    {"demo", "a small social network", "--graph power:n=600,arcs=9000,uniform=80" extra},                    \
        {"pact24", "a social network of the size of LDBC-1000k", "--graph " WW_GRAPHBIG_LARGE extra},        \
        {"default", "the suite's small data set by its size", "--graph " WW_GRAPHBIG_SMALL extra},           \
    {                                                                                                        \
        NULL, NULL, NULL                                                                                     \
    }

struct ww_graphbig {
    struct ww_csr g;
    uint32_t vertices, edges;
    struct ww_array *vlist, *elist; /* rows and columns */
    struct ww_array *flag;          /* one byte, for ww_graphbig_ask() */
};

/* Declares the graph's arrays and the flag; after begin, fills them. */
void ww_graphbig_declare(struct ww_graphbig *s, struct ww_bench *b, struct ww_csr g);
void ww_graphbig_fill(struct ww_graphbig *s);

/* Sets the device's flag before a step; reads it after one. */
void ww_graphbig_set(struct ww_graphbig *s, struct ww_bench *b, uint8_t value);
uint8_t ww_graphbig_ask(struct ww_graphbig *s, struct ww_bench *b);

/* Frees the graph, prints the verdict: "n=... m=... <text>". */
int ww_graphbig_close(struct ww_graphbig *s, struct ww_bench *b, const char *what, uint32_t count);

#endif

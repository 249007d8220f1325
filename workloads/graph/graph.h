/* SPDX-License-Identifier: MIT */
/* workloads/graph/graph.h - graphs in compressed rows: read from files, made by rule, turned over.
 * Files are foreign: every mistake in one is reported as "file:line: reason", sizes stated in
 * headers are believed only once the file has shown the data, and nothing beyond WW_GRAPH_MAX is taken on.
 * Generators draw integers only, so that a seed gives the same graph with every compiler. docs/use/graphs.md
 * has formats and rules. Not modelled: hypergraphs, weights of vertices, negative weights (a magnitude is
 * taken), changes in place. Time: linear, but for sorting the ids of an edge list. Allocation: one arc list
 * and one result at a time. */
#ifndef WW_WORKLOADS_GRAPH_H
#define WW_WORKLOADS_GRAPH_H

#include "kernels/base.h"

WW_BEGIN_DECLS

/* Most vertices, and most arcs, of a graph; it bounds the memory for one to 12 GiB. */
#define WW_GRAPH_MAX (UINT32_C(1) << 28)

/* Arcs of vertex v: column[row[v]] to column[row[v + 1] - 1]. Release with ww_csr_free(). */
struct ww_csr {
    uint32_t vertices;
    uint64_t edges;   /* arcs: an undirected edge is two */
    uint32_t *row;    /* vertices + 1 */
    uint32_t *column; /* edges */
    uint32_t *weight; /* edges, or NULL where there are none */
};

/* Why there is no graph: one line, with file and line where it is a file's fault. */
struct ww_graph_error {
    char text[384];
};

/* Enum, name in --format, reader. */
#define WW_GRAPH_FORMAT_LIST(X)                                                                              \
    X(WW_GRAPH_AUTO, "auto", NULL)                                                                           \
    X(WW_GRAPH_MATRIX_MARKET, "mtx", ww_read_matrix_market)                                                  \
    X(WW_GRAPH_DIMACS, "gr", ww_read_dimacs)                                                                 \
    X(WW_GRAPH_EDGES, "edges", ww_read_edges)                                                                \
    X(WW_GRAPH_METIS, "metis", ww_read_metis)                                                                \
    X(WW_GRAPH_RODINIA, "rodinia", ww_read_rodinia)

enum ww_graph_format {
#define X(id, name, reader) id,
    WW_GRAPH_FORMAT_LIST(X)
#undef X
        WW_GRAPH_FORMATS
};

const char *ww_graph_format_name(enum ww_graph_format format);

/* All return WW_OK and a graph, or WW_E_ARG and the reason, and then leave *g alone. */

/* Reads a file, plain, .xz or .gz. WW_GRAPH_AUTO takes the format from what the file begins with where that
 * is unmistakable, else from its name, else from the shape of its first lines; where that then fails the
 * reason says so. */
int ww_graph_read(const char *path, enum ww_graph_format format, struct ww_csr *g, struct ww_graph_error *e);

/* Makes a graph by rule, "grid:1000x1000", "rmat:scale=20,edges=16", "road:n=100000,seed=3", "rodinia:65536".
 */
int ww_graph_make(const char *rule, struct ww_csr *g, struct ww_graph_error *e);
/* For help and messages. */
#define WW_GRAPH_RULES "grid:WIDTHxHEIGHT, power:n=N,arcs=M, rmat:scale=S,edges=E, road:N, rodinia:N"

/* The sizes of the graph that a rule would make, undirected or as it is, where they can be told without
 * making it; no arrays. */
bool ww_graph_foretell(const char *rule, struct ww_csr *sizes);

/* A rule where it begins with a rule's name and a colon, else a file. */
int ww_graph_open(const char *rule_or_path, enum ww_graph_format format, struct ww_csr *g,
                  struct ww_graph_error *e);

/* Every arc the other way round, in rising order of its old source. */
int ww_csr_transpose(const struct ww_csr *g, struct ww_csr *turned, struct ww_graph_error *e);
/* The undirected graph: each arc in both directions, once, without loops, rows in rising order. Of several
 * weights of an edge the smallest stays. */
int ww_csr_undirected(const struct ww_csr *g, struct ww_csr *both, struct ww_graph_error *e);

/* NULL, or the first rule of struct ww_csr that is broken. */
const char *ww_csr_check(const struct ww_csr *g);
void ww_csr_free(struct ww_csr *g);

WW_END_DECLS

#endif

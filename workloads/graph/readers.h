/* SPDX-License-Identifier: MIT */
/* workloads/graph/readers.h - one reader a format, and what they share. Each takes an open text before its
 * first line, and leaves arcs and the number of vertices; what is wrong ends in ww_text_fail(), and false is
 * returned. */
#ifndef WW_WORKLOADS_GRAPH_READERS_H
#define WW_WORKLOADS_GRAPH_READERS_H

#include "graph/arcs.h"
#include "graph/text.h"

/* Does a MatrixMarket file begin with this word? */
bool ww_is_matrix_market(const char *word);
bool ww_read_matrix_market(struct ww_text *t, struct ww_arcs *a, uint32_t *vertices);
bool ww_read_dimacs(struct ww_text *t, struct ww_arcs *a, uint32_t *vertices);
bool ww_read_edges(struct ww_text *t, struct ww_arcs *a, uint32_t *vertices);
bool ww_read_metis(struct ww_text *t, struct ww_arcs *a, uint32_t *vertices);
bool ww_read_rodinia(struct ww_text *t, struct ww_arcs *a, uint32_t *vertices);

/* On to the next line that has a word and does not begin with one of the letters of `comment`; the word is
 * taken. */
bool ww_read_line(struct ww_text *t, const char *comment);
/* The word in hand, and the next word, as a number of vertices: 1 to WW_GRAPH_MAX. */
bool ww_read_as_vertices(struct ww_text *t, uint32_t *vertices);
/* The word in hand, and the next word, as a vertex counted from `first`; *vertex counts from 0. */
bool ww_read_as_vertex(struct ww_text *t, uint32_t first, uint32_t vertices, uint32_t *vertex);
bool ww_read_vertex(struct ww_text *t, uint32_t first, uint32_t vertices, uint32_t *vertex);
bool ww_read_weight(struct ww_text *t, uint32_t *weight);
/* The next word, any finite number. */
bool ww_read_real(struct ww_text *t, double *value);
/* Rounded, at least 1 unless it is 0, at most UINT32_MAX. */
uint32_t ww_weight_of(double magnitude);
/* The next word, any finite number, as a weight. */
bool ww_read_magnitude(struct ww_text *t, uint32_t *weight);
bool ww_read_add(struct ww_text *t, struct ww_arcs *a, uint32_t from, uint32_t to, uint32_t weight);
/* Fails unless `count` of the things is what the header states. */
bool ww_read_count(struct ww_text *t, const char *things, uint64_t count, uint64_t stated);

#endif

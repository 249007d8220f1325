/* SPDX-License-Identifier: MIT */
/* workloads/common/graph_input.h - the graph a program runs on: its arguments, and the graph in arrays for
 * the device. Whatever is wrong with a file or rule ends the process with WW_EXIT_USAGE and the reason. */
#ifndef WW_WORKLOADS_GRAPH_INPUT_H
#define WW_WORKLOADS_GRAPH_INPUT_H

#include "common/bench.h"
#include "graph/graph.h"

#define WW_ARG_GRAPH(path_default)                                                                           \
    {                                                                                                        \
        .name = "--graph", .text = "a file, or " WW_GRAPH_RULES, .is_path = true, .path = (path_default)     \
    }
#define WW_FORMAT_NAME(id, name, reader) name,
#define WW_ARG_FORMAT                                                                                        \
    {                                                                                                        \
        .name = "--format", .text = "of the file", .choices = { WW_GRAPH_FORMAT_LIST(WW_FORMAT_NAME) }       \
    }
enum ww_arcs_taken { WW_ARCS_AS_THEY_ARE, WW_ARCS_REVERSED, WW_ARCS_BOTH };
#define WW_ARG_ARCS(taken)                                                                                   \
    {                                                                                                        \
        .name = "--arcs", .text = "the graph's arcs as they are, turned over, or undirected and each once",  \
        .value = (taken), .choices = {                                                                       \
            "as-is",                                                                                         \
            "reversed",                                                                                      \
            "both"                                                                                           \
        }                                                                                                    \
    }
#define WW_ARG_SOURCE                                                                                        \
    {                                                                                                        \
        .name = "--source", .text = "vertex to start from", .value = 0, .min = 0, .max = WW_GRAPH_MAX - 1    \
    }

/* What --graph, --format, --arcs (without that row: as they are) and --source say. A graph has an arc at
 * least. */
struct ww_csr ww_graph_input(const struct ww_bench *b);
/* The same, undirected: for programs without --arcs. */
struct ww_csr ww_graph_input_undirected(const struct ww_bench *b);
/* The arcs the other way round, in place of those that are there. */
void ww_graph_reverse(const struct ww_bench *b, struct ww_csr *g);

/* Ends the process unless there was memory. */
void ww_graph_need(const struct ww_bench *b, bool done);

/* An array of WW_UINT or WW_INT from 32-bit words as they are, or of WW_ULONG from them widened; the array's
 * length counts. */
void ww_fill_words(struct ww_array *array, const uint32_t *words);
/* Sets every element of an array of integers. */
void ww_fill_all(struct ww_array *array, uint32_t value);

#endif

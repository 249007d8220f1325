/* SPDX-License-Identifier: MIT */
/* workloads/sssp/sssp.c - SSSP of Pannotia: Bellman-Ford over the arcs into a vertex (the suite reads its
 * files reversed), one launch and three per round until nothing changes. 12 n + 8 m bytes. MICRO'21 counts
 * 10504 launches, which are 3501 rounds: a long map. The reference is Dijkstra's algorithm, or as many rounds
 * if --iterations ends the run early. */
#include "common/graph_input.h"
#include "graph/paths.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FAR 99999999 /* the suite's infinity; two of them fit in an int */

enum { ARG_GRAPH, ARG_FORMAT, ARG_ARCS, ARG_SOURCE, ARG_ITERATIONS, ARG_GROUP, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_GRAPH] = WW_ARG_GRAPH("road:1207945"),
    [ARG_FORMAT] = WW_ARG_FORMAT,
    [ARG_ARCS] = WW_ARG_ARCS(WW_ARCS_REVERSED),
    [ARG_SOURCE] = WW_ARG_SOURCE,
    [ARG_ITERATIONS] = {.name = "--iterations",
                        .text = "rounds at most; all unless given",
                        .min = 1,
                        .max = UINT32_MAX},
    [ARG_GROUP] = WW_ARG_GROUP(64),
};

static const struct ww_preset presets[] = {
    {"demo", "a small map, ten rounds", "--graph road:4000 --iterations 10"},
    {"micro18", "Table II, 104.32 MB: a map of the size of USA-road-d.E, 108.2 MB", "--graph road:3598623"},
    {"micro21", "about 3500 rounds: a long map of the size of USA-road-d.NW",
     "--graph road:n=1207945,aspect=4"},
    {"default", "the suite's: the size of USA-road-d.NW", "--graph road:1207945"},
    {NULL, NULL, NULL},
};

/* Computes a round on the host. Returns false if it changes nothing. */
static bool relax(const struct ww_csr *in, const int32_t *before, int32_t *after)
{
    bool changed = false;
    for (uint32_t v = 0; v < in->vertices; v++) {
        after[v] = before[v];
        for (uint32_t i = in->row[v]; i < in->row[v + 1]; i++) {
            const int32_t through = (in->weight != NULL ? (int32_t)in->weight[i] : 1) + before[in->column[i]];
            after[v] = through < after[v] ? through : after[v];
        }
        changed = changed || after[v] != before[v];
    }
    return changed;
}

static void compute_rounds(const struct ww_csr *in, uint32_t source, uint32_t rounds, struct ww_array *v2)
{
    int32_t *before = ww_new(v2->count, sizeof *before), *after = v2->data;
    ww_fill_all(v2, FAR);
    after[source] = 0;
    bool changed = true;
    for (uint32_t i = 0; i < rounds && changed; i++) {
        memcpy(before, after, ww_array_bytes(v2));
        changed = relax(in, before, after);
    }
    free(before);
}

static void compute_all(const struct ww_bench *b, struct ww_csr *in, uint32_t source, struct ww_array *v2)
{
    uint64_t *distances = ww_new(v2->count, sizeof *distances);
    ww_graph_reverse(b, in);
    ww_graph_need(b, ww_distances(in, source, FAR, distances));
    for (size_t v = 0; v < v2->count; v++) {
        ((int32_t *)v2->data)[v] = (int32_t)distances[v];
    }
    free(distances);
}

static void fill_weights(const struct ww_bench *b, const struct ww_csr *in, struct ww_array *data)
{
    ww_fill_all(data, 1);
    if (in->weight == NULL) {
        return;
    }
    for (uint64_t i = 0; i < in->edges; i++) {
        if (in->weight[i] >= FAR) {
            ww_args_refuse(b->args, "a weight of %" PRIu32 ": at most %d goes", in->weight[i], FAR - 1);
        }
    }
    ww_fill_words(data, in->weight);
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "sssp",
                           .summary = "shortest paths from one vertex, Bellman-Ford in rounds",
                           .table = table,
                           .count = ARGS,
                           .suite = "Pannotia",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    struct ww_csr in = ww_graph_input(&b);
    const uint32_t n = in.vertices, source = table[ARG_SOURCE].value;
    const uint32_t most = table[ARG_ITERATIONS].given ? table[ARG_ITERATIONS].value : UINT32_MAX;

    struct ww_array *row = ww_bench_array(&b, "row", WW_INT, (size_t)n + 1);
    struct ww_array *column = ww_bench_array(&b, "column", WW_INT, in.edges);
    struct ww_array *data = ww_bench_array(&b, "data", WW_INT, in.edges);
    struct ww_array *v1 = ww_bench_array(&b, "v1", WW_INT, n);
    struct ww_array *v2 = ww_bench_array(&b, "v2", WW_INT, n);
    struct ww_array *more = ww_bench_array(&b, "more", WW_INT, 1);
    ww_bench_begin(&b);
    ww_fill_words(row, in.row);
    ww_fill_words(column, in.column);
    fill_weights(&b, &in, data);

    ww_bench_start(&b);
    const struct ww_range all = ww_1d(n, b.group);
    uint32_t rounds = 0;
    ww_launch(&b, "sssp_init", all, ww_buffer(v1), ww_buffer(v2), ww_u32(n), ww_u32(source), ww_i32(FAR));
    do {
        ww_fill_all(more, 0);
        ww_bench_write(&b, more);
        ww_launch(&b, "sssp_assign", all, ww_buffer(v1), ww_buffer(v2), ww_u32(n));
        ww_launch(&b, "sssp_min_plus", all, ww_buffer(row), ww_buffer(column), ww_buffer(data), ww_buffer(v1),
                  ww_buffer(v2), ww_u32(n));
        ww_launch(&b, "sssp_diff", all, ww_buffer(v1), ww_buffer(v2), ww_buffer(more), ww_u32(n));
        ww_bench_read(&b, more, 0, 1);
        rounds++;
    } while (*(const int32_t *)more->data != 0 && rounds < most);

    if (*(const int32_t *)more->data != 0) {
        compute_rounds(&in, source, rounds, v2);
    } else {
        compute_all(&b, &in, source, v2);
    }
    ww_bench_check(&b, v2);
    const uint64_t edges = in.edges;
    ww_csr_free(&in);
    return ww_bench_close(&b, "n=%" PRIu32 " m=%" PRIu64 " source %" PRIu32 " rounds %" PRIu32, n, edges,
                          source, rounds);
}

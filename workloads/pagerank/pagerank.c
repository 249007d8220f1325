/* SPDX-License-Identifier: MIT */
/* workloads/pagerank/pagerank.c - PageRank of Pannotia, the pushing variant: 1 + 2 * 20 launches, the
 * 41 of MICRO'21. 12 n + 4 m bytes; the suite's weights, which no kernel touches, are omitted. The device
 * decides the order of floating-point additions, so the check has a tolerance of 1e-4 of a rank. The rank of
 * vertices without arcs is lost, as in the suite. */
#include "common/graph_input.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ARG_GRAPH, ARG_FORMAT, ARG_ARCS, ARG_ITERATIONS, ARG_GROUP, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_GRAPH] = WW_ARG_GRAPH("power:n=299067,arcs=1955352"),
    [ARG_FORMAT] = WW_ARG_FORMAT,
    [ARG_ARCS] = WW_ARG_ARCS(WW_ARCS_AS_THEY_ARE),
    [ARG_ITERATIONS] = {.name = "--iterations", .text = "steps", .value = 20, .min = 1, .max = 1000000},
    [ARG_GROUP] = WW_ARG_GROUP(256),
};

static const struct ww_preset presets[] = {
    {"demo", "a small power law, three steps", "--graph power:n=3000,arcs=18000 --iterations 3"},
    {"micro21", "41 launches; a power law of the size of coAuthorsDBLP",
     "--graph power:n=299067,arcs=1955352"},
    {"default", "the suite's: the same", "--graph power:n=299067,arcs=1955352"},
    {NULL, NULL, NULL},
};

static const float damping = 0.85f;

static void rank_on_host(const struct ww_csr *g, uint32_t steps, float start, float base,
                         struct ww_array *ranks)
{
    float *rank = ranks->data, *sum = ww_new(g->vertices, sizeof *sum);
    for (uint32_t v = 0; v < g->vertices; v++) {
        rank[v] = start;
    }
    for (uint32_t step = 0; step < steps; step++) {
        for (uint32_t v = 0; v < g->vertices; v++) {
            const float share = rank[v] / (float)(g->row[v + 1] - g->row[v]);
            for (uint32_t i = g->row[v]; i < g->row[v + 1]; i++) {
                sum[g->column[i]] += share;
            }
        }
        for (uint32_t v = 0; v < g->vertices; v++) {
            rank[v] = base + damping * sum[v];
            sum[v] = 0.0f;
        }
    }
    free(sum);
}

/* Converts to multiples of the mean, as the check treats small numbers as equal. */
static void scale(float *rank, size_t count)
{
    for (size_t v = 0; v < count; v++) {
        rank[v] *= (float)count;
    }
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "pagerank",
                           .summary = "PageRank by atomic additions to a vertex's neighbours",
                           .table = table,
                           .count = ARGS,
                           .suite = "Pannotia",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    b.check.tolerance = 1e-4;
    struct ww_csr g = ww_graph_input(&b);
    const uint32_t n = g.vertices, steps = table[ARG_ITERATIONS].value;
    const float start = 1.0f / (float)n, base = (1.0f - damping) / (float)n;

    struct ww_array *row = ww_bench_array(&b, "row", WW_INT, n);
    struct ww_array *column = ww_bench_array(&b, "column", WW_INT, g.edges);
    struct ww_array *rank = ww_bench_array(&b, "rank", WW_FLOAT, n);
    struct ww_array *sum = ww_bench_array(&b, "sum", WW_FLOAT, n);
    ww_bench_begin(&b);
    ww_fill_words(row, g.row);
    ww_fill_words(column, g.column);

    ww_bench_start(&b);
    const struct ww_range all = ww_1d(n, b.group);
    ww_launch(&b, "pagerank_init", all, ww_buffer(rank), ww_buffer(sum), ww_u32(n), ww_f32(start));
    for (uint32_t step = 0; step < steps; step++) {
        ww_launch(&b, "pagerank_push", all, ww_buffer(row), ww_buffer(column), ww_buffer(rank),
                  ww_buffer(sum), ww_u32(n), ww_i32((int32_t)g.edges));
        ww_launch(&b, "pagerank_take", all, ww_buffer(rank), ww_buffer(sum), ww_u32(n), ww_f32(base),
                  ww_f32(damping));
    }

    rank_on_host(&g, steps, start, base, rank);
    float *result = ww_bench_result(&b, rank);
    scale(rank->data, n);
    scale(result, n);
    ww_check_array(&b.check, rank, result);
    free(result);
    const uint64_t edges = g.edges;
    ww_csr_free(&g);
    return ww_bench_close(&b, "n=%" PRIu32 " m=%" PRIu64 " steps %" PRIu32, n, edges, steps);
}

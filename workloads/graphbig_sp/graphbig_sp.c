/* SPDX-License-Identifier: MIT */
/* workloads/graphbig_sp/graphbig_sp.c - SSSP of GraphBIG, variant topo_thread_centric: two launches per
 * round. 8 (n + 1) + 12 m + 9 n bytes. Weights are those of the graph, or 1 if it has none (in the suite all
 * are 1). Sums saturate: a path of 2^32 - 256 or more counts as none. The reference is by Dijkstra. */
#include "common/graphbig.h"
#include "graph/paths.h"

#include <stdlib.h>

enum { ARG_GRAPH, ARG_FORMAT, ARG_ARCS, ARG_SOURCE, ARG_GROUP, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_GRAPH] = WW_ARG_GRAPH(WW_GRAPHBIG_SMALL),
    [ARG_FORMAT] = WW_ARG_FORMAT,
    [ARG_ARCS] = WW_ARG_ARCS(WW_ARCS_AS_THEY_ARE),
    [ARG_SOURCE] = WW_ARG_SOURCE,
    [ARG_GROUP] = WW_ARG_GROUP(1024),
};

static const struct ww_preset presets[] = {WW_GRAPHBIG_PRESETS("")};

static void find_on_host(const struct ww_bench *b, const struct ww_csr *g, uint32_t root,
                         struct ww_array *distance)
{
    uint64_t *distances = ww_new(distance->count, sizeof *distances);
    ww_graph_need(b, ww_distances(g, root, WW_GRAPHBIG_FAR, distances));
    for (size_t v = 0; v < distance->count; v++) {
        ((uint32_t *)distance->data)[v] = (uint32_t)distances[v];
    }
    free(distances);
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "graphbig_sp",
                           .summary = "shortest paths by atomic minima",
                           .table = table,
                           .count = ARGS,
                           .suite = "GraphBIG",
                           .presets = presets};
    struct ww_bench b;
    struct ww_graphbig s;
    ww_bench_open(&b, &args, argc, argv);
    ww_graphbig_declare(&s, &b, ww_graph_input(&b));
    const uint32_t n = s.vertices, root = table[ARG_SOURCE].value;
    struct ww_array *weight = ww_bench_array(&b, "weight", WW_UINT, s.edges);
    struct ww_array *distance = ww_bench_array(&b, "distance", WW_UINT, n);
    struct ww_array *update = ww_bench_array(&b, "update", WW_UINT, n);
    struct ww_array *mask = ww_bench_array(&b, "mask", WW_UCHAR, n);
    ww_bench_begin(&b);
    ww_graphbig_fill(&s);
    ww_fill_all(weight, 1);
    if (s.g.weight != NULL) {
        ww_fill_words(weight, s.g.weight);
    }

    ww_bench_start(&b);
    const struct ww_range all = ww_1d(n, b.group);
    uint32_t rounds = 0;
    ww_launch(&b, "sp_init", all, ww_buffer(distance), ww_buffer(update), ww_buffer(mask), ww_u64(n),
              ww_u64(root), ww_u32(WW_GRAPHBIG_FAR));
    do {
        ww_graphbig_set(&s, &b, 0);
        ww_launch(&b, "sp_relax", all, ww_buffer(s.vlist), ww_buffer(s.elist), ww_buffer(weight),
                  ww_buffer(distance), ww_buffer(update), ww_buffer(mask), ww_u64(n));
        ww_launch(&b, "sp_take", all, ww_buffer(distance), ww_buffer(update), ww_buffer(mask),
                  ww_buffer(s.flag), ww_u64(n));
        rounds++;
    } while (ww_graphbig_ask(&s, &b) != 0);

    find_on_host(&b, &s.g, root, distance);
    ww_bench_check(&b, distance);
    return ww_graphbig_close(&s, &b, "rounds", rounds);
}

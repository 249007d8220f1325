/* SPDX-License-Identifier: MIT */
/* workloads/graphbig_bfs/graphbig_bfs.c - BFS of GraphBIG, variant topo_frontier: two launches per level. 8
 * (n + 1) + 8 m + 7 n bytes. The reference is a search with a queue. */
#include "common/graphbig.h"
#include "graph/paths.h"

enum { ARG_GRAPH, ARG_FORMAT, ARG_ARCS, ARG_SOURCE, ARG_GROUP, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_GRAPH] = WW_ARG_GRAPH(WW_GRAPHBIG_SMALL),
    [ARG_FORMAT] = WW_ARG_FORMAT,
    [ARG_ARCS] = WW_ARG_ARCS(WW_ARCS_AS_THEY_ARE),
    [ARG_SOURCE] = WW_ARG_SOURCE,
    [ARG_GROUP] = WW_ARG_GROUP(1024),
};

static const struct ww_preset presets[] = {WW_GRAPHBIG_PRESETS("")};

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "graphbig_bfs",
                           .summary = "breadth-first search with a frontier",
                           .table = table,
                           .count = ARGS,
                           .suite = "GraphBIG",
                           .presets = presets};
    struct ww_bench b;
    struct ww_graphbig s;
    ww_bench_open(&b, &args, argc, argv);
    ww_graphbig_declare(&s, &b, ww_graph_input(&b));
    const uint32_t n = s.vertices, root = table[ARG_SOURCE].value;
    struct ww_array *frontier = ww_bench_array(&b, "frontier", WW_UCHAR, n);
    struct ww_array *next = ww_bench_array(&b, "next", WW_UCHAR, n);
    struct ww_array *visited = ww_bench_array(&b, "visited", WW_UCHAR, n);
    struct ww_array *level = ww_bench_array(&b, "level", WW_UINT, n);
    ww_bench_begin(&b);
    ww_graphbig_fill(&s);

    ww_bench_start(&b);
    const struct ww_range all = ww_1d(n, b.group);
    uint32_t levels = 0;
    ww_launch(&b, "bfs_init", all, ww_buffer(frontier), ww_buffer(next), ww_buffer(visited), ww_buffer(level),
              ww_u64(n), ww_u64(root), ww_u32(WW_GRAPHBIG_FAR));
    do {
        ww_graphbig_set(&s, &b, 0);
        ww_launch(&b, "bfs_expand", all, ww_buffer(s.vlist), ww_buffer(s.elist), ww_buffer(frontier),
                  ww_buffer(next), ww_buffer(visited), ww_buffer(level), ww_u64(n));
        ww_launch(&b, "bfs_advance", all, ww_buffer(frontier), ww_buffer(next), ww_buffer(visited),
                  ww_buffer(s.flag), ww_u64(n));
        levels++;
    } while (ww_graphbig_ask(&s, &b) != 0);

    ww_graph_need(&b, ww_hops(&s.g, root, WW_GRAPHBIG_FAR, level->data));
    ww_bench_check(&b, level);
    return ww_graphbig_close(&s, &b, "levels", levels);
}

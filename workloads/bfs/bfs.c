/* SPDX-License-Identifier: MIT */
/* workloads/bfs/bfs.c - bfs of Rodinia: levels of a breadth-first search, two launches per level. 15 n + 4
 * m bytes. The suite's rule makes the graph unless another is given. */
#include "common/graph_input.h"
#include "graph/paths.h"

#include <inttypes.h>

enum { ARG_GRAPH, ARG_FORMAT, ARG_ARCS, ARG_SOURCE, ARG_ITERATIONS, ARG_GROUP, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_GRAPH] = WW_ARG_GRAPH("rodinia:1000000"),
    [ARG_FORMAT] = WW_ARG_FORMAT,
    [ARG_ARCS] = WW_ARG_ARCS(WW_ARCS_AS_THEY_ARE),
    [ARG_SOURCE] = WW_ARG_SOURCE,
    [ARG_ITERATIONS] = {.name = "--iterations",
                        .text = "levels at most; all unless given",
                        .min = 1,
                        .max = INT32_MAX},
    [ARG_GROUP] = WW_ARG_GROUP(256),
};

static const struct ww_preset presets[] = {
    {"demo", "costs on 16 pages", "--graph rodinia:16384"},
    {"hpca14", "reduced, not published; the size of the suite's graph65536", "--graph rodinia:65536"},
    {"micro21", "24 launches as in Table 2: the size of the suite's graph1MW_6", "--graph rodinia:1000000"},
    {"default", "the size of the suite's graph1MW_6", "--graph rodinia:1000000"},
    {NULL, NULL, NULL},
};

struct bfs {
    struct ww_csr graph;
    struct ww_array *nodes, *edges, *mask, *updating, *visited, *cost, *over;
    uint32_t source;
    uint32_t levels_max; /* 0: no limit */
    uint32_t levels;     /* of the device; the last one finds nothing unless levels_max ends the search */
};

static void declare(struct ww_bench *b, struct bfs *s)
{
    const size_t n = s->graph.vertices;
    s->nodes = ww_bench_matrix(b, "nodes", WW_INT, n, 2);
    s->edges = ww_bench_array(b, "edges", WW_UINT, s->graph.edges);
    s->mask = ww_bench_array(b, "mask", WW_UCHAR, n);
    s->updating = ww_bench_array(b, "updating", WW_UCHAR, n);
    s->visited = ww_bench_array(b, "visited", WW_UCHAR, n);
    s->cost = ww_bench_array(b, "cost", WW_INT, n);
    s->over = ww_bench_array(b, "over", WW_UCHAR, 1);
    ww_bench_begin(b);
}

static void fill(struct bfs *s)
{
    int32_t *const nodes = s->nodes->data, *const cost = s->cost->data;
    for (size_t v = 0; v < s->graph.vertices; v++) {
        nodes[2 * v] = (int32_t)s->graph.row[v];
        nodes[2 * v + 1] = (int32_t)(s->graph.row[v + 1] - s->graph.row[v]);
        cost[v] = -1;
    }
    ww_fill_words(s->edges, s->graph.column);
    cost[s->source] = 0;
    ((uint8_t *)s->mask->data)[s->source] = 1;
    ((uint8_t *)s->visited->data)[s->source] = 1;
}

static void search_on_device(struct ww_bench *b, struct bfs *s)
{
    const struct ww_range all = ww_1d(s->graph.vertices, b->group);
    const struct ww_param vertices = ww_u32(s->graph.vertices);
    uint8_t *const over = s->over->data;
    do {
        *over = 0;
        ww_bench_write(b, s->over);
        ww_launch(b, "bfs_expand", all, ww_buffer(s->nodes), ww_buffer(s->edges), ww_buffer(s->mask),
                  ww_buffer(s->updating), ww_buffer(s->visited), ww_buffer(s->cost), vertices);
        ww_launch(b, "bfs_update", all, ww_buffer(s->mask), ww_buffer(s->updating), ww_buffer(s->visited),
                  ww_buffer(s->over), vertices);
        ww_bench_read(b, s->over, 0, 1);
        s->levels++;
    } while (*over != 0 && s->levels != s->levels_max);
}

/* Computes the costs up to the last level of the device; -1 where there is no path, as in the suite. */
static void search_on_host(const struct ww_bench *b, struct bfs *s)
{
    int32_t *const cost = s->cost->data;
    ww_graph_need(b, ww_hops(&s->graph, s->source, UINT32_MAX, s->cost->data));
    for (size_t v = 0; v < s->graph.vertices; v++)
        if (cost[v] > (int64_t)s->levels)
            cost[v] = -1;
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "bfs",
                           .summary = "levels of a breadth-first search in a graph",
                           .table = table,
                           .count = ARGS,
                           .suite = "Rodinia",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    struct bfs s = {.graph = ww_graph_input(&b),
                    .source = table[ARG_SOURCE].value,
                    .levels_max = table[ARG_ITERATIONS].value};
    declare(&b, &s);
    fill(&s);

    ww_bench_start(&b);
    search_on_device(&b, &s);
    search_on_host(&b, &s);
    ww_bench_check(&b, s.cost);
    const uint32_t vertices = s.graph.vertices;
    const uint64_t edges = s.graph.edges;
    ww_csr_free(&s.graph);
    return ww_bench_close(&b, "%" PRIu32 " vertices, %" PRIu64 " arcs, %" PRIu32 " levels", vertices, edges,
                          s.levels);
}

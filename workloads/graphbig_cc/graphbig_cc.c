/* SPDX-License-Identifier: MIT */
/* workloads/graphbig_cc/graphbig_cc.c - connected components of GraphBIG: four launches per round, until
 * a round hooks nothing. The graph becomes undirected. 8 (n + 1) + 17 m + 16 n bytes. Races make the number
 * of rounds and the names of components depend on the device; the check is that they are the components of a
 * union-find. */
#include "common/graphbig.h"
#include "graph/paths.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ARG_GRAPH, ARG_FORMAT, ARG_GROUP, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_GRAPH] = WW_ARG_GRAPH(WW_GRAPHBIG_SMALL),
    [ARG_FORMAT] = WW_ARG_FORMAT,
    [ARG_GROUP] = WW_ARG_GROUP(1024),
};

static const struct ww_preset presets[] = {WW_GRAPHBIG_PRESETS("")};

/* Checks that a component's name is one of its vertices, and that all its vertices have this name. */
static void check_components(struct ww_bench *b, const struct ww_csr *g, const struct ww_array *parents)
{
    uint64_t *parent = ww_bench_result(b, parents);
    uint32_t *smallest = ww_new(g->vertices, sizeof *smallest);
    ww_components(g, smallest);
    for (uint32_t v = 0; v < g->vertices; v++) {
        const uint64_t name = parent[v];
        if (name >= g->vertices || smallest[name] != smallest[v] || name != parent[smallest[v]]) {
            ww_check_wrong(&b->check,
                           "vertex %" PRIu32 " has component %" PRIu64 ", vertex %" PRIu32
                           " of the same has %" PRIu64,
                           v, name, smallest[v], parent[smallest[v]]);
            break;
        }
    }
    free(smallest);
    free(parent);
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "graphbig_cc",
                           .summary = "connected components by hooking and jumping",
                           .table = table,
                           .count = ARGS,
                           .suite = "GraphBIG",
                           .presets = presets};
    struct ww_bench b;
    struct ww_graphbig s;
    ww_bench_open(&b, &args, argc, argv);
    ww_graphbig_declare(&s, &b, ww_graph_input_undirected(&b));
    const uint32_t n = s.vertices, m = s.edges;
    struct ww_array *parent = ww_bench_array(&b, "parent", WW_ULONG, n);
    struct ww_array *shadow = ww_bench_array(&b, "shadow", WW_ULONG, n);
    struct ww_array *done = ww_bench_array(&b, "done", WW_UCHAR, m);
    struct ww_array *source = ww_bench_array(&b, "source", WW_ULONG, m);
    ww_bench_begin(&b);
    ww_graphbig_fill(&s);

    ww_bench_start(&b);
    const struct ww_range all = ww_1d(n, b.group), pairs = ww_1d((size_t)m / 2 + m % 2, b.group);
    uint32_t rounds = 0;
    uint8_t over = 0;
    ww_launch(&b, "cc_init", all, ww_buffer(s.vlist), ww_buffer(parent), ww_buffer(shadow), ww_buffer(done),
              ww_buffer(source), ww_u64(n));
    while (over == 0) {
        ww_graphbig_set(&s, &b, 1);
        ww_launch(&b, "cc_hook", pairs, ww_buffer(s.elist), ww_buffer(parent), ww_buffer(shadow),
                  ww_buffer(done), ww_buffer(source), ww_buffer(s.flag), ww_u64(m), ww_u32(rounds));
        ww_launch(&b, "cc_update", all, ww_buffer(parent), ww_buffer(shadow), ww_u64(n));
        over = ww_graphbig_ask(&s, &b);
        rounds++;
        ww_launch(&b, "cc_jump", all, ww_buffer(parent), ww_buffer(shadow), ww_u64(n));
        ww_launch(&b, "cc_update", all, ww_buffer(parent), ww_buffer(shadow), ww_u64(n));
    }

    check_components(&b, &s.g, parent);
    return ww_graphbig_close(&s, &b, "rounds", rounds);
}

/* SPDX-License-Identifier: MIT */
/* workloads/graphbig_kc/graphbig_kc.c - k-core of GraphBIG: two launches per round until none removes a
 * vertex. The graph becomes undirected. 8 (n + 1) + 8 m + 6 n bytes. The check compares the removed vertices
 * and their number with peeling by a list. */
#include "common/graphbig.h"

#include <stdlib.h>

enum { ARG_GRAPH, ARG_FORMAT, ARG_K, ARG_GROUP, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_GRAPH] = WW_ARG_GRAPH(WW_GRAPHBIG_SMALL),
    [ARG_FORMAT] = WW_ARG_FORMAT,
    [ARG_K] = {.name = "--k",
               .text = "degree that vertices of the core have at least",
               .value = 3,
               .min = 1,
               .max = WW_GRAPH_MAX},
    [ARG_GROUP] = WW_ARG_GROUP(1024),
};

static const struct ww_preset presets[] = {WW_GRAPHBIG_PRESETS("")};

/* Fills `removed`. Returns the number of removed vertices. */
static uint32_t peel(const struct ww_csr *g, uint32_t k, uint8_t *removed)
{
    uint32_t *degree = ww_new(g->vertices, sizeof *degree), *list = ww_new(g->vertices, sizeof *list),
             count = 0;
    for (uint32_t v = 0; v < g->vertices; v++) {
        degree[v] = g->row[v + 1] - g->row[v];
        if (degree[v] < k) {
            removed[v] = 1;
            list[count++] = v;
        }
    }
    for (uint32_t at = 0; at < count; at++) {
        for (uint32_t i = g->row[list[at]]; i < g->row[list[at] + 1]; i++) {
            const uint32_t v = g->column[i];
            if (removed[v] == 0 && --degree[v] < k) {
                removed[v] = 1;
                list[count++] = v;
            }
        }
    }
    free(degree);
    free(list);
    return count;
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "graphbig_kc",
                           .summary = "the k-core of a graph",
                           .table = table,
                           .count = ARGS,
                           .suite = "GraphBIG",
                           .presets = presets};
    struct ww_bench b;
    struct ww_graphbig s;
    ww_bench_open(&b, &args, argc, argv);
    ww_graphbig_declare(&s, &b, ww_graph_input_undirected(&b));
    const uint32_t n = s.vertices, k = table[ARG_K].value;
    struct ww_array *degree = ww_bench_array(&b, "degree", WW_UINT, n);
    struct ww_array *removed = ww_bench_array(&b, "removed", WW_UCHAR, n);
    struct ww_array *flag = ww_bench_array(&b, "flag", WW_UCHAR, n);
    struct ww_array *removals = ww_bench_array(&b, "removals", WW_UINT, 1);
    ww_bench_begin(&b);
    ww_graphbig_fill(&s);

    ww_bench_start(&b);
    const struct ww_range all = ww_1d(n, b.group);
    uint32_t rounds = 0;
    ww_launch(&b, "kc_init", all, ww_buffer(s.vlist), ww_buffer(degree), ww_buffer(removed), ww_buffer(flag),
              ww_u64(n));
    do {
        ww_graphbig_set(&s, &b, 1);
        ww_launch(&b, "kc_lower", all, ww_buffer(s.vlist), ww_buffer(s.elist), ww_buffer(degree),
                  ww_buffer(removed), ww_buffer(flag), ww_u64(n));
        ww_launch(&b, "kc_remove", all, ww_buffer(degree), ww_buffer(removed), ww_buffer(flag),
                  ww_buffer(removals), ww_buffer(s.flag), ww_u64(n), ww_u32(k));
        rounds++;
    } while (ww_graphbig_ask(&s, &b) == 0);

    *(uint32_t *)removals->data = peel(&s.g, k, removed->data);
    ww_bench_check(&b, removed);
    ww_bench_check(&b, removals);
    return ww_graphbig_close(&s, &b, "rounds", rounds);
}

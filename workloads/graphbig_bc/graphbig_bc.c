/* SPDX-License-Identifier: MIT */
/* workloads/graphbig_bc/graphbig_bc.c - betweenness centrality of GraphBIG, variant thread-centric: for each
 * of --roots vertices from --source on, one launch per level forward and one backward. The suite takes all
 * vertices. 8 (n + 1) + 8 m + 16 n bytes. Path counts have 32 bits, as in the suite; a graph with more paths
 * is refused. The reference is Brandes' algorithm in the kernels' order. */
#include "common/graphbig.h"
#include "graph/paths.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ARG_GRAPH, ARG_FORMAT, ARG_ARCS, ARG_SOURCE, ARG_ROOTS, ARG_GROUP, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_GRAPH] = WW_ARG_GRAPH(WW_GRAPHBIG_SMALL),
    [ARG_FORMAT] = WW_ARG_FORMAT,
    [ARG_ARCS] = WW_ARG_ARCS(WW_ARCS_AS_THEY_ARE),
    [ARG_SOURCE] = WW_ARG_SOURCE,
    [ARG_ROOTS] = {.name = "--roots",
                   .text = "vertices to start from, one after the other",
                   .value = 4,
                   .min = 1,
                   .max = WW_GRAPH_MAX},
    [ARG_GROUP] = WW_ARG_GROUP(1024),
};

static const struct ww_preset presets[] = {WW_GRAPHBIG_PRESETS(" --roots 2")};

struct brandes {
    uint32_t *level, *order; /* order: reached vertices by level; within one by number */
    uint64_t *paths;
    float *share;
    uint32_t reached;
};

static void order_by_level(const struct ww_csr *g, struct brandes *h)
{
    uint32_t found = 1;
    h->reached = 0;
    for (uint32_t level = 0; found > 0; level++) {
        found = 0;
        for (uint32_t v = 0; v < g->vertices; v++) {
            if (h->level[v] == level) {
                h->order[h->reached++] = v;
                found++;
            }
        }
    }
}

/* Returns false if there are more paths than 32 bits hold. */
static bool count_paths(const struct ww_csr *g, uint32_t root, struct brandes *h)
{
    for (uint32_t v = 0; v < g->vertices; v++) {
        h->paths[v] = v == root;
        h->share[v] = 0.0f;
    }
    for (uint32_t k = 0; k < h->reached; k++) {
        const uint32_t v = h->order[k];
        for (uint32_t i = g->row[v]; i < g->row[v + 1]; i++) {
            const uint32_t w = g->column[i];
            if (h->level[w] == h->level[v] + 1) {
                h->paths[w] += h->paths[v];
                if (h->paths[w] > UINT32_MAX) {
                    return false;
                }
            }
        }
    }
    return true;
}

static void share_out(const struct ww_csr *g, uint32_t root, struct brandes *h, float *centrality)
{
    for (uint32_t k = h->reached; k-- > 0;) {
        const uint32_t v = h->order[k];
        const float mine = (float)h->paths[v];
        float sum = 0.0f;
        for (uint32_t i = g->row[v]; i < g->row[v + 1]; i++) {
            const uint32_t w = g->column[i];
            if (h->level[w] == h->level[v] + 1) {
                sum += mine / (float)h->paths[w] * (1.0f + h->share[w]);
            }
        }
        h->share[v] += sum;
        if (v != root) {
            centrality[v] += h->share[v];
        }
    }
}

/* Runs before the device, so that a graph with too many paths is refused at once. */
static void compute_on_host(const struct ww_bench *b, const struct ww_csr *g, uint32_t first, uint32_t roots,
                            float *centrality)
{
    const uint32_t n = g->vertices;
    struct brandes h = {ww_new(n, sizeof *h.level), ww_new(n, sizeof *h.order), ww_new(n, sizeof *h.paths),
                        ww_new(n, sizeof *h.share), 0};
    for (uint32_t root = first; root < first + roots; root++) {
        ww_graph_need(b, ww_hops(g, root, WW_GRAPHBIG_FAR, h.level));
        order_by_level(g, &h);
        if (!count_paths(g, root, &h)) {
            ww_args_refuse(b->args,
                           "from vertex %" PRIu32 " there are more shortest paths than 32 bits count", root);
        }
        share_out(g, root, &h, centrality);
    }
    free(h.level);
    free(h.order);
    free(h.paths);
    free(h.share);
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "graphbig_bc",
                           .summary = "betweenness centrality from some roots",
                           .table = table,
                           .count = ARGS,
                           .suite = "GraphBIG",
                           .presets = presets};
    struct ww_bench b;
    struct ww_graphbig s;
    ww_bench_open(&b, &args, argc, argv);
    ww_graphbig_declare(&s, &b, ww_graph_input(&b));
    const uint32_t n = s.vertices, first = table[ARG_SOURCE].value;
    uint32_t roots = table[ARG_ROOTS].value;
    if (roots > n - first && table[ARG_ROOTS].given) {
        ww_args_refuse(&args, "%" PRIu32 " roots from %" PRIu32 " on, of %" PRIu32 " vertices", roots, first,
                       n);
    }
    roots = roots < n - first ? roots : n - first;
    struct ww_array *level = ww_bench_array(&b, "level", WW_UINT, n);
    struct ww_array *paths = ww_bench_array(&b, "paths", WW_UINT, n);
    struct ww_array *share = ww_bench_array(&b, "share", WW_FLOAT, n);
    struct ww_array *centrality = ww_bench_array(&b, "centrality", WW_FLOAT, n);
    ww_bench_begin(&b);
    ww_graphbig_fill(&s);
    float *reference = ww_new(n, sizeof *reference);
    compute_on_host(&b, &s.g, first, roots, reference);

    ww_bench_start(&b);
    const struct ww_range all = ww_1d(n, b.group);
    uint32_t deepest = 0;
    for (uint32_t root = first; root < first + roots; root++) {
        uint32_t current = 0;
        ww_launch(&b, "bc_init", all, ww_buffer(level), ww_buffer(paths), ww_buffer(share), ww_u64(n),
                  ww_u64(root), ww_u32(WW_GRAPHBIG_FAR));
        do {
            ww_graphbig_set(&s, &b, 0);
            ww_launch(&b, "bc_forward", all, ww_buffer(s.vlist), ww_buffer(s.elist), ww_buffer(level),
                      ww_buffer(paths), ww_buffer(s.flag), ww_u64(n), ww_u32(current),
                      ww_u32(WW_GRAPHBIG_FAR));
            current++;
        } while (ww_graphbig_ask(&s, &b) != 0);
        deepest = current > deepest ? current : deepest;
        while (--current > 0) {
            ww_launch(&b, "bc_backward", all, ww_buffer(s.vlist), ww_buffer(s.elist), ww_buffer(level),
                      ww_buffer(paths), ww_buffer(share), ww_u64(n), ww_u32(current));
        }
        ww_launch(&b, "bc_sum", all, ww_buffer(level), ww_buffer(share), ww_buffer(centrality), ww_u64(n),
                  ww_u64(root), ww_u32(WW_GRAPHBIG_FAR));
    }

    free(centrality->data);
    centrality->data = reference;
    ww_bench_check(&b, centrality);
    return ww_graphbig_close(&s, &b, "levels", deepest);
}

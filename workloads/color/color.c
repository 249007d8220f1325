/* SPDX-License-Identifier: MIT */
/* workloads/color/color.c - graph colouring of Pannotia (coloring_max): two launches per pass until no two
 * neighbours are without colour. The graph becomes undirected. 16 n + 4 m bytes. As in the suite, a vertex
 * with one neighbour ignores it, so the two may share a colour. Values are a random permutation: the suite's
 * random numbers can be equal, and then two neighbours would wait for each other for ever. MICRO'18 uses
 * ecology1, which is a grid of 1000 x 1000. */
#include "common/graph_input.h"
#include "kernels/bits.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ARG_GRAPH, ARG_FORMAT, ARG_ITERATIONS, ARG_GROUP, ARGS };
enum { NO_COLOR = -1 };

static struct ww_arg table[ARGS] = {
    [ARG_GRAPH] = WW_ARG_GRAPH("grid:1000x1000"),
    [ARG_FORMAT] = WW_ARG_FORMAT,
    [ARG_ITERATIONS] = {.name = "--iterations",
                        .text = "passes at most; all unless given",
                        .min = 1,
                        .max = INT32_MAX},
    [ARG_GROUP] = WW_ARG_GROUP(256),
};

static const struct ww_preset presets[] = {
    {"demo", "a small grid", "--graph grid:48x48"},
    {"micro18", "Table II, 26.68 MB: the grid that ecology1 is", "--graph grid:1000x1000"},
    {"default", "the suite's: the same", "--graph grid:1000x1000"},
    {NULL, NULL, NULL},
};

/* Fills in 0 to count - 1 in random order; a float represents each exactly. */
static void fill_permutation(struct ww_array *values)
{
    float *value = values->data;
    struct ww_rng rng;
    ww_rng_init(&rng, 7);
    for (size_t i = 0; i < values->count; i++) {
        const uint32_t j = ww_rng_below(&rng, (uint32_t)i + 1);
        value[i] = value[j];
        value[j] = (float)i;
    }
}

/* Returns the largest value of the neighbours without colour, and sets *more; -1 if there is none. */
static float largest_around(const struct ww_csr *g, const float *value, const int32_t *color, uint32_t v,
                            bool *more)
{
    float largest = -1.0f;
    if (g->row[v + 1] - g->row[v] == 1) {
        return largest;
    }
    for (uint32_t i = g->row[v]; i < g->row[v + 1]; i++) {
        if (color[g->column[i]] == NO_COLOR) {
            *more = true;
            largest = value[g->column[i]] > largest ? value[g->column[i]] : largest;
        }
    }
    return largest;
}

static void color_on_host(const struct ww_csr *g, const float *value, int32_t passes, struct ww_array *colors)
{
    int32_t *color = colors->data;
    float *largest = ww_new(g->vertices, sizeof *largest);
    bool more = true;
    for (int32_t pass = 1; more && pass <= passes; pass++) {
        more = false;
        for (uint32_t v = 0; v < g->vertices; v++) {
            if (color[v] == NO_COLOR) {
                largest[v] = largest_around(g, value, color, v, &more);
            }
        }
        for (uint32_t v = 0; v < g->vertices; v++) {
            if (color[v] == NO_COLOR && value[v] > largest[v]) {
                color[v] = pass;
            }
        }
    }
    free(largest);
}

/* Checks without the reference that no two neighbours have the same colour, except vertices with a single
 * neighbour, and that all vertices have a colour unless the run was ended early. */
static void check_colors(struct ww_bench *b, const struct ww_csr *g, const struct ww_array *colors, bool all)
{
    int32_t *color = ww_bench_result(b, colors);
    for (uint32_t v = 0; v < g->vertices && !b->check.wrong; v++) {
        if (color[v] == NO_COLOR) {
            if (all) {
                ww_check_wrong(&b->check, "vertex %" PRIu32 " has no colour", v);
            }
            continue;
        }
        for (uint32_t i = g->row[v]; i < g->row[v + 1] && g->row[v + 1] - g->row[v] > 1; i++) {
            const uint32_t other = g->column[i];
            if (color[v] == color[other] && g->row[other + 1] - g->row[other] > 1) {
                ww_check_wrong(&b->check, "neighbours %" PRIu32 " and %" PRIu32 " have the same colour", v,
                               other);
            }
        }
    }
    free(color);
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "color",
                           .summary = "graph colouring by local maxima",
                           .table = table,
                           .count = ARGS,
                           .suite = "Pannotia",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    struct ww_csr g = ww_graph_input_undirected(&b);
    const uint32_t n = g.vertices;
    const int32_t most = table[ARG_ITERATIONS].given ? (int32_t)table[ARG_ITERATIONS].value : INT32_MAX;
    if (n > 1u << 24) {
        ww_args_refuse(&args, "at most 16777216 vertices, not %" PRIu32 ": a float holds each value once", n);
    }

    struct ww_array *row = ww_bench_array(&b, "row", WW_INT, n);
    struct ww_array *column = ww_bench_array(&b, "column", WW_INT, g.edges);
    struct ww_array *value = ww_bench_array(&b, "value", WW_FLOAT, n);
    struct ww_array *color = ww_bench_array(&b, "color", WW_INT, n);
    struct ww_array *largest = ww_bench_array(&b, "largest", WW_FLOAT, n);
    struct ww_array *more = ww_bench_array(&b, "more", WW_INT, 1);
    ww_bench_begin(&b);
    ww_fill_words(row, g.row);
    ww_fill_words(column, g.column);
    fill_permutation(value);
    ww_fill_all(color, (uint32_t)NO_COLOR);

    ww_bench_start(&b);
    const struct ww_range all = ww_1d(n, b.group);
    int32_t passes = 0;
    do {
        ww_fill_all(more, 0);
        ww_bench_write(&b, more);
        passes++;
        ww_launch(&b, "color_max", all, ww_buffer(row), ww_buffer(column), ww_buffer(value), ww_buffer(color),
                  ww_buffer(largest), ww_buffer(more), ww_u32(n), ww_i32((int32_t)g.edges));
        ww_launch(&b, "color_take", all, ww_buffer(value), ww_buffer(color), ww_buffer(largest), ww_u32(n),
                  ww_i32(passes));
        ww_bench_read(&b, more, 0, 1);
    } while (*(const int32_t *)more->data != 0 && passes < most);

    color_on_host(&g, value->data, passes, color);
    check_colors(&b, &g, color, *(const int32_t *)more->data == 0);
    ww_bench_check(&b, color);
    const uint64_t edges = g.edges;
    ww_csr_free(&g);
    return ww_bench_close(&b, "n=%" PRIu32 " m=%" PRIu64 " passes %" PRId32, n, edges, passes);
}

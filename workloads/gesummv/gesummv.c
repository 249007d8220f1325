/* SPDX-License-Identifier: MIT */
/* workloads/gesummv/gesummv.c - GESUMMV of PolyBench-GPU: y = alpha A x + beta B x, one kernel.
 * Default as MICRO'18 Table II: 4096 float, two matrices, 128.06 MiB. */
#include "common/bench.h"

#include <inttypes.h>

#define ALPHA 43532.0
#define BETA 12313.0

enum { ARG_TYPE, ARG_ACCUMULATE, ARG_GROUP, ARG_N, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_TYPE] = WW_ARG_TYPE(WW_FLOAT),
    [ARG_ACCUMULATE] = WW_ARG_ACCUMULATE,
    [ARG_GROUP] = WW_ARG_GROUP(256),
    [ARG_N] = {.name = "N", .text = "rows and columns", .value = 4096, .min = 1, .max = WW_MATRIX_MAX},
};

static const struct ww_preset presets[] = {
    {"demo", "rows of 4 KiB", "--type double 512"},
    {"micro18", "Table II, 128.06 MB", "4096"},
    {"micro21", "one kernel as in Table 2; the size is not published", "4096"},
    {"pact24", "within the 214 to 1024 MB of the paper", "8192"},
    {"default", "the suite's", "4096"},
    {NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "gesummv",
                           .summary = "y = alpha A x + beta B x: two matrices by rows",
                           .table = table,
                           .count = ARGS,
                           .suite = "PolyBench",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint32_t n = table[ARG_N].value;

    struct ww_array *matrix_a = ww_bench_matrix(&b, "A", b.type, n, n);
    struct ww_array *matrix_b = ww_bench_matrix(&b, "B", b.type, n, n);
    struct ww_array *x = ww_bench_array(&b, "x", b.type, n);
    struct ww_array *y = ww_bench_array(&b, "y", b.type, n);
    struct ww_array *tmp = ww_bench_array(&b, "tmp", b.type, n);
    ww_bench_begin(&b);
    ww_fill_matrix(matrix_a, n, n, n);
    ww_fill_matrix(matrix_b, n, n, n);
    ww_fill_vector(x, 0, 1, n);

    ww_bench_start(&b);
    ww_launch(&b, "gesummv", ww_1d(n, b.group), ww_buffer(matrix_a), ww_buffer(matrix_b), ww_buffer(x),
              ww_buffer(y), ww_buffer(tmp), ww_u32(n));

    ww_rows_times(matrix_a, x, tmp);
    ww_rows_times(matrix_b, x, y);
    for (uint32_t i = 0; i < n; i++) {
        double scaled_a = ww_round(b.type, ALPHA * ww_get(tmp, i));
        double scaled_b = ww_round(b.type, BETA * ww_get(y, i));
        ww_set(y, i, scaled_a + scaled_b);
    }
    ww_bench_check(&b, tmp);
    ww_bench_check(&b, y);
    return ww_bench_close(&b, "N=%" PRIu32, n);
}

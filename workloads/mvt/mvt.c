/* SPDX-License-Identifier: MIT */
/* workloads/mvt/mvt.c - MVT of PolyBench-GPU: x1 += A y1, then x2 += A^T y2, two independent kernels in
 * order. Default: 4096 double, which explains the 128.14 MiB of MICRO'18 Table II best. */
#include "common/bench.h"

#include <inttypes.h>

enum { ARG_TYPE, ARG_ACCUMULATE, ARG_GROUP, ARG_N, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_TYPE] = WW_ARG_TYPE(WW_DOUBLE),
    [ARG_ACCUMULATE] = WW_ARG_ACCUMULATE,
    [ARG_GROUP] = WW_ARG_GROUP(256),
    [ARG_N] = {.name = "N", .text = "rows and columns", .value = 4096, .min = 1, .max = WW_MATRIX_MAX},
};

static const struct ww_preset presets[] = {
    {"demo", "rows of 4 KiB", "512"},
    {"micro18", "Table II, 128.14 MB", "--type double 4096"},
    {"micro21", "two kernels as in Table 2; the size is not published", "--type float 4096"},
    {"pact24", "within the 214 to 1024 MB of the paper", "--type float 8192"},
    {"default", "the suite's", "--type float 4096"},
    {NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "mvt",
                           .summary = "x1 += A y1 and x2 += A^T y2: a matrix by rows, then by columns",
                           .table = table,
                           .count = ARGS,
                           .suite = "PolyBench",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint32_t n = table[ARG_N].value;

    struct ww_array *a = ww_bench_matrix(&b, "A", b.type, n, n);
    struct ww_array *x1 = ww_bench_array(&b, "x1", b.type, n);
    struct ww_array *x2 = ww_bench_array(&b, "x2", b.type, n);
    struct ww_array *y1 = ww_bench_array(&b, "y1", b.type, n);
    struct ww_array *y2 = ww_bench_array(&b, "y2", b.type, n);
    ww_bench_begin(&b);
    ww_fill_matrix(a, n, n, n);
    ww_fill_vector(x1, 0, 1, n);
    ww_fill_vector(x2, 1, 1, n);
    ww_fill_vector(y1, 3, 1, n);
    ww_fill_vector(y2, 4, 1, n);

    ww_bench_start(&b);
    ww_launch(&b, "mvt_rows", ww_1d(n, b.group), ww_buffer(a), ww_buffer(x1), ww_buffer(y1), ww_u32(n));
    ww_launch(&b, "mvt_columns", ww_1d(n, b.group), ww_buffer(a), ww_buffer(x2), ww_buffer(y2), ww_u32(n));

    ww_rows_times(a, y1, x1);
    ww_columns_times(a, y2, x2);
    ww_bench_check(&b, x1);
    ww_bench_check(&b, x2);
    return ww_bench_close(&b, "N=%" PRIu32, n);
}

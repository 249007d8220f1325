/* SPDX-License-Identifier: MIT */
/* workloads/atax/atax.c - ATAX of PolyBench-GPU: y = A^T (A x), A of N rows and M columns, two dependent
 * kernels. Default as MICRO'18 Table II: 4096 x 4096 float, 64.06 MiB. */
#include "common/bench.h"

#include <inttypes.h>

enum { ARG_TYPE, ARG_ACCUMULATE, ARG_GROUP, ARG_N, ARG_M, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_TYPE] = WW_ARG_TYPE(WW_FLOAT),
    [ARG_ACCUMULATE] = WW_ARG_ACCUMULATE,
    [ARG_GROUP] = WW_ARG_GROUP(256),
    [ARG_N] = {.name = "N", .text = "rows", .value = 4096, .min = 1, .max = WW_MATRIX_MAX},
    [ARG_M] = {.name = "M", .text = "columns, as many as rows unless given", .min = 1, .max = WW_MATRIX_MAX},
};

static const struct ww_preset presets[] = {
    {"demo", "two waves, rows of 4 KiB", "128 1024"},
    {"micro18", "Table II, 64.06 MB", "4096"},
    {"micro21", "two kernels as in Table 2; the size is not published", "4096"},
    {"pact24", "within the 214 to 1024 MB of the paper", "8192"},
    {"default", "the suite's", "4096"},
    {NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "atax",
                           .summary = "y = A^T (A x): a matrix by rows, then by columns",
                           .table = table,
                           .count = ARGS,
                           .suite = "PolyBench",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint32_t n = table[ARG_N].value;
    const uint32_t columns = table[ARG_M].given ? table[ARG_M].value : n;

    struct ww_array *a = ww_bench_matrix(&b, "A", b.type, n, columns);
    struct ww_array *x = ww_bench_array(&b, "x", b.type, columns);
    struct ww_array *y = ww_bench_array(&b, "y", b.type, columns);
    struct ww_array *tmp = ww_bench_array(&b, "tmp", b.type, n);
    ww_bench_begin(&b);
    ww_fill_matrix(a, n, columns, n);
    ww_fill_vector(x, 0, WW_PI, 1);

    ww_bench_start(&b);
    ww_launch(&b, "atax_rows", ww_1d(n, b.group), ww_buffer(a), ww_buffer(x), ww_buffer(tmp), ww_u32(n),
              ww_u32(columns));
    ww_launch(&b, "atax_columns", ww_1d(columns, b.group), ww_buffer(a), ww_buffer(y), ww_buffer(tmp),
              ww_u32(n), ww_u32(columns));

    ww_rows_times(a, x, tmp);
    ww_columns_times(a, tmp, y);
    ww_bench_check(&b, y);
    return ww_bench_close(&b, "N=%" PRIu32 " M=%" PRIu32, n, columns);
}

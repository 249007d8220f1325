/* SPDX-License-Identifier: MIT */
/* workloads/bicg/bicg.c - BICG of PolyBench-GPU: q = A p, then s = A^T r, A of NX rows and NY columns.
 * Default: 8192 x 4096 float, which explains the 128.11 MiB of MICRO'18 Table II best. Each vector has its
 * own length (the suite's OpenCL host sizes all four by NX). */
#include "common/bench.h"

#include <inttypes.h>

enum { ARG_TYPE, ARG_ACCUMULATE, ARG_GROUP, ARG_NX, ARG_NY, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_TYPE] = WW_ARG_TYPE(WW_FLOAT),
    [ARG_ACCUMULATE] = WW_ARG_ACCUMULATE,
    [ARG_GROUP] = WW_ARG_GROUP(256),
    [ARG_NX] = {.name = "NX", .text = "rows", .value = 8192, .min = 1, .max = WW_MATRIX_MAX},
    [ARG_NY] = {.name = "NY",
                .text = "columns; as many as rows if only NX is given",
                .value = 4096,
                .min = 1,
                .max = WW_MATRIX_MAX},
};

static const struct ww_preset presets[] = {
    {"demo", "two waves, rows of 4 KiB", "128 1024"},
    {"micro18", "Table II, 128.11 MB", "8192 4096"},
    {"micro21", "two kernels as in Table 2; the size is not published", "4096"},
    {"pact24", "within the 214 to 1024 MB of the paper", "8192"},
    {"default", "the suite's", "4096"},
    {NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "bicg",
                           .summary = "q = A p and s = A^T r: a matrix by rows, then by columns",
                           .table = table,
                           .count = ARGS,
                           .suite = "PolyBench",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint32_t nx = table[ARG_NX].value;
    const uint32_t ny = table[ARG_NX].given && !table[ARG_NY].given ? nx : table[ARG_NY].value;

    struct ww_array *a = ww_bench_matrix(&b, "A", b.type, nx, ny);
    struct ww_array *p = ww_bench_array(&b, "p", b.type, ny);
    struct ww_array *q = ww_bench_array(&b, "q", b.type, nx);
    struct ww_array *r = ww_bench_array(&b, "r", b.type, nx);
    struct ww_array *s = ww_bench_array(&b, "s", b.type, ny);
    ww_bench_begin(&b);
    ww_fill_matrix(a, nx, ny, nx);
    ww_fill_vector(p, 0, WW_PI, 1);
    ww_fill_vector(r, 0, WW_PI, 1);

    ww_bench_start(&b);
    ww_launch(&b, "bicg_rows", ww_1d(nx, b.group), ww_buffer(a), ww_buffer(p), ww_buffer(q), ww_u32(nx),
              ww_u32(ny));
    ww_launch(&b, "bicg_columns", ww_1d(ny, b.group), ww_buffer(a), ww_buffer(r), ww_buffer(s), ww_u32(nx),
              ww_u32(ny));

    ww_rows_times(a, p, q);
    ww_columns_times(a, r, s);
    ww_bench_check(&b, q);
    ww_bench_check(&b, s);
    return ww_bench_close(&b, "NX=%" PRIu32 " NY=%" PRIu32, nx, ny);
}

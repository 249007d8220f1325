/* SPDX-License-Identifier: MIT */
/* workloads/lu/lu.c - LU of PolyBench-GPU: decomposition in place of an N x N matrix, no pivoting: 2 (N - 1)
 * launches. The suite's matrix has rank 2, so that its pivots vanish after two steps. Here N is added to its
 * diagonal, which changes no address. */
#include "common/bench.h"

#include <inttypes.h>

enum { ARG_TYPE, ARG_STEPS, ARG_N, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_TYPE] = WW_ARG_TYPE(WW_FLOAT),
    [ARG_STEPS] = {.name = "--steps",
                   .text = "the first steps only, of N - 1",
                   .min = 1,
                   .max = WW_MATRIX_MAX},
    [ARG_N] = {.name = "N", .text = "rows and columns", .value = 2048, .min = 2, .max = WW_MATRIX_MAX},
};

static const struct ww_preset presets[] = {
    {"demo", "the first step of rows of 4 KiB", "512 --type double --steps 1"},
    {"pact24", "within the 214 to 1024 MB of the paper", "8192"},
    {"default", "the suite's", "2048"},
    {NULL, NULL, NULL},
};

static void decompose_on_host(struct ww_array *a, size_t n, size_t steps)
{
    for (size_t k = 0; k < steps; k++) {
        for (size_t j = k + 1; j < n; j++) {
            ww_set(a, k * n + j, ww_get(a, k * n + j) / ww_get(a, k * n + k));
        }
        for (size_t i = k + 1; i < n; i++) {
            for (size_t j = k + 1; j < n; j++) {
                double product = ww_round(a->type, ww_get(a, i * n + k) * ww_get(a, k * n + j));
                ww_set(a, i * n + j, ww_get(a, i * n + j) - product);
            }
        }
    }
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "lu",
                           .summary = "LU decomposition in place, row by row",
                           .table = table,
                           .count = ARGS,
                           .suite = "PolyBench",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint32_t n = table[ARG_N].value;
    const uint32_t steps = table[ARG_STEPS].given ? table[ARG_STEPS].value : n - 1;
    if (steps > n - 1) {
        ww_args_refuse(&args, "N = %" PRIu32 " has %" PRIu32 " steps, not %" PRIu32, n, n - 1, steps);
    }

    struct ww_array *a = ww_bench_matrix(&b, "A", b.type, n, n);
    ww_bench_begin(&b);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            ww_set(a, i * n + j, ((double)i * (double)j + 1.0) / n + (i == j ? n : 0.0));
        }
    }

    ww_bench_start(&b);
    for (uint32_t k = 0; k < steps; k++) {
        const uint32_t rest = n - k - 1;
        ww_launch(&b, "lu_row", ww_1d(rest, 256), ww_buffer(a), ww_u32(k), ww_u32(n));
        ww_launch(&b, "lu_trailing", ww_2d(rest, rest, 32, 8), ww_buffer(a), ww_u32(k), ww_u32(n));
    }

    decompose_on_host(a, n, steps);
    ww_bench_check(&b, a);
    return ww_bench_close(&b, "N=%" PRIu32 ", %" PRIu32 " steps,", n, steps);
}

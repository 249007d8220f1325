/* SPDX-License-Identifier: MIT */
/* workloads/2dconv/2dconv.c - 2DCONV of PolyBench-GPU: a 3 x 3 convolution of a random matrix of NI rows and
 * NJ columns, one kernel; the border is unchanged. Unlike the suite's, the matrix is seeded. */
#include "common/bench.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ARG_TYPE, ARG_SEED, ARG_NI, ARG_NJ, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_TYPE] = WW_ARG_TYPE(WW_FLOAT),
    [ARG_SEED] = {.name = "--seed", .text = "of the matrix", .value = 7, .min = 0, .max = UINT32_MAX},
    [ARG_NI] = {.name = "NI", .text = "rows", .value = 4096, .min = 3, .max = WW_MATRIX_MAX},
    [ARG_NJ] = {.name = "NJ",
                .text = "columns, as many as rows unless given",
                .min = 3,
                .max = WW_MATRIX_MAX},
};

static const struct ww_preset presets[] = {
    {"demo", "rows of 4 KiB", "64 1024"},
    {"pact24", "within the 214 to 1024 MB of the paper", "8192"},
    {"default", "the suite's", "4096"},
    {NULL, NULL, NULL},
};

static void convolve_on_host(const struct ww_array *a, struct ww_array *b, size_t ni, size_t nj)
{
    static const double weights[3][3] = {{0.2, 0.5, -0.8}, {-0.3, 0.6, -0.9}, {0.4, 0.7, 0.10}};
    for (size_t i = 1; i < ni - 1; i++) {
        for (size_t j = 1; j < nj - 1; j++) {
            double sum = 0.0;
            for (size_t row = 0; row < 3; row++) {
                for (size_t column = 0; column < 3; column++) {
                    double weight = ww_round(a->type, weights[row][column]);
                    double element = ww_get(a, (i + row - 1) * nj + j + column - 1);
                    sum = ww_multiply_add(a->type, sum, weight, element);
                }
            }
            ww_set(b, i * nj + j, sum);
        }
    }
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "2dconv",
                           .summary = "a 3 x 3 convolution of a matrix",
                           .table = table,
                           .count = ARGS,
                           .suite = "PolyBench",
                           .presets = presets};
    struct ww_bench bench;
    ww_bench_open(&bench, &args, argc, argv);
    const uint32_t ni = table[ARG_NI].value;
    const uint32_t nj = table[ARG_NJ].given ? table[ARG_NJ].value : ni;

    struct ww_array *a = ww_bench_matrix(&bench, "A", bench.type, ni, nj);
    struct ww_array *b = ww_bench_matrix(&bench, "B", bench.type, ni, nj);
    ww_bench_begin(&bench);
    srand(table[ARG_SEED].value);
    for (size_t i = 0; i < a->count; i++) {
        ww_set(a, i, (double)rand() / (double)RAND_MAX);
    }

    ww_bench_start(&bench);
    ww_launch(&bench, "convolution", ww_2d(nj, ni, 32, 8), ww_buffer(a), ww_buffer(b), ww_u32(ni),
              ww_u32(nj));

    convolve_on_host(a, b, ni, nj);
    bench.check.tolerance = 0.0105;
    ww_bench_check(&bench, b);
    return ww_bench_close(&bench, "NI=%" PRIu32 " NJ=%" PRIu32, ni, nj);
}

/* SPDX-License-Identifier: MIT */
/* workloads/syrk/syrk.c - SYRK of PolyBench-GPU: C = alpha A A^T + beta C, A of NI rows and NJ columns, one
 * kernel over the NI x NI elements of C. */
#include "common/bench.h"

#include <inttypes.h>

#define ALPHA 32412.0
#define BETA 2123.0

enum { ARG_TYPE, ARG_ACCUMULATE, ARG_NI, ARG_NJ, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_TYPE] = WW_ARG_TYPE(WW_FLOAT),
    [ARG_ACCUMULATE] = WW_ARG_ACCUMULATE,
    [ARG_NI] = {.name = "NI", .text = "rows", .value = 1024, .min = 1, .max = WW_MATRIX_MAX},
    [ARG_NJ] = {.name = "NJ",
                .text = "columns, as many as rows unless given",
                .min = 1,
                .max = WW_MATRIX_MAX},
};

static const struct ww_preset presets[] = {
    {"demo", "32 rows of 4 KiB", "32 --type double 512"},
    {"pact24", "within the 214 to 1024 MB of the paper", "8192"},
    {"default", "the suite's", "1024"},
    {NULL, NULL, NULL},
};

static void multiply_on_host(const struct ww_array *a, struct ww_array *c, uint32_t ni, uint32_t nj)
{
    for (size_t i = 0; i < ni; i++) {
        for (size_t j = 0; j < ni; j++) {
            double sum = ww_round(a->type, ww_get(c, i * ni + j) * BETA);
            for (size_t k = 0; k < nj; k++) {
                double scaled = ww_round(a->type, ALPHA * ww_get(a, i * nj + k));
                sum = ww_multiply_add(a->type, sum, scaled, ww_get(a, j * nj + k));
            }
            ww_set(c, i * ni + j, sum);
        }
    }
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "syrk",
                           .summary = "C = alpha A A^T + beta C: every row of a matrix with every other",
                           .table = table,
                           .count = ARGS,
                           .suite = "PolyBench",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint32_t ni = table[ARG_NI].value;
    const uint32_t nj = table[ARG_NJ].given ? table[ARG_NJ].value : ni;

    struct ww_array *a = ww_bench_matrix(&b, "A", b.type, ni, nj);
    struct ww_array *c = ww_bench_matrix(&b, "C", b.type, ni, ni);
    ww_bench_begin(&b);
    ww_fill_matrix(a, ni, nj, ni);
    ww_fill_matrix(c, ni, ni, ni);

    ww_bench_start(&b);
    ww_launch(&b, "syrk", ww_2d(ni, ni, 32, 8), ww_buffer(a), ww_buffer(c), ww_u32(ni), ww_u32(nj));

    multiply_on_host(a, c, ni, nj);
    ww_bench_check(&b, c);
    return ww_bench_close(&b, "NI=%" PRIu32 " NJ=%" PRIu32, ni, nj);
}

/* SPDX-License-Identifier: MIT */
/* workloads/corr/corr.c - CORR of PolyBench-GPU: the correlation matrix of M variables over N observations,
 * in four kernels: mean, deviation, normalisation, and the matrix itself. */
#include "common/bench.h"

#include <inttypes.h>
#include <math.h>

#define OBSERVATIONS 3214212.01 /* the suite's constant, not N */
#define EPSILON 0.005

enum { ARG_TYPE, ARG_ACCUMULATE, ARG_GROUP, ARG_M, ARG_N, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_TYPE] = WW_ARG_TYPE(WW_FLOAT),
    [ARG_ACCUMULATE] = WW_ARG_ACCUMULATE,
    [ARG_GROUP] = WW_ARG_GROUP(256),
    [ARG_M] = {.name = "M", .text = "variables", .value = 2048, .min = 2, .max = WW_MATRIX_MAX},
    [ARG_N] = {.name = "N",
               .text = "observations, as many as variables unless given",
               .min = 1,
               .max = WW_MATRIX_MAX},
};

static const struct ww_preset presets[] = {
    {"demo", "rows of 4 KiB, two observations", "512 --type double 2"},
    {"pact24", "within the 214 to 1024 MB of the paper", "8192"},
    {"default", "the suite's", "2048"},
    {NULL, NULL, NULL},
};

struct corr {
    enum ww_type type;
    size_t m, n;
    struct ww_array *data, *symmat, *mean, *std;
};

static double element(const struct corr *c, size_t i, size_t j)
{
    return ww_get(c->data, i * c->m + j);
}

static void normalise_on_host(struct corr *c)
{
    const double observations = ww_round(c->type, OBSERVATIONS);
    const double root = ww_round(c->type, sqrt(observations));
    for (size_t j = 0; j < c->m; j++) {
        double sum = 0.0;
        for (size_t i = 0; i < c->n; i++) {
            sum = ww_round(c->type, sum + element(c, i, j));
        }
        const double mean = ww_round(c->type, sum / observations);
        sum = 0.0;
        for (size_t i = 0; i < c->n; i++) {
            double difference = ww_round(c->type, element(c, i, j) - mean);
            sum = ww_multiply_add(c->type, sum, difference, difference);
        }
        double std = ww_round(c->type, sqrt(ww_round(c->type, sum / observations)));
        std = std <= ww_round(c->type, EPSILON) ? 1.0 : std;
        for (size_t i = 0; i < c->n; i++) {
            double difference = ww_round(c->type, element(c, i, j) - mean);
            ww_set(c->data, i * c->m + j, difference / ww_round(c->type, root * std));
        }
        ww_set(c->mean, j, mean);
        ww_set(c->std, j, std);
    }
}

static void correlate_on_host(struct corr *c)
{
    for (size_t j1 = 0; j1 < c->m; j1++) {
        ww_set(c->symmat, j1 * c->m + j1, 1.0);
        for (size_t j2 = j1 + 1; j2 < c->m; j2++) {
            double sum = 0.0;
            for (size_t i = 0; i < c->n; i++) {
                sum = ww_multiply_add(c->type, sum, element(c, i, j1), element(c, i, j2));
            }
            ww_set(c->symmat, j1 * c->m + j2, sum);
            ww_set(c->symmat, j2 * c->m + j1, sum);
        }
    }
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "corr",
                           .summary = "the correlation matrix of the columns of a matrix",
                           .table = table,
                           .count = ARGS,
                           .suite = "PolyBench",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint32_t m = table[ARG_M].value;
    const uint32_t n = table[ARG_N].given ? table[ARG_N].value : m;

    struct corr c = {.type = b.type, .m = m, .n = n};
    c.data = ww_bench_matrix(&b, "data", b.type, n, m);
    c.symmat = ww_bench_matrix(&b, "symmat", b.type, m, m);
    c.mean = ww_bench_array(&b, "mean", b.type, m);
    c.std = ww_bench_array(&b, "std", b.type, m);
    ww_bench_begin(&b);
    ww_fill_matrix(c.data, n, m, m);

    ww_bench_start(&b);
    const struct ww_param data = ww_buffer(c.data), mean = ww_buffer(c.mean), std = ww_buffer(c.std);
    ww_launch(&b, "corr_mean", ww_1d(m, b.group), mean, data, ww_u32(m), ww_u32(n));
    ww_launch(&b, "corr_std", ww_1d(m, b.group), mean, std, data, ww_u32(m), ww_u32(n));
    ww_launch(&b, "corr_reduce", ww_2d(m, n, 32, 8), mean, std, data, ww_u32(m), ww_u32(n));
    ww_launch(&b, "corr_matrix", ww_1d(m, b.group), ww_buffer(c.symmat), data, ww_u32(m), ww_u32(n));

    normalise_on_host(&c);
    correlate_on_host(&c);
    /* no work-item writes the last element; the host does, as in the suite */
    const size_t bytes = ww_array_bytes(c.symmat), corner = bytes - ww_type_bytes(b.type);
    ww_ocl_write(&b.ocl, c.symmat->device, corner, (const uint8_t *)c.symmat->data + corner, bytes - corner);
    b.check.tolerance = 0.0105;
    ww_bench_check(&b, c.mean);
    ww_bench_check(&b, c.std);
    ww_bench_check(&b, c.data);
    ww_bench_check(&b, c.symmat);
    return ww_bench_close(&b, "M=%" PRIu32 " N=%" PRIu32, m, n);
}

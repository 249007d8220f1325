/* SPDX-License-Identifier: MIT */
/* workloads/gesummv/gesummv.c - GESUMMV of PolyBench-GPU: y = alpha A x + beta B x, one kernel.
 * Default as MICRO'18 Table II: 4096 float, two matrices, 128.06 MiB. */
#include "common/matvec.h"

#include <inttypes.h>

#define ALPHA 43532.0
#define BETA 12313.0

enum { ARG_N = WW_MATVEC_ARGS, ARGS };

static struct ww_arg table[ARGS] = {
    WW_MATVEC_ROWS(WW_FLOAT),
    [ARG_N] = {.name = "N", .text = "rows and columns", .value = 4096, .min = 1, .max = WW_MATVEC_SIZE_MAX},
};

int main(int argc, char **argv)
{
    struct ww_args args = {"gesummv", "y = alpha A x + beta B x: two matrices by rows", table, ARGS};
    struct ww_matvec m;
    ww_matvec_open(&m, &args, argc, argv);
    const uint32_t n = table[ARG_N].value;

    struct ww_array *a = ww_matvec_array(&m, "A", (size_t)n * n);
    struct ww_array *b = ww_matvec_array(&m, "B", (size_t)n * n);
    struct ww_array *x = ww_matvec_array(&m, "x", n);
    struct ww_array *y = ww_matvec_array(&m, "y", n);
    struct ww_array *tmp = ww_matvec_array(&m, "tmp", n);
    ww_reals_fill_matrix(&a->host, n, n, n);
    ww_reals_fill_matrix(&b->host, n, n, n);
    ww_reals_fill_vector(&x->host, 0, 1, n);

    ww_matvec_upload(&m);
    ww_matvec_launch(&m, &(struct ww_launch){"gesummv", n, {a, b, x, y, tmp}, {n}});

    ww_reals_rows_times(&a->host, &x->host, &tmp->host);
    ww_reals_rows_times(&b->host, &x->host, &y->host);
    for (uint32_t i = 0; i < n; i++) {
        double scaled_a = ww_round(m.type, ALPHA * ww_reals_get(&tmp->host, i));
        double scaled_b = ww_round(m.type, BETA * ww_reals_get(&y->host, i));
        ww_reals_set(&y->host, i, scaled_a + scaled_b);
    }
    ww_matvec_check(&m, tmp);
    ww_matvec_check(&m, y);
    return ww_matvec_close(&m, "N=%" PRIu32, n);
}

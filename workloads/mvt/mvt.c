/* SPDX-License-Identifier: MIT */
/* workloads/mvt/mvt.c - MVT of PolyBench-GPU: x1 += A y1, then x2 += A^T y2, two independent kernels in
 * order. Default as MICRO'18 Table II is best explained: 4096 double, 128.14 MiB. */
#include "common/matvec.h"

#include <inttypes.h>

enum { ARG_N = WW_MATVEC_ARGS, ARGS };

static struct ww_arg table[ARGS] = {
    WW_MATVEC_ROWS(WW_DOUBLE),
    [ARG_N] = {.name = "N", .text = "rows and columns", .value = 4096, .min = 1, .max = WW_MATVEC_SIZE_MAX},
};

int main(int argc, char **argv)
{
    struct ww_args args = {"mvt", "x1 += A y1 and x2 += A^T y2: a matrix by rows, then by columns", table,
                           ARGS};
    struct ww_matvec m;
    ww_matvec_open(&m, &args, argc, argv);
    const uint32_t n = table[ARG_N].value;

    struct ww_array *a = ww_matvec_array(&m, "A", (size_t)n * n);
    struct ww_array *x1 = ww_matvec_array(&m, "x1", n);
    struct ww_array *x2 = ww_matvec_array(&m, "x2", n);
    struct ww_array *y1 = ww_matvec_array(&m, "y1", n);
    struct ww_array *y2 = ww_matvec_array(&m, "y2", n);
    ww_reals_fill_matrix(&a->host, n, n, n);
    ww_reals_fill_vector(&x1->host, 0, 1, n);
    ww_reals_fill_vector(&x2->host, 1, 1, n);
    ww_reals_fill_vector(&y1->host, 3, 1, n);
    ww_reals_fill_vector(&y2->host, 4, 1, n);

    ww_matvec_upload(&m);
    ww_matvec_launch(&m, &(struct ww_launch){"mvt_rows", n, {a, x1, y1}, {n}});
    ww_matvec_launch(&m, &(struct ww_launch){"mvt_columns", n, {a, x2, y2}, {n}});

    ww_reals_rows_times(&a->host, &y1->host, &x1->host);
    ww_reals_columns_times(&a->host, &y2->host, &x2->host);
    ww_matvec_check(&m, x1);
    ww_matvec_check(&m, x2);
    return ww_matvec_close(&m, "N=%" PRIu32, n);
}

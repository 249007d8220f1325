/* SPDX-License-Identifier: MIT */
/* workloads/atax/atax.c - ATAX of PolyBench-GPU: y = A^T (A x), A of N rows and M columns, two dependent
 * kernels. Default as MICRO'18 Table II: 4096 x 4096 float, 64.06 MiB. */
#include "common/matvec.h"

#include <inttypes.h>

enum { ARG_N = WW_MATVEC_ARGS, ARG_M, ARGS };

static struct ww_arg table[ARGS] = {
    WW_MATVEC_ROWS(WW_FLOAT),
    [ARG_N] = {.name = "N", .text = "rows", .value = 4096, .min = 1, .max = WW_MATVEC_SIZE_MAX},
    [ARG_M] = {.name = "M",
               .text = "columns, as many as rows unless given",
               .min = 1,
               .max = WW_MATVEC_SIZE_MAX},
};

int main(int argc, char **argv)
{
    struct ww_args args = {"atax", "y = A^T (A x): a matrix by rows, then by columns", table, ARGS};
    struct ww_matvec m;
    ww_matvec_open(&m, &args, argc, argv);
    const uint32_t n = table[ARG_N].value;
    const uint32_t columns = table[ARG_M].given ? table[ARG_M].value : n;

    struct ww_array *a = ww_matvec_array(&m, "A", (size_t)n * columns);
    struct ww_array *x = ww_matvec_array(&m, "x", columns);
    struct ww_array *y = ww_matvec_array(&m, "y", columns);
    struct ww_array *tmp = ww_matvec_array(&m, "tmp", n);
    ww_reals_fill_matrix(&a->host, n, columns, n);
    ww_reals_fill_vector(&x->host, 0, WW_PI, 1);

    ww_matvec_upload(&m);
    ww_matvec_launch(&m, &(struct ww_launch){"atax_rows", n, {a, x, tmp}, {n, columns}});
    ww_matvec_launch(&m, &(struct ww_launch){"atax_columns", columns, {a, y, tmp}, {n, columns}});

    ww_reals_rows_times(&a->host, &x->host, &tmp->host);
    ww_reals_columns_times(&a->host, &tmp->host, &y->host);
    ww_matvec_check(&m, y);
    return ww_matvec_close(&m, "N=%" PRIu32 " M=%" PRIu32, n, columns);
}

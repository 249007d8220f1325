/* SPDX-License-Identifier: MIT */
/* workloads/bicg/bicg.c - BICG of PolyBench-GPU: q = A p, then s = A^T r, A of NX rows and NY columns.
 * Default as MICRO'18 Table II is best explained: 8192 x 4096 float, 128.11 MiB; each vector has its own
 * length (the suite's OpenCL host sizes all four by NX). */
#include "common/matvec.h"

#include <inttypes.h>

enum { ARG_NX = WW_MATVEC_ARGS, ARG_NY, ARGS };

static struct ww_arg table[ARGS] = {
    WW_MATVEC_ROWS(WW_FLOAT),
    [ARG_NX] = {.name = "NX", .text = "rows", .value = 8192, .min = 1, .max = WW_MATVEC_SIZE_MAX},
    [ARG_NY] = {.name = "NY",
                .text = "columns; as many as rows if only NX is given",
                .value = 4096,
                .min = 1,
                .max = WW_MATVEC_SIZE_MAX},
};

int main(int argc, char **argv)
{
    struct ww_args args = {"bicg", "q = A p and s = A^T r: a matrix by rows, then by columns", table, ARGS};
    struct ww_matvec m;
    ww_matvec_open(&m, &args, argc, argv);
    const uint32_t nx = table[ARG_NX].value;
    const uint32_t ny = table[ARG_NX].given && !table[ARG_NY].given ? nx : table[ARG_NY].value;

    struct ww_array *a = ww_matvec_array(&m, "A", (size_t)nx * ny);
    struct ww_array *p = ww_matvec_array(&m, "p", ny);
    struct ww_array *q = ww_matvec_array(&m, "q", nx);
    struct ww_array *r = ww_matvec_array(&m, "r", nx);
    struct ww_array *s = ww_matvec_array(&m, "s", ny);
    ww_reals_fill_matrix(&a->host, nx, ny, nx);
    ww_reals_fill_vector(&p->host, 0, WW_PI, 1);
    ww_reals_fill_vector(&r->host, 0, WW_PI, 1);

    ww_matvec_upload(&m);
    ww_matvec_launch(&m, &(struct ww_launch){"bicg_rows", nx, {a, p, q}, {nx, ny}});
    ww_matvec_launch(&m, &(struct ww_launch){"bicg_columns", ny, {a, r, s}, {nx, ny}});

    ww_reals_rows_times(&a->host, &p->host, &q->host);
    ww_reals_columns_times(&a->host, &r->host, &s->host);
    ww_matvec_check(&m, q);
    ww_matvec_check(&m, s);
    return ww_matvec_close(&m, "NX=%" PRIu32 " NY=%" PRIu32, nx, ny);
}

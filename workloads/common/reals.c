/* SPDX-License-Identifier: MIT */
/* workloads/common/reals.c - see reals.h. */
#include "common/reals.h"

#include "common/args.h"

#include <stdio.h>
#include <stdlib.h>

static size_t element_bytes(enum ww_type type)
{
    return type == WW_FLOAT ? sizeof(float) : sizeof(double);
}

struct ww_reals ww_reals_new(enum ww_type type, size_t count)
{
    struct ww_reals r = {type, count, calloc(count, element_bytes(type))};
    if (r.data == NULL) {
        fprintf(stderr, "no memory for an array of %zu elements\n", count);
        exit(WW_EXIT_OPENCL);
    }
    return r;
}

size_t ww_reals_bytes(const struct ww_reals *r)
{
    return r->count * element_bytes(r->type);
}

void ww_reals_fill_matrix(struct ww_reals *m, size_t rows, size_t columns, double divisor)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            double product = ww_round(m->type, (double)i * (double)j);
            ww_reals_set(m, i * columns + j, product / divisor);
        }
    }
}

void ww_reals_fill_vector(struct ww_reals *v, double offset, double factor, double divisor)
{
    for (size_t i = 0; i < v->count; i++) {
        ww_reals_set(v, i, ((double)i + offset) * factor / divisor);
    }
}

static double multiply_add(enum ww_type type, double sum, double a, double b)
{
    return ww_round(type, sum + ww_round(type, a * b));
}

void ww_reals_rows_times(const struct ww_reals *m, const struct ww_reals *v, struct ww_reals *out)
{
    for (size_t i = 0; i < out->count; i++) {
        double sum = ww_reals_get(out, i);
        for (size_t j = 0; j < v->count; j++) {
            sum = multiply_add(m->type, sum, ww_reals_get(m, i * v->count + j), ww_reals_get(v, j));
        }
        ww_reals_set(out, i, sum);
    }
}

void ww_reals_columns_times(const struct ww_reals *m, const struct ww_reals *v, struct ww_reals *out)
{
    /* row by row through memory; each column still sums in rising order of i */
    for (size_t i = 0; i < v->count; i++) {
        double factor = ww_reals_get(v, i);
        for (size_t j = 0; j < out->count; j++) {
            double term = ww_reals_get(m, i * out->count + j);
            ww_reals_set(out, j, multiply_add(m->type, ww_reals_get(out, j), term, factor));
        }
    }
}

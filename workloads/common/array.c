/* SPDX-License-Identifier: MIT */
/* workloads/common/array.c - see array.h. */
#include "common/array.h"

#include "common/args.h"

#include <stdio.h>
#include <stdlib.h>

size_t ww_type_bytes(enum ww_type type)
{
    static const size_t bytes[] = {
        [WW_FLOAT] = sizeof(cl_float), [WW_DOUBLE] = sizeof(cl_double), [WW_INT] = sizeof(cl_int),
        [WW_UINT] = sizeof(cl_uint),   [WW_ULONG] = sizeof(cl_ulong),   [WW_UCHAR] = sizeof(cl_uchar),
    };
    return bytes[type];
}

size_t ww_array_bytes(const struct ww_array *a)
{
    return a->count * ww_type_bytes(a->type);
}

void *ww_new(size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);
    if (memory == NULL) {
        fprintf(stderr, "no memory for an array of %zu elements\n", count);
        exit(WW_EXIT_OPENCL);
    }
    return memory;
}

void ww_fill_matrix(struct ww_array *m, size_t rows, size_t columns, double divisor)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            double product = ww_round(m->type, (double)i * (double)j);
            ww_set(m, i * columns + j, product / divisor);
        }
    }
}

void ww_fill_vector(struct ww_array *v, double offset, double factor, double divisor)
{
    for (size_t i = 0; i < v->count; i++) {
        ww_set(v, i, ((double)i + offset) * factor / divisor);
    }
}

void ww_rows_times(const struct ww_array *m, const struct ww_array *v, struct ww_array *out)
{
    for (size_t i = 0; i < out->count; i++) {
        double sum = ww_get(out, i);
        for (size_t j = 0; j < v->count; j++) {
            sum = ww_multiply_add(m->type, sum, ww_get(m, i * v->count + j), ww_get(v, j));
        }
        ww_set(out, i, sum);
    }
}

void ww_columns_times(const struct ww_array *m, const struct ww_array *v, struct ww_array *out)
{
    /* goes row by row through memory; each column still sums in rising order of i */
    for (size_t i = 0; i < v->count; i++) {
        double factor = ww_get(v, i);
        for (size_t j = 0; j < out->count; j++) {
            double term = ww_get(m, i * out->count + j);
            ww_set(out, j, ww_multiply_add(m->type, ww_get(out, j), term, factor));
        }
    }
}

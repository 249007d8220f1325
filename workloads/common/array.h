/* SPDX-License-Identifier: MIT */
/* workloads/common/array.h - the host's copy of an array, its element type chosen at run time, and arithmetic
 * rounded to float or double. A float operation done in double and rounded once is the float operation
 * (53 >= 2 * 24 + 2 bits), so that the host's reference is written once, for both types, and is equal to the
 * device's result to the last bit. An array of one known type is read through `data`. */
#ifndef WW_WORKLOADS_ARRAY_H
#define WW_WORKLOADS_ARRAY_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WW_PI 3.14159265358979323846

enum ww_type { WW_FLOAT, WW_DOUBLE, WW_INT, WW_UINT, WW_ULONG, WW_UCHAR };

struct ww_array {
    const char *name; /* for messages and --describe */
    enum ww_type type;
    size_t count;  /* elements */
    size_t pitch;  /* elements in a row, 0 for a vector: messages only */
    void *data;    /* the host's; NULL until memory is there */
    cl_mem device; /* the device's */
};

size_t ww_type_bytes(enum ww_type type);
size_t ww_array_bytes(const struct ww_array *a);

/* calloc() that ends the process (WW_EXIT_OPENCL) when there is no memory. */
void *ww_new(size_t count, size_t bytes);

static inline bool ww_is_real(enum ww_type type)
{
    return type == WW_FLOAT || type == WW_DOUBLE;
}

static inline double ww_round(enum ww_type type, double value)
{
    return type == WW_FLOAT ? (double)(float)value : value;
}

/* Elements of an array of float or double. */
static inline double ww_get(const struct ww_array *a, size_t idx)
{
    return a->type == WW_FLOAT ? (double)((const float *)a->data)[idx] : ((const double *)a->data)[idx];
}

static inline void ww_set(struct ww_array *a, size_t idx, double value)
{
    if (a->type == WW_FLOAT) {
        ((float *)a->data)[idx] = (float)value;
    } else {
        ((double *)a->data)[idx] = value;
    }
}

/* sum + a * b as the kernels compute it: product and sum rounded separately. */
static inline double ww_multiply_add(enum ww_type type, double sum, double a, double b)
{
    return ww_round(type, sum + ww_round(type, a * b));
}

/* PolyBench's matrix: element (i, j) is (i * j) / divisor. */
void ww_fill_matrix(struct ww_array *m, size_t rows, size_t columns, double divisor);
/* PolyBench's vectors: element i is (i + offset) * factor / divisor; not rounded on the way, as there. */
void ww_fill_vector(struct ww_array *v, double offset, double factor, double divisor);

/* out[i] += sum over j of m[i][j] * v[j], terms in rising order of j; out and v have the rows and columns of
 * m. */
void ww_rows_times(const struct ww_array *m, const struct ww_array *v, struct ww_array *out);
/* out[j] += sum over i of m[i][j] * v[i], terms in rising order of i. */
void ww_columns_times(const struct ww_array *m, const struct ww_array *v, struct ww_array *out);

#endif

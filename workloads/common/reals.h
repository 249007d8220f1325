/* SPDX-License-Identifier: MIT */
/* workloads/common/reals.h - arrays of float or double, chosen at run time, and arithmetic rounded to that
 * type. A float operation done in double and rounded once is the float operation (53 >= 2 * 24 + 2 bits), so
 * that the host's reference is written once, for both types, and is equal to the device's result to the last
 * bit. */
#ifndef WW_WORKLOADS_REALS_H
#define WW_WORKLOADS_REALS_H

#include <stddef.h>
#include <stdint.h>

#define WW_PI 3.14159265358979323846

enum ww_type { WW_FLOAT, WW_DOUBLE };

struct ww_reals {
    enum ww_type type;
    size_t count;
    void *data; /* free() it */
};

/* Zeroed; ends the process when there is no memory. */
struct ww_reals ww_reals_new(enum ww_type type, size_t count);
size_t ww_reals_bytes(const struct ww_reals *r);

static inline double ww_round(enum ww_type type, double value)
{
    return type == WW_FLOAT ? (double)(float)value : value;
}

static inline double ww_reals_get(const struct ww_reals *r, size_t idx)
{
    return r->type == WW_FLOAT ? (double)((const float *)r->data)[idx] : ((const double *)r->data)[idx];
}

static inline void ww_reals_set(struct ww_reals *r, size_t idx, double value)
{
    if (r->type == WW_FLOAT) {
        ((float *)r->data)[idx] = (float)value;
    } else {
        ((double *)r->data)[idx] = value;
    }
}

/* The suite's matrix: element (i, j) is (i * j) / divisor. */
void ww_reals_fill_matrix(struct ww_reals *m, size_t rows, size_t columns, double divisor);
/* The suite's vectors: element i is (i + offset) * factor / divisor; not rounded on the way, as there. */
void ww_reals_fill_vector(struct ww_reals *v, double offset, double factor, double divisor);

/* out[i] += sum over j of m[i][j] * v[j], terms in rising order of j; out and v have the rows and columns of
 * m. */
void ww_reals_rows_times(const struct ww_reals *m, const struct ww_reals *v, struct ww_reals *out);
/* out[j] += sum over i of m[i][j] * v[i], terms in rising order of i. */
void ww_reals_columns_times(const struct ww_reals *m, const struct ww_reals *v, struct ww_reals *out);

#endif

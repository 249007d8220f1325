/* SPDX-License-Identifier: MIT */
/* tb/native/features_widths.h - tests one expression of x, y, z for scalars and for vectors of 2, 3, 4, 8 and
 * 16 elements in one kernel. For vectors of N, work-item i takes elements N * i to N * i + N - 1. */
#ifndef WW_TB_NATIVE_FEATURES_WIDTHS_H
#define WW_TB_NATIVE_FEATURES_WIDTHS_H

#include "features.h"

#define WIDTH_ITEMS 48
#define WIDTH_INPUTS (WIDTH_ITEMS * 16)
#define WIDTH_OUTPUTS (WIDTH_ITEMS * (1 + 2 + 3 + 4 + 8 + 16))

struct widths {
    enum type x_type, y_type, z_type, result;
    char x[WIDTH_INPUTS * 8], y[WIDTH_INPUTS * 8], z[WIDTH_INPUTS * 8];
    char got[WIDTH_OUTPUTS * 8], want[WIDTH_OUTPUTS * 8];
};

/* Fills x, y and z with inputs. All calls return the same object. */
struct widths *new_widths(enum type x, enum type y, enum type z, enum type result);
/* The expression may use N (empty for scalars), T (the type of x), CAT, and TN_OF(type, N). */
void launch_widths(struct widths *w, const char *expression);
/* As launch_widths(), with further lines of source before the kernel, such as functions. */
void launch_widths_with(struct widths *w, const char *lines, const char *expression);
/* The input element that output i is computed from, and the width of its vector. */
size_t width_input(size_t i);
unsigned width_of(size_t i);
void expect_widths(const struct widths *w, double ulp);

#endif

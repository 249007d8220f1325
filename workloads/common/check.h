/* SPDX-License-Identifier: MIT */
/* workloads/common/check.h - the device's result against the host's.
 * Reals: |host - device| / |host| at most a tolerance, or both below 0.01 in magnitude (the suites' rule);
 * since host and device round alike the expected difference is none, and the verdict says whether it was.
 * Integers: exact. WALKWAY_BREAK_CHECK=1 in the environment spoils one element of every result first: proof
 * that the check bites. */
#ifndef WW_WORKLOADS_CHECK_H
#define WW_WORKLOADS_CHECK_H

#include "common/array.h"

#include <stdbool.h>

#define WW_TOLERANCE 0.0005 /* PolyBench's 0.05 % */

struct ww_check {
    const char *program;
    double tolerance; /* relative, of reals */
    bool wrong;
    double worst; /* largest relative difference among the accepted, small values left out */
    bool small;   /* accepted a difference of values below 0.01 */
};

/* Spoils the middle element of the device's result if the environment asks for it. */
void ww_check_spoil(void *result, enum ww_type type, size_t count);

/* Compares the device's result with the host's array, whose type and size it has; the first wrong element is
 * reported on stderr. */
void ww_check_array(struct ww_check *c, const struct ww_array *host, void *result);

/* A property of the result does not hold: says so on stderr. */
void ww_check_wrong(struct ww_check *c, const char *format, ...);

/* Prints the verdict, "<program>: <parameters> PASS (...)" or "... FAIL", and returns the exit code. */
int ww_check_end(const struct ww_check *c, const char *parameters);

#endif

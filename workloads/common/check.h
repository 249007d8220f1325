/* SPDX-License-Identifier: MIT */
/* workloads/common/check.h - the device's result against the host's.
 * Reals: |host - device| / |host| at most 0.05 %, or both below 0.01 in magnitude (the suites' rule); since
 * host and device round alike the expected difference is none, and the verdict says whether it was. Integers:
 * exact. WALKWAY_BREAK_CHECK=1 in the environment spoils one element of every result first: proof that the
 * check bites. */
#ifndef WW_WORKLOADS_CHECK_H
#define WW_WORKLOADS_CHECK_H

#include "common/reals.h"

#include <stdbool.h>

struct ww_check {
    const char *program;
    bool wrong;
    double worst; /* largest relative difference among the accepted */
};

/* Compare and report the first wrong element on stderr. The device's array is the one that may be spoiled. */
void ww_check_reals(struct ww_check *c, const char *array, const struct ww_reals *host,
                    struct ww_reals *device);
/* A matrix of integers; pitch is the number of elements in a row. */
void ww_check_ints(struct ww_check *c, const char *array, const int32_t *host, int32_t *device, size_t count,
                   size_t pitch);

/* Prints the verdict, "<program>: <parameters> PASS (...)" or "... FAIL", and returns the exit code. */
int ww_check_end(const struct ww_check *c, const char *format, ...);

#endif

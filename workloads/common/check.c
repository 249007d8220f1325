/* SPDX-License-Identifier: MIT */
/* workloads/common/check.c - see check.h. */
#include "common/check.h"

#include "common/args.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 0.0005
#define NEGLIGIBLE 0.01

static bool must_break(void)
{
    const char *value = getenv("WALKWAY_BREAK_CHECK");
    return value != NULL && strcmp(value, "1") == 0;
}

void ww_check_reals(struct ww_check *c, const char *array, const struct ww_reals *host,
                    struct ww_reals *device)
{
    if (must_break()) {
        size_t idx = device->count / 2;
        ww_reals_set(device, idx, ww_reals_get(device, idx) * 1.25 + 1.0);
    }
    for (size_t i = 0; i < host->count; i++) {
        double want = ww_reals_get(host, i);
        double got = ww_reals_get(device, i);
        double difference = fabs(want - got);
        if (difference == 0.0 || (fabs(want) < NEGLIGIBLE && fabs(got) < NEGLIGIBLE)) {
            continue;
        }
        /* negated, so that a NaN is wrong */
        if (!(difference <= TOLERANCE * fabs(want))) {
            fprintf(stderr, "%s: %s[%zu] is %.9g, must be %.9g\n", c->program, array, i, got, want);
            c->wrong = true;
            return;
        }
        c->worst = fmax(c->worst, difference / fabs(want));
    }
}

void ww_check_ints(struct ww_check *c, const char *array, const int32_t *host, int32_t *device, size_t count,
                   size_t pitch)
{
    if (must_break()) {
        device[count / 2] ^= 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (host[i] != device[i]) {
            fprintf(stderr, "%s: %s[%zu][%zu] is %" PRId32 ", must be %" PRId32 "\n", c->program, array,
                    i / pitch, i % pitch, device[i], host[i]);
            c->wrong = true;
            return;
        }
    }
}

int ww_check_end(const struct ww_check *c, const char *format, ...)
{
    FILE *out = c->wrong ? stderr : stdout;
    va_list list;
    va_start(list, format);
    fprintf(out, "%s: ", c->program);
    vfprintf(out, format, list);
    va_end(list);
    if (c->wrong) {
        fprintf(out, " FAIL\n");
        return WW_EXIT_WRONG;
    }
    if (c->worst > 0.0) {
        fprintf(out, " PASS (within %.2g)\n", c->worst);
    } else {
        fprintf(out, " PASS (exact)\n");
    }
    return 0;
}

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

#define NEGLIGIBLE 0.01

void ww_check_spoil(void *result, enum ww_type type, size_t count)
{
    const char *value = getenv("WALKWAY_BREAK_CHECK");
    if (value == NULL || strcmp(value, "1") != 0 || count == 0) {
        return;
    }
    const size_t idx = count / 2;
    if (ww_is_real(type)) {
        struct ww_array view = {.type = type, .data = result};
        ww_set(&view, idx, ww_get(&view, idx) * 1.25 + 1.0);
    } else {
        ((uint8_t *)result)[idx * ww_type_bytes(type)] ^= 1;
    }
}

/* "x[5]", "matrix[2][3]" */
static void print_place(const struct ww_check *c, const struct ww_array *a, size_t idx)
{
    if (a->pitch == 0) {
        fprintf(stderr, "%s: %s[%zu]", c->program, a->name, idx);
    } else {
        fprintf(stderr, "%s: %s[%zu][%zu]", c->program, a->name, idx / a->pitch, idx % a->pitch);
    }
}

static void check_reals(struct ww_check *c, const struct ww_array *host, void *result)
{
    const struct ww_array device = {.type = host->type, .data = result};
    for (size_t i = 0; i < host->count; i++) {
        double want = ww_get(host, i);
        double got = ww_get(&device, i);
        double difference = fabs(want - got);
        if (difference == 0.0) {
            continue;
        }
        if (fabs(want) < NEGLIGIBLE && fabs(got) < NEGLIGIBLE) {
            c->small = true;
            continue;
        }
        /* negated, so that a NaN is wrong */
        if (!(difference <= c->tolerance * fabs(want))) {
            print_place(c, host, i);
            fprintf(stderr, " is %.9g, must be %.9g\n", got, want);
            c->wrong = true;
            return;
        }
        c->worst = fmax(c->worst, difference / fabs(want));
    }
}

static void print_integer(const void *data, enum ww_type type, size_t idx)
{
    if (type == WW_INT) {
        fprintf(stderr, "%" PRId32, ((const int32_t *)data)[idx]);
    } else if (type == WW_UINT) {
        fprintf(stderr, "%" PRIu32, ((const uint32_t *)data)[idx]);
    } else if (type == WW_ULONG) {
        fprintf(stderr, "%" PRIu64, ((const uint64_t *)data)[idx]);
    } else {
        fprintf(stderr, "%u", (unsigned)((const uint8_t *)data)[idx]);
    }
}

static void check_integers(struct ww_check *c, const struct ww_array *host, const void *result)
{
    const size_t bytes = ww_type_bytes(host->type);
    const uint8_t *want = host->data;
    const uint8_t *got = result;
    for (size_t i = 0; i < host->count; i++) {
        if (memcmp(want + i * bytes, got + i * bytes, bytes) == 0) {
            continue;
        }
        print_place(c, host, i);
        fprintf(stderr, " is ");
        print_integer(result, host->type, i);
        fprintf(stderr, ", must be ");
        print_integer(host->data, host->type, i);
        fprintf(stderr, "\n");
        c->wrong = true;
        return;
    }
}

void ww_check_array(struct ww_check *c, const struct ww_array *host, void *result)
{
    if (ww_is_real(host->type)) {
        check_reals(c, host, result);
    } else {
        check_integers(c, host, result);
    }
}

void ww_check_wrong(struct ww_check *c, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "%s: ", c->program);
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    c->wrong = true;
}

int ww_check_end(const struct ww_check *c, const char *parameters)
{
    if (c->wrong) {
        fprintf(stderr, "%s: %s FAIL\n", c->program, parameters);
        return WW_EXIT_WRONG;
    }
    if (c->worst > 0.0 || c->small) {
        printf("%s: %s PASS (within %.2g%s)\n", c->program, parameters, c->worst,
               c->small ? ", but for values below 0.01" : "");
    } else {
        printf("%s: %s PASS (exact)\n", c->program, parameters);
    }
    return 0;
}

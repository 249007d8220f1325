/* SPDX-License-Identifier: MIT */
/* workloads/sort/sort.c - the database sort of HPCA'14: records of 100 bytes with keys of 10. The paper gives
 * neither algorithm nor size. This program sorts entries of 16 bytes (key and record's number) by a bitonic
 * network, then gathers the records. 216 n bytes. Short distances run in local memory; --stages global makes
 * each step a launch, log2(n) (log2(n) + 1) / 2 in all. */
#include "common/bench.h"
#include "kernels/bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RECORD 100
#define KEY 10

enum { ARG_N, ARG_STAGES, ARG_GROUP, ARGS };
enum { STAGES_LOCAL, STAGES_GLOBAL };

static struct ww_arg table[ARGS] = {
    [ARG_N] = {.name = "N", .text = "records, a power of two", .value = 1 << 20, .min = 2, .max = 1 << 25},
    [ARG_STAGES] = {.name = "--stages",
                    .text = "short distances in local memory, or all in global memory",
                    .choices = {"local", "global"}},
    [ARG_GROUP] = WW_ARG_GROUP(256),
};

static const struct ww_preset presets[] = {
    {"demo", "a small table", "1024 --group 64"},
    {"hpca14", "2^20 records, 216 MiB; the paper's size is not published", "1048576"},
    {"default", "the same", "1048576"},
    {NULL, NULL, NULL},
};

static void fill(struct ww_array *records)
{
    struct ww_rng rng;
    ww_rng_init(&rng, 1);
    for (size_t i = 0; i < records->count; i++) {
        ((uint32_t *)records->data)[i] = (uint32_t)(ww_rng_next(&rng) >> 32);
    }
}

/* Compares by key, then by place; the elements are pointers to the records. */
static int compare(const void *a, const void *b)
{
    const uint8_t *x = *(const uint8_t *const *)a, *y = *(const uint8_t *const *)b;
    const int keys = memcmp(x, y, KEY);
    return keys != 0 ? keys : (x > y) - (x < y);
}

static void sort_on_host(const struct ww_array *records, uint32_t n, struct ww_array *sorted)
{
    const uint8_t **order = ww_new(n, sizeof *order);
    for (uint32_t i = 0; i < n; i++) {
        order[i] = (const uint8_t *)records->data + (size_t)i * RECORD;
    }
    qsort(order, n, sizeof *order, compare);
    for (uint32_t i = 0; i < n; i++) {
        memcpy((uint8_t *)sorted->data + (size_t)i * RECORD, order[i], RECORD);
    }
    free(order);
}

/* Sorts runs of 2, 4, ... n entries, each from its longest distance to 1. */
static void sort_entries(struct ww_bench *b, const struct ww_array *entries, uint32_t n, uint32_t wide)
{
    const struct ww_range half = ww_1d(n / 2, b->group);
    uint32_t run = 2;
    if (wide > 0) {
        ww_launch(b, "sort_local", half, ww_buffer(entries), ww_u32(n), ww_u32(2), ww_u32(wide));
        run = 2 * wide;
    }
    for (; run <= n; run *= 2) {
        for (uint32_t apart = run / 2; apart > wide / 2; apart /= 2) {
            ww_launch(b, "sort_step", half, ww_buffer(entries), ww_u32(n), ww_u32(run), ww_u32(apart));
        }
        if (wide > 0) {
            ww_launch(b, "sort_local", half, ww_buffer(entries), ww_u32(n), ww_u32(run), ww_u32(run));
        }
    }
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "sort",
                           .summary =
                               "records of 100 bytes by keys of 10: bitonic sort of the keys, then a gather",
                           .table = table,
                           .count = ARGS,
                           .suite = "database",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint32_t n = table[ARG_N].value;
    const uint32_t wide = table[ARG_STAGES].value == STAGES_LOCAL ? 2 * b.group : 0;
    if (!ww_is_pow2(n) || !ww_is_pow2(b.group)) {
        ww_args_refuse(&args, "N and --group must be powers of two, not %" PRIu32 " and %" PRIu32, n,
                       b.group);
    }
    if (wide > n) {
        ww_args_refuse(&args, "N must be at least twice --group, or --stages global");
    }

    struct ww_array *records = ww_bench_array(&b, "records", WW_UINT, (size_t)n * RECORD / 4);
    struct ww_array *entries = ww_bench_array(&b, "entries", WW_ULONG, (size_t)n * 2);
    struct ww_array *sorted = ww_bench_array(&b, "sorted", WW_UINT, (size_t)n * RECORD / 4);
    sorted->pitch = RECORD / 4;
    ww_bench_begin(&b);
    fill(records);

    ww_bench_define(&b, "WIDE", 2 * b.group);
    ww_bench_start(&b);
    ww_launch(&b, "sort_build", ww_1d(n, b.group), ww_buffer(records), ww_buffer(entries), ww_u32(n));
    sort_entries(&b, entries, n, wide);
    ww_launch(&b, "sort_gather", ww_1d(n, b.group), ww_buffer(records), ww_buffer(entries), ww_buffer(sorted),
              ww_u32(n));

    sort_on_host(records, n, sorted);
    ww_bench_check(&b, sorted);
    return ww_bench_close(&b, "N=%" PRIu32 " stages %s", n, ww_arg_choice(&table[ARG_STAGES]));
}

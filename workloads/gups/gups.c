/* SPDX-License-Identifier: MIT */
/* workloads/gups/gups.c - GUPS, HPCC RandomAccess on a GPU: three launches, a table of 2^L words of 64 bits,
 * and 4 * 2^L random numbers, divided evenly among the threads. Fewer suffice for a model: each thread does
 * the first --updates of its share. The source's one work-group of 128 threads is the default; --threads
 * fills the machine. An update stores the number's state, as in the source, and is a 64-bit atomic
 * (cl_khr_int64_extended_atomics), or a load and a store. The reference runs through the whole sequence at
 * once; without atomics one update in a hundred may be lost, as the benchmark's rules allow. */
#include "common/bench.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ARG_L, ARG_THREADS, ARG_UPDATES, ARG_ACCESS, ARG_GROUP, ARGS };
enum { ATOMIC, LOAD_STORE };

static struct ww_arg table[ARGS] = {
    [ARG_L] = {.name = "L", .text = "the table has 2^L words", .value = 26, .min = 4, .max = 31},
    [ARG_THREADS] =
        {.name = "--threads", .text = "work-items that update", .value = 128, .min = 1, .max = 1 << 24},
    [ARG_UPDATES] = {.name = "--updates",
                     .text = "of each work-item, at most its share of 4 * 2^L",
                     .value = 1024,
                     .min = 1,
                     .max = UINT32_MAX},
    [ARG_ACCESS] =
        {.name = "--access",
         .text = "how an update accesses the table: one atomic, or a load and a store, which may lose some",
         .value = ATOMIC,
         .choices = {"atomic", "load-store"}},
    [ARG_GROUP] = {.name = "--group",
                   .text = "work-items in a work-group that updates",
                   .value = 128,
                   .min = 1,
                   .max = 1024},
};

static const struct ww_preset presets[] = {
    {"demo", "a table of 128 KiB", "14 --threads 256 --updates 8"},
    {"micro21", "the source's table of 512 MiB, waves for 8 compute units",
     "26 --threads 20480 --updates 64"},
    {"default", "the source's table and work-group", "26"},
    {NULL, NULL, NULL},
};

static void update_on_host(uint64_t *words, uint64_t count, uint64_t threads, uint64_t share,
                           uint64_t updates)
{
    uint64_t s = 1;
    for (uint64_t i = 0; i < count; i++) {
        words[i] = i;
    }
    for (uint64_t i = 0; i < threads * share; i++) {
        s = (s << 1) ^ (s >> 63 != 0 ? 7 : 0);
        if (i % share < updates) {
            words[s & (count - 1)] ^= s;
        }
    }
}

/* An update that is lost in a race makes one word wrong. */
static void check_most(struct ww_bench *b, const struct ww_array *host, uint64_t updates)
{
    uint64_t *result = ww_bench_result(b, host);
    const uint64_t *want = host->data;
    uint64_t wrong = 0;
    for (size_t i = 0; i < host->count; i++) {
        wrong += result[i] != want[i];
    }
    free(result);
    if (wrong > updates / 100) {
        ww_check_wrong(&b->check, "%" PRIu64 " words are wrong, and may be %" PRIu64 " with so many updates",
                       wrong, updates / 100);
    }
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "gups",
                           .summary = "random atomic updates of a large table",
                           .table = table,
                           .count = ARGS,
                           .suite = "HPCC",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint64_t words = UINT64_C(1) << table[ARG_L].value, updates = table[ARG_UPDATES].value;
    const uint32_t threads = table[ARG_THREADS].value;
    const uint64_t share = 4 * words / threads;
    if (updates > share) {
        ww_args_refuse(
            &args, "--updates is %" PRIu64 ": each of %" PRIu32 " threads has %" PRIu64 " of 4 * 2^%" PRIu32,
            updates, threads, share, table[ARG_L].value);
    }

    struct ww_array *numbers = ww_bench_array(&b, "numbers", WW_ULONG, threads);
    struct ww_array *array = ww_bench_array(&b, "table", WW_ULONG, words);
    const bool apart = table[ARG_ACCESS].value == LOAD_STORE;
    if (apart) {
        ww_bench_define(&b, "LOAD_AND_STORE", 1);
    }
    ww_bench_begin(&b);

    ww_bench_start(&b);
    ww_launch(&b, "gups_init_table", ww_1d(words, 256), ww_buffer(array), ww_u64(words));
    ww_launch(&b, "gups_init_numbers", ww_1d(threads, b.group), ww_buffer(numbers), ww_u32(threads),
              ww_u64(share));
    ww_launch(&b, "gups_update", ww_1d(threads, b.group), ww_buffer(array), ww_buffer(numbers), ww_u64(words),
              ww_u32(threads), ww_u64(updates));

    update_on_host(array->data, words, threads, share, updates);
    if (apart) {
        check_most(&b, array, threads * updates);
    } else {
        ww_bench_check(&b, array);
    }
    return ww_bench_close(&b, "L=%" PRIu32 " threads %" PRIu32 " updates %" PRIu64, table[ARG_L].value,
                          threads, updates);
}

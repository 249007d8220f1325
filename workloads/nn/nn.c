/* SPDX-License-Identifier: MIT */
/* workloads/nn/nn.c - NN of Rodinia: distances of N hurricanes to one place, one kernel. The suite reads the
 * records from text files (four of 10,691); here the rule of the suite's generator makes them. The suite's
 * host also picks the nearest, which follows from the distances and is omitted. */
#include "common/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define LATITUDE 30.0f
#define LONGITUDE 90.0f

enum { ARG_GROUP, ARG_SEED, ARG_N, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_GROUP] = WW_ARG_GROUP(256),
    [ARG_SEED] = {.name = "--seed", .text = "of the records", .value = 7, .min = 0, .max = UINT32_MAX},
    [ARG_N] = {.name = "N", .text = "records", .value = 42764, .min = 1, .max = 1u << 30},
};

static const struct ww_preset presets[] = {
    {"demo", "the suite's four files", "42764"},
    {"hpca14", "reduced, not published; the suite's", "42764"},
    {"default", "the suite's four files", "42764"},
    {NULL, NULL, NULL},
};

static float fraction(void)
{
    return (float)rand() / (float)RAND_MAX;
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "nn",
                           .summary = "the distance of every record to one place",
                           .table = table,
                           .count = ARGS,
                           .suite = "Rodinia",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint32_t n = table[ARG_N].value;

    struct ww_array *locations = ww_bench_matrix(&b, "locations", WW_FLOAT, n, 2);
    struct ww_array *distances = ww_bench_array(&b, "distances", WW_FLOAT, n);
    ww_bench_begin(&b);
    float *place = locations->data;
    srand(table[ARG_SEED].value);
    for (size_t i = 0; i < n; i++) {
        place[2 * i] = (float)(7 + rand() % 63) + fraction();
        place[2 * i + 1] = (float)(rand() % 358) + fraction();
    }

    ww_bench_start(&b);
    ww_launch(&b, "nn", ww_1d(n, b.group), ww_buffer(locations), ww_buffer(distances), ww_u32(n),
              ww_f32(LATITUDE), ww_f32(LONGITUDE));

    for (size_t i = 0; i < n; i++) {
        const float north = LATITUDE - place[2 * i];
        const float east = LONGITUDE - place[2 * i + 1];
        ((float *)distances->data)[i] = sqrtf(north * north + east * east);
    }
    ww_bench_check(&b, distances);
    return ww_bench_close(&b, "N=%" PRIu32, n);
}

/* SPDX-License-Identifier: MIT */
/* workloads/gaussian/gaussian.c - gaussian of Rodinia: the forward elimination of S equations, two launches
 * per step. The suite leaves the work-groups to the runtime; 256 and 16 x 16 are assumed. The back
 * substitution, which the suite does on the host, is omitted. */
#include "common/bench.h"

#include <inttypes.h>
#include <math.h>

enum { ARG_GROUP, ARG_TILE, ARG_STEPS, ARG_S, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_GROUP] = WW_ARG_GROUP(256),
    [ARG_TILE] = {.name = "--tile",
                  .text = "work-group of the second kernel",
                  .choices = {"16x16", "64x4", "256x1", "4x4"}},
    [ARG_STEPS] = {.name = "--steps", .text = "the first steps only, of S - 1", .min = 1, .max = 32767},
    [ARG_S] = {.name = "S", .text = "equations", .value = 2048, .min = 2, .max = 32768},
};

static const struct ww_preset presets[] = {
    {"demo", "the first step of rows of 2 KiB", "512 --steps 1"},
    {"hpca14", "reduced, not published; the suite's of CUDA", "1024"},
    {"default", "the suite's of OpenCL", "2048"},
    {NULL, NULL, NULL},
};

static void eliminate_on_host(float *m, float *a, float *b, size_t size, size_t steps)
{
    for (size_t t = 0; t < steps; t++) {
        for (size_t row = t + 1; row < size; row++) {
            const float factor = a[size * row + t] / a[size * t + t];
            m[size * row + t] = factor;
            for (size_t column = t; column < size; column++) {
                a[size * row + column] -= factor * a[size * t + column];
            }
            b[row] -= factor * b[t];
        }
    }
}

static void fill(float *a, float *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < size; j++) {
            a[i * size + j] = 10.0f * expf(-0.01f * (float)(i > j ? i - j : j - i));
        }
        b[i] = 1.0f;
    }
}

int main(int argc, char **argv)
{
    static const uint32_t tiles[][2] = {{16, 16}, {64, 4}, {256, 1}, {4, 4}};
    struct ww_args args = {.program = "gaussian",
                           .summary = "forward elimination of a system of equations",
                           .table = table,
                           .count = ARGS,
                           .suite = "Rodinia",
                           .presets = presets};
    struct ww_bench bench;
    ww_bench_open(&bench, &args, argc, argv);
    const uint32_t size = table[ARG_S].value;
    const uint32_t steps = table[ARG_STEPS].given ? table[ARG_STEPS].value : size - 1;
    const uint32_t *tile = tiles[table[ARG_TILE].value];
    if (steps > size - 1) {
        ww_args_refuse(&args, "S = %" PRIu32 " has %" PRIu32 " steps, not %" PRIu32, size, size - 1, steps);
    }

    struct ww_array *m = ww_bench_matrix(&bench, "m", WW_FLOAT, size, size);
    struct ww_array *a = ww_bench_matrix(&bench, "a", WW_FLOAT, size, size);
    struct ww_array *b = ww_bench_array(&bench, "b", WW_FLOAT, size);
    ww_bench_begin(&bench);
    fill(a->data, b->data, size);

    ww_bench_start(&bench);
    for (uint32_t t = 0; t < steps; t++) {
        ww_launch(&bench, "fan1", ww_1d(size, bench.group), ww_buffer(m), ww_buffer(a), ww_u32(size),
                  ww_u32(t));
        ww_launch(&bench, "fan2", ww_2d(size, size, tile[0], tile[1]), ww_buffer(m), ww_buffer(a),
                  ww_buffer(b), ww_u32(size), ww_u32(t));
    }

    eliminate_on_host(m->data, a->data, b->data, size, steps);
    ww_bench_check(&bench, m);
    ww_bench_check(&bench, a);
    ww_bench_check(&bench, b);
    return ww_bench_close(&bench, "S=%" PRIu32 ", %" PRIu32 " steps, tile %s", size, steps,
                          ww_arg_choice(&table[ARG_TILE]));
}

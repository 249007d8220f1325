/* SPDX-License-Identifier: MIT */
/* workloads/lud/lud.c - LUD of Rodinia: blocked LU decomposition in place of a D x D matrix, tiles of 16 x
 * 16, three launches per step, one in the last: 3 (D / 16 - 1) + 1. The suite's rule makes the matrix. */
#include "common/bench.h"

#include <inttypes.h>
#include <math.h>

#define TILE 16

enum { ARG_STEPS, ARG_D, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_STEPS] = {.name = "--steps", .text = "the first steps only, of D / 16", .min = 1, .max = 2048},
    [ARG_D] =
        {.name = "D", .text = "rows and columns, a multiple of 16", .value = 8192, .min = 16, .max = 32768},
};

static const struct ww_preset presets[] = {
    {"demo", "all steps of rows of 512 bytes", "128"},
    {"hpca14", "reduced, not published; the suite's of CUDA", "256"},
    {"micro18", "the suite's file; 1.02 MB, Table II has 1.2", "512"},
    {"default", "the suite's of OpenCL", "8192"},
    {NULL, NULL, NULL},
};

/* The host keeps the order of the kernels' operations, so that the results are equal to the last bit. */
static void diagonal_on_host(float *m, size_t size, size_t offset)
{
    float *const tile = m + offset * size + offset;
    for (size_t i = 0; i + 1 < TILE; i++) {
        for (size_t x = i + 1; x < TILE; x++) {
            for (size_t j = 0; j < i; j++) {
                tile[x * size + i] -= tile[x * size + j] * tile[j * size + i];
            }
            tile[x * size + i] /= tile[i * size + i];
        }
        for (size_t x = i + 1; x < TILE; x++) {
            for (size_t j = 0; j <= i; j++) {
                tile[(i + 1) * size + x] -= tile[(i + 1) * size + j] * tile[j * size + x];
            }
        }
    }
}

static void perimeter_on_host(float *m, size_t size, size_t offset, size_t other)
{
    const float *const tile = m + offset * size + offset;
    float *const row = m + offset * size + other;
    float *const column = m + other * size + offset;
    for (size_t x = 0; x < TILE; x++) {
        for (size_t i = 1; i < TILE; i++) {
            for (size_t j = 0; j < i; j++) {
                row[i * size + x] -= tile[i * size + j] * row[j * size + x];
            }
        }
        for (size_t i = 0; i < TILE; i++) {
            for (size_t j = 0; j < i; j++) {
                column[x * size + i] -= column[x * size + j] * tile[j * size + i];
            }
            column[x * size + i] /= tile[i * size + i];
        }
    }
}

static void internal_on_host(float *m, size_t size, size_t offset)
{
    for (size_t y = offset + TILE; y < size; y++) {
        for (size_t x = offset + TILE; x < size; x++) {
            float sum = 0;
            for (size_t i = 0; i < TILE; i++) {
                sum += m[y * size + offset + i] * m[(offset + i) * size + x];
            }
            m[y * size + x] -= sum;
        }
    }
}

static void decompose_on_host(float *m, size_t size, size_t steps)
{
    for (size_t offset = 0; offset < steps * TILE; offset += TILE) {
        diagonal_on_host(m, size, offset);
        for (size_t other = offset + TILE; other < size; other += TILE) {
            perimeter_on_host(m, size, offset, other);
        }
        internal_on_host(m, size, offset);
    }
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "lud",
                           .summary = "LU decomposition in place, tile by tile",
                           .table = table,
                           .count = ARGS,
                           .suite = "Rodinia",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint32_t size = table[ARG_D].value;
    const uint32_t steps = table[ARG_STEPS].given ? table[ARG_STEPS].value : size / TILE;
    if (size % TILE != 0) {
        ww_args_refuse(&args, "D must be a multiple of %d, not %" PRIu32, TILE, size);
    }
    if (steps > size / TILE) {
        ww_args_refuse(&args, "D = %" PRIu32 " has %" PRIu32 " steps, not %" PRIu32, size, size / TILE,
                       steps);
    }

    struct ww_array *m = ww_bench_matrix(&b, "m", WW_FLOAT, size, size);
    ww_bench_begin(&b);
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < size; j++) {
            ww_set(m, i * size + j, 10.0f * expf(-0.001f * (float)(i > j ? i - j : j - i)));
        }
    }

    ww_bench_start(&b);
    for (uint32_t step = 0; step < steps; step++) {
        const struct ww_param matrix = ww_buffer(m), pitch = ww_u32(size), offset = ww_u32(step * TILE);
        const size_t rest = size - (step + 1) * TILE;
        ww_launch(&b, "lud_diagonal", ww_1d(TILE, TILE), matrix, pitch, offset);
        if (rest > 0) {
            ww_launch(&b, "lud_perimeter", ww_1d(2 * rest, (size_t)2 * TILE), matrix, pitch, offset);
            ww_launch(&b, "lud_internal", ww_2d(rest, rest, TILE, TILE), matrix, pitch, offset);
        }
    }

    decompose_on_host(m->data, size, steps);
    ww_bench_check(&b, m);
    return ww_bench_close(&b, "D=%" PRIu32 ", %" PRIu32 " steps", size, steps);
}

/* SPDX-License-Identifier: MIT */
/* workloads/pathfinder/pathfinder.c - pathfinder of Rodinia: the cheapest way down a grid, --pyramid rows per
 * launch, with the geometry of the suite's CUDA version. The OpenCL version starts a work-item for every
 * element of the grid, most of which do nothing, and has a buffer for debugging. */
#include "common/bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ARG_GROUP, ARG_PYRAMID, ARG_COLUMNS, ARG_ROWS, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_GROUP] = WW_ARG_GROUP(256),
    [ARG_PYRAMID] = {.name = "--pyramid", .text = "rows in a launch", .value = 20, .min = 1, .max = 511},
    [ARG_COLUMNS] = {.name = "COLUMNS", .text = "of the grid", .value = 100000, .min = 1, .max = 1u << 24},
    [ARG_ROWS] = {.name = "ROWS", .text = "of the grid", .value = 100, .min = 2, .max = 1u << 16},
};

static const struct ww_preset presets[] = {
    {"demo", "two launches of 20 rows of 8 KiB", "2048 41"},
    {"hpca14", "reduced, not published; the suite's", "100000 100"},
    {"pact24", "within the 214 to 1024 MB of the paper", "1000000 100"},
    {"default", "the suite's", "100000 100"},
    {NULL, NULL, NULL},
};

static int32_t min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Leaves the last row's results in row[0]. */
static void find_on_host(const int32_t *wall, int32_t *row[2], size_t columns, size_t rows)
{
    for (size_t i = 0; i + 1 < rows; i++) {
        for (size_t x = 0; x < columns; x++) {
            int32_t best = row[0][x];
            best = x > 0 ? min(best, row[0][x - 1]) : best;
            best = x + 1 < columns ? min(best, row[0][x + 1]) : best;
            row[1][x] = best + wall[i * columns + x];
        }
        int32_t *other = row[0];
        row[0] = row[1];
        row[1] = other;
    }
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "pathfinder",
                           .summary = "the cheapest way down a grid, several rows in a launch",
                           .table = table,
                           .count = ARGS,
                           .suite = "Rodinia",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint32_t columns = table[ARG_COLUMNS].value, rows = table[ARG_ROWS].value;
    const uint32_t pyramid = table[ARG_PYRAMID].value;
    if (b.group <= 2 * pyramid) {
        ww_args_refuse(&args, "--group must be more than twice --pyramid, not %" PRIu32, b.group);
    }
    if ((uint64_t)columns * (rows - 1) > UINT32_MAX) {
        ww_args_refuse(&args, "COLUMNS x ROWS must be less than 2^32");
    }

    struct ww_array *wall = ww_bench_matrix(&b, "wall", WW_INT, rows - 1, columns);
    struct ww_array *result[2] = {ww_bench_array(&b, "result", WW_INT, columns),
                                  ww_bench_array(&b, "other result", WW_INT, columns)};
    ww_bench_begin(&b);
    srand(9);
    int32_t *row[2] = {result[0]->data, result[1]->data};
    for (size_t x = 0; x < columns; x++) {
        row[0][x] = rand() % 10;
    }
    for (size_t i = 0; i < wall->count; i++) {
        ((int32_t *)wall->data)[i] = rand() % 10;
    }

    ww_bench_define(&b, "GROUP", b.group);
    ww_bench_start(&b);
    const uint32_t groups = (columns + b.group - 2 * pyramid - 1) / (b.group - 2 * pyramid);
    uint32_t source = 0;
    for (uint32_t at = 0; at < rows - 1; at += pyramid) {
        const uint32_t steps = rows - 1 - at < pyramid ? rows - 1 - at : pyramid;
        ww_launch(&b, "pathfinder", ww_1d((size_t)groups * b.group, b.group), ww_buffer(wall),
                  ww_buffer(result[source]), ww_buffer(result[1 - source]), ww_u32(columns), ww_u32(steps),
                  ww_u32(at), ww_u32(pyramid));
        source = 1 - source;
    }

    find_on_host(wall->data, row, columns, rows);
    if (row[0] != result[source]->data) {
        memcpy(result[source]->data, row[0], ww_array_bytes(result[source]));
    }
    ww_bench_check(&b, result[source]);
    return ww_bench_close(&b, "%" PRIu32 " columns, %" PRIu32 " rows, pyramid %" PRIu32, columns, rows,
                          pyramid);
}

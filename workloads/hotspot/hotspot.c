/* SPDX-License-Identifier: MIT */
/* workloads/hotspot/hotspot.c - hotspot of Rodinia: heat flow in a chip of ROWS x COLUMNS cells, --pyramid
 * steps per launch. Temperatures and powers are random within the ranges of the suite's files. */
#include "common/bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TILE 16

enum { ARG_PYRAMID, ARG_ITERATIONS, ARG_SEED, ARG_ROWS, ARG_COLUMNS, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_PYRAMID] = {.name = "--pyramid", .text = "steps in a launch", .value = 4, .min = 1, .max = 7},
    [ARG_ITERATIONS] = {.name = "--iterations", .text = "steps", .value = 10000, .min = 1, .max = 1000000},
    [ARG_SEED] = {.name = "--seed", .text = "of both grids", .value = 7, .min = 0, .max = UINT32_MAX},
    [ARG_ROWS] = {.name = "ROWS", .text = "of the grid", .value = 1024, .min = 1, .max = 32768},
    [ARG_COLUMNS] = {.name = "COLUMNS", .text = "as many as rows unless given", .min = 1, .max = 32768},
};

static const struct ww_preset presets[] = {
    {"demo", "rows of 4 KiB", "14 1024 --pyramid 1 --iterations 2"},
    {"micro18", "Table II, 12.02 MB; two launches, their number is not published", "1024 --iterations 8"},
    {"pact24", "within the 214 to 1024 MB of the paper; two launches", "8192 --iterations 8"},
    {"default", "the suite's of OpenCL", "1024 --iterations 10000"},
    {NULL, NULL, NULL},
};

struct chip {
    size_t columns, rows;
    float step_per_cap, rx, ry, rz;
};

/* The suite's material: a silicon chip of 16 mm x 16 mm x 0.5 mm. */
static struct chip chip_of(uint32_t columns, uint32_t rows)
{
    const float edge = 0.016f, thickness = 0.0005f, conductivity = 100.0f, heat = 1.75e6f, factor = 0.5f;
    const float max_slope = 3.0e6f / (factor * thickness * heat);
    const float width = edge / (float)columns, height = edge / (float)rows;
    const float step = 0.001f / max_slope;
    const float capacity = factor * heat * thickness * width * height;
    const float rx = width / (2.0f * conductivity * thickness * height);
    const float ry = height / (2.0f * conductivity * thickness * width);
    const float rz = thickness / (conductivity * height * width);
    return (struct chip){columns, rows, step / capacity, 1.0f / rx, 1.0f / ry, 1.0f / rz};
}

static void step_on_host(const struct chip *c, const float *power, const float *from, float *to)
{
    for (size_t y = 0; y < c->rows; y++) {
        for (size_t x = 0; x < c->columns; x++) {
            const size_t at = y * c->columns + x;
            const float centre = from[at];
            const float north = y > 0 ? from[at - c->columns] : centre;
            const float south = y + 1 < c->rows ? from[at + c->columns] : centre;
            const float west = x > 0 ? from[at - 1] : centre;
            const float east = x + 1 < c->columns ? from[at + 1] : centre;
            to[at] =
                centre + c->step_per_cap * (power[at] + (south + north - 2.0f * centre) * c->ry +
                                            (east + west - 2.0f * centre) * c->rx + (80.0f - centre) * c->rz);
        }
    }
}

static void fill(struct ww_array *power, struct ww_array *temperature)
{
    for (size_t i = 0; i < power->count; i++) {
        ((float *)temperature->data)[i] = 320.0f + 25.0f * ((float)rand() / (float)RAND_MAX);
        ((float *)power->data)[i] = 0.03f * ((float)rand() / (float)RAND_MAX);
    }
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "hotspot",
                           .summary = "heat flow in a chip, several steps in a launch",
                           .table = table,
                           .count = ARGS,
                           .suite = "Rodinia",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint32_t rows = table[ARG_ROWS].value;
    const uint32_t columns = table[ARG_COLUMNS].given ? table[ARG_COLUMNS].value : rows;
    const uint32_t pyramid = table[ARG_PYRAMID].value, iterations = table[ARG_ITERATIONS].value;

    struct ww_array *power = ww_bench_matrix(&b, "power", WW_FLOAT, rows, columns);
    struct ww_array *grid[2] = {ww_bench_matrix(&b, "temperature", WW_FLOAT, rows, columns),
                                ww_bench_matrix(&b, "other temperature", WW_FLOAT, rows, columns)};
    ww_bench_begin(&b);
    srand(table[ARG_SEED].value);
    fill(power, grid[0]);

    ww_bench_start(&b);
    const struct chip c = chip_of(columns, rows);
    const uint32_t inner = TILE - 2 * pyramid;
    const uint32_t across = (columns + inner - 1) / inner, down = (rows + inner - 1) / inner;
    uint32_t source = 0;
    for (uint32_t at = 0; at < iterations; at += pyramid) {
        const uint32_t steps = iterations - at < pyramid ? iterations - at : pyramid;
        ww_launch(&b, "hotspot", ww_2d((size_t)across * TILE, (size_t)down * TILE, TILE, TILE),
                  ww_buffer(power), ww_buffer(grid[source]), ww_buffer(grid[1 - source]), ww_u32(columns),
                  ww_u32(rows), ww_u32(steps), ww_u32(pyramid), ww_f32(c.step_per_cap), ww_f32(c.rx),
                  ww_f32(c.ry), ww_f32(c.rz));
        source = 1 - source;
    }

    for (uint32_t i = 0; i < iterations; i++) {
        step_on_host(&c, power->data, grid[i % 2]->data, grid[1 - i % 2]->data);
    }
    if (iterations % 2 != source) {
        memcpy(grid[source]->data, grid[iterations % 2]->data, ww_array_bytes(grid[source]));
    }
    ww_bench_check(&b, grid[source]);
    return ww_bench_close(&b, "%" PRIu32 " x %" PRIu32 ", pyramid %" PRIu32 ", %" PRIu32 " iterations", rows,
                          columns, pyramid, iterations);
}

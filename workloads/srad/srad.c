/* SPDX-License-Identifier: MIT */
/* workloads/srad/srad.c - SRAD (version 1) of Rodinia: diffusion of an ultrasonic image against speckle. Each
 * iteration has two sums over the image, then two kernels. The image is random; the suite reads a file. The
 * suite's reduction ignores the stride for the rest of its last work-group; this one does not. */
#include "common/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define GROUP 256
#define LAMBDA 0.5f

enum { ARG_ITERATIONS, ARG_SEED, ARG_ROWS, ARG_COLUMNS, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_ITERATIONS] =
        {.name = "--iterations", .text = "of diffusion", .value = 100, .min = 1, .max = 100000},
    [ARG_SEED] = {.name = "--seed", .text = "of the image", .value = 7, .min = 0, .max = UINT32_MAX},
    [ARG_ROWS] = {.name = "ROWS", .text = "of the image", .value = 502, .min = 2, .max = 32768},
    [ARG_COLUMNS] = {.name = "COLUMNS", .text = "of the image", .value = 458, .min = 1, .max = 32768},
};

static const struct ww_preset presets[] = {
    {"demo", "64 work-groups, so that the reduction has two levels", "128 128 --iterations 1"},
    {"micro21", "one iteration, as Table 2 counts one kernel; the suite's image", "502 458 --iterations 1"},
    {"default", "the suite's", "502 458 --iterations 100"},
    {NULL, NULL, NULL},
};

/* The arrays in the order of the device's buffers. */
enum { IMAGE, NORTH, SOUTH, WEST, EAST, COEFFICIENT, SUMS, SQUARES, FLOATS };

struct srad {
    uint32_t rows, columns, count;
    struct ww_array *array[FLOATS];
    struct ww_array *row_north, *row_south, *column_west, *column_east;
    float *f[FLOATS]; /* the host's copies */
};

static void fill(struct srad *s)
{
    for (uint32_t i = 0; i < s->rows; i++) {
        ((int32_t *)s->row_north->data)[i] = (int32_t)(i == 0 ? 0 : i - 1);
        ((int32_t *)s->row_south->data)[i] = (int32_t)(i + 1 == s->rows ? i : i + 1);
    }
    for (uint32_t j = 0; j < s->columns; j++) {
        ((int32_t *)s->column_west->data)[j] = (int32_t)(j == 0 ? 0 : j - 1);
        ((int32_t *)s->column_east->data)[j] = (int32_t)(j + 1 == s->columns ? j : j + 1);
    }
    for (size_t e = 0; e < s->count; e++) {
        s->f[IMAGE][e] = (float)(rand() % 256);
    }
}

/* Returns the speckle of the whole image, its variance by the square of its mean. */
static float speckle(const struct srad *s, float sum, float square)
{
    const float mean = sum / (float)s->count;
    const float variance = square / (float)s->count - mean * mean;
    return variance / (mean * mean);
}

static void iterate_on_device(struct ww_bench *b, const struct srad *s)
{
    const struct ww_range all = ww_1d(s->count, GROUP);
    struct ww_param p[FLOATS];
    for (int i = 0; i < FLOATS; i++) {
        p[i] = ww_buffer(s->array[i]);
    }
    ww_launch(b, "srad_prepare", all, p[IMAGE], p[SUMS], p[SQUARES], ww_u32(s->count));
    for (uint32_t count = s->count, stride = 1; count > 1; stride *= GROUP) {
        ww_launch(b, "srad_reduce", ww_1d(count, GROUP), p[SUMS], p[SQUARES], ww_u32(count), ww_u32(stride));
        count = (count + GROUP - 1) / GROUP;
    }
    float sum, square; /* not into the arrays: those are the reference */
    ww_ocl_download(&b->ocl, s->array[SUMS]->device, 0, &sum, sizeof sum);
    ww_ocl_download(&b->ocl, s->array[SQUARES]->device, 0, &square, sizeof square);
    ww_launch(b, "srad_gradient", all, p[IMAGE], p[NORTH], p[SOUTH], p[WEST], p[EAST], p[COEFFICIENT],
              ww_buffer(s->row_north), ww_buffer(s->row_south), ww_buffer(s->column_west),
              ww_buffer(s->column_east), ww_u32(s->rows), ww_u32(s->count), ww_f32(speckle(s, sum, square)));
    ww_launch(b, "srad_update", all, p[IMAGE], p[NORTH], p[SOUTH], p[WEST], p[EAST], p[COEFFICIENT],
              ww_buffer(s->row_south), ww_buffer(s->column_east), ww_u32(s->rows), ww_u32(s->count),
              ww_f32(LAMBDA));
}

/* Reduces one work-group, whose values are `stride` apart, in the kernel's order. */
static float reduce_group(const float *values, size_t here, size_t stride)
{
    float sum[GROUP];
    size_t tree = 1;
    while (tree * 2 <= here) {
        tree *= 2;
    }
    for (size_t i = 0; i < tree; i++) {
        sum[i] = values[i * stride];
    }
    for (size_t step = 2; step <= tree; step *= 2) {
        for (size_t i = step - 1; i < tree; i += step) {
            sum[i] += sum[i - step / 2];
        }
    }
    for (size_t i = tree; i < here; i++) {
        sum[tree - 1] += values[i * stride];
    }
    return sum[tree - 1];
}

static float reduce_on_host(float *values, size_t count)
{
    for (size_t stride = 1; count > 1; stride *= GROUP) {
        for (size_t first = 0; first < count; first += GROUP) {
            const size_t here = count - first < GROUP ? count - first : GROUP;
            values[first * stride] = reduce_group(values + first * stride, here, stride);
        }
        count = (count + GROUP - 1) / GROUP;
    }
    return values[0];
}

static void gradient_on_host(struct srad *s, float q0sqr)
{
    const float *const image = s->f[IMAGE];
    for (size_t e = 0; e < s->count; e++) {
        const size_t row = e % s->rows, column = e / s->rows;
        const float centre = image[e];
        const float north = image[row > 0 ? e - 1 : e] - centre;
        const float south = image[row + 1 < s->rows ? e + 1 : e] - centre;
        const float west = image[column > 0 ? e - s->rows : e] - centre;
        const float east = image[column + 1 < s->columns ? e + s->rows : e] - centre;
        const float gradient =
            (north * north + south * south + west * west + east * east) / (centre * centre);
        const float laplacian = (north + south + west + east) / centre;
        const float numerator = 0.5f * gradient - 0.0625f * (laplacian * laplacian);
        const float denominator = 1.0f + 0.25f * laplacian;
        const float q = numerator / (denominator * denominator);
        const float coefficient = 1.0f / (1.0f + (q - q0sqr) / (q0sqr * (1.0f + q0sqr)));
        s->f[NORTH][e] = north;
        s->f[SOUTH][e] = south;
        s->f[WEST][e] = west;
        s->f[EAST][e] = east;
        s->f[COEFFICIENT][e] = coefficient < 0.0f ? 0.0f : coefficient > 1.0f ? 1.0f : coefficient;
    }
}

static void iterate_on_host(struct srad *s)
{
    for (size_t e = 0; e < s->count; e++) {
        s->f[SUMS][e] = s->f[IMAGE][e];
        s->f[SQUARES][e] = s->f[IMAGE][e] * s->f[IMAGE][e];
    }
    const float sum = reduce_on_host(s->f[SUMS], s->count);
    const float square = reduce_on_host(s->f[SQUARES], s->count);
    gradient_on_host(s, speckle(s, sum, square));
    for (size_t e = 0; e < s->count; e++) {
        const float *const c = s->f[COEFFICIENT];
        const float south = c[e % s->rows + 1 < s->rows ? e + 1 : e];
        const float east = c[e / s->rows + 1 < s->columns ? e + s->rows : e];
        const float divergence =
            c[e] * s->f[NORTH][e] + south * s->f[SOUTH][e] + c[e] * s->f[WEST][e] + east * s->f[EAST][e];
        s->f[IMAGE][e] += 0.25f * LAMBDA * divergence;
    }
}

static void declare(struct ww_bench *b, struct srad *s)
{
    static const char *const names[] = {"image", "north", "south", "west", "east", "c", "sums", "squares"};
    for (int i = 0; i < FLOATS; i++) {
        s->array[i] = ww_bench_array(b, names[i], WW_FLOAT, s->count);
    }
    s->row_north = ww_bench_array(b, "row north", WW_INT, s->rows);
    s->row_south = ww_bench_array(b, "row south", WW_INT, s->rows);
    s->column_west = ww_bench_array(b, "column west", WW_INT, s->columns);
    s->column_east = ww_bench_array(b, "column east", WW_INT, s->columns);
    ww_bench_begin(b);
    for (int i = 0; i < FLOATS; i++) {
        s->f[i] = s->array[i]->data;
    }
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "srad",
                           .summary = "diffusion of an image against speckle",
                           .table = table,
                           .count = ARGS,
                           .suite = "Rodinia",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint32_t iterations = table[ARG_ITERATIONS].value;
    struct srad s = {.rows = table[ARG_ROWS].value, .columns = table[ARG_COLUMNS].value};
    s.count = s.rows * s.columns;
    declare(&b, &s);
    srand(table[ARG_SEED].value);
    fill(&s);

    ww_bench_start(&b);
    const struct ww_param image = ww_buffer(s.array[IMAGE]), count = ww_u32(s.count);
    ww_launch(&b, "srad_extract", ww_1d(s.count, GROUP), image, count);
    for (uint32_t i = 0; i < iterations; i++) {
        iterate_on_device(&b, &s);
    }
    ww_launch(&b, "srad_compress", ww_1d(s.count, GROUP), image, count);

    /* Exponential and logarithm are those of double, rounded: the best results that a device may have. */
    for (size_t e = 0; e < s.count; e++) {
        s.f[IMAGE][e] = (float)exp((double)(s.f[IMAGE][e] / 255.0f));
    }
    for (uint32_t i = 0; i < iterations; i++) {
        iterate_on_host(&s);
    }
    for (size_t e = 0; e < s.count; e++) {
        s.f[IMAGE][e] = (float)log((double)s.f[IMAGE][e]) * 255.0f;
    }
    b.check.tolerance = 0.001;
    ww_bench_check(&b, s.array[COEFFICIENT]);
    ww_bench_check(&b, s.array[IMAGE]);
    return ww_bench_close(&b, "%" PRIu32 " x %" PRIu32 ", %" PRIu32 " iterations", s.rows, s.columns,
                          iterations);
}

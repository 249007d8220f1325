/* SPDX-License-Identifier: MIT */
/* workloads/common/bench.h - a benchmark's life on the host. A program declares its arguments and its arrays,
 * fills the arrays, launches its kernels, computes the reference in the host's copies and checks:
 *     open -> array ... -> begin -> (fill) -> start -> launch ... -> (reference) -> check ... -> close
 * One in-order queue, so that launches follow one another. A failed OpenCL call ends the process. */
#ifndef WW_WORKLOADS_BENCH_H
#define WW_WORKLOADS_BENCH_H

#include "common/args.h"
#include "common/array.h"
#include "common/check.h"
#include "common/ocl.h"

/* Rows for a program's argument table that mean the same everywhere; the kernels see them as REAL and ACC_...
 * (common/prelude.cl). */
#define WW_ARG_TYPE(type_default)                                                                            \
    {                                                                                                        \
        .name = "--type", .text = "element type", .value = (type_default), .choices = { "float", "double" }  \
    }
#define WW_ARG_ACCUMULATE                                                                                    \
    {                                                                                                        \
        .name = "--accumulate",                                                                              \
        .text = "a sum in memory: load and store it each time, store only, or keep it in a register",        \
        .value = 1, .choices = {                                                                             \
            "naive",                                                                                         \
            "opt",                                                                                           \
            "reg"                                                                                            \
        }                                                                                                    \
    }
#define WW_ARG_GROUP(items)                                                                                  \
    {                                                                                                        \
        .name = "--group", .text = "work-items in a work-group", .value = (items), .min = 1, .max = 1024     \
    }

/* Keeps i * N + j within the 32 bits of the kernels' index. */
#define WW_MATRIX_MAX 65535

#define WW_ARRAYS_MAX 16
#define WW_KERNELS_MAX 12

struct ww_kernel {
    const char *name;
    cl_kernel kernel;
    uint64_t launches;
    double seconds; /* with --time */
};

struct ww_bench {
    struct ww_args *args;
    enum ww_type type; /* of reals: --type, else float */
    uint32_t group;    /* --group, else 256 */
    char options[192]; /* of the kernels' compiler */
    struct ww_ocl ocl;
    struct ww_check check; /* its tolerance is the program's to change */
    uint32_t arrays, kernels;
    struct ww_array array[WW_ARRAYS_MAX];
    struct ww_kernel kernel[WW_KERNELS_MAX];
};

/* Parses the arguments, which may end the process. */
void ww_bench_open(struct ww_bench *b, struct ww_args *args, int argc, char **argv);

/* Declares a further array, of elements that will be zero. The order is that of the device's buffers. */
struct ww_array *ww_bench_array(struct ww_bench *b, const char *name, enum ww_type type, size_t count);
struct ww_array *ww_bench_matrix(struct ww_bench *b, const char *name, enum ww_type type, size_t rows,
                                 size_t columns);

/* All arrays are declared: with --describe the process prints what it would do and ends, else there is
 * memory.
 */
void ww_bench_begin(struct ww_bench *b);

/* A number that the kernels see as a macro; before start. */
void ww_bench_define(struct ww_bench *b, const char *macro, uint32_t value);

/* Opens the device, builds the kernels, copies every array there. */
void ww_bench_start(struct ww_bench *b);

/* One parameter of a kernel. */
struct ww_param {
    size_t bytes;
    union {
        cl_mem buffer;
        uint32_t u32;
        int32_t i32;
        uint64_t u64;
        float f32;
    } value;
};
static inline struct ww_param ww_buffer(const struct ww_array *array)
{
    return (struct ww_param){sizeof(cl_mem), {.buffer = array->device}};
}
static inline struct ww_param ww_u32(uint32_t value)
{
    return (struct ww_param){sizeof value, {.u32 = value}};
}
static inline struct ww_param ww_i32(int32_t value)
{
    return (struct ww_param){sizeof value, {.i32 = value}};
}
static inline struct ww_param ww_u64(uint64_t value)
{
    return (struct ww_param){sizeof value, {.u64 = value}};
}
static inline struct ww_param ww_f32(float value)
{
    return (struct ww_param){sizeof value, {.f32 = value}};
}

/* At least that many work-items a dimension, rounded up to whole groups (the kernels guard). */
static inline struct ww_range ww_1d(size_t items, size_t group)
{
    return (struct ww_range){1, {items, 1}, {group, 1}};
}
static inline struct ww_range ww_2d(size_t x, size_t y, size_t group_x, size_t group_y)
{
    return (struct ww_range){2, {x, y}, {group_x, group_y}};
}

/* ww_launch(bench, "kernel", range, parameters...): enqueues it. */
#define ww_launch(bench, kernel, range, ...)                                                                 \
    ww_bench_launch((bench), (kernel), (range), (const struct ww_param[]){__VA_ARGS__},                      \
                    (cl_uint)(sizeof((const struct ww_param[]){__VA_ARGS__}) / sizeof(struct ww_param)))
void ww_bench_launch(struct ww_bench *b, const char *kernel, struct ww_range range,
                     const struct ww_param *params, cl_uint count);

/* Elements first ... first + count - 1 of the device's copy into the host's, after all that was launched. */
void ww_bench_read(struct ww_bench *b, struct ww_array *array, size_t first, size_t count);
/* The host's copy, whole, to the device. */
void ww_bench_write(struct ww_bench *b, const struct ww_array *array);

/* The device's copy as a result, in memory of its own (free() it): what a check of a property looks at. */
void *ww_bench_result(struct ww_bench *b, const struct ww_array *array);
/* Compares the device's array with the host's, which the caller has brought up to date. */
void ww_bench_check(struct ww_bench *b, const struct ww_array *array);

/* Releases everything, prints the verdict and returns the exit code; parameters like "N=64". */
int ww_bench_close(struct ww_bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What --describe prints (common/describe.c). */
void ww_bench_describe(const struct ww_bench *b);

#endif

/* SPDX-License-Identifier: MIT */
/* workloads/common/bench.c - see bench.h. */
#include "common/bench.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const char ww_prelude_cl[];

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t bytes, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, bytes - used, format, list);
    va_end(list);
}

void ww_bench_open(struct ww_bench *b, struct ww_args *args, int argc, char **argv)
{
    ww_args_parse(args, argc, argv);
    *b = (struct ww_bench){
        .args = args, .check = {.program = args->program, .tolerance = WW_TOLERANCE}, .group = 256};
    const struct ww_arg *type = ww_args_find(args, "--type");
    const struct ww_arg *group = ww_args_find(args, "--group");
    b->type = type != NULL && type->value == 1 ? WW_DOUBLE : WW_FLOAT;
    if (group != NULL) {
        b->group = group->value;
    }
}

struct ww_array *ww_bench_array(struct ww_bench *b, const char *name, enum ww_type type, size_t count)
{
    if (b->arrays == WW_ARRAYS_MAX) {
        abort();
    }
    struct ww_array *array = &b->array[b->arrays++];
    /* OpenCL has no empty buffers */
    *array = (struct ww_array){.name = name, .type = type, .count = count == 0 ? 1 : count};
    return array;
}

struct ww_array *ww_bench_matrix(struct ww_bench *b, const char *name, enum ww_type type, size_t rows,
                                 size_t columns)
{
    struct ww_array *array = ww_bench_array(b, name, type, rows * columns);
    array->pitch = columns;
    return array;
}

void ww_bench_begin(struct ww_bench *b)
{
    if (b->args->describe) {
        ww_bench_describe(b);
        exit(0);
    }
    for (uint32_t i = 0; i < b->arrays; i++) {
        b->array[i].data = ww_new(b->array[i].count, ww_type_bytes(b->array[i].type));
    }
}

void ww_bench_define(struct ww_bench *b, const char *macro, uint32_t value)
{
    append(b->options, sizeof b->options, " -D%s=%" PRIu32, macro, value);
}

void ww_bench_start(struct ww_bench *b)
{
    static const char *const accumulate[] = {"-DACC_NAIVE", "-DACC_OPT", "-DACC_REG"};
    char kernels_begin[128] = "";
    append(kernels_begin, sizeof kernels_begin, "#line 1 \"%s.cl\"\n", b->args->program);
    /* named as files, so that line numbers refer to them */
    const char *sources[] = {"#line 1 \"prelude.cl\"\n", ww_prelude_cl, kernels_begin, ww_kernels_cl};
    const struct ww_arg *sum = ww_args_find(b->args, "--accumulate");
    append(b->options, sizeof b->options, " %s %s",
           b->type == WW_FLOAT ? "-DREAL=float" : "-DREAL=double -DREAL_IS_DOUBLE",
           sum == NULL ? "" : accumulate[sum->value]);
    ww_ocl_open(&b->ocl, b->args->program, sources, 4, b->options);
    for (uint32_t i = 0; i < b->arrays; i++) {
        struct ww_array *array = &b->array[i];
        array->device = ww_ocl_upload(&b->ocl, array->data, ww_array_bytes(array));
    }
}

static struct ww_kernel *kernel_of(struct ww_bench *b, const char *name)
{
    for (uint32_t i = 0; i < b->kernels; i++) {
        if (strcmp(b->kernel[i].name, name) == 0) {
            return &b->kernel[i];
        }
    }
    if (b->kernels == WW_KERNELS_MAX) {
        abort();
    }
    struct ww_kernel *kernel = &b->kernel[b->kernels++];
    *kernel = (struct ww_kernel){.name = name, .kernel = ww_ocl_kernel(&b->ocl, name)};
    return kernel;
}

static double now_seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void ww_bench_launch(struct ww_bench *b, const char *kernel, struct ww_range range,
                     const struct ww_param *params, cl_uint count)
{
    struct ww_kernel *entry = kernel_of(b, kernel);
    for (cl_uint i = 0; i < count; i++) {
        ww_ocl_arg(&b->ocl, entry->kernel, i, params[i].bytes, &params[i].value);
    }
    const double start = b->args->timed ? now_seconds() : 0.0;
    ww_ocl_run(&b->ocl, entry->kernel, &range);
    if (b->args->timed) {
        ww_ocl_finish(&b->ocl);
        entry->seconds += now_seconds() - start;
    }
    entry->launches++;
}

void ww_bench_read(struct ww_bench *b, struct ww_array *array, size_t first, size_t count)
{
    const size_t bytes = ww_type_bytes(array->type);
    ww_ocl_download(&b->ocl, array->device, first * bytes, (uint8_t *)array->data + first * bytes,
                    count * bytes);
}

void ww_bench_write(struct ww_bench *b, const struct ww_array *array)
{
    ww_ocl_write(&b->ocl, array->device, 0, array->data, ww_array_bytes(array));
}

void *ww_bench_result(struct ww_bench *b, const struct ww_array *array)
{
    void *result = ww_new(array->count, ww_type_bytes(array->type));
    ww_ocl_download(&b->ocl, array->device, 0, result, ww_array_bytes(array));
    ww_check_spoil(result, array->type, array->count);
    return result;
}

void ww_bench_check(struct ww_bench *b, const struct ww_array *array)
{
    void *result = ww_bench_result(b, array);
    ww_check_array(&b->check, array, result);
    free(result);
}

int ww_bench_close(struct ww_bench *b, const char *format, ...)
{
    const struct ww_arg *type = ww_args_find(b->args, "--type");
    const struct ww_arg *sum = ww_args_find(b->args, "--accumulate");
    const struct ww_arg *group = ww_args_find(b->args, "--group");
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (type != NULL) {
        append(text, sizeof text, " %s", ww_arg_choice(type));
    }
    if (sum != NULL) {
        append(text, sizeof text, ", accumulate %s", ww_arg_choice(sum));
    }
    if (group != NULL) {
        append(text, sizeof text, ", group %" PRIu32, group->value);
    }

    for (uint32_t i = 0; i < b->arrays; i++) {
        ww_ocl_release(&b->ocl, b->array[i].device);
        free(b->array[i].data);
    }
    for (uint32_t i = 0; i < b->kernels; i++) {
        const struct ww_kernel *kernel = &b->kernel[i];
        if (b->args->timed) {
            printf("%s: %s: %" PRIu64 " launches, %.6f s\n", b->args->program, kernel->name, kernel->launches,
                   kernel->seconds);
        }
        ww_ocl_release_kernel(&b->ocl, kernel->kernel);
    }
    ww_ocl_close(&b->ocl);
    return ww_check_end(&b->check, text);
}

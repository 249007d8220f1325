/* SPDX-License-Identifier: MIT */
/* workloads/common/ocl.c - see ocl.h. */
#include "common/ocl.h"

#include "common/args.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLATFORMS_MAX 16

static _Noreturn void fail(const struct ww_ocl *o, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "%s: ", o->program_name);
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    exit(WW_EXIT_OPENCL);
}

static const char *error_name(cl_int code)
{
    static const struct {
        cl_int code;
        const char *name;
    } names[] = {
        {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
        {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
        {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
        {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
        {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
        {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
        {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
        {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
        {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
        {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
        {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
        {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].code == code) {
            return names[i].name;
        }
    }
    return "see CL/cl.h";
}

static void must(const struct ww_ocl *o, const char *call, cl_int code)
{
    if (code != CL_SUCCESS) {
        fail(o, "%s failed: %d (%s)", call, code, error_name(code));
    }
}

/* Returns the first device of the first platform that has one. */
static cl_device_id first_device(const struct ww_ocl *o)
{
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint count = 0;
    cl_int code = clGetPlatformIDs(PLATFORMS_MAX, platforms, &count);
    for (cl_uint i = 0; code == CL_SUCCESS && i < count && i < PLATFORMS_MAX; i++) {
        cl_device_id device = NULL;
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS) {
            return device;
        }
    }
    fail(o, "no OpenCL device here: run it under oclgrind, or install a driver");
}

static void print_build_log(const struct ww_ocl *o)
{
    size_t bytes = 0;
    clGetProgramBuildInfo(o->program, o->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *text = calloc(bytes + 1, 1);
    if (text != NULL) {
        clGetProgramBuildInfo(o->program, o->device, CL_PROGRAM_BUILD_LOG, bytes, text, NULL);
        fprintf(stderr, "%s\n", text);
        free(text);
    }
}

void ww_ocl_open(struct ww_ocl *o, const char *program_name, const char **sources, cl_uint count,
                 const char *options)
{
    cl_int code = CL_SUCCESS;
    *o = (struct ww_ocl){.program_name = program_name};
    o->device = first_device(o);
    o->context = clCreateContext(NULL, 1, &o->device, NULL, NULL, &code);
    must(o, "clCreateContext", code);
    o->queue = clCreateCommandQueue(o->context, o->device, 0, &code);
    must(o, "clCreateCommandQueue", code);
    o->program = clCreateProgramWithSource(o->context, count, sources, NULL, &code);
    must(o, "clCreateProgramWithSource", code);
    code = clBuildProgram(o->program, 1, &o->device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        print_build_log(o);
    }
    must(o, "clBuildProgram", code);
}

void ww_ocl_close(struct ww_ocl *o)
{
    must(o, "clReleaseProgram", clReleaseProgram(o->program));
    must(o, "clReleaseCommandQueue", clReleaseCommandQueue(o->queue));
    must(o, "clReleaseContext", clReleaseContext(o->context));
}

void ww_ocl_need_local(const struct ww_ocl *o, size_t bytes)
{
    cl_ulong has = 0;
    must(o, "clGetDeviceInfo", clGetDeviceInfo(o->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof has, &has, NULL));
    if (bytes > has) {
        fail(o,
             "needs %zu bytes of local memory, the device has %llu (oclgrind: --local-mem-size 65536, or "
             "OCLGRIND_LOCAL_MEM_SIZE=65536)",
             bytes, (unsigned long long)has);
    }
}

cl_mem ww_ocl_upload(const struct ww_ocl *o, const void *data, size_t bytes)
{
    cl_ulong max = 0;
    must(o, "clGetDeviceInfo",
         clGetDeviceInfo(o->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof max, &max, NULL));
    if (bytes > max) {
        fail(o,
             "a buffer of %zu bytes does not fit: the device allows %llu (oclgrind: --global-mem-size BYTES, "
             "or "
             "OCLGRIND_GLOBAL_MEM_SIZE)",
             bytes, (unsigned long long)max);
    }
    cl_int code = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(o->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    must(o, "clCreateBuffer", code);
    ww_ocl_write(o, buffer, 0, data, bytes);
    return buffer;
}

void ww_ocl_write(const struct ww_ocl *o, cl_mem buffer, size_t offset, const void *data, size_t bytes)
{
    must(o, "clEnqueueWriteBuffer",
         clEnqueueWriteBuffer(o->queue, buffer, CL_TRUE, offset, bytes, data, 0, NULL, NULL));
}

void ww_ocl_download(const struct ww_ocl *o, cl_mem buffer, size_t offset, void *data, size_t bytes)
{
    must(o, "clEnqueueReadBuffer",
         clEnqueueReadBuffer(o->queue, buffer, CL_TRUE, offset, bytes, data, 0, NULL, NULL));
}

void ww_ocl_release(const struct ww_ocl *o, cl_mem buffer)
{
    must(o, "clReleaseMemObject", clReleaseMemObject(buffer));
}

cl_kernel ww_ocl_kernel(const struct ww_ocl *o, const char *name)
{
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(o->program, name, &code);
    must(o, "clCreateKernel", code);
    return kernel;
}

void ww_ocl_release_kernel(const struct ww_ocl *o, cl_kernel kernel)
{
    must(o, "clReleaseKernel", clReleaseKernel(kernel));
}

void ww_ocl_arg(const struct ww_ocl *o, cl_kernel kernel, cl_uint idx, size_t bytes, const void *value)
{
    must(o, "clSetKernelArg", clSetKernelArg(kernel, idx, bytes, value));
}

void ww_ocl_run(const struct ww_ocl *o, cl_kernel kernel, const struct ww_range *range)
{
    size_t items[WW_DIMENSIONS_MAX];
    for (cl_uint i = 0; i < range->dimensions; i++) {
        items[i] = (range->items[i] + range->group[i] - 1) / range->group[i] * range->group[i];
    }
    must(o, "clEnqueueNDRangeKernel",
         clEnqueueNDRangeKernel(o->queue, kernel, range->dimensions, NULL, items, range->group, 0, NULL,
                                NULL));
}

void ww_ocl_finish(const struct ww_ocl *o)
{
    must(o, "clFinish", clFinish(o->queue));
}

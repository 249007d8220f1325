/* SPDX-License-Identifier: MIT */
/* tb/capture/loader.c - an OpenCL program that loads libOpenCL instead of linking to it, as wrappers do: one
 * launch of 1024 work-items in groups of 64; each work-item stores once. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *library;

static void *found(const char *name)
{
    void *function = library ? dlsym(library, name) : NULL;
    if (!function) {
        fprintf(stderr, "loader: no %s\n", name);
        exit(9);
    }
    return function;
}

#define CALL(name) ((__typeof__(&name))found(#name))

int main(void)
{
    static const char *const source = "kernel void fill(global int *a) { a[get_global_id(0)] = 1; }";
    const char *text = source;
    const size_t items = 1024, group = 64;
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    cl_int status = CL_SUCCESS;
    library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    CALL(clGetPlatformIDs)(1, &platform, NULL);
    CALL(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = CALL(clCreateContext)(NULL, 1, &device, NULL, NULL, &status);
    cl_command_queue queue = CALL(clCreateCommandQueue)(context, device, 0, &status);
    cl_program program = CALL(clCreateProgramWithSource)(context, 1, &text, NULL, &status);
    CALL(clBuildProgram)(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = CALL(clCreateKernel)(program, "fill", &status);
    cl_mem buffer = CALL(clCreateBuffer)(context, CL_MEM_WRITE_ONLY, 4096, NULL, &status);
    CALL(clSetKernelArg)(kernel, 0, sizeof buffer, &buffer);
    status = CALL(clEnqueueNDRangeKernel)(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    return status || CALL(clFinish)(queue) ? 8 : 0;
}

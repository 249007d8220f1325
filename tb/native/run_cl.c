/* SPDX-License-Identifier: MIT */
/* tb/native/run_cl.c - runs one OpenCL file: run_cl FILE.cl ITEMS GROUP SEED BYTES OUT [OPTIONS]. Its kernel
 * k takes three buffers of BYTES bytes: a and b are filled from the seed, out with zeros. out is written to
 * the file OUT ("-": its sum is printed). */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "run_cl: %s\n", what);
    exit(9);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    must(file != NULL, path);
    static char text[1 << 20];
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* Computes each word from a counter, as words() of fuzz_kernels.py does. */
static void fill(uint32_t *words, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t z = seed * 0x9e3779b97f4a7c15u + (i + 1) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 30) * 0x94d049bb133111ebu;
        z ^= z >> 29;
        words[i] = (uint32_t)(z >> 32) >> (z & 31);
        if (z & 32)
            words[i] = ~words[i];
    }
}

static void print_sum(const unsigned char *bytes, size_t count)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    printf("sum %016llx\n", (unsigned long long)sum);
}

static void write_out(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    must(file != NULL && fwrite(bytes, 1, count, file) == count && fclose(file) == 0, path);
}

static cl_kernel build(cl_context context, cl_device_id device, const char *source, const char *options)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    must(status == CL_SUCCESS, "program");
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        static char log[10000];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        must(0, log);
    }
    cl_kernel kernel = clCreateKernel(program, "k", &status);
    must(status == CL_SUCCESS, "there is no kernel k that OpenCL takes");
    return kernel;
}

int main(int argc, char **argv)
{
    must(argc >= 7, "usage: run_cl FILE.cl ITEMS GROUP SEED BYTES OUT [OPTIONS]");
    const size_t items = strtoul(argv[2], NULL, 0), group = strtoul(argv[3], NULL, 0),
                 bytes = strtoul(argv[5], NULL, 0);
    const uint64_t seed = strtoull(argv[4], NULL, 0);
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    cl_mem memory[3];
    must(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must(status == CL_SUCCESS, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    must(status == CL_SUCCESS, "queue");
    cl_kernel kernel = build(context, device, read_text(argv[1]), argc > 7 ? argv[7] : "");
    uint32_t *words = calloc(bytes / 4 + 1, 4);
    must(words != NULL, "memory");
    for (cl_uint i = 0; i < 3; i++) {
        memset(words, 0, bytes);
        if (i < 2)
            fill(words, bytes / 4, seed + i);
        memory[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, words, &status);
        must(status == CL_SUCCESS, "buffer");
        must(clSetKernelArg(kernel, i, sizeof memory[i], &memory[i]) == CL_SUCCESS, "argument");
    }
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL) == CL_SUCCESS,
         "launch");
    must(clEnqueueReadBuffer(queue, memory[2], CL_TRUE, 0, bytes, words, 0, NULL, NULL) == CL_SUCCESS,
         "read");
    if (strcmp(argv[6], "-") != 0)
        write_out(argv[6], words, bytes);
    else
        print_sum((const unsigned char *)words, bytes);
    free(words);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* tb/native/hostile.c - OpenCL programs that do what they must not: `hostile list` names them, `hostile NAME`
 * runs one. A capture of one must end with a trace or with a reason, and the program must not crash because
 * of the capture. Known results are checked: 0 is right, 1 wrong, 9 refused. The "endless" ones wait for a
 * signal. */
#define _GNU_SOURCE
#include "hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cl_device_id device;
cl_context context;
cl_command_queue queue;
int a[ITEMS], b[ITEMS], out[ITEMS];
static const char *current = "setting up";

void must(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "hostile: %s: %s: %d\n", current, what, (int)status);
    exit(9);
}

void set_up(void)
{
    cl_platform_id platform;
    cl_int status;
    must(clGetPlatformIDs(1, &platform, NULL), "platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must(status, "context");
    queue = clCreateCommandQueue(context, device, 0, &status);
    must(status, "queue");
}

cl_program build(cl_context in, const char *source)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(in, 1, &source, NULL, &status);
    must(status, "program");
    status = clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (status != CL_SUCCESS) {
        static char log[10000];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fputs(log, stderr);
    }
    must(status, "build");
    return program;
}

cl_kernel kernel_of(cl_program program)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, "k", &status);
    must(status, "kernel");
    return kernel;
}

cl_mem buffer_of(cl_context in, void *data, size_t bytes)
{
    cl_int status;
    cl_mem memory = clCreateBuffer(in, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, data, &status);
    must(status, "buffer");
    return memory;
}

void set_arg(cl_kernel kernel, cl_uint i, cl_mem memory)
{
    must(clSetKernelArg(kernel, i, sizeof memory, &memory), "argument");
}

void enqueue(cl_command_queue in, cl_kernel kernel, size_t items, size_t group)
{
    must(clEnqueueNDRangeKernel(in, kernel, 1, NULL, &items, &group, 0, NULL, NULL), "launch");
}

/* The kernel's arguments are buffers of a, b and out, in this order; a and b are the same in each run. */
void run_source(const char *source)
{
    int *const arrays[] = {a, b, out};
    cl_mem memory[3];
    cl_kernel kernel = kernel_of(build(context, source));
    for (cl_uint i = 0; i < 3; i++) {
        memory[i] = buffer_of(context, arrays[i], sizeof a);
        set_arg(kernel, i, memory[i]);
    }
    enqueue(queue, kernel, ITEMS, GROUP);
    must(clFinish(queue), "finish");
    for (int i = 0; i < 3; i++)
        must(clEnqueueReadBuffer(queue, memory[i], CL_TRUE, 0, sizeof a, arrays[i], 0, NULL, NULL), "read");
}

int wrong_elements(int (*want)(int i))
{
    int wrong = 0;
    for (int i = 0; i < ITEMS; i++) {
        if (out[i] == want(i))
            continue;
        if (wrong++ == 0)
            fprintf(stderr, "hostile: %s: element %d is %d, not %d\n", current, i, out[i], want(i));
    }
    return wrong;
}

static int zero(int i)
{
    (void)i;
    return 0;
}

static int same(int i)
{
    return a[i];
}

static int undefined_zero(int i)
{
    return a[i % 3 ? b[i] & 255 : 0] + i;
}

static int divided(int i)
{
    const int d = b[i] % 5;
    return d == 0 ? 0 : a[i] / d + a[i] % d;
}

static int shifted(int i)
{
    return (int)(7u << ((i + 32) & 31)) + (int)(0x80000000u >> ((i * 5) & 31)) +
           (int)(1UL << ((i + 64) & 63) >> 40);
}

static int fenced(int i)
{
    return i % GROUP < 32 ? i : -1;
}

static int summed(int i)
{
    return (a[i] & 255) * 10000 + 1;
}

static int factorial(int i)
{
    unsigned f = 1;
    for (unsigned k = 2; k <= (unsigned)i % 13; k++)
        f *= k;
    return (int)f;
}

static int depth(int i)
{
    return i == 0 ? 20000 : 5;
}

static int united(int i)
{
    unsigned char bytes[4];
    memcpy(bytes, &a[i], 4);
    return (bytes[3] << 8 | bytes[0]) + bytes[i & 3];
}

#define K                                                                                                    \
    "kernel void k(global int *a, global int *b, global int *out) {\n  int i = get_global_id(0), l = "       \
    "get_local_id(0);\n"

struct kernel_case {
    const char *name, *source;
    int (*want)(int i); /* NULL: any result is allowed */
};

static const struct kernel_case kernels[] = {
    {"read_behind", K "  out[i] = a[256 + i]; }\n", zero},
    {"read_before", K "  out[i] = a[-1 - i]; }\n", zero},
    {"read_far", K "  out[i] = a[((long)i + 1) << 30]; }\n", zero},
    {"read_very_far", K "  out[i] = a[((long)i + 1) << 50]; }\n", zero},
    {"read_wild", K "  out[i] = *(global int *)(0x123456789abcUL * (i + 1)); }\n", zero},
    {"read_straddling", K "  int4 v = *(global int4 *)(a + 254); out[i] = v.z; }\n", NULL},
    {"read_vload_behind", K "  int4 v = vload4(64 + i, a); out[i] = v.x | v.y | v.z | v.w; }\n", zero},
    {"read_null", K "  global int *p = 0; out[i] = p[i]; }\n", zero},
    {"read_struct_behind",
     "typedef struct { int x[40]; } s_t;\n" K
     "  s_t s = ((global s_t *)a)[10 + l]; out[i] = s.x[l % 40] | s.x[3]; }\n",
     zero},
    {"write_behind", K "  a[256 + i] = 7; out[i] = a[i]; }\n", same},
    {"write_before", K "  a[-1 - i] = 7; out[i] = a[i]; }\n", same},
    {"write_far", K "  a[((long)i + 1) << 30] = 7; out[i] = a[i]; }\n", same},
    {"write_very_far", K "  a[((long)i + 1) << 50] = 7; out[i] = a[i]; }\n", same},
    {"write_wild", K "  *(global int *)(0x123456789abcUL * (i + 1)) = 7; out[i] = a[i]; }\n", same},
    {"write_null", K "  global int *p = 0; p[i] = 1; out[i] = a[i]; }\n", same},
    {"write_then_read", K "  a[256 + i] = 7; barrier(CLK_GLOBAL_MEM_FENCE); out[i] = a[256 + i]; }\n", zero},
    {"atomic_behind", K "  atomic_add(&a[256 + i], 3); atomic_cmpxchg(&a[-5], 1, 2); out[i] = a[i]; }\n",
     same},
    {"atomic_null", K "  global int *p = 0; atomic_inc(p); out[i] = a[i]; }\n", same},
    {"private_behind",
     K "  int t[8]; for (int k = 0; k < 8; k++) t[k] = a[i]; t[8 + (b[i] & 7)] = 5; out[i] = t[i & 7]; }\n",
     same},
    {"private_before",
     K "  int t[8]; for (int k = 0; k < 8; k++) t[k] = a[i]; t[-1 - (b[i] & 7)] = 5; out[i] = t[i & 7]; }\n",
     same},
    {"private_far",
     K
     "  int t[8]; for (int k = 0; k < 8; k++) t[k] = a[i]; t[1000000 + i * 4096] = 5; out[i] = t[i & 7]; }\n",
     same},
    {"private_very_far",
     K "  int t[8]; for (int k = 0; k < 8; k++) t[k] = a[i]; t[((long)b[i] << 32) + (1L << 40)] = 5; out[i] "
       "= t[i & 7]; }\n",
     same},
    {"private_read_behind",
     K "  int t[8]; for (int k = 0; k < 8; k++) t[k] = a[i]; out[i] = t[8 + (i & 63)] & 0; }\n", zero},
    {"private_read_far",
     K "  int t[8]; for (int k = 0; k < 8; k++) t[k] = a[i]; out[i] = t[100000000L + i] & 0; }\n", zero},
    {"private_constant_index",
     K "  volatile int t[8]; for (int k = 0; k < 8; k++) t[k] = a[i]; t[9] = 1; t[-3] = 2; t[100000] = 3; "
       "out[i] = t[i & 7]; }\n",
     same},
    {"private_by_pointer",
     "void fill(int *p, int n, int v) { for (int k = 0; k < n; k++) p[k] = v; }\n" K
     "  int t[8]; fill(t, 40, a[i]); out[i] = t[i & 7]; }\n",
     same},
    {"local_behind",
     K "  local int t[64]; t[l] = a[i]; t[64 + l] = 5; t[-1 - l] = 6; barrier(1); out[i] = t[l]; }\n", same},
    {"local_far",
     K "  local int t[64]; t[l] = a[i]; t[1000000 + l * 1024] = 5; barrier(1); out[i] = t[l]; }\n", same},
    {"local_very_far",
     K "  local int t[64]; t[l] = a[i]; t[((long)l + 1) << 44] = 5; barrier(1); out[i] = t[l]; }\n", same},
    {"local_read_far", K "  local int t[64]; t[l] = a[i]; barrier(1); out[i] = t[5000 + l] & 0; }\n", zero},
    {"local_constant_index",
     K "  local volatile int t[64]; t[l] = a[i]; t[70] = 1; t[-9] = 3; barrier(1); out[i] = t[l]; }\n", same},
    {"local_not_set", K "  local int t[64]; if (l > 64) t[l] = 1; barrier(1); out[i] = t[l] & 0; }\n", zero},
    {"constant_behind", "constant int t[4] = {1, 2, 3, 4};\n" K "  out[i] = t[4 + (a[i] & 0xffff)] & 0; }\n",
     zero},
    {"constant_write",
     "constant int t[4] = {1, 2, 3, 4};\n" K
     "  int *p = (int *)(ulong)&t[0]; if (l == 0) *p = 77; out[i] = a[i]; }\n",
     same},
    {"constant_write_as_global",
     "constant int t[4] = {1, 2, 3, 4};\n" K
     "  global int *p = (global int *)(ulong)&t[i & 3]; *p = 77; out[i] = a[i]; }\n",
     same},
    {"private_as_global",
     K "  int x = a[i]; global int *p = (global int *)(ulong)&x; *p = 1; out[i] = a[i]; }\n", same},
    {"divide_by_zero", K "  int d = b[i] % 5; out[i] = a[i] / d + a[i] % d; }\n", divided},
    {"divide_int_min",
     K "  int m = a[i] | 0x80000000, d = b[i] | -1; m &= 0x80000000; out[i] = (m / d) & 0; long x = (long)m "
       "<< 32; out[i] += (int)(x / d) & 0; }\n",
     zero},
    {"shift_wide",
     K "  out[i] = (7 << (i + 32)) + (int)(0x80000000u >> (i * 5)) + (int)(1UL << (i + 64) >> 40); }\n",
     shifted},
    {"nan_to_int",
     K "  float z = a[i] & 0, n = z / z; double d = 1e30 * (i + 1); out[i] = ((int)n + (int)d + (char)(z + "
       "1e9f) + (int)(uint)-1e10f + (int)(long)(1 / z)) & 0; }\n",
     zero},
    {"not_initialised",
     K "  int x, t[4]; if (i > 1000) { x = 1; t[2] = 1; } out[i] = (x + t[i & 3]) & 0; }\n", zero},
    {"unaligned_vector",
     K "  int4 v = *(global int4 *)((global char *)a + 3 + i % 60 * 16); out[i] = (i & 3) == 0 ? v.x : (i & "
       "3) == 1 ? v.y : (i & 3) == 2 ? v.z : v.w; }\n",
     NULL},
    {"unaligned_write", K "  *(global long *)((global char *)b + 1 + (i % 120) * 8) = i; out[i] = a[i]; }\n",
     same},
    {"unaligned_atomic", K "  atomic_inc((global int *)((global char *)b + 1)); out[i] = a[i]; }\n", same},
    {"unions",
     K "  union { int x; uchar c[4]; short s[2]; } u; u.x = a[i]; out[i] = (u.c[3] << 8 | u.c[0]) + u.c[i & "
       "3]; }\n",
     united},
    {"huge_private",
     K "  int t[262144]; for (int k = 0; k < 262144; k += 4096) t[k + (i & 15)] = a[i]; barrier(1); out[i] = "
       "t[4096 * (l) + (i & 15)]; }\n",
     same},
    {"very_huge_private", K "  int t[4194304]; t[i * 4096] = a[i]; t[4194303] = 1; out[i] = t[i * 4096]; }\n",
     same},
    {"huge_private_in_calls",
     "__attribute__((noinline)) int deep(int x) { int t[65536]; t[x & 65535] = x; return t[x & 65535]; }\n"
     "__attribute__((noinline)) int deeper(int x) { int t[65536]; t[x & 1023] = deep(x); return t[x & 1023]; "
     "}\n" K "  int x = deeper(a[i]); barrier(1); out[i] = x; }\n",
     same},
    {"huge_local", K "  local int t[1048576]; t[l * 16384] = a[i]; barrier(1); out[i] = t[l * 16384]; }\n",
     same},
    {"barriers_10000",
     K "  local int t[64]; t[l] = 0; for (int k = 0; k < 10000; k++) { t[l] += a[i - l + (l + k) % 64] * 0 + "
       "(a[i] & 255); barrier(1); } out[i] = t[l] + 1; }\n",
     summed},
    {"barrier_after_return", K "  out[i] = -1; if (l >= 32) return; barrier(1); out[i] = i; }\n", fenced},
    {"barrier_in_half", K "  out[i] = -1; if (l < 32) { barrier(1); out[i] = i; } }\n", fenced},
    {"barrier_elsewhere", K "  if (l & 1) { barrier(1); } else { barrier(1); } out[i] = a[i]; }\n", same},
    {"barrier_counts_differ", K "  for (int k = 0; k < 1 + l % 3; k++) barrier(1); out[i] = a[i]; }\n", same},
    {"recursion",
     "int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }\n" K
     "  out[i] = factorial(i % 13); }\n",
     factorial},
    {"recursion_mutual",
     "int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 "
     ": even(n - 1); }\n" K "  out[i] = even(i) + odd(i) - 1; }\n",
     zero},
    {"recursion_deep",
     "__attribute__((noinline)) int depth(int n) { int t[2]; t[n & 1] = n; return n == 0 ? 0 : depth(n - 1) "
     "+ 1 + t[n & 1] - n; }\n" K "  out[i] = depth(i == 0 ? 20000 : 5); }\n",
     depth},
    {"endless_recursion",
     "__attribute__((noinline)) int depth(global int *p, int n) { p[n & 255] = n; return depth(p, n + 1) + "
     "p[n & 255]; }\n" K "  out[i] = depth(b, i); }\n",
     NULL},
    {"undefined_variable",
     K "  int x; local int t[64]; if (i % 3) x = b[i] & 255; t[l] = i; barrier(1); out[i] = a[x] + t[l]; }\n",
     undefined_zero},
    {"undefined_vector",
     K "  int4 x; local int t[64]; if (i % 3) x = (int4)(b[i] & 255); else x.y = 7; "
       "t[l] = i; barrier(1); out[i] = a[x.z] + t[l] + (x.y & 0); }\n",
     undefined_zero},
    {"undefined_result",
     "__attribute__((noinline)) int f(global int *b, int i) { if (i % 3) return b[i] & 255; }\n" K
     "  out[i] = a[f(b, i)] + i; }\n",
     undefined_zero},
    {"unreachable", K "  out[i] = a[i]; if (i == 300) __builtin_unreachable(); }\n", same},
    {"trap", K "  out[i] = a[i]; if (i == 100) __builtin_trap(); }\n", NULL},
    {"endless", K "  while (((global volatile int *)a)[i] != 12345) ; out[i] = 1; }\n", NULL},
    {"endless_writes", K "  for (long k = 0; k >= 0; k++) ((global volatile int *)out)[i] = k; }\n", NULL},
    {"endless_private", K "  volatile int x = 0; while (x == 0) ; out[i] = 1; }\n", NULL},
    {"endless_arithmetic",
     K "  uint x = a[i]; while (x != 0xfffffff1u || a[i] > -5) x = (x * 5) | 1; out[i] = x; }\n", NULL},
    {"endless_barriers", K "  while (((global volatile int *)a)[i] != 12345) barrier(1); out[i] = 1; }\n",
     NULL},
    {"endless_last_item",
     K "  out[i] = 1; if (i == 255) while (((global volatile int *)a)[i] != 12345) ; }\n", NULL},
};

static int run_kernel_case(const struct kernel_case *c)
{
    set_up();
    run_source(c->source);
    if (c->want == NULL)
        return 0;
    return wrong_elements(c->want) ? 1 : 0;
}

static int list(void)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        puts(kernels[i].name);
    for (const struct host_case *c = host_cases; c->name; c++)
        puts(c->name);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: hostile list | hostile NAME\n");
        return 9;
    }
    if (strcmp(argv[1], "list") == 0)
        return list();
    current = argv[1];
    for (int i = 0; i < ITEMS; i++) {
        a[i] = (int)((unsigned)i * 2654435761u >> 8) - 5000000;
        b[i] = i * 37 % 1001;
    }
    int result = -1;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (strcmp(kernels[i].name, current) == 0)
            result = run_kernel_case(&kernels[i]);
    for (const struct host_case *c = host_cases; c->name; c++)
        if (strcmp(c->name, current) == 0)
            result = c->run();
    if (result < 0) {
        fprintf(stderr, "hostile: there is no %s; see: hostile list\n", current);
        return 9;
    }
    printf("%s: %s\n", current, result == 0 ? "as it should be" : "WRONG");
    return getenv("WALKWAY_TELL_ONLY") ? 0 : result;
}

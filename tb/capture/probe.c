/* SPDX-License-Identifier: MIT */
/* tb/capture/probe.c - the OpenCL program that the capture tests record: `probe CASE` runs one small kernel
 * with known accesses. Every case has buffers a, b, c of 64 KiB each, in this order, filled with i % 8. */
#define _POSIX_C_SOURCE 200809L
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BUFFER_BYTES 65536u
#define THREADS 3
#define WRITES 5000 /* per thread */

static const char *build_options = "";
static const char *const source =
    "#ifdef PRINTS\n"
    "kernel void prints(global int *a, global int *b, global int *c) {\n"
    "  if (get_local_id(0) == 0) printf(\"group %d prints\\n\", (int)get_group_id(0)); }\n"
    "#endif\n"
    "kernel void vadd(global int *a, global int *b, global int *c) {\n"
    "  size_t i = get_global_id(0); c[i] = a[i] + b[i]; }\n"
    "kernel void diverge(global int *a, global int *b, global int *c) {\n"
    "  int i = get_global_id(0), s = 0;\n"
    "  for (int j = 0; j < (i & 7); j++) s += a[i * 8 + j];\n"
    "  c[i] = s; }\n"
    "kernel void ifelse(global int *a, global int *b, global int *c) {\n"
    "  int i = get_global_id(0), x;\n"
    "  if (i & 1) { x = a[i] * 3; b[i] = x; } else { x = a[i + 64]; b[i + 64] = x; }\n"
    "  c[i] = x + 1; }\n"
    "kernel void reduce(global int *a, global int *b, global int *c) {\n"
    "  local int s[128]; int l = get_local_id(0);\n"
    "  s[l] = a[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int n = 64; n > 0; n >>= 1) {\n"
    "    if (l < n) s[l] += s[l + n];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "  if (l == 0) c[get_group_id(0)] = s[0]; }\n"
    "kernel void atomics(global int *a, global int *b, global int *c) {\n"
    "  local int n; int l = get_local_id(0);\n"
    "  if (l == 0) n = 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  atomic_inc(&n);\n"
    "  int old = atomic_add(&b[get_global_id(0) % 4], 1);\n"
    "  c[get_global_id(0)] = atomic_cmpxchg(&a[l], 77, old); }\n"
    "kernel void grid2d(global int *a, global int *b, global int *c) {\n"
    "  int x = get_global_id(0), y = get_global_id(1); c[y * 128 + x] = a[x * 64 + y]; }\n"
    "kernel void grid3d(global int *a, global int *b, global int *c) {\n"
    "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "  c[(z * 16 + y) * 16 + x] = 1; }\n"
    "int fetch(global int *p, int i) __attribute__((noinline));\n"
    "int fetch(global int *p, int i) { int s = 0; for (int j = 0; j < (i & 3); j++) s += p[i + 64 * j]; "
    "return s; }\n"
    "kernel void calls(global int *a, global int *b, global int *c) {\n"
    "  int i = get_global_id(0); c[i] = fetch(a, i) + fetch(b, i + 1); }\n"
    "kernel void vectors(global int *a, global int *b, global int *c) {\n"
    "  int i = get_global_id(0); vstore4(vload4(i, a), i, c);\n"
    "  ((global double2 *)b)[i] = (double2)(1.0, 2.0); }\n"
    "constant int table[4] = {5, 6, 7, 8};\n"
    "kernel void constants(global int *a, global int *b, global int *c) {\n"
    "  int i = get_global_id(0); c[i] = table[a[i] & 3]; }\n"
    "kernel void async(global int *a, global int *b, global int *c) {\n"
    "  local int s[100];\n"
    "  event_t e = async_work_group_copy(s, a + 10, 100, 0);\n"
    "  wait_group_events(1, &e);\n"
    "  c[get_global_id(0)] = s[get_local_id(0) % 100]; }\n"
    "kernel void carried(global int *a, global int *b, global int *c) {\n"
    "  int i = get_global_id(0), x = a[i], s = 0;\n"
    "  for (int j = 1; j < 5; j++) { int y = a[i + j * 64]; s += x * j; x = y; }\n"
    "  c[i] = s; }\n"
    "kernel void unused(global volatile int *a, global int *b, global int *c) {\n"
    "  int i = get_global_id(0); a[i]; c[i] = 3; }\n"
    "__attribute__((reqd_work_group_size(16, 2, 1))) kernel void required(global int *a, global int *b, "
    "global int *c) { c[get_global_id(1) * 64 + get_global_id(0)] = 1; }\n"
    "constant sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
    "CLK_FILTER_NEAREST;\n"
    "constant sampler_t smooth = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
    "CLK_FILTER_LINEAR;\n"
    "kernel void image(read_only image2d_t from, global float4 *a) {\n"
    "  int i = get_global_id(0); a[i] = read_imagef(from, exact, (int2)(i & 7, i >> 3)); }\n"
    "kernel void endless(global volatile int *a, global int *b, global int *c) {\n"
    "  b[0] = -1; while (a[get_global_id(0)] >= 0); }\n"
    "kernel void filter(read_only image2d_t from, global float4 *a) {\n"
    "  int i = get_global_id(0); a[i] = read_imagef(from, smooth, (float2)((i & 7) + 1, (i >> 3) + 1)); }\n";

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem buffers[3];

static int second[BUFFER_BYTES / sizeof(int)]; /* the memory of buffer b of `endless` */

static void must(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "probe: %s: %d\n", what, (int)status);
        exit(9);
    }
}

static void set_up(void)
{
    cl_platform_id platform;
    cl_int status;
    must(clGetPlatformIDs(1, &platform, NULL), "platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must(status, "context");
    queue = clCreateCommandQueue(context, device, 0, &status);
    must(status, "queue");
    const char *text = source;
    program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    must(status, "program");
    must(clBuildProgram(program, 1, &device, build_options, NULL, NULL), "build");
    static int data[BUFFER_BYTES / sizeof(int)];
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++)
        data[i] = (int)(i % 8);
    for (int i = 0; i < 3; i++) {
        buffers[i] =
            clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BUFFER_BYTES, data, &status);
        must(status, "buffer");
    }
}

static void run(const char *name, cl_uint dims, const size_t *offset, const size_t *global,
                const size_t *local)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    must(status, name);
    for (cl_uint i = 0; i < 3; i++)
        must(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "argument");
    must(clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local, 0, NULL, NULL), "launch");
    must(clFinish(queue), "finish");
    clReleaseKernel(kernel);
}

/* Tells who waits for it that the program has come this far. */
static void *mark(void *unused)
{
    const char *path = getenv("PROBE_MARK");
    if (path != NULL)
        close(open(path, O_CREAT | O_WRONLY, 0644));
    return unused;
}

/* The same, when the kernel `endless` has begun. */
static void *mark_when_begun(void *unused)
{
    const volatile int *begun = second;
    while (*begun >= 0)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    return mark(unused);
}

static void run_endless(void)
{
    cl_int status;
    pthread_t watcher;
    clReleaseMemObject(buffers[1]);
    buffers[1] =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, BUFFER_BYTES, second, &status);
    must(status, "buffer");
    must(pthread_create(&watcher, NULL, mark_when_begun, NULL), "thread");
    run("endless", 1, NULL, (const size_t[]){64}, (const size_t[]){64});
}

static void run1(const char *name, size_t global, size_t local)
{
    run(name, 1, NULL, &global, local ? &local : NULL);
}

/* Reads an 8 x 8 part of an image of 16 x 16 texels of four floats. */
static void run_image(const char *name)
{
    cl_int status;
    cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
    cl_mem image = clCreateImage(context, CL_MEM_READ_ONLY, &format, &shape, NULL, &status);
    must(status, "image");
    cl_mem whole = buffers[1];
    cl_kernel kernel = clCreateKernel(program, name, &status);
    must(status, name);
    must(clSetKernelArg(kernel, 0, sizeof image, &image), "argument");
    must(clSetKernelArg(kernel, 1, sizeof whole, &whole), "argument");
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, (const size_t[]){64}, NULL, 0, NULL, NULL), "launch");
    must(clFinish(queue), "finish");
}

/* Oclgrind aborts the launch in work-group 3, or in the first if the offset is 192; the program continues. */
static void run_fatal(size_t offset)
{
    const char *text = "kernel void fatal(global int *a, global int *b, global int *c) {\n"
                       "  int i = get_global_id(0); if (i >= 192) __builtin_unreachable(); c[i] = a[i]; }\n";
    cl_int status;
    cl_program whole = program;
    program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    must(status, "program");
    must(clBuildProgram(program, 1, &device, "-cl-opt-disable", NULL, NULL), "build");
    run("fatal", 1, &offset, (const size_t[]){320}, (const size_t[]){64});
    program = whole;
}

static void late(void)
{
    run1("vadd", 64, 64);
}

/* A thread with its own context. */
struct own_context {
    pthread_t thread;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem written;
};

/* All threads share it: they hold it while they enqueue and in the callback at a command's end. */
static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static int completed = 0;

static void prepare(struct own_context *o)
{
    cl_int status;
    cl_context own = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must(status, "context");
    o->queue = clCreateCommandQueue(own, device, 0, &status);
    must(status, "queue");
    const char *text = source;
    cl_program built = clCreateProgramWithSource(own, 1, &text, NULL, &status);
    must(status, "program");
    must(clBuildProgram(built, 1, &device, "", NULL, NULL), "build");
    o->kernel = clCreateKernel(built, "vadd", &status);
    must(status, "kernel");
    for (cl_uint i = 0; i < 3; i++) {
        cl_mem m = clCreateBuffer(own, CL_MEM_READ_WRITE, BUFFER_BYTES, NULL, &status);
        must(status, "buffer");
        must(clSetKernelArg(o->kernel, i, sizeof m, &m), "argument");
        o->written = m;
    }
}

static void CL_CALLBACK complete(cl_event event, cl_int status, void *data)
{
    pthread_mutex_lock(&shared);
    completed += status == CL_COMPLETE && event == *(cl_event *)data;
    pthread_mutex_unlock(&shared);
}

static void *writes(void *argument)
{
    const struct own_context *o = argument;
    for (int i = 0; i < WRITES; i++) {
        cl_event event;
        pthread_mutex_lock(&shared);
        must(clEnqueueWriteBuffer(o->queue, o->written, CL_FALSE, 0, sizeof i, &i, 0, NULL, &event), "write");
        pthread_mutex_unlock(&shared);
        must(clSetEventCallback(event, CL_COMPLETE, complete, &event), "callback");
        must(clFinish(o->queue), "finish");
        must(clReleaseEvent(event), "event");
    }
    return NULL;
}

static void *launches(void *argument)
{
    const struct own_context *o = argument;
    const size_t items = 1024, group = 64;
    for (int i = 0; i < 20; i++) {
        must(clEnqueueNDRangeKernel(o->queue, o->kernel, 1, NULL, &items, &group, 0, NULL, NULL), "launch");
        must(clFinish(o->queue), "finish");
    }
    return NULL;
}

static void run_threads(void *(*body)(void *))
{
    struct own_context all[THREADS];
    for (int i = 0; i < THREADS; i++)
        prepare(&all[i]);
    for (int i = 0; i < THREADS; i++)
        must(pthread_create(&all[i].thread, NULL, body, &all[i]), "thread");
    for (int i = 0; i < THREADS; i++)
        must(pthread_join(all[i].thread, NULL), "join");
}

static void recover(int number)
{
    (void)number;
    puts("the program's own handler");
    _exit(0);
}

static void leave(int number)
{
    (void)number;
    exit(0);
}

/* The child ends by exit(), which flushes the buffers that it inherits from its parent a second time. */
static void run_fork(int child_runs)
{
    pid_t child = fork();
    if (child == 0) {
        if (child_runs)
            run1("vadd", 64, 64);
        exit(0);
    }
    waitpid(child, NULL, 0);
    run1("vadd", 64, 64);
}

static void run_twice(void)
{
    pid_t child = fork();
    if (child != 0)
        waitpid(child, NULL, 0);
    set_up();
    run1("vadd", 64, 64);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    puts("output of the program");
    if (strcmp(what, "processes") == 0) {
        run_twice();
        return 0;
    }
    if (strcmp(what, "late") == 0)
        atexit(late);
    if (strcmp(what, "handler") == 0)
        signal(SIGSEGV, recover);
    if (strcmp(what, "no-opencl") == 0)
        return 0;
    if (strcmp(what, "prints") == 0)
        build_options = "-D PRINTS";
    if (strcmp(what, "half-line") == 0) { /* the kernel's output must not change it */
        fputs("half a line, ", stdout);
        fflush(stdout);
    }
    set_up();
    if (strcmp(what, "no-kernel") == 0)
        return 0;
    if (strcmp(what, "fatal-first") == 0) {
        run_fatal(192);
        return 0;
    }
    if (strcmp(what, "endless") == 0)
        run_endless();
    run1("vadd", 200, 100);
    if (strcmp(what, "exit-3") == 0)
        return 3;
    if (strcmp(what, "crash") == 0)
        abort();
    if (strcmp(what, "segfault") == 0 || strcmp(what, "handler") == 0)
        raise(SIGSEGV);
    if (strcmp(what, "exit-within") == 0) {
        signal(SIGALRM, leave);
        alarm(1);
        run1("endless", 64, 64);
    }
    if (strcmp(what, "_exit") == 0)
        _exit(0);
    if (strcmp(what, "quick") == 0)
        quick_exit(0);
    if (strcmp(what, "thread-exit") == 0)
        pthread_exit(NULL);
    if (strcmp(what, "exec") == 0)
        execl("/bin/true", "true", (char *)NULL);
    if (strcmp(what, "late") == 0)
        return 0;
    if (strcmp(what, "fatal") == 0) {
        run_fatal(0);
        run1("vadd", 64, 64);
    } else if (strcmp(what, "two") == 0) {
        run1("diverge", 64, 64);
        run1("vadd", 64, 0);
    } else if (strcmp(what, "grid2d") == 0) {
        run(what, 2, NULL, (const size_t[]){20, 6}, (const size_t[]){10, 3});
    } else if (strcmp(what, "grid3d") == 0) {
        run(what, 3, NULL, (const size_t[]){8, 8, 10}, (const size_t[]){4, 4, 5});
    } else if (strcmp(what, "required") == 0) {
        run(what, 2, NULL, (const size_t[]){64, 4}, NULL);
    } else if (strcmp(what, "offset") == 0) {
        run("vadd", 1, (const size_t[]){1000}, (const size_t[]){64}, NULL);
    } else if (strcmp(what, "subbuffer") == 0) {
        cl_int status;
        cl_buffer_region region = {4096, 4096};
        cl_mem whole = buffers[0];
        buffers[0] =
            clCreateSubBuffer(whole, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
        must(status, "sub-buffer");
        run1("vadd", 64, 64);
    } else if (strcmp(what, "realloc") == 0) {
        cl_int status;
        clReleaseMemObject(buffers[1]);
        buffers[1] = clCreateBuffer(context, CL_MEM_READ_ONLY, (size_t)3 << 20, NULL, &status);
        must(status, "buffer");
        run1("vadd", 64, 64);
    } else if (strcmp(what, "outside") == 0) {
        run("vadd", 1, (const size_t[]){BUFFER_BYTES / 4 - 32}, (const size_t[]){64}, NULL);
    } else if (strcmp(what, "image") == 0 || strcmp(what, "filter") == 0) {
        run_image(what);
    } else if (strcmp(what, "threads") == 0) {
        run_threads(launches);
    } else if (strcmp(what, "callbacks") == 0) {
        run_threads(writes);
        must(completed == THREADS * WRITES ? CL_SUCCESS : completed, "callbacks");
    } else if (strncmp(what, "fork", 4) == 0) {
        run_fork(strcmp(what, "fork-kernel") == 0);
    } else if (strcmp(what, "half-line") == 0) {
        puts("and the other half");
        fputs("a line without end", stdout);
        run1("vadd", 64, 64);
    } else if (strcmp(what, "prints") == 0) {
        run1(what, 256, 64);
    } else if (strcmp(what, "empty") == 0) {
        run("vadd", 1, NULL, (const size_t[]){0}, (const size_t[]){64});
        run1("vadd", 64, 64);
    } else if (strcmp(what, "slow") == 0) {
        mark(NULL);
        for (int i = 0; i < 100000; i++)
            run1("vadd", 4096, 64);
    } else if (strcmp(what, "reduce") == 0 || strcmp(what, "async") == 0) {
        run1(what, 128, 128);
    } else if (*what && strcmp(what, "vadd") != 0) {
        run1(what, 64, 64);
    }
    return 0;
}

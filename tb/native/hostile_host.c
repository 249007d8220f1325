/* SPDX-License-Identifier: MIT */
/* tb/native/hostile_host.c - actions of an OpenCL program's host that are wrong or come at a bad moment. */
#define _GNU_SOURCE
#include "hostile.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const char add_source[] = "kernel void k(global int *a, global int *b, global int *out) {\n"
                                 "  int i = get_global_id(0); out[i] = a[i] + b[i]; }\n";
static const char endless_source[] =
    "kernel void k(global volatile int *a, global int *b, global int *out) {\n"
    "  int i = get_global_id(0); while (a[i] != 12345) ; out[i] = 1; }\n";
static const char long_source[] =
    "kernel void k(global int *a, global int *b, global int *out) {\n"
    "  int i = get_global_id(0), l = get_local_id(0), s = 0; local int t[64];\n"
    "  for (int k = 0; k < 500; k++) { t[l] = k; barrier(1); s += t[(l + k) % 64] - k; barrier(1); }\n"
    "  out[i] = a[i] + b[i] + s; }\n";

static int added(int i)
{
    return a[i] + b[i];
}

struct launch {
    cl_kernel kernel;
    cl_mem memory[3];
};

static struct launch prepare(cl_context in, const char *source)
{
    int *const arrays[] = {a, b, out};
    struct launch l;
    cl_program program = build(in, source);
    l.kernel = kernel_of(program);
    for (cl_uint i = 0; i < 3; i++) {
        l.memory[i] = buffer_of(in, arrays[i], sizeof a);
        set_arg(l.kernel, i, l.memory[i]);
    }
    clReleaseProgram(program);
    return l;
}

static int read_and_check(cl_command_queue in, cl_mem memory)
{
    memset(out, 0, sizeof out);
    must(clEnqueueReadBuffer(in, memory, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "read");
    return wrong_elements(added) ? 1 : 0;
}

/* Released objects must live until the command is complete. */
static int released_at_once(void)
{
    set_up();
    struct launch l = prepare(context, add_source);
    enqueue(queue, l.kernel, ITEMS, GROUP);
    clReleaseKernel(l.kernel);
    clReleaseMemObject(l.memory[0]);
    clReleaseMemObject(l.memory[1]);
    clReleaseContext(context);
    must(clFinish(queue), "finish");
    return read_and_check(queue, l.memory[2]);
}

static int released_all(void)
{
    set_up();
    struct launch l = prepare(context, add_source);
    enqueue(queue, l.kernel, ITEMS, GROUP);
    clReleaseKernel(l.kernel);
    for (int i = 0; i < 3; i++)
        clReleaseMemObject(l.memory[i]);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}

/* Programs are created and released in turn; their kernels have the same name and different code. */
static int programs_in_turn(void)
{
    int wrong = 0;
    set_up();
    cl_mem memory = buffer_of(context, out, sizeof out);
    for (int n = 0; n < 60; n++) {
        char source[300];
        snprintf(source, sizeof source,
                 "kernel void k(global int *out) { int i = get_global_id(0); out[i] = i * %d + %d; }\n", n,
                 n * n);
        cl_program program = build(context, source);
        cl_kernel kernel = kernel_of(program);
        set_arg(kernel, 0, memory);
        enqueue(queue, kernel, ITEMS, GROUP);
        must(clFinish(queue), "finish");
        clReleaseKernel(kernel);
        clReleaseProgram(program);
        must(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "read");
        for (int i = 0; i < ITEMS; i++)
            wrong += out[i] != i * n + n * n;
    }
    return wrong != 0;
}

/* One program object is built again with another option between two launches. */
static int built_again(void)
{
    int wrong = 0;
    const char *source =
        "kernel void k(global int *out) { int i = get_global_id(0); out[i] = i * FACTOR; }\n";
    cl_int status;
    set_up();
    cl_mem memory = buffer_of(context, out, sizeof out);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    must(status, "program");
    for (int n = 1; n < 6; n++) {
        char option[30];
        snprintf(option, sizeof option, "-DFACTOR=%d", n);
        must(clBuildProgram(program, 1, &device, option, NULL, NULL), "build");
        cl_kernel kernel = kernel_of(program);
        set_arg(kernel, 0, memory);
        enqueue(queue, kernel, ITEMS, GROUP);
        must(clFinish(queue), "finish");
        clReleaseKernel(kernel);
        must(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "read");
        for (int i = 0; i < ITEMS; i++)
            wrong += out[i] != i * n;
    }
    return wrong != 0;
}

/* A command uses the arguments that were set when it was enqueued. */
static int arguments_changed(void)
{
    int wrong = 0;
    cl_mem memory[8];
    set_up();
    cl_kernel kernel =
        kernel_of(build(context, "kernel void k(global int *out, int n) { out[get_global_id(0)] = n; }\n"));
    for (int n = 0; n < 8; n++) {
        memory[n] = buffer_of(context, out, sizeof out);
        set_arg(kernel, 0, memory[n]);
        must(clSetKernelArg(kernel, 1, sizeof n, &n), "argument");
        enqueue(queue, kernel, ITEMS, GROUP);
    }
    must(clFinish(queue), "finish");
    for (int n = 0; n < 8; n++) {
        must(clEnqueueReadBuffer(queue, memory[n], CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "read");
        for (int i = 0; i < ITEMS; i++)
            wrong += out[i] != n;
    }
    return wrong != 0;
}

static int contexts_and_queues(void)
{
    enum { CONTEXTS = 3, QUEUES = 2 };
    cl_command_queue queues[CONTEXTS][QUEUES];
    struct launch launches[CONTEXTS][QUEUES];
    int wrong = 0;
    cl_int status;
    set_up();
    for (int c = 0; c < CONTEXTS; c++) {
        cl_context own = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
        must(status, "context");
        for (int q = 0; q < QUEUES; q++) {
            queues[c][q] = clCreateCommandQueue(own, device, 0, &status);
            must(status, "queue");
            launches[c][q] = prepare(own, q ? long_source : add_source);
        }
    }
    for (int turn = 0; turn < 2; turn++)
        for (int c = 0; c < CONTEXTS; c++)
            for (int q = 0; q < QUEUES; q++)
                enqueue(queues[c][q], launches[c][q].kernel, ITEMS, GROUP);
    for (int c = CONTEXTS - 1; c >= 0; c--)
        for (int q = 0; q < QUEUES; q++) {
            must(clFinish(queues[c][q]), "finish");
            wrong += read_and_check(queues[c][q], launches[c][q].memory[2]);
        }
    return wrong != 0;
}

struct worker {
    pthread_t thread;
    cl_context context;
    cl_command_queue queue;
    struct launch launch;
    int turns, wrong;
};

static void *work(void *argument)
{
    struct worker *w = argument;
    int got[ITEMS];
    for (int n = 0; n < w->turns; n++) {
        enqueue(w->queue, w->launch.kernel, ITEMS, GROUP);
        must(clFinish(w->queue), "finish");
        must(clEnqueueReadBuffer(w->queue, w->launch.memory[2], CL_TRUE, 0, sizeof got, got, 0, NULL, NULL),
             "read");
        for (int i = 0; i < ITEMS; i++)
            w->wrong += got[i] != a[i] + b[i];
    }
    return NULL;
}

static int in_threads(const char *source, int own_contexts)
{
    enum { WORKERS = 4 };
    static struct worker workers[WORKERS];
    int wrong = 0;
    cl_int status;
    set_up();
    for (int i = 0; i < WORKERS; i++) {
        struct worker *w = &workers[i];
        w->context = own_contexts ? clCreateContext(NULL, 1, &device, NULL, NULL, &status) : context;
        w->queue = clCreateCommandQueue(w->context, device, 0, &status);
        must(status, "queue");
        w->launch = prepare(w->context, source);
        w->turns = 10;
    }
    for (int i = 0; i < WORKERS; i++)
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            return 9;
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(workers[i].thread, NULL);
        wrong += workers[i].wrong;
    }
    return wrong != 0;
}

static int threads_own_contexts(void)
{
    return in_threads(add_source, 1);
}

static int threads_one_context(void)
{
    return in_threads(add_source, 0);
}

static int threads_with_barriers(void)
{
    return in_threads("kernel void k(global int *a, global int *b, global int *out) { local int t[64]; int i "
                      "= get_global_id(0), l = get_local_id(0);\n"
                      "  t[l] = a[i]; barrier(1); int x = t[63 - l]; barrier(1); t[63 - l] = x; barrier(1); "
                      "out[i] = t[l] + b[i]; }\n",
                      1);
}

/* A thread with the smallest possible stack launches. */
static int thread_of_small_stack(void)
{
    static struct worker w;
    pthread_attr_t attributes;
    set_up();
    w.queue = queue;
    w.launch = prepare(context, long_source);
    w.turns = 2;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    if (pthread_create(&w.thread, &attributes, work, &w) != 0)
        return 9;
    pthread_join(w.thread, NULL);
    return w.wrong != 0;
}

static void leave(int number)
{
    (void)number;
    exit(0);
}

static void leave_at_once(int number)
{
    (void)number;
    _exit(0);
}

static int with_handler(void (*handler)(int))
{
    set_up();
    signal(SIGALRM, handler);
    alarm(1);
    struct launch l = prepare(context, endless_source);
    enqueue(queue, l.kernel, ITEMS, GROUP);
    must(clFinish(queue), "finish");
    return 1;
}

static int exit_in_handler(void)
{
    return with_handler(leave);
}

static int _exit_in_handler(void)
{
    return with_handler(leave_at_once);
}

static void *leave_soon(void *nothing)
{
    usleep(300000);
    exit(0);
    return nothing;
}

static int exit_in_thread(void)
{
    pthread_t thread;
    set_up();
    struct launch l = prepare(context, endless_source);
    if (pthread_create(&thread, NULL, leave_soon, NULL) != 0)
        return 9;
    enqueue(queue, l.kernel, ITEMS, GROUP);
    must(clFinish(queue), "finish");
    return 1;
}

static void CL_CALLBACK leave_in_callback(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
    exit(0);
}

static int exit_in_callback(void)
{
    cl_event event;
    const size_t items = ITEMS, group = GROUP;
    set_up();
    struct launch l = prepare(context, add_source);
    must(clEnqueueNDRangeKernel(queue, l.kernel, 1, NULL, &items, &group, 0, NULL, &event), "launch");
    must(clSetEventCallback(event, CL_COMPLETE, leave_in_callback, NULL), "callback");
    must(clFinish(queue), "finish");
    pause();
    return 1;
}

static void CL_CALLBACK launch_in_callback(cl_event event, cl_int status, void *data)
{
    const struct launch *l = data;
    (void)event, (void)status;
    enqueue(queue, l->kernel, ITEMS, GROUP);
}

static int launched_in_callback(void)
{
    cl_event event;
    const size_t items = ITEMS, group = GROUP;
    set_up();
    struct launch first = prepare(context, add_source), second = prepare(context, long_source);
    must(clEnqueueNDRangeKernel(queue, first.kernel, 1, NULL, &items, &group, 0, NULL, &event), "launch");
    must(clSetEventCallback(event, CL_COMPLETE, launch_in_callback, &second), "callback");
    must(clFinish(queue), "finish");
    must(clFinish(queue), "finish");
    return read_and_check(queue, second.memory[2]);
}

static volatile sig_atomic_t ticks;

static void tick(int number)
{
    volatile char used[2000]; /* on the stack that the signal interrupts */
    used[ticks % 2000] = (char)number;
    ticks = ticks + (used[ticks % 2000] == (char)number);
}

/* The program's own timer fires every millisecond while kernels run. */
static int signals_while_running(void)
{
    const struct itimerval each = {{0, 1000}, {0, 1000}}, none = {{0, 0}, {0, 0}};
    set_up();
    struct launch l = prepare(context, long_source);
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &each, NULL);
    enqueue(queue, l.kernel, ITEMS, GROUP);
    must(clFinish(queue), "finish");
    setitimer(ITIMER_REAL, &none, NULL);
    return read_and_check(queue, l.memory[2]);
}

/* The host rounds upwards; 1 / 3 on the device must still be rounded to nearest. */
static int host_rounds_up(void)
{
    set_up();
    for (int i = 0; i < ITEMS; i++) {
        const float x = (float)(i + 1);
        memcpy(&a[i], &x, sizeof x);
    }
    fesetround(FE_UPWARD);
    run_source("kernel void k(global float *a, global float *b, global float *out) { int i = "
               "get_global_id(0); out[i] = a[i] / 3; }\n");
    fesetround(FE_TONEAREST);
    int wrong = 0;
    for (int i = 0; i < ITEMS; i++) {
        const float want = (float)(i + 1) / 3;
        wrong += memcmp(&out[i], &want, sizeof want) != 0;
    }
    return wrong != 0;
}

static int forks_while_running(void)
{
    set_up();
    struct launch l = prepare(context, long_source);
    enqueue(queue, l.kernel, ITEMS, GROUP);
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    must(clFinish(queue), "finish");
    return read_and_check(queue, l.memory[2]);
}

/* A buffer in the host's memory without any alignment. */
static int host_pointer(void)
{
    static char bytes[sizeof out + 1];
    cl_int status;
    set_up();
    struct launch l = prepare(context, add_source);
    cl_mem memory =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof out, bytes + 1, &status);
    must(status, "buffer");
    set_arg(l.kernel, 2, memory);
    enqueue(queue, l.kernel, ITEMS, GROUP);
    must(clFinish(queue), "finish");
    void *mapped =
        clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, sizeof out, 0, NULL, NULL, &status);
    must(status, "map");
    memcpy(out, mapped, sizeof out);
    must(clEnqueueUnmapMemObject(queue, memory, mapped, 0, NULL, NULL), "unmap");
    must(clFinish(queue), "finish");
    return wrong_elements(added) ? 1 : 0;
}

/* A kernel writes outside its sub-buffer and thus to adjacent bytes of the parent buffer. */
static int outside_sub_buffer(void)
{
    cl_int status;
    const cl_buffer_region region = {512, 256};
    set_up();
    struct launch l = prepare(context, add_source);
    cl_mem part =
        clCreateSubBuffer(l.memory[2], CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    must(status, "sub-buffer");
    set_arg(l.kernel, 2, part);
    enqueue(queue, l.kernel, ITEMS, GROUP);
    must(clFinish(queue), "finish");
    return 0;
}

static int null_buffer(void)
{
    set_up();
    struct launch l = prepare(
        context, "kernel void k(global int *a, global int *b, global int *out) { int i = get_global_id(0);\n"
                 "  if (b == 0) out[i] = a[i] + i * 37 % 1001; else out[i] = 5; }\n");
    must(clSetKernelArg(l.kernel, 1, sizeof(cl_mem), NULL), "argument");
    enqueue(queue, l.kernel, ITEMS, GROUP);
    must(clFinish(queue), "finish");
    return read_and_check(queue, l.memory[2]);
}

static int one_byte_buffer(void)
{
    cl_mem tiny;
    set_up();
    struct launch l = prepare(context, add_source);
    tiny = buffer_of(context, b, 1);
    set_arg(l.kernel, 2, tiny);
    enqueue(queue, l.kernel, ITEMS, GROUP);
    must(clFinish(queue), "finish");
    return 0;
}

static int many_small_groups(void)
{
    set_up();
    cl_kernel kernel = kernel_of(build(context, "kernel void k(global int *out) { if (get_global_id(0) < "
                                                "256) out[get_global_id(0)] = get_group_id(0); }\n"));
    cl_mem memory = buffer_of(context, out, sizeof out);
    set_arg(kernel, 0, memory);
    enqueue(queue, kernel, 20000, 1);
    must(clFinish(queue), "finish");
    must(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "read");
    int wrong = 0;
    for (int i = 0; i < ITEMS; i++)
        wrong += out[i] != i;
    return wrong != 0;
}

static int one_large_group(void)
{
    set_up();
    struct launch l = prepare(context, "kernel void k(global int *a, global int *b, global int *out) { local "
                                       "int t[256]; int i = get_global_id(0);\n"
                                       "  t[i] = a[i]; barrier(1); int x = t[255 - i]; barrier(1); t[255 - "
                                       "i] = x; barrier(1); out[i] = t[i] + b[i]; }\n");
    enqueue(queue, l.kernel, ITEMS, ITEMS);
    must(clFinish(queue), "finish");
    return read_and_check(queue, l.memory[2]);
}

/* Calls built-in functions of every kind, for which a capture has tables. */
static const char kinds_source[] = "kernel void k(global int *a, global int *b, global int *out) {\n"
                                   "  int i = get_global_id(0); float whole, zero = a[i] & 0;\n"
                                   "  out[i] = add_sat(a[i], b[i]) + (int)sin(zero) + isless(zero, zero) + "
                                   "(int)ldexp(zero, 1) + (int)floor(zero)\n"
                                   "    + (int)modf(zero, &whole) + convert_int_sat(zero); }\n";
/* Few instructions make more accesses than a log holds unpacked, at addresses that do not pack well. */
static const char packed_source[] = "#define R4 *p; *p; *p; *p;\n"
                                    "#define R32 R4 R4 R4 R4 R4 R4 R4 R4\n"
                                    "kernel void k(global int *a, global int *b, global int *out) {\n"
                                    "  int i = get_global_id(0);\n"
                                    "  for (uint k = 0, x = i; k < 4400; k++) {\n"
                                    "    x = x * 1664525 + 1013904223;\n"
                                    "    volatile global int *p = a + (x >> 24); R32 }\n"
                                    "  out[i] = a[i] + b[i]; }\n";
static struct launch left_for_exit;

static int run_one_group(struct launch l)
{
    enqueue(queue, l.kernel, GROUP, GROUP);
    must(clFinish(queue), "finish");
    must(clEnqueueReadBuffer(queue, l.memory[2], CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "read");
    for (int i = 0; i < GROUP; i++)
        if (out[i] != added(i))
            return 1;
    return 0;
}

static void run_at_exit(void)
{
    if (run_one_group(left_for_exit))
        printf("at exit: WRONG\n");
}

/* The handler is registered first, so it runs after the destruction of what the first launch made static. */
static int launch_twice(const char *source)
{
    atexit(run_at_exit);
    set_up();
    left_for_exit = prepare(context, source);
    return run_one_group(prepare(context, source));
}

static int launch_at_exit(void)
{
    return launch_twice(kinds_source);
}

static int packed_at_exit(void)
{
    return launch_twice(packed_source);
}

#define CASE(name)                                                                                           \
    {                                                                                                        \
#name, name                                                                                          \
    }
const struct host_case host_cases[] = {
    CASE(released_at_once),      CASE(released_all),        CASE(programs_in_turn),
    CASE(built_again),           CASE(arguments_changed),   CASE(contexts_and_queues),
    CASE(threads_own_contexts),  CASE(threads_one_context), CASE(threads_with_barriers),
    CASE(thread_of_small_stack), CASE(exit_in_handler),     CASE(_exit_in_handler),
    CASE(exit_in_thread),        CASE(exit_in_callback),    CASE(launched_in_callback),
    CASE(signals_while_running), CASE(host_rounds_up),      CASE(forks_while_running),
    CASE(host_pointer),          CASE(outside_sub_buffer),  CASE(null_buffer),
    CASE(one_byte_buffer),       CASE(many_small_groups),   CASE(one_large_group),
    CASE(launch_at_exit),        CASE(packed_at_exit),      {NULL, NULL},
};

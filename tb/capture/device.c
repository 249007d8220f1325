/* SPDX-License-Identifier: MIT */
/* tb/capture/device.c - makes the queries that a program may make of platforms, devices and kernels, and
 * prints the answers. Built twice: linked with OpenCL, and with LOADED as a program that loads libOpenCL
 * itself. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LOADED
#include <dlfcn.h>

static void *library;

static void *found(const char *name)
{
    void *function = library ? dlsym(library, name) : NULL;
    if (!function) {
        fprintf(stderr, "device: no %s\n", name);
        exit(9);
    }
    return function;
}

#define CALL(name) ((__typeof__(&name))found(#name))
#else
#define CALL(name) name
#endif

static const char *const source =
    "kernel void fill(global int *a) { a[get_global_id(0)] = 1; }\n"
    "kernel __attribute__((reqd_work_group_size(32, 2, 1))) void tile(global int *a) { a[0] = 1; }\n";

static const struct {
    const char *name;
    cl_device_type type;
} types[] = {{"default", CL_DEVICE_TYPE_DEFAULT},
             {"cpu", CL_DEVICE_TYPE_CPU},
             {"gpu", CL_DEVICE_TYPE_GPU},
             {"accelerator", CL_DEVICE_TYPE_ACCELERATOR},
             {"cpu+accelerator", CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_ACCELERATOR},
             {"cpu+gpu", CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU},
             {"custom", CL_DEVICE_TYPE_CUSTOM},
             {"all", CL_DEVICE_TYPE_ALL}};
#define TYPES (sizeof types / sizeof types[0])

static cl_platform_id platform;
static cl_context context;
static cl_device_id device;
static cl_mem buffer;
static int called;

static void must(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "device: %s: %d\n", what, (int)status);
        exit(9);
    }
}

/* Prints "gpu: 1 (0), context 1 (0)": the number of devices, whether a context was made, and both
 * statuses. */
static void show_type(size_t i)
{
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    cl_uint n = 99;
    cl_int status = CALL(clGetDeviceIDs)(platform, types[i].type, 0, NULL, &n), made;
    cl_context of_type = CALL(clCreateContextFromType)(properties, types[i].type, NULL, NULL, &made);
    printf("%s: %u (%d), context %d (%d)\n", types[i].name, n, (int)status, of_type != NULL, (int)made);
    if (of_type)
        CALL(clReleaseContext)(of_type);
}

static void show_device(void)
{
    cl_device_type type = 0;
    cl_uint units = 0;
    size_t items = 0, sizes[3] = {0, 0, 0}, bytes = 0;
    must(CALL(clGetDeviceInfo)(device, CL_DEVICE_TYPE, sizeof type, &type, &bytes), "type");
    must(CALL(clGetDeviceInfo)(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL), "units");
    must(CALL(clGetDeviceInfo)(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof items, &items, NULL), "items");
    must(CALL(clGetDeviceInfo)(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL), "sizes");
    printf("type %u of %zu bytes, %u units, %zu items, %zux%zux%zu\n", (unsigned)type, bytes, units, items,
           sizes[0], sizes[1], sizes[2]);
    printf("too short: %d, size alone: %d\n",
           (int)CALL(clGetDeviceInfo)(device, CL_DEVICE_TYPE, sizeof type - 1, &type, NULL),
           (int)CALL(clGetDeviceInfo)(device, CL_DEVICE_TYPE, 0, NULL, &bytes));
}

static void show_kernel(cl_program program, const char *name)
{
    cl_int status;
    size_t items = 0, multiple = 0;
    cl_kernel kernel = CALL(clCreateKernel)(program, name, &status);
    must(status, name);
    must(
        CALL(clGetKernelWorkGroupInfo)(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof items, &items, NULL),
        "items of a kernel");
    must(CALL(clGetKernelWorkGroupInfo)(kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                        sizeof multiple, &multiple, NULL),
         "multiple of a kernel");
    printf("%s: %zu items, multiple of %zu\n", name, items, multiple);
}

static void *write_in_a_queue_of_its_own(void *data)
{
    static const int zero = 0;
    cl_int status;
    cl_command_queue queue = CALL(clCreateCommandQueue)(context, device, 0, &status);
    must(CALL(clEnqueueWriteBuffer)(queue, buffer, CL_TRUE, 0, sizeof zero, &zero, 0, NULL, NULL), "write");
    CALL(clReleaseCommandQueue)(queue);
    return data;
}

/* Waits for a thread that enqueues. The runtime must not hold a lock here that this thread needs. */
static void CL_CALLBACK wait_for_another(cl_event event, cl_int status, void *data)
{
    pthread_t thread;
    (void)event, (void)status, (void)data;
    must(pthread_create(&thread, NULL, write_in_a_queue_of_its_own, NULL), "thread");
    pthread_join(thread, NULL);
    called = 1;
}

/* One launch of 1024 work-items; the implementation chooses the work-groups. */
static void launch(cl_program program, int with_callback)
{
    const size_t items = 1024;
    cl_int status;
    cl_event event = NULL;
    cl_command_queue queue = CALL(clCreateCommandQueue)(context, device, 0, &status);
    cl_kernel kernel = CALL(clCreateKernel)(program, "fill", &status);
    buffer = CALL(clCreateBuffer)(context, CL_MEM_WRITE_ONLY, 4096, NULL, &status);
    must(CALL(clSetKernelArg)(kernel, 0, sizeof buffer, &buffer), "argument");
    must(CALL(clEnqueueNDRangeKernel)(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event), "launch");
    if (with_callback)
        must(CALL(clSetEventCallback)(event, CL_COMPLETE, wait_for_another, NULL), "callback");
    must(CALL(clFinish)(queue), "finish");
    must(called == with_callback ? CL_SUCCESS : 1, "called");
}

/* device [show | platforms | only TYPE | exit CODE | callback]: "only" exits with 7 if there is no device of
 * that type. */
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "", *argument = argc > 2 ? argv[2] : "";
    cl_device_type type = CL_DEVICE_TYPE_ALL;
    cl_int status;
    const char *text = source;
#ifdef LOADED
    library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
#endif
    must(CALL(clGetPlatformIDs)(1, &platform, NULL), "platform");
    if (strcmp(what, "platforms") == 0)
        return 0;
    for (size_t i = 0; i < TYPES; i++) {
        if (strcmp(what, "show") == 0)
            show_type(i);
        if (strcmp(what, "only") == 0 && strcmp(argument, types[i].name) == 0)
            type = types[i].type;
    }
    status = CALL(clGetDeviceIDs)(platform, type, 1, &device, NULL);
    if (status == CL_DEVICE_NOT_FOUND)
        return 7;
    must(status, "device");
    context = CALL(clCreateContext)(NULL, 1, &device, NULL, NULL, &status);
    must(status, "context");
    cl_program program = CALL(clCreateProgramWithSource)(context, 1, &text, NULL, &status);
    must(CALL(clBuildProgram)(program, 1, &device, "", NULL, NULL), "build");
    if (strcmp(what, "show") == 0) {
        show_device();
        show_kernel(program, "fill");
        show_kernel(program, "tile");
    }
    launch(program, strcmp(what, "callback") == 0);
    return strcmp(what, "exit") == 0 ? atoi(argument) : 0;
}

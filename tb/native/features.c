/* SPDX-License-Identifier: MIT */
/* tb/native/features.c - an OpenCL program of many small kernels, each compared with plain C: `features list`
 * names them; `features PATTERN...` runs those that match (shell patterns: 'add_sat.*') and prints a sum of
 * each one's result. --build=-cl-opt-disable compiles the kernels without optimisation. It exits with 1 if a
 * result is wrong or OpenCL refuses a feature, and with 9 if set-up fails or a pattern matches nothing. */
#define _GNU_SOURCE
#include "features.h"

#include <fenv.h>
#include <fnmatch.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FEATURES 4000
#define MAX_ARGS 12

const struct type_info types[TYPES] = {
    {"char", 1, true}, {"uchar", 1, false}, {"short", 2, true},  {"ushort", 2, false},
    {"int", 4, true},  {"uint", 4, false},  {"long", 8, true},   {"ulong", 8, false},
    {"half", 2, true}, {"float", 4, true},  {"double", 8, true},
};

static struct feature features[MAX_FEATURES];
static size_t feature_count;
static const struct feature *current;
static bool current_is_wrong;
static jmp_buf refused; /* must() jumps to it */
static uint64_t sum;
static uint64_t random_state;
static const char *common_options = ""; /* --build=OPTIONS */

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

wide type_min(enum type type)
{
    return types[type].is_signed ? -((wide)1 << (8 * types[type].bytes - 1)) : 0;
}

wide type_max(enum type type)
{
    return ((wide)1 << (8 * types[type].bytes - types[type].is_signed)) - 1;
}

wide get_integer(enum type type, const void *array, size_t i)
{
    uint64_t bits = 0;
    memcpy(&bits, (const char *)array + i * types[type].bytes,
           types[type].bytes); /* little-endian, like the device */
    return (wide)bits > type_max(type) ? (wide)bits - ((wide)1 << (8 * types[type].bytes)) : (wide)bits;
}

void put_integer(enum type type, void *array, size_t i, wide value)
{
    const uint64_t bits = (uint64_t)value;
    memcpy((char *)array + i * types[type].bytes, &bits, types[type].bytes);
}

float half_to_float(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float value;
    if (exponent == 31)
        value = fraction ? NAN : INFINITY;
    else
        value = ldexpf((float)(exponent ? fraction + 1024 : fraction), (exponent ? exponent : 1) - 25);
    return bits & 0x8000 ? -value : value;
}

/* rint() rounds the number of units in the half's last place by the rounding mode. */
uint16_t double_to_half(double value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value))
        return sign | 0x7e00;
    if (isinf(value))
        return sign | 0x7c00;
    int exponent = 0;
    frexp(value, &exponent);
    const int place = (exponent < -13 ? -13 : exponent) - 11; /* exponent of the last place */
    const double units = fabs(rint(ldexp(value, -place)));
    const double rounded = ldexp(units, place);
    if (rounded >= 65536.0) {
        const bool up = fegetround() == FE_TONEAREST || fegetround() == (sign ? FE_DOWNWARD : FE_UPWARD);
        return sign | (up ? 0x7c00 : 0x7bff);
    }
    if (units < 1024)
        return sign | (uint16_t)units;
    frexp(rounded, &exponent);
    return sign | (uint16_t)(((exponent + 14) << 10) + (int)ldexp(rounded, 11 - exponent) - 1024);
}

double get_real(enum type type, const void *array, size_t i)
{
    if (type == HALF)
        return half_to_float(((const uint16_t *)array)[i]);
    return type == FLOAT ? ((const float *)array)[i] : ((const double *)array)[i];
}

void put_real(enum type type, void *array, size_t i, double value)
{
    const volatile double exact = value; /* prevents rounding at compile time */
    if (type == HALF)
        ((uint16_t *)array)[i] = double_to_half(exact);
    else if (type == FLOAT)
        ((float *)array)[i] = (float)exact;
    else
        ((double *)array)[i] = exact;
}

void seed_random(uint64_t seed)
{
    random_state = seed * 0x9e3779b97f4a7c15u + 1;
}

uint64_t next_random(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void fill_integers(enum type type, void *array, size_t count)
{
    const wide low = type_min(type), high = type_max(type);
    const wide corners[] = {0,    1,        2,        3,       -1, -2, low, low + 1,
                            high, high - 1, high / 2, low / 2, 7,  8,  31,  64};
    for (size_t i = 0; i < count; i++) {
        const uint64_t r = next_random();
        const wide any = (wide)(next_random() >> (r >> 8 & 63));
        put_integer(type, array, i, r & 1 ? corners[r >> 1 & 15] : any);
    }
}

static void fill_reals(enum type type, void *array, size_t count)
{
    static const double corners[] = {0.0,  -0.0,  1.0,  -1.0, 0.5,   -0.5, 1.5, 2.5,
                                     -2.5, 100.0, 1e-3, 3.75, -7.25, 16.0, 0.1, 2.0};
    for (size_t i = 0; i < count; i++) {
        const uint64_t r = next_random();
        const double any = (double)(int64_t)next_random() * ldexp(1.0, -(int)(50 + (r >> 8 & 15)));
        put_real(type, array, i, r & 1 ? corners[r >> 1 & 15] : any);
    }
}

void fill(enum type type, void *array, size_t count)
{
    if (type < INTEGERS)
        fill_integers(type, array, count);
    else
        fill_reals(type, array, count);
}

void add_feature(struct feature feature)
{
    if (feature_count == MAX_FEATURES)
        abort();
    features[feature_count++] = feature;
}

const char *text(const char *format, ...)
{
    va_list arguments;
    char *result = NULL;
    va_start(arguments, format);
    if (vasprintf(&result, format, arguments) < 0)
        abort();
    va_end(arguments);
    return result;
}

static void must(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "features: %s: %s: %d\n", current ? current->name : "setting up", what, (int)status);
    if (current == NULL)
        exit(9);
    longjmp(refused, 1);
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
}

static cl_program build(const char *options, const char *source)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    must(status, "program");
    status = clBuildProgram(program, 1, &device, text("%s %s", common_options, options), NULL, NULL);
    if (status != CL_SUCCESS) {
        static char log[10000];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fputs(log, stderr);
    }
    must(status, "build");
    return program;
}

static cl_mem new_image(const struct arg *arg)
{
    cl_int status;
    const cl_image_desc shape = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = arg->width, .image_height = arg->height};
    const cl_mem_flags flags = arg->kind == ARG_IMAGE_READ ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY;
    cl_mem image =
        clCreateImage(context, flags | CL_MEM_COPY_HOST_PTR, &arg->format, &shape, arg->data, &status);
    must(status, "image");
    return image;
}

static void read_back(cl_mem memory, const struct arg *arg)
{
    if (arg->kind == ARG_BUFFER)
        must(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, arg->bytes, arg->data, 0, NULL, NULL), "read");
    else
        must(clEnqueueReadImage(queue, memory, CL_TRUE, (const size_t[]){0, 0, 0},
                                (const size_t[]){arg->width, arg->height, 1}, 0, 0, arg->data, 0, NULL, NULL),
             "read an image");
    clReleaseMemObject(memory);
}

static cl_mem set_arg(cl_kernel kernel, cl_uint i, const struct arg *arg)
{
    cl_int status;
    cl_mem memory = NULL;
    if (arg->kind == ARG_BUFFER) {
        memory =
            clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, arg->bytes, arg->data, &status);
        must(status, "buffer");
        must(clSetKernelArg(kernel, i, sizeof memory, &memory), "argument");
    } else if (arg->kind == ARG_IMAGE_READ || arg->kind == ARG_IMAGE_WRITE) {
        memory = new_image(arg);
        must(clSetKernelArg(kernel, i, sizeof memory, &memory), "argument");
    } else {
        must(clSetKernelArg(kernel, i, arg->bytes, arg->data), "argument");
    }
    return memory;
}

void launch_built(const char *options, const char *source, const struct shape *shape, const struct arg *args)
{
    cl_int status;
    cl_mem memory[MAX_ARGS] = {NULL};
    cl_program program = build(options, source);
    cl_kernel kernel = clCreateKernel(program, "k", &status);
    must(status, "kernel");
    cl_uint count = 0;
    for (; args[count].kind != ARG_END; count++)
        memory[count] = set_arg(kernel, count, &args[count]);
    must(clEnqueueNDRangeKernel(queue, kernel, shape->dims, shape->offset, shape->global,
                                shape->local[0] ? shape->local : NULL, 0, NULL, NULL),
         "launch");
    must(clFinish(queue), "finish");
    for (cl_uint i = 0; i < count; i++)
        if (memory[i] != NULL)
            read_back(memory[i], &args[i]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

void launch(const char *source, const struct shape *shape, const struct arg *args)
{
    launch_built("", source, shape, args);
}

static void add_to_sum(uint64_t value)
{
    sum = (sum ^ value) * 0x100000001b3u;
}

static bool equal_reals(enum type type, double got, double want, double ulp)
{
    if (isnan(got) || isnan(want))
        return isnan(got) && isnan(want);
    if (got == want)
        return ulp > 0 || signbit(got) == signbit(want);
    static const int digits[] = {[HALF - HALF] = 11, [FLOAT - HALF] = 24, [DOUBLE - HALF] = 53};
    static const int lowest[] = {[HALF - HALF] = -24, [FLOAT - HALF] = -149, [DOUBLE - HALF] = -1074};
    int exponent;
    frexp(want, &exponent);
    const int place = exponent - digits[type - HALF];
    return fabs(got - want) <= ulp * ldexp(1.0, place < lowest[type - HALF] ? lowest[type - HALF] : place);
}

static void report_reals(size_t i, double got, double want)
{
    if (!current_is_wrong)
        fprintf(stderr, "features: %s: element %zu is %a (%.9g), not %a (%.9g)\n", current->name, i, got, got,
                want, want);
    current_is_wrong = true;
}

static void report_integers(size_t i, wide got, wide want)
{
    if (!current_is_wrong)
        fprintf(stderr, "features: %s: element %zu is 0x%llx, not 0x%llx\n", current->name, i,
                (unsigned long long)got, (unsigned long long)want);
    current_is_wrong = true;
}

void expect(enum type type, const void *got, const void *want, size_t count, double ulp)
{
    for (size_t i = 0; i < count; i++) {
        if (type < INTEGERS) {
            const wide g = get_integer(type, got, i), w = get_integer(type, want, i);
            add_to_sum((uint64_t)g);
            if (g != w)
                report_integers(i, g, w);
        } else {
            const double g = get_real(type, got, i), w = get_real(type, want, i);
            uint64_t bits;
            memcpy(&bits, &g, sizeof bits);
            add_to_sum(isnan(g) ? 1 : bits);
            if (!equal_reals(type, g, w, ulp))
                report_reals(i, g, w);
        }
    }
}

/* If a feature is refused, the runtime's objects are not released. */
static bool run_feature(const struct feature *feature)
{
    current = feature;
    current_is_wrong = false;
    sum = 0xcbf29ce484222325u;
    seed_random(7);
    if (setjmp(refused) == 0) {
        feature->run(feature);
        printf("%s: sum %016llx%s\n", feature->name, (unsigned long long)sum,
               current_is_wrong ? " WRONG" : "");
    } else {
        printf("%s: REFUSED\n", feature->name);
        current_is_wrong = true;
    }
    current = NULL;
    fflush(stdout);
    return !current_is_wrong;
}

static bool run_pattern(const char *pattern, bool *right)
{
    bool any = false;
    for (size_t i = 0; i < feature_count; i++) {
        if (fnmatch(pattern, features[i].name, 0) != 0)
            continue;
        if (device == NULL)
            set_up();
        *right &= run_feature(&features[i]);
        any = true;
    }
    return any;
}

int main(int argc, char **argv)
{
    add_integer_features();
    add_convert_features();
    add_real_features();
    add_relational_features();
    add_vector_features();
    add_memory_features();
    add_atomic_features();
    add_control_features();
    add_range_features();
    add_interpreted_features();
    if (argc > 1 && strncmp(argv[1], "--build=", 8) == 0) {
        common_options = argv[1] + 8;
        argc--;
        argv++;
    }
    if (argc < 2) {
        fprintf(stderr, "usage: features list | features [--build=OPTIONS] PATTERN...\n");
        return 9;
    }
    if (strcmp(argv[1], "list") == 0) {
        for (size_t i = 0; i < feature_count; i++)
            puts(features[i].name);
        return 0;
    }
    bool right = true;
    for (int i = 1; i < argc; i++) {
        if (!run_pattern(argv[i], &right)) {
            fprintf(stderr, "features: there is no feature %s; see: features list\n", argv[i]);
            return 9;
        }
    }
    return right || getenv("WALKWAY_TELL_ONLY") ? 0 : 1; /* set: WRONG is only printed */
}

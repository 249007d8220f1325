/* SPDX-License-Identifier: MIT */
/* tb/native/features.h - a feature of OpenCL C is one small kernel, named k, whose result is compared with
 * plain C. Each file of features adds its own with add_feature(); features.c finds them by name and runs
 * them. */
#ifndef WW_TB_NATIVE_FEATURES_H
#define WW_TB_NATIVE_FEATURES_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum type {
    CHAR,
    UCHAR,
    SHORT,
    USHORT,
    INT,
    UINT,
    LONG,
    ULONG,
    INTEGERS,
    HALF = INTEGERS,
    FLOAT,
    DOUBLE,
    TYPES
};

__extension__ typedef __int128 wide; /* holds every integer type's values */

struct type_info {
    const char *name;
    unsigned bytes;
    bool is_signed;
};
extern const struct type_info types[TYPES];

/* The smallest and the largest value of an integer type. */
wide type_min(enum type type);
wide type_max(enum type type);
/* Element i of an array of the type. put_integer() keeps only a value's low bits. */
wide get_integer(enum type type, const void *array, size_t i);
void put_integer(enum type type, void *array, size_t i, wide value);
double get_real(enum type type, const void *array, size_t i);
void put_real(enum type type, void *array, size_t i, double value); /* rounds as fegetround() says */
float half_to_float(uint16_t bits);
uint16_t double_to_half(double value); /* rounds as fegetround() says */

/* The numbers are the same in each run. */
uint64_t next_random(void);
void seed_random(uint64_t seed);
/* Fills an array with a mixture of the type's corner values and random values. */
void fill(enum type type, void *array, size_t count);

struct feature {
    const char *name;
    void (*run)(const struct feature *); /* launches and compares */
    const void *detail;                  /* for `run` only */
    enum type from, to;
    int mode;
};
void add_feature(struct feature feature);
/* Returns a text that is never freed. */
const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

enum arg_kind { ARG_BUFFER, ARG_VALUE, ARG_LOCAL, ARG_IMAGE_READ, ARG_IMAGE_WRITE, ARG_END };
struct arg {
    enum arg_kind kind;
    void *data; /* of a buffer or an image: copied to the device before the launch and back after it */
    size_t bytes;
    cl_image_format format; /* of an image, with its size */
    size_t width, height;
};
#define BUFFER_ARG(array) ((struct arg){ARG_BUFFER, (array), sizeof(array), {0, 0}, 0, 0})
#define VALUE_ARG(value) ((struct arg){ARG_VALUE, &(value), sizeof(value), {0, 0}, 0, 0})
#define LOCAL_ARG(size) ((struct arg){ARG_LOCAL, NULL, (size), {0, 0}, 0, 0})
#define END_ARG ((struct arg){ARG_END, NULL, 0, {0, 0}, 0, 0})

struct shape {
    cl_uint dims;
    size_t offset[3], global[3], local[3]; /* local[0] = 0: the runtime's choice */
};
#define SHAPE_1D(items, group) ((struct shape){1, {0, 0, 0}, {(items), 1, 1}, {(group), 1, 1}})

/* Builds the source and launches its kernel k. */
void launch(const char *source, const struct shape *shape, const struct arg *args);
/* As launch(), with further options of clBuildProgram. */
void launch_built(const char *options, const char *source, const struct shape *shape, const struct arg *args);
/* Compares all elements. Reals may differ by `ulp` units in the last place; all NaN are equal. */
void expect(enum type type, const void *got, const void *want, size_t count, double ulp);

void add_integer_features(void);
void add_convert_features(void);
void add_real_features(void);
void add_relational_features(void);
void add_vector_features(void);
void add_memory_features(void);
void add_atomic_features(void);
void add_control_features(void);
void add_range_features(void);
void add_interpreted_features(void);

#endif

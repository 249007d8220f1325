/* SPDX-License-Identifier: MIT */
/* workloads/common/matvec.h - a matrix-vector program (ATAX, BICG, MVT, GESUMMV): its shared arguments, its
 * arrays on host and device, its launches and its verdict. A program fills arrays, uploads, launches,
 * computes the reference in the host's copies and checks. */
#ifndef WW_WORKLOADS_MATVEC_H
#define WW_WORKLOADS_MATVEC_H

#include "common/args.h"
#include "common/check.h"
#include "common/ocl.h"

/* The first rows of such a program's argument table; its own follow. */
enum { WW_MATVEC_TYPE, WW_MATVEC_ACCUMULATE, WW_MATVEC_GROUP, WW_MATVEC_ARGS };
#define WW_MATVEC_ROWS(type_default)                                                                         \
    {.name = "--type", .text = "element type", .value = (type_default), .choices = {"float", "double"}},     \
        {.name = "--accumulate",                                                                             \
         .text = "a sum in memory: load and store it each time, store only, or keep it in a register",       \
         .value = 1,                                                                                         \
         .choices = {"naive", "opt", "reg"}},                                                                \
    {                                                                                                        \
        .name = "--group", .text = "work-items in a work-group", .value = 256, .min = 1, .max = 1024         \
    }

/* Keeps i * N + j within the 32 bits of the kernels' index. */
#define WW_MATVEC_SIZE_MAX 65535
#define WW_MATVEC_ARRAYS_MAX 6

struct ww_array {
    const char *name; /* for messages */
    struct ww_reals host;
    cl_mem device;
};

struct ww_matvec {
    const struct ww_args *args;
    struct ww_ocl ocl;
    struct ww_check check;
    enum ww_type type;
    uint32_t count;
    struct ww_array arrays[WW_MATVEC_ARRAYS_MAX];
};

/* Parses the arguments (which may end the process) and opens the device. */
void ww_matvec_open(struct ww_matvec *m, struct ww_args *args, int argc, char **argv);

/* A further array, zeroed. */
struct ww_array *ww_matvec_array(struct ww_matvec *m, const char *name, size_t count);

/* Copies every array to the device. */
void ww_matvec_upload(struct ww_matvec *m);

/* Enqueues a kernel over `items` work-items; its parameters are the arrays, then the sizes. NULL and 0 end
 * them. */
struct ww_launch {
    const char *kernel;
    uint32_t items;
    const struct ww_array *arrays[5];
    uint32_t sizes[2];
};
void ww_matvec_launch(struct ww_matvec *m, const struct ww_launch *launch);

/* Compares the device's array with the host's, which the caller has brought up to date. */
void ww_matvec_check(struct ww_matvec *m, const struct ww_array *array);

/* Releases everything, prints the verdict and returns the exit code; sizes like "N=64". */
int ww_matvec_close(struct ww_matvec *m, const char *format, ...);

#endif

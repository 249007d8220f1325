/* SPDX-License-Identifier: MIT */
#ifndef WW_TB_NATIVE_HOSTILE_H
#define WW_TB_NATIVE_HOSTILE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stddef.h>

#define ITEMS 256
#define GROUP 64

extern cl_device_id device;
extern cl_context context;
extern cl_command_queue queue;
extern int a[ITEMS], b[ITEMS], out[ITEMS];

void must(cl_int status, const char *what);
void set_up(void); /* creates device, context and queue */
cl_program build(cl_context in, const char *source);
cl_kernel kernel_of(cl_program program); /* creates the kernel k */
cl_mem buffer_of(cl_context in, void *data, size_t bytes);
void set_arg(cl_kernel kernel, cl_uint i, cl_mem memory);
void enqueue(cl_command_queue in, cl_kernel kernel, size_t items, size_t group);
void run_source(const char *source);
int wrong_elements(int (*want)(int i)); /* counts and reports those of out */

/* Wrong actions of the host, in hostile_host.c. */
struct host_case {
    const char *name;
    int (*run)(void); /* returns the exit code */
};
extern const struct host_case host_cases[]; /* ends with a NULL name */

#endif

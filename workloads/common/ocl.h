/* SPDX-License-Identifier: MIT */
/* workloads/common/ocl.h - OpenCL 1.2 as the programs need it: first device, one in-order queue, one program.
 * Every function ends the process with WW_EXIT_OPENCL and a message when a call fails, so results need no
 * check. */
#ifndef WW_WORKLOADS_OCL_H
#define WW_WORKLOADS_OCL_H

#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>

struct ww_ocl {
    const char *program_name; /* for messages */
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

/* The kernels of the program at hand, embedded by the build. */
extern const char ww_kernels_cl[];

/* Builds the kernels from count sources taken one after the other; a failed build prints the compiler's log.
 */
void ww_ocl_open(struct ww_ocl *o, const char *program_name, const char **sources, cl_uint count,
                 const char *options);
void ww_ocl_close(struct ww_ocl *o);

/* Ends the process unless the device has that much local memory for a work-group. */
void ww_ocl_need_local(const struct ww_ocl *o, size_t bytes);

/* A device buffer with a copy of the data. */
cl_mem ww_ocl_upload(const struct ww_ocl *o, const void *data, size_t bytes);
/* Copies to a buffer that is there, and back; after all that was queued. */
void ww_ocl_write(const struct ww_ocl *o, cl_mem buffer, size_t offset, const void *data, size_t bytes);
void ww_ocl_download(const struct ww_ocl *o, cl_mem buffer, size_t offset, void *data, size_t bytes);
void ww_ocl_release(const struct ww_ocl *o, cl_mem buffer);

cl_kernel ww_ocl_kernel(const struct ww_ocl *o, const char *name);
void ww_ocl_release_kernel(const struct ww_ocl *o, cl_kernel kernel);
void ww_ocl_arg(const struct ww_ocl *o, cl_kernel kernel, cl_uint idx, size_t bytes, const void *value);

/* Enqueues at least that many work-items, rounded up to whole groups in every dimension. */
#define WW_DIMENSIONS_MAX 2
struct ww_range {
    cl_uint dimensions;
    size_t items[WW_DIMENSIONS_MAX];
    size_t group[WW_DIMENSIONS_MAX];
};
void ww_ocl_run(const struct ww_ocl *o, cl_kernel kernel, const struct ww_range *range);
/* Waits for all that was queued. */
void ww_ocl_finish(const struct ww_ocl *o);

#endif

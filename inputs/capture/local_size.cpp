/* SPDX-License-Identifier: MIT */
/* capture/local_size.cpp - chooses work-group sizes for launches that leave them to the implementation
 * (NULL). Oclgrind would choose one work-item per group, and no GPU runs waves of one lane. The choice is the
 * kernel's required size; else, from dimension 0 on, the largest divisor of each range that keeps the group
 * within 256 items, and 1 once there are 64. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "capture/preloaded.hpp"

#include <cstdlib>

namespace
{

using walkway::capture::next;

constexpr size_t wanted_items = 256, enough_items = 64;

size_t largest_divisor(size_t n, size_t limit)
{
    for (size_t d = limit < n ? limit : n; d > 1; d--) {
        if (n % d == 0)
            return d;
    }
    return 1;
}

/* Returns false, and leaves `local` unchanged, if the kernel requires no size. */
bool required_size(cl_command_queue queue, cl_kernel kernel, size_t *local)
{
    const auto ask_queue = next<decltype(&clGetCommandQueueInfo)>("clGetCommandQueueInfo");
    const auto ask_kernel = next<decltype(&clGetKernelWorkGroupInfo)>("clGetKernelWorkGroupInfo");
    cl_device_id device = nullptr; /* Oclgrind requires it, though a context has only one */
    size_t required[3] = {0, 0, 0};
    if (!ask_queue || !ask_kernel ||
        ask_queue(queue, CL_QUEUE_DEVICE, sizeof(cl_device_id), &device, nullptr) != 0 ||
        ask_kernel(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, nullptr) !=
            0 ||
        required[0] == 0)
        return false;
    for (unsigned d = 0; d < 3; d++)
        local[d] = required[d];
    return true;
}

} // namespace

extern "C" PRELOADED cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                                                   const size_t *offset, const size_t *global,
                                                   const size_t *local, cl_uint events_n,
                                                   const cl_event *events, cl_event *event)
{
    static const auto launch = next<decltype(&clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel");
    if (!launch)
        return CL_INVALID_OPERATION;
    size_t chosen[3] = {1, 1, 1};
    if (!local && global && queue && kernel && dims >= 1 && dims <= 3 &&
        !required_size(queue, kernel, chosen)) {
        size_t items = 1;
        for (cl_uint d = 0; d < dims; d++) {
            chosen[d] =
                items < enough_items && global[d] ? largest_divisor(global[d], wanted_items / items) : 1;
            items *= chosen[d];
        }
    }
    bool choose = !local && global && queue && kernel && dims >= 1 && dims <= 3;
    return launch(queue, kernel, dims, offset, global, choose ? chosen : local, events_n, events, event);
}

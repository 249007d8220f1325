/* SPDX-License-Identifier: MIT */
/* capture/device.cpp - the device that the program sees. Oclgrind's has every type at once, so that a program
 * takes it for a CPU; this one is a GPU, or of the type given to the capture (--device-type). The launcher
 * sets compute units and the largest work-group by Oclgrind's own variables. Reports the program's requests
 * to the launcher, for its message if nothing is recorded. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "capture/environment.hpp"
#include "capture/preloaded.hpp"
#include "trace/wkt.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace
{

using namespace walkway::capture;

static_assert(WKT_DEVICE_CPU == CL_DEVICE_TYPE_CPU && WKT_DEVICE_GPU == CL_DEVICE_TYPE_GPU &&
              WKT_DEVICE_ACCELERATOR == CL_DEVICE_TYPE_ACCELERATOR);

/* Returns 0 outside a capture. */
cl_device_type shown_type()
{
    static const cl_device_type type = [] {
        const char *told = std::getenv(env_device);
        return told ? std::strtoul(told, nullptr, 10) : 0;
    }();
    return type;
}

/* Writes a line, once in a process for each `told`. If that fails, only a hint is lost. */
void tell(const std::string &what, std::atomic_flag &told)
{
    const char *path = std::getenv(env_seen);
    if (!path || told.test_and_set())
        return;
    const int kept = errno;
    const std::string line = what + "\n";
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file >= 0 && write(file, line.data(), line.size()) < 0)
        told.clear();
    if (file >= 0)
        close(file);
    errno = kept;
}

void program_asked()
{
    static std::atomic_flag told = ATOMIC_FLAG_INIT;
    tell(seen_question, told);
}

/* True if the device has none of these types. False for types with unknown bits only, which Oclgrind refuses.
 * CL_DEVICE_TYPE_ALL has all bits. */
bool refused(cl_device_type wanted)
{
    static std::atomic_flag told = ATOMIC_FLAG_INIT;
    program_asked();
    const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | WKT_DEVICE_ALL;
    if (shown_type() == 0 || (wanted & known) == 0 || (wanted & (shown_type() | CL_DEVICE_TYPE_DEFAULT)) != 0)
        return false;
    tell(seen_refusal + std::to_string(wanted), told);
    return true;
}

/* Replaces Oclgrind's answer, which is of the same type: there is room for it, or `to` is NULL. */
template <typename number> void answer(number value, void *to)
{
    if (to)
        std::memcpy(to, &value, sizeof value);
}

using context_callback = void(CL_CALLBACK *)(const char *, const void *, size_t, void *);

} // namespace

extern "C" {

PRELOADED cl_int clGetPlatformIDs(cl_uint entries, cl_platform_id *platforms, cl_uint *number)
{
    const auto ask = next<decltype(&clGetPlatformIDs)>("clGetPlatformIDs");
    program_asked();
    return ask ? ask(entries, platforms, number) : CL_INVALID_OPERATION;
}

/* When a program requests platforms, libOpenCL looks this function up by its name in the runtime that it has
 * loaded, and calls it. */
PRELOADED cl_int _clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size, void *to,
                                    size_t *size_needed)
{
    const auto ask = next<decltype(&clGetPlatformInfo)>("clGetPlatformInfo");
    program_asked();
    return ask ? ask(platform, what, size, to, size_needed) : CL_INVALID_OPERATION;
}

PRELOADED cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint entries,
                                cl_device_id *devices, cl_uint *number)
{
    const auto ask = next<decltype(&clGetDeviceIDs)>("clGetDeviceIDs");
    if (refused(type)) {
        if (number)
            *number = 0;
        return CL_DEVICE_NOT_FOUND;
    }
    return ask ? ask(platform, type, entries, devices, number) : CL_INVALID_OPERATION;
}

PRELOADED cl_context clCreateContextFromType(const cl_context_properties *properties, cl_device_type type,
                                             context_callback notify, void *data, cl_int *status)
{
    const auto create = next<decltype(&clCreateContextFromType)>("clCreateContextFromType");
    if (!refused(type) && create)
        return create(properties, type, notify, data, status);
    if (status)
        *status = create ? CL_DEVICE_NOT_FOUND : CL_INVALID_OPERATION;
    return nullptr;
}

PRELOADED cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *to,
                                 size_t *size_needed)
{
    const auto ask = next<decltype(&clGetDeviceInfo)>("clGetDeviceInfo");
    if (!ask)
        return CL_INVALID_OPERATION;
    const cl_int status = ask(device, what, size, to, size_needed);
    if (status == CL_SUCCESS && what == CL_DEVICE_TYPE && shown_type() != 0)
        answer(shown_type(), to);
    return status;
}

/* A kernel that requires a size accepts no other. */
PRELOADED cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                          cl_kernel_work_group_info what, size_t size, void *to,
                                          size_t *size_needed)
{
    const auto ask = next<decltype(&clGetKernelWorkGroupInfo)>("clGetKernelWorkGroupInfo");
    if (!ask)
        return CL_INVALID_OPERATION;
    const cl_int status = ask(kernel, device, what, size, to, size_needed);
    if (status != CL_SUCCESS || shown_type() == 0)
        return status;
    if (what == CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)
        answer(size_t{WKT_WAVE_LANES}, to);
    size_t required[3] = {0, 0, 0};
    if (what == CL_KERNEL_WORK_GROUP_SIZE &&
        ask(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, nullptr) ==
            CL_SUCCESS &&
        required[0] != 0)
        answer(required[0] * required[1] * required[2], to);
    return status;
}
}

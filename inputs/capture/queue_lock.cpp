/* SPDX-License-Identifier: MIT */
/* capture/queue_lock.cpp - admits one thread at a time to the tables that Oclgrind's runtime keeps of all
 * queues' commands. The runtime has no lock for them, so a program with a queue per thread sometimes aborts.
 * It calls the four functions that access them through the dynamic linker, which finds those below. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "capture/preloaded.hpp"

#include <memory>
#include <mutex>
#include <new>
#include <pthread.h>

namespace oclgrind
{
struct Command;
}

namespace
{

std::recursive_mutex tables;
thread_local unsigned held = 0;

struct holding_tables {
    holding_tables()
    {
        tables.lock();
        held++;
    }
    ~holding_tables()
    {
        held--;
        tables.unlock();
    }
    holding_tables(const holding_tables &) = delete;
    holding_tables &operator=(const holding_tables &) = delete;
};

/* Only the forking thread exists in the child: makes a new lock and takes it as often as that thread had. */
[[maybe_unused]] const int at_fork = pthread_atfork(nullptr, nullptr, [] {
    new (&tables) std::recursive_mutex;
    for (unsigned i = 0; i < held; i++)
        tables.lock();
});

using walkway::capture::next;
using event_callback = void(CL_CALLBACK *)(cl_event, cl_int, void *);

struct program_callback {
    event_callback function;
    void *data;
};

/* The runtime calls this while it holds its tables. Releases them during the program's callback, which may
 * wait for a lock that another thread holds while it enqueues. */
void CL_CALLBACK call_without_tables(cl_event event, cl_int status, void *data)
{
    const std::unique_ptr<program_callback> program(static_cast<program_callback *>(data));
    const unsigned depth = held;
    for (unsigned i = 0; i < depth; i++)
        tables.unlock();
    held = 0;
    program->function(event, status, program->data);
    held = depth;
    for (unsigned i = 0; i < depth; i++)
        tables.lock();
}

} // namespace

PRELOADED void asyncEnqueue(cl_command_queue queue, cl_command_type type, oclgrind::Command *command,
                            cl_uint events_n, const cl_event *events, cl_event *event)
{
    static const auto runtime =
        next<decltype(&asyncEnqueue)>("_Z12asyncEnqueueP17_cl_command_queuejPN8oclgrind7CommandEjPKP9_cl_"
                                      "eventPS5_");
    const holding_tables hold;
    runtime(queue, type, command, events_n, events, event);
}

PRELOADED void asyncQueueRetain(oclgrind::Command *command, cl_mem memory)
{
    static const auto runtime =
        next<void (*)(oclgrind::Command *, cl_mem)>("_Z16asyncQueueRetainPN8oclgrind7CommandEP7_cl_mem");
    const holding_tables hold;
    runtime(command, memory);
}

PRELOADED void asyncQueueRetain(oclgrind::Command *command, cl_kernel kernel)
{
    static const auto runtime = next<void (*)(oclgrind::Command *, cl_kernel)>(
        "_Z16asyncQueueRetainPN8oclgrind7CommandEP10_cl_kernel");
    const holding_tables hold;
    runtime(command, kernel);
}

PRELOADED void asyncQueueRelease(oclgrind::Command *command)
{
    static const auto runtime =
        next<decltype(&asyncQueueRelease)>("_Z17asyncQueueReleasePN8oclgrind7CommandE");
    const holding_tables hold;
    runtime(command);
}

extern "C" PRELOADED cl_int clSetEventCallback(cl_event event, cl_int type, event_callback function,
                                               void *data)
{
    static const auto runtime = next<decltype(&clSetEventCallback)>("clSetEventCallback");
    if (!runtime)
        return CL_INVALID_OPERATION;
    if (!function)
        return runtime(event, type, function, data);
    auto program = std::make_unique<program_callback>(program_callback{function, data});
    const cl_int status = runtime(event, type, call_without_tables, program.get());
    if (status == CL_SUCCESS)
        static_cast<void>(program.release()); /* call_without_tables() deletes it */
    return status;
}

/* SPDX-License-Identifier: MIT */
/* capture/process_end.cpp - keeps the trace when a process ends. _exit() and _Exit() run no exit handlers and
 * no destructors, so the trace is finished before they are called. Exit handlers and static destructors of a
 * C++ program may run kernels, by releasing queues, after the main thread has destroyed its thread_local
 * objects. So the main thread's thread_local objects of Oclgrind's runtime and of this library are never
 * destroyed; this library's static objects must not be, either. */
#include "capture/preloaded.hpp"
#include "capture/recorder.hpp"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace
{

using walkway::capture::next;

[[noreturn]] void leave(const char *name, int status)
{
    walkway::capture::finish_recording();
    if (const auto end = next<void (*)(int)>(name))
        end(status);
    std::abort();
}

bool is_needed_at_the_end(const void *function)
{
    Dl_info where, here;
    if (!dladdr(function, &where) || !where.dli_fname)
        return false;
    return std::strstr(where.dli_fname, "liboclgrind") ||
           (dladdr(reinterpret_cast<const void *>(&leave), &here) && here.dli_fbase == where.dli_fbase);
}

} // namespace

extern "C" {

PRELOADED void _exit(int status)
{
    leave("_exit", status);
}

PRELOADED void _Exit(int status) noexcept
{
    leave("_Exit", status);
}

PRELOADED int __cxa_thread_atexit(void (*destroy)(void *), void *object, void *library) noexcept
{
    static const auto keep = next<decltype(&__cxa_thread_atexit)>("__cxa_thread_atexit");
    if (gettid() == getpid() && is_needed_at_the_end(reinterpret_cast<void *>(destroy)))
        return 0;
    return keep ? keep(destroy, object, library) : -1;
}
}

/* SPDX-License-Identifier: MIT */
/* capture/process_end.cpp - ends of a process that would cost the trace. _exit() and _Exit() run no exit
 * handlers and no destructors: the trace is finished before. And Oclgrind's runtime destroys a thread_local
 * stack that it still writes when static objects of a C++ program release their queues: in the main thread it
 * is left alone. The plugin's library is preloaded, so these are the functions that program and runtime call.
 */
#include "capture/recorder.hpp"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace
{

[[noreturn]] void leave(const char *name, int status)
{
    walkway::capture::finish_recording();
    if (auto next = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, name)))
        next(status);
    std::abort();
}

bool is_oclgrinds(const void *function)
{
    Dl_info where;
    return dladdr(function, &where) && where.dli_fname && std::strstr(where.dli_fname, "liboclgrind");
}

} // namespace

extern "C" {

__attribute__((visibility("default"))) void _exit(int status)
{
    leave("_exit", status);
}

__attribute__((visibility("default"))) void _Exit(int status) noexcept
{
    leave("_Exit", status);
}

__attribute__((visibility("default"))) int __cxa_thread_atexit(void (*destroy)(void *), void *object,
                                                               void *library) noexcept
{
    using keep = int (*)(void (*)(void *), void *, void *);
    static const auto next = reinterpret_cast<keep>(dlsym(RTLD_NEXT, "__cxa_thread_atexit"));
    if (gettid() == getpid() && is_oclgrinds(reinterpret_cast<void *>(destroy)))
        return 0;
    return next ? next(destroy, object, library) : -1;
}
}

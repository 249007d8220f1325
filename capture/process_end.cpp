/* SPDX-License-Identifier: MIT */
/* capture/process_end.cpp - ends of a process that would cost the trace. _exit() and _Exit() run no exit
 * handlers and no destructors: the trace is finished before. And Oclgrind's runtime destroys a thread_local
 * stack that it still writes when static objects of a C++ program release their queues: in the main thread it
 * is left alone. */
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

bool is_oclgrinds(const void *function)
{
    Dl_info where;
    return dladdr(function, &where) && where.dli_fname && std::strstr(where.dli_fname, "liboclgrind");
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
    if (gettid() == getpid() && is_oclgrinds(reinterpret_cast<void *>(destroy)))
        return 0;
    return keep ? keep(destroy, object, library) : -1;
}
}

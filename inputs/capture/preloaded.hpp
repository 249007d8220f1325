/* SPDX-License-Identifier: MIT */
/* capture/preloaded.hpp - functions that are found before the ones of the same name: the plugin's library is
 * preloaded, so that the program and Oclgrind's runtime call what is marked PRELOADED. A program that loads
 * libOpenCL itself gets to a second runtime, by the table of functions of its objects. That table is a global
 * symbol of both runtimes; the preloaded one's is found first, and it holds ours. */
#ifndef WALKWAY_CAPTURE_PRELOADED_HPP
#define WALKWAY_CAPTURE_PRELOADED_HPP

#include <dlfcn.h>

#define PRELOADED __attribute__((visibility("default")))

namespace walkway::capture
{

/* The function that would have been found without the plugin; NULL when there is none. */
template <typename function> function next(const char *name)
{
    return reinterpret_cast<function>(dlsym(RTLD_NEXT, name));
}

} // namespace walkway::capture

#endif

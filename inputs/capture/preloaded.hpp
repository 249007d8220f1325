/* SPDX-License-Identifier: MIT */
/* capture/preloaded.hpp - functions found before others of the same name: the plugin's library is preloaded,
 * so that the program and Oclgrind's runtime call those marked PRELOADED. A program that loads libOpenCL
 * itself gets a second runtime, whose functions it calls by the table in its objects. That table is a global
 * symbol of both runtimes; the preloaded one's is found first, and contains ours. */
#ifndef WALKWAY_CAPTURE_PRELOADED_HPP
#define WALKWAY_CAPTURE_PRELOADED_HPP

#include <dlfcn.h>

#define PRELOADED __attribute__((visibility("default")))

namespace walkway::capture
{

/* Returns the function that would be found without the plugin, or NULL if there is none. */
template <typename function> function next(const char *name)
{
    return reinterpret_cast<function>(dlsym(RTLD_NEXT, name));
}

} // namespace walkway::capture

#endif

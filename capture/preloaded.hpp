/* SPDX-License-Identifier: MIT */
/* capture/preloaded.hpp - functions that are found before the ones of the same name: the plugin's library is
 * preloaded, so that the program and Oclgrind's runtime call what is marked PRELOADED. There are two
 * runtimes. A program that is linked with OpenCL calls clName() of the preloaded one. One that loads
 * libOpenCL itself gets to the other by a table of its functions _clName(), which the dynamic linker fills:
 * with ours. Their objects and tables are apart. */
#ifndef WALKWAY_CAPTURE_PRELOADED_HPP
#define WALKWAY_CAPTURE_PRELOADED_HPP

#include <dlfcn.h>
#include <string>

#define PRELOADED __attribute__((visibility("default")))

namespace walkway::capture
{

/* The function that would have been found without the plugin; NULL when there is none. */
template <typename function> function next(const char *name)
{
    return reinterpret_cast<function>(dlsym(RTLD_NEXT, name));
}

enum class runtime { linked, loaded };

/* Of that runtime, by the name that OpenCL has for it; NULL when there is none. */
template <typename function> function of(runtime which, const char *name)
{
    if (which == runtime::linked)
        return next<function>(name);
    void *const library = dlopen("liboclgrind-rt-icd.so", RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return nullptr;
    void *const found = dlsym(library, ("_" + std::string(name)).c_str());
    dlclose(library); /* whoever loaded it holds it */
    return reinterpret_cast<function>(found);
}

} // namespace walkway::capture

#endif

/* SPDX-License-Identifier: MIT */
/* platforms/platform.cpp - the wirings by name: each platforms/NAME_platform.cpp defines make_NAME_config(),
 * and the build lists the files (wirings.inc). */
#include "platforms/platform.hpp"

namespace walkway
{

#define X(name) std::unique_ptr<platform_config> make_##name##_config();
#include "wirings.inc"
#undef X

std::unique_ptr<platform_config> make_platform_config(const std::string &wiring)
{
#define X(name)                                                                                              \
    if (wiring == #name)                                                                                     \
        return make_##name##_config();
#include "wirings.inc"
#undef X
    return nullptr;
}

} // namespace walkway

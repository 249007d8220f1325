/* SPDX-License-Identifier: MIT */
/* platforms/machine_params.cpp - the wirings by name: the build lists them (wirings.inc). */
#include "platforms/machine_params.hpp"

namespace walkway
{

#define X(name) std::unique_ptr<machine_params> make_##name##_params();
#include "wirings.inc"
#undef X

std::unique_ptr<machine_params> make_machine_params(const std::string &wiring)
{
#define X(name)                                                                                              \
    if (wiring == #name)                                                                                     \
        return make_##name##_params();
#include "wirings.inc"
#undef X
    return nullptr;
}

std::vector<std::string> platform_wirings()
{
    return {
#define X(name) #name,
#include "wirings.inc"
#undef X
    };
}

} // namespace walkway

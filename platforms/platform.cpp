/* SPDX-License-Identifier: MIT */
/* platforms/platform.cpp - the wirings by name. */
#include "platforms/platform.hpp"

#include "platforms/apu_params.hpp"

namespace walkway
{

std::unique_ptr<platform_config> make_platform_config(const std::string &wiring)
{
    if (wiring == "apu")
        return std::make_unique<apu_config>();
    return nullptr;
}

std::vector<std::string> platform_wirings()
{
    return {"apu"};
}

} // namespace walkway

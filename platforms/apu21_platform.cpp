/* SPDX-License-Identifier: MIT */
/* platforms/apu21_platform.cpp - the apu with the numbers of [M21], as a platform: built for a trace. */
#include "platforms/apu.hpp"
#include "platforms/apu21_params.hpp"

namespace walkway
{

std::unique_ptr<platform_config> make_apu21_config()
{
    return std::make_unique<gpu_config<apu21_params, apu_top>>();
}

} // namespace walkway

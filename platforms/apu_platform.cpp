/* SPDX-License-Identifier: MIT */
/* platforms/apu_platform.cpp - the apu as a platform: built for a trace. */
#include "platforms/apu.hpp"

namespace walkway
{

std::unique_ptr<platform_config> make_apu_config()
{
    return std::make_unique<gpu_config<apu_params, apu_top>>();
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* platforms/uvm_platform.cpp - the apu with the numbers of [P20], as a platform: built for a trace. */
#include "platforms/apu.hpp"
#include "platforms/uvm_params.hpp"

namespace walkway
{

std::unique_ptr<platform_config> make_uvm_config()
{
    return std::make_unique<gpu_config<uvm_params, apu_top>>();
}

} // namespace walkway

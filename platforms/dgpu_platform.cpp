/* SPDX-License-Identifier: MIT */
/* platforms/dgpu_platform.cpp - the mmu with the numbers of [P24], as a platform: built for a trace. */
#include "platforms/dgpu_params.hpp"
#include "platforms/mmu.hpp"

namespace walkway
{

std::unique_ptr<platform_config> make_dgpu_config()
{
    return std::make_unique<gpu_config<dgpu_params, mmu_top>>();
}

} // namespace walkway

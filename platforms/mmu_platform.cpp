/* SPDX-License-Identifier: MIT */
/* platforms/mmu_platform.cpp - the mmu as a platform: built for a trace. */
#include "platforms/mmu.hpp"

namespace walkway
{

std::unique_ptr<platform_config> make_mmu_config()
{
    return std::make_unique<gpu_config<mmu_params, mmu_top>>();
}

} // namespace walkway

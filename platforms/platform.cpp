/* SPDX-License-Identifier: MIT */
/* platforms/platform.cpp - the wirings by name. */
#include "platforms/platform.hpp"

#include "kernels/base.h"
#include "platforms/apu.hpp"

#include <systemc>

/* A broken contract inside a kernel is a defect of the model: it ends the simulation with its place. */
extern "C" void ww_assert_fail(const char *expr, const char *file, int line)
{
    SC_REPORT_FATAL("/walkway/kernel",
                    (std::string(file) + ":" + std::to_string(line) + ": " + expr).c_str());
    std::abort(); /* not reached: a fatal report throws or aborts */
}

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

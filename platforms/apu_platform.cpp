/* SPDX-License-Identifier: MIT */
/* platforms/apu_platform.cpp - the apu as a platform: built for a trace. */
#include "platforms/apu.hpp"

namespace walkway
{

static machine::parts parts_of(const apu_params &p, wkt_reader *trace)
{
    auto world = std::make_shared<memory_world>(p.address_space, trace, p.memory_end());
    auto top = std::make_unique<apu_top>("top", p.resolved(world->space.pages()), *world, trace);
    return {std::move(world), std::move(top)};
}

apu::apu(const apu_params &p, wkt_reader *trace) : machine(parts_of(p, trace)) {}

uint64_t apu_config::memory_bytes(const wkt_reader *trace) const
{
    return params.memory_bytes(ranges_of(trace));
}

std::unique_ptr<platform> apu_config::build(wkt_reader *trace) const
{
    return std::make_unique<apu>(params, trace);
}

std::unique_ptr<platform_config> make_apu_config()
{
    return std::make_unique<apu_config>();
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* platforms/apu_platform.cpp - the apu as a platform: built for a trace, its translations followed. */
#include "platforms/apu.hpp"

#include "model/perfect_tlb.hpp"

namespace walkway
{

static std::unique_ptr<wiring> elaborate(const apu_params &p, memory_world &world, wkt_reader *trace)
{
    return std::make_unique<apu_top>("top", p.resolved(world.space.pages()), world, trace);
}

static machine::parts parts_of(const apu_params &p, wkt_reader *trace)
{
    auto world = std::make_shared<memory_world>(p.address_space, trace, p.memory_end());
    auto top = elaborate(p, *world, trace);
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

static std::string name_of(const block &b)
{
    const std::string name = b.name();
    return name.substr(name.find('.') + 1); /* "top.iommu" without the top */
}

transaction_tracks apu_top::tracks() const
{
    transaction_tracks tracks;
    for (size_t i = 0; i < cu.size(); ++i) {
        tracks.cu.push_back(name_of(*cu[i]));
        tracks.coalescer.push_back(name_of(*coalescer[i]));
        tracks.l1.push_back(l1_tlb.empty() ? name_of(*perfect_l1[i]) : name_of(*l1_tlb[i]));
    }
    tracks.l2 = name_of(l2_tlb);
    tracks.iommu = name_of(iommu);
    tracks.walkers = iommu.walkers();
    tracks.cycle_ps = clock().period();
    return tracks;
}

void apu_top::watch(transaction_recorder *recorder)
{
    for (class coalescer *c : coalescer)
        c->watch(recorder);
    iommu.attach(recorder == nullptr ? nullptr : &recorder->walks());
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* platforms/apu_memory.cpp - what follows from a configuration alone: bits of the machine's structures, and
 * what it will take of the host: the blocks' state, the queues between them, and the page table. What is in
 * flight during a run comes on top and is small beside it. */
#include "platforms/apu_params.hpp"

namespace walkway
{

static uint64_t queues(uint64_t ports, uint64_t entries, uint64_t wire)
{
    constexpr uint64_t entry_bytes = 2 * sizeof(uint64_t);
    return ports * (entries + wire) * entry_bytes;
}

template <class P> static uint64_t wire_of(const P &sender)
{
    return uint64_t{sender.ports} * (uint64_t{sender.hit_cycles} + sender.link_cycles);
}

/* Of the ideal ladder's rungs there is no hardware: the parameters count as they are. */
std::vector<hardware_structure> apu_config::structures() const
{
    apu_params p = params;
    p.translation.ideal = 0;
    p = p.resolved(0);
    address_widths widths;
    widths.va = p.coalescer.va_bits;
    widths.pa = name_bits(p.memory_end());
    widths.page_shift = p.coalescer.page_shift;
    widths.kind = p.address_space.kind();
    structure_list list(widths);
    const auto add = [&list](const char *block, uint64_t count, const auto &of) {
        list.of(block, count);
        of.structures(list);
    };
    add("l1_tlb", p.gpu.cus, p.l1_tlb);
    add("l2_tlb", 1, p.l2_tlb);
    add("iommu", 1, p.iommu);
    add("l1d", p.gpu.cus, p.l1d);
    add("l2d", 1, p.l2d);
    return list.all();
}

uint64_t apu_params::memory_bytes(const std::vector<va_range> &ranges) const
{
    constexpr uint64_t program_bytes = 20u << 20; /* code, SystemC, the trace's open work-groups */
    uint64_t pages = 0;
    for (const va_range &r : ranges)
        pages += (r.bytes >> address_space.page_shift()) + 1;
    const apu_params p = resolved(pages);
    const uint64_t cus = p.gpu.cus;
    uint64_t each = compute_unit::state_bytes(p.cu) + coalescer::state_bytes(p.coalescer) +
                    p.l1d.state_bytes() + queues(1, p.coalescer.queue_entries, 0) +
                    queues(1, p.l1d.queue_entries, 0) + queues(1, p.l1_tlb.queue_entries, 0);
    if (!p.perfect())
        each += p.l1_tlb.state_bytes() + queues(1, p.l2_tlb.queue_entries, wire_of(p.l1_tlb));
    each += queues(1, p.l2d.queue_entries, wire_of(p.l1d));
    return program_bytes + cus * each + p.l2_tlb.state_bytes() + p.iommu.state_bytes() + p.l2d.state_bytes() +
           p.dram.state_bytes() + queues(1, p.iommu.queue_entries, wire_of(p.l2_tlb)) +
           queues(p.iommu.walk_path, p.l2d.queue_entries, wire_of(p.l1d)) +
           queues(2 - p.iommu.walk_path, p.dram.queue_entries, wire_of(p.l2d)) +
           (ranges.empty() ? 0 : address_space::table_bytes(p.address_space, ranges));
}

} // namespace walkway

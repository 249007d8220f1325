/* SPDX-License-Identifier: MIT */
/* platforms/host_memory.cpp - what a machine takes of the host: the blocks' state, the queues between them,
 * and the page table. What is in flight during a run comes on top and is small beside it. */
#include "kernels/fault_table.h"
#include "model/address_space.hpp"
#include "model/coalescer.hpp"
#include "model/compute_unit.hpp"
#include "platforms/apu_params.hpp"
#include "platforms/mmu_params.hpp"

namespace walkway
{

uint64_t queue_bytes(uint64_t ports, uint64_t entries, uint64_t wire)
{
    constexpr uint64_t entry_bytes = 2 * sizeof(uint64_t);
    return ports * (entries + wire) * entry_bytes;
}

uint64_t gpu_machine_params::wire_of_last() const
{
    return victim.present() ? wire_of(victim) : wire_of(l1_tlb);
}

uint64_t gpu_machine_params::between_bytes() const
{
    const uint64_t victims = perfect() ? 0 : victim.tlbs(gpu.cus);
    const uint64_t lent = perfect() || !lds.lends() ? 0 : gpu.cus;
    const uint64_t icaches = perfect() || !icache.lends() ? 0 : icache.caches(gpu.cus);
    return queue_bytes(victims == 0 ? 0 : gpu.cus, victim.queue_entries, wire_of(l1_tlb)) +
           victims * victim.state_bytes() + queue_bytes(lent, lds.tx.queue_entries, wire_of(l1_tlb)) +
           lent * lds.tx_state_bytes() +
           queue_bytes(icaches == 0 ? 0 : gpu.cus, icache.tx.queue_entries, wire_of(l1_tlb)) +
           icaches * icache.tx_state_bytes();
}

uint64_t gpu_machine_params::pages_of(const std::vector<space_ranges> &of_space) const
{
    uint64_t pages = 0;
    for (const space_ranges &ranges : of_space)
        for (const va_range &r : ranges)
            pages += (r.bytes >> address_space.page_shift()) + 1;
    return pages;
}

uint64_t gpu_machine_params::shared_bytes(const std::vector<space_ranges> &of_space,
                                          unsigned walk_units) const
{
    constexpr uint64_t program_bytes = 20u << 20; /* code, SystemC, the trace's open work-groups */
    const uint64_t tables = faults() ? 3 : 1;     /* in memory; the plan, and the layout of all pages */
    const uint64_t each =
        compute_unit::state_bytes(cu) + coalescer::state_bytes(coalescer) + l1d.state_bytes() +
        queue_bytes(1, coalescer.queue_entries, 0) + queue_bytes(1, l1d.queue_entries, 0) +
        queue_bytes(1, l1_tlb.queue_entries, 0) + queue_bytes(lds.present() ? 1 : 0, lds.queue_entries, 0) +
        (perfect() ? 0 : l1_tlb.state_bytes() + prefetch.state_bytes()) +
        queue_bytes(prefetch.present() && !perfect() ? 1 : 0, l1_tlb.queue_entries, wire_of(l1_tlb)) +
        queue_bytes(1, l2d.queue_entries, wire_of(l1d));
    return program_bytes + gpu.cus * each + between_bytes() + l2d.state_bytes() + dram.state_bytes() +
           queue_bytes(1, dram.queue_entries, wire_of(l2d)) +
           icache.caches(gpu.cus) * icache.as_cache().state_bytes() +
           queue_bytes(icache.present() ? gpu.cus : 0, icache.queue_entries, 0) +
           queue_bytes(icache.caches(gpu.cus), l2d.queue_entries, wire_of(l1d)) +
           (faults() ? ww_faults_bytes(pager.entries) + queue_bytes(walk_units, pager.queue_entries, 0) : 0) +
           tables * address_space::table_bytes(address_space, of_space);
}

uint64_t apu_params::memory_bytes(const std::vector<space_ranges> &of_space) const
{
    const apu_params p = resolved(pages_of(of_space));
    const uint64_t walks = p.walk_unit.walk_path == 0
                               ? queue_bytes(1 + faults(), dram.queue_entries, wire_of(l2d))
                               : queue_bytes(1 + faults(), l2d.queue_entries, wire_of(l1d));
    const uint64_t asked = queue_bytes(last_stages(), l2_tlb.queue_entries, wire_of_last());
    const uint64_t table = has_memory_tlb() ? memory_tlb.state_bytes() +
                                                  queue_bytes(1, memory_tlb.queue_entries, wire_of(l2_tlb)) +
                                                  queue_bytes(1, l2d.queue_entries, wire_of(l1d))
                                            : 0;
    return p.shared_bytes(of_space, 1) + p.l2_tlb.state_bytes() + table + p.iommu_tlb.state_bytes() +
           p.walk_unit.state_bytes() + walks + asked +
           queue_bytes(1, iommu_tlb.queue_entries, wire_of(l2_tlb)) +
           queue_bytes(1, walk_unit.queue_entries, iommu_tlb.holds());
}

uint64_t mmu_params::memory_bytes(const std::vector<space_ranges> &of_space) const
{
    const mmu_params p = resolved(pages_of(of_space));
    const uint64_t each = p.walk_unit.state_bytes() + queue_bytes(1, l2d.queue_entries, wire_of(l1d));
    const uint64_t first = queue_bytes(last_stages(), p.walk_unit.queue_entries, p.wire_of_last());
    const uint64_t second =
        perfect() || !l2_tlb.present()
            ? 0
            : p.l2_tlb.state_bytes() + queue_bytes(last_stages(), p.l2_tlb.queue_entries, p.wire_of_last());
    return p.shared_bytes(of_space, walk_units()) + walk_units() * each + first + second +
           queue_bytes(faults() ? 1 : 0, l2d.queue_entries, wire_of(l1d));
}

} // namespace walkway

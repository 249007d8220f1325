/* SPDX-License-Identifier: MIT */
/* platforms/host_memory.cpp - the memory that a machine's model needs on the host: units, caches, levels, the
 * queues between them and the page table. It omits requests in flight, which need little. */
#include "kernels/walk/fault_table.h"
#include "model/address_space.hpp"
#include "model/coalescer.hpp"
#include "model/common/pending.hpp"
#include "model/compute_unit.hpp"
#include "platforms/gpu_params.hpp"

namespace walkway
{

/* Returns the bytes of queues that have room for the requests on the sender's wire. */
static uint64_t queue_bytes(uint64_t ports, uint64_t entries, uint64_t wire)
{
    constexpr uint64_t entry_bytes = 2 * sizeof(uint64_t);
    return ports * (entries + wire) * entry_bytes;
}

static uint64_t state_bytes(const data_cache_params &p)
{
    const ww_dcache_cfg cfg = p.tags();
    return ww_dcache_bytes(&cfg) + pending_bytes(p.pending());
}

static uint64_t wire_of(const data_cache_params &sender)
{
    return uint64_t{sender.ports} * (uint64_t{sender.hit_cycles} + sender.link_cycles);
}

/* On the ladder's upper rungs only the first level's queues and the last level exist. */
uint64_t gpu_machine_params::path_bytes() const
{
    uint64_t bytes = 0, askers = gpu.cus, wire = 0;
    for (const level *l : path.present()) {
        const uint64_t here = l->groups().of(gpu.cus).size();
        if (askers != 0)
            bytes += queue_bytes(askers, l->queue_entries(), wire);
        if (!perfect() || l->ends_path())
            bytes += here *
                     (l->state_bytes() + queue_bytes(l->wants().l2d_ports, l2d.queue_entries, wire_of(l1d)) +
                      queue_bytes(l->wants().memory_ways, dram.queue_entries, wire_of(l2d)));
        askers = perfect() ? 0 : here;
        wire = l->wire_slots();
    }
    return bytes;
}

uint64_t gpu_machine_params::pages_of(const std::vector<space_ranges> &of_space) const
{
    uint64_t pages = 0;
    for (const space_ranges &ranges : of_space)
        for (const va_range &r : ranges)
            pages += (r.bytes >> address_space.page_shift()) + 1;
    return pages;
}

uint64_t gpu_machine_params::memory_bytes(const std::vector<space_ranges> &of_space) const
{
    constexpr uint64_t program_bytes = 20u << 20; /* code, SystemC, the trace's open work-groups */
    const gpu_machine_params p = resolved(pages_of(of_space));
    const uint64_t tables = faults() ? 3 : 1; /* with faults also the plan and the layout of all pages */
    const uint64_t units = p.path.last().groups().of(gpu.cus).size();
    const uint64_t each = compute_unit::state_bytes(cu) + coalescer::state_bytes(coalescer) +
                          state_bytes(l1d) + queue_bytes(1, coalescer.queue_entries, 0) +
                          queue_bytes(1, l1d.queue_entries, 0) +
                          queue_bytes(lds.present() ? 1 : 0, lds.queue_entries, 0) +
                          queue_bytes(1, l2d.queue_entries, wire_of(l1d));
    return program_bytes + gpu.cus * each + p.path_bytes() + state_bytes(l2d) +
           queue_bytes(1, dram.queue_entries, wire_of(l2d)) +
           icache.caches(gpu.cus) * state_bytes(icache.as_cache()) +
           queue_bytes(icache.present() ? gpu.cus : 0, icache.queue_entries, 0) +
           queue_bytes(icache.caches(gpu.cus) + (faults() ? 1 : 0), l2d.queue_entries, wire_of(l1d)) +
           (faults() ? ww_faults_bytes(pager.entries) + queue_bytes(units, pager.queue_entries, 0) : 0) +
           tables * address_space::table_bytes(address_space, of_space);
}

} // namespace walkway

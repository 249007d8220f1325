/* SPDX-License-Identifier: MIT */
/* model/walk_unit_setup.cpp - what a walk unit is made of, from its parameters and the kind of table. */
#include "model/walk_unit.hpp"

#include "model/common/kernel_blob.hpp"

namespace walkway
{

namespace
{

/* Results have one set of names for x86-64 tables, whatever their levels. */
const ww_table_kind &named_kind(const ww_table_kind &kind)
{
    return &kind == &ww_radix4 ? ww_radix5 : kind;
}

} // namespace

walk_unit_causes::walk_unit_causes(const block &owner, const walk_unit_params &p, const ww_table_kind &kind)
{
    account_names &names = *owner.names();
    backlog = names.add(names.add_track({&owner, "backlog"}), "backlog",
                        "on the link to the walk unit and waiting outside the full walk buffer");
    const uint32_t waits = names.add_track({&owner, "buffer"});
    buffer = names.add(waits, "buffer", "in the walk buffer, free to be taken, no walker free");
    held = names.add(waits, "held", "in the walk buffer with CL set: held back by coalescing");
    const uint32_t walks = names.add_track(
        {&owner, "walker", p.walkers, &walk_unit_events::walk_start, &walk_unit_events::walk_coalesced});
    walk_cache = names.add(walks, "walk_cache", "page-walk cache and PTE-line cache lookups");
    for (uint32_t left = UINT8_MAX; left != 0; --left) /* in the order of a walk */
        for (uint32_t step = 1; step <= kind.steps; ++step)
            if (kind.left[step] == left)
                walk[step] = names.add(walks, std::string("walk_") + kind.step_name[step],
                                       std::string("page-table read at ") + kind.step_name[step] +
                                           ", path to memory included",
                                       step);
    if (p.fault_entries == 0)
        return;
    const uint32_t faults = names.add_track({&owner, "fault"});
    fault_queue = names.add(faults, "fault_queue",
                            "after a walk met an absent entry: until the page's turn to be handled, and from "
                            "then on until a walker takes it again");
    fault_service =
        names.add(faults, "fault_service",
                  "while an absent page is being handled; of those that joined, until the first has walked");
}

walk_unit::walk_unit(const sc_core::sc_module_name &name, const clock_domain &clock,
                     const walk_unit_params &p, const page_tables &tables, unsigned requesters)
    : block(name, clock), up(*this, *this, requesters, p.queue_entries), mem("mem", *this, *this), params_(p),
      causes_(*this, p, named_kind(*tables.kind())), memory_(*this),
      walks_(tables, p.caches(tables.kind()), clock, p.times(clock), memory_), tables_(walks_.tables()),
      lines_in_(clock), hits_in_(clock), walkers_(p.walkers), idle_((p.walkers + 63) / 64, 0),
      leaving_(clock), done_(64), post_lanes_(*this, nullptr, 0)
{
    stats_.kind = &named_kind(*tables_.kind());
    stats_.fault_entries = p.fault_entries;
    if (p.fault_entries != 0)
        faults_ = std::make_unique<fault_part>(*this, p.fault_entries);
    for (const auto &port : up) {
        post_lanes_.serve(*port);
        port->translates(walks_);
    }
    const ww_wbuf_cfg buffer_cfg = {p.buffer_entries, tables_.kind()};
    const ww_pwst_cfg pwst_cfg = {p.walkers, p.coalesce, tables_.kind()};
    buffer_ = kernel_blob(ww_wbuf_bytes, ww_wbuf_init, buffer_cfg);
    pwst_ = kernel_blob(ww_pwst_bytes, ww_pwst_init, pwst_cfg);
    bool ok = walks_.ok() && buffer_.bytes() != 0 && pwst_.bytes() != 0 &&
              ww_sched_init(&sched_, p.schedule) == WW_OK;
    if (p.pte_cache_merge) {
        /* a walker has one read at a time: never full */
        reads_out_ = pending_misses<uint32_t>({p.walkers, p.walkers});
        ok = ok && reads_out_.ok();
    }
    if (!ok)
        fail("/walkway/walk_unit", std::string(this->name()) + ": illegal configuration: " + p.validate());
    for (uint32_t w = 0; w < p.walkers; ++w)
        idle_[w / 64] |= uint64_t{1} << (w % 64);
}

} // namespace walkway

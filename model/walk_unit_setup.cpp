/* SPDX-License-Identifier: MIT */
/* model/walk_unit_setup.cpp - what a walk unit is made of, from its parameters and the kind of table. */
#include "model/walk_unit.hpp"

namespace walkway
{

namespace
{
/* Results have one set of names for x86-64 tables, whatever their levels. */
const ww_table_kind &named_kind(const ww_table_kind &kind)
{
    return &kind == &ww_radix4 ? ww_radix5 : kind;
}

ww_pwc_cfg pwc_cfg_of(const walk_unit_params &p, const ww_table_kind *kind)
{
    ww_pwc_cfg cfg = {};
    cfg.kind = kind;
    for (uint32_t step = 1; step <= kind->steps; ++step)
        if (p.walk_cache(*kind, step) != nullptr)
            cfg.entries[step] = *p.walk_cache(*kind, step);
    return cfg;
}

walk_caches caches_of(const walk_unit_params &p, const ww_table_kind *kind)
{
    return {pwc_cfg_of(p, kind), {p.pte_cache_bytes, p.pte_cache_ways}, p.pte_cache_holds != 0, p.zero_walk};
}

walk_times times_of(const walk_unit_params &p, const clock_domain &clock)
{
    return {clock.cycles(p.pwc_cycles), clock.cycles(p.pte_cache_cycles), clock.cycles(p.read_cycles),
            clock.cycles(p.reply_cycles), clock.cycles(p.response_cycles)};
}
} // namespace

uint64_t walk_unit_params::state_bytes() const
{
    const ww_wbuf_cfg buffer = {buffer_entries, &ww_radix4}; /* as many for every kind of table */
    const ww_pwst_cfg pwst = {walkers, coalesce, &ww_radix4};
    return ww_wbuf_bytes(&buffer) + ww_pwst_bytes(&pwst) + ww_faults_bytes(fault_entries);
}

void walk_unit_params::structures(structure_list &list) const
{
    const address_widths &w = list.widths;
    const ww_wbuf_cfg buffer = {buffer_entries, w.kind};
    const uint64_t waiting = ww_wbuf_bits(&buffer);
    list.add_array("walk_buffer", waiting, array_of(buffer_entries, waiting, 1, 0, 1),
                   {".walks_started", ".walks_coalesced"}, {".walk_requests"});
    if (coalesce != WW_COALESCE_OFF)
        add_coalescing(list);
    if (fault_entries != 0) {
        const uint64_t bits = ww_faults_bits(fault_entries, ww_table_vpn_bits(w.kind), w.vmid);
        list.add_array("fault_table", bits,
                       array_of(fault_entries, bits, fault_entries, ww_table_vpn_bits(w.kind) + w.vmid, 1),
                       {".faults_parked", ".faults_resumed"}, {".faults_parked"});
    }
    add_caches(list);
}

/* [M18] has synthesised this very array and states what it takes. */
void walk_unit_params::add_coalescing(structure_list &list) const
{
    const uint32_t entries = buffer_entries + walkers;
    const uint64_t bits = ww_pwst_extra_bits(list.widths.kind, buffer_entries, walkers);
    list.add("coalescing", bits);
    list.add_array("coalescing", array_of(entries, bits, entries, bits, 1), {".cam_reads"}, {".cam_writes"})
        .stated = ww_array_cost{1000 * WW_CAM_READ_PJ, 1000 * WW_CAM_WRITE_PJ, WW_CAM_AREA_UM2};
}

/* Page-walk caches: all levels are searched at once, and what a walk reads at a level enters that level's. */
void walk_unit_params::add_caches(structure_list &list) const
{
    const address_widths &w = list.widths;
    const ww_pwc_cfg pwc = pwc_cfg_of(*this, w.kind);
    for (uint32_t step = 1; step <= w.kind->steps; ++step) {
        const uint64_t bits = ww_pwc_bits(&pwc, step, &w);
        const uint32_t entries = pwc.entries[step];
        if (bits != 0)
            list.add_array(std::string("pwc_") + w.kind->step_name[step], bits,
                           step == w.kind->direct
                               ? array_of(entries, bits, 1,
                                          w.va - w.kind->reach[step] - ww_name_bits(entries) + w.vmid, 1)
                               : array_of(entries, bits, entries, w.va - w.kind->reach[step] + w.vmid, 1),
                           {".pwc_lookups"}, {std::string(".pte_reads_") + w.kind->step_name[step]});
    }
    if (pte_cache_bytes == 0)
        return;
    const ww_pte_cache_cfg cfg = {pte_cache_bytes, pte_cache_ways};
    const uint32_t lines = pte_cache_bytes / WW_PTE_LINE_BYTES, line_bits = 8 * WW_PTE_LINE_BYTES;
    const uint32_t ways = pte_cache_ways == 0 ? lines : pte_cache_ways;
    const uint64_t bits = ww_pte_cache_bits(&cfg, &w);
    ww_array_cfg shape = array_of(lines, bits, ways, bits / lines - line_bits, 1);
    if (ways != lines) /* the tags of all ways, and the line of one */
        shape.read_bits = shape.entry_bits - line_bits + line_bits / ways;
    list.add_array("pte_cache", bits, shape, {".pte_cache_hits", ".pte_reads", ".pte_reads_merged"},
                   {".pte_reads"});
}

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
      walks_(tables, caches_of(p, tables.kind()), clock, times_of(p, clock), memory_),
      tables_(walks_.tables()), lines_in_(clock), hits_in_(clock), walkers_(p.walkers),
      idle_((p.walkers + 63) / 64, 0), leaving_(clock), done_(64), post_lanes_(*this, nullptr, 0)
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
    buffer_ = blob(ww_wbuf_bytes(&buffer_cfg));
    pwst_ = blob(ww_pwst_bytes(&pwst_cfg));
    bool ok = walks_.ok() && ww_wbuf_init(buffer(), buffer_.bytes(), &buffer_cfg) == WW_OK &&
              ww_pwst_init(pwst_.as<ww_pwst>(), pwst_.bytes(), &pwst_cfg) == WW_OK &&
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

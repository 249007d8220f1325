/* SPDX-License-Identifier: MIT */
/* model/walk_unit_faults.cpp - walks that meet an absent entry: parked in the fault table until their page is
 * handled, then done again. docs/page-faults.md. */
#include "model/walk_unit.hpp"

#include <algorithm>

namespace walkway
{

walk_unit::fault_part::fault_part(walk_unit &owner, uint32_t entries)
    : port("faults", owner, owner), table(ww_faults_bytes(entries)), sent(entries), handled(owner.clock())
{
    if (ww_faults_init(table.as<ww_faults>(), table.bytes(), entries) != WW_OK)
        fail("/walkway/walk_unit", std::string(owner.name()) + ": illegal size of the fault table");
}

void walk_unit::on_response(fault_request &f, tick at, unsigned)
{
    wake(faults_->handled.push(clock().ceil(at), f.owner));
}

/* Other faults end the walk: nobody can mend them by mapping a page. */
bool walk_unit::parks(const xlat_request &r, enum ww_walk_why why) const
{
    return faults_ != nullptr && ww_walk_why_absent(why) && r.access != access_kind::prefetch;
}

void walk_unit::park(uint32_t j)
{
    job &parked = jobs_[j];
    const xlat_request &r = *parked.request;
    auto *table = faults_->table.as<ww_faults>();
    parked.faulted = true;
    const uint32_t slot = ww_faults_park(table, r.va, r.vmid, j);
    ++stats_.faults_parked;
    stats_.faults_joined += ww_faults_role(table, slot) == WW_FAULT_JOINED;
    stats_.fault_table_peak = std::max<uint64_t>(stats_.fault_table_peak, ww_faults_used(table));
    observe(walk_unit_events::fault_parked, r.va, ww_faults_used(table));
}

/* The walker has met an absent entry. It keeps the walk, idle in all but name, until there is room for it. */
void walk_unit::keep(uint32_t w, tick now)
{
    walker &me = walkers_[w];
    if (me.again_after_fault)
        ww_faults_again(faults_->table.as<ww_faults>(), me.va, me.vmid);
    me.again_after_fault = false;
    me.started = now;
    faults_->kept.push_back(w);
    park_kept(now);
}

void walk_unit::park_kept(tick now)
{
    fifo<uint32_t> &kept = faults_->kept;
    while (!kept.empty() && !ww_faults_full(faults_->table.as<ww_faults>())) {
        const uint32_t w = kept.front();
        kept.pop_front();
        stats_.fault_kept_ps += now - walkers_[w].started;
        park(walkers_[w].job);
        free_walker(w);
    }
}

/* Pages that have been handled. What was parked before its page's turn came waited for that. */
void walk_unit::take_handled(tick now)
{
    auto *table = faults_->table.as<ww_faults>();
    for (uint32_t lead = 0; faults_->handled.pop(now, lead);) {
        const fault_request &f = faults_->sent[lead];
        ww_faults_handled(table, lead);
        for (uint32_t s = WW_FAULTS_NONE; (s = ww_faults_of(table, f.va, f.vmid, s)) != WW_FAULTS_NONE;) {
            xlat_request &r = *jobs_[ww_faults_req(table, s)].request;
            r.charge(causes_.fault_queue, std::max(r.mark, std::min(f.taken, now)));
            r.charge(causes_.fault_service, now);
        }
        if (f.refused)
            stats_.faults_refused += leave_faults(f.va, f.vmid, ww_xlat{}, true, now);
    }
}

/* All that is parked for a page is answered; how many. */
uint64_t walk_unit::leave_faults(uint64_t va, uint16_t vmid, const ww_xlat &x, bool fault, tick now)
{
    auto *table = faults_->table.as<ww_faults>();
    uint64_t left = 0;
    for (uint32_t j = 0; ww_faults_leave(table, va, vmid, &j); ++left) {
        xlat_request &r = *jobs_[j].request;
        r.charge(causes_.fault_service, now);
        observe(walk_unit_events::fault_resumed, r.va, ww_faults_used(table));
        answer(j, x, fault, now);
    }
    stats_.faults_resumed += left;
    return left;
}

/* The walk of the request that led has ended with this: so have those that joined it. */
void walk_unit::end_joined(uint32_t w, const ww_xlat &x, bool fault, tick now)
{
    walker &me = walkers_[w];
    if (!me.again_after_fault)
        return;
    me.again_after_fault = false;
    if (ww_faults_walking(faults_->table.as<ww_faults>(), me.va, me.vmid))
        leave_faults(me.va, me.vmid, x, fault, now);
}

/* Pages that have been handled: their oldest request walks again, before anything that is buffered, since it
 * has waited longer. It starts at the registers, as PL and PA are of a table that has changed since; what the
 * walk caches know is true, or an invalidate would have taken it away. Without an idle walker one that keeps
 * a walk takes it, whose place in the table that walk gets: so nobody waits for a walker that waits for the
 * table. */
void walk_unit::walk_again(tick now)
{
    auto *table = faults_->table.as<ww_faults>();
    for (;;) {
        const uint32_t slot = ww_faults_oldest(table, WW_FAULT_READY);
        if (slot == WW_FAULTS_NONE || (idle_walker() == no_walker && faults_->kept.empty()))
            break;
        const uint32_t j = ww_faults_take(table, slot);
        ++stats_.faults_resumed;
        ++stats_.fault_walks;
        xlat_request &r = *jobs_[j].request;
        r.charge(causes_.fault_queue, now);
        observe(walk_unit_events::fault_resumed, r.va, ww_faults_used(table));
        if (idle_walker() == no_walker)
            park_kept(now);
        const uint32_t w = idle_walker();
        idle_[w / 64] &= ~(uint64_t{1} << (w % 64));
        ww_wbuf_entry from_registers{};
        from_registers.word = ww_bits_put(WW_WBUF_VPN, WW_WBUF_VALID, r.va >> WW_PAGE_4K);
        from_registers.word = ww_bits_put(WW_WBUF_VMID, from_registers.word, r.vmid);
        walkers_[w].again_after_fault = true;
        begin(w, j, start_of(from_registers), now);
    }
    park_kept(now);
}

/* Pages in the order of their oldest requests. */
void walk_unit::send_faults(tick now)
{
    auto *table = faults_->table.as<ww_faults>();
    while (faults_->port.can_send()) {
        const uint32_t slot = ww_faults_oldest(table, WW_FAULT_QUEUED);
        if (slot == WW_FAULTS_NONE)
            return;
        ww_faults_sent(table, slot);
        ++stats_.faults_sent;
        fault_request &f = faults_->sent[slot];
        f = fault_request{ww_faults_va(table, slot), ww_faults_vmid(table, slot), slot, 0, false};
        faults_->port.send(f, now + clock().period());
    }
}

std::string walk_unit::waiting_for_faults() const
{
    const auto *table = faults_->table.as<ww_faults>();
    return ", " + std::to_string(ww_faults_used(table)) + " of " + std::to_string(params_.fault_entries) +
           " entries of the fault table in use (" + std::to_string(table->count[WW_FAULT_QUEUED]) +
           " pages queued, " + std::to_string(table->count[WW_FAULT_SENT]) + " being handled, " +
           std::to_string(table->count[WW_FAULT_READY]) + " to be walked again), " +
           std::to_string(faults_->kept.size()) + " walkers keep a walk that has no room there";
}

/* A line that may hold an absent entry leaves the cache of such lines, and a read of it that may have passed
 * memory before the write does not bring it back. */
uint32_t walk_unit::table_written(uint64_t line_pa)
{
    if (params_.pte_cache_bytes == 0)
        return 0;
    const uint32_t dropped = ww_pte_cache_invalidate(walks_.lines(), line_pa, line_bytes);
    stats_.pte_cache_dropped += dropped;
    for (uint32_t w = 0; w < params_.walkers; ++w)
        if (ww_walk_act(walkers_[w].walk) == WW_WALK_READ && pte_pa(w) / line_bytes == line_pa / line_bytes)
            walkers_[w].not_kept = true;
    return dropped;
}

} // namespace walkway

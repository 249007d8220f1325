/* SPDX-License-Identifier: MIT */
/* model/parked_faults.cpp - behaviour of parked faults. */
#include "model/parked_faults.hpp"

#include <algorithm>

namespace walkway
{

parked_faults::parked_faults(block &owner, fault_parker &parker, uint32_t entries, parked_fault_stats &stats)
    : port("faults", owner, *this), owner_(owner), parker_(parker), stats_(stats),
      table_(ww_faults_bytes(entries)), sent_(entries), handled_(owner.clock())
{
    if (ww_faults_init(table(), table_.bytes(), entries) != WW_OK)
        fail("/walkway/walk_unit", std::string(owner.name()) + ": illegal size of the fault table");
    account_names &names = *owner.names();
    const uint32_t track = names.add_track({&owner, "fault"});
    queue_ = names.add(track, "fault_queue",
                       "after a walk met an absent entry: until the page's turn to be handled, and from then "
                       "on until a walker takes it again");
    service_ =
        names.add(track, "fault_service",
                  "while an absent page is being handled; of those that joined, until the first has walked");
}

void parked_faults::park(uint32_t job)
{
    const xlat_request &r = parker_.request_of(job);
    const uint32_t slot = ww_faults_park(table(), r.va, r.vmid, job);
    ++stats_.faults_parked;
    stats_.faults_joined += ww_faults_role(table(), slot) == WW_FAULT_JOINED;
    stats_.fault_table_peak = std::max<uint64_t>(stats_.fault_table_peak, used());
}

bool parked_faults::take_kept(tick now, uint32_t &walker)
{
    if (kept_.empty() || room() == 0)
        return false;
    walker = kept_.front().walker;
    stats_.fault_kept_ps += now - kept_.front().since;
    kept_.pop_front();
    return true;
}

/* Takes handled pages. Charges their requests' time: as queue_ before the page's turn, then as service_. */
void parked_faults::take_handled(tick now)
{
    for (uint32_t lead = 0; handled_.pop(now, lead);) {
        const fault_request &f = sent_[lead];
        ww_faults_handled(table(), lead);
        for (uint32_t s = WW_FAULTS_NONE; (s = ww_faults_of(table(), f.va, f.vmid, s)) != WW_FAULTS_NONE;) {
            xlat_request &r = parker_.request_of(ww_faults_req(table(), s));
            r.charge(queue_, std::max(r.mark, std::min(f.taken, now)));
            r.charge(service_, now);
        }
        if (f.refused)
            stats_.faults_refused += leave(f.va, f.vmid, ww_xlat{}, true, now);
    }
}

bool parked_faults::take(tick now, uint32_t &job)
{
    const uint32_t slot = ww_faults_oldest(table(), WW_FAULT_READY);
    if (slot == WW_FAULTS_NONE)
        return false;
    job = ww_faults_take(table(), slot);
    ++stats_.faults_resumed;
    ++stats_.fault_walks;
    parker_.request_of(job).charge(queue_, now);
    return true;
}

/* Answers all requests parked for a page. Returns how many. */
uint64_t parked_faults::leave(uint64_t va, uint16_t vmid, const ww_xlat &x, bool fault, tick now)
{
    uint64_t left = 0;
    for (uint32_t job = 0; ww_faults_leave(table(), va, vmid, &job); ++left) {
        parker_.request_of(job).charge(service_, now);
        parker_.end_parked(job, x, fault, now);
    }
    stats_.faults_resumed += left;
    return left;
}

/* Sends pages to the pager in the order of their oldest requests. */
void parked_faults::send(tick now)
{
    while (port.can_send()) {
        const uint32_t slot = ww_faults_oldest(table(), WW_FAULT_QUEUED);
        if (slot == WW_FAULTS_NONE)
            return;
        ww_faults_sent(table(), slot);
        ++stats_.faults_sent;
        fault_request &f = sent_[slot];
        f = fault_request{ww_faults_va(table(), slot), ww_faults_vmid(table(), slot), slot, 0, false};
        port.send(f, now + owner_.clock().period());
    }
}

std::string parked_faults::waiting() const
{
    return ", " + std::to_string(used()) + " of " + std::to_string(table()->entries) +
           " entries of the fault table in use (" + std::to_string(count(WW_FAULT_QUEUED)) +
           " pages queued, " + std::to_string(count(WW_FAULT_SENT)) + " being handled, " +
           std::to_string(count(WW_FAULT_READY)) + " to be walked again), " + std::to_string(kept()) +
           " walkers keep a walk that has no room there";
}

} // namespace walkway

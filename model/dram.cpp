/* SPDX-License-Identifier: MIT */
/* model/dram.cpp - behaviour of main memory. */
#include "model/dram.hpp"

#include "kernels/bits.h"
#include "model/common/kernel_blob.hpp"

#include <algorithm>

namespace walkway
{

namespace
{

constexpr uint32_t posted = UINT32_MAX; /* id of a write: it has no waiter */

} // namespace

dram::dram(const sc_core::sc_module_name &name, const dram_params &p, memory_store &store,
           unsigned requesters)
    : block(name, clock_domain(p.tck_ps)), params_(p), store_(store)
{
    for (unsigned i = 0; i < requesters; ++i)
        up.push_back(std::make_unique<in_port<mem_protocol>>(("up_" + std::to_string(i)).c_str(), *this,
                                                             *this, p.queue_entries));
    waits_.resize(requesters);
    const ww_dram_map_cfg map_cfg = p.address_map();
    const ww_dram_cfg cfg = p.channel();
    bool ok = ww_dram_map_init(&map_, &map_cfg) == WW_OK;
    for (uint32_t c = 0; c < p.channels && ok; ++c) {
        channels_.push_back(kernel_blob(ww_dram_bytes, ww_dram_init, cfg));
        ok = channels_.back().bytes() != 0;
        touched_.push_back(0);
        due_.push_back(ok ? ww_dram_due(channels_.back().as<ww_dram>()) : WW_DRAM_NEVER);
        stats_.walk_reads_of.push_back(0);
    }
    ww_dram_energy_cfg energy_cfg;
    (p.currents == 0 ? ww_dram_energy_cfg_ddr3_1600 : ww_dram_energy_cfg_gddr6)(&energy_cfg, &cfg.timing);
    ok = ok && ww_dram_energy_init(&energy_, &energy_cfg) == WW_OK;
    if (!ok)
        fail("/walkway/dram", std::string(this->name()) + ": " + p.validate());
}

/* Answers without using a channel. */
void dram::answer_at_once(unsigned port, tlm::tlm_response_status status, tick now)
{
    payload_t &p = up[port]->front();
    if (p.is_read() && status != tlm::TLM_OK_RESPONSE)
        ++stats_.refused_reads;
    p.set_response_status(status);
    up[port]->pop();
    up[port]->respond(p, now + clock().period());
}

/* True if memory has all bytes. Any 64-bit address may arrive, so there is no sum: it could wrap. */
bool dram::holds(const payload_t &p) const
{
    const uint64_t size = ww_dram_map_size_bytes(&map_);
    return p.get_data_length() <= size && p.get_address() <= size - p.get_data_length();
}

bool dram::accept(unsigned port, uint64_t cycle, tick now)
{
    payload_t &p = up[port]->front();
    const uint64_t pa = p.get_address();
    if (p.get_streaming_width() < p.get_data_length()) {
        answer_at_once(port, tlm::TLM_BURST_ERROR_RESPONSE, now);
        return true;
    }
    if (!holds(p) || p.get_data_length() == 0) {
        answer_at_once(port, tlm::TLM_ADDRESS_ERROR_RESPONSE, now);
        return true;
    }
    if (p.get_command() == tlm::TLM_IGNORE_COMMAND) {
        answer_at_once(port, tlm::TLM_OK_RESPONSE, now);
        return true;
    }
    const ww_dram_loc loc = ww_dram_decode(&map_, pa);
    ww_dram *channel = channels_[loc.channel].as<ww_dram>();
    const bool is_write = p.is_write();
    if (!ww_dram_can_enqueue(channel, is_write))
        return false;
    const uint32_t id = is_write ? posted : reads_.put(pending{&p, port, cycle});
    if (observed())
        tell_idle_refreshes(loc.channel, cycle);
    ww_dram_enqueue(channel, &loc, is_write, id, cycle);
    due_[loc.channel] = ww_dram_due(channel);
    if (sampled())
        touch(loc.channel, loc.rank, loc.bank);
    queued_ps_ += now - up[port]->due();
    up[port]->pop();
    ++(is_write ? stats_.writes : stats_.reads);
    if (is_write) {
        store_.apply(p);
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        up[port]->respond(p, now + clock().period());
    }
    return true;
}

/* Takes the requests that have arrived, while there is room and up to the limit of a cycle, and notes the
 * ports whose oldest request waits for room in its channel. */
void dram::take(uint64_t cycle, tick now)
{
    const auto ports = static_cast<unsigned>(up.size());
    if (cycle != taken_cycle_) {
        taken_cycle_ = cycle;
        taken_ = 0;
    }
    auto port = static_cast<unsigned>(cycle % ports); /* the first port rotates with the clock */
    for (unsigned i = 0; i < ports; ++i) {
        while (taken_ < params_.ports && up[port]->ready(now)) {
            if (!accept(port, cycle, now)) {
                stalled_since_ = now; /* a command of the full channel makes room for the next cycle */
                waits_[port] = true;
                break;
            }
            ++taken_;
        }
        port = port + 1 == ports ? 0 : port + 1;
    }
}

/* Issues the commands of the cycles before `end`, in order of time. */
void dram::command_before(uint64_t end)
{
    for (;;) {
        uint32_t first = 0;
        for (uint32_t c = 1; c < params_.channels; ++c)
            first = due_[c] < due_[first] ? c : first;
        if (due_[first] >= end)
            return;
        command(first, due_[first]);
    }
}

void dram::tell(uint32_t c, uint64_t cycle, const ww_dram_event &e) const
{
    observe_at(clock().cycles(cycle), dram_events::command,
               (uint64_t{c} << 16) | (uint64_t{e.rank} << 8) | e.bank, e.cmd);
}

/* Reports each refresh with the time of its cycle; the kernel's next call would account for all of them at
 * once and report none. */
void dram::tell_idle_refreshes(uint32_t c, uint64_t cycle)
{
    ww_dram_event e;
    for (uint64_t at = 0; ww_dram_idle_refresh(channels_[c].as<ww_dram>(), cycle, &at, &e);)
        tell(c, at, e);
}

/* Issues the channel's command of this cycle, if it has one. */
void dram::command(uint32_t c, uint64_t cycle)
{
    ww_dram_event event;
    due_[c] = ww_dram_step(channels_[c].as<ww_dram>(), cycle, &event);
    if (event.cmd == WW_DRAM_ACT && event.id != posted)
        stats_.walk_activates += is_walk(*reads_[event.id].p);
    last_step_ = std::max(last_step_, clock().cycles(cycle));
    if (event.cmd == WW_DRAM_NONE)
        return;
    if (sampled())
        touch(c, event.rank, event.bank);
    tell(c, cycle, event);
    if (event.cmd == WW_DRAM_RD) {
        stats_.walk_reads += is_walk(*reads_[event.id].p);
        stats_.walk_reads_of[c] += is_walk(*reads_[event.id].p);
    }
    if ((event.cmd == WW_DRAM_RD && event.done_cycle != 0) || event.cmd == WW_DRAM_FORWARD) {
        const pending done = reads_.take(event.id);
        store_.apply(*done.p);
        done.p->set_response_status(tlm::TLM_OK_RESPONSE);
        stats_.read_latency.add(event.done_cycle - done.since);
        up[done.port]->respond(*done.p, clock().cycles(event.done_cycle));
    }
}

void dram::step(tick now)
{
    const uint64_t cycle = clock().floor_cycle(now);
    if (stalled_since_ != never)
        stats_.stall_cycles += clock().floor_cycle(now - stalled_since_);
    stalled_since_ = never;
    command_before(cycle);
    std::fill(waits_.begin(), waits_.end(), false);
    for (const auto &port : up)
        if (port->ready(now)) {
            take(cycle, now);
            last_step_ = now;
            break;
        }
    plan(now);
}

/* Requests the next step. A command is chosen after its cycle is over, since what arrives within it may
 * change the choice. */
void dram::plan(tick now)
{
    uint64_t due = WW_DRAM_NEVER;
    for (const uint64_t of_channel : due_)
        due = std::min(due, of_channel);
    tick first = due == WW_DRAM_NEVER ? never : clock().cycles(due + 1);
    for (unsigned port = 0; port < up.size(); ++port) {
        tick next = up[port]->next();
        if (next <= now)
            next = waits_[port] ? never : now + clock().period();
        first = std::min(first, next);
    }
    wake(first);
}

unsigned dram::debug(payload_t &p)
{
    if (!holds(p)) {
        p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return 0;
    }
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    store_.apply(p);
    return p.get_data_length();
}

ww_dram_activity dram::activity(tick now) const
{
    ww_dram_activity sum = {};
    for (blob channel : channels_) { /* a copy, since the call updates an idle channel's refreshes */
        ww_dram_activity a;
        ww_dram_activity_at(channel.as<ww_dram>(), clock().ceil_cycle(now), &a);
        sum.acts += a.acts;
        sum.reads += a.reads;
        sum.writes += a.writes;
        sum.refreshes += a.refreshes;
        sum.forwards += a.forwards;
        sum.read_requests += a.read_requests;
        sum.row_hits += a.row_hits;
        sum.total_cycles += a.total_cycles;
        sum.open_cycles += a.open_cycles;
    }
    return sum;
}

ww_dram_energy_pj dram::energy(tick now) const
{
    const ww_dram_activity a = activity(now);
    return ww_dram_energy_of(&energy_, &a);
}

std::string dram::waiting() const
{
    uint64_t queued = 0, writes = 0;
    for (const auto &port : up)
        queued += port->size();
    for (const blob &b : channels_)
        writes += ww_dram_waiting(b.as<ww_dram>(), true);
    if (queued == 0 && reads_.live() == 0 && writes == 0)
        return "";
    return std::to_string(queued) + " requests queued, " + std::to_string(reads_.live()) + " reads and " +
           std::to_string(writes) + " writes in channels";
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* model/compute_unit.cpp - behaviour of waves and SIMDs. settle() runs when a wave's state changes and
 * decides whether it may issue or what it waits for; schedule() gives a free SIMD to its oldest ready wave.
 * Compute instructions run in batches up to the next possible event; a batch is cut when an older wave
 * becomes ready. */
#include "model/compute_unit.hpp"

#include "image/image_space.hpp"
#include "model/common/kernel_blob.hpp"
#include "model/common/signals.hpp"

#include <algorithm>
#include <cstring>

namespace walkway
{

compute_unit::compute_unit(const sc_core::sc_module_name &name, const clock_domain &clock,
                           const compute_unit_params &p, unsigned number, unsigned units,
                           group_listener &listener, const compute_unit_ports &ports)
    : block(name, clock), mem("mem", *this, *this), params_(p), number_(number), units_(units),
      listener_(listener), waves_(p.simds * p.waves_per_simd), simds_(p.simds), events_(clock)
{
    local_memory_ = kernel_blob(ww_lds_alloc_bytes, ww_lds_alloc_init, p.local_memory());
    if (local_memory_.bytes() == 0)
        fail("/walkway/cu", std::string(this->name()) + ": " + p.validate());
    if (ports.local)
        local.emplace("local", *this, *this, local_number);
    if (ports.fetch)
        code.emplace("code", *this, *this);
    for (uint32_t i = static_cast<uint32_t>(waves_.size()); i-- > 0;)
        free_waves_.push_back(i);
}

bool compute_unit::has_room(uint32_t waves, uint32_t lds_bytes)
{
    if (freed_at_ != now())
        release_freed();
    return waves + freed_waves_ <= free_waves_.size() &&
           ww_lds_alloc_find(local_memory_.as<ww_lds_alloc>(), lds_bytes) != WW_LDS_ALLOC_NONE;
}

/* Frees the places of waves that ended in an earlier cycle, and the local memory of such work-groups. */
void compute_unit::release_freed()
{
    freed_waves_ = 0;
    for (const piece &p : freed_lds_)
        ww_lds_alloc_release(local_memory_.as<ww_lds_alloc>(), p.first, p.bytes);
    freed_lds_.clear();
}

/* Moves the cursor past the records that a wave has issued. */
static void skip_records(wkt_cursor &cursor, uint32_t records)
{
    wkt_record r;
    while (records-- != 0)
        if (!wkt_next(&cursor, &r))
            fail("/walkway/trace", "a wave has fewer records than it was to begin behind");
}

void compute_unit::start_group(work_group &g, tick now)
{
    ++stats_.groups;
    lds_used_ += g.lds_bytes;
    ww_lds_alloc *pieces = local_memory_.as<ww_lds_alloc>();
    g.lds_first = ww_lds_alloc_find(pieces, g.lds_bytes);
    ww_lds_alloc_take(pieces, g.lds_first, g.lds_bytes);
    if (lent_to_ != nullptr)
        lent_to_->given(g.lds_first, ww_lds_alloc_rounded(pieces, g.lds_bytes));
    const tick at = now + clock().period();
    for (uint32_t n = 0; n < wkt_group_waves(g.trace); ++n) {
        const uint32_t issued = g.from == nullptr ? 0 : g.from->records[n];
        if (issued == resident_group::wave_ended)
            continue;
        unsigned parts = 0;
        for (const lane_part part : {lane_part::whole, lane_part::lower, lane_part::upper}) {
            wkt_cursor cursor;
            wkt_cursor_start(g.trace, n, &cursor);
            if (!has_part(part, cursor.lanes, params_.lanes()))
                continue;
            if (part == lane_part::upper)
                wkt_cursor_start(g.upper, n, &cursor);
            skip_records(cursor, issued);
            start_wave(g, cursor, part, at);
            ++parts;
        }
        stats_.split_waves += parts == 2 ? 1 : 0;
    }
}

/* Starts the wave on the SIMD with the fewest waves. */
void compute_unit::start_wave(work_group &g, const wkt_cursor &from, lane_part part, tick at)
{
    const uint32_t i = free_waves_.back();
    free_waves_.pop_back();
    ++resident_;
    uint32_t least = 0;
    for (uint32_t s = 1; s < params_.simds; ++s)
        if (simds_[s].waves.size() < simds_[least].waves.size())
            least = s;
    wave &w = waves_[i];
    w.at = state::drain; /* not ready until its start event */
    w.simd = static_cast<uint8_t>(least);
    w.part = part;
    w.ops = 0;
    w.index = 0;
    w.memory = 0;
    w.age = ages_++;
    w.mark = at;
    w.born = at;
    w.group = &g;
    w.has_record = false;
    w.behind = 0;
    w.buffer.lines.fill(no_line);
    w.buffer.coming = no_line;
    for (operation &o : w.op)
        o.live = false;
    w.cursor = from;
    simds_[least].waves.push_back(i);
    ++stats_.waves;
    observe(compute_unit_events::wave_start, w.age, number_);
    wake(events_.push(at, event{what::start, i, 0, nullptr}));
}

void compute_unit::on_response(wave_access &a, tick at, unsigned port)
{
    const what kind = port == local_number ? what::local_answer : what::answer;
    wake(events_.push(at, event{kind, a.owner, a.owner_item, &a}));
}

void compute_unit::charge(wave &w, wave_time t, tick now)
{
    if (now < w.mark)
        fail("/walkway/compute_unit", "a wave is charged backwards in time");
    stats_.time[static_cast<unsigned>(t)] += now - w.mark;
    w.mark = now;
}

/* Fetches the next record, or the tail of the wave. An access of only the other half's lanes is issued here,
 * too, but accesses nothing. Each half meets every barrier. */
void compute_unit::fetch(wave &w)
{
    w.behind = w.has_record ? w.record.pc + uint64_t{1} : w.behind;
    w.compute_left = 0;
    for (;;) {
        w.has_record = wkt_next(&w.cursor, &w.record);
        if (!w.has_record && wkt_cursor_failed(&w.cursor))
            fail("/walkway/trace", "a record of the trace does not decode");
        w.compute_left += w.has_record ? w.record.compute : w.cursor.tail_compute;
        if (!w.has_record || w.part == lane_part::whole || w.record.kind == WKT_BARRIER ||
            take_part(w.part, w.record))
            break;
        ++w.compute_left;
        ++stats_.idle_halves;
    }
    w.between = w.compute_left;
}

/* Returns the instructions that the wave may issue before it needs a value in flight. */
uint64_t compute_unit::limit(const wave &w) const
{
    if (w.ops == 0)
        return UINT64_MAX;
    uint64_t least = UINT64_MAX;
    for (uint32_t o = 0; o < params_.outstanding; ++o)
        if (w.op[o].live && w.op[o].use_at < least)
            least = w.op[o].use_at;
    if (least == UINT64_MAX)
        return UINT64_MAX;
    return least > w.index ? least - w.index : 0;
}

void compute_unit::become(uint32_t i, state s, tick now)
{
    waves_[i].at = s;
    if (s == state::ready)
        preempt(waves_[i].simd, waves_[i].age, now);
}

/* Decides what the wave does next. Required: its time up to now is charged. */
void compute_unit::settle(uint32_t i, tick now)
{
    wave &w = waves_[i];
    const bool there = !code || fill_buffer(i, now);
    if (limit(w) == 0) {
        become(i, state::use, now);
    } else if (!there) {
        become(i, state::fetch, now);
    } else if (w.compute_left != 0) {
        become(i, state::ready, now);
    } else if (!w.has_record) {
        if (w.ops != 0)
            become(i, state::drain, now);
        else
            retire(i, now);
    } else if (w.record.kind == WKT_BARRIER) {
        become(i, state::ready, now);
    } else if (w.ops == params_.outstanding) {
        become(i, state::outstanding, now);
    } else {
        become(i, state::ready, now);
    }
}

/* An older wave is ready: ends the running batch after its present instruction. */
void compute_unit::preempt(uint32_t s, uint64_t age, tick now)
{
    simd &unit = simds_[s];
    if (unit.running == nobody || unit.count <= 1 || waves_[unit.running].age < age)
        return;
    const tick each = clock().cycles(params_.issue_cycles);
    uint64_t done = (now - unit.started + each - 1) / each;
    done = done == 0 ? 1 : done;
    if (done >= unit.count)
        return;
    unit.count = done;
    unit.ends = unit.started + done * each;
    ++stats_.preemptions;
    wake(events_.push(unit.ends, event{what::run_end, s, ++unit.version, nullptr}));
}

static bool is_local(const wkt_record &r)
{
    return r.kind >= WKT_LOCAL_LOAD && r.kind != WKT_BARRIER;
}

/* True if the port takes nothing now. Required: the next instruction accesses memory. */
bool compute_unit::refused(const wave &w) const
{
    if (is_local(w.record))
        return local && !local->can_send();
    return !mem.can_send();
}

void compute_unit::schedule(uint32_t s, tick now)
{
    simd &unit = simds_[s];
    if (unit.running != nobody || halted_)
        return;
    for (const uint32_t i : unit.waves) {
        wave &w = waves_[i];
        if (w.at != state::ready)
            continue;
        const bool memory = w.compute_left == 0 && w.record.kind != WKT_BARRIER;
        if (memory && refused(w)) {
            charge(w, wave_time::wait_issue, now);
            w.at = state::port;
            port_waiters_ = true;
            continue;
        }
        charge(w, wave_time::wait_issue, now);
        const uint64_t most = std::min(limit(w), buffered(w));
        unit.count = memory || w.compute_left == 0 ? 1 : w.compute_left < most ? w.compute_left : most;
        unit.running = i;
        unit.started = now;
        if (memory) {
            /* the issue port is shared by the SIMDs */
            tick at = now;
            if (at <= memory_time_) {
                at = memory_time_;
                if (memory_used_ == params_.memory_issues)
                    at += clock().period();
            }
            memory_used_ = at == memory_time_ ? memory_used_ + 1 : 1;
            memory_time_ = at;
            charge(w, wave_time::wait_issue, at);
            unit.started = at;
            issue_memory(i, at);
        }
        w.at = state::issuing;
        unit.ends = unit.started + clock().cycles(params_.issue_cycles * unit.count);
        wake(events_.push(unit.ends, event{what::run_end, s, ++unit.version, nullptr}));
        return;
    }
}

uint32_t compute_unit::new_operation(wave &w, uint64_t use_at)
{
    uint32_t o = 0;
    while (w.op[o].live)
        ++o;
    w.op[o] = operation{use_at, true};
    ++w.ops;
    return o;
}

/* Counts the memory instructions by which the wave lags behind its launch's furthest. */
void compute_unit::count_lag(wave &w)
{
    ++w.memory;
    if (w.group->furthest_wave == nullptr)
        return;
    uint64_t &furthest = *w.group->furthest_wave;
    furthest = std::max(furthest, w.memory);
    stats_.wave_lag.add(furthest - w.memory);
}

void compute_unit::issue_memory(uint32_t i, tick now)
{
    wave &w = waves_[i];
    const wkt_record &r = w.record;
    uint64_t use_at = UINT64_MAX;
    if (r.use != WKT_USE_NEVER)
        use_at = w.index + (r.use == WKT_USE_UNKNOWN ? params_.unknown_use : r.use);
    if (is_local(r)) {
        ++stats_.local;
        stats_.local_lanes += static_cast<uint64_t>(__builtin_popcountll(r.mask));
        issue_local(i, use_at, now);
        return;
    }
    ++stats_.memory;
    count_lag(w);
    wave_access &a = access_of(i, new_operation(w, use_at), now);
    a.instruction = serial_++ * units_ + number_;
    observe(compute_unit_events::access, a.instruction | uint64_t{static_cast<uint8_t>(a.access)} << 32,
            r.pc | uint64_t{w.group->launch} << 32);
    if (placement_ != nullptr)
        for (uint64_t lanes = a.lanes.mask; lanes != 0; lanes &= lanes - 1) {
            uint64_t &va = a.lanes.va[__builtin_ctzll(lanes)];
            va = (*placement_)(va);
        }
    mem.send(a, now + clock().period());
}

void compute_unit::issue_local(uint32_t i, uint64_t use_at, tick now)
{
    const uint32_t o = new_operation(waves_[i], use_at);
    if (local) {
        local->send(access_of(i, o, now), now + clock().period());
        return;
    }
    const tick at = now > lds_free_ ? now : lds_free_;
    lds_free_ = at + clock().period();
    events_.push(at + clock().cycles(params_.lds_cycles), event{what::local_done, i, o, nullptr});
}

/* Returns a message for the instruction that the wave issues. */
wave_access &compute_unit::access_of(uint32_t i, uint32_t item, tick now)
{
    const wkt_record &r = waves_[i].record;
    wave_access &a = accesses_.take();
    a.lanes.mask = r.mask;
    a.lanes.bytes = r.bytes;
    std::memcpy(a.lanes.va, r.va, sizeof a.lanes.va);
    a.access = r.kind == WKT_LOAD || r.kind == WKT_LOCAL_LOAD     ? access_kind::read
               : r.kind == WKT_STORE || r.kind == WKT_LOCAL_STORE ? access_kind::write
                                                                  : access_kind::atomic;
    a.vmid = waves_[i].group->vmid;
    a.cu = static_cast<uint16_t>(number_);
    a.instruction = 0;
    a.owner = i;
    a.owner_item = item;
    a.issued = now;
    a.local_first = waves_[i].group->lds_first;
    a.local_bytes = waves_[i].group->lds_bytes;
    return a;
}

void compute_unit::run_ended(uint32_t s, tick now)
{
    simd &unit = simds_[s];
    const uint32_t i = unit.running;
    unit.running = nobody;
    wave &w = waves_[i];
    charge(w, wave_time::issue, now);
    w.index += unit.count;
    stats_.instructions += unit.count;
    if (w.compute_left != 0) {
        stats_.compute += unit.count;
        w.compute_left -= unit.count;
        settle(i, now);
    } else if (w.record.kind == WKT_BARRIER) {
        ++stats_.barriers;
        arrive_at_barrier(i, now);
    } else {
        fetch(w);
        settle(i, now);
    }
}

void compute_unit::arrive_at_barrier(uint32_t i, tick now)
{
    waves_[i].at = state::barrier;
    ++waves_[i].group->at_barrier;
    release_barrier(*waves_[i].group, now);
}

/* Releases the barrier when all waves that have not ended are at it; a wave may end without it. */
void compute_unit::release_barrier(work_group &g, tick now)
{
    if (g.at_barrier == 0 || g.at_barrier < g.waves_left)
        return;
    g.at_barrier = 0;
    for (uint32_t s = 0; s < params_.simds; ++s) {
        /* settle() may retire a wave and shorten the list, so iterate over a copy */
        const std::vector<uint32_t> here = simds_[s].waves;
        for (const uint32_t n : here) {
            wave &w = waves_[n];
            if (w.group != &g || w.at != state::barrier)
                continue;
            charge(w, wave_time::barrier, now);
            fetch(w);
            settle(n, now);
        }
    }
}

/* A value or acknowledgement has arrived: resumes the wave that waits for it. Charges the wait to the
 * operation that ended it: one of local memory, or the access `global`. */
void compute_unit::operation_done(uint32_t i, uint32_t o, tick now, const wave_access *global)
{
    wave &w = waves_[i];
    w.op[o].live = false;
    --w.ops;
    const state was = w.at;
    if (was == state::use) {
        if (limit(w) == 0)
            return;
        if (global == nullptr) {
            charge(w, wave_time::lds, now);
        } else {
            if (global->translated > w.mark) {
                observe(compute_unit_events::untranslated, global->instruction, global->translated - w.mark);
                charge(w, wave_time::translation, global->translated);
            }
            charge(w, wave_time::data, now);
        }
    } else if (was == state::outstanding) {
        charge(w, wave_time::outstanding, now);
    } else if (was == state::drain) {
        if (w.ops != 0)
            return;
        charge(w, wave_time::drain, now);
    } else {
        return;
    }
    settle(i, now);
}

void compute_unit::retire(uint32_t i, tick now)
{
    wave &w = waves_[i];
    work_group &g = *w.group;
    w.at = state::idle;
    stats_.wave_life_ps += now - w.born;
    ++stats_.waves_done;
    observe(compute_unit_events::wave_end, w.age, number_);
    std::vector<uint32_t> &list = simds_[w.simd].waves;
    for (size_t n = 0; n < list.size(); ++n)
        if (list[n] == i) {
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(n));
            break;
        }
    free_waves_.push_back(i);
    --resident_;
    if (freed_at_ != now) {
        freed_at_ = now;
        release_freed();
    }
    ++freed_waves_;
    if (--g.waves_left != 0) {
        release_barrier(g, now);
        return;
    }
    lds_used_ -= g.lds_bytes;
    freed_lds_.push_back({g.lds_first, g.lds_bytes});
    if (lent_to_ != nullptr)
        lent_to_->given_back(g.lds_first,
                             ww_lds_alloc_rounded(local_memory_.as<ww_lds_alloc>(), g.lds_bytes));
    listener_.group_done(number_, g, now);
}

/* Makes waves ready whose port accepts requests again. */
void compute_unit::ports_free(tick now)
{
    port_waiters_ = false;
    for (uint32_t i = 0; i < waves_.size(); ++i) {
        wave &w = waves_[i];
        if (w.at != state::port)
            continue;
        port_waiters_ = port_waiters_ || refused(w);
        if (refused(w))
            continue;
        charge(w, wave_time::port, now);
        become(i, state::ready, now);
    }
}

void compute_unit::step(tick now)
{
    event e;
    while (events_.pop(now, e)) {
        switch (e.kind) {
        case what::start:
            fetch(waves_[e.a]);
            settle(e.a, now);
            break;
        case what::run_end:
            if (simds_[e.a].version == e.b)
                run_ended(e.a, now);
            break;
        case what::local_done:
            operation_done(e.a, e.b, now, nullptr);
            break;
        case what::fetched:
            fetched(e.a, e.b, now);
            break;
        case what::local_answer:
            operation_done(e.a, e.b, now, nullptr);
            accesses_.give(*e.access);
            break;
        case what::answer:
            if (e.access->access == access_kind::read)
                stats_.load_latency.add(clock().floor_cycle(now - e.access->issued));
            stats_.lane_faults += e.access->faults;
            operation_done(e.a, e.b, now, e.access);
            accesses_.give(*e.access);
            break;
        }
    }
    if (port_waiters_)
        ports_free(now);
    if (fetch_waiters_ && code->can_send())
        code_port_free(now);
    for (uint32_t s = 0; s < params_.simds; ++s)
        schedule(s, now);
    wake(events_.next());
}

std::string compute_unit::waiting() const
{
    if (resident_ == 0)
        return fetches_.live() == 0 ? "" : std::to_string(fetches_.live()) + " instruction fetches out";
    uint32_t use = 0, port = 0, local_port = 0, fetch = 0, barrier = 0, other = 0;
    for (const wave &w : waves_) {
        use += w.at == state::use ? 1 : 0;
        port += w.at == state::port && !is_local(w.record) ? 1 : 0;
        local_port += w.at == state::port && is_local(w.record) ? 1 : 0;
        fetch += w.at == state::fetch ? 1 : 0;
        barrier += w.at == state::barrier ? 1 : 0;
        other += w.at == state::outstanding || w.at == state::drain ? 1 : 0;
    }
    return std::to_string(resident_) + " waves resident: " + std::to_string(use) + " wait for a value, " +
           std::to_string(port) + " for the coalescer, " +
           (local ? std::to_string(local_port) + " for the LDS controller, " : "") +
           (code ? std::to_string(fetch) + " for their next instruction, " : "") + std::to_string(barrier) +
           " at a barrier, " + std::to_string(other) + " for outstanding operations; " +
           std::to_string(accesses_.live()) + " memory instructions out";
}

void compute_unit::signals(signal_visitor &v) const
{
    v.value("waves", 12, resident_, "waves on it");
    v.value("lds_bytes", 24, lds_used_, "local memory in use");
    v.value("accesses", 16, accesses_.live(), "memory instructions in flight");
    v.pulse("instruction", 24, stats_.instructions,
            "wave instructions issued; a run of compute instructions counts at its end");
    v.pulse("memory", 8, stats_.memory, "of those, global memory");
    if (code)
        v.pulse("fetch", 8, stats_.fetches, "lines of code asked for");
    v.pulse("wave_end", 12, stats_.waves_done, "waves that ended");
    for (unsigned s = 0; s < simds_.size() && s < signal_visitor::max_array; ++s) {
        const uint32_t w = simds_[s].running;
        v.begin("simd", s);
        v.value("wave", 12, w == nobody ? signal_visitor::nothing : w, "number of the wave that issues");
        v.end();
    }
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* model/walk_unit.cpp - behaviour of the walk unit: requests that wait, and walks. The steps of
 * neighbourhood-aware walking carry the numbers of docs/neighbourhood-coalescing.md. */
#include "model/walk_unit.hpp"

#include <algorithm>

namespace walkway
{

void walk_unit::on_response(tlm::tlm_generic_payload &p, tick at, unsigned)
{
    mem_ext &ext = mem_ext_of(p);
    wake(lines_in_.push(at + clock().cycles(params_.reply_cycles), arrival{ext.owner, ext.home}));
}

walk_unit_stats walk_unit::totals(tick until) const
{
    walk_unit_stats all = stats_;
    all.stall_memory_cycles = mem.blocked_ps() / clock().period();
    if (faults_ != nullptr)
        all.stall_faults_cycles = faults_->port.blocked_ps() / clock().period();
    if (until > occupancy_since_) /* whole cycles: none is lost between two windows */
        all.buffer_occupancy.add(ww_wbuf_count(buffer()), clock().floor_cycle(until - occupancy_since_));
    return all;
}

void walk_unit::count_occupancy(tick now)
{
    if (now <= occupancy_since_)
        return;
    stats_.buffer_occupancy.add(ww_wbuf_count(buffer()), clock().floor_cycle(now - occupancy_since_));
    occupancy_since_ = now;
}

/* The oldest of a queue; false: there is no room. */
bool walk_unit::take_request(unsigned port, tick now)
{
    if (backlog_.size() >= params_.backlog_entries && ww_wbuf_full(buffer()))
        return false;
    xlat_request &r = up[port]->front();
    up[port]->pop();
    ++stats_.requests;
    backlog_.push_back(jobs_.put(job{&r, r.mark, 0, static_cast<uint16_t>(port), 0, false, false, 0, 0}));
    stats_.walks_in_flight.add(jobs_.live());
    if (took_at_ != never)
        stats_.walk_gap.add(clock().floor_cycle(now - took_at_));
    took_at_ = now;
    drain_backlog(now);
    return true;
}

void walk_unit::take_requests(tick now)
{
    queues_wait_ = !up.serve(now, UINT32_MAX, [&](unsigned port) { return take_request(port, now); });
}

void walk_unit::drain_backlog(tick now)
{
    while (!backlog_.empty() && !ww_wbuf_full(buffer())) {
        const uint32_t j = backlog_.front();
        backlog_.pop_front();
        xlat_request &r = *jobs_[j].request;
        jobs_[j].buffered = now;
        r.charge(causes_.backlog, now);
        count_occupancy(now);
        const ww_wbuf_job wanted = {r.va, j, r.instruction, r.vmid, r.cu, tables_.index(r.vmid)};
        const uint32_t slot = ww_wbuf_insert(buffer(), &wanted);
        if (params_.coalesce != WW_COALESCE_OFF) {
            ww_pwst_admit(pwst_.as<ww_pwst>(), buffer(), slot);
            ++stats_.cam.reads;
            ++stats_.cam.writes; /* PL, PA and CL at once */
        }
        observe(walk_unit_events::buffer_enter, r.va, ww_wbuf_count(buffer()));
        fetch_backlog();
    }
}

/* What has waited longest has left the host's caches: it is prefetched before its turn. */
void walk_unit::fetch_backlog()
{
    constexpr size_t job_ahead = 4, request_ahead = 2;
    if (backlog_.size() <= job_ahead)
        return;
    __builtin_prefetch(&jobs_[backlog_[job_ahead]]);
    const auto *request = reinterpret_cast<const char *>(jobs_[backlog_[request_ahead]].request);
    __builtin_prefetch(request, 1);
    __builtin_prefetch(request + 64, 1);
}

/* Rule 2: an idle walker takes what the scheduler picks among the entries without CL. */
void walk_unit::start_walks(tick now)
{
    if (faults_ != nullptr)
        walk_again(now);
    for (uint64_t &word : idle_) {
        while (word != 0) {
            const uint32_t slot = ww_sched_pick(&sched_, buffer(), walks_.pwc(), tables_.all());
            if (slot == WW_WBUF_NONE)
                return;
            const uint32_t w = static_cast<uint32_t>(&word - idle_.data()) * 64 +
                               static_cast<uint32_t>(__builtin_ctzll(word));
            word &= word - 1;
            start(w, slot, now);
            drain_backlog(now);
            if (queues_wait_)
                take_requests(now);
        }
    }
}

/* Rule 3: start at PL/PA if set, else at the root, unless the page-walk cache reaches deeper. */
uint64_t walk_unit::start_of(const ww_wbuf_entry &entry)
{
    uint64_t cached = 0;
    const uint16_t vmid = ww_wbuf_vmid(&entry);
    uint64_t walk = ww_sched_start(&entry, walks_.pwc(), &tables_.of(vmid), &cached);
    if (!tables_.known(vmid))
        walk = tables_.start(vmid, ww_wbuf_va(&entry));
    ++stats_.pwc_lookups;
    ++stats_.pwc_hits[ww_walk_from(cached)];
    if (entry.walk != 0 && (cached == 0 || ww_table_nearer(tables_.kind(), entry.walk, cached)))
        ++stats_.partial_starts;
    return walk;
}

void walk_unit::start(uint32_t w, uint32_t slot, tick now)
{
    const ww_wbuf_entry *entry = ww_wbuf_at(buffer(), slot);
    const uint64_t walk = start_of(*entry);
    ww_sched_took(&sched_, entry);
    const uint32_t j = entry->req;
    jobs_[j].unbuffered = now;
    xlat_request &r = *jobs_[j].request;
    r.charge_part(causes_.held, ww_wbuf_held(buffer(), slot));
    r.charge(causes_.buffer, now);
    count_occupancy(now);
    ww_wbuf_remove(buffer(), slot);
    observe(walk_unit_events::buffer_leave, r.va, ww_wbuf_count(buffer()));
    begin(w, j, walk, now);
}

/* The walker takes a request, whose walk goes on from there. */
void walk_unit::begin(uint32_t w, uint32_t j, uint64_t walk, tick now)
{
    walker &me = walkers_[w];
    xlat_request &r = *jobs_[j].request;
    me.walk = walk;
    me.job = j;
    me.started = now;
    observe(walk_unit_events::walk_start, r.va, w);
    if (sampled())
        touch(w);
    me.va = r.va;
    me.vmid = r.vmid;
    count_cam(1, ww_pwst_begin(pwst_.as<ww_pwst>(), buffer(), w, r.va, r.vmid, ww_walk_step(me.walk)));
    ++stats_.walks_started;
    const tick at = now + clock().cycles(params_.pwc_cycles);
    r.charge(causes_.walk_cache, at);
    if (ww_walk_act(me.walk) == WW_WALK_READ)
        read(w, at);
    else
        hits_in_.push(at, w);
}

/* The parts of a walk's latency are counted with the whole, so that they add up at any moment. */
void walk_unit::answer(uint32_t j, const ww_xlat &x, bool fault, tick now)
{
    const job done = jobs_.take(j);
    xlat_request &r = *done.request;
    stats_.walk_latency.add(clock().floor_cycle(now - done.entered));
    stats_.backlog_latency.add(clock().floor_cycle(done.buffered - done.entered));
    stats_.buffer_latency.add(clock().floor_cycle(done.unbuffered - done.buffered));
    if (done.had_walker)
        stats_.service_latency.add(clock().floor_cycle(done.walked));
    if (done.faulted)
        stats_.fault_latency.add(clock().floor_cycle(now - done.unbuffered - done.walked));
    r.result = x;
    r.fault = fault;
    up[done.port]->respond(r, now + clock().cycles(params_.response_cycles));
}

/* A neighbour's line has completed this request. */
void walk_unit::coalesced(const ww_pwst_done &d, uint32_t w, tick now)
{
    xlat_request &r = *jobs_[d.req].request;
    jobs_[d.req].unbuffered = now;
    r.charge_part(causes_.held, d.held);
    r.charge(causes_.buffer, now);
    ++(d.fault ? stats_.coalesced_faults : stats_.walks_coalesced);
    observe(walk_unit_events::walk_coalesced, r.va, w);
    if (d.fault && parks(r, static_cast<enum ww_walk_why>(d.why)))
        park(d.req);
    else
        answer(d.req, d.xlat, d.fault, now);
}

/* Rule 1: every buffered request of the neighbourhood takes its own entry from the line. */
void walk_unit::deliver(uint32_t w, const uint64_t *line, tick now)
{
    ++stats_.cam.reads;
    ww_pwst *pwst = pwst_.as<ww_pwst>();
    uint64_t completed = 0;
    uint32_t n = 0;
    do {
        if (faults_ != nullptr)
            ww_pwst_set_fault_room(pwst, faults_->table.as<ww_faults>()->count[WW_FAULT_FREE]);
        n = ww_pwst_deliver(pwst, buffer(), w, &tables_.of(walkers_[w].vmid), walkers_[w].walk, line,
                            done_.data(), static_cast<uint32_t>(done_.size()));
        stats_.partial_coalesced += ww_pwst_partials(pwst);
        stats_.cam.writes += ww_pwst_partials(pwst);
        for (uint32_t i = 0; i < n; ++i)
            coalesced(done_[i], w, now);
        completed += n;
    } while (n == done_.size());
    stats_.faults_left += ww_pwst_faults_left(pwst);
    stats_.walks_per_read.add(completed + 1);
}

/* The walker's read is back. No line: memory answered with an error, a fault of this translation and of
 * nobody else's. What coalescing held back for this line is let go as the walk ends, and walks by itself. */
void walk_unit::walk_on(uint32_t w, const uint64_t *line, tick now)
{
    walker &me = walkers_[w];
    xlat_request &r = *jobs_[me.job].request;
    r.charge(causes_.walk[ww_walk_step(me.walk)], now);
    if (sampled())
        touch(w);
    count_occupancy(now);
    if (me.again) {
        start_again(w, now);
        return;
    }
    if (params_.coalesce != WW_COALESCE_OFF && line != nullptr)
        deliver(w, line, now);
    me.refused = false;
    me.walk = ww_table_feed(&tables_.of(me.vmid), me.walk, r.va, line);
    go_on(w, now);
}

void walk_unit::go_on(uint32_t w, tick now)
{
    const walker &me = walkers_[w];
    if (ww_walk_act(me.walk) == WW_WALK_READ) {
        ww_pwc_fill(walks_.pwc(), me.va, me.vmid, me.walk);
        const uint32_t step = ww_walk_step(me.walk);
        if (step != ww_pwst_at(pwst_.as<ww_pwst>(), w).step)
            count_cam(1, ww_pwst_advance(pwst_.as<ww_pwst>(), buffer(), w, step));
        read(w, now);
        return;
    }
    if (ww_walk_act(me.walk) == WW_WALK_DONE) {
        ++stats_.walks_finished;
        end_walk(w, ww_walk_xlat(me.walk), false, now);
        return;
    }
    ++(ww_walk_why(me.walk) == WW_WHY_REFUSED ? stats_.walks_refused : stats_.walks_faulted);
    end_walk(w, ww_xlat{}, true, now);
}

void walk_unit::end_walk(uint32_t w, const ww_xlat &x, bool fault, tick now)
{
    const walker &me = walkers_[w];
    job &mine = jobs_[me.job];
    count_cam(0, ww_pwst_end(pwst_.as<ww_pwst>(), buffer(), w));
    observe(walk_unit_events::walk_end, me.va, w);
    stats_.walker_busy_ps += now - me.started;
    mine.had_walker = true;
    mine.walked += now - me.started;
    if (fault && parks(*mine.request, ww_walk_why(me.walk))) {
        keep(w, now);
        return;
    }
    free_walker(w);
    answer(me.job, x, fault, now);
    end_joined(w, x, fault, now);
}

uint32_t walk_unit::idle_walker() const
{
    for (size_t word = 0; word < idle_.size(); ++word)
        if (idle_[word] != 0)
            return static_cast<uint32_t>(word * 64) + static_cast<uint32_t>(__builtin_ctzll(idle_[word]));
    return no_walker;
}

void walk_unit::step(tick now)
{
    ww_wbuf_set_stamp(buffer(), now);
    if (post_lanes_.next() <= now)
        post_lanes_.step(
            now, [this](const ww_inval_scope &) { forget(); }, [](const xlat_post &) {});
    for (uint32_t w = 0; leaving_.pop(now, w);)
        reads_.push_back(pending_read{w, now + clock().cycles(params_.read_cycles)});
    if (faults_ != nullptr)
        take_handled(now);
    take_lines(now);
    take_requests(now);
    start_walks(now);
    while (hits_in_.next() <= now) { /* walks that take no time at all */
        take_lines(now);
        start_walks(now);
    }
    if (backlog_.size() > stats_.backlog_peak) /* who waits no time does not wait */
        stats_.backlog_peak = backlog_.size();

    send_reads(now);
    if (faults_ != nullptr) {
        send_faults(now);
        wake(faults_->handled.next());
    }
    wake(lines_in_.next());
    wake(hits_in_.next());
    wake(leaving_.next());
    post_lanes_.wake(now);
    if (!queues_wait_) /* else a walk's start wakes us, as it makes room */
        wake(up.next());
}

unsigned walk_unit::debug(xlat_request &r)
{
    return debug_by(walks_, r, now());
}

std::string walk_unit::waiting() const
{
    uint64_t queued = 0;
    for (const auto &port : up)
        queued += port->size();
    if (jobs_.live() == 0 && queued == 0)
        return "";
    return std::to_string(queued) + " requests queued, " + std::to_string(backlog_.size()) +
           " in the backlog, " + std::to_string(buffered()) + " of " +
           std::to_string(params_.buffer_entries) + " in the walk buffer (" + std::to_string(held()) +
           " held), " + std::to_string(busy_walkers()) + " of " + std::to_string(params_.walkers) +
           " walkers busy, " + std::to_string(reads_.size()) + " page-table reads wait for memory" +
           (faults_ == nullptr ? "" : waiting_for_faults());
}

} // namespace walkway

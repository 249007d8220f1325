/* SPDX-License-Identifier: MIT */
/* model/walk_unit.cpp - behaviour of the walk unit. The steps of neighbourhood-aware walking carry the
 * numbers of docs/neighbourhood-coalescing.md. */
#include "model/walk_unit.hpp"

#include <algorithm>
#include <cstring>

namespace walkway
{

namespace
{
/* Results have one set of names for x86-64 tables, whatever their levels. */
const ww_table_kind &named_kind(const ww_table_kind &kind)
{
    return &kind == &ww_radix4 ? ww_radix5 : kind;
}

/* Page-walk caches are parameters of steps by their names. */
ww_pwc_cfg pwc_cfg_of(const walk_unit_params &p, const ww_table_kind *kind)
{
    const std::pair<const char *, uint32_t> sizes[] = {
        {"l5", p.pwc_l5}, {"l4", p.pwc_l4}, {"l3", p.pwc_l3}, {"l2", p.pwc_l2}};
    ww_pwc_cfg cfg = {};
    cfg.kind = kind;
    for (uint32_t step = 1; step <= kind->steps; ++step)
        for (const auto &[name, entries] : sizes)
            if (std::strcmp(kind->step_name[step], name) == 0)
                cfg.entries[step] = entries;
    return cfg;
}
} // namespace

uint64_t walk_unit_params::state_bytes() const
{
    const ww_wbuf_cfg buffer = {buffer_entries, &ww_radix4}; /* as many for every kind of table */
    const ww_pwst_cfg pwst = {walkers, coalesce, &ww_radix4};
    return ww_wbuf_bytes(&buffer) + ww_pwst_bytes(&pwst);
}

walk_unit_causes::walk_unit_causes(const block &owner, uint32_t walkers, const ww_table_kind &kind)
{
    account_names &names = *owner.names();
    backlog = names.add(names.add_track({&owner, "backlog"}), "backlog",
                        "on the link to the walk unit and waiting outside the full walk buffer");
    const uint32_t waits = names.add_track({&owner, "buffer"});
    buffer = names.add(waits, "buffer", "in the walk buffer, free to be taken, no walker free");
    held = names.add(waits, "held", "in the walk buffer with CL set: held back by coalescing");
    const uint32_t walks = names.add_track(
        {&owner, "walker", walkers, &walk_unit_events::walk_start, &walk_unit_events::walk_coalesced});
    walk_cache = names.add(walks, "walk_cache", "page-walk cache and PTE-line cache lookups");
    for (uint32_t left = WW_STEPS_MAX; left != 0; --left) /* in the order of a walk */
        for (uint32_t step = 1; step <= kind.steps; ++step)
            if (kind.left[step] == left)
                walk[step] = names.add(walks, std::string("walk_") + kind.step_name[step],
                                       std::string("page-table read at ") + kind.step_name[step] +
                                           ", path to memory included",
                                       step);
}

walk_unit::walk_unit(const sc_core::sc_module_name &name, const clock_domain &clock,
                     const walk_unit_params &p, const ww_table &table, unsigned requesters)
    : block(name, clock), up(*this, *this, requesters, p.queue_entries), mem("mem", *this, *this), params_(p),
      causes_(*this, p.walkers, named_kind(*table.kind)), table_(table), lines_in_(clock), hits_in_(clock),
      walkers_(p.walkers), idle_((p.walkers + 63) / 64, 0), leaving_(clock), done_(64)
{
    stats_.kind = &named_kind(*table_.kind);
    const ww_wbuf_cfg buffer_cfg = {p.buffer_entries, table_.kind};
    const ww_pwst_cfg pwst_cfg = {p.walkers, p.coalesce, table_.kind};
    const ww_pwc_cfg pwc_cfg = pwc_cfg_of(p, table_.kind);
    buffer_ = blob(ww_wbuf_bytes(&buffer_cfg));
    pwst_ = blob(ww_pwst_bytes(&pwst_cfg));
    pwc_ = blob(ww_pwc_bytes(&pwc_cfg));
    bool ok = ww_wbuf_init(buffer(), buffer_.bytes(), &buffer_cfg) == WW_OK &&
              ww_pwst_init(pwst_.as<ww_pwst>(), pwst_.bytes(), &pwst_cfg) == WW_OK &&
              ww_pwc_init(pwc_.as<ww_pwc>(), pwc_.bytes(), &pwc_cfg) == WW_OK &&
              ww_sched_init(&sched_, p.schedule) == WW_OK;
    if (p.pte_cache_bytes != 0) {
        const ww_pte_cache_cfg cfg = {p.pte_cache_bytes, p.pte_cache_ways};
        pte_cache_ = blob(ww_pte_cache_bytes(&cfg));
        ok = ok && ww_pte_cache_init(pte_cache_.as<ww_pte_cache>(), pte_cache_.bytes(), &cfg) == WW_OK;
    }
    if (p.pte_cache_merge) {
        const ww_mshr_cfg cfg = {p.walkers, p.walkers}; /* a walker has one read at a time: never full */
        reads_out_ = blob(ww_mshr_bytes(&cfg));
        ok = ok && ww_mshr_init(reads_out_.as<ww_mshr>(), reads_out_.bytes(), &cfg) == WW_OK;
    }
    if (!ok)
        fail("/walkway/walk_unit", std::string(this->name()) + ": illegal configuration: " + p.validate());
    for (uint32_t w = 0; w < p.walkers; ++w)
        idle_[w / 64] |= uint64_t{1} << (w % 64);
}

void walk_unit::on_response(tlm::tlm_generic_payload &p, tick at, unsigned)
{
    mem_ext &ext = mem_ext_of(p);
    wake(lines_in_.push(at + clock().cycles(params_.reply_cycles), arrival{ext.owner, ext.home}));
}

walk_unit_stats walk_unit::totals(tick until) const
{
    walk_unit_stats all = stats_;
    all.stall_memory_cycles = mem.blocked_ps() / clock().period();
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
    backlog_.push_back(jobs_.put(job{&r, r.mark, 0, static_cast<uint16_t>(port), 0}));
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
        const ww_wbuf_job wanted = {r.va, j, r.instruction, r.vmid, r.cu};
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
    for (uint64_t &word : idle_) {
        while (word != 0) {
            const uint32_t slot = ww_sched_pick(&sched_, buffer(), pwc_.as<ww_pwc>(), &table_);
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
void walk_unit::start(uint32_t w, uint32_t slot, tick now)
{
    const ww_wbuf_entry *entry = ww_wbuf_at(buffer(), slot);
    walker &me = walkers_[w];
    uint64_t cached = 0;
    me.walk = ww_sched_start(entry, pwc_.as<ww_pwc>(), &table_, &cached);
    ++stats_.pwc_lookups;
    ++stats_.pwc_hits[ww_walk_from(cached)];
    if (entry->walk != 0 && (cached == 0 || ww_table_nearer(table_.kind, entry->walk, cached)))
        ++stats_.partial_starts;
    ww_sched_took(&sched_, entry);
    me.job = entry->job.req;
    me.started = now;
    xlat_request &r = *jobs_[me.job].request;
    r.charge_part(causes_.held, ww_wbuf_held(buffer(), slot));
    r.charge(causes_.buffer, now);
    count_occupancy(now);
    ww_wbuf_remove(buffer(), slot);
    observe(walk_unit_events::buffer_leave, r.va, ww_wbuf_count(buffer()));
    observe(walk_unit_events::walk_start, r.va, w);
    if (sampled())
        touch(w);
    me.va = r.va;
    count_cam(1, ww_pwst_begin(pwst_.as<ww_pwst>(), buffer(), w, r.va, r.vmid, ww_walk_step(me.walk)));
    ++stats_.walks_started;
    const tick at = now + clock().cycles(params_.pwc_cycles);
    r.charge(causes_.walk_cache, at);
    if (ww_walk_act(me.walk) == WW_WALK_READ)
        read(w, at);
    else
        hits_in_.push(at, w);
}

uint64_t walk_unit::pte_pa(uint32_t w) const
{
    ww_walk_read read = {};
    ww_table_next(&table_, walkers_[w].walk, walkers_[w].va, &read);
    return read.pa;
}

/* The walker's next page-table line: from the PTE-line cache, with another walker's read, or from memory. */
void walk_unit::read(uint32_t w, tick at)
{
    walker &me = walkers_[w];
    const uint64_t pte_pa = this->pte_pa(w);
    const uint32_t step = ww_walk_step(me.walk);
    ++stats_.steps[step];
    count_neighbours(w);
    observe(walk_unit_events::walk_read, me.va, w * 8 + step);
    xlat_request &r = *jobs_[me.job].request;
    if (params_.pte_cache_bytes != 0) {
        at += clock().cycles(params_.pte_cache_cycles);
        r.charge(causes_.walk_cache, at);
        me.looked_up = at;
        if (ww_pte_cache_lookup(pte_cache_.as<ww_pte_cache>(), pte_pa, me.line)) {
            ++stats_.pte_cache_hits;
            hits_in_.push(at, w);
            return;
        }
    }
    if (params_.zero_walk) {
        ++stats_.pte_reads;
        look(pte_pa, me.line, &me.refused);
        hits_in_.push(at, w);
        return;
    }
    if (params_.pte_cache_merge && join(w, pte_pa))
        return;
    ++stats_.pte_reads;
    if (at > now())
        leaving_.push(at, w); /* sent now, it would hold up others that leave before it */
    else
        reads_.push_back(pending_read{w, at + clock().cycles(params_.read_cycles)});
}

/* The line as it is in memory now, in no time. */
void walk_unit::look(uint64_t pa, uint64_t *line, bool *refused)
{
    mem_line &read = lines_.read(pa & ~uint64_t{line_bytes - 1});
    *refused = mem->transport_dbg(read) != line_bytes;
    std::memcpy(line, read.data.data(), line_bytes);
    read.release();
}

/* Is this line being read for another walker? Then its answer is ours too; else the read is noted. */
bool walk_unit::join(uint32_t w, uint64_t pte_pa)
{
    auto *out = reads_out_.as<ww_mshr>();
    const uint64_t line_number = pte_pa / line_bytes;
    const uint32_t known = ww_mshr_find(out, line_number);
    if (known == WW_MSHR_NONE) {
        ww_mshr_alloc(out, line_number);
        return false;
    }
    ww_mshr_add(out, known, w);
    ++stats_.pte_reads_merged;
    return true;
}

/* Who joined has the line, or the error, with its arrival, but not before its own lookup of the cache has
 * ended. */
void walk_unit::serve_joined(const mem_line &line, tick now)
{
    auto *out = reads_out_.as<ww_mshr>();
    const uint32_t idx = ww_mshr_find(out, line.get_address() / line_bytes);
    uint32_t place = WW_MSHR_FIRST;
    for (uint64_t w = 0; ww_mshr_read(out, idx, &place, &w);) {
        walker &joined = walkers_[w];
        std::memcpy(joined.line, line.data.data(), sizeof joined.line);
        joined.refused = line.is_response_error();
        hits_in_.push(std::max(now, joined.looked_up), static_cast<uint32_t>(w));
    }
    ww_mshr_free(out, idx);
}

void walk_unit::send_reads(tick now)
{
    while (!reads_.empty() && mem.can_send()) {
        const pending_read next = reads_.front();
        reads_.pop_front();
        const uint64_t pte_pa = this->pte_pa(next.walker);
        mem_line &line = lines_.read(pte_pa & ~uint64_t{line_bytes - 1});
        line.ext.owner = next.walker;
        line.ext.walk = true;
        const tick soonest = now + clock().period();
        mem.send(line, next.at > soonest ? next.at : soonest);
    }
}

/* How many of these accesses could concurrent ones have spared? [M18 Figures 5 and 6] The first access of a
 * neighbourhood marks every other request that waits or walks there; a marked request's own access counts.
 * Before the last step, requests that want the very same entry are left out: page-walk caches serve those. */
void walk_unit::count_neighbours(uint32_t w)
{
    const walker &me = walkers_[w];
    const ww_table_kind &kind = *table_.kind;
    const uint32_t step = ww_walk_step(me.walk);
    job &mine = jobs_[me.job];
    const auto bit = static_cast<uint8_t>(1u << step);
    ++(step == kind.last ? stats_.leaf_accesses : stats_.upper_accesses);
    if ((mine.spared & bit) != 0) {
        ++(step == kind.last ? stats_.leaf_neighbour_accesses : stats_.upper_neighbour_accesses);
        return;
    }
    const uint16_t vmid = mine.request->vmid;
    const auto mark = [&](uint32_t other, uint64_t va) {
        if ((va ^ me.va) >> kind.reach[step] != 0)
            jobs_[other].spared |= bit;
    };
    ww_wbuf_set near;
    ww_wbuf_match(buffer(), me.va, vmid, kind.shift[step], &near);
    for (uint32_t word = 0; word < buffer()->words; ++word)
        for (uint64_t left = near.word[word]; left != 0; left &= left - 1) {
            const uint32_t position = word * 64 + static_cast<uint32_t>(__builtin_ctzll(left));
            const ww_wbuf_job &waits = ww_wbuf_at(buffer(), ww_wbuf_slot_at(buffer(), position))->job;
            mark(waits.req, waits.va);
        }
    for (uint32_t other = 0; other < params_.walkers; ++other) {
        const ww_pwst_entry &e = *ww_pwst_at(pwst_.as<ww_pwst>(), other);
        if (ww_table_neighbours(&kind, e.va, me.va, step) && e.valid && other != w && e.vmid == vmid &&
            ww_table_nearer(&kind, me.walk, walkers_[other].walk))
            mark(walkers_[other].job, e.va);
    }
}

/* The three parts of a walk's latency are counted with the whole, so that they add up at any moment. */
void walk_unit::answer(uint32_t j, const ww_xlat &x, bool fault, tick unbuffered, tick now)
{
    const job done = jobs_.take(j);
    xlat_request &r = *done.request;
    stats_.walk_latency.add(clock().floor_cycle(now - done.entered));
    stats_.backlog_latency.add(clock().floor_cycle(done.buffered - done.entered));
    stats_.buffer_latency.add(clock().floor_cycle(unbuffered - done.buffered));
    r.result = x;
    r.fault = fault;
    up[done.port]->respond(r, now + clock().cycles(params_.response_cycles));
}

/* Rule 1: every buffered request of the neighbourhood takes its own entry from the line. */
void walk_unit::deliver(uint32_t w, const uint64_t *line, tick now)
{
    ++stats_.cam.reads;
    ww_pwst *pwst = pwst_.as<ww_pwst>();
    uint64_t completed = 0;
    uint32_t n = 0;
    do {
        n = ww_pwst_deliver(pwst, buffer(), w, &table_, walkers_[w].walk, line, done_.data(),
                            static_cast<uint32_t>(done_.size()));
        stats_.partial_coalesced += ww_pwst_partials(pwst);
        stats_.cam.writes += ww_pwst_partials(pwst);
        for (uint32_t i = 0; i < n; ++i) {
            const ww_pwst_done &d = done_[i];
            xlat_request &r = *jobs_[d.req].request;
            r.charge_part(causes_.held, d.held);
            r.charge(causes_.buffer, now);
            ++(d.fault ? stats_.coalesced_faults : stats_.walks_coalesced);
            observe(walk_unit_events::walk_coalesced, r.va, w);
            answer(d.req, d.xlat, d.fault, now, now);
        }
        completed += n;
    } while (n == done_.size());
    stats_.walks_per_read.add(completed + 1);
}

/* Lines of one cycle: those from memory first, whenever they became known. */
void walk_unit::take_lines(tick now)
{
    for (arrival in; lines_in_.pop(now, in);) {
        line_arrived(in, now);
        drain_backlog(now);
    }
    for (uint32_t w = 0; hits_in_.pop(now, w);) {
        walker &me = walkers_[w];
        if (ww_walk_act(me.walk) == WW_WALK_READ)
            walk_on(w, me.refused ? nullptr : me.line, now);
        else
            go_on(w, now); /* an address that the table does not translate: nothing was read */
        drain_backlog(now);
    }
}

void walk_unit::line_arrived(const arrival &in, tick now)
{
    const bool refused = in.line->is_response_error();
    uint64_t line[WW_PTE_LINE_WORDS];
    std::memcpy(line, in.line->data.data(), sizeof line);
    if (params_.pte_cache_bytes != 0 && !refused)
        ww_pte_cache_fill(pte_cache_.as<ww_pte_cache>(), in.line->get_address(), line);
    if (params_.pte_cache_merge)
        serve_joined(*in.line, now);
    in.line->release();
    walk_on(in.walker, refused ? nullptr : line, now);
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
    if (params_.coalesce != WW_COALESCE_OFF && line != nullptr)
        deliver(w, line, now);
    me.refused = false;
    me.walk = ww_table_feed(&table_, me.walk, r.va, line);
    go_on(w, now);
}

void walk_unit::go_on(uint32_t w, tick now)
{
    const walker &me = walkers_[w];
    if (ww_walk_act(me.walk) == WW_WALK_READ) {
        ww_pwc_fill(pwc_.as<ww_pwc>(), me.va, jobs_[me.job].request->vmid, me.walk);
        count_cam(1, ww_pwst_advance(pwst_.as<ww_pwst>(), buffer(), w, ww_walk_step(me.walk)));
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
    count_cam(0, ww_pwst_end(pwst_.as<ww_pwst>(), buffer(), w));
    observe(walk_unit_events::walk_end, me.va, w);
    stats_.walker_busy_ps += now - me.started;
    stats_.service_latency.add(clock().floor_cycle(now - me.started));
    idle_[w / 64] |= uint64_t{1} << (w % 64);
    answer(me.job, x, fault, me.started, now);
}

void walk_unit::step(tick now)
{
    ww_wbuf_set_stamp(buffer(), now);
    for (uint32_t w = 0; leaving_.pop(now, w);)
        reads_.push_back(pending_read{w, now + clock().cycles(params_.read_cycles)});
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
    wake(lines_in_.next());
    wake(hits_in_.next());
    wake(leaving_.next());
    if (!queues_wait_) /* else a walk's start wakes us, as it makes room */
        wake(up.next());
}

/* A stage above that looks itself up in this cycle finds what is answered in it: see iommu_tlb. */
void walk_unit::commit(tick until)
{
    const tick due = std::min({lines_in_.next(), hits_in_.next(), leaving_.next(), up.next()});
    if (due <= until && until == now())
        step(until);
}

/* A walk in no time, from the registers. */
unsigned walk_unit::debug(xlat_request &r)
{
    uint64_t walk = ww_table_start(&table_, r.va);
    for (ww_walk_read read = {}; ww_table_next(&table_, walk, r.va, &read) == WW_WALK_READ;) {
        uint64_t line[WW_PTE_LINE_WORDS];
        bool refused = false;
        look(read.pa, line, &refused);
        walk = ww_table_feed(&table_, walk, r.va, refused ? nullptr : line);
    }
    r.fault = ww_walk_act(walk) != WW_WALK_DONE;
    if (!r.fault)
        r.result = ww_walk_xlat(walk);
    return 1;
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
           " walkers busy, " + std::to_string(reads_.size()) + " page-table reads wait for memory";
}

} // namespace walkway

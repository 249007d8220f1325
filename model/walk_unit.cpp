/* SPDX-License-Identifier: MIT */
/* model/walk_unit.cpp - behaviour of the walk unit: waiting requests and walks. The rules of
 * neighbourhood-aware walking have the numbers of docs/model/neighbourhood-coalescing.md. */
#include "model/walk_unit.hpp"

#include "model/common/kernel_blob.hpp"

#include <utility>

namespace walkway
{

/* Results use the step names of five levels for all x86-64 tables. */
static const ww_table_kind &named_kind(const ww_table_kind &kind)
{
    return &kind == &ww_radix4 ? ww_radix5 : kind;
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
        {&owner, "walker", p.places(), &walk_unit_events::walk_start, &walk_unit_events::walk_coalesced});
    walk_cache = names.add(walks, "walk_cache", "page-walk cache and PTE-line cache lookups");
    if (p.march_walks != 0)
        issue = names.add(walks, "walk_issue", "a read that waits for its marching walker to send it");
    each_step(kind, [&](uint32_t step) {
        const std::string at = kind.step_name[step];
        walk[step] =
            names.add(walks, "walk_" + at, "page-table read at " + at + ", path to memory included", step);
    });
}

/* With ideal walk caches every walk has one read left, so an order by reads is one by arrival. */
static const ww_sched_kind &scheduler_of(const walk_unit_params &p)
{
    const ww_sched_kind &kind = p.schedule.kind();
    return p.pwc_ideal && kind.by_reads ? *ww_scheds[0] : kind;
}

walk_unit::walk_unit(const sc_core::sc_module_name &name, const clock_domain &clock,
                     const walk_unit_params &p, const page_tables &tables, unsigned requesters)
    : block(name, clock), up(*this, *this, requesters, p.queue_entries), mem("mem", *this, *this), params_(p),
      causes_(*this, p, named_kind(*tables.kind())), reads_(*this, mem, params_, walks_, stats_),
      walks_(tables, p.caches(tables.kind()), clock, p.times(clock), reads_), tables_(walks_.tables()),
      scheduler_(scheduler_of(p), p.schedule.cfg(p.walkers, p.buffer_entries)), walkers_(p.places()),
      idle_((p.places() + 63) / 64, 0), done_(64), post_lanes_(*this, nullptr, 0)
{
    stats_.kind = &named_kind(*tables_.kind());
    stats_.fault_entries = p.fault_entries;
    stats_.march_walks = p.march_walks;
    if (p.fault_entries != 0)
        faults_ = std::make_unique<parked_faults>(*this, *this, p.fault_entries, stats_);
    if (p.march_walks != 0)
        march_ = std::make_unique<walk_march>(clock, p, stats_);
    for (const auto &port : up) {
        post_lanes_.serve(*port);
        port->translates(walks_);
    }
    buffer_ = kernel_blob(ww_wbuf_bytes, ww_wbuf_init, ww_wbuf_cfg{p.buffer_entries, tables_.kind()});
    pwst_ = kernel_blob(ww_pwst_bytes, ww_pwst_init, ww_pwst_cfg{p.places(), p.coalesce, tables_.kind()});
    if (!walks_.ok() || buffer_.bytes() == 0 || pwst_.bytes() == 0 || !scheduler_.ok() ||
        (march_ != nullptr && !march_->ok()))
        fail("/walkway/walk_unit", std::string(this->name()) + ": illegal configuration: " + p.validate());
    for (uint32_t w = 0; w < p.places(); ++w)
        idle_[w / 64] |= uint64_t{1} << (w % 64);
}

void walk_unit::step(tick now)
{
    ww_wbuf_set_stamp(buffer(), now);
    if (post_lanes_.next() <= now)
        post_lanes_.step(
            now, [this](const ww_inval_scope &) { forget(); }, [](const xlat_post &) {});
    if (faults_ != nullptr)
        faults_->take_handled(now);
    take_lines(now);
    take_requests(now);
    start_walks(now);
    if (march_ != nullptr)
        march(now);
    while (reads_.next() <= now) { /* walks that take no time */
        take_lines(now);
        start_walks(now);
        if (march_ != nullptr)
            march(now);
    }
    /* Counted after the walks that take no time, to leave out requests that start at once. */
    stats_.backlog_peak = std::max<uint64_t>(stats_.backlog_peak, scheduler_.waiting());

    reads_.send(now);
    if (faults_ != nullptr) {
        faults_->send(now);
        wake(faults_->next());
    }
    wake(reads_.next());
    if (march_ != nullptr)
        wake(march_->next_send());
    post_lanes_.wake(now);
    if (!queues_wait_) /* otherwise requests are taken when a walk's start makes room */
        wake(up.next());
}

void walk_unit::on_response(tlm::tlm_generic_payload &p, tick at, unsigned)
{
    wake(reads_.answered(*mem_ext_of(p).home, at));
}

/* Takes requests while there is room: the oldest of each queue in turn, or in order of arrival. */
void walk_unit::take_requests(tick now)
{
    queues_wait_ = !up.serve(now, UINT32_MAX, [&](unsigned port) {
        xlat_request &r = up[port]->front();
        const uint32_t queue = scheduler_.queue_of(r.vmid);
        if (scheduler_.waiting() >= params_.backlog_entries && !scheduler_.room(queue, *buffer()))
            return false;
        up[port]->pop();
        ++stats_.requests;
        scheduler_.arrived(r.vmid);
        scheduler_.queues()[queue].push_back(jobs_.put(
            job{&r, r.mark, 0, static_cast<uint16_t>(port), 0, false, false, 0, taken_of_others(r.vmid), 0}));
        stats_.walks_in_flight.add(jobs_.live());
        if (took_at_ != never)
            stats_.walk_gap.add(clock().floor_cycle(now - took_at_));
        took_at_ = now;
        drain_backlog(now);
        return true;
    });
}

inline void walk_unit::enter_buffer(uint32_t j, tick now)
{
    xlat_request &r = request_of(j);
    jobs_[j].buffered = now;
    r.charge(causes_.backlog, now);
    count_occupancy(now);
    const ww_wbuf_job wanted = {r.va, j, r.instruction, r.vmid, r.cu, tables_.index(r.vmid)};
    const uint32_t slot = ww_wbuf_insert(buffer(), &wanted);
    scheduler_.entered(r.vmid);
    if (params_.coalesce != WW_COALESCE_OFF) {
        ww_pwst_admit(pwst(), buffer(), slot);
        count_cam(1, 0); /* one search sets PL, PA and CL */
    }
    observe(walk_unit_events::buffer_enter, r.va, ww_wbuf_count(buffer()), &r);
}

void walk_unit::drain_backlog(tick now)
{
    uint32_t q = 0;
    for (fifo<uint32_t> &queue : scheduler_.queues()) {
        for (; !queue.empty() && scheduler_.room(q, *buffer()); fetch_backlog(queue)) {
            const uint32_t j = queue.front();
            queue.pop_front();
            enter_buffer(j, now);
        }
        ++q;
    }
}

/* Prefetches queued requests, which have left the host's caches while they waited. */
void walk_unit::fetch_backlog(fifo<uint32_t> &queue)
{
    constexpr size_t job_ahead = 4, request_ahead = 2;
    if (queue.size() <= job_ahead)
        return;
    __builtin_prefetch(&jobs_[queue[job_ahead]]);
    const auto *request = reinterpret_cast<const char *>(jobs_[queue[request_ahead]].request);
    __builtin_prefetch(request, 1);
    __builtin_prefetch(request + 64, 1);
}

uint32_t walk_unit::idle_walker() const
{
    for (size_t word = 0; word < idle_.size(); ++word)
        if (idle_[word] != 0)
            return static_cast<uint32_t>(word * 64) + static_cast<uint32_t>(__builtin_ctzll(idle_[word]));
    return no_walker;
}

/* Rule 2: an idle walker takes what the scheduler picks among the entries without CL. */
inline ww_sched_pick walk_unit::pick(const std::vector<uint64_t> &idle)
{
    if (std::none_of(idle.begin(), idle.end(), [](uint64_t word) { return word != 0; }))
        return {WW_WBUF_NONE, 0};
    return scheduler_.pick(
        {buffer(), walks_.pwc(), tables_.all(), idle.data(), static_cast<uint32_t>(idle.size())});
}

/* If no walker is idle, or none takes an entry, open batches take walks of their groups. */
inline bool walk_unit::next_walk(uint32_t &w, uint32_t &slot)
{
    const ww_sched_pick picked = pick(march_ == nullptr ? idle_ : march_->idle());
    slot = picked.slot;
    w = picked.walker;
    if (march_ != nullptr && slot != WW_WBUF_NONE)
        w = march_->first_place(w);
    else if (march_ != nullptr)
        slot = march_->next(buffer(), w);
    return slot != WW_WBUF_NONE;
}

void walk_unit::start_walks(tick now)
{
    if (faults_ != nullptr)
        walk_again(now);
    for (uint32_t w = 0, slot = 0; next_walk(w, slot);) {
        start(w, slot, now);
        drain_backlog(now);
        if (queues_wait_)
            take_requests(now);
    }
}

/* Walks the oldest request of each handled page again, before buffered ones, since it has waited longer. The
 * walk starts at the registers, since its PL and PA are from before the table's change; the walk caches are
 * valid, since an invalidate removes stale entries. Without an idle walker, one that keeps a walk takes it,
 * and the kept walk gets the freed entry of the fault table: so no request waits for a walker that waits for
 * the table. */
void walk_unit::walk_again(tick now)
{
    for (uint32_t j = 0; (idle_walker() != no_walker || faults_->kept() != 0) && faults_->take(now, j);) {
        const xlat_request &r = request_of(j);
        observe(walk_unit_events::fault_resumed, r.va, faults_->used());
        if (idle_walker() == no_walker)
            park_kept(now);
        const uint32_t w = idle_walker();
        ww_wbuf_entry from_registers{};
        from_registers.word = ww_bits_put(WW_WBUF_VPN, WW_WBUF_VALID, r.va >> WW_PAGE_4K);
        from_registers.word = ww_bits_put(WW_WBUF_VMID, from_registers.word, r.vmid);
        walkers_[w].again_after_fault = true;
        begin(w, j, start_of(from_registers), now);
    }
    park_kept(now);
}

void walk_unit::start(uint32_t w, uint32_t slot, tick now)
{
    const ww_wbuf_entry *entry = ww_wbuf_at(buffer(), slot);
    const uint64_t walk = start_of(*entry);
    scheduler_.took(*entry, march_ == nullptr ? w : march_->walker(w));
    const uint32_t j = entry->req;
    jobs_[j].unbuffered = now;
    xlat_request &r = request_of(j);
    r.charge_part(causes_.held, ww_wbuf_held(buffer(), slot));
    r.charge(causes_.buffer, now);
    count_occupancy(now);
    ww_wbuf_remove(buffer(), slot);
    scheduler_.left(r.vmid);
    if (!of_space_.empty()) {
        of_space_[r.vmid].others += taken_of_others(r.vmid) - jobs_[j].others;
        ++of_space_[r.vmid].walks;
        ++taken_;
    }
    observe(walk_unit_events::buffer_leave, r.va, ww_wbuf_count(buffer()));
    begin(w, j, walk, now);
}

/* Rule 3: starts at PL/PA if set, otherwise at the root, unless the page-walk cache reaches deeper. */
uint64_t walk_unit::start_of(const ww_wbuf_entry &entry)
{
    uint64_t cached = 0;
    const uint16_t vmid = ww_wbuf_vmid(&entry);
    if (params_.pwc_ideal) {
        cached = walks_.last_read_of(ww_wbuf_va(&entry), vmid);
        ++stats_.pwc_lookups;
        ++stats_.pwc_hits[ww_walk_from(cached)];
        return cached;
    }
    uint64_t walk = ww_sched_start(&entry, walks_.pwc(), &tables_.of(vmid), &cached);
    if (!tables_.known(vmid))
        walk = tables_.start(vmid, ww_wbuf_va(&entry));
    ++stats_.pwc_lookups;
    ++stats_.pwc_hits[ww_walk_from(cached)];
    if (entry.walk != 0 && (cached == 0 || ww_table_nearer(tables_.kind(), entry.walk, cached)))
        ++stats_.partial_starts;
    return walk;
}

/* The walker takes a request and continues its walk from `walk`. */
void walk_unit::begin(uint32_t w, uint32_t j, uint64_t walk, tick now)
{
    walker &me = walkers_[w];
    xlat_request &r = request_of(j);
    idle_[w / 64] &= ~(uint64_t{1} << (w % 64));
    if (march_ != nullptr)
        march_->begin(w, r.va, r.vmid, now);
    me = walker{walk, r.va, r.vmid, j, now, me.again_after_fault};
    reads_.forget_ahead(w);
    observe(walk_unit_events::walk_start, r.va, w, &r);
    touch(w);
    count_cam(1, ww_pwst_begin(pwst(), buffer(), w, r.va, r.vmid, ww_walk_step(walk)));
    ++stats_.walks_started;
    const tick at = now + clock().cycles(params_.pwc_cycles);
    r.charge(causes_.walk_cache, at);
    if (ww_walk_act(walk) == WW_WALK_READ)
        read(w, at);
    else
        reads_.pass(w, at);
}

void walk_unit::march(tick now)
{
    for (uint32_t w = 0; march_->send(now, w);) {
        request_of(walkers_[w].job).charge(causes_.issue, now);
        touch(w);
        send_read(w, now);
    }
}

void walk_unit::send_read(uint32_t w, tick at)
{
    const walker &me = walkers_[w];
    const uint32_t step = ww_walk_step(me.walk);
    ww_walk_read entry = {};
    ww_table_next(&tables_.of(me.vmid), me.walk, me.va, &entry);
    count_neighbours(w);
    observe(walk_unit_events::walk_read, me.va, w * 8 + step);
    request_of(me.job).charge(causes_.walk_cache, reads_.ask(w, entry.pa, step, at));
    if (params_.read_ahead)
        read_ahead(w, at);
}

/* Reads ahead the line that the walk needs if the present one is all zero. */
void walk_unit::read_ahead(uint32_t w, tick at)
{
    static const uint64_t nothing[WW_LINE_PTES] = {};
    const walker &me = walkers_[w];
    const ww_table &table = tables_.of(me.vmid);
    const uint64_t next = ww_table_feed(&table, me.walk, me.va, nothing);
    ww_walk_read entry = {};
    if (ww_table_next(&table, next, me.va, &entry) == WW_WALK_READ)
        reads_.ask_ahead(w, entry.pa, ww_walk_step(next), at);
}

/* Counts the accesses that concurrent ones could have spared [M18 Figures 5 and 6]. The first access of a
 * neighbourhood marks every other request that waits or walks in it; a marked request's own access counts.
 * Requests for the same entry are not marked: before the last step, page-walk caches serve those. */
void walk_unit::count_neighbours(uint32_t w)
{
    const walker &me = walkers_[w];
    const ww_table_kind &kind = *tables_.kind();
    const uint32_t step = ww_walk_step(me.walk);
    job &mine = jobs_[me.job];
    const auto bit = static_cast<uint8_t>(1u << step);
    if (!ww_table_shares(&kind, step)) {
        ++stats_.upper_accesses;
        return;
    }
    ++(step == kind.last ? stats_.leaf_accesses : stats_.upper_accesses);
    if ((mine.spared & bit) != 0) {
        ++(step == kind.last ? stats_.leaf_neighbour_accesses : stats_.upper_neighbour_accesses);
        return;
    }
    const auto mark = [&](uint32_t other, uint64_t va) {
        if ((va ^ me.va) >> kind.reach[step] != 0)
            jobs_[other].spared |= bit;
    };
    ww_wbuf_set near;
    ww_wbuf_match(buffer(), me.va, me.vmid, kind.shift[step], &near);
    for (uint32_t word = 0; word < buffer()->ages.words; ++word)
        for (uint64_t left = near.word[word]; left != 0; left &= left - 1) {
            const uint32_t position = word * 64 + static_cast<uint32_t>(__builtin_ctzll(left));
            const ww_wbuf_job waits =
                ww_wbuf_job_of(ww_wbuf_at(buffer(), ww_wbuf_slot_at(buffer(), position)));
            mark(waits.req, waits.va);
        }
    for (uint32_t other = 0; other < params_.places(); ++other) {
        const ww_pwst_entry e = ww_pwst_at(pwst(), other);
        if (ww_table_neighbours(&kind, e.va, me.va, step) && e.valid && other != w && e.vmid == me.vmid &&
            ww_table_nearer(&kind, me.walk, walkers_[other].walk))
            mark(walkers_[other].job, e.va);
    }
}

void walk_unit::take_lines(tick now)
{
    for (walk_reads::arrival in{}; reads_.take(now, in);) {
        if (march_ != nullptr)
            march_->back(in.walker);
        if (ww_walk_act(walkers_[in.walker].walk) == WW_WALK_READ)
            walk_on(in, now);
        else
            go_on(in.walker, now); /* an address that the table does not translate: nothing was read */
        drain_backlog(now);
    }
}

/* The walker's read is complete. Without a line, memory answered with an error: a fault of this translation
 * only. Requests held back for the line are released as the walk ends, and walk by themselves. */
void walk_unit::walk_on(const walk_reads::arrival &in, tick now)
{
    const uint32_t w = in.walker;
    walker &me = walkers_[w];
    request_of(me.job).charge(causes_.walk[ww_walk_step(me.walk)], now);
    touch(w);
    count_occupancy(now);
    if (in.discarded) {
        restart(w);
        read(w, now);
        return;
    }
    if (params_.coalesce != WW_COALESCE_OFF && in.line != nullptr)
        deliver(w, in.line, now);
    me.walk = ww_table_feed(&tables_.of(me.vmid), me.walk, me.va, in.line);
    go_on(w, now);
}

/* Requests held back for the walk's line are released; those that its new first line serves are held. */
void walk_unit::restart(uint32_t w)
{
    walker &me = walkers_[w];
    me.walk = walks_.start(me.va, me.vmid);
    touch(w);
    ++stats_.walks_restarted;
    count_cam(0, ww_pwst_end(pwst(), buffer(), w));
    count_cam(1, ww_pwst_begin(pwst(), buffer(), w, me.va, me.vmid, ww_walk_step(me.walk)));
}

/* Rule 1: every buffered request of the neighbourhood takes its own entry from the line. */
void walk_unit::deliver(uint32_t w, const uint64_t *line, tick now)
{
    ++stats_.cam.reads;
    uint64_t completed = 0;
    uint32_t n = 0;
    do {
        if (faults_ != nullptr)
            ww_pwst_set_fault_room(pwst(), faults_->room());
        n = ww_pwst_deliver(pwst(), buffer(), w, &tables_.of(walkers_[w].vmid), walkers_[w].walk, line,
                            done_.data(), static_cast<uint32_t>(done_.size()));
        stats_.partial_coalesced += ww_pwst_partials(pwst());
        stats_.cam.writes += ww_pwst_partials(pwst());
        for (uint32_t i = 0; i < n; ++i)
            coalesced(done_[i], w, now);
        completed += n;
    } while (n == done_.size());
    stats_.faults_left += ww_pwst_faults_left(pwst());
    stats_.walks_per_read.add(completed + 1);
}

/* A neighbour's line has completed this request. */
void walk_unit::coalesced(const ww_pwst_done &d, uint32_t w, tick now)
{
    xlat_request &r = request_of(d.req);
    jobs_[d.req].unbuffered = now;
    scheduler_.left(r.vmid);
    r.charge_part(causes_.held, d.held);
    r.charge(causes_.buffer, now);
    ++(d.fault ? stats_.coalesced_faults : stats_.walks_coalesced);
    observe(walk_unit_events::walk_coalesced, r.va, w, &r);
    if (d.fault && parks(r, static_cast<enum ww_walk_why>(d.why)))
        park(d.req);
    else
        answer(d.req, d.xlat, d.fault, now);
}

void walk_unit::go_on(uint32_t w, tick now)
{
    const walker &me = walkers_[w];
    if (ww_walk_act(me.walk) != WW_WALK_READ) {
        end_walk(w, now);
        return;
    }
    ww_pwc_fill(walks_.pwc(), me.va, me.vmid, me.walk);
    const uint32_t step = ww_walk_step(me.walk);
    if (step != ww_pwst_at(pwst(), w).step)
        count_cam(1, ww_pwst_advance(pwst(), buffer(), w, step));
    read(w, now);
}

void walk_unit::end_walk(uint32_t w, tick now)
{
    walker &me = walkers_[w];
    const bool fault = ww_walk_act(me.walk) != WW_WALK_DONE;
    const ww_xlat x = fault ? ww_xlat{} : ww_walk_xlat(me.walk);
    ++(!fault                                   ? stats_.walks_finished
       : ww_walk_why(me.walk) == WW_WHY_REFUSED ? stats_.walks_refused
                                                : stats_.walks_faulted);
    job &mine = jobs_[me.job];
    count_cam(0, ww_pwst_end(pwst(), buffer(), w));
    observe(walk_unit_events::walk_end, me.va, w);
    stats_.walker_busy_ps += now - me.started;
    mine.had_walker = true;
    mine.walked += now - me.started;
    const bool again = std::exchange(me.again_after_fault, false);
    if (fault && parks(*mine.request, ww_walk_why(me.walk))) {
        if (again)
            faults_->again(me.va, me.vmid);
        faults_->keep(w, now);
        park_kept(now);
        return;
    }
    free_walker(w, now);
    answer(me.job, x, fault, now);
    if (again)
        faults_->walked(me.va, me.vmid, x, fault, now);
}

/* True if the request waits for its page. Other faults end the walk, as mapping a page does not cure them. */
bool walk_unit::parks(const xlat_request &r, enum ww_walk_why why) const
{
    return faults_ != nullptr && ww_walk_why_absent(why) && r.access != access_kind::prefetch;
}

void walk_unit::park(uint32_t j)
{
    jobs_[j].faulted = true;
    faults_->park(j);
    observe(walk_unit_events::fault_parked, request_of(j).va, faults_->used());
}

void walk_unit::park_kept(tick now)
{
    for (uint32_t w = 0; faults_->take_kept(now, w); free_walker(w, now))
        park(walkers_[w].job);
}

void walk_unit::end_parked(uint32_t j, const ww_xlat &x, bool fault, tick now)
{
    observe(walk_unit_events::fault_resumed, request_of(j).va, faults_->used());
    answer(j, x, fault, now);
}

/* Counts the parts of a walk's latency together with the whole, so that they add up at any time. */
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
    if (!of_space_.empty())
        of_space_[r.vmid].latency_ps += now - done.entered;
    r.result = x;
    r.fault = fault;
    up[done.port]->respond(r, now + clock().cycles(params_.response_cycles));
}

bool walk_unit::invalidate(const invalidation &what, std::function<void(tick)> acknowledged)
{
    const tick began = now();
    if (!post_lanes_.start(what.scope, [this, began, done = std::move(acknowledged)](tick at) {
            stats_.invalidate_latency.add(clock().floor_cycle(at - began));
            done(at);
        }))
        return false;
    ++stats_.invalidates;
    changed_ = what;
    return true;
}

void walk_unit::count_dropped(drop_counts &all) const
{
    all.walk_cache += dropped_.walk_cache;
    all.table_lines += dropped_.table_lines;
    all.buffered += dropped_.buffered;
    all.walks += dropped_.walks;
}

/* Runs before the lines of the cycle are taken. Waiting addresses cannot be stale; what was read, or is being
 * read, can be: walk caches, PL and PA, lines. A line is discarded if any of its entries is in scope, even if
 * it is read for another page, since its whole neighbourhood takes entries from it. A marching walk whose
 * read has not been sent starts again at once: a stale entry may have given its address. */
void walk_unit::forget()
{
    const ww_inval_scope &scope = changed_.scope;
    if (changed_.tables)
        dropped_.walk_cache += walks_.forget_nodes(scope);
    dropped_.table_lines += reads_.forget(changed_.entries);
    for (uint32_t slot = ww_wbuf_oldest(buffer()); slot != WW_WBUF_NONE;
         slot = ww_wbuf_younger(buffer(), slot)) {
        const ww_wbuf_entry *e = ww_wbuf_at(buffer(), slot);
        if (e->walk == 0 || !ww_inval_covers(&scope, ww_wbuf_va(e), WW_PAGE_4K, ww_wbuf_vmid(e)))
            continue;
        ++dropped_.buffered;
        ww_wbuf_clear_partial(buffer(), slot);
    }
    for (uint32_t w = 0; w < params_.places(); ++w) {
        const ww_pwst_entry e = ww_pwst_at(pwst(), w);
        if (e.valid && ww_walk_act(walkers_[w].walk) == WW_WALK_READ &&
            ww_inval_covers(&scope, e.va, tables_.kind()->shift[e.step], e.vmid)) {
            ++dropped_.walks;
            if (march_ != nullptr && march_->waits(w))
                restart(w);
            else
                reads_.discard(w);
        }
    }
}

walk_unit_stats walk_unit::totals(tick until) const
{
    walk_unit_stats all = stats_;
    all.stall_memory_cycles = mem.blocked_ps() / clock().period();
    if (faults_ != nullptr)
        all.stall_faults_cycles = faults_->port.blocked_ps() / clock().period();
    add_occupancy(all, until);
    return all;
}

/* Counts whole cycles, so that none is lost between two windows. */
void walk_unit::add_occupancy(walk_unit_stats &to, tick until) const
{
    if (until > occupancy_since_)
        to.buffer_occupancy.add(ww_wbuf_count(buffer()), clock().floor_cycle(until - occupancy_since_));
}

std::string walk_unit::waiting() const
{
    uint64_t queued = 0;
    for (const auto &port : up)
        queued += port->size();
    if (jobs_.live() == 0 && queued == 0)
        return "";
    return std::to_string(queued) + " requests queued, " + std::to_string(scheduler_.waiting()) +
           " in the backlog, " + std::to_string(buffered()) + " of " +
           std::to_string(params_.buffer_entries) + " in the walk buffer (" + std::to_string(held()) +
           " held), " + std::to_string(busy_walkers()) + " of " + std::to_string(params_.places()) +
           " walkers busy, " + std::to_string(reads_.at_port().size()) + " page-table reads wait for memory" +
           (faults_ == nullptr ? "" : faults_->waiting());
}

} // namespace walkway

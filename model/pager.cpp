/* SPDX-License-Identifier: MIT */
/* model/pager.cpp - behaviour of the pager. */
#include "model/pager.hpp"

#include <algorithm>
#include <cstring>

namespace walkway
{

namespace
{

const signal_states &pager_states()
{
    static const signal_states states = {WALKWAY_SIGNAL_STATES("pager_state", WALKWAY_PAGER_STATE_LIST)};
    return states;
}

} // namespace

void pager_stats::visit(stat_visitor &v) const
{
    v.count("faults", faults, "count", "faults taken from the walk units");
    v.count("joined", joined, "count", "of those, for a page that was queued or being handled");
    v.count("already", already, "count", "pages that were mapped when their turn came");
    v.count("refused", refused, "count", "pages that do not exist");
    v.count("answered", answered, "count", "faults answered; = faults at the end of a run");
    v.count("asked", asked, "count", "pages asked for without a fault");
    v.count("company", company, "count", "pages that were fetched with those");
    v.count("pages_mapped", pages_mapped, "count", "pages mapped");
    v.count("lines_written", lines_written, "count", "lines of page tables written");
    v.count("busy_ps", busy_ps, "ps", "time in which a page was being handled");
    v.count("unmapped", unmapped, "count", "pages taken out of their tables");
    v.count("remapped", remapped, "count", "pages given other frames");
    v.count("protected", protected_, "count", "pages that lost the right to write");
    v.count("permitted", permitted, "count", "pages that were given the right to write");
    v.count("exchanged", exchanged, "count", "times that two VM-IDs exchanged their tables");
    v.count("absent", absent, "count", "pages that were to be changed and were not mapped");
    v.count("invalidates", invalidates, "count",
            "invalidates of the whole machine, after tables were written");
    v.hist("invalidate_latency", invalidate_latency, "cycles", "of those, until the acknowledgement");
    v.count("flushes", flushes, "count", "times that lines were taken out of every data cache");
    v.hist("flush_latency", flush_latency, "cycles", "of those, until memory had what caches had written");
    v.hist("latency", latency, "cycles", "of the handling of a page, its writes included");
}

pager::pager(const sc_core::sc_module_name &name, const clock_domain &clock, const pager_params &p,
             page_plan &plan, unsigned requesters)
    : block(name, clock), up(*this, *this, requesters, p.queue_entries), mem("mem", *this, *this), params_(p),
      plan_(plan), table_(ww_faults_bytes(p.entries)), rules_(plan.batch())
{
    if (ww_faults_init(table_.as<ww_faults>(), table_.bytes(), p.entries) != WW_OK)
        fail("/walkway/pager", std::string(this->name()) + ": illegal number of entries");
    ww_rng_init(&random_, p.seed);
}

void pager::visit(stat_visitor &v, tick) const
{
    stats_.visit(v);
    if (rules_.faults == 1)
        return;
    v.count("batches", stats_.batches, "count", "times that faults were taken, to be handled together");
    v.count("parts", stats_.parts, "count", "of those, parts that were handled one after the other");
}

void pager::laws(law_list &list) const
{
    const pager_stats &s = stats_;
    list.add("every fault answered", s.faults, s.answered);
    list.add("faults, pages asked for and their company = joined + already mapped + refused + mapped + "
             "changed + absent",
             s.faults + s.asked + s.company,
             s.joined + s.already + s.refused + s.pages_mapped + s.unmapped + s.remapped + s.protected_ +
                 s.permitted + s.absent);
    list.add("invalidates begun = acknowledged", s.invalidates, s.invalidate_latency.count());
    list.add("flushes begun = done", s.flushes, s.flush_latency.count());
    if (!to_others_)
        list.add("words of the page tables that memory lacks", plan_.words_lacking(), 0);
}

void pager::flows(std::vector<block_flow> &list, tick) const
{
    list.push_back({"faults", stats_.faults, stats_.answered, places_.live()});
}

void pager::change(page_change what, uint64_t va, uint16_t vmid, std::function<void(tick, bool)> acknowledged)
{
    change(what, {va, 1, vmid}, [f = std::move(acknowledged)](tick at, const change_result &c) {
        if (f)
            f(at, c.absent == 0);
    });
}

void pager::change(page_change what, const page_span &of, answer_fn acknowledged)
{
    if (!maps(what) && !invalidate_)
        fail("/walkway/pager", std::string(name()) + ": a page is to be changed, and no block invalidates");
    /* A driver requests fetches as lines are used. They begin a cycle later, after all else of this cycle. */
    const tick from = clock().ceil(now()) + (what == page_change::fetch ? clock().period() : 0);
    asked_.push_back({what, of, std::move(acknowledged), false, 0, from});
    wake(from);
}

void pager::exchange(uint16_t vmid, uint16_t other, answer_fn acknowledged)
{
    if (!invalidate_ || registers_.empty() || !plan_.alike(vmid, other))
        fail("/walkway/pager", std::string(name()) + ": tables are to be exchanged that are not alike, or "
                                                     "no block has their registers");
    asked_.push_back({page_change::remap, {0, 1, vmid}, std::move(acknowledged), true, other, now()});
    wake(clock().ceil(now()));
}

/* The fault table identifies a page of any size by its first address. */
bool pager::take_fault(unsigned port)
{
    auto *table = table_.as<ww_faults>();
    if (ww_faults_full(table))
        return false;
    fault_request &f = up[port]->front();
    up[port]->pop();
    ++stats_.faults;
    uint64_t va = f.va;
    plan_.page_of(f.vmid, f.va, &va);
    const uint32_t slot = ww_faults_park(table, va, f.vmid, places_.put({&f, port}));
    stats_.joined += ww_faults_role(table, slot) == WW_FAULT_JOINED;
    return true;
}

/* Begins the next job: a requested change, otherwise the oldest faults. Returns false if there is none, or
 * only faults, and the pause after the last batch is not over. */
bool pager::begin(tick now)
{
    job_ = job{};
    job_.began = now;
    if (!asked_.empty() && asked_.front().from <= now) {
        asked &a = asked_.front();
        job_.what = a.what;
        job_.of = a.of;
        job_.acknowledged = std::move(a.acknowledged);
        const bool exchanges = a.exchanges;
        const uint16_t other = a.other;
        asked_.pop_front();
        job_.due = now;
        job_.exchanges = exchanges;
        job_.other = other;
        if (!exchanges)
            find_pages();
        stats_.asked += job_.pages.size() + job_.done.absent;
    } else {
        if (now < paused_to_ || !take_batch())
            return false;
        ++stats_.batches;
        const auto there = [this](const page_fault &f) { return plan_.mapped(f.vmid, f.va); };
        const auto kind = static_cast<ww_latency_kind>(params_.latency);
        const bool all = std::all_of(job_.faults.begin(), job_.faults.end(), there);
        next_part(all ? now : now + clock().cycles(ww_latency_draw(&random_, kind, params_.mean_cycles)));
    }
    state_ = state::HANDLE;
    return true;
}

/* Takes the oldest faulted pages until the batch is full, and sorts them by address. */
bool pager::take_batch()
{
    auto *table = table_.as<ww_faults>();
    for (uint32_t taken = 0; taken < rules_.faults;) {
        const uint32_t slot = ww_faults_oldest(table, WW_FAULT_QUEUED);
        if (slot == WW_FAULTS_NONE)
            break;
        const page_fault f = {ww_faults_va(table, slot), ww_faults_vmid(table, slot), false};
        ww_faults_sent(table, slot);
        job_.faults.push_back(f);
        for (uint32_t of = WW_FAULTS_NONE;
             taken < rules_.faults && (of = ww_faults_of(table, f.va, f.vmid, of)) != WW_FAULTS_NONE;)
            ++taken;
    }
    std::sort(job_.faults.begin(), job_.faults.end(), before);
    return !job_.faults.empty();
}

/* Begins the next part: the page of the first remaining fault, and the pages of its part that follow. */
void pager::next_part(tick from)
{
    const page_fault &first = job_.faults[job_.parts_to++];
    ++stats_.parts;
    job_.of = {first.va, 1, first.vmid};
    job_.done = {};
    job_.ready = false;
    job_.pages.clear();
    find_pages();
    for (; !job_.pages.empty() && job_.parts_to != job_.faults.size(); ++job_.parts_to) {
        const page_fault &f = job_.faults[job_.parts_to];
        uint64_t page_va = 0;
        if (f.vmid != first.vmid || plan_.part_of(f.vmid, f.va) != plan_.part_of(f.vmid, first.va) ||
            !plan_.page_of(f.vmid, f.va, &page_va))
            break;
        job_.pages.push_back(page_va);
    }
    const size_t faulted = job_.pages.size();
    if (faulted != 0)
        plan_.add_company(first.vmid, job_.pages);
    stats_.company += job_.pages.size() - faulted;
    job_.due = from + clock().cycles(rules_.part_cycles);
    state_ = state::HANDLE;
}

void pager::find_pages()
{
    constexpr uint64_t smallest = 4096;
    const uint64_t last = job_.of.va + (job_.of.bytes - 1);
    for (uint64_t va = job_.of.va;;) {
        uint64_t first = va & ~(smallest - 1), bytes = smallest;
        if (plan_.page_of(job_.of.vmid, va, &first)) {
            job_.pages.push_back(first);
            bytes = plan_.bytes_of(job_.of.vmid, first);
        } else {
            ++job_.done.absent;
        }
        if (last - first < bytes)
            return;
        va = first + bytes;
    }
}

/* Called when the latency or a step is over: begins the next step of the plan; if there is none, maps or
 * changes the pages, or exchanges the tables. */
void pager::go_on()
{
    state_ = state::WRITE;
    page_step next;
    if (job_.exchanges) {
        exchange_tables();
    } else if (!job_.pages.empty() && plan_.next_step(job_.what, job_.of.vmid, job_.pages, &next)) {
        take(next);
        return;
    } else {
        write();
    }
    job_.ready = true;
}

/* Begins a step of the plan. Adds the lines of each node once, the nodes in reverse, since lines are written
 * from the end of the list. */
void pager::take(page_step &s)
{
    std::set<uint64_t> seen;
    std::vector<uint64_t> once;
    for (const uint64_t node_pa : s.nodes)
        if (seen.insert(node_pa).second)
            once.push_back(node_pa);
    for (auto node = once.rbegin(); node != once.rend(); ++node)
        compare(*node);
    job_.done.lines += static_cast<uint32_t>(changes_.size());
    s.stale.entries = changes_;
    old_ = s.stale;
    stale_ = s.invalidates;
    flushes_ = std::move(s.flushes);
    copies_ = std::move(s.copies);
}

/* Maps or changes the pages in the plan, and finds the lines that memory lacks. */
void pager::write()
{
    const bool map = maps(job_.what);
    std::vector<uint64_t> changed;
    for (const uint64_t va : job_.pages)
        if (plan_.mapped(job_.of.vmid, va) != map)
            changed.push_back(va);
    job_.done.changed = static_cast<uint32_t>(changed.size());
    job_.done.same = static_cast<uint32_t>(job_.pages.size() - changed.size());
    stats_.refused += job_.done.absent;
    (map ? stats_.already : stats_.absent) += job_.done.same;
    for (const uint64_t va : changed)
        change_plan(va);
    std::set<uint64_t> nodes;
    for (const uint64_t va : changed)
        find_changes(va, nodes);
    job_.done.lines += static_cast<uint32_t>(changes_.size());
    if (map || changed.empty())
        return;
    const uint64_t end = changed.back() + plan_.bytes_of(job_.of.vmid, changed.back());
    const bool all = plan_.forgets_all(job_.of.vmid, job_.what);
    old_.scope = all ? ww_inval_space(job_.of.vmid)
                     : ww_inval_range(changed.front(), end - changed.front(), job_.of.vmid);
    old_.tables = all;
    old_.entries = changes_;
    stale_ = !changes_.empty();
}

/* Writes no line: everything is invalidated, since cached entries now belong to the other VM-ID. */
void pager::exchange_tables()
{
    ++stats_.exchanged;
    plan_.exchange(job_.of.vmid, job_.other);
    for (const register_fn &write : registers_)
        for (const uint16_t vmid : {job_.of.vmid, job_.other})
            write(vmid, plan_.table(vmid));
    old_.scope = ww_inval_all();
    old_.tables = true;
    old_.entries.clear();
    stale_ = true;
}

void pager::change_plan(uint64_t va)
{
    const uint16_t vmid = job_.of.vmid;
    switch (job_.what) {
    case page_change::map:
    case page_change::fetch:
        ++stats_.pages_mapped;
        plan_.map(vmid, va);
        break;
    case page_change::unmap:
        ++stats_.unmapped;
        plan_.unmap(vmid, va);
        break;
    case page_change::remap:
        ++stats_.remapped;
        plan_.remap(vmid, va);
        break;
    case page_change::protect:
    case page_change::permit:
        ++(job_.what == page_change::protect ? stats_.protected_ : stats_.permitted);
        plan_.protect(vmid, va, job_.what == page_change::permit);
        break;
    }
}

/* The table is written: removes the old translations from every stage. */
void pager::invalidate(tick now)
{
    state_ = state::INVALIDATE;
    ++stats_.invalidates;
    const auto acknowledged = [this, now](tick at, const drop_counts &dropped) {
        const uint64_t lines = job_.done.dropped.table_lines; /* dropped while lines were written */
        stats_.invalidate_latency.add(clock().floor_cycle(at - now));
        job_.done.dropped = dropped;
        job_.done.dropped.table_lines += lines;
        invalidated_at_ = clock().ceil(at);
        wake(invalidated_at_);
    };
    invalidate_(old_, acknowledged);
    stale_ = false;
}

/* Adds lines in the order of a walk. They are written from the end, so that no entry points to a node that
 * memory lacks. A node that several pages share is listed with the first of their walks, before all nodes
 * below it. */
void pager::find_changes(uint64_t va, std::set<uint64_t> &nodes)
{
    const ww_table &table = plan_.table(job_.of.vmid);
    uint64_t walk = ww_table_start(&table, va);
    for (ww_walk_read read = {}; ww_table_next(&table, walk, va, &read) == WW_WALK_READ;) {
        const uint64_t node_pa = read.pa & ~uint64_t{4095};
        if (nodes.insert(node_pa).second)
            compare(node_pa);
        walk = ww_table_feed(&table, walk, va,
                             plan_.node(node_pa) + (read.pa % 4096 / line_bytes) * (line_bytes / 8));
    }
}

/* Adds the lines of the node that memory lacks. */
void pager::compare(uint64_t node_pa)
{
    const uint64_t *node = plan_.node(node_pa);
    for (uint64_t line = 0; line < 4096 / line_bytes; ++line) {
        mem_line &there = lines_.read(node_pa + line * line_bytes);
        mem->transport_dbg(there);
        if (std::memcmp(there.data.data(), node + line * (line_bytes / 8), line_bytes) != 0)
            changes_.push_back(node_pa + line * line_bytes);
        there.release();
    }
}

void pager::on_response(tlm::tlm_generic_payload &p, tick at, unsigned)
{
    if (p.is_response_error())
        fail("/walkway/pager", std::string(name()) + ": memory refuses to be written at " +
                                   std::to_string(p.get_address()) + ", where a page table lies");
    mem_ext_of(p).home->release();
    answer_at_ = clock().ceil(at);
    wake(answer_at_);
}

/* Notes the pages of a part that is complete, or its fault as refused, for finish() to answer. */
void pager::close_part()
{
    if (job_.pages.empty())
        job_.done_with.push_back({job_.of.va, job_.of.vmid, true});
    for (const uint64_t va : job_.pages)
        job_.done_with.push_back({va, job_.of.vmid, false});
}

/* Begins the next part; after the last one, ends the job: acknowledges a change and answers the faults. */
void pager::finish(tick now)
{
    const bool faulted = !job_.faults.empty();
    if (faulted) {
        close_part();
        if (job_.parts_to != job_.faults.size()) {
            next_part(now);
            return;
        }
        paused_to_ = now + clock().cycles(rules_.pause_cycles);
    }
    state_ = state::IDLE;
    stats_.busy_ps += now - job_.began;
    stats_.latency.add(clock().floor_cycle(now - job_.began));
    if (job_.acknowledged)
        job_.acknowledged(now, job_.done);
    if (job_.exchanges)
        return;
    if (!faulted && !maps(job_.what) && !job_.pages.empty())
        return; /* faults on these pages stay queued until their turn */
    if (!faulted)
        close_part();
    for (const page_fault &f : job_.done_with)
        answer_faults(f, now);
}

/* Answers the faults of a page. If the page came into the job without a fault, its oldest fault counts as
 * joined, too. */
void pager::answer_faults(const page_fault &of, tick now)
{
    auto *table = table_.as<ww_faults>();
    if (!std::binary_search(job_.faults.begin(), job_.faults.end(), of, before))
        stats_.joined += ww_faults_of(table, of.va, of.vmid, WW_FAULTS_NONE) != WW_FAULTS_NONE;
    uint32_t number = 0;
    while (ww_faults_leave(table, of.va, of.vmid, &number)) {
        const place p = places_.take(number);
        p.fault->taken = job_.began;
        p.fault->refused = of.refused;
        ++stats_.answered;
        up[p.port]->respond(*p.fault, now + clock().period());
    }
}

void pager::flush()
{
    state_ = state::FLUSH;
    if (flushes_.empty())
        return;
    flushed_at_ = never;
    ++stats_.flushes;
    flush_(flushes_, [this, began = now()](tick at) {
        stats_.flush_latency.add(clock().floor_cycle(at - began));
        plan_.flushed();
        flushed_at_ = clock().ceil(at);
        wake(flushed_at_);
    });
    flushes_.clear();
}

void pager::copy()
{
    state_ = state::COPY;
    if (!copies_.empty() && copy_) {
        copied_at_ = never;
        copy_(copies_, [this](tick at) {
            copied_at_ = clock().ceil(at);
            wake(copied_at_);
        });
    }
    copies_.clear();
}

/* Takes the job through its step: invalidates once all lines are written, flushes caches, moves contents.
 * Returns true at the end of the step. */
bool pager::step_over(tick now)
{
    if (state_ == state::WRITE && changes_.empty() && stale_)
        invalidate(now);
    const bool invalidated = invalidated_at_ <= now;
    if (invalidated)
        plan_.settle();
    if ((state_ == state::WRITE && changes_.empty()) || invalidated) {
        invalidated_at_ = never;
        flush();
    }
    if (state_ == state::FLUSH && flushed_at_ <= now)
        copy();
    return state_ == state::COPY && copied_at_ <= now;
}

void pager::step(tick now)
{
    if (answer_at_ <= now) {
        answer_at_ = never;
        for (const written_fn &f : written_)
            job_.done.dropped.table_lines += f(changes_.back());
        changes_.pop_back();
    }
    for (bool more = true; more;) {
        full_ = !up.serve(now, UINT32_MAX, [this](unsigned port) { return take_fault(port); });
        if (state_ == state::HANDLE && job_.due <= now)
            go_on();
        while (state_ != state::IDLE && step_over(now))
            if (job_.ready)
                finish(now);
            else
                go_on();
        if (state_ == state::IDLE)
            more = begin(now) || (full_ && paused_to_ <= now); /* the table is empty now */
        else
            more = state_ == state::HANDLE && job_.due <= now;
    }
    if (state_ == state::WRITE && lines_.live() == 0 && answer_at_ == never && mem.can_send()) {
        mem_line &line = lines_.write(changes_.back());
        std::memcpy(line.data.data(),
                    plan_.node(changes_.back() & ~uint64_t{4095}) + changes_.back() % 4096 / 8, line_bytes);
        ++stats_.lines_written;
        mem.send(line, now + clock().period());
    }
    if (state_ == state::HANDLE)
        wake(job_.due);
    else if (state_ == state::IDLE && !asked_.empty())
        wake(asked_.front().from);
    if (state_ == state::IDLE && (full_ || ww_faults_used(table_.as<ww_faults>()) != 0))
        wake(paused_to_);
    wake(answer_at_);
    wake(invalidated_at_);
    if (state_ == state::FLUSH)
        wake(flushed_at_);
    if (state_ == state::COPY)
        wake(copied_at_);
    if (!full_)
        wake(up.next());
}

std::string pager::waiting() const
{
    uint64_t queued = ww_faults_used(table_.as<ww_faults>()) + asked_.size();
    for (const auto &port : up)
        queued += port->size();
    if (queued == 0 && state_ == state::IDLE)
        return "";
    return std::to_string(queued) + " faults and pages asked for, " +
           (state_ == state::IDLE         ? "none is being handled"
            : state_ == state::HANDLE     ? "one is being handled"
            : state_ == state::INVALIDATE ? "the old translation of one is being invalidated"
            : state_ == state::FLUSH      ? "caches write back what they have of one"
            : state_ == state::COPY       ? "contents are being moved"
                                    : std::to_string(changes_.size()) + " lines of its table to be written");
}

void pager::signals(signal_visitor &visitor) const
{
    visitor.show([&](auto &v) {
        const bool busy = state_ != state::IDLE;
        v.value("queued", 13, ww_faults_used(table_.as<ww_faults>()), "faults queued or being handled");
        v.state("state", pager_states(), static_cast<uint64_t>(state_), "what it does");
        v.value("vpn", 45, busy ? job_.of.va >> 12 : signal_visitor::nothing,
                "virtual page number of its page");
        v.value("vmid", 16, busy ? job_.of.vmid : signal_visitor::nothing, "and its address space");
        v.pulse("mapped", 8, stats_.pages_mapped, "pages mapped");
        v.pulse("written", 8, stats_.lines_written, "lines of page tables written");
    });
}

} // namespace walkway

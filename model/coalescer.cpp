/* SPDX-License-Identifier: MIT */
/* model/coalescer.cpp - behaviour of the coalescer. */
#include "model/coalescer.hpp"

#include "model/common/signals.hpp"

#include <algorithm>
#include <cstdio>

namespace walkway
{

void coalescer_stats::visit(stat_visitor &v) const
{
    v.count("instructions", instructions, "count", "wave memory instructions taken");
    v.count("lanes", lanes, "count", "active lanes of those");
    v.count("translations", translations, "count",
            "translations asked of the L1 TLB: distinct pages of an "
            "instruction that joined no waiting one");
    v.count("answered", answered, "count", "translations answered; = translations at the end of a run");
    v.count("window_merged", window_merged, "count",
            "distinct pages that joined one still waiting to be sent");
    v.count("lines", lines, "count", "distinct lines asked of the L1D");
    v.count("faults", faults, "count", "translations that found no page");
    v.count("faults_denied", faults_denied, "count",
            "pages of accesses that would write and that their translation lets only read");
    v.count(
        "wait_lanes_cycles", wait_lanes_cycles, "cycles",
        "time that instructions waited in its queue while lanes of the one before were compared, added up");
    v.count("wait_slot_cycles", wait_slot_cycles, "cycles",
            "time that instructions waited in its queue for one of those in flight to end, added up");
    v.count("wait_line_cycles", wait_line_cycles, "cycles",
            "time that lines whose page was translated waited to be sent, added up");
    v.count("stall_tlb_cycles", stall_tlb_cycles, "cycles",
            "cycles in which a translation stood outside the full queue of the L1 TLB");
    v.count("stall_l1d_cycles", stall_l1d_cycles, "cycles",
            "cycles in which a line stood outside the full queue of the L1D");
    v.hist("pages_per_instruction", pages_per_instruction, "pages",
           "distinct pages of a wave memory instruction");
    v.hist("lines_per_instruction", lines_per_instruction, "lines",
           "distinct lines of a wave memory instruction");
    v.hist("translation_latency", translation_latency, "cycles", "from a request to its translation");
    v.hist("last_lane_latency", last_lane_latency, "cycles",
           "from an instruction's acceptance to the translation of its last lane");
    v.hist("translations_until_last_lane", translations_until_last_lane, "translations",
           "translations answered to the compute unit from an instruction's acceptance until its last lane "
           "is served");
}

void coalescer::laws(law_list &list) const
{
    list.add_to("account", "translations whose causes miss their latency", stats_.unaccounted, 0,
                stats_.story);
    list.add_to("account", "sum of causes = sum of latencies (ps)", stats_.account.total(), stats_.latency_ps,
                stats_.story);
    list.add("every translation answered", stats_.translations, stats_.answered);
    if (of_space_.empty())
        return;
    space_stats all;
    for (const space_stats &s : of_space_) {
        all.answered += s.answered;
        all.latency_ps += s.latency_ps;
    }
    list.add("translations answered = those of all VM-IDs", stats_.answered, all.answered);
    list.add("sum of latencies = those of all VM-IDs (ps)", stats_.latency_ps, all.latency_ps);
}

coalescer::coalescer(const sc_core::sc_module_name &name, const clock_domain &clock,
                     const coalescer_params &p)
    : block(name, clock), up("up", *this, *this, p.queue_entries), xlat("xlat", *this, *this),
      mem("mem", *this, *this), params_(p), slots_(p.instructions), events_(clock), turn_(*this, xlat),
      below_(xlat)
{
    up.translates(below_);
    names()->add_track({this, ""}); /* the track of whole translations */
    stats_.account = account_sums(names());
    for (uint32_t i = p.instructions; i-- > 0;)
        free_slots_.push_back(i);
    if (p.window != 0) {
        window_ = pending_misses<uint32_t>({p.window, 0});
        if (!window_.ok())
            fail("/walkway/coalescer", "illegal window");
    }
}

void coalescer::on_response(xlat_request &r, tick at, unsigned)
{
    wake(events_.push(at, event{&r, 0}));
}

void coalescer::on_response(tlm::tlm_generic_payload &p, tick at, unsigned)
{
    /* Only the last line of an instruction matters: the others are counted here, without an activation. */
    mem_line &line = *mem_ext_of(p).home;
    const uint32_t idx = line.ext.owner / 2;
    const uint32_t generation = line.ext.owner % 2;
    slot &s = slots_[idx];
    line.release();
    s.lines_in = at > s.lines_in ? at : s.lines_in;
    if (--s.inside[generation] == 0)
        turn_.end(static_cast<uint8_t>(generation), s.lines_in);
    if (--s.lines_left == 0 && s.pages_left == 0)
        wake(events_.push(s.lines_in, event{nullptr, idx}));
}

void coalescer::accept(tick now)
{
    if (!up.ready(now) || free_slots_.empty() ||
        lanes_free_ > now) /* ready() first: it admits a waiting one */
        return;
    wave_access &a = up.front();
    const tick came = up.due();
    const tick lanes = lanes_free_ > came ? lanes_free_ - came : 0;
    waited_lanes_ += lanes;
    waited_slot_ += now - came - lanes;
    up.pop();
    const uint32_t idx = free_slots_.back();
    free_slots_.pop_back();
    ++slots_used_;
    slot &s = slots_[idx];
    s.access = &a;
    a.lanes.page_shift = params_.page_shift;
    ww_coalesce(&a.lanes, &s.out);
    for (uint32_t page = 0; page < s.out.pages; ++page)
        if (s.out.page_va[page] >> params_.va_bits != 0)
            fail("/walkway/trace", "an access to virtual address " + std::to_string(s.out.page_va[page]) +
                                       ", beyond the " + std::to_string(params_.va_bits) +
                                       " bits of address_space.levels");
    s.pages_left = s.out.pages;
    s.lines_left = s.out.lines;
    s.next_page = 0;
    s.serial = accepted_++;
    s.started = now;
    s.lines_in = now;
    s.answered_before = stats_.answered;
    a.translated = now;
    a.faults = 0;
    const uint32_t beats = (params_.wave_lanes + params_.lanes_per_cycle - 1) / params_.lanes_per_cycle;
    s.ready = now + clock().period();
    lanes_free_ = now + clock().cycles(beats);

    for (uint32_t p = 0; p < s.out.pages; ++p) {
        s.first_line[p] = last;
        s.also[p] = none;
        s.window[p] = no_entry;
    }
    for (uint32_t l = s.out.lines; l-- > 0;) { /* backwards, so that the list is in first-lane order */
        const uint8_t p = s.out.line_page[l];
        s.next_line[l] = s.first_line[p];
        s.first_line[p] = static_cast<uint8_t>(l);
    }
    ++stats_.instructions;
    stats_.lanes += static_cast<uint64_t>(__builtin_popcountll(a.lanes.mask));
    stats_.lines += s.out.lines;
    stats_.pages_per_instruction.add(s.out.pages);
    stats_.lines_per_instruction.add(s.out.lines);
    if (params_.window != 0)
        join_window(idx);
    unsent_.push_back(idx);
}

/* Joins the instruction's pages to equal ones that earlier instructions have not sent yet. */
void coalescer::join_window(uint32_t idx)
{
    slot &s = slots_[idx];
    for (uint32_t p = 0; p < s.out.pages; ++p) {
        const uint64_t key = window_key(s, p);
        const uint32_t entry = window_.find(key);
        if (entry == window_.none) {
            if (!window_.full())
                s.window[p] = static_cast<uint16_t>(window_.miss(key, pack(idx, p)));
            continue;
        }
        const uint32_t first = window_.first(entry);
        uint32_t &head = slots_[first / WW_COAL_MAX].also[first % WW_COAL_MAX];
        s.also[p] = head;
        head = pack(idx, p);
        s.window[p] = joined;
        ++stats_.window_merged;
    }
}

/* lanes_per_cycle lanes are taken and pages_per_cycle requests are sent per cycle: both rates become
 * annotated delay. */
void coalescer::send_pages(tick now)
{
    while (!unsent_.empty() && xlat.can_send()) {
        const uint32_t idx = unsent_.front();
        slot &s = slots_[idx];
        while (s.next_page < s.out.pages && s.window[s.next_page] == joined)
            ++s.next_page;
        if (s.next_page == s.out.pages) {
            unsent_.pop_front();
            continue;
        }
        const uint32_t p = s.next_page++;
        const tick lanes_in =
            s.ready + clock().cycles(uint32_t{s.out.page_first_lane[p]} / params_.lanes_per_cycle);
        tick at = now + clock().period();
        at = lanes_in > at ? lanes_in : at;
        if (at <= page_time_) {
            at = page_time_;
            if (page_used_ == params_.pages_per_cycle)
                at += clock().period();
        }
        page_used_ = at == page_time_ ? page_used_ + 1 : 1;
        page_time_ = at;

        xlat_request &r = requests_.take();
        r.va = s.out.page_va[p];
        r.instruction = s.access->instruction;
        r.owner = pack(idx, p);
        r.serial = asked_++;
        r.vmid = s.access->vmid;
        r.cu = s.access->cu;
        r.access = s.access->access;
        r.start(lanes_in - clock().period());
        ++stats_.translations;
        if (s.window[p] != no_entry)
            window_.free(s.window[p]);
        xlat.send(r, at);
    }
}

void coalescer::send_lines(tick now)
{
    while (!line_jobs_.empty() && mem.can_send()) {
        line_job &job = line_jobs_.front();
        slot &s = slots_[job.slot];
        tick at = now + clock().period();
        if (at <= line_time_) {
            at = line_time_;
            if (line_used_ == params_.lines_per_cycle)
                at += clock().period();
        }
        line_used_ = at == line_time_ ? line_used_ + 1 : 1;
        line_time_ = at;
        waited_line_ += at - clock().period() - job.since;
        const uint64_t mask = (uint64_t{1} << job.page_shift) - 1;
        const uint64_t pa = job.page_pa | (s.out.line_va[job.line] & mask);
        mem_line &line = s.access->access == access_kind::read ? lines_.read_data(pa) : lines_.write_data(pa);
        line.ext.atomic = s.access->access == access_kind::atomic;
        line.ext.owner = job.slot * 2 + job.generation;
        const uint8_t next = s.next_line[job.line];
        if (next == last) {
            line_jobs_.pop_front();
        } else {
            ++s.inside[job.generation];
            job.line = next;
        }
        mem.send(line, at);
    }
}

void coalescer::visit(stat_visitor &v, tick) const
{
    stats().visit(v);
    for (size_t vmid = 0; vmid < of_space_.size(); ++vmid) {
        v.begin("vm_" + std::to_string(vmid), "translations of one VM-ID, of a run with several programs");
        v.count("translations", of_space_[vmid].answered, "count", "translations answered");
        v.count("latency_ps", of_space_[vmid].latency_ps, "ps", "of these, from issue to answer, added up");
        v.end();
    }
}

/* Every picosecond must be in one cause, or a law fails. */
void coalescer::close_account(xlat_request &r, tick now)
{
    r.charge(cause::response, now);
    const tick sum = stats_.account.add(r);
    stats_.latency_ps += now - r.issued;
    stats_.translation_latency.add(clock().floor_cycle(now - r.issued));
    ++stats_.answered;
    if (!of_space_.empty()) {
        ++of_space_[r.vmid].answered;
        of_space_[r.vmid].latency_ps += now - r.issued;
    }
    if (accounts_ != nullptr)
        accounts_->on_closed(*this, r, now);
    if (sum == now - r.issued || !with_account)
        return;
    ++stats_.unaccounted;
    if (stats_.story.empty()) {
        char text[256];
        std::snprintf(text, sizeof text,
                      "translation of 0x%llx by instruction %u of compute unit %u, issued at %llu ps: "
                      "latency %llu ps, causes add up to %llu ps",
                      static_cast<unsigned long long>(r.va), r.instruction, static_cast<unsigned>(r.cu),
                      static_cast<unsigned long long>(r.issued),
                      static_cast<unsigned long long>(now - r.issued), static_cast<unsigned long long>(sum));
        stats_.story = text;
    }
}

void coalescer::translated(xlat_request &r, tick now)
{
    close_account(r, now);
    stats_.faults += r.fault ? 1 : 0;
    uint32_t at = r.owner;
    while (at != none) {
        const uint32_t idx = at / WW_COAL_MAX;
        const uint32_t page = at % WW_COAL_MAX;
        at = slots_[idx].also[page];
        page_done(idx, page, r, now);
    }
    requests_.give(r);
}

void coalescer::page_done(uint32_t idx, uint32_t page, const xlat_request &r, tick now)
{
    slot &s = slots_[idx];
    if (--s.pages_left == 0) {
        s.access->translated = now;
        stats_.last_lane_latency.add(clock().floor_cycle(now - s.started));
        stats_.translations_until_last_lane.add(stats_.answered - s.answered_before);
    }
    const bool refused =
        !r.fault && s.access->access != access_kind::read && (r.result.perm & WW_PERM_W) == 0;
    stats_.faults_denied += refused ? 1 : 0;
    if (!r.fault && !refused) {
        const uint8_t generation = turn_.generation();
        if (s.inside[generation]++ == 0)
            turn_.begin();
        line_jobs_.push_back(
            line_job{idx, s.first_line[page], r.result.page_pa, r.result.page_shift, now, generation});
        return;
    }
    ++s.access->faults;
    for (uint8_t l = s.first_line[page]; l != last; l = s.next_line[l])
        --s.lines_left; /* these lanes access nothing */
    if (s.lines_left == 0 && s.pages_left == 0)
        wake(events_.push(s.lines_in > now ? s.lines_in : now, event{nullptr, idx}));
}

void coalescer::finish(uint32_t idx, tick now)
{
    slot &s = slots_[idx];
    --slots_used_;
    free_slots_.push_back(idx);
    up.respond(*s.access, now + clock().cycles(params_.response_cycles));
}

/* Takes the answers of a cycle in the order of their requests, translations first, so that the order in which
 * the blocks below sent them does not matter. */
void coalescer::take_due(tick now)
{
    due_.clear();
    event e;
    while (events_.pop(now, e))
        due_.push_back(e);
    if (due_.size() < 2)
        return;
    const auto serial = [this](const event &x) {
        return x.request != nullptr ? x.request->serial : slots_[x.slot].serial;
    };
    std::sort(due_.begin(), due_.end(), [&serial](const event &x, const event &y) {
        if ((x.request != nullptr) != (y.request != nullptr))
            return x.request != nullptr;
        return static_cast<int32_t>(serial(x) - serial(y)) < 0; /* serial numbers wrap */
    });
}

void coalescer::step(tick now)
{
    take_due(now);
    for (const event &e : due_) {
        if (e.request != nullptr)
            translated(*e.request, now);
        else
            finish(e.slot, now);
    }
    if (turn_.next() <= now)
        turn_.step(now);
    accept(now);
    send_pages(now);
    send_lines(now);
    wake(events_.next());
    wake(turn_.next());
    if (up.next() != never && !free_slots_.empty()) {
        const tick next = up.next() > lanes_free_ ? up.next() : lanes_free_;
        wake(next > now ? next : now + clock().period());
    }
}

/* Debug transport: the blocks below translate the first active lane. */
unsigned coalescer::debug(wave_access &a)
{
    xlat_request r{};
    r.va = a.lanes.va[__builtin_ctzll(a.lanes.mask)];
    r.vmid = a.vmid;
    return xlat->transport_dbg(r);
}

std::string coalescer::waiting() const
{
    if (slots_used_ == 0 && up.size() == 0)
        return "";
    return std::to_string(up.size()) + " instructions queued, " + std::to_string(slots_used_) + " of " +
           std::to_string(params_.instructions) + " in flight, " + std::to_string(requests_.live()) +
           " translations and " + std::to_string(lines_.live()) + " lines out" +
           (xlat.can_send() ? "" : ", L1 TLB port blocked") + (mem.can_send() ? "" : ", L1D port blocked");
}

void coalescer::signals(signal_visitor &v) const
{
    v.value("instructions", 16, slots_used_, "wave instructions in its slots");
    v.value("unsent", 32, unsent_.size(), "of those, with pages still to ask for");
    v.value("translations", 24, requests_.live(), "translations in flight");
    v.value("lines", 24, lines_.live(), "lines in flight: asked of the L1D");
    v.pulse("page", 16, stats_.translations, "translations asked for");
    v.pulse("translated", 16, stats_.answered, "translations answered");
    v.pulse("line", 16, stats_.lines, "lines wanted of the L1D");
}

} // namespace walkway

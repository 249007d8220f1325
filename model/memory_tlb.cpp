/* SPDX-License-Identifier: MIT */
/* model/memory_tlb.cpp - behaviour of the table of translations in memory. */
#include "model/memory_tlb.hpp"

#include <algorithm>
#include <cstring>

namespace walkway
{

/* While a line is written, its buffer is newer than memory. */
void memory_tlb::table_below::read_line(uint64_t pa, uint64_t *line, tick *)
{
    const uint32_t entry = owner.pending_.find((pa - owner.params_.table_pa) / line_bytes);
    if (entry != owner.pending_.none && owner.buffers_[entry].here) {
        std::memcpy(line, owner.buffers_[entry].words.data(), line_bytes);
        return;
    }
    mem_line &read = owner.lines_.read(pa);
    if (owner.mem->transport_dbg(read) != line_bytes)
        fail("/walkway/memory_tlb", std::string(owner.name()) + ": no memory at " + std::to_string(pa));
    std::memcpy(line, read.data.data(), line_bytes);
    read.release();
}

void memory_tlb::table_below::write_line(uint64_t pa, const uint64_t *line)
{
    mem_line &written = owner.lines_.write(pa);
    std::memcpy(written.data.data(), line, line_bytes);
    owner.mem->transport_dbg(written);
    written.release();
}

memory_tlb::memory_tlb(const sc_core::sc_module_name &name, const clock_domain &clock,
                       const memory_tlb_params &p, unsigned requesters, const stage_name &stage)
    : block(name, clock), up(*this, *this, requesters, p.queue_entries), down("down", *this, *this),
      mem("mem", *this, *this), params_(p), causes_(*this, stage), below_(down), table_memory_(*this),
      table_(p.table(), p.table_pa, clock,
             {clock.cycles(p.read_cycles), clock.cycles(p.compare_cycles), clock.cycles(p.response_cycles),
              clock.cycles(p.down_cycles)},
             table_memory_, below_),
      pending_({p.mshrs, p.merges}), buffers_(p.mshrs), lines_in_(clock), answers_in_(clock), again_(clock),
      lanes_(*this, &down, 0)
{
    const std::string wrong = p.present() ? p.validate() : "it has no entries";
    if (!wrong.empty() || !pending_.ok() || p.table_pa % line_bytes != 0)
        fail("/walkway/memory_tlb", std::string(this->name()) + ": illegal table: " + wrong);
    down.holds(uint64_t{p.ports} * (uint64_t{p.compare_cycles} + p.down_cycles));
    mem.holds(uint64_t{p.ports} * p.read_cycles);
    lanes_.drops_in_time();
    for (const auto &port : up) {
        lanes_.serve(*port);
        port->translates(table_);
    }
}

uint64_t memory_tlb::in_memory() const
{
    return const_cast<slot_translator &>(table_).held(); /* debug accesses change nothing */
}

/* True if an invalidate in progress is about to drop the page. */
bool memory_tlb::masked(uint64_t va, uint8_t page_shift, uint16_t vmid) const
{
    return dropping_ && (every_ || ww_inval_covers(&scope_, va, page_shift, vmid));
}

/* Performs the operation when its turn at the line comes; a lookup in a line that is being written is served
 * at once. Returns false without room. */
bool memory_tlb::want(uint32_t line, const op &o, tick now)
{
    const uint32_t entry = pending_.find(line);
    if (entry == pending_.none) {
        if (pending_.full())
            return false;
        const uint32_t fresh = pending_.miss(line, o);
        buffers_[fresh] = buffer{{}, line, 0, false};
        to_memory_.push_back({fresh, false, now + clock().cycles(params_.read_cycles)});
        return true;
    }
    if (o.kind == op_kind::look && buffers_[entry].here) {
        ++stats_.forwarded;
        looked(o, buffers_[entry].words.data(), now);
        return true;
    }
    if (pending_.no_place())
        return false;
    pending_.join(entry, o);
    stats_.merged += o.kind == op_kind::look;
    return true;
}

/* Looks up the line for the page size of this probe. */
bool memory_tlb::look(const op &o, tick now)
{
    return want(ww_slot_line(&table_.cfg(), o.r->va, ww_slot_probe_shift(&table_.cfg(), o.probe)), o, now);
}

void memory_tlb::hit(xlat_request &r, const ww_xlat &x, tick at)
{
    ++stats_.hits;
    ++stats_.responses;
    observe(memory_tlb_events::hit, r.va, x.page_shift);
    shown_.looked(r.va, lookup_result::HIT);
    r.result = x;
    r.fault = false;
    up[r.leave()]->respond(r, at + clock().cycles(params_.response_cycles));
}

/* The lookup's line is available. */
void memory_tlb::looked(const op &o, const uint64_t *line, tick now)
{
    xlat_request &r = *o.r;
    const tick at = now + clock().cycles(params_.compare_cycles);
    r.charge(causes_.read, now);
    r.charge(causes_.compare, at);
    ww_xlat found{};
    const bool there = ww_slot_find(line, r.va, r.vmid, table_.epoch(), &found);
    if (there && !masked(r.va, found.page_shift, r.vmid)) {
        hit(r, found, at);
        return;
    }
    if (o.probe + 1u != ww_slot_probes(&table_.cfg()) && !there) {
        op next = o;
        ++next.probe;
        ++stats_.second_probes;
        again_.push(at, next);
        return;
    }
    ++stats_.misses;
    stats_.masked += there;
    observe(memory_tlb_events::miss, r.va, pending_.count());
    shown_.looked(r.va, lookup_result::MISS);
    unsent_.push_back({&r, at});
    send_misses(now); /* now: later lookups of this cycle see the room left */
}

/* Returns true if the line must be written. */
bool memory_tlb::fill(const op &f, uint64_t *line)
{
    if (f.generation != generation_ || every_) {
        ++stats_.fills_refused;
        return false;
    }
    const ww_slot_filled filled = ww_slot_fill(line, &f.page, table_.epoch());
    if (filled.result == WW_SLOT_SAME) {
        ++stats_.fills_same;
        return false;
    }
    const bool kept = filled.result == WW_SLOT_KEPT;
    ++(kept ? stats_.fills_kept : stats_.fills_refreshed);
    stats_.displaced += filled.displaced;
    resident_ += kept && !filled.displaced;
    observe(memory_tlb_events::fill, f.page.va, f.page.xlat.page_shift);
    return true;
}

bool memory_tlb::drop(uint64_t *line)
{
    if (every_)
        return ww_slot_clear(line);
    const uint32_t dropped = ww_slot_drop(line, &scope_, table_.epoch());
    stats_.invalidated += dropped;
    resident_ -= dropped;
    return dropped != 0;
}

/* Performs all operations that wait for this line, in order. A changed line is written, and stays in its
 * buffer until that is done. */
void memory_tlb::process(uint32_t entry, tick now)
{
    buffer line = buffers_[entry];
    bool changed = false;
    uint32_t drops = 0;
    pending_.each(entry, [&](const op &o) {
        if (o.kind == op_kind::look)
            looked(o, line.words.data(), now);
        else if (o.kind == op_kind::fill)
            changed |= fill(o, line.words.data());
        else if (o.kind == op_kind::drop) {
            changed |= drop(line.words.data());
            ++drops;
        }
    });
    pending_.free(entry);
    if (!changed) {
        drops_out_ -= drops;
        return;
    }
    line.here = true;
    line.drops = drops;
    const uint32_t writes = pending_.miss(line.line, op{});
    buffers_[writes] = line;
    to_memory_.push_back({writes, true, now + clock().cycles(params_.read_cycles)});
}

/* Takes the lines that memory has read or written. */
void memory_tlb::take_lines(tick now)
{
    for (mem_line *in = nullptr; lines_in_.pop(now, in);) {
        const uint32_t entry = in->ext.owner;
        buffer &b = buffers_[entry];
        if (in->is_read())
            std::memcpy(b.words.data(), in->data.data(), line_bytes);
        drops_out_ -= b.drops;
        b.drops = 0;
        in->release();
        process(entry, now);
    }
}

void memory_tlb::on_response(tlm::tlm_generic_payload &p, tick at, unsigned)
{
    if (p.is_response_error())
        fail("/walkway/memory_tlb", std::string(name()) + ": memory answers " + p.get_response_string() +
                                        " at " + std::to_string(p.get_address()) + ", where the table lies");
    wake(lines_in_.push(at, mem_ext_of(p).home));
}

void memory_tlb::on_response(xlat_request &r, tick at, unsigned)
{
    wake(answers_in_.push(at, &r));
}

/* The page table is written: pages in scope are not found from now on, and begun fills are stale. */
void memory_tlb::begin_drop(const ww_inval_scope &scope)
{
    const uint32_t epoch = table_.epoch();
    drops_ = table_.begin_drop(scope, &every_);
    scope_ = scope;
    dropping_ = true;
    ++generation_;
    if (table_.epoch() == epoch)
        return;
    ++stats_.epochs;
    stats_.sweeps += every_;
    stats_.invalidated += resident_;
    resident_ = 0;
}

/* Drops further lines. Acknowledges when memory has every changed line. */
void memory_tlb::go_on_dropping(tick now)
{
    op o;
    o.kind = op_kind::drop;
    for (; !drops_.empty() && want(drops_.front(), o, now); drops_.pop()) {
        ++drops_out_;
        ++stats_.invalidate_lines;
    }
    if (!drops_.empty() || drops_out_ != 0)
        return;
    dropping_ = every_ = false;
    lanes_.dropped_all(now);
}

void memory_tlb::look_again(tick now)
{
    for (op o; again_.pop(now, o);)
        again_now_.push_back(o);
    for (; !again_now_.empty() && look(again_now_.front(), now); again_now_.pop_front()) {
    }
}

bool memory_tlb::take_request(unsigned port, tick now)
{
    if (!may_look())
        return false;
    op o;
    o.kind = op_kind::look;
    o.r = &up[port]->front();
    o.r->charge(causes_.queue, now);
    o.r->enter(static_cast<uint8_t>(port));
    if (!look(o, now)) {
        o.r->leave();
        stalled_since_ = now;
        return false;
    }
    ++stats_.lookups;
    up[port]->pop();
    return true;
}

/* Takes up to `ports` requests per cycle; none while a miss has no room below. */
void memory_tlb::take_requests(tick now)
{
    if (stalled_since_ != never)
        stats_.stall_lines_cycles += clock().floor_cycle(now - stalled_since_);
    stalled_since_ = never;
    if (may_look()) /* otherwise serve() is not called, as it would admit blocked requests */
        up.serve(now, params_.ports, [&](unsigned port) { return take_request(port, now); });
}

/* Sends answers up and queues them as fills. */
void memory_tlb::take_answers(tick now)
{
    for (xlat_request *r = nullptr; answers_in_.pop(now, r);) {
        if (!r->fault)
            wait_to_fill(ww_mapping{r->va, r->result, r->vmid});
        ++stats_.responses;
        up[r->leave()]->respond(*r, now + clock().cycles(params_.response_cycles));
    }
}

void memory_tlb::wait_to_fill(const ww_mapping &page)
{
    ++stats_.fills;
    if (fills_wait_.size() == params_.fills) {
        ++stats_.fills_dropped;
        return;
    }
    op o;
    o.kind = op_kind::fill;
    o.generation = generation_;
    o.page = page;
    fills_wait_.push_back(o);
}

void memory_tlb::enter_fills(tick now)
{
    for (; !fills_wait_.empty(); fills_wait_.pop_front()) {
        const op &o = fills_wait_.front();
        if (!want(ww_slot_line(&table_.cfg(), o.page.va, o.page.xlat.page_shift), o, now))
            return;
    }
}

/* Sends lines at the next edge at the earliest. */
void memory_tlb::send_lines(tick now)
{
    const tick soonest = now + clock().period();
    while (!to_memory_.empty() && mem.can_send()) {
        const sending next = to_memory_.front();
        to_memory_.pop_front();
        const buffer &b = buffers_[next.entry];
        const uint64_t pa = table_.line_pa(b.line);
        mem_line &line = next.write ? lines_.write(pa) : lines_.read(pa);
        if (next.write)
            std::memcpy(line.data.data(), b.words.data(), line_bytes);
        line.ext.owner = next.entry;
        ++(next.write ? stats_.line_writes : stats_.line_reads);
        mem.send(line, std::max(next.at, soonest));
    }
}

void memory_tlb::send_misses(tick now)
{
    const tick soonest = now + clock().period();
    while (!unsent_.empty() && down.can_send()) {
        const outgoing next = unsent_.front();
        unsent_.pop_front();
        down.send(*next.r, std::max(next.at, soonest) + clock().cycles(params_.down_cycles));
    }
}

/* Order within a cycle: answers, invalidate, lookups, fills. */
void memory_tlb::step(tick now)
{
    send_misses(now);
    take_lines(now);
    take_answers(now);
    if (lanes_.next() <= now)
        lanes_.step(
            now, [this](const ww_inval_scope &s) { begin_drop(s); }, [](const xlat_post &) {});
    if (dropping_)
        go_on_dropping(now);
    look_again(now);
    take_requests(now);
    enter_fills(now);
    send_lines(now);
    wake(lines_in_.next());
    wake(answers_in_.next());
    wake(again_.next());
    lanes_.wake(now);
    const tick next = up.next();
    if (next != never && stalled_since_ == never && may_look())
        wake(next > now ? next : now + clock().period());
}

unsigned memory_tlb::debug(xlat_request &r)
{
    return debug_by(table_, r, now());
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* model/data_cache.cpp - behaviour of a data cache level. */
#include "model/data_cache.hpp"

#include "kernels/bits.h"
#include "model/common/kernel_blob.hpp"
#include "model/common/set_sizes.hpp"
#include "model/common/signals.hpp"

#include <algorithm>
#include <utility>

namespace walkway
{

void data_cache::laws(law_list &list) const
{
    const data_cache_stats &s = stats();
    list.add("reads = hits + misses + merged", s.reads, s.read_hits + s.read_misses + s.read_merged);
    list.add("writes = hits + misses + merged", s.writes, s.write_hits + s.write_misses + s.write_merged);
    list.add("dirty lines sent down = those that made room + those flushed", s.write_backs,
             s.dirty_victims + s.flush_write_backs);
    list.add("every access answered", s.reads + s.writes, s.responses);
}

void data_cache_stats::visit(stat_visitor &v) const
{
    v.count("reads", reads, "count", "line reads; = read_hits + read_misses + read_merged");
    v.count("writes", writes, "count",
            "line writes, atomics included; = write_hits + write_misses + write_merged");
    v.count("atomics", atomics, "count", "writes that are atomic read-modify-writes");
    v.count("read_hits", read_hits, "count", "reads that found their line");
    v.count("read_misses", read_misses, "count", "reads that went to the level below");
    v.count("read_merged", read_merged, "count", "reads of a line already in flight");
    v.count("write_hits", write_hits, "count", "writes that found their line");
    v.count("write_misses", write_misses, "count", "writes that did not");
    v.count("write_merged", write_merged, "count", "writes to a line already in flight (write-back)");
    v.count("write_fetches", write_fetches, "count",
            "lines that writes and atomics had to read from the level below");
    v.count("fills", fills, "count", "lines entered");
    v.count("write_backs", write_backs, "count", "dirty lines sent to the level below");
    v.count("dirty_victims", dirty_victims, "count", "of those, since another line needed their place");
    v.count("flushes", flushes, "count", "times that lines were taken out since their pages move");
    v.count("flush_lookups", flush_lookups, "count", "lines that were looked up for it");
    v.count("flushed_lines", flushed_lines, "count", "lines that were found and taken out");
    v.count("flush_write_backs", flush_write_backs, "count", "of those, dirty ones; of write_backs, too");
    v.count("stall_cycles", stall_cycles, "cycles",
            "cycles in which an access waited only for an MSHR, room to wait at one, or a write entry");
    v.count("stall_merges_cycles", stall_merges_cycles, "cycles", "of those, for room to wait at an MSHR");
    v.count("stall_writes_cycles", stall_writes_cycles, "cycles", "of those, for a write entry");
    v.count("stall_below_cycles", stall_below_cycles, "cycles",
            "cycles in which a request stood outside the full queue of the level below");
    v.count("queue_cycles", queue_cycles, "cycles",
            "time that accesses waited in the input queues for a port, added up; stalls included");
    v.count("responses", responses, "count", "accesses answered; = reads + writes at the end of a run");
}

data_cache::data_cache(const sc_core::sc_module_name &name, const clock_domain &clock,
                       const data_cache_params &p, memory_store &store, unsigned requesters)
    : miss_engine(
          name, clock,
          {p.ports, p.queue_entries, p.mshrs, p.merges, p.hit_cycles, p.response_cycles, p.link_cycles},
          requesters),
      params_(p), store_(store)
{
    tags_ = kernel_blob(ww_dcache_bytes, ww_dcache_init, p.tags());
    if (tags_.bytes() == 0)
        fail("/walkway/data_cache", std::string(this->name()) + ": " + p.validate());
}

data_cache_stats data_cache::stats() const
{
    data_cache_stats all = stats_;
    all.stall_merges_cycles = stall_cycles(stall::place);
    all.stall_writes_cycles = stall_cycles(stall::other);
    all.stall_cycles = stall_cycles(stall::mshr) + all.stall_merges_cycles + all.stall_writes_cycles;
    all.stall_below_cycles = below_cycles();
    all.queue_cycles = queued_ps_ / clock().period();
    return all;
}

/* Answers every access that waits for the line. */
void data_cache::arrived(payload_t &p, tick now)
{
    if (p.get_response_status() != tlm::TLM_OK_RESPONSE) {
        refused(p, now);
        return;
    }
    const uint64_t pa = p.get_address();
    const bool ours = mem_ext_of(p).depth == 0; /* a write-back, or a fetch for a write */
    if (p.is_write()) {
        written(p, ours, now);
        return;
    }
    const uint32_t entry = pending_.find(pa / line_bytes);
    if (ours)
        p.release();
    bool dirty = false;
    pending_.each(entry, [&](payload_t *waiter) {
        dirty |= waiter->is_write();
        store_.apply(*waiter);
        answer(*waiter, now + way_up_);
    });
    pending_.free(entry);
    fill(pa, dirty, now);
}

/* The level below has the written line. */
void data_cache::written(payload_t &p, bool ours, tick now)
{
    if (!ours) {
        --writes_out_;
        answer(p, now + way_up_);
        return;
    }
    --write_backs_out_;
    if (remembers_) {
        const auto line = on_their_way_.find(p.get_address());
        if (--line->second == 0)
            on_their_way_.erase(line);
    }
    p.release();
}

/* A walker handles the errors of its page-table reads: the error is sent up as an answer, and no line is
 * filled. An error of a data access ends the run. */
void data_cache::refused(payload_t &p, tick now)
{
    const uint32_t entry = p.is_read() ? pending_.find(p.get_address() / line_bytes) : none;
    if (entry == none || mem_ext_of(p).depth == 0)
        fail("/walkway/data_cache", std::string(name()) + ": memory answers " + p.get_response_string());
    const tlm::tlm_response_status status = p.get_response_status();
    pending_.each(entry, [&](payload_t *waiter) { answer_refused(*waiter, status, now); });
    pending_.free(entry);
}

void data_cache::answer_refused(payload_t &p, tlm::tlm_response_status status, tick now)
{
    p.set_response_status(status);
    if (!is_walk(p))
        fail("/walkway/data_cache", std::string(name()) + ": memory answers " + p.get_response_string());
    ++stats_.responses;
    up[mem_ext_of(p).leave()]->respond(p, now + way_up_);
}

void data_cache::answer(payload_t &p, tick at)
{
    ++stats_.responses;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    up[mem_ext_of(p).leave()]->respond(p, at);
}

/* Fills the line and writes a dirty victim back. */
void data_cache::fill(uint64_t line_pa, bool dirty, tick now)
{
    ww_dcache_victim victim;
    ++stats_.fills;
    if (keeper_ != nullptr) {
        keeper_->fill(line_pa);
        return;
    }
    ww_dcache_fill(tags_.as<ww_dcache>(), line_pa, dirty, &victim);
    if (victim.valid && victim.dirty) {
        ++stats_.dirty_victims;
        send_back(victim.pa, now + clock().cycles(1));
    }
}

void data_cache::send_back(uint64_t pa, tick at)
{
    ++stats_.write_backs;
    ++write_backs_out_;
    if (remembers_)
        ++on_their_way_[pa];
    mem_line &line = lines_.write_data(pa);
    line.ext.late = true;
    go_down(line, at);
}

/* MODEL: a flush has its own port of the tags, as wide as all the others together. */
void data_cache::flush(const std::vector<pa_range> &ranges, std::function<void(tick)> done)
{
    if (flushing_ || !remembers_)
        fail("/walkway/data_cache", std::string(name()) + ": a flush within a flush, or of a cache that does "
                                                          "not know what it has sent down");
    uint64_t lines = 0;
    for (const pa_range &r : ranges)
        lines += r.bytes / line_bytes;
    flushing_ = true;
    to_flush_ = ranges;
    range_ = 0;
    offset_ = 0;
    lookups_left_ = std::min(lines, params_.bytes / line_bytes);
    flushed_ = std::move(done);
    ++stats_.flushes;
    next_lookups_ = clock().ceil(now());
    wake(next_lookups_);
}

void data_cache::flush_line(uint64_t pa, tick now)
{
    bool dirty = false;
    if (!ww_dcache_invalidate(tags_.as<ww_dcache>(), pa, &dirty))
        return;
    ++stats_.flushed_lines;
    if (!dirty)
        return;
    ++stats_.flush_write_backs;
    send_back(pa, now + clock().cycles(1));
}

/* True if a write-back of a line of the ranges is in flight. */
bool data_cache::is_on_its_way() const
{
    for (const auto &line : on_their_way_)
        for (const pa_range &r : to_flush_)
            if (line.first - r.pa < r.bytes)
                return true;
    return false;
}

/* If the cache has fewer lines than the ranges, the last lookup finds all the remaining ones. */
void data_cache::before_lookups(tick now)
{
    if (!flushing_)
        return;
    const bool due = next_lookups_ <= now; /* once per cycle, however often it wakes */
    if (due)
        next_lookups_ = now + clock().period();
    for (uint32_t n = 0; due && n < params_.ports && lookups_left_ != 0; ++n) {
        --lookups_left_;
        ++stats_.flush_lookups;
        do {
            flush_line(to_flush_[range_].pa + offset_, now);
            offset_ += line_bytes;
            if (offset_ >= to_flush_[range_].bytes) {
                offset_ = 0;
                ++range_;
            }
        } while (lookups_left_ == 0 && range_ < to_flush_.size());
    }
    if (lookups_left_ != 0) {
        wake(next_lookups_);
        return;
    }
    if (is_on_its_way())
        return; /* its answer wakes this block */
    flushing_ = false;
    std::exchange(flushed_, nullptr)(now);
}

uint32_t data_cache::lines_of(const pa_range &range) const
{
    uint32_t n = 0;
    for (uint64_t at = 0; at < range.bytes; at += line_bytes)
        n += ww_dcache_probe(tags_.as<ww_dcache>(), range.pa + at) ? 1 : 0;
    return n;
}

/* Joins a line in flight, or sends a miss. Returns false if there is no room. */
bool data_cache::miss(payload_t &p, mem_ext &ext, unsigned port, bool fetch)
{
    const uint64_t pa = p.get_address();
    const ticket t = room(pa / line_bytes);
    if (t.how == pended::stalled)
        return false;
    ext.enter(port);
    if (t.how == pended::joined) {
        ++(fetch ? stats_.write_merged : stats_.read_merged);
        pend(t, p, p, 0);
        return true;
    }
    ++(fetch ? stats_.write_misses : stats_.read_misses);
    stats_.write_fetches += fetch;
    pend(t, p, fetch ? fetch_for(ext, pa) : p, now() + hit_time_);
    return true;
}

/* Returns an own read of the line for a write. */
mem_line &data_cache::fetch_for(const mem_ext &write, uint64_t pa)
{
    mem_line &line = lines_.read_data(pa);
    line.ext.late = write.late;
    return line;
}

bool data_cache::is_here(uint64_t pa)
{
    return keeper_ == nullptr ? ww_dcache_lookup(tags_.as<ww_dcache>(), pa, false) == WW_DCACHE_HIT
                              : keeper_->fetch(pa);
}

bool data_cache::serve_read(payload_t &p, mem_ext &ext, unsigned port, tick now)
{
    const uint64_t pa = p.get_address();
    if (is_here(pa)) {
        ++stats_.read_hits;
        ext.enter(port);
        observe(cache_events::hit, pa, 0);
        store_.apply(p);
        answer(p, now + hit_time_);
    } else {
        if (!miss(p, ext, port, false))
            return false;
        observe(cache_events::miss, pa, 0);
    }
    ++stats_.reads;
    return true;
}

/* Write-through: the level below gets every write. It performs atomics, so these drop the copy here. */
bool data_cache::serve_through(payload_t &p, mem_ext &ext, unsigned port, tick now)
{
    if (writes_out_ == params_.write_entries)
        return stalls(stall::other);
    const uint64_t pa = p.get_address();
    ww_dcache *tags = tags_.as<ww_dcache>();
    bool was_dirty = false;
    const bool hit = ext.atomic ? ww_dcache_invalidate(tags, pa, &was_dirty)
                                : ww_dcache_lookup(tags, pa, true) == WW_DCACHE_HIT;
    ++(hit ? stats_.write_hits : stats_.write_misses);
    observe(hit ? cache_events::hit : cache_events::miss, pa, 1);
    ++writes_out_;
    ext.enter(port);
    go_down(p, now + hit_time_);
    return true;
}

bool data_cache::serve_back(payload_t &p, mem_ext &ext, unsigned port, tick now)
{
    const uint64_t pa = p.get_address();
    const bool in_flight = pending_.find(pa / line_bytes) != none;
    const bool hit = !in_flight && ww_dcache_lookup(tags_.as<ww_dcache>(), pa, true) == WW_DCACHE_HIT;
    const bool fetch = ext.atomic || params_.write_miss == 1;
    if (!hit && (in_flight || fetch)) {
        if (!miss(p, ext, port, true))
            return false;
    } else {
        if (!hit && write_backs_out_ >= params_.write_entries)
            return stalls(stall::other);
        ++(hit ? stats_.write_hits : stats_.write_misses);
        if (!hit)
            fill(pa, true, now);
        store_.apply(p);
        ext.enter(port);
        answer(p, now + hit_time_);
    }
    observe(hit ? cache_events::hit : cache_events::miss, pa, 1);
    return true;
}

/* Answers without a lookup. */
void data_cache::answer_at_once(unsigned port, tlm::tlm_response_status status, tick now)
{
    payload_t &p = up[port]->front();
    p.set_response_status(status);
    up[port]->pop();
    up[port]->respond(p, now + clock().period());
}

bool data_cache::serve(unsigned port, tick now)
{
    payload_t &p = up[port]->front();
    mem_ext &ext = mem_ext_of(p);
    if (p.get_address() % line_bytes != 0 || p.get_data_length() != line_bytes ||
        p.get_streaming_width() < line_bytes) {
        answer_at_once(port, tlm::TLM_BURST_ERROR_RESPONSE, now);
        return true;
    }
    if (p.get_command() == tlm::TLM_IGNORE_COMMAND) {
        answer_at_once(port, tlm::TLM_OK_RESPONSE, now);
        return true;
    }
    const bool atomic = ext.atomic; /* the payload may be freed once serve_*() has answered it */
    bool done = false;
    if (p.is_read()) {
        done = serve_read(p, ext, port, now);
    } else {
        done = params_.write == WW_WRITE_THROUGH ? serve_through(p, ext, port, now)
                                                 : serve_back(p, ext, port, now);
        if (done) {
            ++stats_.writes;
            stats_.atomics += atomic ? 1 : 0;
        }
    }
    if (done) {
        queued_ps_ += now - up[port]->due();
        up[port]->pop();
    }
    return done;
}

/* Takes no time: memory has a dirty victim at once. */
bool data_cache::enter_now(uint64_t pa, bool write)
{
    ww_dcache *tags = tags_.as<ww_dcache>();
    const bool through = params_.write == WW_WRITE_THROUGH;
    const bool hit = ww_dcache_lookup(tags, pa, write) == WW_DCACHE_HIT;
    ww_dcache_victim victim;
    if (!hit && !(through && write))
        ww_dcache_fill(tags, pa, write, &victim);
    return through ? hit && !write : true;
}

unsigned data_cache::debug(payload_t &p)
{
    if (debug_enters_ && p.is_read())
        enter_now(p.get_address(), false);
    return down->transport_dbg(p);
}

std::string data_cache::waiting() const
{
    const uint32_t writes = writes_out_ + write_backs_out_;
    if (queued() == 0 && mshrs_used() == 0 && writes == 0)
        return "";
    return queue_text("accesses") + ", " + std::to_string(writes) + " writes in flight, " +
           std::to_string(unsent()) + " wait for the level below" + below_text();
}

template <class V> void data_cache::show_reads(V &v) const
{
    v.value("queue", 32, queued(), "accesses accepted from above, those on the wire counted");
    v.value("stalled", 1, stalled(), "an access waits only for an MSHR or write entry");
    v.value("mshrs", 21, mshrs_used(), "lines in flight below");
    v.value("unsent", 32, unsent(), "what the level below has no room for");
    v.pulse("read_hit", 7, stats_.read_hits, "reads that found the line");
    v.pulse("read_miss", 7, stats_.read_misses, "reads that go to the level below");
    v.pulse("read_merge", 7, stats_.read_merged, "reads that join a line in flight");
    v.pulse("fill", 16, stats_.fills, "lines entered");
}

void data_cache::signals_of_reads(signal_visitor &visitor) const
{
    visitor.show([&](auto &v) { show_reads(v); });
}

void data_cache::signals(signal_visitor &visitor) const
{
    visitor.show([&](auto &v) {
        show_reads(v);
        v.value("writes", 32, writes_out_ + write_backs_out_, "writes on their way down");
        v.pulse("write_hit", 7, stats_.write_hits, "writes that found the line");
        v.pulse("write_miss", 7, stats_.write_misses, "writes that did not");
        v.pulse("write_merge", 7, stats_.write_merged, "writes that join a line in flight");
        v.pulse("write_back", 16, stats_.write_backs, "dirty lines that had to leave");
    });
}

} // namespace walkway

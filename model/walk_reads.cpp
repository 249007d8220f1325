/* SPDX-License-Identifier: MIT */
/* model/walk_reads.cpp - behaviour of the reads of page-table lines. */
#include "model/walk_reads.hpp"

#include <algorithm>
#include <cstring>

namespace walkway
{

walk_reads::walk_reads(const block &owner, out_port<mem_protocol> &mem, const walk_unit_params &p,
                       walk_translator &walks, walk_read_stats &stats)
    : owner_(owner), mem_(mem), params_(p), walks_(walks), stats_(stats),
      reads_(p.read_ahead ? 2 * p.places() : p.places()), ahead_(p.read_ahead ? p.places() : 0),
      out_({static_cast<uint32_t>(reads_.size()), static_cast<uint32_t>(reads_.size())}),
      from_memory_(owner.clock()), here_(owner.clock()), leaving_(owner.clock())
{
}

tick walk_reads::ask(uint32_t w, uint64_t pte_pa, uint32_t step, tick at)
{
    if (!ahead_.empty()) {
        if (is_ahead(w, pte_pa, at))
            return at;
        drop_ahead(w);
    }
    return begin(w, pte_pa, step, at);
}

void walk_reads::ask_ahead(uint32_t w, uint64_t pte_pa, uint32_t step, tick at)
{
    if (ahead_[w] != ahead::none)
        return;
    ahead_[w] = ahead::away;
    ++stats_.reads_ahead;
    begin(params_.places() + w, pte_pa, step, at);
}

void walk_reads::drop_ahead(uint32_t w)
{
    if (ahead_[w] != ahead::none && ahead_[w] != ahead::wanted)
        ahead_[w] = ahead_[w] == ahead::here ? ahead::none : ahead::dropped;
}

/* A read ahead of a written entry is marked as discarded, since a walker that joins it, or a cache that keeps
 * its line, would get the old line. */
void walk_reads::forget_ahead(const std::vector<uint64_t> &entries)
{
    for (uint32_t w = 0; w < ahead_.size(); ++w) {
        pte_read &mine = reads_[params_.places() + w];
        const bool written = entries.empty() || std::any_of(entries.begin(), entries.end(), [&](uint64_t pa) {
                                 return pa / line_bytes == mine.pa / line_bytes;
                             });
        if (!written || ahead_[w] == ahead::wanted)
            continue;
        mine.discarded = true;
        drop_ahead(w);
    }
}

/* True if the walker has read this entry ahead; it then gets the line as soon as that is available. */
bool walk_reads::is_ahead(uint32_t w, uint64_t pte_pa, tick at)
{
    if ((ahead_[w] != ahead::away && ahead_[w] != ahead::here) || reads_[params_.places() + w].pa != pte_pa)
        return false;
    ++stats_.reads_ahead_used;
    pte_read &mine = reads_[w];
    mine = reads_[params_.places() + w];
    mine.away = false;
    if (ahead_[w] == ahead::here)
        here_.push(at, w);
    ahead_[w] = ahead_[w] == ahead::here ? ahead::none : ahead::wanted;
    return true;
}

/* Sets `reader`, of a line read ahead, to the walker. Returns true if the walker gets it now. */
bool walk_reads::arrived_ahead(uint32_t &reader)
{
    const uint32_t w = reader - params_.places();
    const bool wanted = ahead_[w] == ahead::wanted;
    if (wanted)
        reads_[w] = reads_[reader];
    ahead_[w] = ahead_[w] == ahead::away ? ahead::here : ahead::none;
    reader = w;
    return wanted;
}

tick walk_reads::begin(uint32_t w, uint64_t pte_pa, uint32_t step, tick at)
{
    pte_read &mine = reads_[w];
    mine.pa = pte_pa;
    const bool last = step == walks_.tables().kind()->last;
    mine.cached = params_.pte_cache_holds == 0 || !last;
    mine.joins = params_.joins(last, mine.cached);
    mine.not_kept = mine.discarded = mine.refused = false;
    ++stats_.steps[step];
    if (mine.cached && walks_.has_lines()) {
        at += owner_.clock().cycles(params_.pte_cache_cycles);
        if (ww_pte_cache_lookup(walks_.lines(), pte_pa, mine.line)) {
            ++stats_.pte_cache_hits;
            here_.push(at, w);
            return at;
        }
    }
    mine.looked_up = at;
    if (!params_.zero_walk && mine.joins && join(w))
        return at;
    ++stats_.pte_reads;
    if (params_.zero_walk) {
        mine.refused = !line_now(pte_pa, mine.line, nullptr);
        here_.push(at + owner_.clock().cycles(params_.ideal_read_cycles), w);
    } else if (!wait_in_turn(w)) {
        leave(w, at);
    }
    return at;
}

void walk_reads::leave(uint32_t w, tick at)
{
    reads_[w].away = true;
    reads_[w].not_kept = false; /* the read sees earlier writes; a discarded walk stays discarded */
    reads_[w].due = at + owner_.clock().cycles(params_.read_cycles);
    if (at > owner_.now())
        leaving_.push(at, w); /* at the port now, it would block reads that leave earlier */
    else
        port_.push_back(w);
}

/* With line_reads = in_turn: puts the walker into turn_ if another walker is reading its line. Returns true
 * if so. */
bool walk_reads::wait_in_turn(uint32_t w)
{
    const uint64_t line_number = reads_[w].pa / line_bytes;
    const bool read_now =
        params_.line_reads != 0 && std::any_of(reads_.begin(), reads_.end(), [&](const pte_read &other) {
            return other.away && other.pa / line_bytes == line_number;
        });
    if (read_now)
        turn_.push_back(w);
    return read_now;
}

/* A line has arrived: the walker that has waited longest for this line reads it now. */
void walk_reads::next_of_line(uint64_t line_number, tick now)
{
    const auto next = std::find_if(turn_.begin(), turn_.end(),
                                   [&](uint32_t w) { return reads_[w].pa / line_bytes == line_number; });
    if (next == turn_.end())
        return;
    const uint32_t w = *next;
    turn_.erase(next);
    leave(w, std::max(now, reads_[w].looked_up));
}

/* Reads the line from memory, in no time. */
bool walk_reads::line_now(uint64_t pa, uint64_t *line, tick *)
{
    mem_line &read = lines_.read(pa & ~uint64_t{line_bytes - 1});
    const bool refused = mem_->transport_dbg(read) != line_bytes;
    std::memcpy(line, read.data.data(), line_bytes);
    read.release();
    return !refused;
}

/* Joins another walker's read of this line, or registers the read. Returns true if it joins one. */
bool walk_reads::join(uint32_t w)
{
    const uint64_t line_number = reads_[w].pa / line_bytes;
    const uint32_t known = out_.find(line_number);
    if (known == out_.none) {
        out_.miss(line_number, w);
        return false;
    }
    reads_[w].discarded = reads_[out_.first(known)].discarded;
    out_.join(known, w);
    ++stats_.pte_reads_merged;
    return true;
}

void walk_reads::send(tick now)
{
    while (!port_.empty() && mem_.can_send()) {
        const uint32_t w = port_.front();
        port_.pop_front();
        mem_line &line = lines_.read(reads_[w].pa & ~uint64_t{line_bytes - 1});
        line.ext.owner = w;
        line.ext.walk = true;
        mem_.send(line, std::max(reads_[w].due, now + owner_.clock().period()));
    }
}

bool walk_reads::take(tick now, arrival &a)
{
    for (uint32_t w = 0; leaving_.pop(now, w);)
        port_.push_back(w);
    mem_line *line = nullptr;
    /* the effects of a line's arrival do not wait for the state machine */
    for (; params_.match_cycles != 0 && from_memory_.pop(now, line); line->release())
        from_memory(*line, now);
    if (matched_at_ > now)
        return false;
    if (from_memory_.pop(now, line)) {
        a.walker = from_memory(*line, now);
        line->release();
    } else if (!here_.pop(now, a.walker)) {
        return false;
    }
    if (!params_.zero_walk)
        matched_at_ = now + owner_.clock().cycles(params_.match_cycles);
    if (a.walker >= params_.places() && !arrived_ahead(a.walker))
        return take(now, a);
    pte_read &mine = reads_[a.walker];
    a.discarded = mine.discarded;
    a.line = mine.refused ? nullptr : mine.line;
    mine.pa = 0;
    mine.discarded = false;
    return true;
}

/* Returns the read's index in reads_. Walkers that joined it get the line, or the error, as it arrives, but
 * not before their own lookups have ended. */
uint32_t walk_reads::from_memory(const mem_line &line, tick now)
{
    const uint32_t reader = line.ext.owner;
    const auto come = [&line](pte_read &r) {
        std::memcpy(r.line, line.data.data(), sizeof r.line);
        r.refused = line.is_response_error();
    };
    pte_read &mine = reads_[reader];
    come(mine);
    mine.away = false;
    if (params_.match_cycles != 0)
        here_.push(now, reader); /* before those that joined it */
    next_of_line(mine.pa / line_bytes, now);
    if (mine.cached && walks_.has_lines() && !mine.refused && !mine.not_kept && !mine.discarded)
        ww_pte_cache_fill(walks_.lines(), line.get_address(), mine.line);
    if (mine.joins) {
        const uint32_t idx = out_.find(mine.pa / line_bytes);
        out_.each_joined(idx, [&](uint32_t w) {
            come(reads_[w]);
            here_.push(std::max(now, reads_[w].looked_up), w);
        });
        out_.free(idx);
    }
    return reader;
}

void walk_reads::discard(uint32_t w)
{
    const bool reads_ahead = !ahead_.empty() && ahead_[w] == ahead::wanted; /* the walker gets that read */
    reads_[reads_ahead ? params_.places() + w : w].discarded = true;
    forget_ahead(w);
}

/* Lines have physical addresses, so the scope is not needed. */
uint64_t walk_reads::forget(const std::vector<uint64_t> &entries)
{
    forget_ahead(entries);
    ww_pte_cache *cache = walks_.lines();
    uint64_t dropped = 0;
    if (cache == nullptr)
        return 0;
    if (entries.empty()) {
        dropped = ww_pte_cache_count(cache);
        ww_pte_cache_flush(cache);
    }
    for (const uint64_t pa : entries)
        dropped += ww_pte_cache_invalidate(cache, pa, sizeof(uint64_t));
    return dropped;
}

/* Drops the line from the cache, since it may hold an absent entry. A read in flight, which memory may have
 * answered before the write, does not fill it again. */
uint32_t walk_reads::written(uint64_t line_pa)
{
    if (!walks_.has_lines())
        return 0;
    const uint32_t dropped = ww_pte_cache_invalidate(walks_.lines(), line_pa, line_bytes);
    stats_.pte_cache_dropped += dropped;
    for (pte_read &r : reads_)
        if (r.pa / line_bytes == line_pa / line_bytes)
            r.not_kept = true;
    return dropped;
}

} // namespace walkway

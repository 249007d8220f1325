/* SPDX-License-Identifier: MIT */
/* model/walk_unit_reads.cpp - how the walk unit gets page-table lines: from its cache, with another walker's
 * read, from memory, or in no time. */
#include "model/walk_unit.hpp"

#include <algorithm>
#include <cstring>

namespace walkway
{

uint64_t walk_unit::pte_pa(uint32_t w) const
{
    ww_walk_read read = {};
    ww_table_next(&tables_.of(walkers_[w].vmid), walkers_[w].walk, walkers_[w].va, &read);
    return read.pa;
}

/* May the PTE-line cache hold the line of the walker's present read? */
bool walk_unit::cacheable(uint32_t w) const
{
    return params_.pte_cache_holds == 0 || ww_walk_step(walkers_[w].walk) != tables_.kind()->last;
}

/* The walker's next page-table line: from the PTE-line cache, with another walker's read, or from memory. */
void walk_unit::read(uint32_t w, tick at)
{
    walker &me = walkers_[w];
    me.not_kept = false;
    const uint64_t pte_pa = this->pte_pa(w);
    const uint32_t step = ww_walk_step(me.walk);
    ++stats_.steps[step];
    count_neighbours(w);
    observe(walk_unit_events::walk_read, me.va, w * 8 + step);
    xlat_request &r = *jobs_[me.job].request;
    const bool cached = cacheable(w);
    if (cached && params_.pte_cache_bytes != 0) {
        at += clock().cycles(params_.pte_cache_cycles);
        r.charge(causes_.walk_cache, at);
        me.looked_up = at;
        if (ww_pte_cache_lookup(walks_.lines(), pte_pa, me.line)) {
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
    if (cached && params_.pte_cache_merge && join(w, pte_pa))
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
    const uint64_t line_number = pte_pa / line_bytes;
    const uint32_t known = reads_out_.find(line_number);
    if (known == reads_out_.none) {
        reads_out_.miss(line_number, w);
        return false;
    }
    walkers_[w].again = discarded(line_number);
    reads_out_.join(known, w);
    ++stats_.pte_reads_merged;
    return true;
}

/* Who joined has the line, or the error, with its arrival, but not before its own lookup of the cache has
 * ended. */
void walk_unit::serve_joined(const mem_line &line, tick now)
{
    const uint32_t idx = reads_out_.find(line.get_address() / line_bytes);
    reads_out_.each_joined(idx, [&](uint32_t w) {
        walker &joined = walkers_[w];
        std::memcpy(joined.line, line.data.data(), sizeof joined.line);
        joined.refused = line.is_response_error();
        hits_in_.push(std::max(now, joined.looked_up), w);
    });
    reads_out_.free(idx);
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
    const uint16_t vmid = me.vmid;
    const auto mark = [&](uint32_t other, uint64_t va) {
        if ((va ^ me.va) >> kind.reach[step] != 0)
            jobs_[other].spared |= bit;
    };
    ww_wbuf_set near;
    ww_wbuf_match(buffer(), me.va, vmid, kind.shift[step], &near);
    for (uint32_t word = 0; word < buffer()->ages.words; ++word)
        for (uint64_t left = near.word[word]; left != 0; left &= left - 1) {
            const uint32_t position = word * 64 + static_cast<uint32_t>(__builtin_ctzll(left));
            const ww_wbuf_job waits =
                ww_wbuf_job_of(ww_wbuf_at(buffer(), ww_wbuf_slot_at(buffer(), position)));
            mark(waits.req, waits.va);
        }
    for (uint32_t other = 0; other < params_.walkers; ++other) {
        const ww_pwst_entry e = ww_pwst_at(pwst_.as<ww_pwst>(), other);
        if (ww_table_neighbours(&kind, e.va, me.va, step) && e.valid && other != w && e.vmid == vmid &&
            ww_table_nearer(&kind, me.walk, walkers_[other].walk))
            mark(walkers_[other].job, e.va);
    }
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
    const walker &reader = walkers_[in.walker];
    const bool cached = cacheable(in.walker);
    if (cached && params_.pte_cache_bytes != 0 && !refused && !reader.not_kept && !reader.again)
        ww_pte_cache_fill(walks_.lines(), in.line->get_address(), line);
    if (cached && params_.pte_cache_merge)
        serve_joined(*in.line, now);
    in.line->release();
    walk_on(in.walker, refused ? nullptr : line, now);
}

} // namespace walkway

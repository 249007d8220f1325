/* SPDX-License-Identifier: MIT */
/* model/lds.cpp - behaviour of the controller of local memory. */
#include "model/lds.hpp"

#include "kernels/bits.h"
#include "model/common/kernel_blob.hpp"
#include "model/common/signals.hpp"

#include <algorithm>

namespace walkway
{

lds::lds(const sc_core::sc_module_name &name, const clock_domain &clock, const lds_params &p)
    : block(name, clock), up("up", *this, *this, p.queue_entries), params_(p)
{
    kernel_ = kernel_blob(ww_lds_bytes, ww_lds_init, p.controller());
    if (kernel_.bytes() == 0)
        fail("/walkway/lds", std::string(this->name()) + ": " + p.validate());
}

void lds::begin(wave_access &a, tick now)
{
    ww_lds_serve(banks(), clock().floor_cycle(now - began_));
    const bool atomic = a.access == access_kind::atomic;
    const ww_lds_access wanted = {a.lanes.mask, a.lanes.va, a.lanes.bytes, atomic};
    ww_lds_need need;
    ww_lds_begin(banks(), &wanted, &need);
    began_ = now;
    free_from_ = now + clock().cycles(need.cycles);
    ++stats_.accesses;
    stats_.atomics += atomic ? 1 : 0;
    stats_.wanted += need.wanted;
    stats_.words += need.words;
    stats_.shared += need.shared;
    stats_.bank_cycles += need.cycles;
    stats_.conflict_cycles += need.cycles - need.least;
    observe(lds_events::access, need.cycles, need.words);
    if (lent_to_ != nullptr)
        lent_to_->accessed(a);
    up.respond(a, now + clock().cycles(uint64_t{need.cycles} - 1 + params_.hit_cycles));
    ++stats_.responses;
}

/* The moves begin a cycle after the allocation, so that the order in which blocks run does not decide which
 * accesses are before them. */
void lds::moves(tick now, uint64_t bytes)
{
    const uint64_t words = bytes / params_.word_bytes, at_once = uint64_t{params_.banks} * params_.ports;
    const uint64_t cycles = (words + at_once - 1) / at_once;
    if (cycles == 0)
        return;
    free_from(now);
    moves_from_ = now + clock().period();
    to_move_ += cycles;
    stats_.moved_words += words;
    stats_.moved_cycles += cycles;
    wake(moves_from_);
}

tick lds::free_from(tick now)
{
    if (moves_from_ <= now) {
        free_from_ = std::max(free_from_, moves_from_) + clock().cycles(to_move_);
        moves_from_ = never;
        to_move_ = 0;
    }
    return free_from_;
}

void lds::step(tick now)
{
    if (up.ready(now) && now >= free_from(now)) {
        stats_.queue_cycles += clock().floor_cycle(now - up.due());
        wave_access &a = up.front();
        up.pop();
        begin(a, now);
    }
    if (sampled() && free_from_ > now)
        wake(free_from_);
    const tick next = up.next();
    if (next != never)
        wake(next > now ? next : free_from_);
}

void lds::visit(stat_visitor &v, tick) const
{
    v.count("accesses", stats_.accesses, "count", "local memory instructions that began at the banks");
    v.count("atomics", stats_.atomics, "count", "of those, read-modify-writes");
    v.count("wanted", stats_.wanted, "words", "words that their lanes want; = words + shared");
    v.count("words", stats_.words, "words", "words that banks served");
    v.count("shared", stats_.shared, "words", "words that came with another lane's of the same access");
    v.count("bank_cycles", stats_.bank_cycles, "cycles", "cycles in which an access was at the banks");
    v.count("conflict_cycles", stats_.conflict_cycles, "cycles",
            "of those, more than the words would take if they were spread evenly over the banks");
    v.count("queue_cycles", stats_.queue_cycles, "cycles",
            "time that accesses waited for the banks, added up");
    v.count("moved_words", stats_.moved_words, "words",
            "read or written to move translations out of allocations (lds_tx.layout = readjusted)");
    v.count("moved_cycles", stats_.moved_cycles, "cycles", "that the banks were at that");
    v.count("responses", stats_.responses, "count", "accesses answered; = accesses at the end of a run");
}

void lds::laws(law_list &list) const
{
    list.add("words wanted = served + shared", stats_.wanted, stats_.words + stats_.shared);
    list.add("every access answered", up.taken(), stats_.responses);
}

std::string lds::waiting() const
{
    return up.size() == 0 ? "" : std::to_string(up.size()) + " local accesses queued";
}

void lds::signals(signal_visitor &v) const
{
    v.value("queue", 12, up.size(), "accesses accepted from above, those on the wire counted");
    v.value("busy", 1, free_from_ > now(), "an access is at the banks");
    v.pulse("access", 4, stats_.accesses, "accesses that began at the banks");
    v.pulse("conflict", 12, stats_.conflict_cycles, "cycles of bank conflicts that the access adds");
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* model/walk_unit_signals.cpp - signals of the walk unit, for waveforms. */
#include "model/common/lookups.hpp"
#include "model/common/signals.hpp"
#include "model/walk_unit.hpp"

#include <algorithm>

namespace walkway
{

namespace
{

enum class walker_state { WALKWAY_WALKER_STATE_LIST(WALKWAY_STATE) };

const signal_states &walker_states()
{
    static const signal_states states = {WALKWAY_SIGNAL_STATES("walker_state", WALKWAY_WALKER_STATE_LIST)};
    return states;
}

constexpr unsigned pa_bits = 52;
constexpr unsigned count_bits = 16;

} // namespace

template <typename V> static void show_entry(V &v, const char *scope, const ww_wbuf *b, uint32_t slot)
{
    constexpr uint64_t nothing = signal_visitor::nothing;
    const ww_wbuf_entry *e = slot == WW_WBUF_NONE ? nullptr : ww_wbuf_at(b, slot);
    v.begin(scope);
    v.value("vpn", vpn_bits, e == nullptr ? nothing : ww_wbuf_va(e) >> 12, "its virtual page number (VPN)");
    v.value("cu", count_bits, e == nullptr ? nothing : e->cu, "the compute unit that asks");
    v.value("cl", 1, e == nullptr ? nothing : ww_wbuf_cl(e), "its CL bit: a read in flight will serve it");
    v.value("pl", 3, e == nullptr ? nothing : ww_walk_from(e->walk),
            "its PL field: the last level whose entry is known; 0: none");
    v.end();
}

template <typename V> void walk_unit::show_walker(V &v, unsigned w, bool at_port) const
{
    constexpr uint64_t nothing = signal_visitor::nothing;
    const walker &me = walkers_[w];
    const bool busy = (idle_[0] >> w & 1) == 0;
    const bool kept = busy && ww_pwst_word(pwst(), w) == 0;
    const walker_state s = !busy     ? walker_state::IDLE
                           : kept    ? walker_state::KEPT
                           : at_port ? walker_state::PORT
                                     : walker_state::READ;
    v.begin("walker", w);
    v.state("state", walker_states(), static_cast<uint64_t>(s), "what it does");
    v.value("level", 3, busy ? ww_walk_step(me.walk) : nothing, "level of the entry it reads");
    v.value("vpn", vpn_bits, busy ? me.va >> 12 : nothing, "virtual page number of its request");
    v.value("pte_pa", pa_bits, busy ? reads_.pte_pa(w) : nothing, "physical address of that entry");
    v.end();
}

/* Shows the walker's entry of the page-walk service table. */
template <typename V> void walk_unit::show_service(V &v, unsigned w) const
{
    constexpr uint64_t nothing = signal_visitor::nothing;
    const ww_pwst_entry e = ww_pwst_at(pwst(), w);
    v.begin("entry", w);
    v.value("valid", 1, e.valid, "page-walk service table: the walker has a read in flight");
    v.value("level", 3, e.valid ? e.step : nothing, "its level");
    v.value("nbhd", vpn_bits, e.valid ? e.va >> tables_.kind()->shift[e.step] : nothing,
            "its neighbourhood: requests with the same are held");
    v.end();
}

void walk_unit::signals(signal_visitor &visitor) const
{
    visitor.show([&](auto &v) {
        const ww_wbuf *b = buffer();
        uint64_t queued = 0;
        for (const auto &port : up)
            queued += port->size();
        v.value("queue", 32, queued, "requests accepted from above, those on the wire counted");
        v.value("backlog", 32, scheduler_.waiting(), "requests that wait outside the full buffer");
        v.begin("buffer");
        v.value("occupancy", 13, ww_wbuf_count(b), "entries in use");
        v.value("held", 13, ww_wbuf_cl_count(b), "of those, with CL set: no walker may take them");
        show_entry(v, "oldest", b, ww_wbuf_oldest(b));
        show_entry(v, "youngest", b, ww_wbuf_youngest(b));
        v.end();
        v.begin("walks");
        v.pulse("started", count_bits, stats_.walks_started, "walkers that took a request");
        v.pulse("finished", count_bits, stats_.walks_finished, "walks that ended with a translation");
        v.pulse("faulted", count_bits, stats_.walks_faulted + stats_.walks_refused,
                "walks that ended without one");
        v.pulse("coalesced", count_bits, stats_.walks_coalesced,
                "requests that a neighbour's line completed");
        v.pulse("advanced", count_bits, stats_.partial_coalesced,
                "requests that a neighbour's line brought a level nearer");
        v.pulse("answered", count_bits, stats_.walk_latency.count(), "answers to the stage above");
        v.pulse("reads", count_bits, stats_.pte_reads, "page-table reads that go to memory");
        v.value("busy", 13, busy_walkers(), "walkers at work");
        v.end();
        if (faults_ != nullptr) {
            v.begin("faults");
            v.value("parked", 13, faults_->used(), "entries of the fault table in use");
            v.value("handled", 13, faults_->count(WW_FAULT_SENT), "of those, pages that are being handled");
            v.value("kept", 13, faults_->kept(), "walkers that keep a walk, the table being full");
            v.pulse("joined", count_bits, stats_.faults_joined, "requests that joined one for their page");
            v.pulse("resumed", count_bits, stats_.faults_resumed, "requests that left the table");
            v.end();
        }

        const unsigned shown = std::min<unsigned>(params_.places(), signal_visitor::max_array);
        uint64_t at_port = 0; /* bit n: the read of walker n waits for the memory port */
        for (size_t i = 0; i < reads_.at_port().size(); ++i)
            at_port |= reads_.at_port()[i] < 64 ? uint64_t{1} << reads_.at_port()[i] : 0;
        const uint64_t every = UINT64_MAX >> (64 - shown);
        const uint64_t look = v.may_skip() ? touched_ & every : every;
        touched_ = at_port; /* show them next time: sending a read touches no walker */
        v.each(look, shown, 4, [&](unsigned w) {
            show_walker(v, w, (at_port >> w & 1) != 0 || (march_ != nullptr && march_->waits(w)));
        });
        v.begin("pwst");
        v.each(look, shown, 3, [&](unsigned w) { show_service(v, w); });
        v.end();
    });
}

} // namespace walkway

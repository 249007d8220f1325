/* SPDX-License-Identifier: MIT */
/* model/dram_signals.cpp - signals of main memory, for waveforms. An idle channel's refreshes appear when it
 * is next used, since it is not stepped in between. */
#include "model/common/signals.hpp"
#include "model/dram.hpp"

#include <algorithm>

namespace walkway
{

static const signal_states &bank_states()
{
    static const signal_states states = {WALKWAY_SIGNAL_STATES("dram_bank_state", WW_DRAM_BANK_LIST)};
    return states;
}

constexpr size_t channel_signals = 8; /* besides those of its banks */
constexpr size_t bank_signals = 2;

template <typename V> void dram::show_bank(V &v, const ww_dram *d, uint32_t rank, uint32_t bank) const
{
    uint32_t row = UINT32_MAX;
    const auto s = ww_dram_bank_state(d, rank, bank, &row);
    v.begin("rank", rank);
    v.begin("bank", bank);
    v.state("state", bank_states(), s, "what it is doing");
    v.value("row", params_.row_bits, row == UINT32_MAX ? signal_visitor::nothing : row, "its open row");
    v.end();
    v.end();
}

template <typename V> void dram::show_channel(V &v, uint32_t c, uint64_t touched) const
{
    const ww_dram *d = channels_[c].as<ww_dram>();
    const ww_dram_activity &sum = *ww_dram_so_far(d);
    v.begin("channel", c);
    v.value("reads", 12, ww_dram_waiting(d, false), "reads in the queue");
    v.value("writes", 12, ww_dram_waiting(d, true), "writes in the queue");
    v.pulse("act", 1, sum.acts, "an activate command");
    v.pulse("rd", 1, sum.reads, "a read command");
    v.pulse("wr", 1, sum.writes, "a write command");
    v.pulse("ref", 8, sum.refreshes, "a refresh command; more than one: those of idle times");
    v.pulse("row_hit", 1, sum.row_hits, "a read or write that found its row open for an earlier request");
    v.pulse("forward", 8, sum.forwards, "a read answered from the write queue");
    v.each(touched, params_.ranks * params_.banks, bank_signals,
           [&](uint32_t i) { show_bank(v, d, i / params_.banks, i % params_.banks); });
    v.end();
}

/* Marks this bank for the next signals(). */
void dram::touch(uint32_t channel, uint32_t rank, uint32_t bank)
{
    touched_[channel] |= uint64_t{1} << (rank * params_.banks + bank);
}

/* A step touches one bank of a channel, or the banks of one rank: only these are shown. */
void dram::signals(signal_visitor &visitor) const
{
    visitor.show([&](auto &v) {
        for (unsigned i = 0; i < up.size(); ++i) {
            v.begin("port", i);
            v.value("queue", 32, up[i]->size(), "requests accepted, those on the wire counted");
            v.end();
        }
        v.value("stalled", 1, stalled_since_ != never, "a request waits for room in its channel's queue");
        const uint32_t banks = params_.ranks * params_.banks;
        for (uint32_t c = 0; c < params_.channels && c < signal_visitor::max_array; ++c) {
            uint64_t touched = UINT64_MAX >> (64 - banks);
            if (v.may_skip()) {
                touched = touched_[c] | ww_dram_take_refreshed(channels_[c].as<ww_dram>());
                touched_[c] = 0;
            }
            v.each(touched != 0, 1, channel_signals + banks * bank_signals,
                   [&](unsigned) { show_channel(v, c, touched); });
        }
    });
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* tb/kernels/dram_random_test.cpp - the channel against the naive one under random traffic: the same command
 * in every cycle; each request served once, within a bound; the blob's invariants after every call; no
 * visible change of a bank without a sign. */
#include "dram_reference.hpp"
#include "dram_rig.hpp"
#include "dram_traffic.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <random>
#include <set>
#include <utility>

namespace
{

/* No read waits longer than this. Each request ahead of it and each write of the drains in between costs at
 * most a row cycle with the burst's turn-around, each waiting row may be passed hit_cap times, and refreshes
 * add to it. */
uint64_t read_bound(const ww_dram_cfg &cfg)
{
    const ww_dram_timing &t = cfg.timing;
    uint64_t one = t.rc_cycles + t.rp_cycles + t.rcd_cycles + t.cl_cycles + t.cwl_cycles +
                   2 * t.burst_cycles + t.wr_cycles + t.wtr_cycles + t.turn_cycles + t.rtrs_cycles +
                   t.rtp_cycles + cfg.bursts * (t.ccd_cycles + t.ccd_group_cycles) + t.wtr_group_cycles +
                   t.rrd_group_cycles + t.rcd_write_cycles + t.faw_cycles + t.ras_cycles;
    uint64_t served = uint64_t(cfg.read_entries) * (cfg.hit_cap + 1);
    uint64_t drains = served / (cfg.write_high - cfg.write_low) + 2;
    uint64_t busy = (served + drains * cfg.write_entries) * one;
    return cfg.timing.refi_cycles ? 3 * busy + 4 * t.rfc_cycles : busy;
}

/* Checks that the visible state of a bank changes only with a request for it, a reported command, or a
 * refresh of its rank, and that queues and totals do not change without one of these. */
class onlooker
{
public:
    onlooker(ww_dram *d, const ww_dram_cfg &cfg) : d_(d), cfg_(cfg), seen_(cfg.ranks * cfg.banks) { look(); }
    void sign(uint32_t rank, uint32_t bank) { signs_ |= uint64_t{1} << (rank * cfg_.banks + bank); }
    /* Returns the bank that changed without a sign; -1: none; -2: queues or totals changed. */
    int caught()
    {
        const uint64_t signs = std::exchange(signs_, 0) | ww_dram_take_refreshed(d_);
        const std::vector<std::pair<int, uint32_t>> before = seen_;
        const std::vector<uint64_t> totals = totals_;
        look();
        for (size_t b = 0; b < seen_.size(); ++b)
            if (seen_[b] != before[b] && (signs >> b & 1) == 0)
                return static_cast<int>(b);
        return signs == 0 && totals_ != totals ? -2 : -1;
    }

private:
    void look()
    {
        for (uint32_t b = 0; b < seen_.size(); ++b) {
            seen_[b].second = UINT32_MAX;
            seen_[b].first = ww_dram_bank_state(d_, b / cfg_.banks, b % cfg_.banks, &seen_[b].second);
        }
        const ww_dram_activity &sum = *ww_dram_so_far(d_);
        totals_ = {sum.acts,
                   sum.reads,
                   sum.writes,
                   sum.row_hits,
                   sum.forwards,
                   sum.refreshes,
                   ww_dram_waiting(d_, false),
                   ww_dram_waiting(d_, true)};
    }
    ww_dram *d_;
    const ww_dram_cfg &cfg_;
    std::vector<std::pair<int, uint32_t>> seen_;
    std::vector<uint64_t> totals_;
    uint64_t signs_ = 0;
};

void compare(uint64_t seed, uint64_t cycles)
{
    dram_traffic gen(seed);
    ww_dram_cfg cfg = dram_random_cfg(gen.rng);
    dram_blob dram(cfg);
    dram_reference::channel reference(cfg);
    ww_dram *d = dram.get();
    onlooker looks(d, cfg);
    std::map<uint32_t, std::pair<bool, uint64_t>> waiting; /* id -> is a write, arrival */
    uint32_t next_id = 1;
    bool step_first = gen.below(2), every_cycle = gen.below(2);
    uint64_t wasted = 0, issued = 0, now = 0, served = 0, refused = 0;
    for (uint64_t end = cycles; now < end || !waiting.empty(); now++) {
        if (now < end && gen.below(400) == 0) {
            gen.next_phase();
            if (gen.below(4) == 0 && waiting.empty() && reference.idle())
                now += gen.below(20000);
        }
        auto enqueue = [&] {
            while (now < end && gen.below(1000) < gen.per_mille) {
                ww_dram_loc loc = gen.location(cfg);
                bool is_write = gen.below(1000) < gen.write_per_mille,
                     room = ww_dram_can_enqueue(d, is_write);
                bool taken = ww_dram_enqueue(d, &loc, is_write, next_id, now);
                BOOST_REQUIRE_EQUAL(taken, reference.enqueue(loc, is_write, next_id, now));
                BOOST_REQUIRE_EQUAL(taken, room);
                if (!taken) {
                    refused++;
                    break;
                }
                looks.sign(loc.rank, loc.bank);
                waiting[next_id++] = {is_write, now};
            }
        };
        auto step = [&] {
            ww_dram_event got{};
            uint64_t due = ww_dram_due(d);
            if (every_cycle || due <= now) {
                BOOST_REQUIRE_GT(ww_dram_step(d, now, &got), now);
                wasted += due <= now && got.cmd == WW_DRAM_NONE;
            }
            ww_dram_event want = reference.step(now);
            if (!same_event(got, want))
                BOOST_FAIL("seed " << seed << " cycle " << now << ": "
                                   << ww_dram_cmd_name(ww_dram_cmd(got.cmd)) << " id " << got.id << " bank "
                                   << int(got.rank) << "." << int(got.bank) << ", expected "
                                   << ww_dram_cmd_name(ww_dram_cmd(want.cmd)) << " id " << want.id << " bank "
                                   << int(want.rank) << "." << int(want.bank));
            issued += got.cmd != WW_DRAM_NONE;
            if (got.cmd != WW_DRAM_NONE)
                looks.sign(got.rank, got.bank);
            if (got.id && got.cmd == WW_DRAM_ACT) {
                BOOST_REQUIRE(waiting.count(got.id) == 1U);
            } else if (got.done_cycle) {
                auto w = waiting.find(got.id);
                BOOST_REQUIRE(w != waiting.end());
                BOOST_REQUIRE_EQUAL(w->second.first, got.cmd == WW_DRAM_WR);
                if (cfg.hit_cap && !w->second.first)
                    BOOST_REQUIRE_LE(now - w->second.second, read_bound(cfg));
                waiting.erase(w);
                served++;
            }
        };
        if (step_first) {
            step();
            enqueue();
        } else {
            enqueue();
            step();
        }
        const char *broken = ww_dram_check(d);
        BOOST_REQUIRE_MESSAGE(!broken, "seed " << seed << " cycle " << now << ": " << broken);
        const int caught = looks.caught();
        BOOST_REQUIRE_MESSAGE(caught == -1, "seed " << seed << " cycle " << now << ": bank " << caught);
    }
    BOOST_REQUIRE_EQUAL(served, next_id - 1);
    BOOST_REQUIRE_EQUAL(ww_dram_waiting(d, false) + ww_dram_waiting(d, true), 0U);
    ww_dram_activity a;
    ww_dram_activity_at(d, now, &a);
    BOOST_REQUIRE_EQUAL((a.reads + a.writes) / cfg.bursts + a.forwards, served);
    BOOST_REQUIRE_EQUAL(a.read_requests * cfg.bursts, a.reads);
    BOOST_REQUIRE_GE(a.refreshes, reference.refreshes);
    BOOST_REQUIRE_LE(a.open_cycles, a.total_cycles);
    /* Steps are due only when there is work; the few other steps are refreshes that fell due. */
    BOOST_REQUIRE_LE(wasted, issued / 10 + 10);
}

} // namespace

BOOST_DATA_TEST_CASE(agrees_with_the_naive_channel, boost::unit_test::data::xrange(240), seed)
{
    compare(uint64_t(seed) + 1, 4000);
}

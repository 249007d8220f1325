/* SPDX-License-Identifier: MIT */
/* tb/kernels/dram_random_test.cpp - the channel against the naive one under random traffic: same command in
 * the same cycle, always; every request answered once, within a bound; the blob's invariants after every
 * call; nothing that can be seen of a bank changes without a sign. */
#include "dram_reference.hpp"
#include "dram_rig.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstring>
#include <random>
#include <set>
#include <utility>

namespace
{

bool same(const ww_dram_event &a, const ww_dram_event &b)
{
    return a.cmd == b.cmd && a.rank == b.rank && a.bank == b.bank && a.id == b.id &&
           a.done_cycle == b.done_cycle && a.precharge == b.precharge &&
           (a.row == b.row || a.cmd == WW_DRAM_PREA || a.cmd == WW_DRAM_REF);
}

/* Traffic comes in phases: its density, locality and share of writes change, with idle gaps of any length. */
struct traffic {
    std::mt19937_64 rng;
    uint32_t per_mille = 500, rows = 4, cols = 8, write_per_mille = 300, focus = 0;

    explicit traffic(uint64_t seed) : rng(seed) {}
    uint32_t below(uint32_t n) { return uint32_t(rng() % n); }
    void next_phase()
    {
        static const uint32_t density[] = {20, 100, 250, 600, 1000, 0};
        static const uint32_t writes[] = {0, 100, 300, 500, 900, 1000};
        per_mille = density[below(6)];
        write_per_mille = writes[below(6)];
        rows = 1 + below(6);
        cols = 1 + below(16);
        focus = below(3);
    }
    ww_dram_loc location(const ww_dram_cfg &cfg)
    {
        uint32_t ranks = focus == 2 ? 1 : cfg.ranks, banks = focus ? 1 : cfg.banks;
        return {0, below(ranks), below(banks), below(rows), below(cols)};
    }
};

/* Random but legal; small numbers, so that every constraint gets to bind. */
ww_dram_cfg random_cfg(std::mt19937_64 &rng)
{
    auto pick = [&](uint32_t lo, uint32_t hi) { return lo + uint32_t(rng() % (hi - lo + 1)); };
    ww_dram_cfg cfg;
    ww_dram_cfg_ddr3_1600(&cfg);
    if (rng() % 4 != 0) {
        ww_dram_timing &t = cfg.timing;
        t.cl_cycles = pick(1, 14);
        t.cwl_cycles = pick(1, 14);
        t.burst_cycles = pick(1, 6);
        t.rcd_cycles = pick(1, 14);
        t.rp_cycles = pick(1, 14);
        t.ras_cycles = pick(1, 30);
        t.rc_cycles = t.ras_cycles + pick(0, 15);
        t.rrd_cycles = pick(1, 8);
        t.faw_cycles = pick(1, 40);
        t.ccd_cycles = pick(1, 8);
        t.rtp_cycles = pick(1, 20);
        t.wr_cycles = pick(0, 16);
        t.wtr_cycles = pick(0, 12);
        t.rtrs_cycles = pick(0, 3);
        t.turn_cycles = pick(0, 3);
        t.rfc_cycles = pick(1, 220);
        t.refi_cycles = rng() % 5 == 0 ? 0 : pick(500, 1500);
    }
    cfg.ranks = pick(1, 3);
    cfg.banks = 1U << pick(0, 3);
    cfg.read_entries = rng() % 3 == 0 ? 1 : pick(1, 40);
    cfg.write_entries = rng() % 3 == 0 ? 1 : pick(1, 40);
    cfg.write_high = pick(1, cfg.write_entries);
    cfg.write_low = pick(0, cfg.write_high - 1);
    cfg.hit_cap = rng() % 2 ? 0 : pick(1, 6);
    cfg.overhead_cycles = pick(0, 3);
    cfg.row_policy = rng() % 3 == 0 ? WW_DRAM_ROW_CLOSED : WW_DRAM_ROW_OPEN;
    return cfg;
}

/* No read waits longer: each of the requests ahead of it and each write of the drains between costs at most a
 * row cycle with the burst's turn-around, each waiting row may be passed hit_cap times, and refreshes stand
 * in between. */
uint64_t read_bound(const ww_dram_cfg &cfg)
{
    const ww_dram_timing &t = cfg.timing;
    uint64_t one = t.rc_cycles + t.rp_cycles + t.rcd_cycles + t.cl_cycles + t.cwl_cycles +
                   2 * t.burst_cycles + t.wr_cycles + t.wtr_cycles + t.turn_cycles + t.rtrs_cycles +
                   t.rtp_cycles + t.ccd_cycles + t.faw_cycles + t.ras_cycles;
    uint64_t served = uint64_t(cfg.read_entries) * (cfg.hit_cap + 1);
    uint64_t drains = served / (cfg.write_high - cfg.write_low) + 2;
    uint64_t busy = (served + drains * cfg.write_entries) * one;
    return cfg.timing.refi_cycles ? 3 * busy + 4 * t.rfc_cycles : busy;
}

/* What a bank looks like changes with a request for it, a command that is told, or a refresh of its rank;
 * with none of these anywhere, queues and totals stay as well. */
class onlooker
{
public:
    onlooker(ww_dram *d, const ww_dram_cfg &cfg) : d_(d), cfg_(cfg), seen_(cfg.ranks * cfg.banks) { look(); }
    void sign(uint32_t rank, uint32_t bank) { signs_ |= uint64_t{1} << (rank * cfg_.banks + bank); }
    /* The bank that changed without one, -1: none, -2: queues or totals did. */
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
    traffic gen(seed);
    ww_dram_cfg cfg = random_cfg(gen.rng);
    dram_blob dram(cfg);
    dram_reference::channel reference(cfg);
    ww_dram *d = dram.get();
    onlooker looks(d, cfg);
    std::map<uint32_t, std::pair<bool, uint64_t>> waiting; /* id -> direction, since */
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
            if (!same(got, want))
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
            } else if (got.id) {
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
    BOOST_REQUIRE_EQUAL(a.reads + a.writes + a.forwards, served);
    BOOST_REQUIRE_GE(a.refreshes, reference.refreshes);
    BOOST_REQUIRE_LE(a.open_cycles, a.total_cycles);
    /* Steps are asked for when there is something to do: the few others are refreshes that fell due. */
    BOOST_REQUIRE_LE(wasted, issued / 10 + 10);
}

} // namespace

BOOST_DATA_TEST_CASE(agrees_with_the_naive_channel, boost::unit_test::data::xrange(240), seed)
{
    compare(uint64_t(seed) + 1, 4000);
}

namespace
{

/* A channel that is stepped in time beside one that is left alone as long as its patience lasts. */
struct channel {
    explicit channel(const ww_dram_cfg &cfg) : blob(cfg), d(blob.get()) {}
    /* The steps due before `end`, at `now`. */
    void catch_up(uint64_t end, uint64_t now)
    {
        calls += ww_dram_due(d) < end;
        while (ww_dram_due(d) < end) {
            const uint64_t due = ww_dram_due(d);
            ww_dram_event e;
            ww_dram_step(d, due, &e);
            if (e.cmd == WW_DRAM_RD || e.cmd == WW_DRAM_FORWARD)
                BOOST_REQUIRE_GT(e.done_cycle, now);
            if (e.cmd != WW_DRAM_NONE)
                log.push_back({due, e});
        }
    }

    dram_blob blob;
    ww_dram *d;
    std::vector<dram_entry> log;
    uint64_t calls = 0; /* that found steps due */
};

} // namespace

BOOST_DATA_TEST_CASE(late_steps_bring_the_same_commands, boost::unit_test::data::xrange(40), seed)
{
    traffic load(uint64_t(seed) + 1000);
    const ww_dram_cfg cfg = random_cfg(load.rng);
    channel in_time(cfg), late(cfg);
    for (uint64_t now = 0; now < 20000; now++) {
        if (now % 500 == 0)
            load.next_phase();
        in_time.catch_up(now + 1, now);
        const bool arrives = now < 16000 && load.below(1000) < load.per_mille;
        if (!arrives && ww_dram_patience(late.d) > now)
            continue;
        late.catch_up(now + 1, now); /* before what arrives, as the other */
        if (!arrives)
            continue;
        const bool is_write = load.below(1000) < load.write_per_mille;
        const ww_dram_loc loc = load.location(cfg);
        BOOST_REQUIRE_EQUAL(ww_dram_can_enqueue(in_time.d, is_write), ww_dram_can_enqueue(late.d, is_write));
        const auto id = static_cast<uint32_t>(now + 1);
        BOOST_REQUIRE_EQUAL(ww_dram_enqueue(in_time.d, &loc, is_write, id, now),
                            ww_dram_enqueue(late.d, &loc, is_write, id, now));
        in_time.catch_up(now + 1, now); /* it may be a forward for this very cycle */
        late.catch_up(now + 1, now);
    }
    BOOST_REQUIRE_EQUAL(in_time.log.size(), late.log.size());
    for (size_t i = 0; i < late.log.size(); ++i)
        BOOST_REQUIRE(in_time.log[i].cycle == late.log[i].cycle &&
                      same(in_time.log[i].event, late.log[i].event));
    BOOST_TEST(ww_dram_patience(late.d) == WW_DRAM_NEVER);
    BOOST_TEST((late.log.empty() || late.calls < in_time.calls));
    ww_dram_activity a, b;
    ww_dram_activity_at(in_time.d, 20000, &a);
    ww_dram_activity_at(late.d, 20000, &b);
    BOOST_TEST(std::memcmp(&a, &b, sizeof a) == 0);
}

namespace
{

/* Of one channel every refresh of idle times is asked for, of the other they are accounted in one go; then
 * both go on alike. */
void compare_idle_refreshes(uint64_t seed)
{
    traffic load(seed + 2000);
    const ww_dram_cfg cfg = random_cfg(load.rng);
    channel one_by_one(cfg), at_once(cfg);
    uint64_t told = 0, last = 0;
    const auto ask = [&](uint64_t now) {
        uint64_t cycle = 0;
        for (ww_dram_event e; ww_dram_idle_refresh(one_by_one.d, now, &cycle, &e); last = cycle) {
            BOOST_REQUIRE(e.cmd == WW_DRAM_PREA || e.cmd == WW_DRAM_REF);
            BOOST_REQUIRE_GE(cycle, last);
            BOOST_REQUIRE_LE(cycle, now);
            told += e.cmd == WW_DRAM_REF;
        }
    };
    const auto totals = [](ww_dram *d, uint64_t now) {
        ww_dram_activity a;
        ww_dram_activity_at(d, now, &a);
        return a;
    };
    uint64_t now = 0;
    for (uint32_t n = 0; n < 60; n++) {
        now += load.below(4) == 0 ? load.below(20000) : load.below(200);
        for (channel *c : {&one_by_one, &at_once})
            c->catch_up(now, 0);
        ask(now);
        if (load.below(3) == 0) {
            const ww_dram_activity a = totals(one_by_one.d, now), b = totals(at_once.d, now);
            BOOST_REQUIRE(std::memcmp(&a, &b, sizeof a) == 0);
        }
        const ww_dram_loc loc = load.location(cfg);
        const bool is_write = load.below(2) != 0;
        BOOST_REQUIRE_EQUAL(ww_dram_enqueue(one_by_one.d, &loc, is_write, n + 1, now),
                            ww_dram_enqueue(at_once.d, &loc, is_write, n + 1, now));
        uint64_t cycle = 0;
        ww_dram_event e;
        BOOST_REQUIRE(!ww_dram_idle_refresh(one_by_one.d, now, &cycle, &e)); /* idle no more */
    }
    for (channel *c : {&one_by_one, &at_once})
        c->catch_up(now + 100000, 0);
    ask(now + 100000);
    const ww_dram_activity a = totals(one_by_one.d, now + 100000), b = totals(at_once.d, now + 100000);
    BOOST_TEST(std::memcmp(&a, &b, sizeof a) == 0);
    for (const dram_entry &entry : one_by_one.log)
        told += entry.event.cmd == WW_DRAM_REF;
    BOOST_TEST(told == a.refreshes);
    BOOST_REQUIRE_EQUAL(one_by_one.log.size(), at_once.log.size());
    for (size_t i = 0; i < at_once.log.size(); ++i)
        BOOST_REQUIRE(one_by_one.log[i].cycle == at_once.log[i].cycle &&
                      same(one_by_one.log[i].event, at_once.log[i].event));
}

} // namespace

BOOST_DATA_TEST_CASE(idle_refreshes_one_by_one_come_to_the_same, boost::unit_test::data::xrange(40), seed)
{
    compare_idle_refreshes(uint64_t(seed));
}

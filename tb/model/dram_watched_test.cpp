/* SPDX-License-Identifier: MIT */
/* Main memory under observation: an observer changes neither a time nor an activation, whatever the order in
 * which requests arrive at an edge; the commands that it receives are a legal stream, including the refreshes
 * of idle channels. */
#include "model/dram.hpp"
#include "tb/support/base_protocol_checker.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/dram_law.hpp"
#include "tb/support/requests.hpp"

#include <algorithm>
#include <random>

using namespace walkway;
using namespace walkway::test;
using gp = tlm::tlm_generic_payload;

namespace
{

const clock_domain memory_clock(1250);

enum class watch { nobody, observer, sampler, both };

struct command_log final : observer {
    std::vector<observed_event> all;
    void on_event(const observed_event &e) override { all.push_back(e); }
};

struct counting_sampler final : sampler {
    uint64_t steps = 0;
    void after_step(tick) override { ++steps; }
};

struct outcome {
    std::vector<tick> answers; /* in the order of requests */
    std::map<std::string, std::string> stats;
    uint64_t activations = 0;
    tick end = 0;
    std::vector<observed_event> commands;
};

/* Few rows of few banks, so that requests find rows open, closed and in conflict; written lines are read. */
struct traffic {
    uint64_t seed = 1;
    uint32_t writes_percent = 30, most_gap = 8, idle_every = 60;
    uint64_t idle = 20000; /* cycles */
};

/* Each of two requesters sends at memory edges, without delay. One is made before memory, so that its
 * processes run first within a time, the other after it. */
outcome run(const dram_params &p, const traffic &t, watch w)
{
    memory_store store;
    lines l;
    simulation sim;
    mem_requester before("before", memory_clock);
    dram dut("dram", p, store, 2);
    mem_requester after("after", memory_clock);
    base_protocol rules;
    rules.bind(before.down, *dut.up[0]);
    rules.bind(after.down, *dut.up[1]);
    rules.held([&l](const gp &q) { return l.holds(q); });
    command_log log;
    counting_sampler looks;
    if (w == watch::observer || w == watch::both)
        dut.attach(&log);
    if (w == watch::sampler || w == watch::both)
        dut.sample(&looks);
    std::mt19937_64 rng(t.seed);
    const auto below = [&rng](uint64_t n) { return rng() % n; };
    std::vector<std::pair<mem_requester *, gp *>> asked;
    uint64_t at = 100;
    for (uint32_t n = 0; n < 400; ++n) {
        at += n % t.idle_every == t.idle_every - 1 ? t.idle + below(400) : below(t.most_gap);
        const uint64_t pa = (below(3) << 18) | (below(4) << 14) | (below(2) << 13) | (below(6) << 6);
        gp &r = below(100) < t.writes_percent ? l.write(pa) : l.read(pa);
        mem_requester &from = below(2) != 0 ? after : before;
        from.ask(r, memory_clock.cycles(at));
        asked.push_back({&from, &r});
    }
    at += t.idle;
    for (uint64_t line = 0; line < 6; ++line) { /* one per channel, which reports its refreshes until then */
        asked.push_back({&after, &l.read(line * 64)});
        after.ask(*asked.back().second, memory_clock.cycles(at));
    }
    sim.run();
    outcome o;
    for (const auto &a : asked)
        o.answers.push_back(a.first->done.at(a.second));
    o.end = *std::max_element(o.answers.begin(), o.answers.end());
    stat_text text;
    dut.visit(text, o.end);
    o.stats = text.all;
    BOOST_TEST(dut.waiting() == "");
    BOOST_TEST((looks.steps != 0) == (w == watch::sampler || w == watch::both));
    o.activations = dut.activations();
    o.commands = log.all;
    return o;
}

dram_params small_queues(uint64_t seed)
{
    std::mt19937_64 rng(seed);
    const auto pick = [&rng](uint32_t lo, uint32_t hi) {
        return lo + static_cast<uint32_t>(rng() % (hi - lo + 1));
    };
    dram_params p = numbers_of<dram_params>();
    p.channels = 1U << pick(0, 1);
    p.read_entries = pick(1, 6);
    p.write_entries = pick(1, 6);
    p.write_high = pick(1, p.write_entries);
    p.write_low = pick(0, p.write_high - 1);
    p.queue_entries = pick(1, 8);
    p.ports = pick(1, 4);
    p.overhead_cycles = pick(0, 2);
    p.hit_cap = pick(0, 2);
    p.row_policy = seed % 3 == 0 ? WW_DRAM_ROW_CLOSED : WW_DRAM_ROW_OPEN;
    p.refi = seed % 4 == 0 ? 0 : pick(600, 3000);
    if (seed % 2 == 1) { /* as in GDDR6 */
        p.groups = 1U << pick(0, 2);
        p.bursts = pick(1, 2);
        p.burst = 2;
        p.ccd = 2;
        p.rcd_write = pick(0, 14);
        p.ccd_group = pick(0, 8);
        p.rrd_group = pick(0, 12);
        p.wtr_group = pick(0, 12);
    }
    return p;
}

ww_dram_timing timing_of(const dram_params &p)
{
    return {p.cl,   p.cwl, p.burst, p.rcd,       p.rp,        p.ras,       p.rc,
            p.rrd,  p.faw, p.ccd,   p.rtp,       p.wr,        p.wtr,       p.rtrs,
            p.turn, p.rfc, p.refi,  p.rcd_write, p.ccd_group, p.rrd_group, p.wtr_group};
}

} // namespace

BOOST_AUTO_TEST_SUITE(dram_watched)

BOOST_AUTO_TEST_CASE(nothing_that_watches_changes_a_time_or_a_count)
{
    uint64_t stalls = 0, forwards = 0;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        const dram_params p = small_queues(seed);
        const traffic t = {seed, seed % 2 == 0 ? 30U : 60U, seed % 5 == 0 ? 40U : 8U, 60, 20000};
        const outcome alone = run(p, t, watch::nobody);
        for (const watch w : {watch::observer, watch::sampler, watch::both}) {
            const outcome watched = run(p, t, w);
            BOOST_TEST_INFO_SCOPE("seed " << seed << ", watched by " << static_cast<int>(w));
            BOOST_TEST(watched.answers == alone.answers, boost::test_tools::per_element());
            BOOST_TEST((watched.stats == alone.stats));
            BOOST_TEST(watched.activations - alone.activations == (w != watch::observer)); /* by sample() */
        }
        stalls += std::stoull(alone.stats.at("stall_cycles"));
        forwards += std::stoull(alone.stats.at("forwards"));
    }
    BOOST_TEST(stalls > 1000u);
    BOOST_TEST(forwards > 100u);
}

BOOST_AUTO_TEST_CASE(the_commands_that_are_told_are_a_legal_stream_with_every_refresh_of_idle_times)
{
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        dram_params p = small_queues(seed);
        p.row_policy = WW_DRAM_ROW_OPEN; /* an auto-precharge is not a separate command */
        const outcome o = run(p, {seed, 30, 8, 60, 20000}, seed % 2 == 0 ? watch::observer : watch::both);
        std::vector<dram_law> law(p.channels, dram_law(timing_of(p), p.ranks, p.groups));
        std::map<uint64_t, uint64_t> counts;
        for (const observed_event &e : o.commands) {
            BOOST_REQUIRE(e.kind == &dram_events::command);
            BOOST_REQUIRE_EQUAL(e.time % 1250, 0u);
            const std::string wrong = law[e.a >> 16].add({e.time / 1250, static_cast<ww_dram_cmd>(e.b),
                                                          static_cast<uint32_t>(e.a >> 8 & 0xFF),
                                                          static_cast<uint32_t>(e.a & 0xFF)});
            BOOST_TEST(wrong == "", "seed " << seed << ": " << wrong);
            ++counts[e.b];
        }
        const auto count = [&o](const char *name) { return std::stoull(o.stats.at(name)); };
        BOOST_TEST(counts[WW_DRAM_ACT] == count("activates"));
        BOOST_TEST(counts[WW_DRAM_RD] == count("column_reads"));
        BOOST_TEST(counts[WW_DRAM_WR] == count("column_writes"));
        BOOST_TEST(counts[WW_DRAM_FORWARD] == count("forwards"));
        BOOST_TEST(counts[WW_DRAM_REF] == count("refreshes"));
        for (uint32_t c = 0; c < p.channels && p.refi != 0; ++c)
            for (uint32_t r = 0; r < p.ranks; ++r) /* to the end, after a long time without requests */
                BOOST_TEST(law[c].refreshes(r) + 1 >= o.end / 1250 / p.refi);
    }
}

BOOST_AUTO_TEST_CASE(the_law_finds_each_kind_of_illegal_command)
{
    const ww_dram_timing t = timing_of(numbers_of<dram_params>());
    using command = dram_law::command;
    const auto wrong = [&t](std::initializer_list<command> stream) {
        dram_law law(t, 2);
        std::string all;
        for (const command &c : stream)
            all += law.add(c);
        return all;
    };
    const command act = {100, WW_DRAM_ACT, 0, 0}, read = {111, WW_DRAM_RD, 0, 0},
                  write = {111, WW_DRAM_WR, 0, 0};
    BOOST_TEST(wrong({act, read, {128, WW_DRAM_PRE, 0, 0}, {139, WW_DRAM_ACT, 0, 0}}) == "");
    BOOST_TEST(wrong({act, {110, WW_DRAM_RD, 0, 0}}) != "");                             /* RCD */
    BOOST_TEST(wrong({act, {127, WW_DRAM_PRE, 0, 0}}) != "");                            /* RAS */
    BOOST_TEST(wrong({act, {128, WW_DRAM_PREA, 0, 0}, {138, WW_DRAM_ACT, 0, 0}}) != ""); /* RP, RC */
    BOOST_TEST(wrong({act, {104, WW_DRAM_ACT, 0, 1}}) != "");                            /* RRD */
    BOOST_TEST(wrong({act, read, {114, WW_DRAM_RD, 0, 0}}) != "");                       /* CCD */
    BOOST_TEST(wrong({act, write, {128, WW_DRAM_RD, 0, 0}}) != "");                      /* WTR */
    BOOST_TEST(wrong({act, read, {119, WW_DRAM_WR, 0, 0}}) != "");                       /* TURN */
    BOOST_TEST(wrong({act, write, {134, WW_DRAM_PRE, 0, 0}}) != "");                     /* WR */
    BOOST_TEST(wrong({act, {101, WW_DRAM_ACT, 1, 0}, {112, WW_DRAM_RD, 1, 0}, {116, WW_DRAM_RD, 0, 0}}) !=
               ""); /* RTRS */
    BOOST_TEST(wrong({act, {105, WW_DRAM_ACT, 0, 1}, {110, WW_DRAM_ACT, 0, 2}, {115, WW_DRAM_ACT, 0, 3}}) ==
               "");
    BOOST_TEST(wrong({act,
                      {105, WW_DRAM_ACT, 0, 1},
                      {110, WW_DRAM_ACT, 0, 2},
                      {115, WW_DRAM_ACT, 0, 3},
                      {123, WW_DRAM_ACT, 0, 4}}) != ""); /* FAW */
    BOOST_TEST(wrong({{3120, WW_DRAM_REF, 0, 0}, {3328, WW_DRAM_ACT, 0, 0}}) == "");
    BOOST_TEST(wrong({{3120, WW_DRAM_REF, 0, 0}, {3327, WW_DRAM_ACT, 0, 0}}) != ""); /* RFC */
    BOOST_TEST(wrong({{3119, WW_DRAM_REF, 0, 0}}) != "");                            /* before it is due */
    BOOST_TEST(wrong({{9360, WW_DRAM_REF, 0, 0}}) != "");                            /* one is missing */
    BOOST_TEST(wrong({{3100, WW_DRAM_ACT, 0, 0}, {3139, WW_DRAM_REF, 0, 0}}) != ""); /* a bank is open */
    ww_dram_timing of_groups = t;
    of_groups.rcd_write_cycles = 9;
    of_groups.rrd_group_cycles = 7;
    of_groups.ccd_group_cycles = 6;
    of_groups.wtr_group_cycles = 8;
    const auto wrong_in_groups = [&of_groups](std::initializer_list<command> stream) {
        dram_law law(of_groups, 2, 4);
        std::string all;
        for (const command &c : stream)
            all += law.add(c);
        return all;
    };
    BOOST_TEST(wrong_in_groups({act, {109, WW_DRAM_WR, 0, 0}}) == "");
    BOOST_TEST(wrong_in_groups({act, {108, WW_DRAM_WR, 0, 0}}) != ""); /* RCD of writes */
    BOOST_TEST(wrong_in_groups({act, {105, WW_DRAM_ACT, 0, 1}}) == "");
    BOOST_TEST(wrong_in_groups({act, {106, WW_DRAM_ACT, 0, 4}}) != ""); /* RRD in a group */
    BOOST_TEST(wrong_in_groups({act, read, {117, WW_DRAM_RD, 0, 0}}) == "");
    BOOST_TEST(wrong_in_groups({act, read, {116, WW_DRAM_RD, 0, 0}}) != ""); /* CCD in a group */
    const command both[] = {act, {107, WW_DRAM_ACT, 0, 1}, {118, WW_DRAM_WR, 0, 0}};
    BOOST_TEST(wrong_in_groups({both[0], both[1], both[2], {136, WW_DRAM_RD, 0, 1}}) == "");
    BOOST_TEST(wrong_in_groups({both[0], both[1], both[2], {137, WW_DRAM_RD, 0, 0}}) != ""); /* WTR in one */
    BOOST_TEST(wrong_in_groups({both[0], both[1], both[2], {138, WW_DRAM_RD, 0, 0}}) == "");
    BOOST_TEST(wrong({act, act}) != "");
    BOOST_TEST(wrong({read}) != "");
    BOOST_TEST(wrong({{100, WW_DRAM_PRE, 0, 0}}) != "");
    BOOST_TEST(wrong({{100, WW_DRAM_PREA, 0, 0}}) != "");
}

BOOST_AUTO_TEST_SUITE_END()

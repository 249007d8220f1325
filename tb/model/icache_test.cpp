/* SPDX-License-Identifier: MIT */
/* The instruction cache in time (10 cycles; the level below answers after 100), and a compute unit that
 * fetches from one: instructions of 4 cycles, 8 per line, 512 in the kernel. */
#include "model/icache.hpp"
#include "tb/model/compute_unit_rig.hpp"
#include "tb/support/base_protocol_checker.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

using namespace walkway;
using namespace walkway::test;
using mrow = row<mem_protocol>;

namespace
{

icache_params small()
{
    icache_params p = numbers_of<icache_params>();
    p.entries = 16;
    p.ways = 4;
    p.hit_cycles = 10;
    return p;
}

std::map<std::string, uint64_t> values(const block &b)
{
    stat_text text;
    b.visit(text, 0);
    std::map<std::string, uint64_t> all;
    for (const auto &s : text.all)
        if (s.second.find(' ') == std::string::npos)
            all[s.first] = std::stoull(s.second);
    return all;
}

/* Two requesters share the cache. */
struct rig {
    memory_store store;
    lines l;
    simulation sim;
    mem_requester one{"one"}, two{"two"};
    mem_responder below{"below"};
    icache dut;
    base_protocol rules;

    explicit rig(const icache_params &p = small()) : dut("icache", gpu_clock, p, store, 2)
    {
        rules.bind(one.down, *dut.up[0]);
        rules.bind(two.down, *dut.up[1]);
        rules.bind(dut.down, below.up);
        rules.held([this](const auto &q) { return l.holds(q); });
        serve(below, store);
        below.latency = 100;
    }
};

/* A compute unit with an instruction cache over a memory that answers after 100 cycles. */
struct unit_rig final : group_listener {
    trace file;
    memory_store store;
    simulation sim;
    responder<access_protocol> memory{"memory"};
    mem_responder below{"below"};
    compute_unit cu;
    icache dut;
    base_protocol rules;
    std::deque<work_group> groups;
    std::map<uint32_t, tick> ended;
    kernel_code code{1 << 20, 512};

    unit_rig(const trace_spec &spec, const icache_params &p, const compute_unit_params &c)
        : file(spec), cu("cu", gpu_clock, c, 0, 1, *this, {false, true}),
          dut("icache", gpu_clock, p, store, 1)
    {
        cu.mem.bind(memory.up);
        memory.latency = 20;
        memory.answer = [](wave_access &a, tick at) { a.translated = at; };
        rules.bind(*cu.code, *dut.up[0]);
        rules.bind(dut.down, below.up);
        serve(below, store);
        below.latency = 100;
    }
    ~unit_rig() override
    {
        for (work_group &g : groups)
            wkt_group_free(g.trace);
    }
    void start()
    {
        for (uint32_t n = 0; n < wkt_reader_launch(file.reader(), 0)->groups; ++n) {
            groups.emplace_back();
            work_group &g = groups.back();
            wkt_error e;
            BOOST_REQUIRE(wkt_group_load(file.reader(), 0, n, &g.trace, &e) == WKT_OK);
            g.number = n;
            g.code = code;
            g.waves = g.waves_left = wkt_group_waves(g.trace);
            cu.start_group(g, 0);
        }
    }
    void run()
    {
        start();
        sim.run();
        tick sum = 0;
        for (const tick t : cu.stats().time)
            sum += t;
        BOOST_TEST(sum == cu.stats().wave_life_ps);
        BOOST_TEST(cu.stats().waves == cu.stats().waves_done);
        BOOST_TEST(cu.live() == 0u);
        BOOST_TEST(cu.waiting() == "");
        BOOST_TEST(dut.waiting() == "");
        BOOST_TEST(values(dut).at("fetches") == cu.stats().fetches);
    }
    std::vector<uint64_t> lines_fetched() const
    {
        std::vector<uint64_t> all;
        for (const auto &t : below.taken)
            all.push_back(t.second / period);
        return all;
    }
    tick time(wave_time t) const { return cu.stats().time[static_cast<unsigned>(t)]; }
    void group_done(unsigned, work_group &g, tick now) override { ended[g.number] = now; }
};

compute_unit_params buffered(uint32_t lines)
{
    compute_unit_params p = compute_unit_rig::one_simd();
    p.buffer_lines = lines;
    return p;
}

wkt_record at(uint32_t pc, uint32_t compute, wkt_kind kind = WKT_STORE)
{
    wkt_record r = uniform(kind, buffer_va, WKT_USE_NEVER, compute);
    r.pc = pc;
    return r;
}

} // namespace

BOOST_AUTO_TEST_SUITE(instruction_fetch)

BOOST_AUTO_TEST_CASE(a_miss_takes_lookup_level_below_and_way_up_and_a_hit_the_lookup_whoever_asks)
{
    rig r;
    auto &miss = r.l.read(0), &merged = r.l.read(0), &hit = r.l.read(0);
    r.one.ask(miss, cycle(20));
    r.two.ask(merged, cycle(50));
    r.two.ask(hit, cycle(300));
    r.sim.run();
    BOOST_TEST(r.one.done[&miss] == cycle(20 + 10 + 100 + 1));
    BOOST_TEST(r.two.done[&merged] == cycle(131));
    BOOST_TEST(r.two.done[&hit] == cycle(310));
    const auto v = values(r.dut);
    BOOST_TEST(v.at("fetches") == 3u);
    BOOST_TEST(v.at("hits") == 1u);
    BOOST_TEST(v.at("misses") == 1u);
    BOOST_TEST(v.at("merged") == 1u);
    BOOST_TEST(v.count("writes") == 0u);
}

BOOST_AUTO_TEST_CASE(its_parameters_are_those_of_the_cache_that_it_is)
{
    icache_params p = small();
    p.index = WW_INDEX_XOR;
    p.ports = 3;
    p.mshrs = 5;
    p.merges = 6;
    p.queue_entries = 7;
    p.response_cycles = 8;
    p.link_cycles = 9;
    const data_cache_params c = p.as_cache();
    BOOST_TEST(c.bytes == 1024u);
    BOOST_TEST(c.ways == 4u);
    BOOST_TEST(c.index == WW_INDEX_XOR);
    BOOST_TEST(c.hit_cycles == 10u);
    BOOST_TEST(c.ports == 3u);
    BOOST_TEST(c.mshrs == 5u);
    BOOST_TEST(c.merges == 6u);
    BOOST_TEST(c.queue_entries == 7u);
    BOOST_TEST(c.response_cycles == 8u);
    BOOST_TEST(c.link_cycles == 9u);
    BOOST_TEST(p.validate() == "");
    p.entries = 12;
    BOOST_TEST(p.validate().find("entries / ways is not a power of two: entries = ") == 0u);
    p.entries = 16;
    p.code_pa = 32;
    BOOST_TEST(p.validate() == "code_pa is not a multiple of 64");
    p.entries = 0;
    BOOST_TEST(p.validate() == "");
}

BOOST_AUTO_TEST_CASE(compute_units_share_caches_and_the_last_may_have_fewer)
{
    icache_params p = small();
    BOOST_TEST(p.caches(8) == 2u);
    BOOST_TEST(p.caches(9) == 3u);
    BOOST_TEST(p.requesters(1, 9) == 4u);
    BOOST_TEST(p.requesters(2, 9) == 1u);
    p.entries = 0;
    BOOST_TEST(p.caches(8) == 0u);
}

BOOST_AUTO_TEST_CASE(a_wave_waits_for_its_line_and_then_for_none_of_its_instructions)
{
    unit_rig r(waves({{{}, 8}}), small(), buffered(1));
    r.run();
    /* requested at 1, arrives at 2; 10 for the lookup, 100 below, 1 up */
    BOOST_TEST(r.ended[0] == cycle(2 + 111 + 8 * 4));
    BOOST_TEST(r.time(wave_time::fetch) == cycle(112));
    BOOST_TEST(r.time(wave_time::issue) == cycle(32));
    BOOST_TEST(r.cu.stats().fetches == 1u);
    BOOST_TEST(r.below.taken.front().first->get_address() == 1u << 20);
}

BOOST_AUTO_TEST_CASE(a_buffer_of_two_lines_fetches_the_next_while_the_wave_issues)
{
    unit_rig one(waves({{{}, 16}}), small(), buffered(1));
    one.run();
    BOOST_TEST(one.ended[0] == cycle(1 + 2 * (112 + 32)));
    unit_rig two(waves({{{}, 16}}), small(), buffered(2));
    two.run();
    BOOST_TEST(two.ended[0] == cycle(1 + 112 + 112 + 32)); /* requested when the first arrived */
    BOOST_TEST(two.cu.stats().fetches == 3u);              /* and a third, which no wave needs */
}

BOOST_AUTO_TEST_CASE(a_fetch_of_a_wave_that_has_ended_comes_back_to_nobody)
{
    compute_unit_params p = buffered(2);
    p.waves_per_simd = 1;
    unit_rig r(waves({{{}, 9}}), small(), p);
    r.start();
    r.sim.run_until(cycle(232));
    BOOST_TEST(r.ended.count(0) == 1u);
    BOOST_TEST(r.cu.waiting() == "1 instruction fetches out");
    r.groups[0].number = 1;
    r.groups[0].waves_left = 1;
    r.cu.start_group(r.groups[0], cycle(232));
    r.sim.run();
    /* both lines hit; the fetch in flight for the previous wave does not serve this one */
    BOOST_TEST(r.ended[1] == cycle(233 + 11 + 9 * 4));
    BOOST_TEST(r.cu.stats().fetches == 3u + 3u);
    BOOST_TEST(r.cu.live() == 0u);
    BOOST_TEST(r.cu.stats().waves_done == 2u);
}

/* The other kernel's line is in flight until 345 when the line of the previous wave returns, at 337. */
BOOST_AUTO_TEST_CASE(a_late_fetch_is_not_taken_for_the_one_that_the_next_wave_waits_for)
{
    compute_unit_params p = buffered(2);
    p.waves_per_simd = 1;
    unit_rig r(waves({{{}, 9}}), small(), p);
    r.start();
    r.sim.run_until(cycle(232));
    r.groups[0].number = 1;
    r.groups[0].waves_left = 1;
    r.groups[0].code.pa = 2 << 20;
    r.cu.start_group(r.groups[0], cycle(232));
    r.sim.run();
    BOOST_TEST(r.ended[1] == cycle(233 + 112 + 112 + 4));
}

/* In line 3, then 9; then long in line 4 while line 10 is still in flight. */
BOOST_AUTO_TEST_CASE(a_line_that_the_wave_issues_from_makes_room_for_no_other)
{
    std::vector<wkt_record> list = {at(24, 0), at(72, 0)};
    for (uint32_t k = 0; k < 60; ++k)
        list.push_back(at(32 + k % 2, 0));
    unit_rig r(waves({{list, 0}}), small(), buffered(2));
    r.run();
    BOOST_TEST(r.cu.stats().fetches == 5u); /* 3, 4, 9, 10, 5 */
}

BOOST_AUTO_TEST_CASE(a_loop_in_the_buffer_is_fetched_once)
{
    std::vector<wkt_record> list = {at(4, 4)};
    for (unsigned k = 0; k < 20; ++k)
        list.push_back(at(4, 7)); /* 5, 6, 7 of the line, then 8 ... 11 */
    unit_rig r(waves({{list, 0}}), small(), buffered(4));
    r.run();
    BOOST_TEST(r.cu.stats().fetches == 3u); /* its two lines and the next one */
    unit_rig two(waves({{list, 0}}), small(), buffered(2));
    two.run();
    BOOST_TEST(two.cu.stats().fetches > 20u); /* the next line replaces the loop's first */
    unit_rig narrow(waves({{list, 0}}), small(), buffered(1));
    narrow.run();
    BOOST_TEST(narrow.cu.stats().fetches == 1u + 2 * 20);
    BOOST_TEST(values(narrow.dut).at("misses") == 2u);
}

BOOST_AUTO_TEST_CASE(waves_of_one_kernel_share_its_lines)
{
    unit_rig r(waves({{{}, 8}, {{}, 8}, {{}, 8}}), small(), buffered(1));
    r.run();
    const auto v = values(r.dut);
    BOOST_TEST(v.at("misses") == 1u);
    BOOST_TEST(v.at("merged") == 2u);
}

BOOST_AUTO_TEST_CASE(memory_instructions_and_barriers_are_fetched_too)
{
    unit_rig r(one_launch({{{{at(64, 0)}, 0}, {{at(128, 0, WKT_BARRIER)}, 0}}}, 1 << 20), small(),
               buffered(1));
    r.run();
    BOOST_TEST(r.below.taken.size() == 2u);
    BOOST_TEST(r.below.taken[0].first->get_address() == (1u << 20) + 64 / 8 * 64);
    BOOST_TEST(r.below.taken[1].first->get_address() == (1u << 20) + 128 / 8 * 64);
}

BOOST_AUTO_TEST_CASE(fetches_that_the_full_cache_does_not_take_are_sent_later)
{
    icache_params p = small();
    p.queue_entries = p.mshrs = p.merges = 1;
    std::vector<wave_spec> list;
    for (uint32_t w = 0; w < 9; ++w)
        list.push_back({{at(w * 40, 0)}, 3});
    unit_rig r(waves(list), p, buffered(1));
    r.start();
    r.sim.run_until(cycle(60));
    BOOST_TEST(r.cu.waiting().find("9 for their next instruction") != std::string::npos, r.cu.waiting());
    r.sim.run();
    BOOST_TEST(r.ended.size() == 9u);
    BOOST_TEST(r.cu.live() == 0u);
}

BOOST_AUTO_TEST_CASE(an_error_from_below_ends_the_run)
{
    unit_rig r(waves({{{}, 8}}), small(), buffered(1));
    r.below.answer = [](tlm::tlm_generic_payload &p, tick) {
        p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    };
    r.start();
    BOOST_CHECK_THROW(r.sim.run(), sc_core::sc_report);
}

BOOST_AUTO_TEST_CASE(random_waves_lose_no_picosecond_and_every_fetch_is_answered)
{
    ww_rng random;
    ww_rng_init(&random, 4);
    std::vector<wave_spec> list(9);
    for (wave_spec &w : list) {
        for (unsigned k = 0; k < 40; ++k) {
            w.records.push_back(at(ww_rng_below(&random, 512), ww_rng_below(&random, 30),
                                   ww_rng_below(&random, 2) == 0 ? WKT_LOAD : WKT_STORE));
            w.records.back().use =
                w.records.back().kind == WKT_LOAD ? 1 + ww_rng_below(&random, 4) : WKT_USE_NEVER;
        }
        w.tail = ww_rng_below(&random, 20);
    }
    for (const uint32_t buffer : {1u, 2u, 8u}) {
        icache_params p = small();
        p.queue_entries = p.mshrs = p.merges = buffer == 2 ? 1 : 4;
        compute_unit_params c = buffered(buffer);
        c.simds = 2;
        unit_rig r(waves(list), p, c);
        r.below.stall_percent = 30;
        r.below.jitter = 50;
        r.run();
        law_list laws(0, false);
        laws.of("icache", "icache");
        r.dut.laws(laws);
        for (const law &l : laws.all())
            BOOST_TEST(l.holds(), l.name);
        BOOST_TEST(r.time(wave_time::fetch) != 0u);
    }
}

BOOST_AUTO_TEST_SUITE_END()

/* SPDX-License-Identifier: MIT */
/* The controller of local memory in time: 32 banks of 4 bytes, 10 cycles after them; and a compute unit with
 * one. */
#include "model/lds.hpp"
#include "tb/model/compute_unit_rig.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
using lrow = row<local_protocol>;

namespace
{

lds_params small()
{
    lds_params p = numbers_of<lds_params>();
    p.banks = 32;
    p.hit_cycles = 10;
    return p;
}

struct rig {
    simulation sim;
    requester<local_protocol> top{"top"};
    lds dut;
    std::deque<wave_access> all;

    explicit rig(const lds_params &p = small()) : dut("lds", gpu_clock, p) { top.down.bind(dut.up); }
    /* Lane n accesses n * step. */
    wave_access &make(uint64_t step, access_kind kind = access_kind::read)
    {
        all.emplace_back();
        wave_access &a = all.back();
        a.lanes.mask = UINT64_MAX;
        a.lanes.bytes = 4;
        a.access = kind;
        for (uint64_t n = 0; n < 64; ++n)
            a.lanes.va[n] = n * step;
        return a;
    }
    struct want {
        uint64_t at;
        wave_access *a;
        uint64_t back;
    };
    void rows(const std::vector<want> &list)
    {
        std::vector<lrow> out;
        for (const want &w : list)
            out.push_back({cycle(w.at), w.a, cycle(w.back)});
        check_rows<local_protocol>(sim, top, out);
        BOOST_TEST(dut.waiting() == "");
    }
    uint64_t count(const std::string &name) const
    {
        stat_text text;
        dut.visit(text, 0);
        return std::stoull(text.all.at(name));
    }
};

wkt_record local(wkt_kind kind, uint64_t step, uint32_t use = 1)
{
    wkt_record r = stride(kind, 0, step, use);
    return r;
}

/* A compute unit with its controller. */
struct unit_rig final : group_listener {
    trace file;
    simulation sim;
    responder<access_protocol> memory{"memory"};
    compute_unit cu;
    lds dut;
    std::deque<work_group> groups;
    std::map<uint32_t, tick> ended;

    unit_rig(const trace_spec &spec, const lds_params &p, const compute_unit_params &c)
        : file(spec), cu("cu", gpu_clock, c, 0, 1, *this, {true}), dut("lds", gpu_clock, p)
    {
        cu.mem.bind(memory.up);
        cu.local->bind(dut.up);
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
        BOOST_TEST(dut.stats().accesses == cu.stats().local);
    }
    tick time(wave_time t) const { return cu.stats().time[static_cast<unsigned>(t)]; }
    void group_done(unsigned, work_group &g, tick now) override { ended[g.number] = now; }
};

compute_unit_params two_simds()
{
    compute_unit_params p = numbers_of<compute_unit_params>();
    p.simds = 2;
    p.memory_issues = 2;
    return p;
}

} // namespace

BOOST_AUTO_TEST_SUITE(local_memory)

BOOST_AUTO_TEST_CASE(an_access_takes_its_cycles_at_the_banks_and_the_latency_behind_them)
{
    rig r;
    r.rows({{20, &r.make(0), 30}, {50, &r.make(4), 50 + 1 + 10}, {100, &r.make(128), 100 + 63 + 10}});
    BOOST_TEST(r.count("bank_cycles") == 1u + 2 + 64);
    BOOST_TEST(r.count("conflict_cycles") == 62u);
    BOOST_TEST(r.count("wanted") == 3u * 64);
    BOOST_TEST(r.count("shared") == 63u);
    BOOST_TEST(r.count("queue_cycles") == 0u);
}

BOOST_AUTO_TEST_CASE(the_next_access_begins_when_the_banks_are_free)
{
    rig r;
    r.rows({{20, &r.make(4), 31}, {20, &r.make(0), 32}, {21, &r.make(0), 33}});
    BOOST_TEST(r.count("queue_cycles") == 2u + 2);
}

BOOST_AUTO_TEST_CASE(moved_translations_have_the_banks_from_the_next_cycle_on_and_accesses_wait)
{
    lds_params p = small();
    p.ports = 2;
    rig r(p);
    r.dut.moves(cycle(20), 0);
    r.dut.moves(cycle(20), 2 * 256); /* two cycles of 64 words */
    r.dut.moves(cycle(20), 4);       /* and one that is nearly empty */
    r.rows({{20, &r.make(128), 20 + 31 + 10}, {20, &r.make(0), 20 + 32 + 3 + 10}, {200, &r.make(0), 210}});
    BOOST_TEST(r.count("moved_words") == 128u + 1);
    BOOST_TEST(r.count("moved_cycles") == 3u);
    BOOST_TEST(r.count("queue_cycles") == 32u + 3);
    BOOST_TEST(r.count("bank_cycles") == 32u + 1 + 1);
    const tick now = cycle(1000);
    r.dut.moves(now, 256);
    BOOST_TEST(!r.dut.has_port(now));
    BOOST_TEST(r.dut.has_port(cycle(1001)));
    BOOST_TEST(!r.dut.has_port(cycle(1002)));
}

BOOST_AUTO_TEST_CASE(a_move_behind_an_earlier_one_begins_when_the_banks_are_free)
{
    rig r;
    r.dut.moves(cycle(20), 10 * 128);
    r.dut.moves(cycle(25), 10 * 128);
    r.rows({{30, &r.make(0), 21 + 20 + 10}});
}

BOOST_DATA_TEST_CASE(banks_words_and_ports_decide_how_long_it_takes,
                     boost::unit_test::data::make({0u, 1u, 2u}), which)
{
    lds_params p = small();
    p.banks = which == 0 ? 16 : 32;
    p.word_bytes = which == 1 ? 8 : 4;
    p.ports = which == 2 ? 2 : 1;
    rig r(p);
    const uint64_t cycles = which == 0 ? 4 : 1;
    r.rows({{20, &r.make(4), 20 + cycles - 1 + 10}});
}

BOOST_AUTO_TEST_CASE(atomics_on_one_word_follow_each_other)
{
    rig r;
    r.rows({{20, &r.make(0, access_kind::atomic), 20 + 63 + 10}});
    BOOST_TEST(r.count("atomics") == 1u);
    BOOST_TEST(r.count("conflict_cycles") == 62u);
}

BOOST_AUTO_TEST_CASE(a_full_queue_takes_nothing)
{
    lds_params p = small();
    p.queue_entries = 1;
    rig r(p);
    for (unsigned i = 0; i < 4; ++i)
        r.top.ask(r.make(128), cycle(20));
    r.sim.run_until(cycle(80));
    BOOST_TEST(r.top.sent == 3u); /* at the banks, in the queue, blocked */
    BOOST_TEST(r.top.refused == 2u);
    BOOST_TEST(r.dut.waiting() == "1 local accesses queued");
    r.sim.run();
    BOOST_TEST(r.count("responses") == 4u);
}

BOOST_AUTO_TEST_CASE(a_configuration_that_cannot_be_is_named)
{
    lds_params p = small();
    BOOST_TEST(p.validate() == "");
    p.banks = 24;
    BOOST_TEST(p.validate() == "banks is not a power of two");
    p.banks = 16;
    p.word_bytes = 12;
    BOOST_TEST(p.validate() == "word_bytes is not a power of two");
    p.banks = 0;
    BOOST_TEST(p.validate() == "");
}

BOOST_AUTO_TEST_CASE(its_bits_are_the_offsets_of_the_access_at_the_banks)
{
    structure_list list{address_widths{}};
    list.of("lds", 2);
    small().structures(list);
    BOOST_TEST(list.all().size() == 1u);
    BOOST_TEST(list.all().front().bits == 2u * 64 * (1 + 16));
    lds_params().structures(list);
    BOOST_TEST(list.all().size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_next_cycle_brings_an_access_and_its_value_wakes_the_wave)
{
    unit_rig r(waves({{{local(WKT_LOCAL_LOAD, 4)}, 1}}), small(), compute_unit_rig::one_simd());
    r.run();
    BOOST_TEST(r.cu.stats().local_lanes == 64u);
    BOOST_TEST(r.ended[0] == cycle(1 + 1 + 1 + 10 + 4)); /* issue, arrival, two bank cycles, the latency */
    BOOST_TEST(r.time(wave_time::lds) == cycle(13 - 5));
    BOOST_TEST(r.memory.taken.empty());
}

BOOST_AUTO_TEST_CASE(a_wave_without_room_in_the_queue_waits_for_the_port_and_lets_others_issue)
{
    lds_params p = small();
    p.queue_entries = 1;
    const wkt_record far = local(WKT_LOCAL_STORE, 128);
    unit_rig r(waves({{{far, far, far, far}, 0}, {{uniform(WKT_LOAD, buffer_va)}, 0}}), p,
               compute_unit_rig::one_simd());
    r.start();
    r.sim.run_until(cycle(60));
    BOOST_TEST(r.cu.waiting() == "2 waves resident: 1 wait for a value, 0 for the coalescer, 1 for the LDS "
                                 "controller, 0 at a barrier, 0 for outstanding operations; 4 memory "
                                 "instructions out");
    r.sim.run();
    /* issued at 1, 5 and 9; the third is in the queue at 67, its credit is used at 68 */
    BOOST_TEST(r.time(wave_time::port) == cycle(68 - 13));
    BOOST_TEST(r.memory.taken.size() == 1u); /* the load is sent meanwhile */
    BOOST_TEST(r.memory.taken.front().second == cycle(14));
}

BOOST_AUTO_TEST_CASE(random_local_accesses_are_all_answered_and_lose_no_picosecond)
{
    ww_rng random;
    ww_rng_init(&random, 3);
    std::vector<wave_spec> list(7);
    const wkt_kind kinds[] = {WKT_LOCAL_LOAD, WKT_LOCAL_STORE, WKT_LOCAL_ATOMIC, WKT_LOAD};
    for (wave_spec &w : list)
        for (unsigned k = 0; k < 30; ++k)
            w.records.push_back(stride(kinds[ww_rng_below(&random, 4)], buffer_va,
                                       uint64_t{4} << ww_rng_below(&random, 6), 1 + ww_rng_below(&random, 3),
                                       ww_rng_below(&random, 5)));
    lds_params p = small();
    p.queue_entries = 1;
    unit_rig r(waves(list), p, two_simds());
    r.run();
    law_list laws(0, false);
    laws.of("lds", "lds");
    r.dut.laws(laws);
    for (const law &l : laws.all())
        BOOST_TEST(l.holds(), l.name);
    BOOST_TEST(r.time(wave_time::lds) != 0u);
    BOOST_TEST(r.time(wave_time::port) != 0u);
    stat_text text;
    r.dut.visit(text, 0);
    BOOST_TEST(std::stoull(text.all.at("atomics")) > 10u);
}

BOOST_AUTO_TEST_SUITE_END()

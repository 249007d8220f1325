/* SPDX-License-Identifier: MIT */
/* The compute unit in time: issue takes 4 cycles; an access arrives a cycle after its issue and returns 20
 * later. Waves may issue from cycle 1. */
#include "tb/model/compute_unit_rig.hpp"
#include "tb/support/block_numbers.hpp"

using namespace walkway;
using namespace walkway::test;
using list = std::vector<uint64_t>;

namespace
{
wkt_record load(uint32_t use = 1, uint32_t compute = 0)
{
    return uniform(WKT_LOAD, buffer_va, use, compute);
}
wkt_record barrier(uint32_t compute = 0)
{
    return record(WKT_BARRIER, 0, compute);
}
constexpr uint32_t never_used = WKT_USE_NEVER;
} // namespace

BOOST_AUTO_TEST_SUITE(compute_unit_in_time)

BOOST_AUTO_TEST_CASE(an_instruction_occupies_its_simd_for_four_cycles)
{
    compute_unit_rig r(waves({{{}, 10}}));
    r.run();
    BOOST_TEST(r.ended[0] == cycle(1 + 10 * 4));
    BOOST_TEST(r.dut.stats().instructions == 10u);
    BOOST_TEST(r.time(wave_time::issue) == cycle(40));
}

BOOST_AUTO_TEST_CASE(a_load_stops_its_wave_where_its_value_is_used_at_once)
{
    compute_unit_rig r(waves({{{load(1)}, 3}}));
    r.run();
    BOOST_TEST((r.arrivals() == list{2}));
    BOOST_TEST(r.ended[0] == cycle(22 + 3 * 4));
    BOOST_TEST(r.time(wave_time::translation) == cycle(17 - 5)); /* 5 to 17: translated 5 before the data */
    BOOST_TEST(r.time(wave_time::data) == cycle(5));
}

BOOST_AUTO_TEST_CASE(a_load_lets_its_wave_issue_up_to_the_use_distance)
{
    compute_unit_rig r(waves({{{load(3)}, 5}}));
    r.run();
    BOOST_TEST(r.ended[0] == cycle(22 + 3 * 4)); /* two of the five issue before the value returns */
    BOOST_TEST(r.time(wave_time::translation) == cycle(4));
    compute_unit_rig far(waves({{{load(30)}, 9}}));
    far.run();
    BOOST_TEST(far.ended[0] == cycle(5 + 9 * 4)); /* never needed */
}

BOOST_AUTO_TEST_CASE(an_unknown_use_is_what_the_parameter_says)
{
    compute_unit_params p = compute_unit_rig::one_simd();
    p.unknown_use = 3;
    compute_unit_rig r(waves({{{load(WKT_USE_UNKNOWN)}, 5}}), p);
    r.run();
    BOOST_TEST(r.ended[0] == cycle(22 + 3 * 4));
}

BOOST_AUTO_TEST_CASE(the_oldest_ready_wave_issues_first)
{
    compute_unit_rig r(waves({{{}, 3}, {{}, 3}}));
    r.run();
    BOOST_TEST(r.ended[0] == cycle(13));
    BOOST_TEST(r.ended[1] == cycle(25));
    BOOST_TEST(r.time(wave_time::wait_issue) == cycle(12));
}

BOOST_AUTO_TEST_CASE(an_older_wave_that_becomes_ready_goes_next)
{
    compute_unit_rig r(waves({{{load(1)}, 1}, {{}, 100}}));
    r.run(); /* the value returns at 22; the younger wave's current instruction ends at 25 */
    BOOST_TEST(r.ended[0] == cycle(25 + 4));
    BOOST_TEST(r.ended[1] == cycle(5 + 400 + 4));
    BOOST_TEST(r.dut.stats().preemptions == 1u);
}

BOOST_AUTO_TEST_CASE(simds_work_side_by_side_but_share_the_memory_issue_port)
{
    for (const uint32_t issues : {1u, 2u}) {
        compute_unit_params p = numbers_of<compute_unit_params>();
        p.simds = 3;
        p.memory_issues = issues;
        compute_unit_rig r(waves({{{load()}, 0}, {{load()}, 0}, {{load()}, 0}}), p);
        r.run();
        BOOST_TEST((r.arrivals() == (issues == 1 ? list{2, 3, 4} : list{2, 2, 3})));
    }
}

BOOST_AUTO_TEST_CASE(a_wave_has_at_most_so_many_operations_in_flight)
{
    compute_unit_params p = compute_unit_rig::one_simd();
    p.outstanding = 2;
    compute_unit_rig r(waves({{{load(never_used), load(never_used), load(never_used), load(never_used)}, 0}}),
                       p);
    r.run();
    BOOST_TEST((r.arrivals() == list{2, 6, 23, 27}));
    BOOST_TEST(r.memory.most_outstanding == 2u);
    BOOST_TEST(r.ended[0] == cycle(47));
    BOOST_TEST(r.time(wave_time::outstanding) == cycle(22 - 9)); /* the fourth finds room when it arrives */
    BOOST_TEST(r.time(wave_time::drain) == cycle(47 - 30));
}

BOOST_AUTO_TEST_CASE(a_wave_ends_when_its_last_store_is_taken)
{
    compute_unit_rig r(waves({{{uniform(WKT_STORE, buffer_va)}, 1}}));
    r.run();
    BOOST_TEST(r.ended[0] == cycle(22));
    BOOST_TEST(r.time(wave_time::drain) == cycle(22 - 9));
}

BOOST_AUTO_TEST_CASE(nobody_passes_a_barrier_before_the_last_has_come)
{
    compute_unit_params p = numbers_of<compute_unit_params>();
    p.simds = 2;
    compute_unit_rig r(one_launch({{{{barrier()}, 1}, {{barrier(5)}, 1}}}, 1 << 20), p);
    r.run();
    BOOST_TEST(r.ended[0] == cycle(1 + 5 * 4 + 4 + 4));
    BOOST_TEST(r.time(wave_time::barrier) == cycle(20));
    BOOST_TEST(r.dut.stats().barriers == 2u);
}

BOOST_AUTO_TEST_CASE(barriers_of_two_groups_do_not_wait_for_each_other)
{
    compute_unit_rig r(waves({{{barrier()}, 1}, {{barrier(50)}, 1}}));
    r.run();
    BOOST_TEST(r.ended[0] == cycle(1 + 4 + 4));
}

/* A work-item may return before the barrier (out of the data's range); the hardware counts it as arrived. */
BOOST_AUTO_TEST_CASE(a_wave_that_has_ended_holds_nobody_at_a_barrier)
{
    compute_unit_params p = numbers_of<compute_unit_params>();
    p.simds = 2;
    compute_unit_rig r(one_launch({{{{barrier()}, 1}, {{}, 5}}}, 1 << 20), p);
    r.start();
    r.sim.run();
    BOOST_TEST(r.ended.size() == 1u);
    BOOST_TEST(r.ended[0] == cycle(1 + 5 * 4 + 4));
}

BOOST_AUTO_TEST_CASE(local_memory_takes_31_cycles_and_one_access_a_cycle)
{
    compute_unit_params p = numbers_of<compute_unit_params>();
    p.simds = 2;
    p.memory_issues = 2;
    compute_unit_rig r(waves({{{record(WKT_LOCAL_LOAD)}, 1}, {{record(WKT_LOCAL_LOAD)}, 1}}), p);
    r.run();
    BOOST_TEST(r.ended[0] == cycle(1 + 31 + 4));
    BOOST_TEST(r.ended[1] == cycle(2 + 31 + 4)); /* both issue in cycle 1; the port takes one */
    BOOST_TEST(r.time(wave_time::lds) == cycle(2 * 27 + 1));
    BOOST_TEST(r.memory.taken.empty());
}

BOOST_AUTO_TEST_CASE(a_coalescer_that_takes_nothing_lets_others_compute)
{
    compute_unit_rig r(waves({{{load()}, 0}, {{load()}, 0}, {{load()}, 0}, {{}, 10}}),
                       compute_unit_rig::one_simd(), 1);
    r.memory.closed_until = cycle(100);
    r.run();
    BOOST_TEST(r.ended[3] ==
               cycle(1 + 2 * 4 + 10 * 4)); /* one in the ring, one blocked, and the third one waits */
    BOOST_TEST(r.time(wave_time::port) ==
               cycle(102 - 9)); /* may issue at 9; a slot is freed at 100, its credit used at 102 */
}

BOOST_AUTO_TEST_CASE(a_group_needs_waves_and_local_memory)
{
    compute_unit_params p = compute_unit_rig::one_simd();
    p.waves_per_simd = 2;
    p.lds_bytes = 1000;
    p.lds_granule = 8;
    compute_unit_rig r(waves({{{}, 10}}, 600), p);
    BOOST_TEST(r.dut.has_room(2, 1000));
    BOOST_TEST(!r.dut.has_room(3, 0));
    BOOST_TEST(!r.dut.has_room(1, 1001));
    r.start();
    BOOST_TEST(r.dut.waves_resident() == 1u);
    BOOST_TEST(r.dut.has_room(1, 400));
    BOOST_TEST(!r.dut.has_room(1, 401));
    BOOST_TEST(!r.dut.has_room(2, 0));
    r.sim.run();
    BOOST_TEST(!r.dut.has_room(2, 400)); /* a freed resource is available in the next cycle: its wave */
    BOOST_TEST(!r.dut.has_room(1, 401)); /* and its local memory */
    BOOST_TEST(r.dut.has_room(1, 400));
    r.sim.run_until(simulation_time() + period);
    BOOST_TEST(r.dut.has_room(2, 1000));
}

BOOST_AUTO_TEST_CASE(waves_go_to_the_simd_with_the_fewest)
{
    compute_unit_params p = numbers_of<compute_unit_params>();
    p.simds = 4;
    compute_unit_rig r(waves({{{}, 3}, {{}, 3}, {{}, 3}, {{}, 3}, {{}, 3}}), p);
    r.run();
    for (uint32_t n = 0; n < 4; ++n)
        BOOST_TEST(r.ended[n] == cycle(13));
    BOOST_TEST(r.ended[4] == cycle(25));
}

BOOST_AUTO_TEST_CASE(an_empty_wave_ends_as_it_starts)
{
    compute_unit_rig r(waves({{{}, 0}}));
    r.run();
    BOOST_TEST(r.ended[0] == cycle(1));
}

/* Random waves: all causes add up and all waves end, whatever the neighbour refuses. */
BOOST_AUTO_TEST_CASE(random_waves_lose_no_picosecond)
{
    ww_rng random;
    ww_rng_init(&random, 9);
    std::vector<group_spec> groups(6);
    for (group_spec &g : groups)
        for (unsigned w = 0; w < 3; ++w) {
            wave_spec wave;
            for (unsigned k = 0; k < 40; ++k) {
                const wkt_kind kinds[] = {WKT_LOAD, WKT_STORE, WKT_LOCAL_LOAD, WKT_ATOMIC};
                if (k % 10 == 9) {
                    wave.records.push_back(barrier(ww_rng_below(&random, 30)));
                    continue;
                }
                const uint32_t delay = ww_rng_below(&random, 20); /* fixes the order for any compiler */
                const uint32_t lines = 1 + ww_rng_below(&random, 6);
                wave.records.push_back(record(kinds[ww_rng_below(&random, 4)], lines, delay));
            }
            wave.tail = ww_rng_below(&random, 9);
            g.push_back(wave);
        }
    compute_unit_params p = numbers_of<compute_unit_params>();
    p.simds = 2;
    p.outstanding = 3;
    compute_unit_rig r(one_launch(groups, 1 << 20), p, 1);
    r.memory.stall_percent = 30;
    r.memory.max_outstanding = 3;
    r.memory.jitter = 60;
    r.run();
    BOOST_TEST(r.ended.size() == 6u);
    for (unsigned t = 0; t < wave_times; ++t)
        if (t == static_cast<unsigned>(wave_time::fetch))
            BOOST_TEST(r.dut.stats().time[t] == 0u, "a fetch without a port for it");
        else
            BOOST_TEST(r.dut.stats().time[t] != 0u, wave_time_name(t) << " never happened");
}

BOOST_AUTO_TEST_SUITE_END()

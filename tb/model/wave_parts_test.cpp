/* SPDX-License-Identifier: MIT */
/* A wave of 64 lanes on a compute unit whose waves have 32: two waves, each with its own records. Issue takes
 * 4 cycles; an access arrives a cycle after its issue and returns 20 later. Waves may issue from cycle 1. */
#include "tb/model/compute_unit_rig.hpp"
#include "tb/support/block_numbers.hpp"

using namespace walkway;
using namespace walkway::test;
using list = std::vector<uint64_t>;

namespace
{

constexpr uint64_t all = UINT64_MAX, low = 0xffffffff, high = all << 32;

compute_unit_params narrow(uint32_t simds = 1)
{
    compute_unit_params p = numbers_of<compute_unit_params>();
    p.wave_lanes = 1;
    p.simds = simds;
    return p;
}

wkt_record masked(wkt_record r, uint64_t mask)
{
    r.mask = mask;
    return r;
}

wkt_record load(uint64_t mask = all, uint32_t use = 1)
{
    return masked(stride(WKT_LOAD, buffer_va, 256, use), mask);
}

} // namespace

BOOST_AUTO_TEST_SUITE(waves_of_fewer_lanes)

BOOST_AUTO_TEST_CASE(a_wave_of_64_lanes_runs_as_two_of_32)
{
    compute_unit_rig r(waves({{{load(UINT64_C(0xf0000001ffffffff))}, 0}}), narrow());
    r.run();
    BOOST_REQUIRE(r.memory.taken.size() == 2u);
    const ww_coal_in &lower = r.memory.taken[0].first->lanes, &upper = r.memory.taken[1].first->lanes;
    BOOST_TEST(lower.mask == 0xffffffffu);
    BOOST_TEST(upper.mask == 0xf0000001u);
    for (const unsigned lane : {0u, 28u, 31u}) {
        BOOST_TEST(lower.va[lane] == buffer_va + lane * 256);
        BOOST_TEST(upper.va[lane] == buffer_va + (lane + 32) * 256);
    }
    BOOST_TEST((r.arrivals() == list{2, 6})); /* on one SIMD: one issues after the other */
    BOOST_TEST(r.dut.stats().waves == 2u);
    BOOST_TEST(r.dut.stats().split_waves == 1u);
    BOOST_TEST(r.dut.stats().memory == 2u);
    BOOST_TEST(r.dut.stats().idle_halves == 0u);
}

BOOST_AUTO_TEST_CASE(waves_of_64_lanes_and_traces_of_32_stay_whole)
{
    compute_unit_rig wide(waves({{{load()}, 0}}));
    wide.run();
    BOOST_TEST(wide.memory.taken.size() == 1u);
    BOOST_TEST(wide.memory.taken[0].first->lanes.mask == all);
    BOOST_TEST(wide.dut.stats().split_waves == 0u);
    trace_spec spec = waves({{{load(0x80000001)}, 0, low}});
    spec.wave_lanes = 32;
    for (const compute_unit_params &p : {narrow(), compute_unit_rig::one_simd()}) {
        compute_unit_rig r(spec, p);
        r.run();
        BOOST_REQUIRE(r.memory.taken.size() == 1u);
        BOOST_TEST(r.memory.taken[0].first->lanes.mask == 0x80000001u);
        BOOST_TEST(r.dut.stats().waves == 1u);
        BOOST_TEST(r.dut.stats().split_waves == 0u);
    }
}

BOOST_AUTO_TEST_CASE(a_half_without_work_items_is_no_wave)
{
    for (const uint64_t lanes : {uint64_t{0xffff}, uint64_t{0xffff} << 40}) {
        compute_unit_rig r(waves({{{load(lanes)}, 5, lanes}}), narrow());
        r.run();
        BOOST_TEST(r.dut.stats().waves == 1u);
        BOOST_TEST(r.dut.stats().split_waves == 0u);
        BOOST_TEST(r.dut.stats().instructions == 6u);
        BOOST_REQUIRE(r.memory.taken.size() == 1u);
        BOOST_TEST(r.memory.taken[0].first->lanes.mask == (lanes > low ? lanes >> 32 : lanes));
    }
}

/* Two SIMDs, so that each half has its own. The value returns at 22; three of five instructions wait for
 * it. */
BOOST_AUTO_TEST_CASE(an_access_of_the_other_half_alone_is_issued_without_an_access)
{
    compute_unit_rig r(waves({{{load(low, 3)}, 5}}), narrow(2));
    r.run();
    BOOST_TEST((r.arrivals() == list{2}));
    BOOST_TEST(r.ended[0] == cycle(22 + 3 * 4));
    BOOST_TEST(r.dut.stats().instructions == 12u);
    BOOST_TEST(r.dut.stats().memory == 1u);
    BOOST_TEST(r.dut.stats().compute == 11u);
    BOOST_TEST(r.dut.stats().idle_halves == 1u);
    BOOST_TEST(r.dut.stats().wave_life_ps == cycle(33 + 6 * 4)); /* the upper half waits for nothing */
}

/* The load's value is needed by the third instruction after it; two of the three are the other half's. */
BOOST_AUTO_TEST_CASE(use_distances_count_the_other_halfs_instructions)
{
    const wkt_record other = masked(uniform(WKT_STORE, buffer_va), high);
    compute_unit_rig r(waves({{{load(low, 3), other, other}, 1, all}}), narrow(2));
    r.run();
    BOOST_TEST(r.time(wave_time::translation) == cycle(17 - 13)); /* the lower half's three end at 13 */
    BOOST_TEST(r.time(wave_time::data) == cycle(5));
}

BOOST_AUTO_TEST_CASE(waves_issue_their_halves_independently)
{
    compute_unit_rig r(waves({{{load(), load()}, 0}}), narrow(2));
    r.run();
    BOOST_TEST((r.arrivals() == list{2, 3, 23, 24})); /* they share the port, but wait separately */
}

BOOST_AUTO_TEST_CASE(a_barrier_waits_for_both_halves_of_every_wave)
{
    const wave_spec early = {{record(WKT_BARRIER)}, 1}, late = {{masked(record(WKT_BARRIER, 0, 5), low)}, 1};
    compute_unit_rig r(one_launch({{early, late}}, 1 << 20), narrow(4));
    r.run();
    BOOST_TEST(r.dut.stats().waves == 4u);
    BOOST_TEST(r.dut.stats().barriers == 4u); /* also met by the half without a lane in its mask */
    BOOST_TEST(r.ended[0] == cycle(1 + 6 * 4 + 4));
    BOOST_TEST(r.time(wave_time::barrier) == 2 * cycle(5 * 4));
}

BOOST_AUTO_TEST_CASE(each_half_takes_its_turn_at_local_memory)
{
    compute_unit_rig r(waves({{{record(WKT_LOCAL_LOAD)}, 0}}), narrow(2));
    r.run();
    BOOST_TEST(r.dut.stats().local == 2u);
    BOOST_TEST(r.ended[0] == cycle(2 + 31));
}

BOOST_AUTO_TEST_CASE(a_group_has_room_where_all_its_halves_have)
{
    compute_unit_params p = narrow();
    p.waves_per_simd = 2;
    compute_unit_rig r(waves({{{}, 4}}), p);
    r.start();
    BOOST_TEST(!r.dut.has_room(1, 0));
    r.sim.run();
    BOOST_TEST(r.dut.waves_resident() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

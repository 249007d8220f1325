/* SPDX-License-Identifier: MIT */
/* A schedule issues every record once and never exceeds the waves and local memory of a compute unit; from
 * any place on, exactly the records not yet issued follow. */
#include "sample/wave_schedule.hpp"
#include "tb/support/traces.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

/* Work-groups of three waves with barriers and local memory, in which one wave ends early; then many small
 * groups. */
trace_spec mixed(uint32_t wave_lanes = 64)
{
    trace_spec spec = scatter(9, 12, 1 << 20, 30);
    std::vector<group_spec> groups;
    for (size_t g = 0; g < 9; g += 3) {
        group_spec three;
        for (size_t w = 0; w < 3; ++w) {
            wave_spec wave = spec.launches[0].groups[g + w][0];
            wave.records.insert(wave.records.begin() + 2, record(WKT_BARRIER));
            wave.records.insert(wave.records.begin() + 1, uniform(WKT_LOCAL_LOAD, 0));
            if (w == 2)
                wave.records.resize(1);
            wave.tail = 7;
            three.push_back(wave);
        }
        groups.push_back(three);
    }
    spec.launches[0].groups = groups;
    spec.launches[0].lds_bytes = 1000;
    spec.launches.push_back(scatter(40, 5, 1 << 20, 0).launches[0]);
    spec.launches[1].kernel = "second";
    spec.wave_lanes = wave_lanes;
    return spec;
}

const residency small = {2, 4, 2048, 256, 64, false};

work_done of_all(const std::vector<work_done> &launches)
{
    work_done all;
    for (const work_done &l : launches)
        all.add(l);
    return all;
}

void equal(const work_done &a, const work_done &b)
{
    BOOST_TEST(a.pages == b.pages);
    BOOST_TEST(a.instructions == b.instructions);
    BOOST_TEST(a.accesses == b.accesses);
}

/* The number of global-memory records that follow. */
uint64_t accesses_behind(wkt_reader *trace, const start_point &p)
{
    const auto of_wave = [](wkt_group *g, uint32_t wave, uint32_t skip) {
        uint64_t n = 0;
        wkt_cursor c;
        wkt_record r;
        wkt_cursor_start(g, wave, &c);
        for (uint32_t i = 0; wkt_next(&c, &r); ++i)
            n += i >= skip && (r.kind == WKT_LOAD || r.kind == WKT_STORE || r.kind == WKT_ATOMIC) ? 1 : 0;
        return n;
    };
    uint64_t all = 0;
    wkt_group *g = nullptr;
    wkt_error e;
    for (const resident_group &r : p.resident) {
        BOOST_REQUIRE(wkt_group_load(trace, p.launch, r.number, &g, &e) == WKT_OK);
        BOOST_TEST_REQUIRE(r.records.size() == wkt_group_waves(g));
        for (uint32_t w = 0; w < r.records.size(); ++w)
            if (r.records[w] != resident_group::wave_ended)
                all += of_wave(g, w, r.records[w]);
    }
    for (uint32_t l = p.launch; l < wkt_reader_info(trace)->launches; ++l)
        for (uint32_t n = l == p.launch ? p.next_group : 0; n < wkt_reader_launch(trace, l)->groups; ++n) {
            BOOST_REQUIRE(wkt_group_load(trace, l, n, &g, &e) == WKT_OK);
            for (uint32_t w = 0; w < wkt_group_waves(g); ++w)
                all += of_wave(g, w, 0);
        }
    wkt_group_free(g);
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(wave_schedules)

BOOST_DATA_TEST_CASE(every_record_is_issued_once, data::make({false, true}) * data::make({64u, 32u}), drifts,
                     lanes)
{
    const trace t(mixed());
    residency on = small;
    on.lanes = lanes;
    on.waves = 8;
    wave_schedule s(t.reader(), on, {drifts, 3});
    wave_schedule::access a;
    uint64_t accesses = 0;
    while (s.step(a))
        accesses += a.to != nullptr ? 1 : 0;
    const work_done all = of_all(work_of_launches(t.reader(), lanes));
    equal(s.done(), all);
    BOOST_TEST(accesses == all.accesses);
    BOOST_TEST(all.accesses == 3u * (12 + 12 + 1) + 40 * 5);
}

/* A wave of 64 lanes that runs as two issues each instruction twice. */
BOOST_AUTO_TEST_CASE(halves_issue_for_themselves)
{
    const trace t(mixed());
    const work_done whole = of_all(work_of_launches(t.reader(), 64)),
                    halves = of_all(work_of_launches(t.reader(), 32));
    BOOST_TEST(halves.instructions == 2 * whole.instructions);
    BOOST_TEST(halves.pages == whole.pages);
}

BOOST_DATA_TEST_CASE(places_are_enough_and_the_rest_follows,
                     data::make({false, true}) * data::make({false, true}), drifts, compact)
{
    const trace t(mixed());
    residency on = small;
    on.compact = compact;
    wave_schedule s(t.reader(), on, {drifts, 5});
    const uint64_t all = of_all(work_of_launches(t.reader(), 64)).accesses;
    wave_schedule::access a;
    uint32_t most = 0, launches = 0;
    do {
        const start_point p = s.place();
        std::vector<uint32_t> waves(on.cus), lds(on.cus);
        for (const resident_group &g : p.resident) {
            lds[g.unit] += p.launch == 0 ? 1024 : 0;
            for (const uint32_t r : g.records)
                waves[g.unit] += r != resident_group::wave_ended ? 1 : 0;
        }
        for (unsigned i = 0; i < on.cus; ++i) {
            BOOST_TEST(waves[i] <= on.waves);
            BOOST_TEST(lds[i] <= on.lds_bytes);
            most = std::max(most, waves[i]);
        }
        launches |= 1u << p.launch;
        BOOST_TEST(accesses_behind(t.reader(), p) == all - s.done().accesses);
    } while (s.step(a));
    BOOST_TEST(most == on.waves);
    BOOST_TEST((launches & 3) == 3u);
}

/* No wave passes a barrier before the running waves of its work-group arrive. */
BOOST_AUTO_TEST_CASE(barriers_hold)
{
    const trace t(mixed());
    wave_schedule s(t.reader(), small, {true, 11});
    wave_schedule::access a;
    while (s.step(a) && s.launch() == 0)
        for (const resident_group &g : s.place().resident) {
            /* records: access, local, access, barrier, ... */
            const bool behind = g.records[0] > 3 || g.records[1] > 3;
            if (g.records[0] != resident_group::wave_ended && g.records[1] != resident_group::wave_ended &&
                behind)
                BOOST_TEST(std::min(g.records[0], g.records[1]) >= 4u);
        }
}

BOOST_AUTO_TEST_CASE(waves_in_step_and_waves_that_drift_are_two_orders)
{
    const trace t(scatter(8, 40, 1 << 20, 0));
    const auto spread = [&t](bool drifts) {
        wave_schedule s(t.reader(), {1, 8, 0, 1, 64, false}, {drifts, 1});
        wave_schedule::access a;
        uint32_t most = 0;
        while (s.step(a))
            for (const resident_group &g : s.place().resident)
                for (const resident_group &h : s.place().resident)
                    if (g.records[0] != resident_group::wave_ended &&
                        h.records[0] != resident_group::wave_ended)
                        most = std::max(most, g.records[0] - std::min(g.records[0], h.records[0]));
        return most;
    };
    BOOST_TEST(spread(false) <= 1u);
    BOOST_TEST(spread(true) >= 15u); /* of 40; a random wave per access would give about 5 */
}

/* The units of the work-groups that are resident after the first step, by the group's number. */
std::vector<uint32_t> units_of(const trace &t, const residency &on)
{
    wave_schedule s(t.reader(), on, {});
    wave_schedule::access a;
    s.step(a);
    std::vector<uint32_t> units;
    for (const resident_group &g : s.place().resident)
        units.push_back(g.unit);
    return units;
}

BOOST_AUTO_TEST_CASE(work_groups_go_where_the_dispatcher_puts_them)
{
    const trace t(scatter(5, 4, 1 << 20, 0));
    BOOST_TEST((units_of(t, {2, 4, 0, 1, 64, false}) == std::vector<uint32_t>{0, 1, 0, 1, 0}));
    BOOST_TEST((units_of(t, {2, 4, 0, 1, 64, true}) == std::vector<uint32_t>{0, 0, 0, 0, 1}));
}

/* 1000 bytes take 1024 in granules: two of three work-groups fit, however many wave slots are free. */
BOOST_AUTO_TEST_CASE(local_memory_bounds_what_is_resident)
{
    const trace t(mixed());
    BOOST_TEST(units_of(t, {1, 16, 2048, 256, 64, false}).size() == 2u);
    BOOST_TEST(units_of(t, {1, 16, 2047, 256, 64, false}).size() == 1u);
    BOOST_TEST(units_of(t, {1, 16, 4096, 256, 64, false}).size() == 3u);
}

/* Three waves are in the first work-group and one in the last: of four slots both fill all. Nothing of the
 * last can be resident while room for three is wanted. */
BOOST_AUTO_TEST_CASE(a_smaller_last_work_group_needs_room_for_its_own_waves_only)
{
    trace_spec spec = scatter(4, 6, 1 << 20, 0);
    const std::vector<group_spec> one = spec.launches[0].groups;
    spec.launches[0].groups = {{one[0][0], one[1][0], one[2][0]}, one[3]};
    const trace t(spec);
    BOOST_TEST(units_of(t, {1, 4, 0, 1, 64, false}).size() == 2u);
    BOOST_TEST(units_of(t, {1, 8, 0, 1, 32, false}).size() == 2u);
    BOOST_TEST(units_of(t, {1, 3, 0, 1, 64, false}).size() == 1u);
}

/* The barrier does not wait for an ended wave; neither does the machine's. */
BOOST_AUTO_TEST_CASE(a_wave_that_ends_without_the_barrier_lets_the_others_pass)
{
    trace_spec spec = scatter(2, 6, 1 << 20, 0);
    group_spec two = {spec.launches[0].groups[0][0], spec.launches[0].groups[1][0]};
    two[0].records.insert(two[0].records.begin() + 1, record(WKT_BARRIER));
    spec.launches[0].groups = {two};
    const trace t(spec);
    wave_schedule s(t.reader(), small, {});
    wave_schedule::access a;
    uint64_t accesses = 0;
    while (s.step(a))
        accesses += a.to != nullptr ? 1 : 0;
    BOOST_TEST(accesses == 12u);
}

BOOST_AUTO_TEST_CASE(what_never_fits_is_said)
{
    const trace t(mixed());
    wave_schedule s(t.reader(), {1, 2, 2048, 256, 64, false}, {});
    wave_schedule::access a;
    BOOST_CHECK_THROW(s.step(a), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()

/* SPDX-License-Identifier: MIT */
/* A machine that begins in the middle of a program: every law holds, all of the rest is run, and what was
 * used before is in the caches. */
#include "sample/recent_uses.hpp"
#include "sample/wave_schedule.hpp"
#include "tb/platform/apu_rig.hpp"

#include <boost/test/data/test_case.hpp>

#include <set>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

const trace &two_kernels()
{
    static const trace t([] {
        trace_spec spec = two_launches(row_major(12, 8, 4, 16384), scatter(12, 10, 2 << 20, 40));
        for (group_spec &g : spec.launches[1].groups) {
            g.push_back(g[0]);
            g[1].records.resize(3);
            for (wave_spec &w : g)
                w.records.insert(w.records.begin() + 2, record(WKT_BARRIER));
        }
        return spec;
    }());
    return t;
}

residency residency_of(const gpu_machine_params &p)
{
    return {p.gpu.cus,    p.cu.simds * p.cu.waves_per_simd, p.cu.lds_bytes, p.cu.lds_granule,
            p.cu.lanes(), p.dispatcher.policy == 1};
}

struct begun_at {
    start_point at;
    work_done before;
};

begun_at point_of(const gpu_machine_params &p, double part, bool used)
{
    wave_schedule s(two_kernels().reader(), residency_of(p), {});
    recent_uses uses(p.gpu.cus, {10000, 10000, 10000});
    uint64_t all = 0;
    for (const work_done &l : work_of_launches(two_kernels().reader(), p.cu.lanes()))
        all += l.instructions;
    wave_schedule::access a;
    while (static_cast<double>(s.done().instructions) < part * static_cast<double>(all) && s.step(a))
        if (a.to != nullptr && used)
            uses.access(*a.to, a.unit, a.writes);
    begun_at b = {s.place(), s.done()};
    b.at.used = uses.latest();
    return b;
}

struct rest_of_run {
    uint64_t instructions, cycles, l2_misses;
};

rest_of_run run_from(const gpu_machine_params &p, const begun_at &from)
{
    simulation sim;
    gpu_machine machine(p, two_kernels().reader());
    machine.start_at(from.at);
    machine.measure({{}, {window_unit::instructions, uint64_t{1} << 40}});
    BOOST_TEST((machine.run({}) == run_end::complete));
    for (const law &l : machine.laws())
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
    const window_report w = machine.window();
    BOOST_TEST(w.opened);
    uint64_t misses = 0;
    for (const auto *cache : {&machine.top().l2d})
        misses += cache->stats().read_misses;
    return {w.close.instructions - w.open.instructions, machine.cycles(), misses};
}

/* Lines that are used before the point and read after it, before they are written. */
uint64_t read_again(const gpu_machine_params &p, double part)
{
    std::set<uint64_t> before;
    for (const recent_use &u : point_of(p, part, true).at.used)
        if (u.what != recent_use::page)
            before.insert(u.va);
    wave_schedule s(two_kernels().reader(), residency_of(p), {});
    const uint64_t begun = point_of(p, part, false).before.instructions;
    uint64_t all = 0;
    for (wave_schedule::access a; s.step(a);)
        for (uint32_t l = 0; a.to != nullptr && s.done().instructions > begun && l < a.to->lines; ++l)
            all += before.erase(a.to->line_va[l]) != 0 && !a.writes ? 1 : 0;
    return all;
}

const char *const machines[] = {"",
                                "walk_unit.coalesce=full walk_unit.walk_path=l2d",
                                "cu.wave_lanes=32",
                                "dispatcher.policy=compact l2_tlb.store=compressed",
                                "l2_tlb.store=subentry",
                                "memory_tlb.entries=4096",
                                "translation.ideal=perfect_l1"};
const double parts[] = {0, 0.05, 0.3, 0.55, 0.8, 0.99};

} // namespace

BOOST_AUTO_TEST_SUITE(start_points)

BOOST_DATA_TEST_CASE(what_follows_is_run_and_every_law_holds, data::make(machines) * data::make(parts),
                     settings, part)
{
    const gpu_machine_params p = configured(settings);
    uint64_t all = 0;
    for (const work_done &l : work_of_launches(two_kernels().reader(), p.cu.lanes()))
        all += l.instructions;
    const begun_at from = point_of(p, part, true);
    BOOST_TEST(run_from(p, from).instructions == all - from.before.instructions);
}

/* The last record before the point is the last of a launch. */
BOOST_AUTO_TEST_CASE(behind_the_last_record_of_a_launch_the_next_follows_or_the_program_ends)
{
    const gpu_machine_params p = configured("");
    uint64_t behind = 0;
    for (const work_done &l : work_of_launches(two_kernels().reader(), p.cu.lanes()))
        behind += l.instructions;
    wave_schedule s(two_kernels().reader(), residency_of(p), {});
    for (uint32_t launch = 0; launch < 2; ++launch) {
        wave_schedule::access a;
        const uint32_t groups = wkt_reader_launch(two_kernels().reader(), launch)->groups;
        start_point point;
        do {
            BOOST_REQUIRE(s.step(a));
            point = s.place();
        } while (point.launch != launch || point.next_group != groups || !point.resident.empty());
        BOOST_TEST(run_from(p, {point, s.done()}).instructions == behind - s.done().instructions);
    }
    BOOST_TEST(s.done().instructions == behind);
}

/* Rows are a power of two apart and would otherwise share few sets. */
BOOST_AUTO_TEST_CASE(what_was_used_before_is_there)
{
    const gpu_machine_params p = configured("l2d.index=xor");
    const rest_of_run cold = run_from(p, point_of(p, 0.2, false)),
                      filled = run_from(p, point_of(p, 0.2, true));
    BOOST_TEST(filled.instructions == cold.instructions);
    const uint64_t again = read_again(p, 0.2);
    BOOST_TEST(again > 100u);
    BOOST_TEST(filled.l2_misses + again * 9 / 10 <= cold.l2_misses);
    BOOST_TEST(filled.l2_misses + again * 11 / 10 >= cold.l2_misses);
    BOOST_TEST(filled.cycles < cold.cycles);
}

BOOST_AUTO_TEST_CASE(what_only_a_whole_run_knows_is_refused)
{
    const start_point point;
    {
        simulation sim;
        gpu_machine machine(configured("address_space.map=first_touch"), two_kernels().reader());
        BOOST_CHECK_THROW(machine.start_at(point), std::runtime_error);
    }
    {
        simulation sim;
        gpu_machine machine(configured("address_space.spaces=2"), two_kernels().reader());
        BOOST_CHECK_THROW(machine.start_at(point), std::runtime_error);
    }
}

BOOST_AUTO_TEST_SUITE_END()

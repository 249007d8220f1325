/* SPDX-License-Identifier: MIT */
/* The dispatcher in time: which work-group goes where and when. Launch takes 10 cycles, a dispatch 3. */
#include "model/dispatcher.hpp"
#include "tb/support/requests.hpp"
#include "tb/support/simulation.hpp"
#include "tb/support/traces.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

dispatcher_params quick(uint8_t policy = 0)
{
    dispatcher_params p;
    p.policy = policy;
    p.dispatch_cycles = 3;
    p.launch_cycles = 10;
    return p;
}

struct sent {
    uint64_t group, cu, at;
    bool operator==(const sent &o) const { return group == o.group && cu == o.cu && at == o.at; }
};
std::ostream &operator<<(std::ostream &out, const sent &s)
{
    return out << "group " << s.group << " to unit " << s.cu << " at " << s.at;
}

struct rig final : observer {
    trace file;
    simulation sim;
    dispatcher dut;
    std::deque<compute_unit> cus;
    std::deque<responder<access_protocol>> memories;
    std::vector<sent> seen;

    rig(const trace_spec &spec, const dispatcher_params &p, unsigned units, uint32_t waves_per_cu = 2,
        uint8_t wave_lanes = 0)
        : file(spec), dut("dispatcher", gpu_clock, p, file.reader())
    {
        compute_unit_params cu;
        cu.simds = 1;
        cu.wave_lanes = wave_lanes;
        cu.waves_per_simd = waves_per_cu;
        cu.lds_bytes = 1000;
        cu.lds_granule = 4;
        for (unsigned i = 0; i < units; ++i) {
            cus.emplace_back(("cu_" + std::to_string(i)).c_str(), gpu_clock, cu, i, units, dut);
            memories.emplace_back(("memory_" + std::to_string(i)).c_str());
            cus[i].mem.bind(memories[i].up);
            dut.attach_unit(cus[i]);
        }
        dut.attach(this);
    }
    void on_event(const observed_event &e) override
    {
        if (e.kind == &dispatcher_events::group)
            seen.push_back({e.a, e.b, e.time / period});
    }
    void expect(const std::vector<sent> &wanted)
    {
        sim.run();
        BOOST_TEST(seen == wanted, boost::test_tools::per_element());
        BOOST_TEST(dut.done());
        BOOST_TEST(dut.groups_done() == dut.groups_total());
        BOOST_TEST(dut.waiting() == "");
    }
};

/* Groups of one wave with `compute` instructions of 4 cycles. */
launch_spec groups(unsigned n, uint32_t compute, uint32_t lds = 0)
{
    return {std::vector<group_spec>(n, group_spec{{{}, compute, UINT64_MAX}}), lds};
}

trace_spec kernels(std::vector<launch_spec> launches)
{
    trace_spec spec;
    spec.launches = std::move(launches);
    return spec;
}

} // namespace

BOOST_AUTO_TEST_SUITE(dispatch_in_time)

BOOST_AUTO_TEST_CASE(work_groups_go_round_robin_one_every_dispatch_time)
{
    rig r(kernels({groups(4, 100)}), quick(), 3);
    r.expect({{0, 0, 10}, {1, 1, 13}, {2, 2, 16}, {3, 0, 19}});
}

BOOST_AUTO_TEST_CASE(compact_dispatch_fills_the_lowest_unit_with_room)
{
    rig r(kernels({groups(5, 100)}), quick(1), 3);
    r.expect({{0, 0, 10}, {1, 0, 13}, {2, 1, 16}, {3, 1, 19}, {4, 2, 22}});
}

/* 10 instructions: resident from 11, done at 51; the second waits for its turn to issue. */
BOOST_AUTO_TEST_CASE(a_work_group_waits_for_room_and_goes_the_cycle_after_it_comes_free)
{
    rig r(kernels({groups(3, 10)}), quick(), 1, 1);
    r.expect({{0, 0, 10}, {1, 0, 52}, {2, 0, 94}});
    BOOST_TEST(r.dut.ended() == cycle(94 + 1 + 40));
}

BOOST_AUTO_TEST_CASE(local_memory_bounds_the_groups_of_a_unit)
{
    rig r(kernels({groups(2, 10, 600)}), quick(), 1);
    r.expect({{0, 0, 10}, {1, 0, 52}});
}

BOOST_AUTO_TEST_CASE(every_work_group_counts_the_local_memory_that_it_asks_for_once)
{
    rig r(kernels({groups(2, 10, 600), groups(3, 10)}), quick(), 1);
    r.sim.run();
    stat_text text;
    r.dut.visit(text, r.dut.ended());
    BOOST_TEST(text.all.at("group_lds_bytes") == "5 values, sum 1200: 0*3 576*2");
}

BOOST_AUTO_TEST_CASE(a_unit_without_room_is_passed_over)
{
    launch_spec l = groups(4, 1);
    l.groups[0][0].tail = 100; /* keeps unit 0 */
    rig r(kernels({l}), quick(), 2, 1);
    r.expect({{0, 0, 10}, {1, 1, 13}, {2, 1, 19}, {3, 1, 25}});
}

BOOST_AUTO_TEST_CASE(a_kernel_starts_its_launch_time_after_the_one_before_has_ended_everywhere)
{
    rig r(kernels({groups(2, 10), groups(2, 1)}), quick(), 2);
    r.expect({{0, 0, 10}, {1, 1, 13}, {0, 0, 54 + 10}, {1, 1, 54 + 13}});
    BOOST_TEST(r.dut.launches_done() == 2u);
}

BOOST_AUTO_TEST_CASE(a_kernel_without_work_groups_is_passed_over)
{
    rig r(kernels({groups(1, 10), groups(0, 0), groups(1, 1)}), quick(), 1);
    r.expect({{0, 0, 10}, {0, 0, 51 + 10}});
}

BOOST_AUTO_TEST_CASE(a_trace_without_kernels_is_done_at_once)
{
    rig r(kernels({}), quick(), 1);
    r.expect({});
    BOOST_TEST(r.dut.ended() == 0u);
}

BOOST_AUTO_TEST_CASE(a_work_group_that_can_never_fit_is_refused_before_the_run)
{
    rig waves(kernels({{{group_spec(3)}, 0}}), quick(), 1);
    BOOST_CHECK_THROW(waves.dut.check_fit(), std::runtime_error);
    rig local(kernels({groups(1, 1, 1001)}), quick(), 1);
    BOOST_CHECK_THROW(local.dut.check_fit(), std::runtime_error);
    rig fits(kernels({groups(1, 1, 1000)}), quick(), 1);
    BOOST_CHECK_NO_THROW(fits.dut.check_fit());
}

/* Two of 32 lanes for each wave: two groups of one wave fill four places, of two waves one does. */
BOOST_AUTO_TEST_CASE(units_with_waves_of_half_the_lanes_have_room_for_half_the_groups)
{
    rig one(kernels({groups(3, 10)}), quick(), 1, 4, 1);
    one.expect({{0, 0, 10}, {1, 0, 13}, {2, 0, 92}});
    rig two(kernels({{std::vector<group_spec>(2, group_spec(2)), 0}}), quick(), 1, 4, 1);
    BOOST_CHECK_NO_THROW(two.dut.check_fit());
    rig fits_not(kernels({{{group_spec(2)}, 0}}), quick(), 1, 3, 1);
    BOOST_CHECK_THROW(fits_not.dut.check_fit(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(waves_of_a_trace_with_as_few_lanes_are_not_split)
{
    trace_spec spec = kernels({groups(2, 10)});
    spec.wave_lanes = 32;
    for (launch_spec &l : spec.launches)
        for (group_spec &g : l.groups)
            g[0].lanes = 0xffffffff;
    rig r(spec, quick(), 1, 2, 1);
    BOOST_CHECK_NO_THROW(r.dut.check_fit());
    r.expect({{0, 0, 10}, {1, 0, 13}});
}

/* A wave of each group asks once; what it asks says its address space. */
BOOST_AUTO_TEST_CASE(address_spaces_are_given_out_by_launch_or_by_work_group)
{
    wave_spec asks;
    asks.records.push_back(stride(WKT_LOAD, buffer_va, 64));
    const auto spaces_of = [&asks](uint8_t by, uint32_t spaces) {
        dispatcher_params p = quick();
        p.space = by;
        p.spaces = spaces;
        const std::vector<group_spec> three(3, group_spec{asks});
        rig r({{{buffer_va, 1 << 20, 0, 0, 1}}, {{three}, {three}}}, p, 1, 1);
        std::vector<unsigned> vmids;
        r.memories[0].answer = [&vmids](wave_access &a, tick) { vmids.push_back(a.vmid); };
        r.sim.run();
        return vmids;
    };
    const auto expect = [](const std::vector<unsigned> &seen, const std::vector<unsigned> &wanted) {
        BOOST_TEST(seen == wanted, boost::test_tools::per_element());
    };
    expect(spaces_of(0, 1), {0, 0, 0, 0, 0, 0});
    expect(spaces_of(0, 2), {0, 0, 0, 1, 1, 1});
    expect(spaces_of(1, 2), {0, 1, 0, 0, 1, 0});
    expect(spaces_of(1, 3), {0, 1, 2, 0, 1, 2});
}

BOOST_AUTO_TEST_SUITE_END()

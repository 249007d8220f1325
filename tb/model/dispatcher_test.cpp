/* SPDX-License-Identifier: MIT */
/* The dispatcher in time: unit and time of each work-group. Launch takes 10 cycles, a dispatch 3. */
#include "model/dispatcher.hpp"
#include "tb/model/invalidate_peers.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"
#include "tb/support/simulation.hpp"
#include "tb/support/traces.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

dispatcher_params quick(uint8_t policy = 0)
{
    dispatcher_params p = numbers_of<dispatcher_params>();
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
    std::deque<trace> files;
    simulation sim;
    dispatcher dut;
    std::deque<compute_unit> cus;
    std::deque<responder<access_protocol>> memories;
    std::vector<sent> seen;

    rig(const trace_spec &spec, const dispatcher_params &p, unsigned units, uint32_t waves_per_cu = 2,
        uint8_t wave_lanes = 0)
        : rig(std::vector<trace_spec>{spec}, p, units, waves_per_cu, wave_lanes)
    {
    }
    rig(const std::vector<trace_spec> &specs, const dispatcher_params &p, unsigned units,
        uint32_t waves_per_cu = 2, uint8_t wave_lanes = 0)
        : files(specs.begin(), specs.end()), dut("dispatcher", gpu_clock, p, readers())
    {
        compute_unit_params cu = numbers_of<compute_unit_params>();
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
    program_list readers()
    {
        std::vector<wkt_reader *> all;
        for (trace &t : files)
            all.push_back(t.reader());
        return program_list(all);
    }
    std::map<std::string, std::string> statistics() const
    {
        stat_text text;
        dut.visit(text, dut.ended());
        return text.all;
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

/* Two waves on two units, the second with compute before its loads; then a kernel of two equal waves in their
 * places. */
BOOST_AUTO_TEST_CASE(how_far_a_launch_s_furthest_wave_is_ahead)
{
    const wkt_record fast = uniform(WKT_LOAD, buffer_va, WKT_USE_NEVER),
                     slow = uniform(WKT_LOAD, buffer_va, WKT_USE_NEVER, 100);
    const group_spec three{{{fast, fast, fast}, 0, UINT64_MAX}}, two{{{slow, slow}, 0, UINT64_MAX}},
        one{{{slow}, 0, UINT64_MAX}};
    rig r(kernels({{{three, two}, 0}, {{one, one}, 0}}), quick(), 2);
    r.sim.run();
    histogram lag;
    for (const compute_unit &cu : r.cus)
        lag.add(cu.stats().wave_lag);
    BOOST_TEST(lag.count() == 7u);
    BOOST_TEST(lag.max() == 2u);
    BOOST_TEST(lag.sum() == 2u + 1u); /* of the slow wave, as all three of the fast one are issued */
}

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

/* 10 instructions: resident from 11, done at 51; the next group is dispatched at 52. */
BOOST_AUTO_TEST_CASE(a_work_group_waits_for_room_and_goes_the_cycle_after_it_comes_free)
{
    rig r(kernels({groups(3, 10)}), quick(), 1, 1);
    r.expect({{0, 0, 10}, {1, 0, 52}, {2, 0, 94}});
    BOOST_TEST(r.dut.ended() == cycle(94 + 1 + 40));
}

/* 60 cycles from unit 0 to unit 2: their first groups are resident from 11, 41 and 71 for 40 cycles each.
 * Later groups follow at once, the last on the unit that has room first. The next kernel, 10 cycles after
 * 135, repeats this. */
BOOST_AUTO_TEST_CASE(the_first_waves_of_a_kernel_start_spread_over_the_units)
{
    dispatcher_params p = quick();
    p.spread_cycles = 60;
    rig r(kernels({groups(6, 10), groups(6, 10)}), p, 3, 1);
    r.expect({{0, 0, 10},
              {1, 1, 13},
              {2, 2, 16},
              {3, 0, 52},
              {4, 1, 82},
              {5, 0, 94},
              {0, 0, 145},
              {1, 1, 148},
              {2, 2, 151},
              {3, 0, 187},
              {4, 1, 217},
              {5, 0, 229}});
}

/* Its first three groups have ended, or two of them and the first is on unit 2: later groups begin at once on
 * any unit. The next kernel, 10 cycles after the last of them, is spread. */
BOOST_AUTO_TEST_CASE(a_kernel_in_whose_middle_a_run_begins_is_not_spread)
{
    dispatcher_params p = quick();
    p.spread_cycles = 60;
    for (const bool resident : {false, true}) {
        rig r(kernels({groups(6, 10), groups(3, 10)}), p, 3, 1);
        start_point point;
        point.next_group = 3;
        if (resident)
            point.resident.push_back({0, 2, {0}});
        r.dut.start_at(point);
        r.sim.run();
        const std::vector<sent> ended = {{3, 0, 1}, {4, 1, 4}, {5, 2, 7}, {0, 0, 58}, {1, 1, 61}, {2, 2, 64}},
                                on_two = {{0, 2, 0},  {3, 0, 1},  {4, 1, 4}, {5, 2, 42},
                                          {0, 0, 93}, {1, 1, 96}, {2, 2, 99}};
        BOOST_TEST(r.seen == (resident ? on_two : ended), boost::test_tools::per_element());
        BOOST_TEST(r.dut.ended() == cycle((resident ? 93 : 58) + 60 + 1 + 40));
    }
}

/* 60 cycles from unit 0 to unit 2: the groups of the point end at 41, 71 and 101, and later ones follow them
 * at once. */
BOOST_AUTO_TEST_CASE(waves_of_a_point_begin_apart)
{
    rig r(kernels({groups(6, 10)}), quick(), 3, 1);
    start_point point;
    point.next_group = 3;
    point.resident = {{0, 0, {0}}, {1, 1, {0}}, {2, 2, {0}}};
    point.apart_cycles = 60;
    r.dut.start_at(point);
    r.expect({{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {3, 0, 42}, {4, 1, 72}, {5, 0, 84}});
}

/* The last record of a launch may be the last before the point. The empty launch ends as it begins. */
BOOST_AUTO_TEST_CASE(a_run_that_begins_where_a_launch_ends_goes_on_with_the_next)
{
    for (const uint32_t launch : {0u, 2u}) {
        rig r(kernels({groups(2, 10), groups(0, 0), groups(1, 10)}), quick(), 1);
        start_point point;
        point.launch = launch;
        point.next_group = launch == 0 ? 2 : 1;
        r.dut.start_at(point);
        r.sim.run();
        BOOST_TEST(r.seen == (launch == 0 ? std::vector<sent>{{0, 0, 10}} : std::vector<sent>{}),
                   boost::test_tools::per_element());
        BOOST_TEST(r.dut.done());
        BOOST_TEST(r.dut.waiting() == "");
    }
}

/* Units 0 and 1 belong to one program, 2 and 3 to the other: 0 and 2 start at once, 1 and 3 60 cycles
 * later. */
BOOST_AUTO_TEST_CASE(units_of_a_share_are_spread_from_its_first_one)
{
    dispatcher_params p = quick();
    p.spread_cycles = 60;
    p.shares = 2;
    p.again = false;
    rig r({kernels({groups(4, 10)}), kernels({groups(4, 10)})}, p, 4, 1);
    r.expect(
        {{0, 0, 10}, {0, 2, 13}, {1, 1, 16}, {1, 3, 19}, {2, 0, 52}, {2, 2, 55}, {3, 0, 94}, {3, 2, 97}});
}

BOOST_AUTO_TEST_CASE(one_unit_alone_starts_at_once_whatever_the_spread)
{
    dispatcher_params p = quick();
    p.spread_cycles = 60;
    rig r(kernels({groups(2, 10)}), p, 1, 1);
    r.expect({{0, 0, 10}, {1, 0, 52}});
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
    l.groups[0][0].tail = 100; /* keeps unit 0 busy */
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

/* A wave takes two places of 32 lanes: two groups of one wave fill four places, and so does one of two
 * waves. */
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

/* A wave of each group sends one access, which has its address space. */
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

namespace
{

/* For two programs: groups of 10 instructions, resident for 41 cycles if no other group issues. */
dispatcher_params shared(uint32_t shares, bool again = false)
{
    dispatcher_params p = quick();
    p.shares = shares;
    p.again = again;
    return p;
}

struct kernel_log final : kernel_listener {
    std::vector<bool> same;
    void kernel_begins(bool s) override { same.push_back(s); }
};

/* Names all kernels `kernel`: per program, or the same name for all. */
trace_spec named(trace_spec spec, const std::string &kernel)
{
    for (launch_spec &l : spec.launches)
        l.kernel = kernel;
    return spec;
}

} // namespace

BOOST_AUTO_TEST_SUITE(several_programs)

/* Units 0 and 1 are the first program's, 2 and 3 the second's; the dispatcher serves them in turn. */
BOOST_AUTO_TEST_CASE(each_has_its_share_of_the_units)
{
    rig r({kernels({groups(3, 10)}), kernels({groups(2, 10)})}, shared(2), 4);
    r.expect({{0, 0, 10}, {0, 2, 13}, {1, 1, 16}, {1, 3, 19}, {2, 0, 22}});
    const auto s = r.statistics();
    BOOST_TEST(s.at("program_0.groups") == "3");
    BOOST_TEST(s.at("program_1.groups") == "2");
    BOOST_TEST(s.at("program_1.cycles") == "60"); /* 19 + 1 + 40 */
    BOOST_TEST(s.at("switches") == "0");
}

BOOST_AUTO_TEST_CASE(a_share_without_a_program_stays_idle)
{
    rig r(kernels({groups(3, 10)}), shared(2), 2);
    r.expect({{0, 0, 10}, {1, 0, 13}, {2, 0, 52}});
}

BOOST_AUTO_TEST_CASE(a_kernel_of_one_does_not_wait_for_that_of_another)
{
    rig r({kernels({groups(1, 100), groups(1, 1)}), kernels({groups(1, 1), groups(1, 1)})}, shared(2), 2);
    r.expect({{0, 0, 10}, {0, 1, 13}, {0, 1, 18 + 10}, {0, 0, 411 + 10}});
}

BOOST_AUTO_TEST_CASE(in_turns_a_kernel_has_all_units_and_the_next_is_another_programs)
{
    rig r({kernels({groups(2, 10), groups(1, 10)}), kernels({groups(2, 10)})}, shared(1), 2);
    r.expect({{0, 0, 10}, {1, 1, 13}, {0, 0, 64}, {1, 1, 67}, {0, 0, 118}});
    const auto s = r.statistics();
    BOOST_TEST(s.at("switches") == "2");
    BOOST_TEST(s.at("flushes") == "0");
    BOOST_TEST(s.at("program_1.cycles") == "108");
    BOOST_TEST(s.at("program_0.cycles") == "159");
}

BOOST_AUTO_TEST_CASE(who_has_ended_is_passed_over)
{
    rig r({kernels({groups(1, 10)}), kernels({groups(1, 10), groups(1, 10), groups(1, 10)})}, shared(1), 1);
    r.expect({{0, 0, 10}, {0, 0, 61}, {0, 0, 112}, {0, 0, 163}});
    BOOST_TEST(r.statistics().at("switches") == "1");
}

/* The first program restarts until the second has ended; its group that is then on a unit still ends. */
BOOST_AUTO_TEST_CASE(who_ends_early_begins_again_until_each_has_ended_once)
{
    rig r({kernels({groups(1, 10)}), kernels({groups(1, 30)})}, shared(2, true), 2);
    r.expect({{0, 0, 10}, {0, 1, 13}, {0, 0, 61}, {0, 0, 112}});
    const auto s = r.statistics();
    BOOST_TEST(s.at("program_0.times") == "3");
    BOOST_TEST(s.at("program_0.groups") == "3");
    BOOST_TEST(s.at("program_0.cycles") == "51"); /* of the first time */
    BOOST_TEST(s.at("program_1.cycles") == "134");
    BOOST_TEST(r.dut.groups_total() == 2u);
    BOOST_TEST(r.dut.ended() == cycle(153));
}

BOOST_AUTO_TEST_CASE(empty_kernels_of_a_program_that_begins_again_are_counted)
{
    rig r({kernels({groups(0, 0), groups(1, 10)}), kernels({groups(1, 30)})}, shared(2, true), 2);
    r.expect({{0, 0, 10}, {0, 1, 13}, {0, 0, 61}, {0, 0, 112}});
    BOOST_TEST(r.statistics().at("launches") == "7");
}

BOOST_AUTO_TEST_CASE(when_each_has_ended_once_nothing_more_is_dispatched)
{
    rig r({kernels({groups(3, 10)}), kernels({groups(1, 40)})}, shared(2, true), 2, 1);
    r.expect({{0, 0, 10}, {0, 1, 13}, {1, 0, 52}, {2, 0, 94}, {0, 0, 145}});
    BOOST_TEST(r.dut.ended() == cycle(186));
}

BOOST_AUTO_TEST_CASE(a_program_of_several_kernels_has_begun_once)
{
    rig r({kernels({groups(1, 10), groups(1, 10)}), kernels({groups(1, 10)})}, shared(2), 2);
    r.sim.run();
    BOOST_TEST(r.statistics().at("program_0.times") == "1");
}

BOOST_AUTO_TEST_CASE(alone_nobody_begins_again)
{
    rig r(kernels({groups(1, 10)}), shared(1, true), 1);
    r.expect({{0, 0, 10}});
}

BOOST_AUTO_TEST_CASE(a_program_without_work_has_ended_at_once_and_does_not_begin_again)
{
    rig r({kernels({groups(0, 0)}), kernels({groups(1, 10)})}, shared(1, true), 1);
    r.expect({{0, 0, 10}});
}

/* Each program has its own virtual address space. */
BOOST_AUTO_TEST_CASE(the_number_of_a_program_is_its_vm_id)
{
    wave_spec asks;
    asks.records.push_back(stride(WKT_LOAD, buffer_va, 64));
    const trace_spec one{{{buffer_va, 1 << 20, 0, 0, 1}}, {{{{asks}}}, {{{asks}}}}};
    rig r({one, one, one}, shared(1), 1, 1);
    std::vector<unsigned> vmids;
    r.memories[0].answer = [&vmids](wave_access &a, tick) { vmids.push_back(a.vmid); };
    r.sim.run();
    const std::vector<unsigned> wanted = {0, 1, 2, 0, 1, 2};
    BOOST_TEST(vmids == wanted, boost::test_tools::per_element());
}

/* The flush begins at the end of the previous kernel; the launch waits for the later of its end and the
 * launch time. */
BOOST_AUTO_TEST_CASE(with_flush_a_switch_waits_for_the_acknowledgement)
{
    for (const uint64_t takes : {4u, 70u}) {
        dispatcher_params p = shared(1);
        p.on_switch = static_cast<uint8_t>(on_switch::flush);
        rig r({kernels({groups(1, 10), groups(1, 10)}), kernels({groups(1, 10)})}, p, 1);
        std::vector<uint64_t> asked;
        actor clockwork{"clockwork"};
        r.dut.flushes_with([&](const std::function<void(tick)> &done) {
            asked.push_back(r.dut.now() / period);
            const tick at = r.dut.now() + cycle(takes);
            clockwork.at(at - cycle(2), [done, at] { done(at); }); /* known before it is due */
        });
        const uint64_t first = 51 + std::max<uint64_t>(10, 1 + takes);
        const uint64_t second = first + 41 + std::max<uint64_t>(10, 1 + takes);
        r.expect({{0, 0, 10}, {0, 0, first}, {0, 0, second}});
        const std::vector<uint64_t> wanted = {52, first + 42};
        BOOST_TEST(asked == wanted, boost::test_tools::per_element());
        BOOST_TEST(r.statistics().at("flushes") == "2");
    }
}

BOOST_AUTO_TEST_CASE(a_kernel_is_the_same_only_where_the_units_had_it_before)
{
    const trace_spec two = named(kernels({groups(1, 1), groups(1, 1)}), "k");
    const auto said = [&](uint32_t shares, unit_range of) {
        rig r({two, two}, shared(shares), 2);
        kernel_log log;
        r.dut.tell(log, of);
        r.sim.run();
        return log.same;
    };
    const auto expect = [](const std::vector<bool> &seen, const std::vector<bool> &wanted) {
        BOOST_TEST(seen == wanted, boost::test_tools::per_element());
    };
    expect(said(1, {0, 2}), {false, false, false, false}); /* another program's kernel in between */
    expect(said(2, {0, 1}), {false, true});
    expect(said(2, {1, 1}), {false, true});
    expect(said(2, {0, 2}), {false, false, true, true});
}

BOOST_AUTO_TEST_CASE(what_waits_is_said_of_each)
{
    rig r({kernels({groups(1, 10)}), kernels({groups(2, 10)})}, shared(2), 2);
    r.sim.run_until(cycle(14));
    BOOST_TEST(r.dut.waiting() ==
               "program 0: kernel 0 of 1, 1 work-groups running, 1 dispatched; program 1: kernel 0 of "
               "1, 1 work-groups running, 1 dispatched");
}

BOOST_AUTO_TEST_SUITE_END()

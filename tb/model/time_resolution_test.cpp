/* SPDX-License-Identifier: MIT */
/* SystemC's time resolution: at any resolution times are the same, or a block refuses to be built. */
#include "platforms/gpu.hpp"
#include "tb/model/iommu_rig.hpp"
#include "tb/model/link_peers.hpp"
#include "tb/platform/apu_rig.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;
using sc_core::SC_FS;
using sc_core::SC_NS;
using sc_core::SC_PS;

namespace
{

struct setting {
    double number;
    sc_core::sc_time_unit unit;
    const char *text;
};
std::ostream &operator<<(std::ostream &out, const setting &s)
{
    return out << s.text;
}

/* Sets the resolution for the simulations of one test case. */
struct at_resolution {
    simulation::resolution before = simulation::time_resolution;
    explicit at_resolution(const setting &s) { simulation::time_resolution = {s.number, s.unit}; }
    ~at_resolution() { simulation::time_resolution = before; }
};

const std::vector<setting> fine = {
    {1, SC_FS, "1 fs"}, {10, SC_FS, "10 fs"}, {100, SC_FS, "100 fs"}, {1, SC_PS, "1 ps"}};
std::vector<setting> and_coarser(std::vector<setting> more)
{
    more.insert(more.begin(), fine.begin(), fine.end());
    return more;
}
const setting ten_ps = {10, SC_PS, "10 ps"}, hundred_ps = {100, SC_PS, "100 ps"}, one_ns = {1, SC_NS, "1 ns"};

std::map<std::string, std::string> results(const std::string &settings)
{
    const trace t(row_major(4, 6, 2, 16384));
    return run_apu(configured("gpu.cus=2 " + settings), t).stats;
}

} // namespace

BOOST_AUTO_TEST_SUITE(time_resolution)

/* 500 ps is a multiple of 100 ps. */
BOOST_DATA_TEST_CASE(a_page_walk_takes_its_cycles_at_every_resolution_that_holds_the_clock,
                     data::make(and_coarser({ten_ps, hundred_ps})), resolution)
{
    const at_resolution set(resolution);
    iommu_rig r;
    BOOST_TEST(time_scale::here().resolution() == resolution.text);
    const uint64_t walk = miss_time + 4 * read_time + way_up;
    const auto q = r.rows({{10, base_va, 10 + walk}, {10, base_va + far_va, 10 + walk + 4 * read_time}});
    BOOST_TEST(spent(*q[0], "walk_l1") == cycle(read_time));
    BOOST_TEST(sc_core::sc_time_stamp() >= sc_core::sc_time(0.5 * (10 + walk), SC_NS));
}

BOOST_DATA_TEST_CASE(a_whole_machine_has_the_same_statistics_at_every_resolution_that_holds_its_clocks,
                     data::make(and_coarser({ten_ps})), resolution)
{
    const auto expected = results("");
    const at_resolution set(resolution);
    BOOST_TEST((results("") == expected));
}

BOOST_AUTO_TEST_CASE(at_100_ps_a_machine_needs_clocks_of_that_grain)
{
    const auto expected = results("dram.tck_ps=1300");
    const at_resolution set(hundred_ps);
    BOOST_TEST((results("dram.tck_ps=1300") == expected));
}

BOOST_AUTO_TEST_CASE(a_resolution_that_does_not_hold_a_clock_is_refused_by_block_period_and_resolution)
{
    const auto says = [](const std::string &text) {
        return [text](const sc_core::sc_report &r) {
            BOOST_TEST(std::string(r.get_msg()) == text);
            return std::string(r.get_msg()) == text;
        };
    };
    {
        const at_resolution set(one_ns);
        BOOST_CHECK_EXCEPTION(
            iommu_rig(), sc_core::sc_report,
            says("top: a clock period of 500 ps is no multiple of SystemC's time resolution, 1 ns; set it to "
                 "100 ps or finer (sc_set_time_resolution)"));
    }
    const at_resolution set(hundred_ps);
    BOOST_CHECK_EXCEPTION(
        results(""), sc_core::sc_report,
        says("top.dram: a clock period of 1250 ps is no multiple of SystemC's time resolution, 100 ps; set "
             "it to 10 ps or finer (sc_set_time_resolution)"));
}

/* A foreign memory with its own sc_time: 10 ns, or 20 + 5 ns. */
BOOST_DATA_TEST_CASE(delays_at_sockets_mean_the_same_at_every_resolution,
                     data::make(and_coarser({ten_ps, hundred_ps})), resolution)
{
    using manner = foreign_target::manner;
    const at_resolution set(resolution);
    for (const manner how : {manner::completed, manner::end_req_later}) {
        simulation sim;
        sender from;
        foreign_target to(how);
        from.down.bind(to.up);
        lines l;
        gp &p = l.read(0);
        from.queue = {&p};
        from.start(cycle(4));
        sim.run();
        BOOST_TEST(from.done.at(&p) == cycle(4) + (how == manner::completed ? 10000 : 25000));
    }
}

/* A process between two picoseconds: a request after an edge is seen at the next edge, one at an edge at that
 * edge, and the answer returns at its edge. */
struct between_ticks final : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
    tlm::tlm_initiator_socket<32> down{"down"};
    std::vector<std::pair<gp *, sc_core::sc_time>> back;
    struct request {
        gp *p;
        double at_fs, delay_fs;
    };
    std::vector<request> all;
    size_t asked = 0;

    SC_HAS_PROCESS(between_ticks);
    explicit between_ticks(const sc_core::sc_module_name &n = "between") : sc_module(n)
    {
        down.bind(*this);
        SC_METHOD(ask); /* no thread: the address sanitizer takes its stack for its own */
    }
    sc_core::sc_time next_at() const { return {all[asked].at_fs, sc_core::SC_FS}; }
    void ask()
    {
        const sc_core::sc_time now = sc_core::sc_time_stamp();
        for (; asked < all.size() && next_at() == now; ++asked) {
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time delay(all[asked].delay_fs, sc_core::SC_FS);
            down->nb_transport_fw(*all[asked].p, phase, delay);
        }
        if (asked < all.size())
            next_trigger(next_at() - now);
    }
    tlm::tlm_sync_enum nb_transport_bw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        if (phase == tlm::BEGIN_RESP)
            back.push_back({&p, sc_core::sc_time_stamp() + delay});
        return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

BOOST_AUTO_TEST_CASE(what_a_foreign_process_does_between_two_ticks_is_seen_at_the_later_edge)
{
    const at_resolution set(fine[0]);
    simulation sim;
    between_ticks from;
    mem_responder to("to");
    to.latency = 2;
    from.down.bind(to.up);
    lines l;
    gp &at_edge = l.read(0), &after = l.read(64), &late = l.read(128);
    from.all = {{&at_edge, 499600, 400}, {&after, 500001, 0}, {&late, 1500000, 1}};
    sim.run();
    BOOST_REQUIRE(to.taken.size() == 3u);
    BOOST_TEST(to.taken[0].second == cycle(1));
    BOOST_TEST(to.taken[1].second == cycle(2));
    BOOST_TEST(to.taken[2].second == cycle(4));
    BOOST_REQUIRE(from.back.size() == 3u);
    for (const auto &answer : from.back)
        BOOST_TEST(answer.second.value() % 500000 == 0u);
    BOOST_TEST(from.back[0].second.value() == 1500000u);
}

BOOST_AUTO_TEST_CASE(times_are_converted_to_the_first_that_is_not_before)
{
    {
        const at_resolution set(fine[1]);
        simulation sim;
        const time_scale scale = time_scale::here();
        BOOST_TEST(scale.ticks(sc_core::sc_time::from_value(100)) == 1u);
        BOOST_TEST(scale.ticks(sc_core::sc_time::from_value(101)) == 2u);
        BOOST_TEST(scale.time(7).value() == 700u);
        BOOST_TEST(scale.holds(1));
    }
    const at_resolution set(hundred_ps);
    simulation sim;
    const time_scale scale = time_scale::here();
    BOOST_TEST(scale.ticks(sc_core::sc_time::from_value(7)) == 700u);
    BOOST_TEST(scale.time(700).value() == 7u);
    BOOST_TEST(scale.time(701).value() == 8u);
    BOOST_TEST(scale.holds(1300));
    BOOST_TEST(!scale.holds(1250));
}

BOOST_AUTO_TEST_SUITE_END()

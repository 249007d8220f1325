/* SPDX-License-Identifier: MIT */
/* The walk unit with the scheduler dws, to the cycle: docs/model/walk-stealing.md. Two walkers and two
 * VM-IDs, whose walks take four reads each; memory and its timing are those of iommu_rig.hpp. */
#include "tb/model/walk_unit_rig.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

walk_unit_params by(const char *scheduler, uint32_t steal)
{
    walk_unit_params p = quick().walk;
    p.schedule.choose(scheduler);
    p.schedule.set("dws_steal", steal);
    p.response_cycles = way_up;
    p.pwc_l4 = p.pwc_l3 = p.pwc_l2 = 0;
    p.walkers = 2;
    return p;
}

/* Two walks per walker, whose reads are sent without delay. */
walk_unit_params marching(const char *scheduler, uint32_t steal)
{
    walk_unit_params p = by(scheduler, steal);
    p.march_walks = p.march_reads = 2;
    p.march_issue_cycles = 0;
    p.march_group_bits = WW_WALK_VA_BITS_MAX;
    return p;
}

struct rig : unit_rig {
    std::vector<const xlat_request *> all;

    explicit rig(const walk_unit_params &p) : unit_rig(1, p) { dut.tell_spaces_apart(2); }
    /* Requests the next page, of this VM-ID. */
    void ask(uint64_t at, uint16_t vmid) { all.push_back(&unit_rig::ask(0, cycle(at), all.size(), vmid)); }
    /* The cycle in which each walk began, by the time of its answer. */
    std::vector<uint64_t> begun()
    {
        run();
        std::vector<uint64_t> cycles;
        for (const xlat_request *r : all)
            cycles.push_back((back(0, *r) - cycle(walk + way_up)) / cycle(1));
        return cycles;
    }
    uint64_t count(const std::string &name)
    {
        stat_text read;
        dut.visit(read, simulation_time());
        return std::stoull(read.all.at(name));
    }
};

using cycles = std::vector<uint64_t>;

} // namespace

BOOST_AUTO_TEST_SUITE(walk_stealing)

/* Three walks of VM 0, then one of VM 1, which owns the second walker. */
BOOST_AUTO_TEST_CASE(a_walk_begins_when_a_walker_that_may_take_it_is_free)
{
    struct {
        const char *scheduler;
        uint32_t steal;
        cycles begun;
        uint64_t own, idle;
    } const rows[] = {
        {"fcfs", 0, {10, 11, 10 + walk, 11 + walk}, 0, 0},
        {"dws", 0, {10, 10 + walk, 10 + 2 * walk, 13}, 4, 0},
        {"dws", 1, {10, 11, 10 + walk, 11 + walk}, 3, 1},
    };
    for (const auto &row : rows) {
        rig r(by(row.scheduler, row.steal));
        for (const uint64_t at : {10, 11, 12})
            r.ask(at, 0);
        r.ask(13, 1);
        BOOST_TEST(r.begun() == row.begun, boost::test_tools::per_element());
        if (row.own == 0)
            continue;
        BOOST_TEST(r.count("walks_own") == row.own);
        BOOST_TEST(r.count("walks_stolen_idle") == row.idle);
    }
}

/* Requests of one VM-ID outside its places do not delay the other's; each counts how many of the other's pass
 * it. */
BOOST_DATA_TEST_CASE(outside_the_buffer_each_owner_waits_by_itself, data::make({"fcfs", "dws"}), scheduler)
{
    walk_unit_params p = by(scheduler, 0);
    p.buffer_entries = 2;
    rig r(p);
    for (uint64_t n = 0; n < 5; ++n)
        r.ask(10 + n, 0);
    r.ask(20, 1);
    const bool alone = std::string(scheduler) == "dws";
    BOOST_TEST(r.begun()[5] == (alone ? 20 : 10 + 2 * walk + 1));
    BOOST_TEST(r.count("vm_0.walks") == 5u);
    BOOST_TEST(r.count("vm_1.walks") == 1u);
    BOOST_TEST(r.count("vm_1.others") == (alone ? 0u : 3u));
    BOOST_TEST(r.count("vm_0.others") == (alone ? 4u : 0u));
    BOOST_TEST(r.dut.stats().backlog_peak == (alone ? 3u : 2u));
    BOOST_TEST(r.count("vm_1.latency_ps") == cycle(alone ? walk : 3 * walk - 9));
}

/* Without room for one owner's request, the other's request after it at the same port waits too. */
BOOST_AUTO_TEST_CASE(without_a_backlog_what_stands_behind_another_at_a_port_waits)
{
    walk_unit_params p = by("dws", 0);
    p.buffer_entries = 2;
    p.backlog_entries = 0;
    rig r(p);
    for (uint64_t n = 0; n < 3; ++n) /* the third finds its owner's place taken */
        r.ask(10 + n, 0);
    r.ask(13, 1);
    BOOST_TEST(r.begun() == (cycles{10, 10 + walk, 10 + 2 * walk, 10 + walk}),
               boost::test_tools::per_element());
}

/* Two places per walker: three walks of VM 0 and two of VM 1. */
BOOST_AUTO_TEST_CASE(an_owner_s_walker_marches_with_walks_of_its_owner)
{
    rig r(marching("dws", 0));
    for (unsigned n = 0; n < 5; ++n)
        r.ask(10, n < 3 ? 0 : 1);
    BOOST_TEST(r.begun() == (cycles{10, 10, 10 + walk, 10, 10}), boost::test_tools::per_element());
    BOOST_TEST(r.count("walks_own") == 5u);
    BOOST_TEST(r.dut.stats().march_batch.count() == 3u);
}

/* Walker 1 steals the second walk, and its batch continues with VM 0's: the walk of VM 1 waits until the
 * walker is empty. */
BOOST_AUTO_TEST_CASE(a_batch_that_a_stolen_walk_began_goes_on_though_its_owner_s_wait)
{
    walk_unit_params p = marching("dws", 1);
    p.march_refill = 1;
    rig r(p);
    r.ask(10, 0);
    r.ask(10, 0);
    r.ask(30, 0);
    r.ask(30, 0);
    r.ask(31, 1);
    r.ask(32, 0);
    r.ask(33, 0);
    BOOST_TEST(r.begun() == (cycles{10, 10, 30, 30, 10 + 2 * walk, 10 + walk, 10 + walk}),
               boost::test_tools::per_element());
    BOOST_TEST(r.count("walks_own") == 4u);
    BOOST_TEST(r.count("walks_stolen_idle") == 2u);
    BOOST_TEST(r.count("walks_stolen_busy") == 1u);
}

BOOST_AUTO_TEST_CASE(an_owner_without_a_walker_is_refused)
{
    walk_unit_params p = by("dws", 1);
    p.walkers = 1;
    BOOST_TEST(p.validate() == "dws_owners is more than walkers: each owner needs one");
    p.schedule.choose("fcfs");
    BOOST_TEST(p.validate() == "");
    BOOST_CHECK_THROW(p.schedule.choose("dvs"), std::invalid_argument);
    BOOST_CHECK_THROW(p.schedule.set("dvs_steal", 1), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

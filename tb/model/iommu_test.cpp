/* SPDX-License-Identifier: MIT */
/* The IOMMU in time, without coalescing: its TLBs, walks of one to five levels, walk caches, bounds. */
#include "tb/model/iommu_rig.hpp"
#include "tb/support/block_numbers.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(iommu_in_time)

BOOST_AUTO_TEST_CASE(a_cold_walk_takes_its_lookup_four_reads_and_the_way_up)
{
    iommu_rig r;
    const auto q = r.rows({{10, base_va, 10 + miss_time + 4 * read_time + way_up}});
    BOOST_TEST(spent(*q[0], "iommu_lookup") == cycle(20));
    for (const char *c : {"walk_l4", "walk_l3", "walk_l2", "walk_l1"})
        BOOST_TEST(spent(*q[0], c) == cycle(read_time));
    BOOST_TEST(spent(*q[0], "response") == cycle(2));
    BOOST_TEST(r.dut.stats().pte_reads == 4u);
    for (const auto &read : r.memory.taken)
        BOOST_TEST(is_walk(*read.first)); /* as memory's statistics classify them */
    BOOST_TEST(r.dut.stats().pwc_hits[0] == 1u);
}

struct depth {
    uint64_t offset;
    unsigned reads, level; /* of the deepest entry that hits */
};
std::ostream &operator<<(std::ostream &out, const depth &d)
{
    return out << d.reads << " reads";
}

BOOST_DATA_TEST_CASE(a_walk_reads_only_below_the_deepest_page_walk_cache_hit,
                     data::make(std::vector<depth>{
                         {1 << 12, 1, 2}, {1 << 21, 2, 3}, {1 << 30, 3, 4}, {far_va, 4, 0}}))
{
    iommu_rig r;
    r.warm(base_va);
    r.rows({{1000, base_va + sample.offset, 1000 + miss_time + sample.reads * read_time + way_up}});
    BOOST_TEST(r.dut.stats().pwc_hits[sample.level] == (sample.level == 0 ? 2u : 1u));
    BOOST_TEST(r.dut.stats().pte_reads == 4 + sample.reads);
}

BOOST_AUTO_TEST_CASE(the_page_walk_cache_takes_its_time_before_the_first_read)
{
    iommu_params p = quick();
    p.walk.pwc_cycles = 7;
    iommu_rig r(p);
    const auto q = r.rows({{10, base_va, 10 + miss_time + 7 + 4 * read_time + way_up}});
    BOOST_TEST(spent(*q[0], "walk_cache") == cycle(7));
}

BOOST_AUTO_TEST_CASE(five_levels_take_five_reads_and_2_mib_pages_three)
{
    {
        address_space_params a = numbers_of<address_space_params>();
        a.levels = 5;
        iommu_rig r(quick(), a);
        const auto q = r.rows({{10, base_va, 10 + miss_time + 5 * read_time + way_up}});
        BOOST_TEST(spent(*q[0], "walk_l5") == cycle(read_time));
    }
    address_space_params a = numbers_of<address_space_params>();
    a.page = 2;
    iommu_params p = quick();
    p.tlb.page_sizes = 1u << 21;
    iommu_rig r(p, a);
    const auto q = r.rows({{10, base_va, 10 + miss_time + 3 * read_time + way_up}});
    BOOST_TEST(q[0]->result.page_shift == 21);
    BOOST_TEST(spent(*q[0], "walk_l1") == 0u);
}

/* base_va + far_va has indexes 1, 4, 0, 0 of levels 4 to 1, so level 2 is skipped; below base_va itself two 2
 * MiB regions are in use, so level 2 is not. */
BOOST_AUTO_TEST_CASE(a_table_that_skips_a_level_takes_a_read_less)
{
    address_space_params a = numbers_of<address_space_params>();
    a.table.choose("amd_v1");
    for (const bool skip : {true, false}) {
        a.skip_levels = skip;
        iommu_rig r(quick(), a);
        const uint64_t fewer = skip ? 3 : 4;
        r.rows({{10, base_va + far_va, 10 + miss_time + fewer * read_time + way_up},
                {1000, base_va + 2 * far_va, 1000 + miss_time + fewer * read_time + way_up},
                {2000, base_va, 2000 + miss_time + 4 * read_time + way_up}});
        BOOST_TEST(r.dut.stats().steps[2] == (skip ? 1u : 3u));
        BOOST_TEST(r.dut.stats().steps[3] == 3u);
    }
    a.levels = 6; /* of levels 4 and 5, 4 has two entries in use */
    a.skip_levels = true;
    iommu_rig r(quick(), a);
    const auto q = r.rows({{10, base_va + (uint64_t{1} << 30), 10 + miss_time + 4 * read_time + way_up}});
    BOOST_TEST(spent(*q[0], "walk_l6") == cycle(read_time));
    BOOST_TEST(spent(*q[0], "walk_l5") == 0u);
}

/* A page-walk cache holds the node that a skipping entry points to. */
BOOST_AUTO_TEST_CASE(walk_caches_and_coalescing_follow_an_entry_that_skips)
{
    address_space_params a = numbers_of<address_space_params>();
    a.table.choose("amd_v1");
    iommu_params p = quick();
    p.walk.coalesce = WW_COALESCE_FULL;
    iommu_rig r(p, a);
    const uint64_t va = base_va + far_va;
    r.rows({{10, va, 10 + miss_time + 3 * read_time + way_up},
            {11, va + (1 << 12), 10 + miss_time + 3 * read_time + way_up},
            {12, va + (9 << 12), 10 + miss_time + 4 * read_time + way_up},
            {1000, va + (40 << 12), 1000 + miss_time + read_time + way_up}});
    /* The third walk at its start, and the last: found by what the node translates, not by the whole
     * entry. */
    BOOST_TEST(r.dut.stats().pwc_hits[2] == 2u);
    BOOST_TEST(r.dut.stats().walks_coalesced == 1u);
    BOOST_TEST(r.memory.taken.size() == 5u);
}

BOOST_AUTO_TEST_CASE(a_table_of_amds_has_its_own_limits)
{
    address_space_params a = numbers_of<address_space_params>();
    a.levels = 3;
    BOOST_TEST(a.validate() == "levels = 3: a radix table has 4 or 5 (table = amd_v1: 1 to 6)");
    a.levels = 6;
    BOOST_TEST(a.validate() == "levels = 6: a radix table has 4 or 5 (table = amd_v1: 1 to 6)");
    a.table.choose("amd_v1");
    BOOST_TEST(a.validate() == "");
    a.levels = 1;
    BOOST_TEST(a.validate() == "");
    BOOST_TEST(a.va_bits() == 21u);
    a.page = 2;
    BOOST_TEST(a.validate() == "levels = 1: pages of 2m need a second level");
}

BOOST_AUTO_TEST_CASE(a_hit_in_the_first_tlb_takes_4_cycles_and_in_the_second_20)
{
    iommu_params p = quick();
    p.tlb.tlb1_entries = 1;
    iommu_rig r(p);
    r.warm(base_va);
    r.warm(base_va + 4096); /* the first TLB holds only this one */
    r.rows({{2000, base_va + 4096, 2006}, {2100, base_va, 2122}});
    BOOST_TEST(r.tlbs.stats().tlb1_hits == 1u);
    BOOST_TEST(r.tlbs.stats().tlb2_hits == 1u);
}

BOOST_AUTO_TEST_CASE(ports_bound_the_lookups_that_start_in_a_cycle)
{
    iommu_params p = quick();
    p.tlb.ports = 2;
    iommu_rig r(p);
    r.warm(base_va);
    r.rows({{1000, base_va, 1006},
            {1000, base_va, 1006},
            {1000, base_va, 1007},
            {1000, base_va, 1007},
            {1000, base_va, 1008}});
}

BOOST_AUTO_TEST_CASE(two_walkers_walk_at_once_and_the_third_request_waits_in_the_buffer)
{
    iommu_params p = quick();
    p.walk.walkers = 2;
    iommu_rig r(p);
    const uint64_t first = 10 + miss_time + 4 * read_time;
    const auto q = r.rows({{10, base_va, first + way_up},
                           {10, base_va + far_va, first + way_up},
                           {10, base_va + 2 * far_va, first + 4 * read_time + way_up}});
    BOOST_TEST(spent(*q[2], "buffer") == cycle(4 * read_time));
    BOOST_TEST(r.memory.most_outstanding == 2u);
}

BOOST_AUTO_TEST_CASE(the_backlog_bound_stops_lookups_until_a_walk_makes_room)
{
    iommu_params p = quick();
    p.walk.buffer_entries = 1;
    p.walk.backlog_entries = p.walk.queue_entries = 1;
    iommu_rig r(p);
    const uint64_t walk = 4 * read_time; /* each in its own 512 GiB */
    std::vector<iommu_rig::want> list;
    for (uint64_t n = 0; n < 6; ++n)
        list.push_back({10, base_va + n * far_va, 30 + (n + 1) * walk + way_up});
    const auto q = r.rows(list);
    /* a walker, the buffer, the backlog and the queue have one place each: of six, one waits outside */
    const uint64_t queued[] = {0, 0, 22, 22, 44, 22 + walk};
    for (size_t n = 0; n < 6; ++n)
        BOOST_TEST(spent(*q[n], "iommu_queue") == cycle(queued[n]), "request " << n);
    BOOST_TEST(spent(*q[2], "backlog") == cycle(30 + walk - 52));
    BOOST_TEST(spent(*q[5], "backlog") == cycle(30 + 4 * walk - (52 + walk)));
    BOOST_TEST(r.dut.stats().backlog_peak == 1u);
    BOOST_TEST(r.tlbs.stats().stall_backlog_cycles == 21 + 21 + (30 + walk + 1 - 54) + (walk - 1));
}

BOOST_AUTO_TEST_CASE(an_address_that_the_table_does_not_translate_is_a_fault_without_a_read)
{
    for (const uint8_t mode : {WW_COALESCE_OFF, WW_COALESCE_FULL}) {
        iommu_params p = quick();
        p.walk.coalesce = mode;
        p.walk.pwc_cycles = 3;
        iommu_rig r(p);
        const uint64_t beyond = uint64_t{1} << 48; /* four levels */
        r.rows({{10, beyond, 10 + miss_time + 3 + way_up},
                {11, base_va, 11 + miss_time + 2 + 3 + 4 * read_time + way_up}});
        BOOST_TEST(r.dut.stats().walks_faulted == 1u);
        BOOST_TEST(r.dut.stats().walks_finished == 1u);
        BOOST_TEST(r.memory.taken.size() == 4u);
    }
}

BOOST_AUTO_TEST_CASE(a_missing_page_is_a_fault_after_the_reads_that_find_it_missing)
{
    iommu_rig r;
    r.rows({{10, base_va + 40 * far_va, 10 + miss_time + read_time + way_up},
            {1000, base_va + (63 << 12) + 4096, 1000 + miss_time + 4 * read_time + way_up}});
    BOOST_TEST(r.dut.stats().walks_faulted == 2u);
    r.rows(
        {{3000, base_va + 40 * far_va, 3000 + miss_time + read_time + way_up}}); /* faults are not cached */
}

BOOST_AUTO_TEST_CASE(a_pte_line_cache_costs_its_lookup_and_spares_the_read)
{
    iommu_params p = quick();
    p.walk.pte_cache_bytes = 1536;
    p.walk.pte_cache_cycles = 3;
    p.walk.pwc_l4 = p.walk.pwc_l3 = p.walk.pwc_l2 = 0;
    iommu_rig r(p);
    r.rows(
        {{10, base_va, 10 + miss_time + 4 * (3 + read_time) + way_up},
         {1000, base_va + 4096, 1000 + miss_time + 4 * 3 + way_up},
         {2000, base_va + (8 << 12), 2000 + miss_time + 4 * 3 + read_time + way_up}}); /* another leaf line */
    BOOST_TEST(r.dut.stats().pte_cache_hits == 7u);
    BOOST_TEST(r.dut.stats().pte_reads == 5u);
}

BOOST_AUTO_TEST_CASE(zero_latency_walks_cost_nothing_beyond_the_tlbs)
{
    iommu_params p = quick();
    p.walk.zero_walk = true;
    iommu_rig r(p);
    r.rows({{10, base_va, 10 + miss_time + way_up}, {10, base_va + far_va, 10 + miss_time + way_up}});
    BOOST_TEST(r.memory.taken.empty());
}

BOOST_AUTO_TEST_CASE(a_memory_that_refuses_delays_reads_and_loses_none)
{
    iommu_params p = quick();
    p.walk.walkers = 8;
    p.tlb.ports = 8;
    iommu_rig r(p, numbers_of<address_space_params>(), 1);
    r.memory.max_outstanding = 1;
    for (uint64_t n = 0; n < 8; ++n)
        r.asked.ask(base_va + n * far_va, cycle(10));
    r.sim.run();
    BOOST_TEST(r.asked.proved() == 8u);
    BOOST_TEST(r.memory.taken.size() == 32u);
    BOOST_TEST(r.memory.most_outstanding == 1u);
    BOOST_TEST(simulation_time() >= cycle(32 * 50)); /* memory is the bottleneck */
}

struct policy {
    const char *schedule;
    std::vector<unsigned> order;
};
std::ostream &operator<<(std::ostream &out, const policy &p)
{
    return out << p.schedule;
}

/* Three requests arrive while the only walker is busy: b far away, c of the walked instruction and far away,
 * d nearby from another compute unit. */
BOOST_DATA_TEST_CASE(an_idle_walker_takes_what_the_schedule_says,
                     data::make(std::vector<policy>{{"fcfs", {0, 1, 2, 3}},
                                                    {"sjf", {0, 3, 1, 2}},
                                                    {"batch", {0, 2, 1, 3}},
                                                    {"rr_cu", {0, 3, 1, 2}}}))
{
    iommu_params p = quick();
    p.walk.schedule.choose(sample.schedule);
    iommu_rig r(p);
    std::vector<xlat_request *> q = {
        &r.asked.ask(base_va, cycle(10), 7, 0), &r.asked.ask(base_va + far_va, cycle(20), 8, 0),
        &r.asked.ask(base_va + 2 * far_va, cycle(21), 7, 0), &r.asked.ask(base_va + 4096, cycle(22), 9, 1)};
    r.sim.run();
    BOOST_REQUIRE(r.top.order.size() == 4u);
    for (unsigned i = 0; i < 4; ++i)
        BOOST_TEST(r.top.order[i] == q[sample.order[i]], "place " << i);
}

BOOST_AUTO_TEST_SUITE_END()

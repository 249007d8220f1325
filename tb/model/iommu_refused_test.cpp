/* SPDX-License-Identifier: MIT */
/* Memory answers a page-table read with an error: that translation faults, and no other. */
#include "tb/model/iommu_rig.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

constexpr uint64_t start = 10 + miss_time, cold = start + 4 * read_time;

iommu_params with(uint8_t mode, uint32_t walkers = 1)
{
    iommu_params p = quick();
    p.walk.coalesce = mode;
    p.walk.walkers = walkers;
    return p;
}

void nothing_is_lost(const iommu_rig &r)
{
    const walk_unit_stats &s = r.dut.stats();
    BOOST_TEST(s.walks_started == s.walks_finished + s.walks_faulted + s.walks_refused);
    BOOST_TEST(s.requests == s.walks_started + s.walks_coalesced + s.coalesced_faults);
    BOOST_TEST(s.walk_latency.sum() ==
               s.backlog_latency.sum() + s.buffer_latency.sum() + s.service_latency.sum());
    BOOST_TEST(s.walk_latency.count() == s.requests);
    BOOST_TEST(r.dut.held() == 0u);
    BOOST_TEST(r.dut.busy_walkers() == 0u);
    BOOST_TEST(r.dut.live() == 0u);
}

} // namespace

BOOST_AUTO_TEST_SUITE(refused_reads)

BOOST_DATA_TEST_CASE(any_answer_other_than_ok_is_a_fault_when_it_arrives_and_fills_nothing,
                     data::make({tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
                                 tlm::TLM_COMMAND_ERROR_RESPONSE, tlm::TLM_BURST_ERROR_RESPONSE,
                                 tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, tlm::TLM_INCOMPLETE_RESPONSE}),
                     status)
{
    iommu_rig r;
    r.refuse(3, status); /* level 2: the entries before it are in the walk caches, its own is not */
    const auto q = r.rows({{10, base_va, start + 3 * read_time + way_up, true},
                           {1000, base_va, 1000 + miss_time + 2 * read_time + way_up}});
    BOOST_TEST(spent(*q[0], "walk_l2") == cycle(read_time));
    BOOST_TEST(r.dut.stats().walks_refused == 1u);
    BOOST_TEST(r.dut.stats().walks_faulted == 0u);
    BOOST_TEST(r.dut.stats().walks_finished == 1u);
    BOOST_TEST(r.dut.stats().pwc_hits[3] == 1u);
    nothing_is_lost(r);
    if (base_protocol::interposed && status == tlm::TLM_INCOMPLETE_RESPONSE) { /* memory breaks the rule */
        BOOST_TEST(r.rules.violations().size() == 1u);
        BOOST_TEST(r.rules.violations().at(0).rule == 9u);
        r.rules.forget();
    }
}

BOOST_AUTO_TEST_CASE(the_walker_serves_the_next_request_in_the_cycle_of_the_error)
{
    iommu_rig r;
    r.refuse(1);
    r.rows({{10, base_va, start + read_time + way_up, true},
            {10, base_va + far_va, start + 5 * read_time + way_up}});
    nothing_is_lost(r);
}

/* The neighbour was held for the line that failed: it walks from where the lines before brought it. */
BOOST_AUTO_TEST_CASE(who_was_held_for_the_refused_line_walks_by_itself)
{
    iommu_rig r(with(WW_COALESCE_FULL));
    r.refuse(4);
    const auto q =
        r.rows({{10, base_va, cold + way_up, true}, {10, base_va + 4096, cold + read_time + way_up}});
    BOOST_TEST(spent(*q[1], "held") == cycle(4 * read_time));
    BOOST_TEST(spent(*q[1], "walk_l1") == cycle(read_time));
    BOOST_TEST(r.dut.stats().walks_coalesced == 0u);
    BOOST_TEST(r.dut.stats().walks_refused == 1u);
    BOOST_TEST(r.dut.stats().pte_reads == 5u);
    nothing_is_lost(r);
}

BOOST_AUTO_TEST_CASE(a_refused_line_is_not_kept_in_the_pte_line_cache)
{
    iommu_params p = quick();
    p.walk.pte_cache_bytes = 1536;
    p.walk.pte_cache_cycles = 3;
    p.walk.pwc_l4 = p.walk.pwc_l3 = p.walk.pwc_l2 = 0;
    iommu_rig r(p);
    r.refuse(4);
    r.rows({{10, base_va, start + 4 * (3 + read_time) + way_up, true},
            {1000, base_va, 1000 + miss_time + 4 * 3 + read_time + way_up}}); /* reads its leaf line again */
    BOOST_TEST(r.dut.stats().pte_cache_hits == 3u);
    nothing_is_lost(r);
}

BOOST_AUTO_TEST_CASE(the_error_of_a_read_is_that_of_all_who_joined_it)
{
    iommu_params p = with(WW_COALESCE_OFF, 3);
    p.walk.pte_cache_bytes = 1536;
    p.walk.pte_cache_cycles = 40;
    p.walk.pte_cache_merge = true;
    p.walk.pwc_l4 = p.walk.pwc_l3 = p.walk.pwc_l2 = 0;
    iommu_rig r(p);
    r.refuse(1);
    const uint64_t error = start + 40 + read_time, late = error - 15; /* its walk starts */
    r.rows({{10, base_va, error + way_up, true},
            {10, base_va + 4096, error + way_up, true},
            {late - miss_time, base_va + 8192, late + 40 + way_up, true}}); /* after its own lookup */
    BOOST_TEST(r.dut.stats().pte_reads == 1u);
    BOOST_TEST(r.dut.stats().pte_reads_merged == 2u);
    BOOST_TEST(r.dut.stats().walks_refused == 3u);
    nothing_is_lost(r);
}

/* Every fifth read is refused, or every one: each request ends, with its translation or with a fault. */
BOOST_DATA_TEST_CASE(random_walks_with_refused_reads_all_end,
                     data::xrange(3) * data::make({1u, 4u}) * data::make({false, true}) *
                         data::make({1u, 5u}),
                     mode, walkers, merge, every)
{
    iommu_params p = with(static_cast<uint8_t>(mode), walkers);
    p.walk.buffer_entries = 6;
    p.walk.pte_cache_bytes = merge ? 256 : 0;
    p.walk.pte_cache_merge = merge;
    iommu_rig r(p);
    uint64_t refused = 0;
    r.refuse_reads(
        [&] {
            const bool no = r.memory.taken.size() % every == 0;
            refused += no;
            return no;
        },
        tlm::TLM_ADDRESS_ERROR_RESPONSE);
    r.ask_neighbours(64);
    uint64_t faults = 0;
    for (const xlat_request *q : r.neighbours) {
        ww_xlat expected{};
        BOOST_REQUIRE(r.space.translate(q->va, &expected));
        faults += q->fault;
        if (!q->fault)
            BOOST_TEST(q->result.page_pa == expected.page_pa);
    }
    BOOST_TEST(r.asked.proved() == 120u);
    BOOST_TEST(faults == r.dut.stats().walks_refused);
    BOOST_TEST((merge ? faults >= refused : faults == refused)); /* several walks may join one refused read */
    BOOST_TEST(refused > 0u);
    BOOST_TEST((faults == 120u) == (every == 1));
    nothing_is_lost(r);
}

BOOST_AUTO_TEST_SUITE_END()

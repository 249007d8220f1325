/* SPDX-License-Identifier: MIT */
/* The ideal ladder's TLB in time: every lookup hits, and nothing is bounded. */
#include "model/perfect_tlb.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;

BOOST_AUTO_TEST_SUITE(perfect_tlb_in_time)

BOOST_DATA_TEST_CASE(every_request_takes_exactly_its_cycles_however_many_there_are,
                     boost::unit_test::data::make({0u, 1u}), cycles)
{
    simulation sim;
    memory_store store;
    address_spaces space(numbers_of<address_space_params>(), {{uint64_t{1} << 32, 1 << 20}}, store);
    xlat_requester top;
    perfect_tlb dut("perfect", gpu_clock, space, {"l1", "L1 TLB"}, 64, cycles);
    top.down.bind(*dut.up[0]);
    translations asked(top);
    std::vector<row<xlat_protocol>> rows;
    for (uint64_t n = 0; n < 40; ++n) {
        xlat_request &r = asked.make((uint64_t{1} << 32) + n % 20 * 4096, cycle(10 + n / 20));
        rows.push_back({cycle(10 + n / 20), &r, cycle(10 + n / 20 + cycles)});
    }
    xlat_request &missing = asked.make(0, cycle(50));
    rows.push_back({cycle(50), &missing, cycle(50 + cycles)});
    check_rows<xlat_protocol>(sim, top, rows);
    for (size_t n = 0; n < 40; ++n) {
        ww_xlat expected{};
        BOOST_TEST(space[0].translate(rows[n].p->va, &expected));
        BOOST_TEST(rows[n].p->result.page_pa == expected.page_pa);
        BOOST_TEST(!rows[n].p->fault);
    }
    BOOST_TEST(missing.fault);
    BOOST_TEST(asked.proved() == 41u);
    BOOST_TEST(dut.stats().lookups == 41u);
}

BOOST_AUTO_TEST_SUITE_END()

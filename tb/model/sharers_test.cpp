/* SPDX-License-Identifier: MIT */
/* How many compute units use an entry of a shared TLB: the statistic of [H14 Figure 10]. */
#include "model/tlb.hpp"
#include "tb/model/invalidate_peers.hpp"
#include "tb/support/block_numbers.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

tlb_params two_pages()
{
    tlb_params p = numbers_of<tlb_params>();
    p.entries = p.ways = 2;
    p.hit_cycles = 3;
    p.mshrs = p.merges = p.queue_entries = 8;
    return p;
}

struct rig {
    simulation sim;
    xlat_requester top{"top"}, other{"other"};
    tlb dut{"tlb", gpu_clock, two_pages(), {"l2", "L2"}, 2};
    root end;
    actor pager;
    translations asked{top}, others{other};

    rig()
    {
        top.down.bind(*dut.up[0]);
        other.down.bind(*dut.up[1]);
        dut.down.bind(end.up);
    }
    /* Looks a page up when all before is done. */
    void look(uint64_t page, uint16_t cu, uint16_t vmid = 0)
    {
        asked.ask(page << 12, dut.now() + cycle(1000), 0, cu, vmid);
        sim.run();
    }
    /* "2*1": one entry with two units or more. */
    std::string sharers() const
    {
        stat_text text;
        dut.visit(text, 0);
        const std::string &shown = text.all.at("sharers");
        return shown.substr(shown.find(':') + 1);
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(sharers_of_an_entry)

BOOST_AUTO_TEST_CASE(each_unit_counts_once_however_often_it_uses_the_page)
{
    rig r;
    r.look(1, 4);
    r.look(1, 4);
    BOOST_TEST(r.sharers() == " 1*1");
    r.look(1, 200);
    r.look(1, 7);
    r.look(1, 200);
    BOOST_TEST(r.sharers() == " 1*1 2*1 3*1");
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_page_in_flight_uses_it_too)
{
    rig r;
    r.asked.ask(1 << 12, cycle(10), 0, 1);
    r.others.ask(1 << 12, cycle(12), 0, 2);
    r.sim.run();
    BOOST_TEST(r.dut.stats().merged == 1u);
    BOOST_TEST(r.sharers() == " 1*1 2*1");
}

BOOST_AUTO_TEST_CASE(a_page_that_has_left_and_comes_again_is_another_entry)
{
    rig r;
    r.look(1, 1);
    r.look(2, 1);
    r.look(3, 1); /* evicts page 1 */
    r.look(1, 2);
    BOOST_TEST(r.sharers() == " 1*4");
}

BOOST_AUTO_TEST_CASE(an_invalidate_ends_an_entry_and_no_other)
{
    rig r;
    r.look(1, 1);
    r.look(2, 1);
    r.pager.at(r.dut.now() + cycle(10),
               [&r] { BOOST_TEST(r.end.lanes.start(ww_inval_range(1 << 12, 4096, 0), nullptr)); });
    r.sim.run();
    r.look(1, 2);
    r.look(2, 2);
    BOOST_TEST(r.sharers() == " 1*3 2*1");
}

BOOST_AUTO_TEST_CASE(a_large_page_is_one_entry_and_ends_with_any_part_of_it)
{
    constexpr uint64_t page = uint64_t{5} << 21;
    const ww_xlat large = {page, WW_PAGE_2M, WW_PERM_ALL};
    page_sharers s;
    s.used(page + 4096, large, 0, 1);
    s.used(page + 8192, large, 0, 2);
    BOOST_TEST(s.counts().bucket(2) == 1u);
    s.invalidated(ww_inval_range(page + 65536, 4096, 1));
    BOOST_TEST(s.pages() == 1u);
    s.invalidated(ww_inval_range(page + 65536, 4096, 0));
    BOOST_TEST(s.pages() == 0u);
}

BOOST_AUTO_TEST_CASE(a_page_of_another_address_space_is_another_entry)
{
    rig r;
    r.look(1, 1, 0);
    r.look(1, 2, 1);
    BOOST_TEST(r.sharers() == " 1*2");
}

BOOST_AUTO_TEST_CASE(who_finds_no_page_uses_none)
{
    rig r;
    r.end.absent.insert(1 << 12);
    r.look(1, 1);
    BOOST_TEST(r.sharers() == "");
}

BOOST_AUTO_TEST_CASE(a_TLB_of_one_requester_counts_none)
{
    simulation sim;
    tlb own("own", gpu_clock, two_pages(), {"l1", "L1"}, 1);
    stat_text text;
    own.visit(text, 0);
    BOOST_TEST(text.all.count("sharers") == 0u);
    BOOST_TEST(text.all.count("lookups") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

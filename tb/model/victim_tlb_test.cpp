/* SPDX-License-Identifier: MIT */
/* A victim TLB below two L1 TLBs: what it holds and for how long, what a lookup takes, where its own victims
 * are sent; and the contract of every block that answers translations. hit_cycles 5 below the L1's 10, the
 * level below answers after 100. */
#include "model/tlb.hpp"
#include "model/victim_tlb.hpp"
#include "tb/model/xlat_rig.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
using xrow = row<xlat_protocol>;

namespace
{

victim_params small(uint32_t entries = 4, bool passes = false)
{
    victim_params p = numbers_of<victim_params>();
    p.entries = entries;
    p.hit_cycles = 5;
    p.victims = passes;
    return p;
}

/* An L1 TLB of `entries` pages that passes its victims. */
tlb_params passing(uint32_t entries)
{
    tlb_params p = numbers_of<tlb_params>();
    p.entries = p.ways = entries;
    p.hit_cycles = 10;
    p.mshrs = p.merges = 8;
    p.victims = 1;
    return p;
}

tlb_params taking()
{
    tlb_params p = passing(8);
    p.fills = 4;
    return p;
}

/* Two L1 TLBs of one page each over a victim TLB. */
struct rig {
    simulation sim;
    xlat_requester top{"top"}, other{"other"};
    xlat_responder below{"below"};
    tlb one{"one", gpu_clock, passing(1), {"l1", "L1 TLB"}, 1},
        two{"two", gpu_clock, passing(1), {"l1", "L1 TLB"}, 1};
    victim_tlb dut;
    tlb last{"last", gpu_clock, taking(), {"l2", "L2 TLB"}, 1};
    translations of_one{top}, of_two{other};

    explicit rig(const victim_params &p = small()) : dut("victim", gpu_clock, p, 2)
    {
        top.down.bind(*one.up[0]);
        other.down.bind(*two.up[0]);
        one.down.bind(*dut.up[0]);
        two.down.bind(*dut.up[1]);
        dut.down.bind(*last.up[0]);
        last.down.bind(below.up);
        invent(below);
        below.latency = 100;
    }
    /* Looks pages up in the first or second, each when the previous one has returned. */
    void look(translations &by, std::initializer_list<uint64_t> pages)
    {
        for (const uint64_t page : pages) {
            by.ask(page << 12, dut.now() + cycle(1000));
            sim.run();
        }
        law_list list(0, false);
        dut.laws(list);
        for (const law &l : list.all())
            BOOST_TEST(l.left == l.right, l.name);
    }
    bool holds(uint64_t page)
    {
        const uint64_t asked = last.stats().lookups;
        look(of_two, {page});
        return last.stats().lookups == asked;
    }
};

/* The contract: an L1 TLB above provides victims. */
template <bool TIGHT> struct contract_rig : xlat_rig {
    static victim_params params()
    {
        victim_params p = small(TIGHT ? 1 : 32);
        p.ports = TIGHT ? 1 : 2;
        p.queue_entries = p.fills = TIGHT ? 1 : 6;
        return p;
    }
    static tlb_params above()
    {
        tlb_params p = passing(4);
        p.queue_entries = p.mshrs = p.merges = TIGHT ? 1 : 6;
        return p;
    }
    tlb l1{"l1", gpu_clock, above(), {"l1", "L1 TLB"}, 1};
    victim_tlb dut{"victim", gpu_clock, params(), 1};
    xlat_responder below{"below", gpu_clock, TIGHT ? 1u : 4u};

    explicit contract_rig(bool refusing)
    {
        top.down.bind(*l1.up[0]);
        l1.down.bind(*dut.up[0]);
        dut.down.bind(below.up);
        dawdle(refusing, top);
        stall(refusing, below);
        below.latency = 30;
        translate(below);
    }
    auto stats() const { return stat_text::of(dut.stats()); }
    std::string waiting() const { return l1.waiting() + dut.waiting(); }
    uint64_t live() const { return l1.live() + dut.live(); }
    void close(tick until) { below.closed_until = until; }
    /* MSHRs and merges of the L1, its queue, a blocked request. */
    uint64_t bound() const { return TIGHT ? 2 + 1 + 1 : 6 + 6 + 6 + 1; }
};

} // namespace

BOOST_AUTO_TEST_SUITE(victim_tlbs)

BOOST_AUTO_TEST_CASE(a_page_that_left_one_l1_is_found_by_another_and_then_held_here_no_longer)
{
    rig r;
    r.look(r.of_one, {1, 2});
    BOOST_TEST(r.dut.stats().resident == 1u);
    r.look(r.of_two, {1});
    BOOST_TEST(r.dut.stats().hits == 1u);
    BOOST_TEST(r.dut.stats().resident == 0u);
    BOOST_TEST(r.last.stats().lookups == 2u);
}

BOOST_AUTO_TEST_CASE(two_pages_that_take_turns_in_an_l1_go_to_and_fro_and_ask_nobody_below)
{
    rig r;
    r.look(r.of_one, {1, 2, 1, 2, 1, 2});
    BOOST_TEST(r.dut.stats().hits == 4u);
    BOOST_TEST(r.dut.stats().resident == 1u);
    BOOST_TEST(r.last.stats().lookups == 2u);
}

BOOST_AUTO_TEST_CASE(an_answer_from_below_is_not_held)
{
    rig r;
    r.look(r.of_one, {1});
    BOOST_TEST(r.dut.stats().resident == 0u);
    BOOST_TEST(!r.holds(1));
}

BOOST_AUTO_TEST_CASE(a_hit_takes_the_lookup_and_a_miss_the_lookup_the_level_below_and_the_way_up)
{
    rig r;
    r.look(r.of_one, {1, 2});
    const tick at = r.dut.now() + cycle(1000);
    xlat_request &hit = r.of_one.make(1 << 12, at), &miss = r.of_one.make(3 << 12, at + cycle(500));
    const tick l1 = cycle(10 + 1);
    check_rows<xlat_protocol>(r.sim, r.top,
                              {{at, &hit, at + l1 + cycle(5)},
                               {at + cycle(500), &miss, at + cycle(500) + l1 + cycle(5 + 10 + 100 + 1 + 1)}});
    BOOST_TEST(spent(hit, "victim_lookup") == cycle(5));
    BOOST_TEST(spent(miss, "victim_lookup") == cycle(5));
    BOOST_TEST(spent(miss, "l2_lookup") == cycle(10));
}

BOOST_AUTO_TEST_CASE(misses_of_two_l1_tlbs_on_one_page_both_go_down)
{
    rig r;
    const tick at = cycle(1000);
    r.of_one.ask(1 << 12, at);
    r.of_two.ask(1 << 12, at);
    r.sim.run();
    BOOST_TEST(r.dut.stats().misses == 2u);
    BOOST_TEST(r.dut.stats().merged == 0u);
    BOOST_TEST(r.last.stats().lookups == 2u);
}

BOOST_DATA_TEST_CASE(its_own_victims_are_dropped_or_passed_on, boost::unit_test::data::make({false, true}),
                     passes)
{
    rig r(small(1, passes));
    r.look(r.of_one, {1, 2, 3});
    BOOST_TEST(r.dut.stats().evictions == 1u);
    BOOST_TEST(r.last.stats().fills_received == (passes ? 1u : 0u));
}

BOOST_AUTO_TEST_CASE(without_ways_a_page_may_lie_anywhere_and_with_them_only_in_its_set)
{
    rig anywhere(small(4));
    anywhere.look(anywhere.of_one, {2, 4, 6});
    BOOST_TEST(anywhere.dut.stats().resident == 2u);
    victim_params one_way = small(4);
    one_way.ways = 1;
    rig in_its_set(one_way);
    in_its_set.look(in_its_set.of_one, {4, 8, 12});
    BOOST_TEST(in_its_set.dut.stats().resident == 1u);
}

BOOST_AUTO_TEST_CASE(absent_it_takes_nothing_of_the_host)
{
    victim_params p = small();
    p.entries = 0;
    BOOST_TEST(p.state_bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(what_the_store_cannot_be_is_refused_with_a_sentence_and_absent_it_is_anything)
{
    const auto refused = [](uint32_t entries, uint32_t ways) {
        victim_params p = numbers_of<victim_params>();
        p.entries = entries;
        p.ways = ways;
        return p.validate();
    };
    BOOST_TEST(refused(64, 0) == "");
    BOOST_TEST(refused(0, 3) == "");
    BOOST_TEST(refused(64, 3) == "entries / ways is not a power of two: entries = 48 or 96 would be");
    BOOST_TEST(refused(12, 4).find("not a power of two") != std::string::npos);
    BOOST_TEST(refused(2, 4) == "entries / ways is not a power of two: entries = 4 would be");
    BOOST_TEST(refused(256, 128).find("more than 64 ways") != std::string::npos);
    BOOST_TEST(refused(8192, 0).find("more than 4096 entries") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(its_bits_are_those_of_its_entries_and_none_where_it_is_absent)
{
    const auto bits = [](const victim_params &p) {
        structure_list list{address_widths{}};
        list.of("victim", 2);
        p.structures(list);
        uint64_t all = 0;
        for (const hardware_structure &s : list.all())
            all += s.bits;
        return all;
    };
    /* valid, page number, VM, frame, permissions, place of eight */
    BOOST_TEST(bits(small(8)) == 2u * 8 * (1 + 36 + 16 + 28 + 3 + 3));
    BOOST_TEST(bits(victim_params{}) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

WW_CONTRACT(victim_tlb_contract, contract_rig<false>)
WW_CONTRACT(victim_tlb_of_one_contract, contract_rig<true>)

/* SPDX-License-Identifier: MIT */
/* The one-ahead prefetcher: what it requests and when, what its buffer holds and for how long, prefetches
 * that are late or find no page, and what an invalidate leaves of them; and the contract of every block that
 * answers translations. hit_cycles 5, the level below answers after 100. */
#include "model/tlb.hpp"
#include "model/tlb_prefetch.hpp"
#include "tb/model/invalidate_peers.hpp"
#include "tb/model/xlat_rig.hpp"

#include <initializer_list>
#include <set>

using namespace walkway;
using namespace walkway::test;

namespace
{

tlb_prefetch_params small(uint32_t entries = 4)
{
    tlb_prefetch_params p = numbers_of<tlb_prefetch_params>();
    p.entries = entries;
    p.hit_cycles = 5;
    p.mshrs = 8;
    return p;
}

/* A fully associative TLB. */
tlb_params tlb_of(uint32_t entries, uint32_t in_flight = 8)
{
    tlb_params p = numbers_of<tlb_params>();
    p.entries = p.ways = entries;
    p.queue_entries = p.mshrs = p.merges = in_flight;
    return p;
}

void laws_hold(std::initializer_list<const block *> blocks)
{
    law_list list(0, false);
    for (const block *b : blocks)
        b->laws(list);
    for (const law &l : list.all())
        BOOST_TEST(l.left == l.right, l.name);
}

/* Pages are absent to prefetches, but mapped when a miss wants them. */
void fault_prefetches(xlat_responder &below)
{
    below.answer = [c = cause_of(below, "below")](xlat_request &r, tick at) {
        r.fault = r.access == access_kind::prefetch;
        r.result = invented(r.va);
        r.charge(c, at);
    };
}

struct rig {
    simulation sim;
    xlat_requester top{"top"};
    tlb_prefetch dut;
    xlat_responder below{"below"};
    translations asked{top};
    std::vector<uint64_t> pages;      /* requested below, in order */
    std::set<uint64_t> absent, large; /* absent pages; addresses in pages of 2 MiB */
    bool absent_to_prefetches = false;

    explicit rig(const tlb_prefetch_params &p = small()) : dut("prefetch", gpu_clock, p)
    {
        top.down.bind(*dut.up[0]);
        dut.down.bind(below.up);
        below.answer = [this, c = cause_of(below, "below")](xlat_request &r, tick at) {
            const uint64_t page = r.va >> 12;
            pages.push_back(page);
            r.result = invented(r.va);
            if (large.count(r.va >> 21) != 0)
                r.result = {(r.va >> 21 << 21) ^ (uint64_t{1} << 40), WW_PAGE_2M, WW_PERM_ALL};
            r.fault = absent.count(page) != 0 || (absent_to_prefetches && r.access == access_kind::prefetch);
            r.charge(c, at);
        };
    }
    xlat_request &look(uint64_t page, uint16_t vmid = 0)
    {
        xlat_request &r = asked.ask(page << 12, dut.now() + cycle(1000), 0, 0, vmid);
        run();
        return r;
    }
    void run()
    {
        sim.run();
        BOOST_TEST(dut.live() == 0u);
        BOOST_TEST(dut.waiting() == "");
        laws_hold({&dut});
    }
    tick back(const xlat_request &r) { return top.done.at(&r); }
    uint64_t count(const char *name) const
    {
        stat_text text;
        dut.visit(text, 0);
        return std::stoull(text.all.at(name));
    }
};

/* The contract: an L1 TLB above, so that every page has one request at a time. */
template <bool TIGHT> struct contract_rig : xlat_rig {
    static tlb_prefetch_params params()
    {
        tlb_prefetch_params p = small(TIGHT ? 1 : 32);
        p.in_flight = TIGHT ? 1 : 8;
        p.mshrs = p.queue_entries = TIGHT ? 1 : 6;
        return p;
    }
    static tlb_params above()
    {
        tlb_params p = tlb_of(4, TIGHT ? 1 : 6);
        p.hit_cycles = 10;
        return p;
    }
    tlb l1{"l1", gpu_clock, above(), {"l1", "L1 TLB"}, 1};
    tlb_prefetch dut{"prefetch", gpu_clock, params()};
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

using list = std::vector<uint64_t>;
const auto each = boost::test_tools::per_element();

} // namespace

BOOST_AUTO_TEST_SUITE(one_ahead_prefetch)

BOOST_AUTO_TEST_CASE(a_miss_goes_down_and_the_next_page_behind_it)
{
    rig r;
    const xlat_request &miss = r.asked.ask(7 << 12, cycle(20));
    r.run();
    BOOST_TEST(r.back(miss) == cycle(20 + 5 + 100 + 1));
    BOOST_TEST(r.pages == (list{7, 8}), each);
    BOOST_TEST(r.below.taken[1].second == cycle(25));
    BOOST_TEST(r.dut.prefetched().kept == 1u);
    BOOST_TEST(r.dut.stats().resident == 1u);
}

BOOST_AUTO_TEST_CASE(a_hit_takes_the_lookup_moves_the_page_up_and_fetches_the_one_behind_it)
{
    rig r;
    r.look(7);
    const xlat_request &hit = r.look(8);
    BOOST_TEST(r.back(hit) == hit.issued + cycle(5));
    BOOST_TEST(hit.result.page_pa == invented(8 << 12).page_pa);
    BOOST_TEST(r.pages == (list{7, 8, 9}), each);
    r.look(8); /* the hit has removed it */
    BOOST_TEST(r.pages == (list{7, 8, 9, 8}), each);
    BOOST_TEST(r.dut.stats().hits == 1u);
    BOOST_TEST(r.count("not_asked_held") == 1u);
}

BOOST_AUTO_TEST_CASE(who_wants_a_page_on_its_way_waits_for_it_and_it_is_not_held_here)
{
    rig r;
    r.asked.ask(7 << 12, cycle(20));
    const xlat_request &late = r.asked.ask(8 << 12, cycle(60));
    r.run();
    BOOST_TEST(r.back(late) == cycle(20 + 5 + 100 + 1));
    BOOST_TEST(spent(late, "prefetch_lookup") == cycle(5));
    BOOST_TEST(spent(late, "prefetch_merged") == cycle(60));
    BOOST_TEST(r.pages == (list{7, 8, 9}), each);
    BOOST_TEST(r.dut.prefetched().late == 1u);
    BOOST_TEST(r.dut.prefetched().kept == 1u);
    r.look(8);
    BOOST_TEST(r.dut.stats().hits == 0u);
}

BOOST_AUTO_TEST_CASE(a_page_that_a_miss_is_on_its_way_for_is_not_fetched_again)
{
    rig r;
    r.asked.ask(8 << 12, cycle(20));
    r.asked.ask(7 << 12, cycle(30));
    r.run();
    BOOST_TEST(r.pages == (list{8, 9, 7}), each);
    BOOST_TEST(r.count("not_asked_under_way") == 1u);
}

BOOST_AUTO_TEST_CASE(no_more_are_under_way_than_may_be)
{
    for (const uint32_t most : {1u, 2u}) {
        tlb_prefetch_params p = small();
        p.in_flight = most;
        rig r(p);
        r.asked.ask(7 << 12, cycle(20));
        r.asked.ask(17 << 12, cycle(40));
        r.run();
        BOOST_TEST(r.dut.prefetched().prefetches == most);
        BOOST_TEST(r.count("not_asked_room") == 2 - most);
    }
}

/* More requests than the L1 TLB has MSHRs: two of three get one each. */
BOOST_AUTO_TEST_CASE(a_prefetch_takes_no_mshr_that_is_not_there)
{
    tlb_prefetch_params p = small();
    p.mshrs = 1;
    p.in_flight = 2;
    rig r(p);
    r.asked.ask(7 << 12, cycle(20));
    r.asked.ask(17 << 12, cycle(40));
    r.run();
    BOOST_TEST(r.dut.prefetched().prefetches == 1u);
    BOOST_TEST(r.count("not_asked_room") == 1u);
}

/* The queue below has one place, and its port blocks one more request. */
BOOST_AUTO_TEST_CASE(none_is_begun_while_the_level_below_has_no_room_and_no_miss_waits_behind_one)
{
    rig r;
    r.below.max_outstanding = 1;
    simulation &sim = r.sim;
    for (uint64_t n = 0; n < 8; ++n)
        r.asked.ask((10 * n) << 12, cycle(20 + n));
    sim.run();
    BOOST_TEST(r.asked.proved() == 8u);
    BOOST_TEST(r.dut.prefetched().prefetches == 8u); /* this queue has room for all */

    simulation again;
    xlat_requester top{"top"};
    tlb_prefetch dut{"prefetch", gpu_clock, small()};
    xlat_responder narrow{"narrow", gpu_clock, 1};
    translations asked{top};
    top.down.bind(*dut.up[0]);
    dut.down.bind(narrow.up);
    invent(narrow);
    narrow.closed_until = cycle(500);
    for (uint64_t n = 0; n < 8; ++n)
        asked.ask((10 * n) << 12, cycle(20 + n));
    again.run();
    BOOST_TEST(asked.proved() == 8u);
    BOOST_TEST(dut.prefetched().prefetches < 8u);
    BOOST_TEST(dut.prefetched().no_room > 0u);
}

BOOST_AUTO_TEST_CASE(a_page_that_is_not_there_is_dropped_without_a_word)
{
    rig r;
    r.absent = {8};
    r.look(7);
    BOOST_TEST(r.dut.prefetched().absent == 1u);
    BOOST_TEST(r.dut.stats().resident == 0u);
    r.absent.clear();
    BOOST_TEST(!r.look(8).fault); /* mapped since: requested anew */
    BOOST_TEST(r.pages == (list{7, 8, 8, 9}), each);
}

/* The level below ends a prefetch of an absent page at once, but handles the fault of a miss. */
BOOST_AUTO_TEST_CASE(who_has_joined_a_prefetch_of_an_absent_page_goes_down_itself)
{
    for (const uint64_t at : {30u, 119u, 125u}) { /* the last: in the cycle of the answer */
        rig r;
        r.absent_to_prefetches = true;
        r.asked.ask(7 << 12, cycle(20));
        const xlat_request &joined = r.asked.ask(8 << 12, cycle(at));
        r.run();
        BOOST_TEST(!joined.fault);
        BOOST_TEST(joined.result.page_pa == invented(8 << 12).page_pa);
        BOOST_TEST(r.back(joined) == cycle((at == 125 ? at + 5 : 126) + 100 + 1));
        BOOST_TEST(r.dut.stats().retried == (at == 125 ? 0u : 1u));
        BOOST_TEST(r.dut.prefetched().absent == 2u);
        BOOST_TEST(r.dut.prefetched().late == 0u);
        BOOST_TEST(r.dut.stats().resident == 0u);
    }
}

/* The lower of two prefetchers may have one prefetch in flight. Requests of the upper one are demands there,
 * not prefetches of its own. */
BOOST_AUTO_TEST_CASE(an_absent_page_is_counted_by_the_prefetcher_that_asked_for_it)
{
    simulation sim;
    xlat_requester top{"top"};
    tlb_prefetch upper{"upper", gpu_clock, small()};
    tlb_prefetch_params p = small();
    p.mshrs += p.in_flight; /* for the upper's */
    p.in_flight = 1;
    tlb_prefetch lower{"lower", gpu_clock, p};
    xlat_responder below{"below"};
    translations asked{top};
    top.down.bind(*upper.up[0]);
    upper.down.bind(*lower.up[0]);
    lower.down.bind(below.up);
    fault_prefetches(below);
    for (uint64_t n = 0; n < 3; ++n)
        asked.ask((7 + 10 * n) << 12, cycle(20 + n));
    asked.ask(57 << 12, cycle(900)); /* there is room again */
    sim.run();
    BOOST_TEST(upper.prefetched().absent == 4u); /* the next page of each */
    BOOST_TEST(lower.stats().misses == 6u);      /* four, and the upper's prefetches */
    BOOST_TEST(lower.prefetched().prefetches == 2u);
    BOOST_TEST(lower.prefetched().absent == 2u);
    BOOST_TEST(lower.live() == 0u);
    laws_hold({&upper, &lower});
}

/* The same in a TLB that several prefetchers share: a demand, or a prefetch, joins there. */
BOOST_AUTO_TEST_CASE(a_shared_tlb_lets_no_demand_have_a_prefetchs_fault)
{
    for (const bool demand : {false, true}) {
        simulation sim;
        xlat_requester one{"one"}, two{"two"};
        tlb_params p = tlb_of(4);
        p.hit_cycles = 10;
        tlb shared{"tlb", gpu_clock, p, {"l2", "L2"}, 2};
        xlat_responder below{"below"};
        translations first{one}, second{two};
        one.down.bind(*shared.up[0]);
        two.down.bind(*shared.up[1]);
        shared.down.bind(below.up);
        fault_prefetches(below);
        xlat_request &ahead = first.make(1 << 12, cycle(10)), &joins = second.make(1 << 12, cycle(20)),
                     &also = first.make(1 << 12, cycle(30));
        ahead.access = also.access = access_kind::prefetch;
        joins.access = demand ? access_kind::read : access_kind::prefetch;
        one.ask(ahead, cycle(10));
        two.ask(joins, cycle(20));
        one.ask(also, cycle(30));
        sim.run();
        BOOST_TEST(first.proved() + second.proved() == 3u);
        BOOST_TEST(ahead.fault);
        BOOST_TEST(one.done.at(&ahead) == cycle(10 + 10 + 100 + 1));
        BOOST_TEST(joins.fault != demand);
        BOOST_TEST(also.fault != demand); /* it waits with the demand, so it has its answer */
        BOOST_TEST(two.done.at(&joins) == cycle(demand ? 121 + 100 + 1 : 120 + 1));
        BOOST_TEST(shared.stats().retried == (demand ? 1u : 0u));
        BOOST_TEST(shared.stats().fills == (demand ? 1u : 0u));
        BOOST_TEST(below.taken.size() == (demand ? 2u : 1u));
        BOOST_TEST(shared.live() == 0u);
    }
}

BOOST_AUTO_TEST_CASE(the_one_held_longest_leaves_for_another_and_is_dropped)
{
    rig r(small(2));
    r.look(10);
    r.look(20);
    r.look(30); /* evicts page 11 */
    BOOST_TEST(r.dut.stats().evictions == 1u);
    r.look(21);
    BOOST_TEST(r.dut.stats().hits == 1u);
    r.look(11);
    BOOST_TEST(r.dut.stats().hits == 1u);
}

BOOST_AUTO_TEST_CASE(a_page_of_another_address_space_does_not_hit)
{
    rig r;
    r.look(7, 1);
    r.look(8, 2);
    BOOST_TEST(r.dut.stats().hits == 0u);
    r.look(8, 1);
    BOOST_TEST(r.dut.stats().hits == 1u);
}

BOOST_AUTO_TEST_CASE(behind_the_last_address_there_is_none)
{
    rig r;
    r.look((uint64_t{1} << 36) - 1);
    BOOST_TEST(r.pages.size() == 1u);
    BOOST_TEST(r.count("not_asked_end") == 1u);
}

/* Pages of 2 MiB and 4 KiB. A miss does not know the size of its page, a hit does. */
BOOST_AUTO_TEST_CASE(
    what_lies_in_the_misss_own_large_page_is_not_held_and_a_hit_goes_on_to_the_next_large_page)
{
    tlb_prefetch_params p = small();
    p.page_sizes = 1u << 12 | 1u << 21;
    rig r(p);
    r.large = {1, 2};
    r.look(512 + 40);
    BOOST_TEST(r.pages == (list{552, 553}), each);
    BOOST_TEST(r.dut.prefetched().same_page == 1u);
    BOOST_TEST(r.dut.stats().resident == 0u);
    r.look(1023);
    r.look(1024);
    BOOST_TEST(r.pages == (list{552, 553, 1023, 1024, 1536}), each);
    BOOST_TEST(r.dut.stats().hits == 1u);
}

/* The prefetch of 515 is asked for before the large page is held here, and returns after. */
BOOST_AUTO_TEST_CASE(a_hit_in_a_large_page_makes_no_prefetch_within_it_late)
{
    tlb_prefetch_params p = small();
    p.page_sizes = 1u << 12 | 1u << 21;
    rig r(p);
    r.large = {1};
    r.asked.ask(511 << 12, cycle(20));
    r.asked.ask(514 << 12, cycle(50));
    r.asked.ask(515 << 12, cycle(140));
    r.run();
    BOOST_TEST(r.dut.stats().hits == 1u);
    BOOST_TEST(r.dut.prefetched().kept == 2u); /* 512, and 1024 behind the hit */
    BOOST_TEST(r.dut.prefetched().same_page == 1u);
    BOOST_TEST(r.dut.prefetched().late == 0u);
}

BOOST_AUTO_TEST_CASE(large_pages_alone_are_fetched_by_their_size)
{
    tlb_prefetch_params p = small();
    p.page_sizes = 1u << 21;
    rig r(p);
    r.large = {1, 2};
    r.look(512 + 40);
    BOOST_TEST(r.pages == (list{552, 1024}), each);
    BOOST_TEST(r.dut.stats().resident == 1u);
}

BOOST_AUTO_TEST_CASE(the_time_of_prefetches_is_in_an_account_of_their_own)
{
    rig r;
    r.look(7);
    BOOST_TEST(r.count("account.translation_cycles") == 100u + 0);
    BOOST_TEST(r.count("account.below") == 100u);
    r.look(8);
    BOOST_TEST(r.count("account.translation_cycles") == 200u);
}

/* Both passes of the invalidate reach the buffer: a held page is dropped, one in flight arrives new. */
BOOST_AUTO_TEST_CASE(an_invalidate_reaches_what_is_held_and_what_is_on_its_way)
{
    for (const uint64_t at : {200u, 40u}) { /* held; answered but not arrived */
        simulation sim;
        asker top{"top"};
        tlb_prefetch dut{"prefetch", gpu_clock, small()};
        root end;
        actor pager;
        tick done = never;
        top.down.bind(*dut.up[0]);
        dut.down.bind(end.up);
        top.ask(7 << 12, cycle(20));
        pager.at(cycle(at), [&] {
            ++end.moved[8 << 12];
            BOOST_TEST(end.lanes.start(ww_inval_range(8 << 12, 4096, 0), [&](tick t) { done = t; }));
        });
        sim.run();
        BOOST_TEST(done != never);
        BOOST_TEST(dut.stats().invalidated == 1u);
        top.ask(8 << 12, dut.now() + cycle(10));
        sim.run();
        BOOST_TEST(top.answers.back().page_pa == end.page_pa(8 << 12));
        BOOST_TEST(dut.stats().hits == 0u);
    }
}

/* Victims of an L1 TLB bypass the buffer. */
BOOST_AUTO_TEST_CASE(victims_from_above_go_past_it_and_its_own_go_nowhere)
{
    simulation sim;
    tlb_params p = tlb_of(1), q = tlb_of(8);
    p.hit_cycles = q.hit_cycles = 3;
    p.victims = q.victims = 1;
    q.fills = 8;
    xlat_requester top{"top"};
    tlb upper{"upper", gpu_clock, p, {"l1", "L1"}, 1}, lower{"lower", gpu_clock, q, {"l2", "L2"}, 1};
    tlb_prefetch dut{"prefetch", gpu_clock, small(1)};
    xlat_responder below{"below"};
    translations asked{top};
    top.down.bind(*upper.up[0]);
    upper.down.bind(*dut.up[0]);
    dut.down.bind(*lower.up[0]);
    lower.down.bind(below.up);
    invent(below);
    for (const uint64_t page : {10u, 20u, 30u}) {
        asked.ask(page << 12, dut.now() + cycle(1000));
        sim.run();
    }
    BOOST_TEST(upper.stats().victims_passed == 2u);
    BOOST_TEST(dut.stats().fills_received == 2u);
    BOOST_TEST(dut.stats().fills_kept + dut.stats().fills_refreshed == 0u);
    BOOST_TEST(dut.stats().evictions == 2u);
    BOOST_TEST(lower.stats().fills_received == 2u);
}

BOOST_AUTO_TEST_CASE(within_a_call_it_does_the_same)
{
    simulation sim;
    xlat_requester top{"top"};
    tlb_prefetch dut{"prefetch", gpu_clock, small()};
    tlb lower{"lower", gpu_clock, tlb_of(8), {"l2", "L2"}, 1};
    root end;
    top.down.bind(*dut.up[0]);
    dut.down.bind(*lower.up[0]);
    lower.down.bind(end.up);
    sim.run_until(1); /* sockets are bound */
    translator *t = dut.up[0]->translates();
    BOOST_REQUIRE(t != nullptr);
    const auto held = [&dut, &t](uint64_t page) {
        const tlb_stats before = dut.stats();
        return t->translate_now({page << 12, 0}, 0, now_how::look).at == cycle(5) && before.resident != 0;
    };
    t->translate_now({7 << 12, 0}, 0, now_how::look);
    BOOST_TEST(dut.stats().resident == 0u);
    t->translate_now({7 << 12, 0}, 0, now_how::commit);
    BOOST_TEST(held(8));
    BOOST_TEST(!held(7));
    t->translate_now({8 << 12, 0}, 0, now_how::commit);
    BOOST_TEST(!held(8));
    BOOST_TEST(held(9));
    end.absent = {31 << 12};
    t->translate_now({30 << 12, 0}, 0, now_how::commit);
    BOOST_TEST(!held(31));
}

BOOST_AUTO_TEST_CASE(
    its_bits_are_those_of_its_entries_and_of_prefetches_under_way_and_none_where_it_is_absent)
{
    const auto bits = [](const tlb_prefetch_params &p) {
        structure_list all{address_widths{}};
        all.of("prefetch", 2);
        p.structures(all);
        uint64_t sum = 0;
        for (const hardware_structure &s : all.all())
            sum += s.bits;
        return sum;
    };
    tlb_prefetch_params more = small(8);
    BOOST_TEST(bits(tlb_prefetch_params{}) == 0u);
    BOOST_TEST(tlb_prefetch_params{}.state_bytes() == 0u);
    const uint64_t entries = uint64_t{2} * 8 * (1 + 36 + 16 + 28 + 3 + 3);
    BOOST_TEST(bits(small(8)) > entries);
    more.in_flight *= 2;
    BOOST_TEST(bits(more) > bits(small(8)));
    more.mshrs *= 2; /* belongs to the L1 TLB */
    const uint64_t with = bits(more);
    more.mshrs /= 2;
    BOOST_TEST(bits(more) == with);
}

BOOST_AUTO_TEST_SUITE_END()

WW_CONTRACT(tlb_prefetch_contract, contract_rig<false>)
WW_CONTRACT(tlb_prefetch_of_one_contract, contract_rig<true>)

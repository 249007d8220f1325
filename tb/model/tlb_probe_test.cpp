/* SPDX-License-Identifier: MIT */
/* A ring on which TLBs probe each other: which TLBs are probed and when the answer arrives, which access has
 * a port first, what a filter suppresses, what is sent ahead, and what an invalidate leaves of messages in
 * flight; and the contract of every block that answers translations. A TLB takes 10 cycles, a stop 3, a hop
 * 2, a look at a neighbour 4, the level below 100. */
#include "model/tlb.hpp"
#include "model/tlb_probe.hpp"
#include "tb/model/invalidate_peers.hpp"
#include "tb/model/xlat_rig.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

tlb_probe_params ring_of(uint32_t hops)
{
    tlb_probe_params p;
    p.hops = hops;
    p.hop_cycles = 2;
    p.lookup_cycles = 4;
    p.waits = 8;
    p.in_flight = 8;
    p.hit_cycles = 3;
    return p;
}

tlb_params small_tlb(uint32_t entries = 8)
{
    tlb_params p = numbers_of<tlb_params>();
    p.entries = p.ways = entries;
    p.hit_cycles = 10;
    p.ports = 1;
    p.mshrs = p.merges = p.queue_entries = 8;
    return p;
}

/* One of the TLBs with its stop, above its own level below. */
struct place {
    xlat_requester top;
    tlb l1;
    tlb_probe stop;
    xlat_responder below;
    translations asked{top};

    place(const std::string &n, const tlb_probe_params &p, const tlb_params &t)
        : top(("top" + n).c_str()), l1(("l1_" + n).c_str(), gpu_clock, t, {"l1", "L1 TLB"}, 1),
          stop(("stop" + n).c_str(), gpu_clock, p), below(("below" + n).c_str())
    {
        top.down.bind(*l1.up[0]);
        l1.down.bind(*stop.up[0]);
        stop.down.bind(below.up);
        stop.looks_at({&l1});
        invent(below);
    }
    uint64_t count(const char *name) const
    {
        stat_text text;
        stop.visit(text, 0);
        return std::stoull(text.all.at(name));
    }
};

struct ring {
    simulation sim;
    std::vector<std::unique_ptr<place>> places;

    explicit ring(unsigned n, const tlb_probe_params &p = ring_of(1), const tlb_params &t = small_tlb())
    {
        for (unsigned i = 0; i < n; ++i) {
            places.push_back(std::make_unique<place>(std::to_string(i), p, t));
            if (i != 0)
                places[i]->stop.stands_behind(places[i - 1]->stop);
        }
    }
    place &operator[](size_t i) { return *places[i]; }
    tlb_probe_stats of(size_t i) { return places[i]->stop.probes(); }
    void run()
    {
        sim.run();
        law_list list(0, false);
        for (const auto &p : places) {
            BOOST_TEST(p->stop.live() == 0u);
            BOOST_TEST(p->stop.waiting() == "");
            p->stop.laws(list);
            p->l1.laws(list);
        }
        for (const law &l : list.all())
            BOOST_TEST(l.left == l.right, l.name);
    }
    /* Fills the page into that TLB. */
    void warm(size_t i, uint64_t page, uint16_t vmid = 0)
    {
        places[i]->asked.ask(page << 12, places[i]->stop.now() + cycle(1000), 0, 0, vmid);
        run();
    }
    const xlat_request &ask(size_t i, uint64_t page, tick at, uint16_t vmid = 0)
    {
        return places[i]->asked.ask(page << 12, at, 0, 0, vmid);
    }
    tick back(size_t i, const xlat_request &r) { return places[i]->top.done.at(&r); }
    /* A time after everything so far. */
    tick later() const { return places[0]->stop.now() + cycle(1000); }
};

/* From a request to its answer: the TLB, the stop, the ring both ways, the turn at a port, the look, the way
 * up through stop and TLB. */
constexpr uint64_t found_after(unsigned stops)
{
    return 10 + 3 + 2 * 2 * stops + 1 + 4 + 1 + 1;
}
constexpr uint64_t straight = 10 + 3 + 100 + 1 + 1;

/* The contract of the first of three stops; its neighbours hold some of the pages, or request at the same
 * time. */
template <bool TIGHT> struct contract_rig : xlat_rig {
    static tlb_probe_params params()
    {
        tlb_probe_params p = ring_of(TIGHT ? 1 : 2);
        p.in_flight = p.waits = TIGHT ? 1 : 6;
        p.queue_entries = TIGHT ? 1 : 6;
        p.when = TIGHT ? 0 : 1;
        p.entries = TIGHT ? 1 : 8;
        p.filter_entries = TIGHT ? 2 : 0;
        return p;
    }
    static tlb_params above()
    {
        tlb_params p = small_tlb(4);
        p.queue_entries = p.mshrs = p.merges = TIGHT ? 1 : 6;
        return p;
    }
    tlb l1{"l1", gpu_clock, above(), {"l1", "L1 TLB"}, 1};
    tlb_probe dut{"probe", gpu_clock, params()};
    xlat_responder below{"below", gpu_clock, TIGHT ? 1u : 4u};
    place left{"left", params(), above()}, right{"right", params(), above()};

    explicit contract_rig(bool refusing) : xlat_rig(64)
    {
        top.down.bind(*l1.up[0]);
        l1.down.bind(*dut.up[0]);
        dut.down.bind(below.up);
        dut.looks_at({&l1});
        right.stop.stands_behind(dut);
        left.stop.stands_behind(right.stop);
        dawdle(refusing, top);
        stall(refusing, below);
        below.latency = 30;
        for (xlat_responder *b : {&below, &left.below, &right.below})
            translate(*b);
    }
    xlat_request &make(ww_rng &random, tick at)
    {
        for (place *p : {&left, &right})
            if (ww_rng_below(&random, 4) == 0)
                p->asked.ask(base_va + ww_rng_below(&random, pages) * 4096, at);
        return xlat_rig::make(random, at);
    }
    auto stats() const { return stat_text::of(dut.stats()); }
    std::string waiting() const { return l1.waiting() + dut.waiting() + left.stop.waiting(); }
    uint64_t live() const { return l1.live() + dut.live() + left.stop.live() + right.stop.live(); }
    void close(tick until) { below.closed_until = until; }
    /* MSHRs and merges of the L1, its queue, a blocked request. */
    uint64_t bound() const { return TIGHT ? 2 + 1 + 1 : 6 + 6 + 6 + 1; }
};

} // namespace

BOOST_AUTO_TEST_SUITE(ring_of_probes)

BOOST_AUTO_TEST_CASE(a_neighbour_that_has_the_page_answers_and_the_level_below_is_not_asked)
{
    for (const unsigned away : {1u, 2u, 3u}) {
        ring r(8, ring_of(3));
        r.warm(away, 7);
        const size_t asked = r[0].below.taken.size();
        const xlat_request &q = r.ask(0, 7, r.later());
        r.run();
        BOOST_TEST(r.back(0, q) == q.issued + cycle(found_after(away)));
        BOOST_TEST(q.result.page_pa == invented(7 << 12).page_pa);
        BOOST_TEST(spent(q, "probe_ring") == cycle(4 * away + 5));
        BOOST_TEST(r[0].below.taken.size() == asked);
        BOOST_TEST(r.of(0).found == 1u);
        BOOST_TEST(r[0].stop.stats().hits == 1u);
        const xlat_request &again = r.ask(0, 7, r.later()); /* the L1 TLB now holds it */
        r.run();
        BOOST_TEST(r.back(0, again) == again.issued + cycle(10));
    }
}

BOOST_AUTO_TEST_CASE(both_ways_round_are_one_ring_and_who_is_too_far_away_is_not_asked)
{
    ring r(8, ring_of(2));
    for (const size_t at : {1u, 2u, 6u, 7u})
        r.warm(at, 100 + at);
    for (const size_t at : {3u, 4u, 5u})
        r.warm(at, 100 + at);
    const uint64_t before = r.of(0).found;
    for (const size_t at : {1u, 2u, 6u, 7u})
        r.warm(0, 100 + at);
    BOOST_TEST(r.of(0).found - before == 4u);
    for (const size_t at : {3u, 4u, 5u})
        r.warm(0, 100 + at);
    BOOST_TEST(r.of(0).found - before == 4u);
}

BOOST_AUTO_TEST_CASE(the_level_below_is_asked_behind_the_last_who_has_nothing)
{
    for (const uint32_t hops : {1u, 3u}) {
        ring r(8, ring_of(hops));
        const xlat_request &q = r.ask(0, 7, cycle(50));
        r.run();
        BOOST_TEST(r[0].below.taken.at(0).second == q.issued + cycle(10 + 3 + 4 * hops + 5 + 1));
        BOOST_TEST(r.of(0).nothing == 1u);
        BOOST_TEST(r.of(0).asked == 2 * hops);
        BOOST_TEST(r[0].stop.stats().misses == 1u);
    }
}

/* Seven others are four to the right and three to the left, whatever the distance; one other counts once. */
BOOST_AUTO_TEST_CASE(nobody_is_asked_twice_and_who_is_alone_asks_nobody)
{
    for (const auto &[n, others] : {std::pair(1u, 0u), {2u, 1u}, {3u, 2u}, {8u, 7u}}) {
        ring r(n, ring_of(125));
        r.ask(0, 7, cycle(50));
        r.run();
        BOOST_TEST(r.of(0).asked == others);
        BOOST_TEST(r[0].count("not_asked_alone") == (n == 1 ? 1u : 0u));
        for (unsigned i = 1; i < n; ++i)
            BOOST_TEST(r.of(i).looked == 1u);
    }
}

/* There is no wait: as without a ring, except for the stop's own time. */
BOOST_AUTO_TEST_CASE(beside_neighbours_the_level_below_is_asked_at_once)
{
    tlb_probe_params p = ring_of(1);
    p.when = static_cast<uint8_t>(probe_when::beside);
    ring r(4, p);
    const cause lost = cause_of(r[0].below, "lost");
    const xlat_request &q = r.ask(0, 7, cycle(50));
    r.run();
    BOOST_TEST(r.back(0, q) == q.issued + cycle(straight));
    BOOST_TEST(spent(q, "below") == cycle(100));
    BOOST_TEST(r.of(0).nothing == 1u);
    r.warm(1, 9);
    const xlat_request &f = r.ask(0, 9, r.later());
    r.run();
    BOOST_TEST(r.back(0, f) == f.issued + cycle(found_after(1)));
    BOOST_TEST(r.of(0).found == 1u);
    BOOST_TEST(r.of(0).in_vain == 1u);
    BOOST_TEST(r[0].stop.stats().misses == 2u);
    BOOST_TEST(r[0].count("account.translation_cycles") == 100u);
    BOOST_TEST(r[0].count("account.below") == 100u);
    r[0].below.latency = 1;
    const xlat_request &b = r.ask(0, 11, r.later());
    r.run();
    BOOST_TEST(r.back(0, b) == b.issued + cycle(straight - 99));
    BOOST_TEST(r.of(0).beaten == 1u);
    r[0].below.answer = [lost](xlat_request &a, tick at) {
        a.fault = true;
        a.charge(lost, at);
    };
    const xlat_request &fault = r.ask(0, 13, r.later());
    r.run();
    BOOST_TEST(fault.fault);
}

BOOST_AUTO_TEST_CASE(no_more_misses_ask_than_may)
{
    for (const uint32_t most : {1u, 2u}) {
        tlb_probe_params p = ring_of(1);
        p.in_flight = most;
        ring r(4, p);
        for (uint64_t n = 0; n < 3; ++n)
            r.ask(0, 7 + n, cycle(50 + n));
        r.run();
        BOOST_TEST(r.of(0).probed == most);
        BOOST_TEST(r[0].count("not_asked_room") == 3 - most);
        r.ask(0, 17, r.later());
        r.run();
        BOOST_TEST(r.of(0).probed == most + 1);
    }
}

/* A link carries one message per cycle: the second of two that are sent together arrives a cycle later. */
BOOST_AUTO_TEST_CASE(a_link_carries_one_message_a_cycle_in_each_direction)
{
    tlb_params t = small_tlb();
    t.ports = 2;
    tlb_probe_params p = ring_of(1);
    p.ports = 2;
    p.waits = 1; /* two that arrive together would find no room */
    ring r(4, p, t);
    actor nudge; /* an unneeded step */
    r.warm(1, 7);
    r.warm(1, 8);
    const tick at = r.later();
    const xlat_request &one = r.ask(0, 7, at), &two = r.ask(0, 8, at);
    nudge.at(at + cycle(13), [&] { r[0].stop.wake(r[0].stop.now()); });
    r.run();
    BOOST_TEST(r.back(0, one) == at + cycle(found_after(1)));
    BOOST_TEST(r.back(0, two) == at + cycle(found_after(1) + 1));
    BOOST_TEST(r.of(1).turned_away == 0u);
}

/* A probe reaches the stop 15 cycles after its request, and looks a cycle later. */
BOOST_AUTO_TEST_CASE(demands_have_the_port_first_or_probes_have_it)
{
    for (const auto first : {probe_priority::demands, probe_priority::probes}) {
        tlb_probe_params p = ring_of(1);
        p.priority = static_cast<uint8_t>(first);
        ring r(4, p);
        actor nudge; /* an unneeded step, after the stop's */
        r.warm(1, 7);
        r.warm(1, 8);
        const tick at = r.later();
        const xlat_request &q = r.ask(0, 7, at);
        const xlat_request &same = r.ask(1, 8, at + cycle(16));
        const xlat_request &next = r.ask(1, 8, at + cycle(17));
        nudge.at(at + cycle(15), [&] { r[1].stop.wake(r[1].stop.now()); });
        nudge.at(at + cycle(16), [&] { r[1].l1.wake(r[1].l1.now()); });
        r.run();
        const bool probes = first == probe_priority::probes;
        BOOST_TEST(r.back(0, q) == at + cycle(found_after(1) + (probes ? 0 : 2)));
        BOOST_TEST(r.back(1, same) == at + cycle(16 + 10 + (probes ? 1 : 0)));
        BOOST_TEST(r.back(1, next) == at + cycle(17 + 10 + (probes ? 1 : 0)));
        BOOST_TEST(spent(same, "l1_queue") == cycle(probes ? 1 : 0));
        BOOST_TEST(r[1].count("port_wait_cycles") == (probes ? 0u : 2u));
    }
}

BOOST_AUTO_TEST_CASE(who_finds_as_many_waiting_as_may_is_answered_as_if_nothing_were_there)
{
    for (const uint32_t most : {1u, 2u}) {
        tlb_probe_params p = ring_of(1);
        p.waits = most;
        ring r(3, p);
        r.warm(1, 7);
        r.warm(1, 9);
        const tick at = r.later();
        for (uint64_t n = 10; n < 30; ++n)
            r.ask(1, 9, at + cycle(n)); /* its port has no free cycle */
        const xlat_request &q = r.ask(0, 7, at), &z = r.ask(2, 7, at);
        r.run();
        BOOST_TEST(r.of(1).turned_away == 2 - most);
        BOOST_TEST(r.of(0).found + r.of(2).found == most);
        BOOST_TEST((r.back(0, q) != r.back(2, z)) == (true));
    }
}

/* A look does not change the neighbour's order of use. */
BOOST_AUTO_TEST_CASE(a_probe_leaves_the_neighbours_order_of_use_alone)
{
    ring r(3, ring_of(1), small_tlb(2));
    r.warm(1, 7);
    r.warm(1, 8);
    r.warm(0, 7); /* finds it */
    BOOST_TEST(r.of(0).found == 1u);
    r.warm(1, 9); /* evicts page 7, used longest ago */
    const xlat_request &kept = r.ask(1, 8, r.later());
    r.run();
    BOOST_TEST(r.back(1, kept) == kept.issued + cycle(10));
}

/* Both miss at once; a later request finds it. */
BOOST_AUTO_TEST_CASE(a_page_that_a_neighbour_waits_for_is_not_held_there_yet)
{
    ring r(2);
    r.ask(1, 7, cycle(50));
    r.ask(0, 7, cycle(52));
    r.run();
    BOOST_TEST(r.of(0).found + r.of(1).found == 0u);
    BOOST_TEST(r.of(1).looked_pending == 1u);
    BOOST_TEST(r.of(0).looked_pending == 1u);
    r.warm(1, 8);
    r.warm(0, 8);
    BOOST_TEST(r.of(0).found == 1u);
    BOOST_TEST(r[1].count("probe_pending") == 1u);
}

BOOST_AUTO_TEST_CASE(a_page_of_another_address_space_is_not_found)
{
    ring r(3);
    r.warm(1, 7, 1);
    r.warm(0, 7, 2);
    BOOST_TEST(r.of(0).found == 0u);
    r.warm(0, 7, 1);
    BOOST_TEST(r.of(0).found == 1u);
}

/* Regions of 64 KiB; the filter knows two at a time. */
BOOST_AUTO_TEST_CASE(a_region_in_which_nobody_had_anything_is_not_asked_for_until_a_neighbour_asks)
{
    tlb_probe_params p = ring_of(1);
    p.filter_entries = 2;
    p.filter_shift = 16;
    ring r(4, p);
    r.warm(0, 16);
    const xlat_request &straight_down = r.ask(0, 17, r.later());
    r.run();
    BOOST_TEST(r.back(0, straight_down) == straight_down.issued + cycle(straight));
    BOOST_TEST(r[0].count("not_asked_filter") == 1u);
    r.warm(0, 32); /* another region */
    BOOST_TEST(r.of(0).probed == 2u);
    r.warm(0, 18, 1); /* another address space */
    BOOST_TEST(r.of(0).probed == 3u);
    r.warm(0, 19); /* that one has replaced the region */
    BOOST_TEST(r.of(0).probed == 4u);
    r.warm(0, 20);
    BOOST_TEST(r.of(0).probed == 4u);
    r.warm(1, 21); /* the neighbour is now in the region */
    r.warm(0, 21);
    BOOST_TEST(r.of(0).probed == 5u);
    BOOST_TEST(r.of(0).found == 1u);
    r.warm(0, 22); /* after a find, probing continues */
    BOOST_TEST(r.of(0).probed == 6u);
}

BOOST_AUTO_TEST_CASE(what_the_level_below_answers_is_sent_ahead_and_moves_up_where_it_is_wanted)
{
    tlb_probe_params p = ring_of(1);
    p.entries = 2;
    ring r(4, p);
    r.warm(0, 7);
    BOOST_TEST(r[0].count("copies") == 2u);
    for (const size_t at : {1u, 3u}) {
        BOOST_TEST(r[at].count("copies_taken") == 1u);
        BOOST_TEST(r[at].stop.stats().resident == 1u);
    }
    BOOST_TEST(r[2].stop.stats().resident == 0u);
    const xlat_request &q = r.ask(1, 7, r.later());
    r.run();
    BOOST_TEST(r.back(1, q) == q.issued + cycle(10 + 3 + 1));
    BOOST_TEST(r[1].count("ahead") == 1u);
    BOOST_TEST(r[1].stop.stats().resident == 0u);
    const uint64_t before = r.of(1).copies;
    BOOST_TEST(before == 0u); /* answers of a neighbour are not sent on */
    for (uint64_t n = 20; n < 23; ++n)
        r.warm(0, n);
    BOOST_TEST(r[1].stop.stats().resident == 2u);
    BOOST_TEST(r[1].stop.stats().evictions == 1u);
}

/* Victims of an L1 TLB bypass the buffer. */
BOOST_AUTO_TEST_CASE(victims_from_above_go_past_the_stop)
{
    simulation sim;
    tlb_params p = small_tlb(1), q = small_tlb(8);
    p.victims = 1;
    q.fills = 8;
    tlb_probe_params with_buffer = ring_of(1);
    with_buffer.entries = 4;
    xlat_requester top{"top"};
    tlb upper{"upper", gpu_clock, p, {"l1", "L1 TLB"}, 1}, lower{"lower", gpu_clock, q, {"l2", "L2"}, 1};
    tlb_probe stop{"stop", gpu_clock, with_buffer};
    xlat_responder below{"below"};
    translations asked{top};
    top.down.bind(*upper.up[0]);
    upper.down.bind(*stop.up[0]);
    stop.down.bind(*lower.up[0]);
    lower.down.bind(below.up);
    stop.looks_at({&upper});
    invent(below);
    for (const uint64_t page : {10u, 20u, 30u}) {
        asked.ask(page << 12, stop.now() + cycle(1000));
        sim.run();
    }
    BOOST_TEST(upper.stats().victims_passed == 2u);
    BOOST_TEST(stop.stats().fills_received == 2u);
    BOOST_TEST(stop.stats().resident == 0u);
    BOOST_TEST(lower.stats().fills_received == 2u);
}

/* A probe looks at both TLBs above a stop; a stop does not look at its own. */
BOOST_AUTO_TEST_CASE(a_stop_of_two_tlbs_answers_for_both)
{
    simulation sim;
    xlat_requester one{"one"}, two{"two"};
    tlb first{"first", gpu_clock, small_tlb(), {"l1", "L1 TLB"}, 1},
        second{"second", gpu_clock, small_tlb(), {"l1", "L1 TLB"}, 1};
    tlb_probe stop{"stop", gpu_clock, ring_of(1), 2};
    place other("other", ring_of(1), small_tlb());
    xlat_responder below{"below"};
    translations of_one{one}, of_two{two};
    one.down.bind(*first.up[0]);
    two.down.bind(*second.up[0]);
    first.down.bind(*stop.up[0]);
    second.down.bind(*stop.up[1]);
    stop.down.bind(below.up);
    invent(below);
    stop.looks_at({&first, &other.l1, &second});
    other.stop.looks_at({&first, &other.l1, &second});
    other.stop.stands_behind(stop);
    of_one.ask(7 << 12, cycle(50));
    of_two.ask(8 << 12, cycle(1000));
    of_two.ask(7 << 12, cycle(2000)); /* no other stop has it */
    other.asked.ask(7 << 12, cycle(3000));
    other.asked.ask(8 << 12, cycle(4000));
    sim.run();
    BOOST_TEST(stop.probes().found == 0u);
    BOOST_TEST(other.stop.probes().found == 2u);
    BOOST_TEST(stop.probes().looked == 2u);
    BOOST_TEST(other.below.taken.empty());
}

/* Two stops above one last level. The page moves while its old address is on the ring; at the neighbour the
 * invalidate follows answers that are slow to reach the TLB, so it arrives there later. */
BOOST_AUTO_TEST_CASE(what_was_found_before_an_invalidate_passed_is_not_taken_behind_it)
{
    uint64_t overtaken = 0;
    for (uint64_t at = 0; at < 80; ++at)
        for (const bool ahead : {false, true})
            for (const uint64_t keep : {0u, 60u}) {
                simulation sim;
                tlb_probe_params p = ring_of(1);
                p.hop_cycles = 9;
                p.entries = ahead ? 4 : 0;
                tlb_probe_params slow = p;
                slow.response_cycles = 15;
                asker one{"one"}, two{"two"};
                tlb first{"first", gpu_clock, small_tlb(), {"l1", "L1 TLB"}, 1},
                    second{"second", gpu_clock, small_tlb(64), {"l1", "L1 TLB"}, 1};
                tlb_probe left{"left", gpu_clock, p}, right{"right", gpu_clock, slow};
                tlb_params q = small_tlb();
                tlb shared{"shared", gpu_clock, q, {"l2", "L2"}, 2};
                root end;
                actor pager;
                tick done = never;
                one.down.bind(*first.up[0]);
                two.down.bind(*second.up[0]);
                first.down.bind(*left.up[0]);
                second.down.bind(*right.up[0]);
                left.down.bind(*shared.up[0]);
                right.down.bind(*shared.up[1]);
                shared.down.bind(end.up);
                left.looks_at({&first});
                right.looks_at({&second});
                right.stands_behind(left);
                two.keep = keep; /* its copy returns late */
                two.ask(7 << 12, cycle(20));
                for (uint64_t n = 0; n < 30; ++n)
                    two.ask((20 + n) << 12, cycle(400 + 5 * n));
                one.ask(7 << 12, cycle(ahead ? 380 : 500)); /* before other copies push its own out */
                pager.at(cycle((ahead ? 20 + 60 : 480) + at), [&] {
                    ++end.moved[7 << 12];
                    BOOST_TEST(end.lanes.start(ww_inval_range(7 << 12, 4096, 0), [&](tick t) { done = t; }));
                });
                sim.run();
                BOOST_TEST(done != never);
                BOOST_TEST(left.live() + right.live() == 0u);
                overtaken += left.probes().overtaken + left.probes().copies_overtaken;
                one.ask(7 << 12, left.now() + cycle(100));
                two.ask(7 << 12, left.now() + cycle(100));
                sim.run();
                BOOST_TEST(one.answers.back().page_pa == end.page_pa(7 << 12), "at " << at);
                BOOST_TEST(two.answers.back().page_pa == end.page_pa(7 << 12), "at " << at);
                for (const asker::answer &a : one.answers)
                    BOOST_TEST((!a.noticed || a.page_pa == end.page_pa(7 << 12)), "stale at " << at);
            }
    BOOST_TEST(overtaken > 0u);
}

BOOST_AUTO_TEST_CASE(its_bits_are_those_of_what_it_has_and_none_where_it_is_absent)
{
    const auto bits = [](const tlb_probe_params &p) {
        structure_list all{address_widths{}};
        all.of("probe", 2);
        p.structures(all);
        uint64_t sum = 0;
        for (const hardware_structure &s : all.all())
            sum += s.bits;
        return sum;
    };
    BOOST_TEST(bits(tlb_probe_params{}) == 0u);
    BOOST_TEST(tlb_probe_params{}.state_bytes() == 0u);
    const uint64_t page = 48 - 12 + 16, base = uint64_t{2} * (8 + 8) * (page + 8);
    tlb_probe_params p = ring_of(1);
    BOOST_TEST(bits(p) == base);
    p.filter_entries = 4;
    p.filter_shift = 16;
    BOOST_TEST(bits(p) == base + uint64_t{2} * 4 * (32 + 16 + 1 + 2));
    p.entries = 4;
    BOOST_TEST(bits(p) > base + uint64_t{2} * 4 * (32 + 16 + 1 + 2) + uint64_t{2} * 4 * page);
    BOOST_TEST(p.state_bytes() > ring_of(1).state_bytes());
}

BOOST_AUTO_TEST_SUITE_END()

WW_CONTRACT(tlb_probe_contract, contract_rig<false>)
WW_CONTRACT(tlb_probe_tight_contract, contract_rig<true>)

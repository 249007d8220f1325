/* SPDX-License-Identifier: MIT */
/* The four-phase handshake of in_port and out_port, between our own blocks and towards foreign ones. */
#include "tb/model/link_peers.hpp"
#include "tb/support/base_protocol_checker.hpp"

using namespace walkway;
using namespace walkway::test;

static void say_ok(gp &p, tick)
{
    p.set_response_status(tlm::TLM_OK_RESPONSE);
}

BOOST_AUTO_TEST_SUITE(handshake)

BOOST_AUTO_TEST_CASE(a_free_slot_gives_the_credit_in_the_return_value_and_a_full_ring_withholds_it)
{
    simulation sim;
    sender from;
    mem_responder to("to", gpu_clock, 2);
    to.answer = say_ok;
    base_protocol rules;
    rules.bind(from.down, to.up);
    to.closed_until = cycle(100);
    to.latency = 10;
    lines l;
    rules.held([&l](const gp &r) { return l.holds(r); });
    for (unsigned i = 0; i < 4; ++i)
        from.queue.push_back(&l.read(i * 64));
    const std::deque<gp *> all = from.queue;
    from.start(cycle(5));
    sim.run_until(cycle(100));
    BOOST_TEST(from.sent.size() == 3u); /* two in the ring, one blocked */
    BOOST_TEST(to.up.size() == 2u);
    BOOST_TEST(to.up.blocked());
    BOOST_TEST(!from.down.can_send());
    sim.run();
    BOOST_TEST(from.sent.size() == 4u);
    BOOST_TEST(from.sent[3] ==
               cycle(102)); /* freed at 100, a slot and its credit at 101, used an edge later */
    BOOST_TEST(to.taken.size() == 4u);
    for (unsigned i = 0; i < 4; ++i)
        BOOST_TEST(to.taken[i].first == all[i]);
    BOOST_TEST(from.done[all[0]] == cycle(110));
    BOOST_TEST(from.done[all[2]] ==
               cycle(111)); /* waits outside: in the ring one edge after the first left */
    BOOST_TEST(from.done[all[3]] == cycle(112));
    BOOST_TEST(from.down.calls() == 4u);
}

namespace
{
/* Three ports; never takes a request. */
struct shut final : block, target_of<mem_protocol> {
    in_ports<mem_protocol> up{*this, *this, 3, 2};
    explicit shut(const sc_core::sc_module_name &n = "shut") : block(n, gpu_clock) {}
    std::string waiting() const override { return ""; }
    void step(tick) override {}
    unsigned debug(gp &) override { return 0; }
};
} // namespace

BOOST_AUTO_TEST_CASE(every_port_of_a_block_has_slots_for_the_wire_of_the_sender_that_holds_most)
{
    simulation sim;
    sender most("most"), few("few");
    foreign_initiator foreign(0);
    shut to;
    most.down.holds(3);
    few.down.holds(1);
    most.down.bind(*to.up[0]);
    few.down.bind(*to.up[1]);
    foreign.down.bind(*to.up[2]); /* does not state its wire */
    sim.run_until(1);
    to.room_for_wires();
    for (const auto &port : to.up) {
        BOOST_TEST(port->wire() == 3u);
        BOOST_TEST(port->slots() == 2u + 3);
    }
    lines l;
    for (unsigned i = 0; i < 8; ++i)
        few.queue.push_back(&l.read(i * 64));
    few.start(cycle(1));
    sim.run();
    BOOST_TEST(few.sent.size() == 2u + 3 + 1); /* the last one waits outside */
}

namespace
{
/* Three ports of four places. Once open, takes one request per cycle and answers it in the next. */
struct clerk final : block, target_of<mem_protocol> {
    in_ports<mem_protocol> up{*this, *this, 3, 4};
    std::vector<std::pair<unsigned, tick>> taken;
    explicit clerk(const sc_core::sc_module_name &n = "clerk") : block(n, gpu_clock) {}
    std::string waiting() const override { return ""; }
    void step(tick now) override
    {
        const tick opens = cycle(20);
        if (now < opens) {
            wake(opens);
            return;
        }
        up.serve(now, 1, [&](unsigned port) {
            gp &p = up[port]->front();
            up[port]->pop();
            taken.emplace_back(port, now);
            p.set_response_status(tlm::TLM_OK_RESPONSE);
            up[port]->respond(p, now + period);
            return true;
        });
        const tick next = up.next();
        if (next != never)
            wake(next > now ? next : now + period);
    }
    unsigned debug(gp &) override { return 0; }
};

using takings = std::vector<std::pair<unsigned, tick>>;

/* Each of three senders sends `requests` requests in cycle `sent`. Returns whose were taken, and when. */
takings taken_from(serve_order order, const std::array<unsigned, 3> &requests,
                   const std::array<unsigned, 3> &sent)
{
    simulation sim;
    lines l;
    std::deque<sender> from;
    clerk to;
    to.up.serve_by(order);
    for (unsigned n = 0; n < 3; ++n) {
        from.emplace_back(("sender_" + std::to_string(n)).c_str());
        from[n].down.bind(*to.up[n]);
        for (unsigned k = 0; k < requests[n]; ++k)
            from[n].queue.push_back(&l.read((n * 64 + k) * 64));
        from[n].start(cycle(sent[n]));
    }
    sim.run();
    return to.taken;
}

/* One per cycle from the 20th on. */
void check(const takings &taken, const std::vector<unsigned> &order)
{
    BOOST_REQUIRE(taken.size() == order.size());
    for (unsigned n = 0; n < order.size(); ++n) {
        BOOST_TEST(taken[n].first == order[n], "taken at " << n << ": " << taken[n].first);
        BOOST_TEST(taken[n].second == cycle(20 + n));
    }
}
} // namespace

/* Three of sender 0 and one of sender 2 arrive in cycle 10, two of sender 1 in cycle 12. */
BOOST_AUTO_TEST_CASE(senders_are_served_in_turn_or_by_arrival_and_those_of_one_cycle_in_turn)
{
    check(taken_from(serve_order::turns, {3, 2, 1}, {10, 12, 10}), {0, 1, 2, 0, 1, 0});
    check(taken_from(serve_order::arrival, {3, 2, 1}, {10, 12, 10}), {0, 2, 0, 0, 1, 1});
}

/* One of six waits outside the full queue from cycle 10 until there is room in cycle 21; the last one is sent
 * in 22. Those of sender 1 arrive in 21. */
BOOST_AUTO_TEST_CASE(what_stands_outside_a_full_queue_arrives_when_it_is_let_in)
{
    check(taken_from(serve_order::arrival, {6, 2, 0}, {10, 21, 1}), {0, 0, 0, 0, 1, 0, 1, 0});
}

BOOST_AUTO_TEST_CASE(time_travels_as_annotated_delay_in_both_directions)
{
    simulation sim;
    sender from;
    mem_responder to;
    to.answer = say_ok;
    base_protocol rules;
    rules.bind(from.down, to.up);
    to.latency = 7;
    from.delay = cycle(20);
    lines l;
    rules.held([&l](const gp &r) { return l.holds(r); });
    gp &p = l.read(0);
    from.queue.push_back(&p);
    from.start(cycle(3));
    sim.run_until(cycle(23));
    BOOST_TEST(to.taken.empty());
    sim.run();
    BOOST_TEST(to.taken[0].second == cycle(23));
    BOOST_TEST(from.done[&p] == cycle(30));
}

BOOST_AUTO_TEST_CASE(a_link_never_lets_a_request_overtake_an_earlier_one)
{
    simulation sim;
    sender from;
    mem_responder to;
    to.answer = say_ok;
    base_protocol rules;
    rules.bind(from.down, to.up);
    lines l;
    rules.held([&l](const gp &r) { return l.holds(r); });
    gp &slow = l.read(0);
    gp &quick = l.read(64);
    from.delay = cycle(50);
    from.queue.push_back(&slow);
    from.start(cycle(1));
    sim.run_until(cycle(2));
    from.delay = cycle(1);
    from.queue.push_back(&quick);
    from.start(cycle(2));
    sim.run();
    BOOST_TEST(to.taken[0].first == &slow);
    BOOST_TEST(to.taken[1].first == &quick);
    BOOST_TEST(to.taken[1].second == cycle(51));
}

BOOST_AUTO_TEST_CASE(a_request_between_two_edges_arrives_at_the_later_one)
{
    simulation sim;
    sender from;
    mem_responder to;
    to.answer = say_ok;
    base_protocol rules;
    rules.bind(from.down, to.up);
    from.delay = 501;
    lines l;
    rules.held([&l](const gp &r) { return l.holds(r); });
    from.queue.push_back(&l.read(0));
    from.start(cycle(1));
    sim.run();
    BOOST_TEST(to.taken[0].second == cycle(3));
}

/* Two consecutive reads of a foreign target. */
template <foreign_target::manner Manner> struct foreign_reads {
    simulation sim;
    sender from;
    foreign_target to{Manner};
    lines l;
    gp &p = l.read(0);
    gp &q = l.read(64);
    base_protocol rules;

    void run_from(uint64_t ps)
    {
        rules.bind(from.down, to.up);
        rules.held([this](const gp &r) { return l.holds(r); });
        from.queue = {&p, &q};
        from.start(ps);
        sim.run();
    }
};

BOOST_FIXTURE_TEST_CASE(a_foreign_target_may_answer_at_once_with_completed,
                        foreign_reads<foreign_target::manner::completed>)
{
    run_from(cycle(2));
    BOOST_TEST(from.sent.size() == 2u);
    BOOST_TEST(from.done[&p] == cycle(2) + 10000);
}

BOOST_FIXTURE_TEST_CASE(a_foreign_target_that_updates_to_begin_resp_is_sent_its_end_resp,
                        foreign_reads<foreign_target::manner::updated_begin_resp>)
{
    run_from(cycle(2));
    BOOST_TEST(from.done.size() == 2u);
    BOOST_TEST(from.done[&p] == cycle(2) + 10000);
    BOOST_TEST(to.end_responses == 2u);
    BOOST_TEST(to.ended == from.done[&q]); /* not before its BEGIN_RESP, which arrives then */
}

BOOST_FIXTURE_TEST_CASE(a_request_arrives_no_earlier_than_a_foreign_target_ends_the_one_before_it,
                        foreign_reads<foreign_target::manner::granted_from_20_ns_on>)
{
    run_from(cycle(2));
    BOOST_TEST(to.arrivals[&p] == cycle(2));
    BOOST_TEST(to.arrivals[&q] == cycle(2) + 20000);
}

BOOST_FIXTURE_TEST_CASE(nor_earlier_than_an_end_req_that_is_said_ahead_of_its_time,
                        foreign_reads<foreign_target::manner::end_req_later>)
{
    to.ahead = 10000;
    run_from(0);
    BOOST_TEST(from.sent[1] == 20500u);
    BOOST_TEST(to.arrivals[&q] == 30000u);
}

BOOST_FIXTURE_TEST_CASE(a_foreign_target_may_grant_the_credit_and_answer_later,
                        foreign_reads<foreign_target::manner::end_req_later>)
{
    run_from(0);
    BOOST_TEST(from.done[&p] == 25000u);
    BOOST_TEST(from.sent[1] == 20500u); /* the edge after the credit */
    BOOST_TEST(from.done[&q] == 45500u);
    BOOST_TEST(to.end_responses == 2u);
}

BOOST_AUTO_TEST_CASE(a_request_that_waits_outside_is_ended_no_earlier_than_it_arrives)
{
    simulation sim;
    foreign_initiator from(0);
    mem_responder to("to", gpu_clock, 1);
    to.answer = say_ok;
    base_protocol rules;
    rules.bind(from.down, to.up);
    to.closed_until = cycle(10);
    lines l;
    rules.held([&l](const gp &r) { return l.holds(r); });
    gp &inside = l.read(0), &far = l.read(64);
    sim.run_until(cycle(1));
    from.ask(inside);
    from.ask(far, cycle(100));
    sim.run_until(cycle(12));
    BOOST_TEST(from.granted.count(&inside) == 0u);
    BOOST_TEST(from.granted[&far] == cycle(101)); /* announced at 11, when there is room */
    sim.run();
    BOOST_TEST(to.taken[1].second == cycle(101));
}

/* `accepted` of five answers are ended later. */
static void five_answers(unsigned accepted)
{
    simulation sim;
    foreign_initiator from(accepted);
    mem_responder to;
    to.answer = say_ok;
    base_protocol rules;
    rules.bind(from.down, to.up);
    lines l;
    rules.held([&l](const gp &r) { return l.holds(r); });
    std::vector<gp *> asked;
    for (unsigned i = 0; i < 5; ++i) {
        asked.push_back(&l.read(i * 64));
        from.ask(*asked.back());
    }
    sim.run();
    BOOST_TEST(from.responses.size() == 5u);
    BOOST_TEST((from.responses == asked)); /* in order */
}

BOOST_AUTO_TEST_CASE(a_foreign_initiator_that_ends_every_response_later_gets_them_one_at_a_time)
{
    five_answers(5);
}

BOOST_AUTO_TEST_CASE(a_foreign_initiator_may_take_one_response_slowly_and_the_others_at_once)
{
    five_answers(1);
}

BOOST_AUTO_TEST_CASE(a_second_begin_req_before_end_req_is_refused_as_a_protocol_error)
{
    simulation sim;
    foreign_initiator from(0);
    mem_responder to("to", gpu_clock, 1);
    to.answer = say_ok;
    from.down.bind(to.up);
    to.closed_until = cycle(10);
    lines l;
    from.ask(l.read(0));
    from.ask(l.read(64)); /* blocked */
    BOOST_CHECK_THROW(from.ask(l.read(128)), sc_core::sc_report);
}

BOOST_AUTO_TEST_CASE(blocking_transport_is_refused_and_dmi_is_denied)
{
    simulation sim;
    foreign_initiator from(0);
    mem_responder to;
    to.answer = say_ok;
    from.down.bind(to.up);
    lines l;
    gp &p = l.read(0);
    sc_core::sc_time none;
    tlm::tlm_dmi dmi;
    sim.run_until(cycle(1));
    BOOST_CHECK_THROW(from.down->b_transport(p, none), sc_core::sc_report);
    BOOST_TEST(!from.down->get_direct_mem_ptr(p, dmi));
    BOOST_TEST(dmi.is_none_allowed());
}

BOOST_AUTO_TEST_SUITE_END()

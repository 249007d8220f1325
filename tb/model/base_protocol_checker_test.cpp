/* SPDX-License-Identifier: MIT */
/* The checker of the base protocol: modules that keep its rules, and for each rule modules that break it. */
#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include "tb/model/base_protocol_calls.hpp"
#include "tb/model/base_protocol_contents.hpp"

#include <tuple>

using namespace walkway;
using namespace walkway::test;
using namespace walkway::test::breaking;

namespace
{

using keeping = std::tuple<exchange<master, bridge, memory>,
                           exchange<master_of_completed, bridge, memory_that_completes_at_once>,
                           exchange<master, bridge, memory_that_grants_at_once>,
                           exchange<master_without_end, bridge, memory_that_responds_without_a_grant>,
                           exchange<master_without_end, bridge, memory>>;

using breakers = std::tuple<
    by_memory<1, grants_twice>, by_memory<1, grants_after_the_answer>, by_memory<1, answers_twice>,
    by_memory<1, sends_begin_req_back>, by_memory<1, updates_to<tlm::END_RESP>>,
    by_memory<1, updates_to<tlm::BEGIN_REQ>>, by_memory<1, updates_end_resp>, by_master<1, sends_again>,
    by_master<1, ends_before_the_response>, by_master<1, sends_end_req_forward>,
    by_master<1, completes_end_req>, by_master<1, updates_begin_resp_to_end_req>,
    by_master<2, sends_before_the_grant>, by_memory<3, answers_before_the_end>,
    by_memory<4, grants_before_the_request_arrives>, by_master<4, ends_before_the_response_arrives>,
    by_master<5, has_no_memory_manager>, by_master<5, holds_no_reference>, by_master<6, gives_back_too_early>,
    by_master<6, gives_back_before_end_resp>, by_master<6, never_gives_back>, by_memory<6, keeps_a_reference>,
    by_master<7, sends_anew_before_the_end>, begins_wrongly<0>, begins_wrongly<1>, begins_wrongly<2>,
    begins_wrongly<3>, begins_wrongly<4>, begins_wrongly<5>, begins_wrongly<6>, by_memory<9, says_nothing>,
    by_bridge<10, says_ok_itself, refuses_reads>, by_bridge<10, changes_what_was_read>, changed_by_bridge<0>,
    changed_by_bridge<1>, changed_by_bridge<2>, changed_by_bridge<3>, changed_by_bridge<4>,
    changed_by_bridge<5>, changed_by_bridge<6>, changed_by_bridge<7>, changed_by_memory<0>,
    changed_by_memory<1>, changed_by_memory<2>, changed_by_memory<3>, changed_by_memory<4>,
    changed_by_memory<5>, changed_by_memory<6>, changed_by_memory<7>, by_master<11, master_that_changes<6>>,
    by_bridge<12, leaves_its_own_address>, by_memory<12, moves_the_address>, by_early_bridge>;

using breakers_in_blocking_calls =
    std::tuple<by_memory<4, takes_time_back>, begins_wrongly<0>, by_memory<9, says_nothing>,
               by_bridge<10, says_ok_itself, refuses_reads>, changed_by_bridge<2>, changed_by_memory<6>,
               by_bridge<12, leaves_its_own_address>, by_memory<12, moves_the_address>>;

} // namespace

BOOST_AUTO_TEST_SUITE(base_protocol_rules)

BOOST_AUTO_TEST_CASE_TEMPLATE(modules_that_keep_the_rules_in_any_legal_way_break_none, T, keeping)
{
    T t;
    t.run();
    for (const auto &v : t.rules.violations())
        BOOST_ERROR(v.rule << ": " << v.what);
    BOOST_TEST(t.rules.transactions() == 2u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_module_that_breaks_a_rule_is_named_with_that_rule_and_no_other, T, breakers)
{
    typename T::bench t;
    t.run();
    t.names(T::rule);
}

BOOST_AUTO_TEST_CASE(blocking_calls_that_keep_the_rules_break_none)
{
    exchange<master, bridge, memory> t;
    t.block();
    BOOST_TEST(t.rules.violations().empty());
    BOOST_TEST(t.rules.transactions() == 2u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_blocking_call_is_judged_by_the_rules_that_are_not_of_phases, T,
                              breakers_in_blocking_calls)
{
    typename T::bench t;
    t.block();
    t.names(T::rule);
}

BOOST_AUTO_TEST_CASE(a_response_through_a_socket_that_the_request_did_not_take_breaks_rule_13)
{
    for (const tlm::tlm_phase phase : {tlm::tlm_phase(BEGIN_RESP), tlm::tlm_phase(END_REQ)}) {
        simulation sim;
        master from, bystander("bystander");
        answers_elsewhere to("to");
        base_protocol rules;
        base_protocol::interposed = true;
        rules.bind(from.down, to.up);
        rules.bind(bystander.down, to.other);
        sim.run_until(1000);
        gp &p = from.make(false, 0);
        from.send(p);
        to.serve(p);
        to.call_other(p, phase);
        BOOST_TEST(rules.violations().size() == 1u);
        for (const auto &v : rules.violations())
            BOOST_TEST(v.rule == 13u, v.rule << ": " << v.what);
        rules.forget();
        p.release();
    }
}

BOOST_AUTO_TEST_CASE(debug_and_direct_memory_calls_give_the_address_back_too)
{
    exchange<master, leaves_its_own_address, memory> t;
    t.pass();
    tlm::tlm_dmi dmi;
    gp &write = t.from.make(true, 0), &first = t.from.make(false, 0), &second = t.from.make(false, 0);
    BOOST_TEST(t.from.down->transport_dbg(write) == 64u);
    t.from.down->get_direct_mem_ptr(write, dmi);
    BOOST_TEST(t.rules.violations().empty());
    t.from.down->transport_dbg(first);
    t.names(12);
    t.from.down->get_direct_mem_ptr(second, dmi);
    t.names(12);
}

BOOST_AUTO_TEST_CASE(a_debug_access_changes_none_of_what_was_asked)
{
    exchange<master, bridge, memory_that_changes<2>> t;
    t.pass();
    t.from.down->transport_dbg(t.from.make(false, 0));
    t.names(11);
}

BOOST_AUTO_TEST_CASE(an_invalidated_range_of_direct_memory_reaches_the_master)
{
    struct listener : master {
        uint64_t last = 0;
        void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64 end) override { last = end; }
    };
    exchange<listener, bridge, memory> t;
    t.pass();
    t.to.up->invalidate_direct_mem_ptr(0, 4095);
    BOOST_TEST(t.from.last == 4095u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_call_without_time_is_judged_by_its_rules, T, breakers_in_calls)
{
    typename T::bench t;
    t.pass();
    gp &p = t.from.make(false, 0x100);
    sc_core::sc_spawn([&] { T::call(t, p); }); /* a process that may wait */
    t.pass();
    t.pass();
    t.names(T::rule);
    p.release();
    t.rules.finish();
}

BOOST_AUTO_TEST_CASE(calls_that_keep_their_rules_break_none)
{
    exchange<master, bridge, memory_with_a_pointer> t;
    t.pass();
    for (const bool write : {false, true}) {
        gp &p = t.from.make(write, 0x100);
        tlm::tlm_dmi dmi;
        sc_core::sc_time delay = ns(1);
        sc_core::sc_spawn([&] { t.from.down->b_transport(p, delay); });
        t.pass();
        BOOST_TEST(p.is_dmi_allowed());
        p.set_dmi_allowed(false);
        BOOST_TEST(t.from.down->get_direct_mem_ptr(p, dmi));
        BOOST_TEST(t.from.down->transport_dbg(p) == 64u);
        p.release();
    }
    BOOST_TEST(t.rules.violations().empty());
}

BOOST_AUTO_TEST_CASE(a_blocking_call_from_a_method_breaks_rule_14)
{
    exchange<master, bridge, memory> t;
    t.pass();
    gp &p = t.from.make(false, 0);
    sc_core::sc_spawn_options how;
    how.spawn_method();
    sc_core::sc_time delay;
    sc_core::sc_spawn([&] { t.from.down->b_transport(p, delay); }, "method", &how);
    t.pass();
    t.names(14);
    p.release();
}

BOOST_AUTO_TEST_CASE(a_blocking_call_of_a_transaction_in_phases_breaks_rule_14)
{
    exchange<master, bridge, memory> t;
    t.pass();
    gp &p = t.from.make(false, 0);
    t.from.send(p);
    t.pass();
    sc_core::sc_time delay = ns(5);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    t.from.down->b_transport(p, delay);
    t.names(14);
}

BOOST_AUTO_TEST_CASE(a_reference_that_the_test_holds_is_none_that_was_kept)
{
    exchange<master, bridge, memory> t;
    t.pass();
    gp &p = t.from.make(false, 0);
    p.acquire();
    t.whole(p);
    t.rules.held([&p](const gp &q) { return &q == &p; });
    t.rules.finish();
    BOOST_TEST(t.rules.violations().empty());
    t.rules.held(nullptr);
    t.rules.finish();
    t.names(6);
    p.release();
    t.rules.finish();
    BOOST_TEST(t.rules.violations().empty());
}

BOOST_AUTO_TEST_CASE(a_transaction_in_progress_when_the_run_ends_keeps_its_references)
{
    exchange<master, bridge, memory> t;
    t.pass();
    gp &p = t.from.make(false, 0);
    t.from.send(p);
    t.rules.finish();
    BOOST_TEST(t.rules.violations().empty());
}

BOOST_AUTO_TEST_CASE(what_nobody_expected_is_said_when_the_rules_go)
{
    const auto before = base_protocol::complain;
    std::string said;
    base_protocol::complain = [&said](const std::string &text) { said += text; };
    {
        exchange<never_gives_back, bridge, memory> t;
        t.pass();
        gp &p = t.from.make(false, 0);
        t.whole(p);
        BOOST_TEST(t.rules.violations().empty()); /* not detected yet */
    }
    base_protocol::complain = before;
    BOOST_TEST(said.find("base protocol, rule 6: ") == 0u);
    BOOST_TEST(said.find("; 1 violations in all") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

/* SPDX-License-Identifier: MIT */
/* Enumerates every order of the messages of an invalidate. As written, the protocol leaves no old translation
 * after the acknowledgement, and nothing waits for ever. Without any one part it fails, and the test prints
 * the messages up to the failure (--log_level=message). */
#include "tb/invalidate/machine.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <ostream>
#include <set>
#include <unordered_map>
#include <utility>

using namespace invalidate;
using walkway::test::test_share;

namespace
{

struct came_from {
    const std::string *before; /* the previous state's key; null: the first state */
    const char *who, *what;
    uint8_t about, nth;
};

struct outcome {
    size_t states = 0;
    uint64_t ends = 0;
    std::string fault;              /* "" or the fault of the first faulty state */
    std::vector<std::string> trace; /* the messages up to that state */
    std::set<std::string> taken;
};

/* Searches breadth first: no trace to a fault is shorter. */
outcome enumerate(const setting &s, bool as_written)
{
    outcome o;
    std::unordered_map<std::string, came_from> seen;
    std::deque<std::pair<state, const std::string *>> todo;
    const auto visit = [&](const state &next, const came_from &from) {
        const auto [it, first_time] = seen.emplace(key(s, next), from);
        if (first_time)
            todo.push_back({next, &it->first});
    };
    visit(begin(s), {nullptr, "", "", none, 0});
    while (!todo.empty() && o.fault.empty()) {
        const state at = todo.front().first;
        const std::string *here = todo.front().second;
        todo.pop_front();
        const std::vector<step> next = steps(s, at);
        o.fault = stale(s, at);
        if (o.fault.empty() && as_written)
            o.fault = broken(s, at);
        if (o.fault.empty() && next.empty()) {
            o.fault = stuck(s, at);
            ++o.ends;
        }
        for (const step &n : next) {
            o.taken.insert(std::string(n.who) + n.what);
            visit(n.next, {here, n.who, n.what, n.about, n.nth});
        }
        for (const std::string *k = here; !o.fault.empty() && seen.at(*k).before != nullptr;
             k = seen.at(*k).before)
            o.trace.push_back(text(seen.at(*k).who, seen.at(*k).what, seen.at(*k).about, seen.at(*k).nth));
    }
    std::reverse(o.trace.begin(), o.trace.end());
    o.states = seen.size();
    return o;
}

std::string report_of(const char *name, const outcome &o)
{
    std::string text = std::string(name) + ": " + std::to_string(o.states) + " states, " +
                       std::to_string(o.ends) + " ends; " + (o.fault.empty() ? "holds" : o.fault) + "\n";
    for (const std::string &m : o.trace)
        text += "    " + m + "\n";
    return text;
}

setting one(uint8_t requests = 4)
{
    setting s;
    s.requests = requests;
    return s;
}

struct row {
    const char *name;
    void (*take_out)(setting &);
    const char *fault;
};
std::ostream &operator<<(std::ostream &out, const row &r)
{
    return out << r.name;
}

void drop_twice(setting &s)
{
    s.with.refuse = 0;
    s.with.drop_on_return = true;
}

const std::vector<row> rows = {
    {"no refusal", [](setting &s) { s.with.refuse = 0; }, "the victim store holds it"},
    {"no refusal, but everything dropped twice", drop_twice, "an answer brings it"},
    {"no turn", [](setting &s) { s.with.turn = false; }, "an access uses it"},
    {"first stages drop nothing", [](setting &s) { s.with.drop &= 0xfe; }, "a first stage holds it"},
    {"the victim store drops nothing", [](setting &s) { s.with.drop &= 0xfd; }, "the victim store holds it"},
    {"out ahead of the answers", [](setting &s) { s.with.behind_answers = false; },
     "the walk unit answers with it"},
    {"back ahead of the fills", [](setting &s) { s.with.behind_fills = false; }, "a fill brings it"},
    {"a walk keeps the line that it has", [](setting &s) { s.with.restart = false; },
     "the walk unit answers with it"},
    {"back with the first copy of two",
     [](setting &s) { s.of = over_one_store(2), s.requests = 2, s.with.all_copies = 0; },
     "an answer brings it"},
    {"back in the lane of requests", [](setting &s) { s.with.lanes = false; },
     "the invalidate is not acknowledged"},
};

/* Stages of with_two_victim_stores(), and of of_unequal_groups(). */
enum tower : uint8_t { first_stage, near_store, tlb_between, far_store };
enum groups : uint8_t { of_one, of_two, shared_store };

uint8_t all_but(uint8_t stage)
{
    return static_cast<uint8_t>(~(1u << stage));
}

const std::vector<row> tower_rows = {
    {"the near store does not refuse", [](setting &s) { s.with.refuse = all_but(near_store); },
     "the victim store holds it"},
    {"the TLB does not refuse", [](setting &s) { s.with.refuse = all_but(tlb_between); }, "the TLB holds it"},
    {"the far store does not refuse", [](setting &s) { s.with.refuse = all_but(far_store); },
     "the far victim store holds it"},
    {"the near store drops nothing", [](setting &s) { s.with.drop = all_but(near_store); },
     "the victim store holds it"},
    {"the TLB drops nothing", [](setting &s) { s.with.drop = all_but(tlb_between); }, "the TLB holds it"},
    {"the far store drops nothing", [](setting &s) { s.with.drop = all_but(far_store); },
     "the far victim store holds it"},
    {"back ahead of the fills", [](setting &s) { s.with.behind_fills = false; }, "a fill brings it"},
    {"out ahead of the answers", [](setting &s) { s.with.behind_answers = false; },
     "the walk unit answers with it"},
    {"no turn", [](setting &s) { s.with.turn = false; }, "an access uses it"},
};

const std::vector<row> group_rows = {
    {"the stage of two goes on with the first copy", [](setting &s) { s.with.all_copies = all_but(of_two); },
     "an answer brings it"},
    {"the store goes on with the first copy", [](setting &s) { s.with.all_copies = all_but(shared_store); },
     "an answer brings it"},
    {"the stage of one drops nothing", [](setting &s) { s.with.drop = all_but(of_one); },
     "a first stage holds it"},
    {"the stage of two drops nothing", [](setting &s) { s.with.drop = all_but(of_two); },
     "a first stage holds it"},
    {"no refusal", [](setting &s) { s.with.refuse = 0; }, "the victim store holds it"},
};

setting of_shape(shape of, uint8_t requests)
{
    setting s = one(requests);
    s.of = std::move(of);
    return s;
}

} // namespace

BOOST_AUTO_TEST_SUITE(invalidate_protocol)

BOOST_DATA_TEST_CASE(as_written_no_order_of_messages_leaves_anything_old_or_waits_for_ever,
                     boost::unit_test::data::make({false, true}), unmapped)
{
    setting s = one();
    s.unmapped = unmapped;
    const outcome o = enumerate(s, true);
    const std::string all =
        report_of(unmapped ? "A is unmapped, then mapped" : "A is mapped elsewhere at once", o);
    BOOST_TEST_MESSAGE(all);
    BOOST_TEST(o.fault == "", all);
    BOOST_TEST(o.states > 10000u);
    BOOST_TEST(o.ends > 0u);
    BOOST_TEST(o.taken.count("the victim store refuses a fill") != 0u);
    BOOST_TEST(o.taken.count("the victim store takes a fill between the passes") != 0u); /* page B's */
    BOOST_TEST((o.taken.count("a walk faults") != 0u) == unmapped);
}

BOOST_AUTO_TEST_CASE(two_requesters_over_one_store_hold_it_too)
{
    setting s = one(2);
    s.of = over_one_store(2);
    const outcome o = enumerate(s, true);
    BOOST_TEST_MESSAGE(report_of("two requesters", o));
    BOOST_TEST(o.fault == "", report_of("two requesters", o));
    BOOST_TEST(o.states > 10000u);
}

/* Fills pass through a TLB that takes and passes them, and a hit in either victim store moves up. */
BOOST_DATA_TEST_CASE(two_victim_stores_with_a_tlb_between_hold_it_too,
                     boost::unit_test::data::make({false, true}), unmapped)
{
    static test_share some(2); /* by far the largest enumeration */
    if (!some.takes())
        return;
    setting s = of_shape(with_two_victim_stores(), 4);
    s.unmapped = unmapped;
    const outcome o = enumerate(s, true);
    const std::string all = report_of(unmapped ? "two victim stores, unmapped" : "two victim stores", o);
    BOOST_TEST_MESSAGE(all);
    BOOST_TEST(o.fault == "", all);
    BOOST_TEST(o.states > 100000u);
    BOOST_TEST(o.ends > 0u);
    for (const char *who : {"the victim store", "the TLB", "the far victim store"})
        for (const char *what : {" refuses a fill", " takes a fill", " takes a fill between the passes"})
            BOOST_TEST(o.taken.count(std::string(who) + what) != 0u, who << what);
}

BOOST_DATA_TEST_CASE(any_part_taken_out_of_two_victim_stores_leaves_something_old,
                     boost::unit_test::data::make(tower_rows), part)
{
    setting s = of_shape(with_two_victim_stores(), 3);
    part.take_out(s);
    const outcome o = enumerate(s, false);
    BOOST_TEST_MESSAGE(report_of(part.name, o));
    BOOST_TEST(o.fault == part.fault);
    BOOST_TEST(o.trace.size() > 5u);
}

BOOST_AUTO_TEST_CASE(first_stages_of_unequal_groups_hold_it_too)
{
    const setting s = of_shape(of_unequal_groups(), 1);
    const outcome o = enumerate(s, true);
    BOOST_TEST_MESSAGE(report_of("unequal groups", o));
    BOOST_TEST(o.fault == "", report_of("unequal groups", o));
    BOOST_TEST(o.states > 10000u);
    BOOST_TEST(o.ends > 0u);
}

BOOST_DATA_TEST_CASE(any_part_taken_out_of_unequal_groups_leaves_something_old,
                     boost::unit_test::data::make(group_rows), part)
{
    setting s = of_shape(of_unequal_groups(), 1);
    part.take_out(s);
    const outcome o = enumerate(s, false);
    BOOST_TEST_MESSAGE(report_of(part.name, o));
    BOOST_TEST(o.fault == part.fault);
    BOOST_TEST(o.trace.size() > 5u);
}

BOOST_DATA_TEST_CASE(any_part_taken_out_leaves_something_old_or_a_deadlock,
                     boost::unit_test::data::make(rows), part)
{
    setting s = one();
    part.take_out(s);
    const outcome o = enumerate(s, false);
    BOOST_TEST_MESSAGE(report_of(part.name, o));
    BOOST_TEST(o.fault == part.fault);
    BOOST_TEST(o.trace.size() > 5u);
}

/* The race that dropping twice does not prevent. */
BOOST_AUTO_TEST_CASE(an_old_fill_that_arrives_between_the_passes_is_hit_by_a_request_on_the_other_lane)
{
    setting s = one();
    drop_twice(s);
    const outcome o = enumerate(s, false);
    const char *const race[] = {"the requester turns the invalidate round: the invalidate",
                                "the first stage takes the invalidate back: the invalidate",
                                "the victim store takes a fill between the passes: A's old translation",
                                "the victim store takes a request: A",
                                "the victim store takes the invalidate back: the invalidate",
                                "the walk unit acknowledges the invalidate"};
    BOOST_REQUIRE(o.trace.size() >= std::size(race));
    BOOST_TEST(std::vector<std::string>(o.trace.end() - std::size(race), o.trace.end()) ==
                   std::vector<std::string>(std::begin(race), std::end(race)),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

/* SPDX-License-Identifier: MIT */
/* The laws between blocks can fail: each for every statistic that it names, and those over time for a charge
 * that is dropped, moved to another cause, or counted twice. */
#include "tb/platform/bounds.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

struct counted {
    stat_values values;
    std::vector<equality> equalities;
};

/* Divergent loads, stores and atomics by two compute units, with every cause of a walk's time. */
counted run_of(const std::string &more)
{
    const trace t(mixed_spec(6));
    simulation sim;
    gpu_machine m(
        configured("gpu.cus=2 walk_unit.coalesce=leaf walk_unit.walkers=2 walk_unit.buffer_entries=8 "
                   "walk_unit.pwc_cycles=3 l1d.write=back l1d.write_miss=fetch l2d.write_miss=fetch "
                   "l2d.bytes=16384 l2d.ways=4 " +
                   more),
        t.reader());
    BOOST_REQUIRE((m.run({}) == run_end::complete));
    counted c;
    m.visit(c.values);
    c.equalities = m.top().equalities();
    return c;
}

const counted &machine_of(const std::string &more)
{
    static std::map<std::string, counted> known;
    const auto it = known.find(more);
    return it != known.end() ? it->second : known[more] = run_of(more);
}

uint64_t broken(const counted &c)
{
    uint64_t n = 0;
    for (const equality &e : c.equalities)
        n += !c.values.judge(e).holds();
    return n;
}

const char *const machines[] = {"", "walk_unit.walk_path=l2d", "translation.ideal=infinite_tlb",
                                "translation.ideal=perfect_l1"};

} // namespace

BOOST_AUTO_TEST_SUITE(laws_between_blocks)

BOOST_DATA_TEST_CASE(they_hold_of_a_machine_that_has_every_term_of_them, data::make(machines), more)
{
    const counted &c = machine_of(more);
    BOOST_TEST(broken(c) == 0u);
    const bool ideal = std::string(more).find("ideal") != std::string::npos;
    BOOST_TEST(c.equalities.size() >= (std::string(more).find("perfect") != std::string::npos ? 8u : 9u));
    for (const equality &e : c.equalities)
        for (const std::vector<stat_term> &side : {e.left, e.right})
            for (const stat_term &term : side)
                if (term.name != "dram.refused_reads") /* of tables that point outside memory: tb/guest */
                    BOOST_TEST((ideal || c.values.sum({term}) > 0u), e.text << ": " << term.name);
    if (!ideal)
        for (const char *cause : {"walk_cache", "walk_l4", "walk_l3", "walk_l2", "walk_l1"})
            BOOST_TEST(c.values.all.at(std::string("account.") + cause) > 0u, cause);
}

BOOST_DATA_TEST_CASE(one_more_or_less_of_any_term_breaks_its_law, data::make(machines), more)
{
    for (const equality &e : machine_of(more).equalities)
        for (const std::vector<stat_term> &side : {e.left, e.right})
            for (const stat_term &term : side)
                for (const uint64_t step : {uint64_t{1}, UINT64_MAX}) {
                    counted c = machine_of(more);
                    const bool every = term.name.back() == '*';
                    const std::string name = every ? "account.walk_l1" : term.name;
                    c.values.all.at(name) += step;
                    BOOST_TEST(!c.values.judge(e).holds(), e.text << ": " << name);
                }
}

BOOST_AUTO_TEST_CASE(a_charge_that_is_moved_to_another_cause_breaks_two)
{
    for (const auto &[from, to] :
         {std::pair("backlog", "buffer"), std::pair("buffer", "walk_l1"), std::pair("walk_cache", "held")}) {
        counted c = machine_of("");
        --c.values.all.at(std::string("account.") + from);
        ++c.values.all.at(std::string("account.") + to);
        BOOST_TEST(broken(c) == 2u, from << " to " << to);
    }
}

BOOST_AUTO_TEST_CASE(walks_without_time_read_no_memory)
{
    const counted &c = machine_of("translation.ideal=zero_walk");
    BOOST_TEST(broken(c) == 0u);
    BOOST_TEST(c.values.sum({"walk_unit.pte_reads"}) > 0u);
    BOOST_TEST(c.values.sum({"dram.reads"}) == c.values.sum({"l2d.read_misses", "l2d.write_fetches"}));
}

BOOST_AUTO_TEST_CASE(a_law_may_be_silent_where_a_statistic_is_not_zero)
{
    stat_values v;
    v.all = {{"a.x", 3}, {"a.y", 4}, {"b.faults", 0}};
    BOOST_TEST(!v.judge({"x = y", {"a.x"}, {"a.y"}, "b.faults"}).holds());
    v.all["b.faults"] = 1;
    BOOST_TEST(v.judge({"x = y", {"a.x"}, {"a.y"}, "b.faults"}).holds());
}

BOOST_AUTO_TEST_CASE(a_term_that_names_no_statistic_is_an_error)
{
    stat_values v;
    v.all = {{"a.xx", 3}, {"a.xy", 4}, {"b.y", 0}};
    BOOST_TEST(v.sum({{"a.x*", 2}}) == 14u);
    BOOST_CHECK_THROW(v.sum({"a.x"}), std::logic_error);
    BOOST_CHECK_THROW(v.sum({"a.z*"}), std::logic_error);
    BOOST_CHECK_THROW(v.sum({"c.x"}), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

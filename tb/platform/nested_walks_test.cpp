/* SPDX-License-Identifier: MIT */
/* Whole machines on a guest's table within a host's: how many entries walks read, what walk caches spare, and
 * whose table lacks absent pages. hashed_table_test.cpp tests that the translations are right, on every
 * combination of settings. */
#include "tb/platform/lawful.hpp"

#include <boost/test/data/test_case.hpp>

#include <map>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace platform_nested_walks
{

const trace &program()
{
    static const trace t(row_major(8, 6, 4, 16384));
    return t;
}

struct numbers {
    std::map<std::string, std::string> all;
    uint64_t operator[](const std::string &name) const { return std::stoull(all.at("walk_unit." + name)); }
};

numbers run(const std::string &settings)
{
    simulation sim;
    const auto made =
        config_of({"apu-micro18", "address_space.table=nested " + settings})->build(program().reader());
    BOOST_REQUIRE((made->run({}) == run_end::complete));
    for (const law &l : made->laws())
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
    stat_text text;
    made->visit(text);
    return {text.all};
}

const std::string off = "walk_unit.pwc_l2=0 walk_unit.pwc_l3=0 walk_unit.pwc_l4=0 ";

} // namespace platform_nested_walks

using namespace platform_nested_walks;

BOOST_AUTO_TEST_SUITE(nested_walks)

BOOST_AUTO_TEST_CASE(cold_a_walk_reads_24_entries)
{
    const numbers n = run(off);
    const uint64_t walks = n["walks_started"];
    BOOST_TEST(walks > 50u);
    BOOST_TEST(n["pte_reads"] == 24 * walks);
    for (const char *step : {"l4", "l3", "l2", "l1"})
        BOOST_TEST(n[std::string("pte_reads_") + step] == 5 * walks, step);
    BOOST_TEST(n["pte_reads_page"] == 3 * walks);
    BOOST_TEST(n["pte_reads_host"] == walks);
}

/* The cached entry of level 2 has its node's place: that spares 19 of 24 reads, an entry of level 4 five. */
BOOST_AUTO_TEST_CASE(walk_caches_hold_where_the_guests_nodes_lie)
{
    const numbers warm = run(""), top = run(off + "walk_unit.pwc_l4=4 ");
    const uint64_t hits = warm["pwc_hits_l2"], walks = warm["walks_started"];
    BOOST_TEST(hits > walks * 3 / 4);
    BOOST_TEST(warm["pte_reads_host"] == walks);
    BOOST_TEST(warm["pte_reads"] ==
               24 * walks - 19 * hits - 14 * warm["pwc_hits_l3"] - 9 * warm["pwc_hits_l4"]);
    BOOST_TEST(top["pte_reads"] == 24 * top["walks_started"] - 9 * top["pwc_hits_l4"]);
    BOOST_TEST(top["pwc_hits_l4"] > 0u);
}

/* Neighbours get the guest's entries from one line, and then each walks the host's table. */
BOOST_AUTO_TEST_CASE(the_guests_lines_are_shared)
{
    const numbers apart = run(off), full = run(off + "walk_unit.coalesce=full ");
    BOOST_TEST(full["partial_coalesced"] > 0u);
    BOOST_TEST(full["partial_starts"] > 0u);
    BOOST_TEST(full["pte_reads"] < apart["pte_reads"]);
    BOOST_TEST(full["pte_reads_host"] == full["walks_started"]);
}

/* The last of all reads finds a page that the host lacks; one that the guest lacks is found four reads
 * earlier. */
BOOST_AUTO_TEST_CASE(pages_are_missing_from_the_table_of_who_pages)
{
    const std::string faulting = off + "address_space.map=first_touch pager.mean_cycles=200 ";
    const numbers guest = run(faulting), host = run(faulting + "address_space.paging=host ");
    for (const numbers *n : {&guest, &host}) {
        BOOST_TEST((*n)["walks_faulted"] > 0u);
        BOOST_TEST((*n)["walks_finished"] > 0u);
        BOOST_TEST((*n)["pte_reads_l1"] == 5 * (*n)["walks_started"]);
    }
    BOOST_TEST(guest["pte_reads_host"] == guest["walks_finished"]);
    BOOST_TEST(host["pte_reads_host"] == host["walks_started"]);
}

/* Every machine, with settings that all have. */
BOOST_DATA_TEST_CASE(every_machine_walks_nested_tables,
                     data::make(every_machine({"address_space.table=nested",
                                               "address_space.table=nested address_space.page=mixed",
                                               "address_space.table=nested address_space.map=first_touch",
                                               "address_space.table=nested address_space.map=first_touch "
                                               "address_space.paging=host"})),
                     of)
{
    runs_lawfully(of, program());
}

BOOST_AUTO_TEST_SUITE_END()

/* SPDX-License-Identifier: MIT */
/* tb/cli/places_test.cpp - tables of a made-up result's kernels: the most costly first, the rest in one row.
 */
#include "report/places.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace walkway;

namespace
{

json counts(uint64_t cycles)
{
    const auto count = [](uint64_t n) {
        return json{{"value", n}, {"unit", "count"}, {"description", "made up"}};
    };
    return {{"coalescer.answered", count(10)},
            {"l1_tlb.misses", count(4)},
            {"walk_unit.walks_started", count(2)},
            {"account.translation_cycles", count(cycles)},
            {"account.l1_lookup", count(cycles - cycles / 4)},
            {"account.buffer", count(cycles / 4)}};
}

json with_kernels(const std::vector<uint64_t> &cycles)
{
    json result = {{"statistics", counts(0)}, {"kernels", json::array()}};
    for (size_t i = 0; i < cycles.size(); ++i)
        result["kernels"].push_back({{"name", "k" + std::to_string(i)}, {"statistics", counts(cycles[i])}});
    return result;
}

BOOST_AUTO_TEST_CASE(the_most_costly_kernels_come_first)
{
    const json t = places_json(with_kernels({100, 300, 100, 500})).at("kernels");
    std::vector<std::string> names;
    for (const json &row : t.at("rows"))
        names.push_back(row.at(0));
    BOOST_TEST(names == std::vector<std::string>({"k3", "k1", "k0", "k2"}), boost::test_tools::per_element());
    BOOST_TEST(t.at("rows").at(0) == json({"k3", "10", "4", "2", "500", "50.0 %", "l1_lookup"}));
}

BOOST_AUTO_TEST_CASE(those_that_are_not_shown_add_up_in_a_last_row)
{
    std::vector<uint64_t> cycles(places_shown + 2, 100);
    cycles.front() = 4; /* the cheapest, though it was first */
    const json t = places_json(with_kernels(cycles)).at("kernels");
    BOOST_TEST(t.at("rows").size() == places_shown + 1);
    BOOST_TEST(t.at("rows").back() == json({"2 more", "20", "8", "4", "104", "9.4 %", "l1_lookup"}));
}

BOOST_AUTO_TEST_CASE(a_result_without_parts_has_no_tables)
{
    BOOST_TEST(places_json({{"statistics", counts(0)}}).empty());
}

} // namespace

/* SPDX-License-Identifier: MIT */
/* tb/cli/hints_test.cpp - what a result says against drawing conclusions from it: each hint on both sides of
 * its edge, and where none is due. */
#include "report/hints.hpp"

#include <boost/test/unit_test.hpp>

using namespace walkway;

namespace
{

json number(double value, const char *unit = "count")
{
    return {{"value", value}, {"unit", unit}, {"description", "made up"}};
}

/* Of 100 cycles per memory instruction, those that wait for translations. */
json result(double pages, double waits)
{
    json stats = {
        {"partial", false},
        {"configuration", {{"l1_tlb.entries", 32}, {"l2_tlb.entries", 512}, {"translation.ideal", "off"}}}};
    stats["statistics"] = {{"model.pages", number(pages)},
                           {"coalescer.instructions", number(10)},
                           {"gpu.wave_stall.translation", number(waits * 10, "cycles")},
                           {"gpu.wave_stall.data", number((100 - waits) * 10, "cycles")}};
    return stats;
}

std::string text_of(const json &stats)
{
    std::string all;
    for (const std::string &hint : hints_of(stats))
        all += hint + "\n";
    return all;
}

bool says(const json &stats, const std::string &what)
{
    return text_of(stats).find(what) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(hints)

BOOST_AUTO_TEST_CASE(a_footprint_that_fits_the_last_tlb)
{
    BOOST_TEST(says(result(512, 50), "512 pages fit the L2 TLB (512 entries)"));
    BOOST_TEST(text_of(result(513, 50)) == "");
    BOOST_TEST(says(result(1, 50), "1 page fits"));
    json without = result(32, 50);
    without["configuration"]["l2_tlb.entries"] = 0;
    BOOST_TEST(says(without, "32 pages fit each L1 TLB (32 entries)"));
    without["statistics"]["model.pages"] = number(33);
    BOOST_TEST(text_of(without) == "");
}

BOOST_AUTO_TEST_CASE(waves_that_hardly_wait_for_translations)
{
    BOOST_TEST(says(result(9999, 0.9), "waves wait for translations 0.9 %"));
    BOOST_TEST(text_of(result(9999, 1.1)) == "");
}

BOOST_AUTO_TEST_CASE(of_a_part_or_an_ideal_machine_there_is_none)
{
    for (const json &change : {json{{"partial", true}}, json{{"window", json::object()}}}) {
        json part = result(5, 0);
        part.update(change);
        BOOST_TEST(text_of(part) == "");
    }
    json ideal = result(5, 0);
    ideal["configuration"]["translation.ideal"] = "zero_walk";
    BOOST_TEST(text_of(ideal) == "");
    BOOST_TEST(hints_of(result(5, 0)).size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

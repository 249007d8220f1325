/* SPDX-License-Identifier: MIT */
/* tb/cli/renames_test.cpp - current names of names of older programs, and results that have old names. */
#include "run/result.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/paths.hpp"
#include "support/renames.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>

using namespace walkway;

BOOST_AUTO_TEST_SUITE(names_that_were)

BOOST_AUTO_TEST_CASE(each_has_one_now)
{
    BOOST_TEST(name_now("iommu.tlb1_entries") == "iommu_tlb.tlb1_entries");
    BOOST_TEST(name_now("iommu.tlb_misses") == "iommu_tlb.tlb_misses");
    BOOST_TEST(name_now("iommu.response_cycles") == "iommu_tlb.response_cycles");
    BOOST_TEST(name_now("iommu.pte_reads_l1") == "walk_unit.pte_reads_l1"); /* by its section */
    BOOST_TEST(name_now("arrays.iommu.tlb1.reads") == "arrays.iommu_tlb.tlb1.reads");
    BOOST_TEST(name_now("iommu.requests_of") == "walk_unit.requests_of"); /* not matched by iommu.requests */
    BOOST_TEST(name_now("walk_unit.sharers") == "walk_unit.shared_by");
}

BOOST_AUTO_TEST_CASE(those_of_now_and_others_are_their_own)
{
    for (const char *name :
         {"walk_unit.walkers", "iommu_tlb.ports", "l2_tlb.sharers", "iommu", "iommux.walkers", ""})
        BOOST_TEST(name_now(name) == name);
}

BOOST_AUTO_TEST_CASE(who_gives_one_is_told_the_one_of_now_where_it_is_there)
{
    const std::vector<std::string> valid = {"walk_unit.walkers", "walk_unit.pwc_l2"};
    BOOST_TEST(did_you_mean("iommu.walkers", valid) == " (it is called 'walk_unit.walkers' now)");
    BOOST_TEST(did_you_mean("iommu.walker", valid) == " (did you mean 'walk_unit.walkers'?)");
    BOOST_TEST(did_you_mean("iommu.walkers", {"l1_tlb.entries"}) == "");
}

BOOST_AUTO_TEST_CASE(a_result_of_an_older_program_has_the_names_of_now)
{
    const temporary_folder folder;
    const std::string path = folder.path() + "/stats.json";
    std::ofstream(path) << R"({"partial": false, "headline": {"cycles": {"value": 3}},
        "configuration": {"iommu.walkers": 8, "icache.sharers": 4, "gpu.cus": 2},
        "statistics": {"iommu.requests": {"value": 5}, "iommu.walk_latency": {"count": 1}, "l2_tlb.sharers": {"count": 2}}})";
    const json result = read_result(path);
    BOOST_TEST(result["configuration"].dump() ==
               R"({"walk_unit.walkers":8,"icache.shared_by":4,"gpu.cus":2})");
    BOOST_TEST(
        result["statistics"].dump() ==
        R"({"iommu_tlb.requests":{"value":5},"walk_unit.walk_latency":{"count":1},"l2_tlb.sharers":{"count":2}})");
}

BOOST_AUTO_TEST_CASE(what_only_has_the_members_names_is_no_result)
{
    const temporary_folder folder;
    const std::string path = folder.path() + "/no_result.json";
    for (const char *text : {R"({"partial": false, "headline": 3, "statistics": {}})",
                             R"({"partial": false, "headline": {}, "statistics": []})",
                             R"({"partial": 0, "headline": {}, "statistics": {}})"}) {
        std::ofstream(path) << text;
        BOOST_CHECK_EXCEPTION(read_result(path), failure,
                              [](const failure &e) { return e.code() == exit_input; });
    }
}

BOOST_AUTO_TEST_SUITE_END()

/* SPDX-License-Identifier: MIT */
/* The study of page faults from made-up results: each way of mapping over all pages mapped; every workload.
 */
#include "study/study.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <set>

using namespace walkway;

namespace
{

json number(double value)
{
    return {{"value", value}, {"unit", "1"}, {"description", "made up"}};
}

json result(double cycles)
{
    return {{"headline", {{"cycles", number(cycles)}}},
            {"statistics",
             {{"gpu.cycles", number(cycles)},
              {"pager.pages_mapped", number(20)},
              {"pager.faults", number(30)},
              {"walk_unit.fault_table_peak", number(7)}}}};
}

const auto nearly = boost::test_tools::tolerance(1e-9);

} // namespace

BOOST_AUTO_TEST_CASE(faults_are_held_against_the_same_program_with_every_page_mapped)
{
    const study &s = find_study("faults");
    study_results results;
    for (const study_program &p : s.programs) {
        results[p.code]["all"] = result(1000);
        results[p.code]["half"] = result(2500);
        results[p.code]["first_touch"] = result(p.code == "ATX" ? 500 : 4000);
    }
    const figure f = make_figure(s, s.figures.at(0), results);
    BOOST_TEST_REQUIRE(f.bars.size() == 2u);
    BOOST_TEST_REQUIRE(f.beside.size() == 4u);
    for (size_t i = 0; i < s.programs.size(); ++i) {
        const bool atax = s.programs[i].code == "ATX";
        BOOST_TEST(f.bars[0].values[i] == 2.5, nearly);
        BOOST_TEST(f.bars[1].values[i] == (atax ? 0.5 : 4.0), nearly);
        BOOST_TEST(f.beside[0].values[i] == 20.0, nearly);
        BOOST_TEST(f.beside[1].values[i] == 30.0, nearly);
        BOOST_TEST(f.beside[2].values[i] == 7.0, nearly);
        BOOST_TEST(f.beside[3].values[i] == (atax ? 25.0 : 200.0), nearly);
    }
}

/* A workload is a folder with a kernel of its name. */
BOOST_AUTO_TEST_CASE(every_workload_is_in_it)
{
    const char *const source = std::getenv("WALKWAY_SOURCE"); /* ctest sets it */
    BOOST_TEST_REQUIRE(source != nullptr);
    const std::filesystem::path folder = std::filesystem::path(source) / "workloads";
    std::set<std::string> there, run;
    for (const auto &inside : std::filesystem::directory_iterator(folder)) {
        const std::string name = inside.path().filename().string();
        if (std::filesystem::exists(inside.path() / (name + ".cl")))
            there.insert(name);
    }
    for (const study_program &p : find_study("faults").programs)
        run.insert(p.workload);
    BOOST_TEST(there.size() > 20u);
    BOOST_TEST(there == run, boost::test_tools::per_element());
}

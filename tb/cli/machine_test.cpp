/* SPDX-License-Identifier: MIT */
/* tb/cli/machine_test.cpp - a study's settings override every option, and the program says so. */
#include "report/listing.hpp"
#include "run/machine.hpp"
#include "support/errors.hpp"
#include "support/paths.hpp"

#include <boost/test/unit_test.hpp>

using namespace walkway;

namespace
{

std::string value_of(const platform_spec &spec, const std::string &name)
{
    for (const parameter &p : list_parameters(*spec.config))
        if (p.name == name)
            return p.value;
    return "";
}

struct fake_file {
    temporary_folder folder;
    std::string path = folder.path() + "/fake.cfg";
    fake_file() { write_file(path, "[machine]\npath = fake\n"); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_study_counts_more_than_the_machine_and_that_more_than_set, fake_file)
{
    const platform_spec spec = resolve_platform(
        path + ":walk_unit.walkers=16,walk_unit.coalesce=leaf",
        {{"walk_unit.coalesce=full", "walk_unit.buffer_entries=64"}, {}, {"walk_unit.walkers=32"}});
    BOOST_TEST(value_of(spec, "walk_unit.walkers") == "32");
    BOOST_TEST(value_of(spec, "walk_unit.coalesce") == "leaf");
    BOOST_TEST(value_of(spec, "walk_unit.buffer_entries") == "64");
    BOOST_REQUIRE(spec.overruled.size() == 2u);
    BOOST_TEST(spec.overruled[0].lost.value == "full");
    BOOST_TEST(spec.overruled[0].where == "the machine sets it itself");
    BOOST_TEST(spec.overruled[1].lost.name == "walk_unit.walkers");
    BOOST_TEST(spec.overruled[1].lost.value == "16");
    BOOST_TEST(spec.overruled[1].where == "the study sets it");
}

BOOST_FIXTURE_TEST_CASE(every_seed_is_set_by_its_option, fake_file)
{
    const platform_spec spec = resolve_platform(path, {{}, "7", {}});
    for (const listed_parameter &p : parameters_of(spec))
        if (p.now.name == "pages.seed")
            BOOST_TEST(p.provenance() == "SET by --seed");
    BOOST_TEST(value_of(spec, "pages.seed") == "7");
}

BOOST_FIXTURE_TEST_CASE(a_value_that_loses_must_be_valid_all_the_same, fake_file)
{
    BOOST_CHECK_THROW(resolve_platform(path, {{"walk_unit.walkers=0"}, {}, {"walk_unit.walkers=32"}}),
                      failure);
}

/* SPDX-License-Identifier: MIT */
/* tb/cli/parameters_test.cpp - the origin of a parameter's number: the machine's file states it, and it is
 * dropped once the number changes. */
#define BOOST_TEST_MODULE parameters
#include "report/listing.hpp"
#include "support/errors.hpp"
#include "support/paths.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

using namespace walkway;

namespace
{

/* A machine with the numbers of its file. */
platform_spec fake()
{
    const temporary_folder folder;
    const std::string path = folder.path() + "/fake.cfg";
    write_file(path, "[machine]\npath = fake\n[walk_unit]\nwalkers = 8  @ paper [M18] Table I\n"
                     "buffer_entries = 256 @ chosen (another) saw results\n[pages]\nseed = 1 @ assumed\n");
    return load_platform(path);
}

const listed_parameter &find(const std::vector<listed_parameter> &list, const std::string &name)
{
    for (const listed_parameter &l : list)
        if (l.now.name == name)
            return l;
    throw std::runtime_error("no parameter " + name);
}

std::string line_of(const std::string &text, const std::string &start)
{
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        if (line.compare(0, start.size(), start) == 0)
            return line;
    return "";
}

} // namespace

BOOST_AUTO_TEST_CASE(each_origin_has_its_word_before_its_reason)
{
    const auto shown = [](const char *text) { return provenance_of(parse_origin(text, "m.cfg:3")); };
    BOOST_TEST(shown("paper [X] Table 1") == "PAPER [X] Table 1");
    BOOST_TEST(shown("derived a") == "DERIVED a");
    BOOST_TEST(shown("assumed") == "ASSUMED");
    BOOST_TEST(shown("chosen (mine) saw results (twice)") == "CHOSEN (mine): saw results (twice)");
    BOOST_TEST(shown("chosen (mine)") == "CHOSEN (mine)");
    for (const char *text : {"paper [X] Table 1", "assumed", "chosen (mine) saw results", "derived (mine)"})
        BOOST_TEST(text_of_origin(parse_origin(text, "")) == text);
}

BOOST_AUTO_TEST_CASE(an_origin_of_no_known_kind_is_refused_with_the_nearest)
{
    const auto refusal = [](const char *text) -> std::string {
        try {
            parse_origin(text, "m.cfg:3");
        } catch (const failure &e) {
            return e.what();
        }
        return "";
    };
    BOOST_TEST(refusal("papr [X]") ==
               "m.cfg:3: '@ papr': a value's origin is of no such kind (did you mean 'paper'?); "
               "valid: paper | derived | assumed | chosen, and a text behind it");
    BOOST_TEST(refusal("").find("valid: paper") != std::string::npos);
    BOOST_TEST(refusal("PAPER").find("(did you mean 'paper'?)") ==
               std::string::npos); /* the case differs, so no letter matches */
}

BOOST_AUTO_TEST_CASE(a_value_that_was_set_says_by_whom_and_not_where_the_default_stands)
{
    platform_spec spec = fake();
    BOOST_TEST(find(parameters_of(spec), "walk_unit.walkers").provenance() == "PAPER [M18] Table I");
    spec.set({"walk_unit.walkers", "5", "mine.cfg:3"});
    BOOST_TEST(find(parameters_of(spec), "walk_unit.walkers").provenance() == "SET by mine.cfg:3");
    BOOST_TEST(find(parameters_of(spec), "walk_unit.buffer_entries").provenance() ==
               "CHOSEN (another): saw results");
    BOOST_TEST(find(parameters_of(spec), "walk_unit.coalesce").provenance() == "ASSUMED no file says it");
    spec.set({"walk_unit.walkers", "6", "--set"});
    BOOST_TEST(find(parameters_of(spec), "walk_unit.walkers").provenance() == "SET by --set");
}

BOOST_AUTO_TEST_CASE(a_default_that_was_written_out_is_still_the_default)
{
    platform_spec spec = fake();
    spec.set({"walk_unit.walkers", "8", "shipped.cfg:3"});
    BOOST_TEST(find(parameters_of(spec), "walk_unit.walkers").provenance() == "PAPER [M18] Table I");
}

BOOST_AUTO_TEST_CASE(a_value_changed_by_nobody_that_is_known_is_no_default_either)
{
    platform_spec spec = fake();
    set_parameter(*spec.config, "walk_unit.walkers", "5", "");
    BOOST_TEST(find(parameters_of(spec), "walk_unit.walkers").provenance() == "SET");
}

BOOST_AUTO_TEST_CASE(list_json_and_cfg_say_the_same_origin)
{
    platform_spec spec = fake();
    spec.set({"walk_unit.walkers", "5", "--set"});
    const std::vector<listed_parameter> list = parameters_of(spec);

    const json all = parameters_json(list);
    BOOST_TEST(all["walk_unit.walkers"]["origin"] == "SET");
    BOOST_TEST(all["walk_unit.walkers"]["source"] == "--set");
    BOOST_TEST(all["walk_unit.walkers"]["default_origin"] == "PAPER");
    BOOST_TEST(all["pages.seed"]["origin"] == "ASSUMED");

    std::ostringstream table, cfg;
    print_parameters(table, list);
    print_cfg(cfg, spec);
    BOOST_TEST(table.str().find("walk_unit.walkers         = 5 (default 8)  walkers  [1 ... 4096]\n"
                                "    independent page-table walkers; SET by --set\n") != std::string::npos);
    BOOST_TEST(table.str().find("    of the layout; ASSUMED\n") != std::string::npos);
    BOOST_TEST(table.str().find(" 1 SET\n") != std::string::npos);
    BOOST_TEST(line_of(cfg.str(), "walkers = ") ==
               "walkers = 5  # SET by --set; default 8: PAPER [M18] Table I");
    BOOST_TEST(line_of(cfg.str(), "buffer_entries = ") ==
               "buffer_entries = 256  @ chosen (another) saw results");
    BOOST_TEST(cfg.str().find("# walk buffer: entries, 1 ... 4096\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_name_that_would_end_the_comment_is_escaped_in_a_cfg)
{
    platform_spec spec = fake();
    spec.set({"walk_unit.walkers", "5", "two\nlines.cfg:1"});
    std::ostringstream cfg;
    print_cfg(cfg, spec);
    BOOST_TEST(line_of(cfg.str(), "lines.cfg").empty());
    BOOST_TEST(cfg.str().find("SET by two\\x0alines.cfg:1;") != std::string::npos);
}

/* SPDX-License-Identifier: MIT */
/* tb/cli/parameters_test.cpp - where a parameter's number comes from: said by its declaration, and no longer
 * once the number is another. */
#define BOOST_TEST_MODULE parameters
#include "report/listing.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>
#include <type_traits>
#include <utility>

using namespace walkway;

namespace
{

template <class T, class, class... Given> struct builds : std::false_type {
};
template <class T, class... Given>
struct builds<T, std::void_t<decltype(T{std::declval<Given>()...})>, Given...> : std::true_type {
};

static_assert(builds<param_info, void, const char *, uint64_t, uint64_t, const char *, param_source>::value,
              "a declaration that says where its number comes from compiles");
static_assert(!builds<param_info, void, const char *, uint64_t, uint64_t, const char *>::value,
              "one that does not say so must not");
static_assert(!builds<param_info, void, const char *, uint64_t, uint64_t, const char *, const char *>::value,
              "words alone are no origin");

/* One parameter of each origin. */
struct four {
    uint64_t a = 1, b = 2, c = 3, d = 4;
    void visit(param_visitor &v)
    {
        v.number("a", a, {"1", 0, 9, "first", paper("[X] Table 1")});
        v.number("b", b, {"1", 0, 9, "second", derived("a")});
        v.number("c", c, {"1", 0, 9, "third", assumed()});
        v.number("d", d, {"1", 0, 9, "fourth", chosen("saw results")});
    }
};

platform_spec fake()
{
    platform_spec spec;
    spec.wiring = spec.name = platform_wirings().front();
    spec.config = make_platform_config(spec.wiring);
    return spec;
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
    four declared;
    std::string all;
    for (const parameter &p : list_parameters([&declared](param_visitor &v) { declared.visit(v); }))
        all += p.provenance() + "; ";
    BOOST_TEST(all == "PAPER [X] Table 1; DERIVED a; ASSUMED; CHOSEN saw results; ");
}

BOOST_AUTO_TEST_CASE(a_value_that_was_set_says_by_whom_and_not_where_the_default_stands)
{
    platform_spec spec = fake();
    BOOST_TEST(find(parameters_of(spec), "walk_unit.walkers").provenance() == "PAPER [M18] Table I");
    spec.set({"walk_unit.walkers", "5", "mine.cfg:3"});
    BOOST_TEST(find(parameters_of(spec), "walk_unit.walkers").provenance() == "SET by mine.cfg:3");
    BOOST_TEST(find(parameters_of(spec), "walk_unit.buffer_entries").provenance() == "PAPER [M18] Table I");
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
               "walkers = 5  # walkers, 1 ... 4096; SET by --set; default 8: PAPER [M18] Table I");
    BOOST_TEST(line_of(cfg.str(), "buffer_entries = ") ==
               "buffer_entries = 256  # entries, 1 ... 4096; PAPER [M18] Table I");
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

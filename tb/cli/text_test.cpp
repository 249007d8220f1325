/* SPDX-License-Identifier: MIT */
/* tb/cli/text_test.cpp - names, numbers, tables and command lines as text. */
#include "report/table.hpp"
#include "run/transactions.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"
#include "support/paths.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <limits>
#include <sstream>

using namespace walkway;

BOOST_AUTO_TEST_CASE(edit_distance_counts_single_letter_changes)
{
    BOOST_TEST(edit_distance("", "") == 0u);
    BOOST_TEST(edit_distance("abc", "") == 3u);
    BOOST_TEST(edit_distance("walkers", "walkers") == 0u);
    BOOST_TEST(edit_distance("walker", "walkers") == 1u);
    BOOST_TEST(edit_distance("wlakers", "walkers") == 1u); /* a swap is one change */
    BOOST_TEST(edit_distance("kitten", "sitting") == 3u);
}

BOOST_AUTO_TEST_CASE(a_sample_of_translations_is_told_by_an_ordinal)
{
    const std::pair<uint64_t, const char *> ordinals[] = {
        {2, "2nd"},   {3, "3rd"},   {4, "4th"},   {10, "10th"},   {11, "11th"},
        {12, "12th"}, {13, "13th"}, {21, "21st"}, {102, "102nd"}, {1013, "1,013th"}};
    for (const auto &[every, text] : ordinals) {
        transaction_options options;
        options.file = "x.json";
        options.every = every;
        BOOST_TEST(text_of_transactions(options, {}) ==
                   "x.json: 0, every " + std::string(text) + " of 0 translations");
    }
}

BOOST_AUTO_TEST_CASE(nearest_name_is_the_closest_or_none)
{
    const std::vector<std::string> names = {"walk_unit.walkers", "iommu_tlb.ports", "l1_tlb.ports"};
    BOOST_TEST(nearest_name("walk_unit.walker", names) == "walk_unit.walkers");
    BOOST_TEST(nearest_name("walkers", names) == "walk_unit.walkers");
    BOOST_TEST(nearest_name("ports", names) == "iommu_tlb.ports"); /* the first of equals */
    BOOST_TEST(nearest_name("zzzzzz", names) == "");
    BOOST_TEST(did_you_mean("zzzzzz", names) == "");
}

BOOST_AUTO_TEST_CASE(numbers_are_decimal_hexadecimal_or_binary_multiples)
{
    const struct {
        const char *text;
        bool valid;
        uint64_t value;
    } rows[] = {{"0", true, 0},
                {"18446744073709551615", true, UINT64_MAX},
                {"18446744073709551616", false, 0},
                {"0x10", true, 16},
                {"0xffffffffffffffff", true, UINT64_MAX},
                {"0x1ffffffffffffffff", false, 0},
                {"4Ki", true, 4096},
                {"2Mi", true, 2u << 20},
                {"17179869183Gi", true, 17179869183ull << 30},
                {"17179869184Gi", false, 0},
                {"", false, 0},
                {"Ki", false, 0},
                {"0x", false, 0},
                {"-1", false, 0},
                {"1.5", false, 0},
                {"1 ", false, 0},
                {"ten", false, 0}};
    for (const auto &row : rows) {
        BOOST_TEST_CONTEXT(row.text)
        {
            uint64_t value = 0;
            BOOST_TEST(parse_number(row.text, value) == row.valid);
            if (row.valid)
                BOOST_TEST(value == row.value);
        }
    }
}

static int nothing(const arguments &)
{
    return 0;
}

static const command_def sample = {"sample",
                                   "sample [options]",
                                   "A question?",
                                   "",
                                   {{"output", 'o', "DIR", "where"},
                                    {"set", 0, "KEY=VALUE", "what", true},
                                    {"quiet", 'q', nullptr, "silent"}},
                                   "walkway sample",
                                   nothing};

BOOST_AUTO_TEST_CASE(command_lines_mix_options_and_names)
{
    const arguments a = parse_arguments(
        sample, {"-oout", "one", "--set=a=1", "-q", "--set", "b=2", "two", "--", "--set", "-q"});
    BOOST_TEST(a.value("output") == "out");
    BOOST_TEST(a.values("set") == (std::vector<std::string>{"a=1", "b=2"}), boost::test_tools::per_element());
    BOOST_TEST(a.has("quiet"));
    BOOST_TEST(a.positional == (std::vector<std::string>{"one", "two"}), boost::test_tools::per_element());
    BOOST_TEST(a.has_program);
    BOOST_TEST(a.program == (std::vector<std::string>{"--set", "-q"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(wrong_command_lines_are_refused)
{
    const std::vector<std::vector<std::string>> wrong = {{"--nothing"}, {"-x"},          {"-o"},
                                                         {"-o", "--"},  {"--quiet=yes"}, {"-qx"}};
    for (const auto &words : wrong)
        BOOST_CHECK_EXCEPTION(parse_arguments(sample, words), failure,
                              [](const failure &f) { return f.code() == exit_usage; });
    BOOST_CHECK_THROW(parse_arguments(sample, {"--output", "7"}).number("output", 1, 1, 6), failure);
    BOOST_TEST(parse_arguments(sample, {"--output", "6"}).number("output", 1, 1, 6) == 6u);
    BOOST_TEST(parse_arguments(sample, {}).number("output", 5, 1, 6) == 5u);
}

/* For people, all numbers have one form; for programs they are unchanged, and empty cells stay empty. */
BOOST_AUTO_TEST_CASE(numbers_of_a_table_for_people_and_for_programs)
{
    table t({"name", "cycles", "rate"});
    t.row({"1234", "755395", "757213.44"});
    t.row({"b", "", "7.5e-05"});
    t.number_columns(1, 2);
    std::ostringstream text, csv, json, markdown;
    t.print(text, 80);
    t.print_csv(csv);
    t.print_json(json);
    t.print_markdown(markdown);
    BOOST_TEST(text.str().find("1234  755,395  757,213.4\nb           -   0.000075\n") != std::string::npos);
    BOOST_TEST(markdown.str().find("| 1234 | 755,395 | 757,213.4 |") != std::string::npos);
    BOOST_TEST(csv.str() == "name,cycles,rate\n1234,755395,757213.44\nb,,7.5e-05\n");
    const auto rows = nlohmann::json::parse(json.str()).at("rows");
    BOOST_TEST(rows[0].at("name") == "1234");
    BOOST_TEST(rows[0].at("cycles") == 755395);
    BOOST_TEST(rows[1].at("cycles").is_null());
    BOOST_TEST(rows[1].at("rate") == 7.5e-05);
}

BOOST_AUTO_TEST_CASE(numbers_read_well)
{
    BOOST_TEST(text_of_count(0) == "0");
    BOOST_TEST(text_of_count(999) == "999");
    BOOST_TEST(text_of_count(1000) == "1,000");
    BOOST_TEST(text_of_count(12345678) == "12,345,678");
    BOOST_TEST(text_of_real(std::numeric_limits<double>::quiet_NaN(), 2) == "-");
    BOOST_TEST(text_of_share(0.4125) == "41.2 %");
    BOOST_TEST(text_of_share(12.5) == "1,250.0 %");
    BOOST_TEST(text_of_real(757213.44, 1) == "757,213.4");
    BOOST_TEST(text_of_real(-1234567.0, 0) == "-1,234,567");
    BOOST_TEST(text_of_real(-123.0, 2) == "-123.00");
    for (const auto &[value, text] :
         std::vector<std::pair<double, const char *>>{{0, "0"},
                                                      {755395, "755,395"},
                                                      {757213.44, "757,213.4"},
                                                      {1e21, "1,000,000,000,000,000,000,000"},
                                                      {3.14159, "3.142"},
                                                      {0.5, "0.5"},
                                                      {0.000123456, "0.0001235"},
                                                      {-2.5e-9, "-0.0000000025"},
                                                      {std::numeric_limits<double>::infinity(), "-"}})
        BOOST_TEST(text_of_number(value) == text);
    BOOST_TEST(text_of_seconds(0.0015) == "1.500 ms");
    BOOST_TEST(text_of_bytes(67174400) == "64.1 MiB");
    BOOST_TEST(text_of_duration(3725.9) == "1:02:05");
    BOOST_TEST(text_of_duration(65) == "1:05");
    BOOST_TEST(text_of_duration(10) == "0:10");
    BOOST_TEST(text_of_duration(9.94) == "9.9 s");
    BOOST_TEST(text_of_duration(0.2) == "0.2 s");
}

BOOST_AUTO_TEST_CASE(columns_line_up)
{
    table t({"name", "n"});
    t.row({"a", "1"});
    t.row({"longer", "100"});
    std::ostringstream text, markdown;
    t.print(text);
    BOOST_TEST(text.str() == "name      n\n-----------\na         1\nlonger  100\n");
    t.print_markdown(markdown);
    BOOST_TEST(markdown.str() == "| name | n |\n|---|--:|\n| a | 1 |\n| longer | 100 |\n");
}

BOOST_AUTO_TEST_CASE(long_sentences_are_broken_at_spaces)
{
    std::string sentence;
    for (int i = 0; i < 50; ++i)
        sentence += "wordword ";
    std::istringstream lines(wrapped(sentence));
    std::string joined;
    for (std::string line; std::getline(lines, line);) {
        BOOST_TEST(line.size() <= 100u);
        joined += line + " ";
    }
    BOOST_TEST(joined.substr(0, sentence.size()) == sentence);
}

/* Sets $COLUMNS, which takes precedence over the terminal's own width, for one test. */
struct columns_variable {
    explicit columns_variable(const char *text) { setenv("COLUMNS", text, 1); }
    ~columns_variable() { unsetenv("COLUMNS"); }
};

BOOST_AUTO_TEST_CASE(the_line_is_as_wide_as_the_environment_says)
{
    {
        const columns_variable set("72");
        BOOST_TEST(line_width() == 72u);
    }
    {
        const columns_variable set("3"); /* too narrow for any table */
        BOOST_TEST(line_width() == 40u);
    }
    const columns_variable set("wide"); /* not a number: ignored */
    BOOST_TEST(line_width() >= 40u);
}

BOOST_AUTO_TEST_CASE(lines_break_at_spaces_then_behind_punctuation_then_anywhere)
{
    using lines = std::vector<std::string>;
    BOOST_TEST(lines_of("", 5) == lines{""});
    BOOST_TEST(lines_of("one two", 7) == lines{"one two"});
    BOOST_TEST(lines_of("one two  six", 8) == (lines{"one two", "six"}));
    BOOST_TEST(lines_of("dram.walkers=4", 8) == (lines{"dram.", "walkers=", "4"}));
    BOOST_TEST(lines_of("x:walk_unit.walkers=4", 20) == (lines{"x:walk_unit.walkers=", "4"}));
    BOOST_TEST(lines_of("[3] x:walk_unit.walkers=4", 24) == (lines{"[3] x:walk_unit.walkers=", "4"}));
    BOOST_TEST(lines_of("abcdefgh", 3) == (lines{"abc", "def", "gh"}));
    BOOST_TEST(lines_of("\xc3\xa4\xc3\xb6\xc3\xbc", 2) == (lines{"\xc3\xa4\xc3\xb6", "\xc3\xbc"}));
    BOOST_TEST(columns_of("\xc3\xa4x") == 2u);
}

BOOST_AUTO_TEST_CASE(paragraphs_flow_and_indented_lines_hang_below_their_text)
{
    BOOST_TEST(flowed("one\ntwo three\n\n  full  a b c d\n  x\n", 12) ==
               "one two\nthree\n\n  full  a b\n        c d\n  x\n");
}

static std::string printed(const table &t, size_t width)
{
    std::ostringstream out;
    t.print(out, width);
    return out.str();
}

BOOST_AUTO_TEST_CASE(a_table_of_text_wraps_its_cells_to_the_line)
{
    table t({"key", "what it is"});
    t.align_left();
    t.row({"walkers", "independent page-table walkers"});
    BOOST_TEST(printed(t, 24) == "key      what it is\n"
                                 "------------------------\n"
                                 "walkers  independent\n"
                                 "         page-table\n"
                                 "         walkers\n");
}

BOOST_AUTO_TEST_CASE(a_table_of_numbers_wraps_heads_and_labels_but_never_a_number)
{
    table t({"", "page-table reads", "walks"});
    t.row({"machine:icache.ports=40", "123,456", "9"});
    BOOST_TEST(printed(t, 42) == "                         page-table\n"
                                 "                              reads  walks\n" +
                                     std::string(42, '-') + "\nmachine:icache.ports=40     123,456      9\n");
    BOOST_TEST(printed(t, 38) == "                     page-table\n"
                                 "                          reads  walks\n" +
                                     std::string(38, '-') +
                                     "\nmachine:                123,456      9\n"
                                     "icache.ports=40\n");
}

BOOST_AUTO_TEST_CASE(a_number_and_its_unit_stay_together)
{
    table t({"run", "hit rate"});
    t.row({"a label of five words", "40.6 %"});
    BOOST_TEST(printed(t, 20) == "                 hit\n"
                                 "run             rate\n"
                                 "--------------------\n"
                                 "a label of    40.6 %\n"
                                 "five words\n");
}

BOOST_AUTO_TEST_CASE(columns_that_do_not_fit_follow_below_behind_the_first_again)
{
    table t({"cause", "[1]", "[2]", "[3]"});
    t.row({"walk", "1111111111", "2222222222", "3333333333"});
    t.row({"short"});
    BOOST_TEST(printed(t, 30) == "cause         [1]         [2]\n"
                                 "-----------------------------\n"
                                 "walk   1111111111  2222222222\n"
                                 "short\n"
                                 "\n"
                                 "cause         [3]\n"
                                 "-----------------\n"
                                 "walk   3333333333\n"
                                 "short\n");
}

BOOST_AUTO_TEST_CASE(comma_separated_values_quote_what_would_be_taken_for_a_separator)
{
    table t({"name", "text"});
    t.row({"a,b", "say \"so\""});
    t.row({"plain", "two\nlines"});
    std::ostringstream csv;
    t.print_csv(csv);
    BOOST_TEST(csv.str() == "name,text\n\"a,b\",\"say \"\"so\"\"\"\nplain,\"two\nlines\"\n");
}

BOOST_AUTO_TEST_CASE(a_pattern_means_names_by_glob_or_by_a_part)
{
    const std::vector<std::string> names = {"walk_unit.pwc_l2", "walk_unit.pwc_l3", "l1_tlb.mshrs"};
    using taken = std::vector<bool>;
    BOOST_TEST((meant({}, names, "x") == taken{true, true, true}));
    BOOST_TEST((meant({"pwc"}, names, "x") == taken{true, true, false}));
    BOOST_TEST((meant({"*l3"}, names, "x") == taken{false, true, false}));
}

BOOST_AUTO_TEST_CASE(a_pattern_that_means_nothing_names_the_nearest)
{
    const std::vector<std::string> names = {"walk_unit.pwc_l2", "l1_tlb.mshrs"};
    const auto said = [&](const std::string &pattern) {
        try {
            meant({pattern}, names, "list parameters: no parameter");
        } catch (const failure &e) {
            return std::string(e.what());
        }
        return std::string();
    };
    BOOST_TEST(
        said("walk_unit.pcw_l2") ==
        "list parameters: no parameter is called 'walk_unit.pcw_l2' (did you mean 'walk_unit.pwc_l2'?)");
    BOOST_TEST(said("mhsrs") == "list parameters: no parameter is called 'mhsrs' (did you mean 'mshrs'?)");
    BOOST_TEST(said("pwc*") == "list parameters: no parameter is called 'pwc*'");
}

BOOST_AUTO_TEST_CASE(labels_become_file_names)
{
    BOOST_TEST(file_name_of("apu-micro18:walk_unit.walkers=4") == "apu-micro18-walk_unit.walkers=4");
    BOOST_TEST(file_name_of("a/../b,c") == "a-..-b-c");
    BOOST_TEST(file_name_of(std::string(500, 'x')).size() == 160u);
}

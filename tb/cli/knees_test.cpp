/* SPDX-License-Identifier: MIT */
/* tb/cli/knees_test.cpp - a statement about an axis holds where it claims to, and noise is no difference. */
#include "workbench/knees.hpp"

#include <boost/test/unit_test.hpp>

using namespace walkway;

namespace
{

/* A study with axes a and b, and cycles of each pair per perturbation. */
struct study_of_two {
    result_rows all;

    study_of_two()
    {
        all.axes = all.axis_of = {"a", "b"};
        all.metrics = {{"cycles", "cycles", ""}};
    }
    void add(const char *a, const char *b, const std::vector<double> &cycles)
    {
        for (size_t i = 0; i < cycles.size(); ++i)
            all.rows.push_back({1,
                                static_cast<int64_t>(all.rows.size()),
                                static_cast<int64_t>(i),
                                1,
                                "s",
                                "w",
                                "m",
                                "done",
                                "",
                                {a, b},
                                {cycles[i]}});
    }
    std::string knee(size_t axis) const { return text_of_knee(best_points(all, 0).front().lines.at(axis)); }
};

bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(knees)

BOOST_AUTO_TEST_CASE(what_holds_at_the_best_point_only_is_said_to)
{
    study_of_two s;
    s.add("1", "x", {100});
    s.add("2", "x", {100});
    s.add("1", "y", {300});
    s.add("2", "y", {200});
    BOOST_TEST(has(s.knee(0), "a: at the best point makes no difference between 1 and 2"));
    BOOST_TEST(has(s.knee(0), "at other values of the other axes it makes up to 1.50 times"));
    study_of_two everywhere;
    for (const char *b : {"x", "y"})
        for (const char *a : {"1", "2"})
            everywhere.add(a, b, {*b == 'x' ? 100.0 : 300.0});
    BOOST_TEST(!has(everywhere.knee(0), "other values"));
}

BOOST_AUTO_TEST_CASE(a_step_whose_range_holds_one_is_none)
{
    study_of_two s; /* 3 % by the median; perturbations have either sign */
    s.add("1", "x", {103, 99, 104});
    s.add("2", "x", {100, 100, 100});
    BOOST_TEST(has(s.knee(0), "makes no difference"));
    BOOST_TEST(best_points(s.all, 0).front().same);
    study_of_two sure;
    sure.add("1", "x", {103, 102, 104});
    sure.add("2", "x", {100, 100, 100});
    BOOST_TEST(has(sure.knee(0), "still pays at 2"));
    BOOST_TEST(!best_points(sure.all, 0).front().same);
}

BOOST_AUTO_TEST_CASE(many_small_steps_are_a_difference)
{
    study_of_two s;
    const char *const values[] = {"1", "2", "3", "4", "5"};
    const double cycles[] = {1000, 985, 970, 956, 941};
    for (size_t i = 0; i < 5; ++i)
        s.add(values[i], "x", {cycles[i]});
    BOOST_TEST(has(s.knee(0), "a: at the best point levels off at 4 (3 to 4: 1.01 times as fast; from there "
                              "to 5: no difference)"));
}

BOOST_AUTO_TEST_CASE(values_keep_their_order_where_an_unperturbed_run_failed)
{
    study_of_two s;
    s.add("4", "x", {400});
    s.add("8", "x", {200});
    s.add("16", "x", {100});
    s.all.rows[1].status = "failed";
    for (const int64_t place : {0, 1, 2}) {
        s.all.rows.push_back(s.all.rows[static_cast<size_t>(place)]);
        s.all.rows.back().point = 3 + place;
        s.all.rows.back().repetition = 1;
        s.all.rows.back().status = "done";
    }
    const std::vector<std::string> in_order = {"4", "8", "16"};
    BOOST_TEST(best_points(s.all, 0).front().lines.at(0).values == in_order);
    s.all.rows.erase(s.all.rows.begin() + 1); /* never begun: neither its workload nor its values are known */
    BOOST_TEST(best_points(s.all, 0).front().lines.at(0).values == in_order);
}

BOOST_AUTO_TEST_SUITE_END()

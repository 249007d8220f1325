/* SPDX-License-Identifier: MIT */
/* Tests the documented order of a trace's records on small traces whose order is written out. The pc
 * identifies a record. */
#include <boost/test/unit_test.hpp>

#include "analysis/trace_order.h"
#include "tb/support/traces.hpp"

#include <sstream>

using namespace walkway::test;

namespace
{

/* "1 2 | 3": loads with pc 1 and 2, a barrier (pc 0), a load with pc 3. */
wave_spec wave_of(const std::string &text)
{
    wave_spec wave;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        wkt_record r = word == "|" ? record(WKT_BARRIER) : uniform(WKT_LOAD, buffer_va);
        r.pc = word == "|" ? 0 : static_cast<uint32_t>(std::stoul(word));
        wave.records.push_back(r);
    }
    return wave;
}

using groups_text = std::vector<std::vector<std::string>>; /* [group][wave] */

std::string order_of(const std::vector<groups_text> &launches, uint32_t waves, uint32_t groups = UINT32_MAX)
{
    trace_spec spec = one_launch({}, 4096);
    spec.launches.clear();
    for (const groups_text &launch : launches) {
        spec.launches.emplace_back();
        for (const auto &group : launch) {
            spec.launches.back().groups.emplace_back();
            for (const std::string &wave : group)
                spec.launches.back().groups.back().push_back(wave_of(wave));
        }
    }
    const trace t(spec);
    const ww_order_cfg cfg = {waves, groups};
    ww_order *order = nullptr;
    wkt_error error{};
    BOOST_REQUIRE(ww_order_open(t.reader(), &cfg, &order, &error) == WKT_OK);
    std::string text;
    ww_order_step step;
    int status = 1;
    while ((status = ww_order_next(order, &step, &error)) == 1)
        text += (text.empty() ? "" : " ") +
                (step.record.kind == WKT_BARRIER ? "|" : std::to_string(step.record.pc));
    BOOST_TEST(status == 0, error.text);
    BOOST_TEST(ww_order_next(order, &step, &error) == 0, "the end stays the end");
    ww_order_close(order);
    return text;
}

BOOST_AUTO_TEST_CASE(resident_waves_take_turns_and_the_oldest_is_first)
{
    const groups_text launch = {{"11 12 13", "21 22"}, {"31", "41 42 43 44"}};
    BOOST_TEST(order_of({launch}, 320) == "11 21 31 41 12 22 42 13 43 44");
}

BOOST_AUTO_TEST_CASE(one_resident_wave_is_one_group_after_another)
{
    const groups_text launch = {{"11 12", "21 22"}, {"31 32"}};
    BOOST_TEST(order_of({launch}, 1) == "11 21 12 22 31 32");
}

BOOST_AUTO_TEST_CASE(a_group_starts_when_its_waves_find_room)
{
    const groups_text launch = {{"11 12"}, {"21 22 23"}, {"31 32"}, {"41"}};
    BOOST_TEST(order_of({launch}, 2) == "11 21 12 22 23 31 32 41");
    /* A group of two waves does not fit beside one wave, and the next group does not overtake it. */
    const groups_text wide = {{"11 12"}, {"21 22", "31 32"}, {"41"}};
    BOOST_TEST(order_of({wide}, 2) == "11 12 21 31 22 32 41");
}

BOOST_AUTO_TEST_CASE(a_group_keeps_its_room_until_its_last_wave_ends)
{
    const groups_text launch = {{"11", "21 22 23"}, {"31"}};
    BOOST_TEST(order_of({launch}, 2) == "11 21 22 23 31");
    BOOST_TEST(order_of({launch}, 3) == "11 21 31 22 23");
}

BOOST_AUTO_TEST_CASE(groups_side_by_side_have_a_limit_of_their_own)
{
    const groups_text launch = {{"11 12"}, {"21 22"}, {"31 32"}};
    BOOST_TEST(order_of({launch}, 320, 1) == "11 12 21 22 31 32");
    BOOST_TEST(order_of({launch}, 320, 2) == "11 21 12 22 31 32");
}

BOOST_AUTO_TEST_CASE(a_launch_waits_for_the_one_before)
{
    BOOST_TEST(order_of({{{"11 12 13"}, {"21"}}, {{"31"}}}, 320) == "11 21 12 13 31");
}

BOOST_AUTO_TEST_CASE(a_barrier_holds_until_the_round_after_all_have_arrived)
{
    const groups_text launch = {{"| 11 12", "21 22 | 23"}, {"31 32 33 34"}};
    BOOST_TEST(order_of({launch}, 320) == "| 21 31 22 32 | 33 11 23 34 12");
}

BOOST_AUTO_TEST_CASE(an_ended_wave_holds_no_barrier)
{
    BOOST_TEST(order_of({{{"| 11", "21 22"}}}, 320) == "| 21 22 11");
    BOOST_TEST(order_of({{{"| | 11", "|", "31 | 32"}}}, 320) == "| | 31 | | 32 11");
}

BOOST_AUTO_TEST_CASE(waves_and_launches_without_records_are_passed_over)
{
    BOOST_TEST(order_of({{{"", ""}, {"31"}}, {}, {{""}}, {{"", "41"}}}, 2) == "31 41");
    BOOST_TEST(order_of({}, 2) == "");
}

BOOST_AUTO_TEST_CASE(no_room_at_all_is_refused)
{
    const trace t(one_launch({}, 4096));
    for (const ww_order_cfg &cfg : {ww_order_cfg{0, 1}, ww_order_cfg{1, 0}}) {
        ww_order *order = nullptr;
        wkt_error error{};
        BOOST_TEST(ww_order_open(t.reader(), &cfg, &order, &error) == WKT_E_ARG);
        BOOST_TEST(std::string(error.text).find("room") != std::string::npos);
    }
}

} // namespace

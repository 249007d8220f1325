/* SPDX-License-Identifier: MIT */
/* Tests what is missing from a trace (a stopped capture, a saved part, lanes left out), and the version that
 * states it. */
#include "tb/fuzz/sealed_trace.hpp"
#include "tb/trace/trace_fixture.hpp"

using namespace trace_test;
using walkway_fuzz::sealed_trace;

namespace
{

/* Writes `present` of the five work-groups of each launch; a partial trace leaves the last launch open. */
std::string write_launches(const std::string &path, const std::vector<uint32_t> &present, bool partial,
                           uint64_t left_out = 0)
{
    wkt_writer_cfg cfg = {"p", "p", "test", 0};
    wkt_writer *w;
    wkt_error e;
    wkt_record r = make(WKT_LOAD, 1);
    BOOST_REQUIRE(wkt_writer_open(path.c_str(), &cfg, &w, &e) == WKT_OK);
    for (size_t l = 0; l < present.size(); l++) {
        wkt_launch launch = make_launch("k");
        launch.grid[0] = 5 * launch.group[0] - 3; /* the last work-group is not full */
        BOOST_REQUIRE(wkt_writer_launch_begin(w, &launch, &e) == WKT_OK);
        for (uint32_t g = 0; g < present[l]; g++)
            write_group_of_one(w, r);
        if (!partial || l + 1 < present.size())
            BOOST_REQUIRE(wkt_writer_launch_end(w, &e) == WKT_OK);
    }
    wkt_writer_left_out(w, left_out);
    BOOST_REQUIRE_MESSAGE(wkt_writer_finish(w, partial, &e) == WKT_OK, e.text);
    wkt_report report;
    BOOST_REQUIRE_MESSAGE(wkt_check(path.c_str(), &report) == WKT_OK, report.error.text);
    return slurp(path);
}

sealed_trace apart(const std::string &bytes)
{
    sealed_trace t;
    BOOST_REQUIRE(t.take_apart(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
    return t;
}

/* Offset after the three strings, flags, two counts, raw bytes and the totals. */
size_t missing_at(const sealed_trace &t)
{
    return sealed_trace::fields_at(t.index) + 12 + 8 + 8 * (3 + 2 * WKT_KINDS);
}

int check(const std::string &bytes)
{
    temp_file f("spoilt");
    wkt_report report;
    spit(f.path, bytes);
    return wkt_check(f.path.c_str(), &report);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_whole_trace_is_of_the_first_version_and_misses_nothing)
{
    temp_file f("whole");
    write_launches(f.path, {5, 5}, false);
    reader r(f.path);
    BOOST_TEST(r.info().version == 1u);
    BOOST_TEST(r.info().whole_launches == 2u);
    BOOST_TEST(r.info().whole_groups == 10u);
    BOOST_TEST(r.info().lanes_left_out == 0u);
}

BOOST_AUTO_TEST_CASE(a_stopped_capture_says_of_how_many_work_groups_it_has_some)
{
    temp_file f("stopped");
    write_launches(f.path, {5, 2}, true);
    reader r(f.path);
    BOOST_TEST(r.info().version == 2u);
    BOOST_TEST(r.info().partial);
    BOOST_TEST(!r.info().part);
    BOOST_TEST(r.info().totals.groups == 7u);
    BOOST_TEST(r.info().whole_groups == 10u);
    BOOST_TEST(r.info().whole_launches == 2u);
    BOOST_TEST(wkt_launch_groups(wkt_reader_launch(r.r, 1)) == 5u);
}

BOOST_AUTO_TEST_CASE(lanes_that_were_left_out_are_counted)
{
    temp_file f("left");
    write_launches(f.path, {5}, false, 96);
    reader r(f.path);
    BOOST_TEST(r.info().lanes_left_out == 96u);
    BOOST_TEST(!r.info().partial);
}

BOOST_AUTO_TEST_CASE(a_saved_part_says_what_it_is_a_part_of)
{
    temp_file whole("of"), part("part"), smaller("smaller");
    write_launches(whole.path, {5, 5}, false, 7);
    const uint32_t groups[] = {1, 3, 4};
    wkt_part choice = {1, groups, 3};
    wkt_error e;
    reader r(whole.path);
    BOOST_REQUIRE(wkt_reader_select(r.r, &choice, 1, &e) == WKT_OK);
    BOOST_TEST(r.info().whole_groups == 10u);
    BOOST_TEST(r.info().whole_launches == 2u);
    BOOST_REQUIRE_MESSAGE(wkt_reader_save(r.r, part.path.c_str(), 0, &e) == WKT_OK, e.text);
    reader saved(part.path);
    BOOST_TEST(saved.info().part);
    BOOST_TEST(!saved.info().partial);
    BOOST_TEST(saved.info().totals.groups == 3u);
    BOOST_TEST(saved.info().whole_groups == 10u);
    BOOST_TEST(saved.info().whole_launches == 2u);
    BOOST_TEST(saved.info().lanes_left_out == 7u);
    BOOST_REQUIRE_MESSAGE(wkt_reader_save(saved.r, smaller.path.c_str(), 0, &e) == WKT_OK, e.text);
    reader again(smaller.path);
    BOOST_TEST(again.info().part);
    BOOST_TEST(again.info().whole_groups == 10u);
}

BOOST_AUTO_TEST_CASE(a_partial_trace_of_the_first_version_is_still_read)
{
    temp_file f("older");
    sealed_trace t = apart(write_launches(f.path, {5, 2}, true));
    t.index.erase(missing_at(t), WKT_MISSING_BYTES);
    wkt_put32(sealed_trace::bytes(t.head) + 8, 1);
    spit(f.path, t.put_together());
    wkt_report report;
    BOOST_REQUIRE_MESSAGE(wkt_check(f.path.c_str(), &report) == WKT_OK, report.error.text);
    reader r(f.path);
    BOOST_TEST(r.info().version == 1u);
    BOOST_TEST(r.info().partial);
    BOOST_TEST(r.info().whole_groups == 10u);
}

BOOST_AUTO_TEST_CASE(statements_that_contradict_the_rest_are_refused)
{
    temp_file f("contradicts");
    const sealed_trace good = apart(write_launches(f.path, {5, 2}, true, 3));
    BOOST_TEST(check(good.put_together()) == WKT_OK);
    const size_t at = missing_at(good), flags = sealed_trace::fields_at(good.index);
    const struct {
        size_t at;
        uint32_t value;
    } spoilt[] = {{at, 1}, {at + 4, 1}, {at + 8, 6}, {flags, 4}};
    for (const auto &s : spoilt) {
        sealed_trace bad = good;
        wkt_put32(sealed_trace::bytes(bad.index) + s.at, s.value);
        BOOST_TEST(check(bad.put_together()) == WKT_E_FORMAT, s.at - at << " = " << s.value);
    }
    sealed_trace first = good; /* flags that the first version does not have */
    first.index.erase(at, WKT_MISSING_BYTES);
    wkt_put32(sealed_trace::bytes(first.head) + 8, 1);
    wkt_put32(sealed_trace::bytes(first.index) + flags, 3);
    BOOST_TEST(check(first.put_together()) == WKT_E_FORMAT);
}

BOOST_AUTO_TEST_CASE(every_flipped_byte_of_a_partial_trace_is_refused)
{
    temp_file f("flipped");
    const std::string good = write_launches(f.path, {5, 2}, true, 3);
    for (size_t i = 0; i < good.size(); i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            std::string bad = good;
            bad[i] = char(uint8_t(bad[i]) ^ 1u << bit);
            BOOST_REQUIRE_MESSAGE(check(bad) != WKT_OK, "byte " << i);
        }
}

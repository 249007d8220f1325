/* SPDX-License-Identifier: MIT */
/* Tests the device that a program found and its exit code: written, read, kept by a part, stated as version
 * 4, also with roots; contradictions are refused. */
#include "tb/fuzz/sealed_trace.hpp"
#include "tb/trace/trace_fixture.hpp"

using namespace trace_test;
using walkway_fuzz::sealed_trace;

namespace
{

constexpr wkt_device gpu = {WKT_DEVICE_GPU, 8, 1024};

/* Two launches of two work-groups, of one wave each. */
void write(const std::string &path, const wkt_device &device, uint64_t root = 0, bool partial = false)
{
    wkt_writer_cfg cfg = {"program", "its command", "test", 0};
    wkt_writer *w;
    wkt_error e;
    wkt_record r = make(WKT_LOAD, 1);
    r.va[0] = 0x1000;
    BOOST_REQUIRE(wkt_writer_open(path.c_str(), &cfg, &w, &e) == WKT_OK);
    BOOST_REQUIRE_MESSAGE(wkt_writer_device(w, &device, &e) == WKT_OK, e.text);
    for (int l = 0; l < 2; l++) {
        wkt_launch launch = make_launch("k");
        launch.root = root;
        BOOST_REQUIRE(wkt_writer_launch_begin(w, &launch, &e) == WKT_OK);
        for (int g = 0; g < 2; g++)
            write_group_of_one(w, r);
        BOOST_REQUIRE(wkt_writer_launch_end(w, &e) == WKT_OK);
    }
    BOOST_REQUIRE_MESSAGE(wkt_writer_finish(w, partial, &e) == WKT_OK, e.text);
}

void check_device(const wkt_device &got, const wkt_device &expected)
{
    BOOST_TEST(got.type == expected.type);
    BOOST_TEST(got.compute_units == expected.compute_units);
    BOOST_TEST(got.group_items == expected.group_items);
}

int check(const std::string &path)
{
    wkt_report report;
    return wkt_check(path.c_str(), &report);
}

/* Offset of the device and the exit code: after three strings, the counts and what is missing. */
size_t device_at(const sealed_trace &t)
{
    return sealed_trace::fields_at(t.index) + 44 + 16 * WKT_KINDS + 24;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_device_is_stated_as_version_4)
{
    for (const bool partial : {false, true}) {
        temp_file f("device");
        write(f.path, {WKT_DEVICE_ALL, 46, 256}, 0, partial);
        BOOST_TEST(check(f.path) == WKT_OK);
        reader r(f.path);
        BOOST_TEST(r.info().version == 4u);
        BOOST_TEST(r.info().partial == partial);
        BOOST_TEST(!r.info().rooted);
        check_device(r.info().device, {WKT_DEVICE_ALL, 46, 256});
        BOOST_TEST(r.info().exit_code == 0u);
    }
}

BOOST_AUTO_TEST_CASE(without_one_the_trace_is_the_bytes_that_it_was)
{
    temp_file f("none"), rooted("rooted");
    write(f.path, {});
    write(rooted.path, {}, 0x1234000 | 4);
    BOOST_TEST(reader(f.path).info().version == 1u);
    BOOST_TEST(reader(rooted.path).info().version == 3u);
    check_device(reader(rooted.path).info().device, {});
}

BOOST_AUTO_TEST_CASE(a_device_and_roots_are_stated_together)
{
    temp_file f("both");
    write(f.path, gpu, 0x1234000 | 4);
    BOOST_TEST(check(f.path) == WKT_OK);
    reader r(f.path);
    BOOST_TEST(r.info().version == 4u);
    BOOST_TEST(r.info().rooted);
    BOOST_TEST(wkt_reader_launch(r.r, 1)->root == (0x1234000u | 4));
    check_device(r.info().device, gpu);
}

BOOST_AUTO_TEST_CASE(the_exit_code_is_stated_later_and_changes_nothing_else)
{
    temp_file f("exit");
    write(f.path, gpu, 0x1234000 | 4);
    wkt_error e;
    const std::string before = slurp(f.path);
    BOOST_REQUIRE_MESSAGE(wkt_state_exit_code(f.path.c_str(), 3, &e) == WKT_OK, e.text);
    BOOST_TEST(check(f.path) == WKT_OK);
    {
        reader r(f.path);
        BOOST_TEST(r.info().exit_code == 3u);
        BOOST_TEST(r.info().program == std::string("program"));
        check_device(r.info().device, gpu);
        BOOST_TEST(wkt_reader_launch(r.r, 1)->root == (0x1234000u | 4));
    }
    BOOST_REQUIRE(wkt_state_exit_code(f.path.c_str(), 255, &e) == WKT_OK);
    BOOST_TEST(reader(f.path).info().exit_code == 255u);
    BOOST_REQUIRE(wkt_state_exit_code(f.path.c_str(), 0, &e) == WKT_OK);
    BOOST_TEST((slurp(f.path) == before));
}

BOOST_AUTO_TEST_CASE(a_part_keeps_both)
{
    temp_file whole("whole"), part("part");
    write(whole.path, gpu);
    wkt_error e;
    BOOST_REQUIRE(wkt_state_exit_code(whole.path.c_str(), 7, &e) == WKT_OK);
    const uint32_t groups[] = {1};
    const wkt_part choice = {1, groups, 1};
    reader r(whole.path);
    BOOST_REQUIRE(wkt_reader_select(r.r, &choice, 1, &e) == WKT_OK);
    BOOST_REQUIRE_MESSAGE(wkt_reader_save(r.r, part.path.c_str(), 0, &e) == WKT_OK, e.text);
    reader saved(part.path);
    BOOST_TEST(saved.info().part);
    BOOST_TEST(saved.info().exit_code == 7u);
    check_device(saved.info().device, gpu);
}

BOOST_AUTO_TEST_CASE(what_is_no_device_or_exit_code_is_refused)
{
    temp_file f("refused"), old("old");
    wkt_writer_cfg cfg = {"p", "p", "test", 0};
    wkt_writer *w;
    wkt_error e;
    BOOST_REQUIRE(wkt_writer_open(f.path.c_str(), &cfg, &w, &e) == WKT_OK);
    for (const wkt_device &d : {wkt_device{3, 8, 64}, wkt_device{1, 8, 64}, wkt_device{16, 8, 64},
                                wkt_device{4, 0, 64}, wkt_device{4, 8, 0}, wkt_device{0, 8, 0}})
        BOOST_TEST(wkt_writer_device(w, &d, &e) == WKT_E_ARG, d.type << " " << d.compute_units);
    BOOST_TEST(wkt_writer_exit_code(w, 256, &e) == WKT_E_ARG);
    wkt_writer_abort(w);
    write(f.path, gpu);
    BOOST_TEST(wkt_state_exit_code(f.path.c_str(), 256, &e) == WKT_E_ARG);
    BOOST_TEST(reader(f.path).info().exit_code == 0u);
    write(old.path, {});
    const std::string before = slurp(old.path);
    BOOST_TEST(wkt_state_exit_code(old.path.c_str(), 3, &e) == WKT_E_ARG, "states no device");
    BOOST_TEST((slurp(old.path) == before));
    BOOST_TEST(wkt_state_exit_code("/no/such/trace", 3, &e) == WKT_E_IO);
}

BOOST_AUTO_TEST_CASE(an_index_that_contradicts_itself_is_refused)
{
    temp_file f("spoilt");
    write(f.path, gpu);
    const std::string bytes = slurp(f.path);
    struct spoilt {
        size_t field;
        uint32_t value;
        int status;
    };
    for (const spoilt &s :
         {spoilt{0, WKT_DEVICE_CPU, WKT_OK}, spoilt{0, 1, WKT_E_FORMAT}, spoilt{0, 6, WKT_E_FORMAT},
          spoilt{0, 0, WKT_E_FORMAT}, spoilt{4, 0, WKT_E_FORMAT}, spoilt{8, 0, WKT_E_FORMAT},
          spoilt{12, 255, WKT_OK}, spoilt{12, 256, WKT_E_FORMAT}}) {
        sealed_trace t;
        BOOST_REQUIRE(t.take_apart(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
        wkt_put32(reinterpret_cast<uint8_t *>(t.index.data()) + device_at(t) + s.field, s.value);
        spit(f.path, t.put_together());
        BOOST_TEST(check(f.path) == s.status, "field " << s.field << " as " << s.value);
    }
}

/* SPDX-License-Identifier: MIT */
/* Tests roots of page tables: written, read, kept by a part, stated as version 3; contradictions are
 * refused. */
#include "tb/fuzz/sealed_trace.hpp"
#include "tb/trace/trace_fixture.hpp"

using namespace trace_test;
using walkway_fuzz::sealed_trace;

namespace
{

constexpr uint64_t first_root = 0x1234000 | 4, second_root = 0xabc5000 | 5;

wkt_record load_from(uint64_t va)
{
    wkt_record r = make(WKT_LOAD, 1);
    r.va[0] = va;
    return r;
}

/* Writes a launch of one access per root. */
int write(const std::string &path, const std::vector<uint64_t> &roots, uint64_t va, bool partial = false)
{
    wkt_writer_cfg cfg = {"p", "p", "test", 0};
    wkt_writer *w;
    wkt_error e;
    const wkt_record r = load_from(va);
    BOOST_REQUIRE(wkt_writer_open(path.c_str(), &cfg, &w, &e) == WKT_OK);
    for (const uint64_t root : roots) {
        wkt_launch launch = make_launch("k");
        launch.root = root;
        const int status = wkt_writer_launch_begin(w, &launch, &e);
        if (status != WKT_OK) {
            wkt_writer_abort(w);
            return status;
        }
        write_group_of_one(w, r);
        BOOST_REQUIRE(wkt_writer_launch_end(w, &e) == WKT_OK);
    }
    return wkt_writer_finish(w, partial, &e);
}

int check(const std::string &path)
{
    wkt_report report;
    return wkt_check(path.c_str(), &report);
}

int check_bytes(const std::string &bytes)
{
    temp_file f("spoilt");
    spit(f.path, bytes);
    return check(f.path);
}

} // namespace

BOOST_AUTO_TEST_SUITE(roots)

BOOST_AUTO_TEST_CASE(roots_are_read_as_they_were_written_and_are_of_the_third_version)
{
    temp_file f("rooted"), plain("plain");
    BOOST_REQUIRE(write(f.path, {first_root, second_root}, 0x7fffffffe000) == WKT_OK);
    reader r(f.path);
    BOOST_TEST(r.info().version == 3u);
    BOOST_TEST(r.info().rooted);
    BOOST_TEST(!r.info().partial);
    BOOST_TEST(r.info().whole_groups == 2u);
    BOOST_TEST(wkt_reader_launch(r.r, 0)->root == first_root);
    BOOST_TEST(wkt_reader_launch(r.r, 1)->root == second_root);
    BOOST_TEST(check(f.path) == WKT_OK);
    BOOST_REQUIRE(write(plain.path, {0}, 0x1000) == WKT_OK);
    reader without(plain.path);
    BOOST_TEST(without.info().version == 1u);
    BOOST_TEST(!without.info().rooted);
    BOOST_TEST(wkt_reader_launch(without.r, 0)->root == 0u);
}

BOOST_AUTO_TEST_CASE(a_stopped_recording_is_partial_and_a_part_keeps_its_roots)
{
    temp_file f("stopped"), part("part");
    BOOST_REQUIRE(write(f.path, {first_root, second_root}, 0x1000, true) == WKT_OK);
    reader r(f.path);
    BOOST_TEST(r.info().version == 3u);
    BOOST_TEST(r.info().partial);
    const uint32_t group = 0;
    const wkt_part choice = {1, &group, 1};
    wkt_error e;
    BOOST_REQUIRE(wkt_reader_select(r.r, &choice, 1, &e) == WKT_OK);
    BOOST_TEST(wkt_reader_launch(r.r, 0)->root == second_root);
    BOOST_REQUIRE_MESSAGE(wkt_reader_save(r.r, part.path.c_str(), 0, &e) == WKT_OK, e.text);
    reader saved(part.path);
    BOOST_TEST(saved.info().version == 3u);
    BOOST_TEST(saved.info().part);
    BOOST_TEST(wkt_reader_launch(saved.r, 0)->root == second_root);
}

BOOST_AUTO_TEST_CASE(what_is_no_root_is_not_written)
{
    temp_file f("illegal");
    for (const uint64_t root : {UINT64_C(0x1000), UINT64_C(0x1003), UINT64_C(0x100c), UINT64_C(1) << 52 | 4})
        BOOST_TEST(write(f.path, {root}, 0) == WKT_E_ARG, std::hex << root);
    BOOST_TEST(write(f.path, {first_root, 0}, 0) == WKT_E_ARG);
    BOOST_TEST(write(f.path, {0, first_root}, 0) == WKT_E_ARG);
}

BOOST_AUTO_TEST_CASE(an_address_is_not_wider_than_its_table)
{
    temp_file f("wide");
    BOOST_REQUIRE(write(f.path, {first_root}, UINT64_C(1) << 48) == WKT_OK);
    BOOST_TEST(check(f.path) == WKT_E_FORMAT);
    BOOST_REQUIRE(write(f.path, {second_root}, UINT64_C(1) << 56) == WKT_OK);
    BOOST_TEST(check(f.path) == WKT_OK);
    BOOST_REQUIRE(write(f.path, {second_root}, UINT64_C(1) << 57) == WKT_OK);
    BOOST_TEST(check(f.path) == WKT_E_FORMAT);
}

BOOST_AUTO_TEST_CASE(a_file_whose_roots_are_none_is_refused_and_so_is_another_version)
{
    temp_file f("spoilt");
    BOOST_REQUIRE(write(f.path, {first_root, second_root}, 0x1000) == WKT_OK);
    const std::string bytes = slurp(f.path);
    sealed_trace good;
    BOOST_REQUIRE(good.take_apart(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
    BOOST_REQUIRE(check_bytes(good.put_together()) == WKT_OK);
    const size_t roots = good.index.size() - 2 * WKT_GROUP_ENTRY_BYTES - 2 * 8;
    BOOST_REQUIRE(wkt_get64(sealed_trace::bytes(good.index) + roots) == first_root);
    for (const uint64_t root : {UINT64_C(0), UINT64_C(0x1234006), UINT64_C(0x1234804)}) {
        sealed_trace bad = good;
        wkt_put64(sealed_trace::bytes(bad.index) + roots + 8, root);
        BOOST_TEST(check_bytes(bad.put_together()) == WKT_E_FORMAT, std::hex << root);
    }
    sealed_trace fewer = good; /* fewer roots than launches */
    fewer.index.erase(roots, 8);
    BOOST_TEST(check_bytes(fewer.put_together()) == WKT_E_FORMAT);
    for (const uint32_t version : {2u, 4u, WKT_VERSION + 1}) {
        sealed_trace other = good;
        wkt_put32(sealed_trace::bytes(other.head) + 8, version);
        BOOST_TEST(check_bytes(other.put_together()) ==
                   (version > WKT_VERSION ? WKT_E_VERSION : WKT_E_FORMAT));
    }
}

BOOST_AUTO_TEST_SUITE_END()

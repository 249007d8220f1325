/* SPDX-License-Identifier: MIT */
/* Pads the rows of one buffer of a trace: accesses to the buffer keep their row and their place in it, all
 * others keep their address. */
#include "trace/wkt_pad.h"

#include "tb/trace/trace_fixture.hpp"

using namespace trace_test;

namespace
{

constexpr uint64_t first_va = 0x40000, first_bytes = 100000, second_va = 0x70000, second_bytes = 5000,
                   pitch = 1000;

/* Writes two launches of one wave with these records; the first buffer exists in the first only. */
void write_two(const std::string &path, const std::vector<wkt_record> &records)
{
    const wkt_writer_cfg cfg = {"prog", "prog 1", "test", 0};
    wkt_writer *w = nullptr;
    wkt_error e;
    BOOST_REQUIRE_MESSAGE(wkt_writer_open(path.c_str(), &cfg, &w, &e) == WKT_OK, e.text);
    const wkt_buffer a = {first_va, first_bytes, WKT_BUFFER_READ, 0, 0},
                     b = {second_va, second_bytes, 0, 0, 0};
    uint32_t number = 0;
    BOOST_REQUIRE(wkt_writer_buffer(w, &a, &number, &e) == WKT_OK);
    BOOST_REQUIRE(wkt_writer_buffer(w, &b, nullptr, &e) == WKT_OK);
    for (int l = 0; l < 2; ++l) {
        wkt_launch launch = make_launch("kernel", 64);
        launch.grid[1] = launch.group[1] = 1;
        BOOST_REQUIRE(wkt_writer_launch_begin(w, &launch, &e) == WKT_OK);
        BOOST_REQUIRE(wkt_writer_group_begin(w, &e) == WKT_OK);
        BOOST_REQUIRE(wkt_writer_wave(w, UINT64_MAX, &e) == WKT_OK);
        for (const wkt_record &r : records)
            BOOST_REQUIRE_MESSAGE(wkt_writer_record(w, &r, &e) == WKT_OK, e.text);
        BOOST_REQUIRE(wkt_writer_tail(w, 3, &e) == WKT_OK);
        BOOST_REQUIRE(wkt_writer_group_end(w, &e) == WKT_OK);
        BOOST_REQUIRE(wkt_writer_launch_end(w, &e) == WKT_OK);
        if (l == 0)
            BOOST_REQUIRE(wkt_writer_buffer_end(w, number, &e) == WKT_OK);
    }
    BOOST_REQUIRE_MESSAGE(wkt_writer_finish(w, false, &e) == WKT_OK, e.text);
}

std::vector<wkt_record> records()
{
    std::vector<wkt_record> all;
    for (const wkt_kind kind : {WKT_LOAD, WKT_STORE, WKT_ATOMIC, WKT_LOCAL_LOAD}) {
        wkt_record r = make(kind, 0x8000000000000fff);
        for (uint64_t lane = 0; lane < 64; ++lane)
            r.va[lane] = first_va + lane * (kind == WKT_LOCAL_LOAD ? 4 : 333);
        if (kind == WKT_STORE)
            r.va[3] = second_va + 20;
        if (kind == WKT_ATOMIC) {
            r.va[0] = first_va + first_bytes - 4;
            r.va[1] = first_va + first_bytes; /* after its end */
        }
        all.push_back(r);
    }
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(padded_rows)

BOOST_AUTO_TEST_CASE(an_access_stays_in_its_row_at_its_place)
{
    temp_file f("pad_of"), to("padded");
    const std::vector<wkt_record> before = records();
    write_two(f.path, before);
    reader r(f.path);
    const wkt_pad pad = {0, pitch, 24};
    wkt_error e;
    BOOST_REQUIRE_MESSAGE(wkt_reader_save_padded(r.r, &pad, to.path.c_str(), 0, &e) == WKT_OK, e.text);
    const reader after(to.path);
    BOOST_TEST(after.info().buffers == 2u);
    const wkt_buffer &moved = *wkt_reader_buffer(after.r, 0), &other = *wkt_reader_buffer(after.r, 1);
    BOOST_TEST(moved.base_va == (2u << 20) + first_va);
    BOOST_TEST(moved.bytes == first_bytes + 99u * 24u);
    BOOST_TEST(moved.flags == WKT_BUFFER_READ);
    BOOST_TEST((moved.first_launch == 0u && moved.end_launch == 1u));
    BOOST_TEST((other.base_va == second_va && other.bytes == second_bytes && other.end_launch == 2u));
    std::vector<wkt_record> expected = before;
    for (wkt_record &record : expected)
        for (uint64_t &va : record.va)
            if (record.kind <= WKT_ATOMIC && va >= first_va && va < first_va + first_bytes)
                va = moved.base_va + (va - first_va) / pitch * (pitch + 24) + (va - first_va) % pitch;
    check_wave(after, 0, 0, 0, expected, false);
    check_wave(after, 1, 0, 0, before, false); /* the buffer ended before */
    wkt_report report;
    BOOST_TEST(wkt_check(to.path.c_str(), &report) == WKT_OK);
}

BOOST_AUTO_TEST_CASE(the_last_row_may_be_short)
{
    const wkt_pad pad = {0, 100, 7};
    for (const auto &[bytes, padded] : std::vector<std::pair<uint64_t, uint64_t>>{
             {0, 0}, {1, 1}, {100, 100}, {101, 108}, {200, 207}, {201, 215}})
        BOOST_TEST(wkt_padded_bytes(bytes, &pad) == padded, bytes);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_padded_is_refused)
{
    temp_file f("pad_none"), to("not_padded");
    write_two(f.path, records());
    reader r(f.path);
    wkt_error e;
    const wkt_pad none = {2, pitch, 24}, flat = {0, 0, 24};
    BOOST_TEST(wkt_reader_save_padded(r.r, &none, to.path.c_str(), 0, &e) == WKT_E_ARG);
    BOOST_TEST(wkt_reader_save_padded(r.r, &flat, to.path.c_str(), 0, &e) == WKT_E_ARG);
    BOOST_TEST(!exists(to.path));
}

BOOST_AUTO_TEST_SUITE_END()

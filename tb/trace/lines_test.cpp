/* SPDX-License-Identifier: MIT */
/* Tests the source lines of instructions: written, read, kept by a part and by a stated exit code; version 5
 * with the checksum of the same trace without lines; contradictions are refused. */
#include "tb/trace/trace_fixture.hpp"
#include "trace/wkt_internal.h"

#include <zstd.h>

using namespace trace_test;

namespace
{

using table = std::vector<wkt_line>;

const table first_kernel = {{3, 12, "a.cl", "x = a[i];"}, {9, 12, "a.cl", "x = a[i];"}, {20, 7, "b.h", ""}},
            second_kernel = {{3, 1, "", ""}}, like_the_second = {{3, 2, "", ""}};

/* Writes a launch of one access per table; does not state an empty table. */
int write(const std::string &path, const std::vector<table> &tables, bool device = true)
{
    wkt_writer_cfg cfg = {"p", "p", "test", 0};
    wkt_writer *w;
    wkt_error e;
    const wkt_record r = make(WKT_LOAD, 1);
    const wkt_device gpu = {WKT_DEVICE_GPU, 8, 256};
    BOOST_REQUIRE(wkt_writer_open(path.c_str(), &cfg, &w, &e) == WKT_OK);
    BOOST_REQUIRE(!device || wkt_writer_device(w, &gpu, &e) == WKT_OK);
    for (const table &lines : tables) {
        const wkt_launch launch = make_launch("k");
        BOOST_REQUIRE(wkt_writer_launch_begin(w, &launch, &e) == WKT_OK);
        int status = lines.empty() ? WKT_OK : wkt_writer_lines(w, lines.data(), uint32_t(lines.size()), &e);
        if (status != WKT_OK) {
            wkt_writer_abort(w);
            return status;
        }
        write_group_of_one(w, r);
        BOOST_REQUIRE(wkt_writer_launch_end(w, &e) == WKT_OK);
    }
    return wkt_writer_finish(w, false, &e);
}

void check_lines(const reader &r, uint32_t launch, const table &expect)
{
    uint32_t n = 99;
    const wkt_line *got = wkt_reader_lines(r.r, launch, &n);
    BOOST_REQUIRE(n == expect.size());
    BOOST_TEST((got == nullptr) == expect.empty());
    for (uint32_t i = 0; i < n; i++) {
        BOOST_TEST(got[i].pc == expect[i].pc);
        BOOST_TEST(got[i].line == expect[i].line);
        BOOST_TEST(std::string(got[i].file) == expect[i].file);
        BOOST_TEST(std::string(got[i].text) == expect[i].text);
    }
}

std::string good_file()
{
    temp_file f("good");
    BOOST_REQUIRE(write(f.path, {first_kernel, {}, second_kernel, first_kernel, {}}) == WKT_OK);
    return slurp(f.path);
}

int check(const std::string &bytes)
{
    temp_file f("spoilt");
    spit(f.path, bytes);
    wkt_report report;
    return wkt_check(f.path.c_str(), &report);
}

const uint8_t *bytes_of(const std::string &s)
{
    return reinterpret_cast<const uint8_t *>(s.data());
}

/* Offset of the lines, which extend to the footer. */
size_t lines_at(const std::string &file)
{
    const uint8_t *footer = bytes_of(file) + file.size() - WKT_FOOTER_BYTES;
    return wkt_get64(footer) + wkt_get64(footer + 8);
}

std::string raw_lines(const std::string &file)
{
    const size_t at = lines_at(file);
    std::string raw(wkt_get64(bytes_of(file) + at), 0);
    const size_t frame = at + WKT_LINES_HEADER_BYTES;
    BOOST_REQUIRE(ZSTD_decompress(raw.data(), raw.size(), file.data() + frame,
                                  file.size() - WKT_FOOTER_BYTES - frame) == raw.size());
    return raw;
}

/* The file with these lines and their right hash. */
std::string with_lines(const std::string &file, const std::string &raw, uint64_t stated)
{
    std::string head(WKT_LINES_HEADER_BYTES, 0), frame(ZSTD_compressBound(raw.size()), 0);
    frame.resize(ZSTD_compress(frame.data(), frame.size(), raw.data(), raw.size(), 3));
    uint8_t *h = reinterpret_cast<uint8_t *>(head.data());
    wkt_put64(h, stated);
    wkt_put64(h + 8, wkt_hash64(frame.data(), frame.size(), wkt_hash64(h, 8, 0)));
    return file.substr(0, lines_at(file)) + head + frame + file.substr(file.size() - WKT_FOOTER_BYTES);
}

} // namespace

BOOST_AUTO_TEST_SUITE(lines)

BOOST_AUTO_TEST_CASE(lines_are_read_as_they_were_written)
{
    temp_file f("lines");
    spit(f.path, good_file());
    reader r(f.path);
    BOOST_TEST(r.info().version == 5u);
    BOOST_TEST(r.info().device.compute_units == 8u);
    check_lines(r, 0, first_kernel);
    check_lines(r, 1, {});
    check_lines(r, 2, second_kernel);
    check_lines(r, 3, first_kernel);
    check_lines(r, 4, {});
    check_lines(r, 5, {}); /* no such launch */
    BOOST_TEST(check(slurp(f.path)) == WKT_OK);
}

BOOST_AUTO_TEST_CASE(a_kernel_that_is_launched_again_takes_no_more_room_than_its_number)
{
    temp_file once("once"), often("often");
    BOOST_REQUIRE(write(once.path, {first_kernel}) == WKT_OK);
    BOOST_REQUIRE(write(often.path, {first_kernel, first_kernel, first_kernel}) == WKT_OK);
    BOOST_TEST(raw_lines(slurp(often.path)).size() == raw_lines(slurp(once.path)).size() + 2 * 4);
}

BOOST_AUTO_TEST_CASE(kernels_whose_tables_are_as_long_have_one_each)
{
    temp_file f("alike");
    BOOST_REQUIRE(write(f.path, {second_kernel, like_the_second, second_kernel}) == WKT_OK);
    reader r(f.path);
    check_lines(r, 0, second_kernel);
    check_lines(r, 1, like_the_second);
    check_lines(r, 2, second_kernel);
}

BOOST_AUTO_TEST_CASE(the_checksum_is_that_of_the_trace_without_them)
{
    temp_file with("with"), without("without"), bare("bare");
    BOOST_REQUIRE(write(with.path, {first_kernel}) == WKT_OK);
    BOOST_REQUIRE(write(without.path, {{}}) == WKT_OK);
    reader a(with.path), b(without.path);
    BOOST_TEST(b.info().version == 4u);
    BOOST_TEST(a.info().checksum == b.info().checksum);
    check_lines(b, 0, {});
    BOOST_REQUIRE(write(bare.path, {first_kernel}, false) == WKT_OK); /* the device is unknown */
    reader c(bare.path);
    BOOST_TEST(c.info().version == 5u);
    BOOST_TEST(c.info().device.type == 0u);
    check_lines(c, 0, first_kernel);
}

BOOST_AUTO_TEST_CASE(a_part_and_a_stated_exit_code_keep_them)
{
    temp_file f("whole"), part("part");
    spit(f.path, good_file());
    wkt_error e;
    BOOST_REQUIRE_MESSAGE(wkt_state_exit_code(f.path.c_str(), 3, &e) == WKT_OK, e.text);
    reader r(f.path);
    BOOST_TEST(r.info().exit_code == 3u);
    check_lines(r, 2, second_kernel);
    const uint32_t group = 0;
    const wkt_part choice[] = {{1, &group, 1}, {2, &group, 1}};
    BOOST_REQUIRE(wkt_reader_select(r.r, choice, 2, &e) == WKT_OK);
    check_lines(r, 0, {});
    check_lines(r, 1, second_kernel);
    BOOST_REQUIRE_MESSAGE(wkt_reader_save(r.r, part.path.c_str(), 0, &e) == WKT_OK, e.text);
    reader saved(part.path);
    check_lines(saved, 0, {});
    check_lines(saved, 1, second_kernel);
}

BOOST_AUTO_TEST_CASE(what_is_no_table_is_not_written)
{
    temp_file f("illegal");
    BOOST_TEST(write(f.path, {{{3, 1, "", ""}, {3, 2, "", ""}}}) == WKT_E_ARG);
    BOOST_TEST(write(f.path, {{{3, 1, "", ""}, {2, 2, "", ""}}}) == WKT_E_ARG);
    BOOST_TEST(write(f.path, {{{3, 0, "", ""}}}) == WKT_E_ARG);
}

/* WKT_LINES_MAX bounds the bytes of the tables, without counts and launches' numbers. */
BOOST_AUTO_TEST_CASE(tables_up_to_the_bound_are_written_and_read)
{
    constexpr size_t beside = 4 + WKT_LINE_MIN_BYTES; /* bytes of a one-line table without its text */
    std::string text(WKT_LINES_MAX - beside, 'x');
    temp_file f("most");
    const table largest = {{3, 1, "", text.c_str()}};
    BOOST_REQUIRE(write(f.path, {largest, {}, largest}) == WKT_OK); /* launched again, it adds nothing */
    {
        reader r(f.path);
        uint32_t n = 0;
        const wkt_line *got = wkt_reader_lines(r.r, 0, &n);
        BOOST_REQUIRE(n == 1u);
        BOOST_TEST((got->text == text));
    }
    text += 'x';
    BOOST_TEST(write(f.path, {{{3, 1, "", text.c_str()}}}) == WKT_E_LIMIT);
    text.resize(text.size() - beside);
    BOOST_TEST(write(f.path, {{{3, 1, "", text.c_str()}}, second_kernel}) == WKT_E_LIMIT);
}

BOOST_AUTO_TEST_CASE(every_flipped_byte_and_every_shortened_file_is_refused)
{
    const std::string good = good_file();
    BOOST_REQUIRE(check(good) == WKT_OK);
    for (size_t i = 0; i < good.size(); i++)
        for (unsigned flip : {0x01u, 0x80u, 0xffu}) {
            std::string bad = good;
            bad[i] = char(uint8_t(bad[i]) ^ flip);
            BOOST_REQUIRE_MESSAGE(check(bad) != WKT_OK, "byte " << i);
        }
    for (size_t n = 0; n < good.size(); n++)
        BOOST_REQUIRE_MESSAGE(check(good.substr(0, n)) != WKT_OK, "length " << n);
    const size_t at = lines_at(good);
    BOOST_TEST(check(good.substr(0, at) + good.substr(good.size() - WKT_FOOTER_BYTES)) == WKT_E_CHECKSUM);
}

BOOST_AUTO_TEST_CASE(lines_that_contradict_themselves_are_refused)
{
    const std::string good = good_file(), raw = raw_lines(good);
    BOOST_REQUIRE(check(with_lines(good, raw, raw.size())) == WKT_OK);
    for (const uint64_t stated : {uint64_t(raw.size() - 1), uint64_t(raw.size() + 1), UINT64_C(1) << 40})
        BOOST_TEST(check(with_lines(good, raw, stated)) == WKT_E_FORMAT);
    /* offsets: lines in all, tables; of the first table: lines, first line, bytes of the file's name, second
     * pc; the first launch's table */
    const size_t second_pc = 12 + 16 + 4 + 9, launches = raw.size() - 5 * 4;
    const std::vector<std::pair<size_t, uint32_t>> wrong = {
        {0, 3},  {0, 5},   {0, UINT32_MAX},  {4, 1},         {4, 3},        {8, 2},       {8, 4},
        {16, 0}, {20, 99}, {20, UINT32_MAX}, {second_pc, 3}, {launches, 2}, {launches, 7}};
    for (const auto &[at, value] : wrong) {
        std::string bad = raw;
        wkt_put32(reinterpret_cast<uint8_t *>(bad.data()) + at, value);
        BOOST_TEST(check(with_lines(good, bad, bad.size())) == WKT_E_FORMAT, at << " " << value);
    }
    for (size_t n = 0; n < raw.size(); n++)
        BOOST_TEST(check(with_lines(good, raw.substr(0, n), n)) == WKT_E_FORMAT, n);
    BOOST_TEST(check(with_lines(good, raw + "more", raw.size() + 4)) == WKT_E_FORMAT);
}

BOOST_AUTO_TEST_SUITE_END()

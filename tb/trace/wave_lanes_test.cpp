/* SPDX-License-Identifier: MIT */
/* Tests traces of waves of 32 lanes, and other functions of the writer that imports need. */
#include "tb/trace/trace_fixture.hpp"

using namespace trace_test;

namespace
{

struct writing {
    temp_file file{"wave_lanes"};
    wkt_writer *w = nullptr;
    wkt_error e{};
    writing()
    {
        const wkt_writer_cfg cfg = {"p", "p", "test", 0};
        BOOST_REQUIRE(wkt_writer_open(file.path.c_str(), &cfg, &w, &e) == WKT_OK);
    }
    ~writing() { wkt_writer_abort(w); }
    void finish()
    {
        BOOST_REQUIRE_MESSAGE(wkt_writer_finish(w, false, &e) == WKT_OK, e.text);
        w = nullptr;
    }
    void begin(uint32_t lanes)
    {
        const wkt_launch launch = make_launch("kernel");
        BOOST_REQUIRE(wkt_writer_wave_lanes(w, lanes, &e) == WKT_OK);
        BOOST_REQUIRE(wkt_writer_launch_begin(w, &launch, &e) == WKT_OK);
        BOOST_REQUIRE(wkt_writer_group_begin(w, &e) == WKT_OK);
    }
    void end()
    {
        BOOST_REQUIRE(wkt_writer_group_end(w, &e) == WKT_OK);
        BOOST_REQUIRE(wkt_writer_launch_end(w, &e) == WKT_OK);
        finish();
    }
};

BOOST_FIXTURE_TEST_CASE(waves_of_32_lanes_come_back, writing)
{
    begin(32);
    wkt_record record = make(WKT_LOAD, 0xf0f0f0f1);
    for (uint64_t l = 0; l < 32; ++l)
        record.va[l] = 0x1000 + l * l * 8;
    for (int wave = 0; wave < 32; ++wave) { /* twice as many as of 64 lanes */
        BOOST_REQUIRE(wkt_writer_wave(w, 0xffffffff, &e) == WKT_OK);
        BOOST_REQUIRE(wkt_writer_record(w, &record, &e) == WKT_OK);
    }
    end();
    reader r(file.path);
    BOOST_TEST(r.info().wave_lanes == 32u);
    BOOST_TEST(r.info().totals.waves == 32u);
    check_wave(r, 0, 0, 31, {record}, false);
    wkt_report report;
    BOOST_TEST(wkt_check(file.path.c_str(), &report) == WKT_OK);
}

BOOST_FIXTURE_TEST_CASE(a_narrow_tile_is_found_with_the_phase_of_its_wave, writing)
{
    begin(32);
    wkt_packer *p = wkt_packer_new(0);
    BOOST_REQUIRE(p != nullptr);
    BOOST_REQUIRE(wkt_packer_wave_lanes(p, 32) == WKT_OK);
    wkt_packer_begin(p, 20);
    for (uint64_t wave = 0; wave < 3; ++wave) {
        wkt_record record = make(WKT_LOAD, 0xffffffff);
        for (uint64_t l = 0; l < 32; ++l)
            record.va[l] = 0x10000 + (wave * 32 + l) % 20 * 4 + (wave * 32 + l) / 20 * 4096;
        BOOST_REQUIRE(wkt_packer_wave(p, 0xffffffff) == WKT_OK);
        BOOST_REQUIRE(wkt_packer_record(p, uint32_t(wave), &record, nullptr) == WKT_OK);
    }
    BOOST_REQUIRE(wkt_packer_end(p) == WKT_OK);
    BOOST_REQUIRE(wkt_writer_group_end(w, &e) == WKT_OK);
    BOOST_REQUIRE(wkt_writer_packed(w, p, &e) == WKT_OK);
    wkt_packer_free(p);
    BOOST_REQUIRE(wkt_writer_launch_end(w, &e) == WKT_OK);
    finish();
    reader r(file.path);
    wkt_group *g = nullptr;
    BOOST_REQUIRE(wkt_group_load(r.r, 0, 1, &g, &e) == WKT_OK);
    for (uint32_t wave = 0; wave < 3; ++wave) {
        wkt_cursor c;
        wkt_record got;
        wkt_cursor_start(g, wave, &c);
        BOOST_REQUIRE(wkt_next(&c, &got));
        BOOST_TEST(int(got.form) == int(WKT_TILE));
    }
    wkt_group_free(g);
}

BOOST_FIXTURE_TEST_CASE(lanes_beyond_the_wave_are_refused, writing)
{
    begin(32);
    BOOST_TEST(wkt_writer_wave(w, 0x100000000, &e) == WKT_E_ARG);
    BOOST_TEST(wkt_writer_wave(w, 1, &e) == WKT_OK);
}

BOOST_FIXTURE_TEST_CASE(there_are_32_and_64_lanes_and_only_before_the_first_launch, writing)
{
    BOOST_TEST(wkt_writer_wave_lanes(w, 16, &e) == WKT_E_ARG);
    BOOST_TEST(std::string(e.text).find("16 lanes") != std::string::npos);
    BOOST_TEST(wkt_writer_wave_lanes(w, 32, &e) == WKT_OK);
    begin(64);
    BOOST_TEST(wkt_writer_wave_lanes(w, 32, &e) == WKT_E_ARG);
    end();
    BOOST_TEST(reader(file.path).info().wave_lanes == 64u);
}

BOOST_FIXTURE_TEST_CASE(a_packer_of_other_waves_is_refused, writing)
{
    begin(32);
    BOOST_REQUIRE(wkt_writer_group_end(w, &e) == WKT_OK);
    wkt_packer *p = wkt_packer_new(0);
    BOOST_REQUIRE(p != nullptr);
    BOOST_TEST(wkt_packer_wave_lanes(p, 48) == WKT_E_ARG);
    wkt_packer_begin(p, 0);
    BOOST_REQUIRE(wkt_packer_end(p) == WKT_OK);
    BOOST_TEST(wkt_writer_packed(w, p, &e) == WKT_E_ARG);
    wkt_packer_free(p);
}

BOOST_AUTO_TEST_CASE(a_file_whose_header_says_32_but_whose_waves_are_wider_is_refused)
{
    temp_file file("too_wide");
    write_trace(file.path, {{make(WKT_BARRIER, UINT64_MAX)}});
    std::string bytes = slurp(file.path);
    uint8_t *p = reinterpret_cast<uint8_t *>(bytes.data());
    const auto put64 = [](uint8_t *to, uint64_t v) {
        for (int i = 0; i < 8; ++i)
            to[i] = uint8_t(v >> (8 * i));
    };
    p[12] = 32;
    put64(p + 16, wkt_hash64(p, 16, 0));
    uint8_t *footer = p + bytes.size() - 40;
    uint64_t offset = 0;
    for (int i = 0; i < 8; ++i)
        offset |= uint64_t(footer[i]) << (8 * i);
    const uint64_t seed = wkt_hash64(p + offset, size_t(footer - p) - offset, wkt_hash64(p, 16, 0));
    put64(footer + 24, wkt_hash64(footer, 24, seed));
    spit(file.path, bytes);
    wkt_report report;
    BOOST_TEST(wkt_check(file.path.c_str(), &report) == WKT_E_FORMAT);
    BOOST_TEST(std::string(report.error.text).find("work-group 0") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_buffer_for_always_is_seen_by_earlier_launches_too, writing)
{
    begin(64);
    BOOST_REQUIRE(wkt_writer_code_bytes(w, 4711, &e) == WKT_E_ARG);
    BOOST_REQUIRE(wkt_writer_group_end(w, &e) == WKT_OK);
    BOOST_TEST(wkt_writer_code_bytes(w, 4711, &e) == WKT_OK);
    BOOST_REQUIRE(wkt_writer_launch_end(w, &e) == WKT_OK);
    const wkt_buffer b = {0x1000, 17, 0, 0, 0};
    BOOST_TEST(wkt_writer_buffer_always(w, &b, &e) == WKT_OK);
    finish();
    reader r(file.path);
    BOOST_TEST(wkt_reader_buffer(r.r, 0)->first_launch == 0u);
    BOOST_TEST(wkt_reader_buffer(r.r, 0)->end_launch == 1u);
    BOOST_TEST(wkt_reader_launch(r.r, 0)->code_bytes == 4711u);
}

} // namespace

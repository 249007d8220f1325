/* SPDX-License-Identifier: MIT */
/* tb/capture/capture_fixture.hpp - shared by the capture tests: captures the probe and compares waves with
 * records written by hand. */
#ifndef WW_TB_CAPTURE_FIXTURE_HPP
#define WW_TB_CAPTURE_FIXTURE_HPP

#include "capture/capture.hpp"
#include "trace/wkt.h"

#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <functional>
#include <string>
#include <unistd.h>
#include <vector>

namespace capture_test
{

namespace cap = walkway::capture;

struct out_file {
    std::string path;
    explicit out_file(const std::string &name) : path(name + ".wkt") {}
    ~out_file() { unlink(path.c_str()); }
    out_file(const out_file &) = delete;
    out_file &operator=(const out_file &) = delete;
};

struct expected {
    wkt_kind kind;
    uint8_t bytes;
    uint64_t mask;
    std::function<uint64_t(uint32_t lane)> va;
};

/* The trace of one probe case. Buffer 0 is the program's constant table; a, b, c are buffers 1, 2, 3. */
class captured
{
    out_file out;
    wkt_reader *r = nullptr;
    wkt_group *g = nullptr;

public:
    explicit captured(const std::string &name, unsigned threads = 1) : out(name)
    {
        std::string error;
        cap::capture_options options;
        options.threads = threads;
        BOOST_REQUIRE_MESSAGE(cap::run_capture(PLUGIN, {PROBE, name}, out.path, options, error) == 0, error);
        wkt_report report;
        BOOST_REQUIRE_MESSAGE(wkt_check(out.path.c_str(), &report) == WKT_OK, report.error.text);
        BOOST_TEST(report.lanes_unmapped == 0u);
        wkt_error e;
        BOOST_REQUIRE(wkt_open(out.path.c_str(), &r, &e) == WKT_OK);
    }
    ~captured()
    {
        wkt_group_free(g);
        wkt_close(r);
    }
    captured(const captured &) = delete;
    captured &operator=(const captured &) = delete;

    const wkt_info &info() const { return *wkt_reader_info(r); }
    const wkt_launch &launch(uint32_t i) const { return *wkt_reader_launch(r, i); }
    const wkt_buffer &buffer(uint32_t i) const { return *wkt_reader_buffer(r, i); }
    uint64_t a(uint64_t i = 0) const { return buffer(1).base_va + 4 * i; }
    uint64_t b(uint64_t i = 0) const { return buffer(2).base_va + 4 * i; }
    uint64_t c(uint64_t i = 0) const { return buffer(3).base_va + 4 * i; }

    std::vector<wkt_record> wave(uint32_t launch_number, uint32_t group, uint32_t number,
                                 uint64_t *lanes = nullptr)
    {
        wkt_error e;
        BOOST_REQUIRE_MESSAGE(wkt_group_load(r, launch_number, group, &g, &e) == WKT_OK, e.text);
        BOOST_REQUIRE(number < wkt_group_waves(g));
        wkt_cursor cursor;
        wkt_record record;
        std::vector<wkt_record> all;
        wkt_cursor_start(g, number, &cursor);
        if (lanes)
            *lanes = cursor.lanes;
        while (wkt_next(&cursor, &record))
            all.push_back(record);
        return all;
    }

    void check(uint32_t launch_number, uint32_t group, uint32_t number, const std::vector<expected> &expect)
    {
        std::vector<wkt_record> got = wave(launch_number, group, number);
        BOOST_REQUIRE(got.size() == expect.size());
        for (size_t i = 0; i < got.size(); i++) {
            BOOST_TEST(int(got[i].kind) == int(expect[i].kind), "kind of record " << i);
            BOOST_TEST(int(got[i].bytes) == int(expect[i].bytes), "size of record " << i);
            BOOST_TEST(got[i].mask == expect[i].mask, "mask of record " << i);
            for (uint32_t l = 0; l < 64 && expect[i].va; l++) {
                if (expect[i].mask >> l & 1)
                    BOOST_REQUIRE_MESSAGE(got[i].va[l] == expect[i].va(l), "record " << i << " lane " << l);
            }
        }
    }
};

constexpr uint64_t all_lanes = UINT64_MAX;

inline uint64_t lanes_where(const std::function<bool(uint32_t)> &f)
{
    uint64_t mask = 0;
    for (uint32_t l = 0; l < 64; l++)
        mask |= uint64_t(f(l)) << l;
    return mask;
}

} // namespace capture_test

#endif

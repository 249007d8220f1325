/* SPDX-License-Identifier: MIT */
/* Shared by the trace tests: a temporary file, functions that make and compare records, a random source. */
#ifndef WW_TB_TRACE_FIXTURE_HPP
#define WW_TB_TRACE_FIXTURE_HPP

#include "trace/wkt.h"

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

namespace trace_test
{

struct temp_file {
    std::string path;
    explicit temp_file(const std::string &name) : path(name + ".wkt") {}
    ~temp_file()
    {
        unlink(path.c_str());
        unlink((path + ".partial").c_str());
    }
    temp_file(const temp_file &) = delete;
    temp_file &operator=(const temp_file &) = delete;
};

inline bool exists(const std::string &path)
{
    return access(path.c_str(), F_OK) == 0;
}

inline std::string slurp(const std::string &path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void spit(const std::string &path, const std::string &bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

inline wkt_record make(wkt_kind kind, uint64_t mask)
{
    wkt_record r;
    std::memset(&r, 0, sizeof r);
    r.pc = 10;
    r.kind = uint8_t(kind);
    r.bytes = kind == WKT_BARRIER ? 0 : 4;
    r.compute = 5;
    r.use = WKT_USE_NEVER;
    r.mask = mask;
    return r;
}

inline wkt_launch make_launch(const std::string &name, uint32_t width = 256)
{
    wkt_launch l;
    std::memset(&l, 0, sizeof l);
    name.copy(l.name, WKT_NAME_BYTES - 1);
    l.grid[0] = l.group[0] = width;
    l.grid[1] = l.group[1] = 1024 / width ? 1024 / width : 1;
    l.grid[2] = l.group[2] = 1;
    l.lds_bytes = 64;
    l.code_bytes = 800;
    return l;
}

/* Writes a work-group of one wave of one record. */
inline void write_group_of_one(wkt_writer *w, const wkt_record &r)
{
    wkt_error e;
    BOOST_REQUIRE(wkt_writer_group_begin(w, &e) == WKT_OK);
    BOOST_REQUIRE(wkt_writer_wave(w, 1, &e) == WKT_OK);
    BOOST_REQUIRE(wkt_writer_record(w, &r, &e) == WKT_OK);
    BOOST_REQUIRE(wkt_writer_group_end(w, &e) == WKT_OK);
}

/* Writes one launch of one group with these waves; all 64 lanes are live. */
inline void write_trace(const std::string &path, const std::vector<std::vector<wkt_record>> &waves,
                        uint32_t width = 256)
{
    wkt_writer_cfg cfg = {"prog", "prog 1", "test", 0};
    wkt_writer *w;
    wkt_error e;
    BOOST_REQUIRE_MESSAGE(wkt_writer_open(path.c_str(), &cfg, &w, &e) == WKT_OK, e.text);
    if (!waves.empty()) {
        wkt_launch launch = make_launch("kernel", width);
        wkt_buffer b = {0x40000, 1 << 20, 0, 0, 0};
        BOOST_REQUIRE(wkt_writer_buffer(w, &b, nullptr, &e) == WKT_OK);
        BOOST_REQUIRE(wkt_writer_launch_begin(w, &launch, &e) == WKT_OK);
        BOOST_REQUIRE(wkt_writer_group_begin(w, &e) == WKT_OK);
        for (const auto &wave : waves) {
            BOOST_REQUIRE(wkt_writer_wave(w, UINT64_MAX, &e) == WKT_OK);
            for (const wkt_record &r : wave)
                BOOST_REQUIRE_MESSAGE(wkt_writer_record(w, &r, &e) == WKT_OK, e.text);
            BOOST_REQUIRE(wkt_writer_tail(w, 3, &e) == WKT_OK);
        }
        BOOST_REQUIRE(wkt_writer_group_end(w, &e) == WKT_OK);
        BOOST_REQUIRE(wkt_writer_launch_end(w, &e) == WKT_OK);
    }
    BOOST_REQUIRE_MESSAGE(wkt_writer_finish(w, false, &e) == WKT_OK, e.text);
}

struct reader {
    wkt_reader *r = nullptr;
    explicit reader(const std::string &path)
    {
        wkt_error e;
        BOOST_REQUIRE_MESSAGE(wkt_open(path.c_str(), &r, &e) == WKT_OK, e.text);
    }
    ~reader() { wkt_close(r); }
    reader(const reader &) = delete;
    reader &operator=(const reader &) = delete;
    const wkt_info &info() const { return *wkt_reader_info(r); }
};

inline bool same(const wkt_record &a, const wkt_record &b)
{
    bool eq = a.pc == b.pc && a.kind == b.kind && a.bytes == b.bytes && a.compute == b.compute &&
              a.use == b.use && a.mask == b.mask;
    for (uint64_t l = 0; l < 64 && eq && a.kind != WKT_BARRIER; l++)
        eq = !(a.mask >> l & 1) || a.va[l] == b.va[l];
    return eq;
}

inline void check_wave(const reader &r, uint32_t launch, uint32_t group, uint32_t wave,
                       const std::vector<wkt_record> &expect, bool forms)
{
    wkt_error e;
    wkt_group *g = nullptr;
    BOOST_REQUIRE_MESSAGE(wkt_group_load(r.r, launch, group, &g, &e) == WKT_OK, e.text);
    wkt_cursor c;
    wkt_record got;
    wkt_cursor_start(g, wave, &c);
    for (size_t i = 0; i < expect.size(); i++) {
        BOOST_REQUIRE_MESSAGE(wkt_next(&c, &got), "record " << i);
        BOOST_REQUIRE_MESSAGE(same(expect[i], got), "record " << i);
        if (forms)
            BOOST_TEST(int(got.form) == int(expect[i].form), "form of record " << i);
    }
    BOOST_TEST(!wkt_next(&c, &got));
    BOOST_TEST(!wkt_cursor_failed(&c));
    wkt_group_free(g);
}

class random_source
{
    uint64_t state;

public:
    explicit random_source(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15ull) {}
    uint64_t next()
    {
        state += 0x9E3779B97F4A7C15ull;
        uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    uint64_t below(uint64_t n) { return next() % n; }

    wkt_record record()
    {
        wkt_record r = make(wkt_kind(below(WKT_KINDS)), below(3) ? UINT64_MAX : next() | 1);
        r.pc = uint32_t(below(40) ? below(60) : next());
        if (r.kind != WKT_BARRIER)
            r.bytes = uint8_t(1 + below(128));
        r.compute = uint32_t(below(4) ? below(10) : next());
        const uint32_t uses[] = {WKT_USE_NEVER, WKT_USE_UNKNOWN, 1, 2, uint32_t(next())};
        r.use = uses[below(5)];
        uint64_t base = next() >> (8 + below(40)), stride = next() >> (20 + below(44)), kind = below(4);
        for (uint64_t l = 0; l < 64; l++)
            r.va[l] = kind == 0   ? base
                      : kind == 1 ? base + l * stride
                      : kind == 2 ? base + (l % 8) * stride - (l / 8) * 40
                                  : base + (next() >> (stride % 64));
        return r;
    }
    std::vector<wkt_record> wave(int n)
    {
        std::vector<wkt_record> records;
        for (int i = 0; i < n; i++)
            records.push_back(record());
        return records;
    }
};

} // namespace trace_test

#endif

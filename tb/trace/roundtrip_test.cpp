/* SPDX-License-Identifier: MIT */
/* Records are read as they were written: every form, mask, distance and count, random and chosen. Also tests
 * sizes and determinism. */
#include "tb/trace/trace_fixture.hpp"

#include <boost/test/unit_test.hpp>

using namespace trace_test;

BOOST_AUTO_TEST_CASE(empty_trace_is_whole)
{
    temp_file f("empty");
    write_trace(f.path, {});
    wkt_report report;
    BOOST_TEST(wkt_check(f.path.c_str(), &report) == WKT_OK);
    reader r(f.path);
    BOOST_TEST(r.info().launches == 0u);
    BOOST_TEST(std::string(r.info().program) == "prog");
}

BOOST_AUTO_TEST_CASE(every_form_comes_back)
{
    std::vector<wkt_record> records;
    auto add = [&](wkt_form form, uint64_t mask, auto &&va_of) {
        wkt_record r = make(WKT_LOAD, mask);
        for (uint64_t l = 0; l < 64; l++)
            r.va[l] = va_of(l);
        r.form = form;
        records.push_back(r);
    };
    const uint64_t all = UINT64_MAX, odd = 0xaaaaaaaaaaaaaaaaull, some = 0x00ff00f000001234ull;
    for (uint64_t mask : {all, odd, some}) {
        add(WKT_UNIFORM, mask, [](uint64_t) { return uint64_t(0x7fff12340000); });
        add(WKT_STRIDE, mask, [](uint64_t l) { return 0x100000 + l * 16384; });
        add(WKT_STRIDE, mask, [](uint64_t l) { return 0x100000000 - l * 4; });
        add(WKT_TILE, mask, [](uint64_t l) { return 0x40000 + (l % 16) * 4 + (l / 16) * 8192; });
        add(WKT_LANES, mask, [](uint64_t l) { return 0x40000 + l * l * 8; });
        add(WKT_LANES, mask, [](uint64_t l) { return (l * 0x9E3779B97F4A7C15ull) >> 16; });
        add(WKT_LANES, mask, [](uint64_t l) { return l * l * 0x9E3779B97F4A7C15ull | 1; });
        add(WKT_LANES, mask, [](uint64_t l) { return 0x40000 + (l * l * l) % 251; });
    }
    add(WKT_UNIFORM, 1ull << 63, [](uint64_t l) { return l * 1000; });
    temp_file f("forms");
    write_trace(f.path, {{records}});
    reader r(f.path);
    check_wave(r, 0, 0, 0, records, true);
}

BOOST_AUTO_TEST_CASE(tile_of_an_odd_width_is_found_in_every_wave)
{
    temp_file f("tile");
    std::vector<std::vector<wkt_record>> waves;
    for (uint64_t w = 0; w < 4; w++) {
        wkt_record r = make(WKT_STORE, UINT64_MAX);
        for (uint64_t l = 0; l < 64; l++)
            r.va[l] = 0x80000 + ((w * 64 + l) % 24) * 8 + ((w * 64 + l) / 24) * 4096;
        r.form = WKT_TILE;
        waves.push_back({r});
    }
    write_trace(f.path, waves, 24);
    reader r(f.path);
    for (uint32_t w = 0; w < 4; w++)
        check_wave(r, 0, 0, w, waves[w], true);
}

BOOST_AUTO_TEST_CASE(random_records_come_back)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        temp_file f("random");
        std::vector<std::vector<wkt_record>> waves;
        random_source random(seed);
        for (int w = 0; w < 5; w++)
            waves.push_back(random.wave(int(random.below(200))));
        write_trace(f.path, waves);
        wkt_report report;
        BOOST_TEST(wkt_check(f.path.c_str(), &report) == WKT_OK, report.error.text);
        reader r(f.path);
        for (uint32_t w = 0; w < waves.size(); w++)
            check_wave(r, 0, 0, w, waves[w], false);
    }
}

BOOST_AUTO_TEST_CASE(several_launches_groups_and_buffers_keep_their_places)
{
    temp_file f("many");
    wkt_writer_cfg cfg = {"p", "p 1 2", "test", 0};
    wkt_writer *w;
    wkt_error e;
    BOOST_REQUIRE(wkt_writer_open(f.path.c_str(), &cfg, &w, &e) == WKT_OK);
    uint32_t first, second;
    wkt_buffer b = {0x10000, 4096, WKT_BUFFER_READ, 0, 0};
    BOOST_REQUIRE(wkt_writer_buffer(w, &b, &first, &e) == WKT_OK);
    for (uint32_t l = 0; l < 3; l++) {
        wkt_launch launch = make_launch("kernel" + std::to_string(l));
        BOOST_REQUIRE(wkt_writer_launch_begin(w, &launch, &e) == WKT_OK);
        for (uint32_t g = 0; g < l + 1; g++) {
            wkt_record r = make(WKT_LOAD, 1);
            r.va[0] = 100 * l + g;
            BOOST_REQUIRE(wkt_writer_group_begin(w, &e) == WKT_OK);
            BOOST_REQUIRE(wkt_writer_wave(w, 3, &e) == WKT_OK);
            BOOST_REQUIRE(wkt_writer_record(w, &r, &e) == WKT_OK);
            BOOST_REQUIRE(wkt_writer_tail(w, 9, &e) == WKT_OK); /* the next call replaces it */
            BOOST_REQUIRE(wkt_writer_tail(w, 7, &e) == WKT_OK);
            BOOST_REQUIRE(wkt_writer_group_end(w, &e) == WKT_OK);
        }
        BOOST_REQUIRE(wkt_writer_launch_end(w, &e) == WKT_OK);
        if (l == 0) {
            BOOST_REQUIRE(wkt_writer_buffer_end(w, first, &e) == WKT_OK);
            b.base_va = 0x20000;
            BOOST_REQUIRE(wkt_writer_buffer(w, &b, &second, &e) == WKT_OK);
        }
    }
    BOOST_REQUIRE(wkt_writer_finish(w, false, &e) == WKT_OK);

    reader r(f.path);
    BOOST_TEST(r.info().launches == 3u);
    BOOST_TEST(r.info().totals.groups == 6u);
    BOOST_TEST(r.info().totals.compute == 6 * (7u + 5u));
    BOOST_TEST(!r.info().partial);
    BOOST_TEST(std::string(wkt_reader_launch(r.r, 2)->name) == "kernel2");
    BOOST_TEST(wkt_reader_launch(r.r, 2)->first_group == 3u);
    BOOST_TEST(wkt_reader_launch(r.r, 3) == nullptr);
    BOOST_TEST(wkt_reader_buffer(r.r, 0)->end_launch == 1u);
    BOOST_TEST(wkt_reader_buffer(r.r, 1)->first_launch == 1u);
    BOOST_TEST(wkt_reader_buffer(r.r, 1)->end_launch == 3u);
    wkt_group *g = nullptr;
    for (uint32_t l = 0; l < 3; l++) {
        for (uint32_t i = 0; i < l + 1; i++) {
            BOOST_REQUIRE(wkt_group_load(r.r, l, i, &g, &e) == WKT_OK);
            wkt_cursor c;
            wkt_record record;
            wkt_cursor_start(g, 0, &c);
            BOOST_TEST(c.lanes == 3u);
            BOOST_TEST(c.tail_compute == 7u);
            BOOST_REQUIRE(wkt_next(&c, &record));
            BOOST_TEST(record.va[0] == 100 * l + i);
            BOOST_TEST(!wkt_next(&c, &record));
            BOOST_TEST(!wkt_cursor_failed(&c));
        }
    }
    BOOST_TEST(wkt_group_load(r.r, 2, 3, &g, &e) == WKT_E_ARG);
    wkt_group_free(g);
}

BOOST_AUTO_TEST_CASE(affine_divergent_accesses_stay_under_24_bytes)
{
    temp_file f("size");
    std::vector<wkt_record> records;
    random_source random(3);
    for (int i = 0; i < 1000; i++) { /* worst case: new base, stride, mask and compute count every time */
        wkt_record r = make(WKT_LOAD, random.next() | 1);
        r.compute = uint32_t(random.below(1000));
        uint64_t base = random.next() >> 17, stride = 4096 + random.below(1 << 16);
        for (uint64_t l = 0; l < 64; l++)
            r.va[l] = base + l * stride;
        records.push_back(r);
    }
    write_trace(f.path, {{records}});
    reader r(f.path);
    uint32_t stored, raw;
    BOOST_REQUIRE(wkt_group_bytes(r.r, 0, 0, &stored, &raw));
    BOOST_TEST(raw <= 24 * 1000 + 64);
}

BOOST_AUTO_TEST_CASE(same_records_give_the_same_bytes)
{
    temp_file a("a"), b("b");
    random_source random(9);
    std::vector<std::vector<wkt_record>> waves{random.wave(300), random.wave(200)};
    write_trace(a.path, waves);
    write_trace(b.path, waves);
    BOOST_TEST((slurp(a.path) == slurp(b.path)));
}

BOOST_AUTO_TEST_CASE(illegal_records_and_orders_are_refused)
{
    temp_file f("illegal");
    wkt_writer_cfg cfg = {nullptr, nullptr, nullptr, 0};
    wkt_writer *w;
    wkt_error e;
    BOOST_TEST(wkt_writer_open("/nonexistent/x.wkt", &cfg, &w, &e) == WKT_E_IO);
    BOOST_TEST(e.output);
    BOOST_REQUIRE(wkt_writer_open(f.path.c_str(), &cfg, &w, &e) == WKT_OK);
    wkt_launch launch = make_launch("k");
    wkt_record r = make(WKT_LOAD, 1);
    BOOST_TEST(wkt_writer_group_begin(w, &e) == WKT_E_ARG);
    BOOST_TEST(!e.output);
    BOOST_TEST(wkt_writer_launch_end(w, &e) == WKT_E_ARG);
    BOOST_REQUIRE(wkt_writer_launch_begin(w, &launch, &e) == WKT_OK);
    BOOST_TEST(wkt_writer_launch_begin(w, &launch, &e) == WKT_E_ARG);
    BOOST_TEST(wkt_writer_wave(w, 1, &e) == WKT_E_ARG);
    BOOST_REQUIRE(wkt_writer_group_begin(w, &e) == WKT_OK);
    BOOST_TEST(wkt_writer_record(w, &r, &e) == WKT_E_ARG); /* no wave yet */
    BOOST_TEST(wkt_writer_wave(w, 0, &e) == WKT_E_ARG);
    BOOST_REQUIRE(wkt_writer_wave(w, 1, &e) == WKT_OK);
    auto refused = [&](auto &&spoil) {
        wkt_record bad = r;
        spoil(bad);
        BOOST_TEST(wkt_writer_record(w, &bad, &e) == WKT_E_ARG);
    };
    refused([](wkt_record &b) { b.mask = 0; });
    refused([](wkt_record &b) { b.mask = 2; }); /* a lane the wave does not have */
    refused([](wkt_record &b) { b.kind = WKT_KINDS; });
    refused([](wkt_record &b) { b.bytes = 0; });
    refused([](wkt_record &b) { b.bytes = 129; });
    refused([](wkt_record &b) { b.kind = WKT_BARRIER; });
    BOOST_REQUIRE(wkt_writer_record(w, &r, &e) == WKT_OK);
    wkt_writer_abort(w);
    BOOST_TEST(!exists(f.path));
    BOOST_TEST(!exists(f.path + ".partial"));
}

BOOST_AUTO_TEST_CASE(stopped_capture_leaves_a_valid_partial_trace)
{
    temp_file f("stopped");
    wkt_writer_cfg cfg = {"p", "p", "test", 0};
    wkt_writer *w;
    wkt_error e;
    wkt_launch launch = make_launch("k");
    wkt_record r = make(WKT_LOAD, 1);
    BOOST_REQUIRE(wkt_writer_open(f.path.c_str(), &cfg, &w, &e) == WKT_OK);
    BOOST_REQUIRE(wkt_writer_launch_begin(w, &launch, &e) == WKT_OK);
    for (int g = 0; g < 2; g++) {
        BOOST_REQUIRE(wkt_writer_group_begin(w, &e) == WKT_OK);
        BOOST_REQUIRE(wkt_writer_wave(w, 1, &e) == WKT_OK);
        BOOST_REQUIRE(wkt_writer_record(w, &r, &e) == WKT_OK);
        if (g == 0)
            BOOST_REQUIRE(wkt_writer_group_end(w, &e) == WKT_OK);
    }
    BOOST_REQUIRE(wkt_writer_finish(w, true, &e) == WKT_OK);
    wkt_report report;
    BOOST_TEST(wkt_check(f.path.c_str(), &report) == WKT_OK, report.error.text);
    reader back(f.path);
    BOOST_TEST(back.info().partial);
    BOOST_TEST(back.info().totals.groups == 1u);
}

BOOST_AUTO_TEST_CASE(names_and_hash_are_the_published_ones)
{
    BOOST_TEST(wkt_kind_name(WKT_LOCAL_ATOMIC) == std::string("local-atomic"));
    BOOST_TEST(wkt_kind_name(200) == std::string("?"));
    BOOST_TEST(wkt_form_name(WKT_TILE) == std::string("tile"));
    BOOST_TEST(wkt_form_name(9) == std::string("?"));
    BOOST_TEST(wkt_hash64("", 0, 0) == 0xEF46DB3751D8E999ull);
    BOOST_TEST(wkt_hash64("a", 1, 0) == 0xD24EC4F1A98C6E5Bull);
    BOOST_TEST(wkt_hash64("abc", 3, 0) == 0x44BC2CF5AD770999ull);
    BOOST_TEST(wkt_hash64("Nobody inspects the spammish repetition", 39, 0) == 0xFBCEA83C8A378BF1ull);
}

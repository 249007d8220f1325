/* SPDX-License-Identifier: MIT */
/* Tests readers without a file, and parts of a trace: the groups that they show, their numbers, and
 * refusals. */
#include "trace_fixture.hpp"

using namespace trace_test;

namespace
{

/* Two launches of three and five groups; the address in a group's only record identifies the group. */
struct made {
    std::vector<wkt_launch> launches = {make_launch("first"), make_launch("second")};
    wkt_buffer buffers[3] = {
        {1ull << 32, 4096, 0, 0, 2}, {1ull << 33, 4096, 0, 0, 1}, {1ull << 34, 4096, 0, 1, 2}};
    wkt_source source{};
    int status = WKT_OK;
    bool freed = false;

    made()
    {
        launches[0].groups = 3;
        launches[1].groups = 5;
        source.name = "made";
        source.program = "p";
        source.command = "c";
        source.producer = "t";
        source.checksum = 77;
        source.launches = launches.data();
        source.buffers = buffers;
        source.launches_n = 2;
        source.buffers_n = 3;
        source.totals.waves = 8;
        source.totals.records[WKT_LOAD] = 8;
        source.totals.lanes[WKT_LOAD] = 8;
        source.totals.compute = 40;
        source.context = this;
        source.free_context = [](void *context) { static_cast<made *>(context)->freed = true; };
        source.pack = [](void *context, uint32_t launch, uint32_t group, wkt_packer *p) {
            const made *me = static_cast<made *>(context);
            wkt_record r = make(WKT_LOAD, 1);
            r.va[0] = (1ull << 32) + launch * 1000 + group * 4;
            if (me->status != WKT_OK)
                return me->status;
            const int wave = wkt_packer_wave(p, 1);
            return wave != WKT_OK ? wave : wkt_packer_record(p, 0, &r, nullptr);
        };
    }
};

struct opened {
    wkt_reader *r = nullptr;
    wkt_error error{};
    ~opened() { wkt_close(r); }
};

/* launch * 1000 + group * 4 of each group shown. */
std::vector<uint64_t> shown(wkt_reader *r)
{
    std::vector<uint64_t> all;
    wkt_group *g = nullptr;
    wkt_error error;
    for (uint32_t l = 0; l < wkt_reader_info(r)->launches; ++l)
        for (uint32_t i = 0; i < wkt_reader_launch(r, l)->groups; ++i) {
            BOOST_REQUIRE_EQUAL(wkt_group_load(r, l, i, &g, &error), WKT_OK);
            wkt_cursor c;
            wkt_record record;
            wkt_cursor_start(g, 0, &c);
            BOOST_REQUIRE(wkt_next(&c, &record));
            all.push_back(record.va[0] - (1ull << 32));
            BOOST_CHECK_EQUAL(wkt_reader_launch_origin(r, l), all.back() / 1000);
            BOOST_CHECK_EQUAL(wkt_reader_group_origin(r, l, i), all.back() % 1000 / 4);
        }
    wkt_group_free(g);
    return all;
}

const std::vector<uint64_t> everything = {0, 4, 8, 1000, 1004, 1008, 1012, 1016};

} // namespace

/* Accesses of 4 bytes at 0, 4, 8, 1000 ... 1016. */
BOOST_AUTO_TEST_CASE(an_address_is_outside_where_no_buffer_is)
{
    constexpr uint64_t at = 1ull << 32, far = 1ull << 40;
    const struct {
        const char *what;
        wkt_buffer buffers[3];
        uint64_t outside;
    } cases[] = {
        {"all inside", {{at, 4096, 0, 0, 2}, {far, 1, 0, 0, 2}, {2 * far, 1, 0, 0, 2}}, 0},
        {"the end cuts one", {{at, 1010, 0, 0, 2}, {far, 1, 0, 0, 2}, {2 * far, 1, 0, 0, 2}}, 3},
        {"two touch in the middle of one",
         {{at + 1006, 100, 0, 0, 2}, {at, 1006, 0, 0, 2}, {far, 1, 0, 0, 2}},
         0},
        {"a byte between them", {{at + 1007, 100, 0, 0, 2}, {at, 1006, 0, 0, 2}, {far, 1, 0, 0, 2}}, 1},
        {"one in another, later", {{at, 4096, 0, 0, 1}, {at + 500, 8, 0, 1, 2}, {at, 8, 0, 1, 2}}, 0},
        {"one over the end of another", {{at, 1002, 0, 0, 1}, {at + 900, 200, 0, 1, 2}, {at, 8, 0, 1, 2}}, 0},
        {"none there", {{at + 8, 992, 0, 0, 2}, {at - 8, 8, 0, 0, 2}, {far, 1, 0, 0, 2}}, 7},
    };
    for (const auto &c : cases) {
        made m;
        std::copy(std::begin(c.buffers), std::end(c.buffers), std::begin(m.buffers));
        opened o;
        BOOST_REQUIRE_EQUAL(wkt_open_source(&m.source, &o.r, &o.error), WKT_OK);
        wkt_report report;
        BOOST_REQUIRE_EQUAL(wkt_check_reader(o.r, &report), WKT_OK);
        BOOST_TEST(report.lanes_unmapped == c.outside, c.what);
    }
}

BOOST_AUTO_TEST_CASE(a_source_is_read_like_a_file)
{
    made m;
    {
        opened o;
        BOOST_REQUIRE_EQUAL(wkt_open_source(&m.source, &o.r, &o.error), WKT_OK);
        BOOST_TEST(shown(o.r) == everything);
        const wkt_info &info = *wkt_reader_info(o.r);
        BOOST_TEST(info.counted);
        BOOST_CHECK_EQUAL(info.checksum, 77);
        BOOST_CHECK_EQUAL(info.file_bytes, 0);
        BOOST_CHECK_EQUAL(info.totals.groups, 8);
        BOOST_CHECK_EQUAL(info.command, "c");
        wkt_report report;
        BOOST_CHECK_EQUAL(wkt_check_reader(o.r, &report), WKT_OK);
        BOOST_CHECK_EQUAL(report.lanes_unmapped, 0);
        BOOST_CHECK_GT(report.peak_group_bytes, 0);
        uint32_t stored = 1, raw = 1;
        BOOST_TEST(wkt_group_bytes(o.r, 1, 4, &stored, &raw));
        BOOST_CHECK_EQUAL(stored + raw, 0);
        BOOST_TEST(!wkt_group_bytes(o.r, 1, 5, &stored, &raw));
        BOOST_TEST(!m.freed);
    }
    BOOST_TEST(m.freed);
}

BOOST_AUTO_TEST_CASE(a_source_that_contradicts_itself_is_refused)
{
    made m;
    opened o;
    m.source.launches = nullptr;
    m.source.launches_n = 0; /* the buffers end after the last launch */
    BOOST_CHECK_EQUAL(wkt_open_source(&m.source, &o.r, &o.error), WKT_E_ARG);
    made twice;
    twice.buffers[2].base_va = twice.buffers[0].base_va + 4095;
    BOOST_CHECK_EQUAL(wkt_open_source(&twice.source, &o.r, &o.error), WKT_E_FORMAT);
    made n;
    n.launches[1].grid[2] = 0;
    BOOST_CHECK_EQUAL(wkt_open_source(&n.source, &o.r, &o.error), WKT_E_ARG);
    BOOST_TEST(!n.freed);
    made t;
    t.source.totals.compute = 41;
    opened wrong;
    BOOST_REQUIRE_EQUAL(wkt_open_source(&t.source, &wrong.r, &wrong.error), WKT_OK);
    wkt_report report;
    BOOST_CHECK_EQUAL(wkt_check_reader(wrong.r, &report), WKT_E_FORMAT);
}

BOOST_AUTO_TEST_CASE(buffers_are_saved_with_their_launches_in_whatever_order)
{
    constexpr uint64_t at = 1ull << 32, far = 1ull << 40;
    made m;
    const wkt_buffer buffers[3] = {{far, 4096, 0, 1, 2}, {at, 4096, 0, 0, 1}, {at + 500, 4096, 0, 1, 2}};
    std::copy(std::begin(buffers), std::end(buffers), std::begin(m.buffers));
    opened o;
    BOOST_REQUIRE_EQUAL(wkt_open_source(&m.source, &o.r, &o.error), WKT_OK);
    temp_file f("order");
    BOOST_REQUIRE_EQUAL(wkt_reader_save(o.r, f.path.c_str(), 0, &o.error), WKT_OK);
    const reader saved(f.path);
    for (uint32_t b = 0; b < 3; ++b) {
        BOOST_CHECK_EQUAL(wkt_reader_buffer(saved.r, b)->base_va, buffers[b].base_va);
        BOOST_CHECK_EQUAL(wkt_reader_buffer(saved.r, b)->first_launch, buffers[b].first_launch);
        BOOST_CHECK_EQUAL(wkt_reader_buffer(saved.r, b)->end_launch, buffers[b].end_launch);
    }
}

BOOST_AUTO_TEST_CASE(a_group_that_cannot_be_made_says_which)
{
    made m;
    opened o;
    BOOST_REQUIRE_EQUAL(wkt_open_source(&m.source, &o.r, &o.error), WKT_OK);
    wkt_group *g = nullptr;
    for (const int status : {int(WKT_E_LIMIT), int(WKT_E_MEMORY), int(WKT_E_ARG)}) {
        m.status = status;
        BOOST_CHECK_EQUAL(wkt_group_load(o.r, 1, 2, &g, &o.error), status);
        BOOST_CHECK_EQUAL(wkt_group_waves(g), 0);
    }
    BOOST_CHECK_EQUAL(std::string(o.error.text), "made: work-group 2 of launch 1 cannot be made");
    wkt_group_free(g);
}

BOOST_AUTO_TEST_CASE(a_part_is_renumbered_and_counted_anew)
{
    made m;
    opened o;
    BOOST_REQUIRE_EQUAL(wkt_open_source(&m.source, &o.r, &o.error), WKT_OK);
    const uint32_t groups[] = {1, 4};
    const wkt_part part = {1, groups, 2};
    BOOST_REQUIRE_EQUAL(wkt_reader_select(o.r, &part, 1, &o.error), WKT_OK);
    const std::vector<uint64_t> wanted = {1004, 1016};
    BOOST_TEST(shown(o.r) == wanted);
    const wkt_info &info = *wkt_reader_info(o.r);
    BOOST_CHECK_EQUAL(info.launches, 1);
    BOOST_CHECK_EQUAL(info.totals.groups, 2);
    BOOST_CHECK_EQUAL(info.totals.waves, 0);
    BOOST_TEST(!info.counted);
    BOOST_REQUIRE_EQUAL(wkt_reader_count(o.r, &o.error), WKT_OK);
    BOOST_TEST(info.counted);
    BOOST_CHECK_EQUAL(info.totals.groups, 2);
    BOOST_CHECK_EQUAL(info.totals.records[WKT_LOAD], 2);
    BOOST_CHECK_EQUAL(info.totals.compute, 10);
    /* all buffers stay, with their launches renumbered without launch 0 */
    BOOST_CHECK_EQUAL(info.buffers, 3);
    const uint32_t first[] = {0, 0, 0}, end[] = {1, 0, 1};
    for (uint32_t b = 0; b < 3; ++b) {
        BOOST_CHECK_EQUAL(wkt_reader_buffer(o.r, b)->first_launch, first[b]);
        BOOST_CHECK_EQUAL(wkt_reader_buffer(o.r, b)->end_launch, end[b]);
    }
    BOOST_CHECK_EQUAL(wkt_reader_select(o.r, &part, 1, &o.error), WKT_E_ARG); /* a part of a part */
}

BOOST_AUTO_TEST_CASE(a_part_that_is_none_is_refused)
{
    const uint32_t groups[] = {0, 2}, twice[] = {1, 1}, back[] = {2, 0}, beyond[] = {3};
    const std::vector<std::vector<wkt_part>> wrong = {{},
                                                      {{2, groups, 1}},
                                                      {{0, groups, 0}},
                                                      {{0, twice, 2}},
                                                      {{0, back, 2}},
                                                      {{0, beyond, 1}},
                                                      {{1, groups, 1}, {0, groups, 1}},
                                                      {{0, groups, 1}, {0, groups, 1}}};
    for (const auto &parts : wrong) {
        made m;
        opened o;
        BOOST_REQUIRE_EQUAL(wkt_open_source(&m.source, &o.r, &o.error), WKT_OK);
        BOOST_CHECK_EQUAL(wkt_reader_select(o.r, parts.data(), uint32_t(parts.size()), &o.error), WKT_E_ARG);
        BOOST_TEST(shown(o.r) == everything);
    }
}

BOOST_AUTO_TEST_CASE(a_source_and_a_part_of_it_become_files)
{
    temp_file file("saved");
    for (const bool part : {false, true}) {
        made m;
        opened o;
        BOOST_REQUIRE_EQUAL(wkt_open_source(&m.source, &o.r, &o.error), WKT_OK);
        const uint32_t groups[] = {0, 1, 3};
        const wkt_part parts[] = {{0, groups, 2}, {1, groups, 3}};
        if (part)
            BOOST_REQUIRE_EQUAL(wkt_reader_select(o.r, parts, 2, &o.error), WKT_OK);
        BOOST_REQUIRE_EQUAL(wkt_reader_save(o.r, file.path.c_str(), 0, &o.error), WKT_OK);
        wkt_report report;
        BOOST_CHECK_EQUAL(wkt_check(file.path.c_str(), &report), WKT_OK);
        opened back;
        BOOST_REQUIRE_EQUAL(wkt_open(file.path.c_str(), &back.r, &back.error), WKT_OK);
        BOOST_CHECK_EQUAL(report.totals.groups, part ? 5 : 8);
        BOOST_CHECK_EQUAL(wkt_reader_info(back.r)->command, "c");
        for (uint32_t b = 0; b < 3; ++b) {
            const wkt_buffer &is = *wkt_reader_buffer(back.r, b), &was = *wkt_reader_buffer(o.r, b);
            BOOST_CHECK_EQUAL(is.base_va, was.base_va);
            BOOST_CHECK_EQUAL(is.bytes, was.bytes);
            BOOST_CHECK_EQUAL(is.first_launch, was.first_launch);
            BOOST_CHECK_EQUAL(is.end_launch, was.end_launch);
        }
        wkt_group *g = nullptr, *h = nullptr;
        for (uint32_t l = 0; l < 2; ++l)
            for (uint32_t i = 0; i < wkt_reader_launch(o.r, l)->groups; ++i) {
                wkt_totals x{}, y{};
                BOOST_REQUIRE_EQUAL(wkt_group_load(o.r, l, i, &g, &o.error), WKT_OK);
                BOOST_REQUIRE_EQUAL(wkt_group_load(back.r, l, i, &h, &back.error), WKT_OK);
                BOOST_TEST((wkt_group_count(g, &x) && wkt_group_count(h, &y)));
                BOOST_TEST(std::memcmp(&x, &y, sizeof x) == 0);
            }
        wkt_group_free(g);
        wkt_group_free(h);
    }
    made broken;
    opened o;
    BOOST_REQUIRE_EQUAL(wkt_open_source(&broken.source, &o.r, &o.error), WKT_OK);
    broken.status = WKT_E_LIMIT;
    temp_file none("unsaved");
    BOOST_CHECK_EQUAL(wkt_reader_save(o.r, none.path.c_str(), 0, &o.error), WKT_E_LIMIT);
    BOOST_TEST(!o.error.output);
    BOOST_TEST(!exists(none.path));
    BOOST_CHECK_EQUAL(wkt_reader_save(o.r, "no/such/folder.wkt", 0, &o.error), WKT_E_IO);
    BOOST_TEST(o.error.output);
}

BOOST_AUTO_TEST_CASE(a_part_of_a_file_names_groups_by_their_numbers_in_the_file)
{
    temp_file file("part");
    {
        made m;
        opened o;
        BOOST_REQUIRE_EQUAL(wkt_open_source(&m.source, &o.r, &o.error), WKT_OK);
        BOOST_REQUIRE_EQUAL(wkt_reader_save(o.r, file.path.c_str(), 0, &o.error), WKT_OK);
    }
    std::string bytes = slurp(file.path);
    opened whole;
    BOOST_REQUIRE_EQUAL(wkt_open(file.path.c_str(), &whole.r, &whole.error), WKT_OK);
    uint64_t at = 24; /* of work-group 3 of launch 1: 6 groups lie before it */
    uint32_t stored = 0, raw = 0;
    for (uint32_t i = 0; i < 6; ++i) {
        BOOST_REQUIRE(wkt_group_bytes(whole.r, i < 3 ? 0 : 1, i < 3 ? i : i - 3, &stored, &raw));
        at += stored;
    }
    bytes[size_t(at) + 5] = char(bytes[size_t(at) + 5] ^ 1);
    spit(file.path, bytes);
    opened o;
    BOOST_REQUIRE_EQUAL(wkt_open(file.path.c_str(), &o.r, &o.error), WKT_OK);
    const uint32_t groups[] = {2, 3};
    const wkt_part part = {1, groups, 2};
    BOOST_REQUIRE_EQUAL(wkt_reader_select(o.r, &part, 1, &o.error), WKT_OK);
    wkt_group *g = nullptr;
    BOOST_CHECK_EQUAL(wkt_group_load(o.r, 0, 0, &g, &o.error), WKT_OK);
    BOOST_CHECK_EQUAL(wkt_group_load(o.r, 0, 1, &g, &o.error), WKT_E_CHECKSUM);
    BOOST_CHECK(std::strstr(o.error.text, "work-group 3 of launch 1") != nullptr);
    BOOST_CHECK_EQUAL(wkt_reader_count(o.r, &o.error), WKT_E_CHECKSUM);
    wkt_group_free(g);
}

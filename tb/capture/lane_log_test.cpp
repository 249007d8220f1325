/* SPDX-License-Identifier: MIT */
/* tb/capture/lane_log_test.cpp - a work-item's log returns what was put in, packed or not, for any limit of
 * the window. */
#include "capture/lane_log.hpp"
#include "trace/wkt.h"

#include <boost/test/unit_test.hpp>

#include <random>

namespace
{

using namespace walkway::capture;

/* Segment 0: two plain accesses with a use between; 1: empty; 2: a built-in. */
layout three_segments()
{
    layout code;
    code.segments = {{0, 3, 5, none}, {3, 0, 1, none}, {3, 1, 2, none}};
    code.events = {{0, 0, false}, {1, 0, true}, {2, 1, false}, {0, 2, false}};
    code.sites = {{0, WKT_LOAD, 4, false, false, true, false},
                  {2, WKT_STORE, 8, false, false, false, false},
                  {6, 0, 0, true, false, false, false}};
    return code;
}

struct entry {
    uint32_t segment;
    std::vector<uint32_t> kinds;
    std::vector<uint64_t> addresses;
};

std::vector<entry> random_entries(size_t count, unsigned seed)
{
    std::mt19937_64 random(seed);
    std::vector<entry> all;
    for (size_t i = 0; i < count; i++) {
        entry e{uint32_t(random() % 3), {}, {}};
        const size_t accesses = e.segment == 0 ? 2 : e.segment == 1 ? 0 : random() % 5;
        for (size_t a = 0; a < accesses; a++) {
            e.kinds.push_back(dynamic_access(uint8_t(random() % 6), uint32_t(1 + random() % 128)));
            e.addresses.push_back(random() >> (random() % 64)); /* near and far, ascending and descending */
        }
        all.push_back(e);
    }
    return all;
}

void put(lane_log &log, const layout &code, const entry &e)
{
    log.make_room(code, 16);
    log.put_word(e.segment);
    if (e.segment == 2)
        log.put_word(uint32_t(e.addresses.size()));
    for (size_t a = 0; a < e.addresses.size(); a++) {
        if (e.segment == 2)
            log.put_word(e.kinds[a]);
        log.put_address(e.addresses[a]);
    }
}

void check(const lane_log &log, const layout &code, const std::vector<entry> &all)
{
    log_reader reader;
    reader.begin(log, code);
    for (const entry &e : all) {
        BOOST_REQUIRE_EQUAL(reader.segment(), e.segment);
        if (e.segment == 2)
            BOOST_REQUIRE_EQUAL(reader.word(), e.addresses.size());
        for (size_t a = 0; a < e.addresses.size(); a++) {
            if (e.segment == 2)
                BOOST_REQUIRE_EQUAL(reader.word(), e.kinds[a]);
            BOOST_REQUIRE_EQUAL(reader.address(), e.addresses[a]);
        }
    }
    BOOST_TEST(reader.segment() == none);
    BOOST_TEST(reader.segment() == none); /* also at the next call */
}

} // namespace

BOOST_AUTO_TEST_CASE(a_log_gives_back_what_was_put_in)
{
    const layout code = three_segments();
    for (size_t limit : {size_t(0), size_t(1), size_t(100), size_t(4096), size_t(1) << 30}) {
        for (size_t count : {0, 1, 2, 1000}) {
            lane_log log(limit);
            const std::vector<entry> all = random_entries(count, unsigned(limit + count));
            for (const entry &e : all)
                put(log, code, e);
            check(log, code, all);
            BOOST_TEST((log.packed_bytes() > 0) == (count > 1 && limit < 16 * count));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_cleared_log_is_empty_and_a_moved_one_keeps_its_contents)
{
    const layout code = three_segments();
    lane_log log(64);
    const std::vector<entry> first = random_entries(50, 1), second = random_entries(70, 2);
    for (const entry &e : first)
        put(log, code, e);
    log.clear();
    check(log, code, {});
    for (const entry &e : second)
        put(log, code, e);
    const lane_log moved(std::move(log));
    check(moved, code, second);
}

/* A loop with a constant step, as in most long work-items. */
BOOST_AUTO_TEST_CASE(a_loop_packs_into_less_than_a_bit_an_access)
{
    const layout code = three_segments();
    constexpr uint64_t steps = 100000;
    lane_log log(size_t(64) << 10);
    for (uint64_t i = 0; i < steps; i++)
        put(log, code, {0, {0, 0}, {4096 + 4 * i, 1 << 20}});
    BOOST_TEST(log.packed_bytes() > 0);
    BOOST_TEST(log.packed_bytes() * 8 < 2 * steps);
}

/* SPDX-License-Identifier: MIT */
/* tb/guest/stream_test.cpp - the ring: order, bounds, a writer in its own thread, and contents that no plugin
 * writes. */
#include "guest/stream.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <thread>
#include <vector>

namespace
{

struct ring {
    struct alignas(64) line {
        unsigned char byte[64];
    };
    std::vector<line> storage;
    ww_guest_share *share;

    explicit ring(uint64_t records = WW_GUEST_RECORDS_MIN) : storage(ww_guest_share_bytes(records) / 64)
    {
        share = reinterpret_cast<ww_guest_share *>(storage.data());
        share->magic = WW_GUEST_MAGIC;
        share->records = records;
    }
};

ww_guest_record numbered(uint64_t n)
{
    return {WW_GUEST_DROP_PAGE, n, ~n, {n + 1}};
}

std::string check(uint64_t what)
{
    const ww_guest_record r = {what, 0, 0, {0}};
    const char *text = ww_guest_record_check(&r);
    return text == nullptr ? "" : text;
}

uint64_t access(uint64_t levels, uint64_t entries, uint64_t outcome, uint64_t kind = WW_GUEST_ACCESS)
{
    return kind | entries << 9 | levels << 12 | outcome << 15;
}

} // namespace

BOOST_AUTO_TEST_SUITE(stream)

BOOST_AUTO_TEST_CASE(a_full_ring_takes_nothing_and_an_empty_one_gives_nothing)
{
    ring r;
    ww_guest_record to[2 * WW_GUEST_RECORDS_MIN];
    BOOST_TEST(ww_guest_pop(r.share, to, 1) == 0u);
    for (uint64_t i = 0; i < WW_GUEST_RECORDS_MIN; ++i) {
        const ww_guest_record one = numbered(i);
        BOOST_TEST(ww_guest_push(r.share, &one));
    }
    const ww_guest_record more = numbered(1000);
    BOOST_TEST(!ww_guest_push(r.share, &more));
    BOOST_TEST(ww_guest_pop(r.share, to, 3) == 3u);
    BOOST_TEST(to[2].va == 2u);
    BOOST_TEST(ww_guest_push(r.share, &more));
    BOOST_TEST(ww_guest_pop(r.share, to, 2 * WW_GUEST_RECORDS_MIN) == WW_GUEST_RECORDS_MIN - 2);
    BOOST_TEST(to[0].va == 3u);
    BOOST_TEST(to[WW_GUEST_RECORDS_MIN - 3].va == 1000u);
}

BOOST_AUTO_TEST_CASE(what_a_thread_writes_is_read_whole_and_in_order)
{
    constexpr uint64_t count = 200000;
    ring r;
    std::thread writer([&] {
        for (uint64_t i = 0; i < count; ++i) {
            const ww_guest_record one = numbered(i);
            while (!ww_guest_push(r.share, &one))
                std::this_thread::yield();
        }
    });
    std::vector<ww_guest_record> to(48);
    uint64_t seen = 0, wrong = 0;
    while (seen < count) {
        const uint64_t n = ww_guest_pop(r.share, to.data(), to.size());
        for (uint64_t i = 0; i < n; ++i, ++seen)
            wrong += to[i].va != seen || to[i].pa != ~seen || to[i].entry[0] != seen + 1;
        if (n == 0)
            std::this_thread::yield();
    }
    writer.join();
    BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(a_writer_that_claims_more_than_there_is_room_for)
{
    ring r;
    ww_guest_record to[4];
    r.share->head = WW_GUEST_RECORDS_MIN + 1;
    BOOST_TEST(ww_guest_pop(r.share, to, 4) == UINT64_MAX);
    r.share->head = UINT64_MAX; /* before the read position */
    BOOST_TEST(ww_guest_pop(r.share, to, 4) == UINT64_MAX);
}

BOOST_AUTO_TEST_CASE(shares_that_are_none)
{
    const uint64_t bytes = ww_guest_share_bytes(WW_GUEST_RECORDS_MIN);
    ring r;
    const auto wrong = [&](uint64_t size) { return std::string(ww_guest_share_check(r.share, size)); };
    BOOST_TEST(ww_guest_share_check(r.share, bytes) == nullptr);
    BOOST_TEST(wrong(bytes - 1) == "the share is shorter than its ring");
    BOOST_TEST(wrong(WW_GUEST_HEAD_BYTES - 1) == "this is no share of a guest, or one of another version");
    for (const uint64_t records :
         {UINT64_C(0), UINT64_C(32), UINT64_C(65), UINT64_C(1) << 21, UINT64_C(1) << 63}) {
        r.share->records = records;
        BOOST_TEST(wrong(bytes) == "the ring's records are no power of two in its range");
    }
    r.share->records = WW_GUEST_RECORDS_MIN;
    ++r.share->magic;
    BOOST_TEST(wrong(bytes) == "this is no share of a guest, or one of another version");
}

BOOST_AUTO_TEST_CASE(records_that_no_plugin_writes)
{
    for (uint64_t entries = 2; entries <= 4; ++entries)
        BOOST_TEST(check(access(4, entries, WW_GUEST_WALK_PAGE)) == "");
    BOOST_TEST(check(access(5, 5, WW_GUEST_WALK_PAGE)) == "");
    BOOST_TEST(check(access(4, 1, WW_GUEST_WALK_ABSENT, WW_GUEST_DISAGREED)) == "");
    BOOST_TEST(check(WW_GUEST_ROOT) == "");
    BOOST_TEST(check(WW_GUEST_DROP_PAGE) == "");
    BOOST_TEST(check(WW_GUEST_DROP_ALL) == "");
    BOOST_TEST(check(0) == "no such kind of record");
    BOOST_TEST(check(WW_GUEST_DISAGREED + 1) == "no such kind of record");
    BOOST_TEST(check(WW_GUEST_ROOT | UINT64_C(1) << 19) == "bits that mean nothing are set");
    BOOST_TEST(check(WW_GUEST_ROOT | UINT64_C(1) << 63) == "bits that mean nothing are set");
    BOOST_TEST(check(access(3, 3, WW_GUEST_WALK_PAGE)) == "a table has 4 or 5 levels");
    BOOST_TEST(check(access(6, 3, WW_GUEST_WALK_PAGE)) == "a table has 4 or 5 levels");
    BOOST_TEST(check(access(4, 5, WW_GUEST_WALK_PAGE)) == "a walk has no more entries than levels");
    BOOST_TEST(check(access(5, 7, WW_GUEST_WALK_PAGE)) == "a walk has no more entries than levels");
    BOOST_TEST(check(access(4, 1, WW_GUEST_WALK_PAGE)) == "no page is larger than 1 GiB");
    BOOST_TEST(check(access(5, 2, WW_GUEST_WALK_PAGE)) == "no page is larger than 1 GiB");
    BOOST_TEST(check(access(4, 4, WW_GUEST_WALK_COUNT, WW_GUEST_DISAGREED)) == "no such outcome of a walk");
    BOOST_TEST(check(access(4, 4, WW_GUEST_WALK_ABSENT)) == "an access is to a page");
}

BOOST_AUTO_TEST_SUITE_END()

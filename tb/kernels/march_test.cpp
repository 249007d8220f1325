/* SPDX-License-Identifier: MIT */
/* Tests of kernels/walk/march: batches and their reads by example, random use against plain lists, and damage
 * that the check reports. */
#include "walk_fixture.hpp"

#include "kernels/walk/march.h"
#include "tb/kernels/blob.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <list>

using namespace walk_fixture;
namespace data = boost::unit_test::data;

namespace
{

constexpr uint8_t all_of_a_vm = WW_WALK_VA_BITS_MAX;
constexpr uint32_t no_place = UINT32_MAX;

/* Walkers of four walks and two reads, unless a test says otherwise. */
ww_march_cfg plain(uint32_t walkers = 2, bool refill = false)
{
    return {walkers, 4, 2, all_of_a_vm, refill};
}

struct walkers {
    walkway_tb::blob<ww_march> m;
    explicit walkers(const ww_march_cfg &cfg) : m(ww_march_bytes(&cfg))
    {
        BOOST_REQUIRE_EQUAL(ww_march_init(m, m.bytes(), &cfg), WW_OK);
        check();
    }
    ~walkers() { BOOST_TEST(m.intact()); }
    void check() { BOOST_TEST(text(ww_march_check(m)) == ""); }
    /* The first place of the lowest idle walker, or none. */
    uint32_t idle()
    {
        for (uint32_t walker = 0; walker < m->walkers; ++walker)
            if (ww_march_is_idle(m, walker))
                return ww_march_first(m, walker);
        return no_place;
    }
    void begin(uint32_t place, uint64_t va = 0, uint16_t vmid = 0)
    {
        ww_march_begin(m, place, va, vmid);
        check();
    }
    uint32_t end(uint32_t place)
    {
        const uint32_t walks = ww_march_end(m, place);
        check();
        return walks;
    }
    void wait(uint32_t place)
    {
        ww_march_wait(m, place);
        check();
    }
    uint32_t read(uint32_t walker)
    {
        const uint32_t place = ww_march_may_read(m, walker) ? ww_march_read(m, walker) : no_place;
        check();
        return place;
    }
    bool back(uint32_t place)
    {
        const bool had = ww_march_back(m, place);
        check();
        return had;
    }
    /* Removes the request that an open batch takes from the buffer and begins it; sets `given` to its
     * place. */
    uint32_t next(buffer &b)
    {
        given = no_place;
        const uint32_t slot = ww_march_next(m, b, &given);
        check();
        if (slot == WW_WBUF_NONE)
            return WW_WBUF_NONE;
        const ww_wbuf_job taken = ww_wbuf_job_of(ww_wbuf_at(b, slot));
        ww_wbuf_remove(b, slot);
        begin(given, taken.va, taken.vmid);
        return taken.req;
    }
    uint32_t given = no_place; /* the place, set by next() */
};

uint32_t add(buffer &b, uint64_t va, uint32_t req, uint16_t vmid = 0)
{
    const ww_wbuf_job j = job(va, req, vmid);
    return ww_wbuf_insert(b, &j);
}

} // namespace

BOOST_AUTO_TEST_SUITE(march)

BOOST_AUTO_TEST_CASE(what_is_illegal_is_refused)
{
    const ww_march_cfg good = {1, 1, 1, WW_PAGE_4K, false};
    BOOST_TEST(ww_march_bytes(&good) > 0u);
    const auto refused = [](ww_march_cfg cfg) {
        walkway_tb::blob<ww_march> m(4096);
        return ww_march_bytes(&cfg) == 0 && ww_march_init(m, m.bytes(), &cfg) == WW_E_ARG;
    };
    BOOST_TEST(refused({0, 4, 2, all_of_a_vm, false}));
    BOOST_TEST(refused({1, 0, 2, all_of_a_vm, false}));
    BOOST_TEST(refused({1, 65, 2, all_of_a_vm, false}));
    BOOST_TEST(refused({1, 4, 0, all_of_a_vm, false}));
    BOOST_TEST(refused({65, 64, 2, all_of_a_vm, false}));
    BOOST_TEST(refused({4097, 1, 1, all_of_a_vm, false}));
    BOOST_TEST(refused({1, 4, 2, 11, false}));
    BOOST_TEST(refused({1, 4, 2, 58, false}));
    for (const ww_march_cfg cfg :
         {ww_march_cfg{64, 64, 64, 12, true}, {4096, 1, 1, 57, false}, {1365, 3, 9, 30, true}}) {
        walkers w(cfg);
        BOOST_TEST(w.idle() == 0u);
        BOOST_TEST(ww_march_init(w.m, w.m.bytes() - 1, &cfg) == WW_E_SIZE);
    }
}

BOOST_AUTO_TEST_CASE(an_idle_walker_begins_with_its_first_place)
{
    walkers w(plain());
    BOOST_TEST(w.idle() == 0u);
    w.begin(0);
    BOOST_TEST(w.idle() == 4u);
    w.begin(4);
    BOOST_TEST(w.idle() == no_place);
    w.begin(1);
    BOOST_TEST(w.end(0) == 0u);
    BOOST_TEST(w.idle() == no_place); /* it still has a walk */
    BOOST_TEST(w.end(1) == 2u);
    BOOST_TEST(w.idle() == 0u);
    w.begin(0);
    BOOST_TEST(w.end(0) == 1u); /* of another batch */
}

/* A batch takes requests of one VM and one address above the group bits, oldest first, and skips held
 * ones. */
BOOST_AUTO_TEST_CASE(a_batch_takes_the_oldest_of_its_group)
{
    ww_march_cfg cfg = plain(1);
    cfg.group_bits = 21;
    walkers w(cfg);
    buffer b(16);
    add(b, va_of(0, 0, 1, 0), 0);    /* another leaf table */
    add(b, va_of(0, 0, 5, 511), 1);  /* in the same table, at its end */
    add(b, va_of(0, 0, 5, 3), 2, 1); /* in another VM */
    const uint32_t held = add(b, va_of(0, 0, 5, 8), 3);
    ww_wbuf_set_cl(b, held, true);
    add(b, va_of(0, 0, 4, 511), 4); /* the last page before the table */
    add(b, va_of(0, 0, 5, 0), 5);   /* the table's first page */
    add(b, va_of(0, 0, 6, 0), 6);   /* the first page after it */
    add(b, va_of(0, 0, 5, 2), 7);
    w.begin(0, va_of(0, 0, 5, 7));
    BOOST_TEST(w.next(b) == 1u);
    BOOST_TEST(w.given == 1u);
    BOOST_TEST(w.next(b) == 5u);
    BOOST_TEST(w.given == 2u);
    BOOST_TEST(w.next(b) == 7u);
    BOOST_TEST(w.given == 3u);
    BOOST_TEST(w.next(b) == WW_WBUF_NONE);
    BOOST_TEST(w.given == no_place);
    BOOST_TEST(ww_wbuf_count(b) == 5u);
}

BOOST_AUTO_TEST_CASE(the_smallest_open_batch_takes_first_then_the_lowest_walker_s)
{
    walkers w(plain(3));
    buffer b(16);
    for (uint32_t req = 0; req < 8; ++req)
        add(b, va_of(0, 0, 0, req), req);
    w.begin(0);
    w.begin(1);
    w.begin(4);
    w.begin(8);
    const uint32_t order[] = {5, 9, 2, 6, 10, 3, 7, 11};
    for (uint32_t req = 0; req < 8; ++req) {
        BOOST_TEST(w.next(b) == req);
        BOOST_TEST(w.given == order[req]);
    }
    BOOST_TEST(w.next(b) == WW_WBUF_NONE);
}

/* A batch takes what waits when it begins; with refill it takes more whenever it has room. */
BOOST_DATA_TEST_CASE(when_a_batch_is_closed, data::make({false, true}), refill)
{
    walkers w(plain(1, refill));
    buffer b(16);
    w.begin(0);
    BOOST_TEST(w.next(b) == WW_WBUF_NONE); /* nothing waits, so the batch closes */
    add(b, 0, 1);
    BOOST_TEST(w.next(b) == (refill ? 1u : WW_WBUF_NONE));
    BOOST_TEST(w.end(0) == (refill ? 0u : 1u));
    if (!refill)
        w.begin(0);
    for (uint32_t req = 2; req < 6; ++req)
        add(b, 0, req);
    for (uint32_t n = 0; n < 3; ++n)
        BOOST_TEST(w.next(b) != WW_WBUF_NONE);
    BOOST_TEST(ww_march_at(w.m, 0)->walks == 0xfu); /* full: closed without refill */
    BOOST_TEST(ww_march_at(w.m, 0)->open == refill);
    w.end(2);
    BOOST_TEST((w.next(b) != WW_WBUF_NONE) == refill); /* even after a walk has ended */
    BOOST_TEST((w.given == 2u) == refill);
}

/* A batch keeps the group of its first walk as long as it has any walk. */
BOOST_AUTO_TEST_CASE(a_batch_keeps_its_group_until_it_is_over)
{
    ww_march_cfg cfg = plain(1, true);
    cfg.group_bits = 30;
    walkers w(cfg);
    buffer b(16);
    w.begin(0, va_of(0, 1, 0, 0), 3);
    w.begin(1, va_of(0, 2, 0, 0), 4); /* a walk repeated after a fault may take any place */
    w.end(0);
    add(b, va_of(0, 2, 0, 0), 1, 4);
    BOOST_TEST(w.next(b) == WW_WBUF_NONE);
    add(b, va_of(0, 1, 9, 0), 2, 3);
    BOOST_TEST(w.next(b) == 2u);
    w.end(0);
    BOOST_TEST(w.end(1) == 3u);
    w.begin(0, va_of(0, 2, 7, 0), 4);
    BOOST_TEST(w.next(b) == 1u);
    BOOST_TEST(ww_wbuf_count(b) == 0u);
}

BOOST_AUTO_TEST_CASE(reads_leave_in_the_order_of_asking_so_many_at_a_time)
{
    walkers w(plain(2));
    for (uint32_t place = 0; place < 4; ++place)
        w.begin(place);
    w.begin(4);
    BOOST_TEST(!ww_march_may_read(w.m, 0));
    for (const uint32_t place : {2u, 0u, 3u, 1u, 4u})
        w.wait(place);
    BOOST_TEST(w.read(0) == 2u);
    BOOST_TEST(w.read(0) == 0u);
    BOOST_TEST(ww_march_reads(w.m, 0) == 2u);
    BOOST_TEST(w.read(0) == no_place); /* two are in flight */
    BOOST_TEST(w.read(1) == 4u);       /* that does not limit another walker */
    BOOST_TEST(w.back(0));
    BOOST_TEST(!w.back(0)); /* it has no read in flight */
    BOOST_TEST(!w.back(3)); /* neither has this one: it waits */
    BOOST_TEST(w.read(0) == 3u);
    w.wait(0); /* its next level queues after those that wait */
    BOOST_TEST(w.back(3));
    BOOST_TEST(w.back(2));
    BOOST_TEST(w.read(0) == 1u);
    BOOST_TEST(w.read(0) == 0u);
    BOOST_TEST(ww_march_reads(w.m, 0) == 2u);
    BOOST_TEST(ww_march_reads(w.m, 1) == 1u);
}

BOOST_AUTO_TEST_CASE(more_reads_than_walks_are_as_many)
{
    walkers w({1, 3, 64, all_of_a_vm, false});
    for (uint32_t place = 0; place < 3; ++place) {
        w.begin(place);
        w.wait(place);
    }
    for (uint32_t place = 0; place < 3; ++place)
        BOOST_TEST(w.read(0) == place);
    BOOST_TEST(w.m->reads == 3u);
}

BOOST_AUTO_TEST_CASE(hardware)
{
    const ww_march_cfg one = {8, 1, 1, all_of_a_vm, false};
    BOOST_TEST(ww_march_bits(&one, &ww_radix4) == 8u * (36 + 1 + 2)); /* group, open flag, two bits */
    const ww_march_cfg eight = {8, 8, 4, all_of_a_vm, false};
    const uint64_t place = 2 + 3, more = 36 + ww_table_walk_bits(&ww_radix4);
    BOOST_TEST(ww_march_bits(&eight, &ww_radix4) == 8 * (36 + 1 + 3 + 8 * place + 7 * more));
}

/* Random use against plain lists. */
BOOST_DATA_TEST_CASE(random_use,
                     data::make({1u, 3u, 64u}) * data::make({1u, 2u, 64u}) * data::make({12u, 21u, 57u}) *
                         data::make({false, true}),
                     walks, reads, bits, refill)
{
    constexpr uint32_t n_walkers = 3;
    struct plain_batch {
        std::vector<uint32_t> walks, waiting, reading; /* places */
        uint64_t group = 0;
        uint16_t vmid = 0;
        uint32_t taken = 0;
        bool open = false;
    };
    std::array<plain_batch, n_walkers> all;
    walkers w({n_walkers, walks, reads, static_cast<uint8_t>(bits), refill});
    buffer b(24);
    ww_rng random;
    ww_rng_init(&random, walks * 1000 + reads * 100 + bits + refill);
    std::list<ww_wbuf_job> waiting; /* oldest first */
    const auto has = [](const std::vector<uint32_t> &v, uint32_t p) {
        return std::find(v.begin(), v.end(), p) != v.end();
    };
    const auto began = [&](uint32_t place, uint64_t va, uint16_t vmid) {
        plain_batch &a = all[place / walks];
        if (a.walks.empty())
            a = {{}, {}, {}, va >> bits, vmid, 0, true};
        a.walks.push_back(place);
        ++a.taken;
        if (a.walks.size() == walks)
            a.open = refill;
    };
    for (uint32_t n = 0, req = 0; n < 4000; ++n) {
        const uint32_t place = ww_rng_below(&random, n_walkers * walks);
        plain_batch &mine = all[place / walks];
        switch (ww_rng_below(&random, 7)) {
        case 0:
        case 1:
            if (!ww_wbuf_full(b)) {
                const auto vmid = static_cast<uint16_t>(ww_rng_below(&random, 2));
                waiting.push_back(job(random_va(&random) & ~UINT64_C(0xfff), req, vmid));
                add(b, waiting.back().va, req++, vmid);
            }
            break;
        case 2: { /* an idle walker takes the oldest request */
            uint32_t idle = 0;
            while (idle < n_walkers && !all[idle].walks.empty())
                ++idle;
            BOOST_REQUIRE_EQUAL(w.idle(), idle == n_walkers ? no_place : idle * walks);
            if (idle != n_walkers && !waiting.empty()) {
                const ww_wbuf_job j = waiting.front();
                waiting.pop_front();
                ww_wbuf_remove(b, ww_wbuf_oldest(b));
                w.begin(idle * walks, j.va, j.vmid);
                began(idle * walks, j.va, j.vmid);
            }
            break;
        }
        case 3: { /* open batches take requests */
            uint32_t best = n_walkers;
            auto taken = waiting.end();
            for (uint32_t k = 0; k < n_walkers; ++k) {
                plain_batch &a = all[k];
                if (!a.open || a.walks.size() == walks ||
                    (best != n_walkers && a.walks.size() >= all[best].walks.size()))
                    continue;
                const auto found = std::find_if(waiting.begin(), waiting.end(), [&](const ww_wbuf_job &j) {
                    return j.vmid == a.vmid && j.va >> bits == a.group;
                });
                if (found == waiting.end()) {
                    a.open = refill;
                    continue;
                }
                best = k;
                taken = found;
            }
            const uint32_t got = w.next(b);
            BOOST_REQUIRE_EQUAL(got, best == n_walkers ? WW_WBUF_NONE : taken->req);
            if (best != n_walkers) {
                uint32_t expected = best * walks;
                while (has(all[best].walks, expected))
                    ++expected;
                BOOST_REQUIRE_EQUAL(w.given, expected);
                began(expected, taken->va, taken->vmid);
                waiting.erase(taken);
            }
            break;
        }
        case 4:
            if (has(mine.walks, place) && !has(mine.waiting, place) && !has(mine.reading, place)) {
                if (ww_rng_below(&random, 3) != 0) {
                    w.wait(place);
                    mine.waiting.push_back(place);
                } else {
                    mine.walks.erase(std::find(mine.walks.begin(), mine.walks.end(), place));
                    BOOST_REQUIRE_EQUAL(w.end(place), mine.walks.empty() ? mine.taken : 0);
                    if (mine.walks.empty())
                        mine = {};
                }
            }
            break;
        case 5: {
            const uint32_t most = std::min(reads, walks);
            const bool may = !mine.waiting.empty() && mine.reading.size() < most;
            BOOST_REQUIRE_EQUAL(w.read(place / walks), may ? mine.waiting.front() : no_place);
            if (may) {
                mine.reading.push_back(mine.waiting.front());
                mine.waiting.erase(mine.waiting.begin());
            }
            break;
        }
        default: {
            const bool had = has(mine.reading, place);
            BOOST_REQUIRE_EQUAL(w.back(place), had);
            if (had)
                mine.reading.erase(std::find(mine.reading.begin(), mine.reading.end(), place));
        }
        }
        for (uint32_t k = 0; k < n_walkers; ++k) {
            BOOST_REQUIRE_EQUAL(ww_march_at(w.m, k)->open, all[k].open);
            BOOST_REQUIRE_EQUAL(ww_march_reads(w.m, k), all[k].reading.size());
        }
    }
}

BOOST_AUTO_TEST_CASE(the_check_names_what_is_broken)
{
    const auto broken = [](bool refill, const auto &damage) {
        walkers w(plain(2, refill));
        w.begin(0);
        w.begin(1);
        w.begin(2);
        w.wait(0);
        w.wait(1);
        w.read(0);
        auto *batch = reinterpret_cast<ww_march_batch *>(w.m.bytes_at(w.m->batch_at));
        damage(batch[0], batch[1], w.m.bytes_at(w.m->queue_at));
        return text(ww_march_check(w.m));
    };
    using row = ww_march_batch;
    BOOST_TEST(broken(false, [](row &, row &, unsigned char *) {}) == "");
    BOOST_TEST(broken(false, [](row &a, row &, unsigned char *) { a.walks |= 16; }) ==
               "a walker has a walk in a place that it has not");
    BOOST_TEST(broken(false, [](row &a, row &, unsigned char *) { a.walks = 6; }) == "a read has no walk");
    BOOST_TEST(broken(false, [](row &, row &b, unsigned char *) { b.waiting = 1; }) == "a read has no walk");
    BOOST_TEST(broken(false, [](row &a, row &, unsigned char *) { a.reading |= 2; }) ==
               "a walk has two reads");
    BOOST_TEST(broken(false, [](row &a, row &, unsigned char *) {
                   a.waiting = 0;
                   a.reading = 7;
               }) == "a walker has more reads in flight than it may have");
    BOOST_TEST(broken(false, [](row &a, row &, unsigned char *) { a.taken = 2; }) ==
               "a batch has not had as many walks as it has");
    BOOST_TEST(broken(false, [](row &, row &b, unsigned char *) { b.taken = 1; }) ==
               "a batch has not had as many walks as it has");
    const char *open = "a batch is open without a walk, or without room and refill";
    BOOST_TEST(broken(true, [](row &, row &b, unsigned char *) { b.open = true; }) == open);
    const auto full = [](row &a, row &, unsigned char *) {
        a.walks = 15;
        a.taken = 4;
    };
    BOOST_TEST(broken(false, full) == open);
    BOOST_TEST(broken(true, full) == "");
    BOOST_TEST(broken(false, [](row &a, row &, unsigned char *) { a.first = 4; }) ==
               "a queue begins behind its end");
    BOOST_TEST(broken(false, [](row &a, row &, unsigned char *queue) { queue[a.first] = 2; }) ==
               "a queue has not the walks that wait");
    BOOST_TEST(broken(false, [](row &a, row &, unsigned char *) { a.waiting = 0; }) == "");
}

BOOST_AUTO_TEST_SUITE_END()

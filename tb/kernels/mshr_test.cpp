/* SPDX-License-Identifier: MIT */
/* MSHR file: examples, random operations against std::map of lists, damage that the check must name. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/bits.h"
#include "kernels/mshr.h"

#include "tb/kernels/blob.hpp"
#include <vector>

#include <iterator>
#include <map>
#include <stdexcept>
#include <string>

namespace bdata = boost::unit_test::data;
using walkway_tb::blob;

namespace
{

struct mshr {
    blob<ww_mshr> m;

    explicit mshr(const ww_mshr_cfg &cfg) : m(ww_mshr_bytes(&cfg))
    {
        BOOST_REQUIRE_EQUAL(ww_mshr_init(m, m.bytes(), &cfg), WW_OK);
    }

    ww_mshr_entry *entries() { return reinterpret_cast<ww_mshr_entry *>(m.bytes_at(m->entries_off)); }
    ww_mshr_node *nodes() { return reinterpret_cast<ww_mshr_node *>(m.bytes_at(m->nodes_off)); }
    std::vector<uint64_t> waiters(uint32_t idx) const
    {
        std::vector<uint64_t> all;
        uint32_t at = WW_MSHR_FIRST;
        uint64_t waiter = 0;
        while (ww_mshr_read(m, idx, &at, &waiter))
            all.push_back(waiter);
        return all;
    }
    std::string check() const
    {
        const char *broken = ww_mshr_check(m);
        return broken ? broken : "";
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(illegal_configurations_are_refused)
{
    blob<ww_mshr> m(4096);
    for (const ww_mshr_cfg cfg : {ww_mshr_cfg{0, 4}, {4, 0}, {WW_MSHR_MAX + 1, 4}, {4, WW_MSHR_MAX + 1}}) {
        BOOST_TEST(ww_mshr_bytes(&cfg) == 0u);
        BOOST_TEST(ww_mshr_init(m, m.bytes(), &cfg) == WW_E_ARG);
    }
    const ww_mshr_cfg good{4, 8};
    BOOST_TEST(ww_mshr_init(m, ww_mshr_bytes(&good) - 1, &good) == WW_E_SIZE);
}

BOOST_AUTO_TEST_CASE(waiters_stand_in_arrival_order)
{
    mshr f({2, 3});
    BOOST_TEST(ww_mshr_find(f.m, 99) == WW_MSHR_NONE);
    const uint32_t idx = ww_mshr_alloc(f.m, 99);
    BOOST_TEST(ww_mshr_find(f.m, 99) == idx);
    BOOST_TEST(ww_mshr_key(f.m, idx) == 99u);
    for (uint32_t waiter = 10; waiter < 13; ++waiter)
        BOOST_TEST(ww_mshr_add(f.m, idx, waiter));
    BOOST_TEST(ww_mshr_waiters_full(f.m));
    BOOST_TEST(!ww_mshr_add(f.m, idx, 13));
    BOOST_TEST(ww_mshr_waiters(f.m, idx) == 3u);
    BOOST_TEST(f.check() == "");
    BOOST_TEST(f.waiters(idx) == (std::vector<uint64_t>{10, 11, 12}), boost::test_tools::per_element());
    BOOST_TEST(ww_mshr_oldest(f.m, idx) == 10u);
    ww_mshr_free(f.m, idx);
    BOOST_TEST(ww_mshr_find(f.m, 99) == WW_MSHR_NONE);
    BOOST_TEST(f.check() == "");
}

BOOST_AUTO_TEST_CASE(a_full_file_refuses_a_new_key)
{
    mshr f({2, 8});
    BOOST_TEST(ww_mshr_alloc(f.m, 0) == 0u);
    BOOST_TEST(!ww_mshr_full(f.m));
    BOOST_TEST(ww_mshr_alloc(f.m, 1) == 1u);
    BOOST_TEST(ww_mshr_full(f.m));
    BOOST_TEST(ww_mshr_alloc(f.m, 2) == WW_MSHR_NONE);
    BOOST_TEST(ww_mshr_count(f.m) == 2u);
    ww_mshr_free(f.m, 0);
    BOOST_TEST(ww_mshr_alloc(f.m, 2) == 0u);
}

BOOST_AUTO_TEST_CASE(misuse_is_asserted)
{
    mshr f({2, 2});
    ww_mshr_alloc(f.m, 5);
    BOOST_CHECK_THROW(ww_mshr_add(f.m, 1, 0), std::logic_error);
    BOOST_CHECK_THROW(f.waiters(2), std::logic_error);
    BOOST_CHECK_THROW(ww_mshr_key(f.m, WW_MSHR_NONE), std::logic_error);
    BOOST_CHECK_THROW(ww_mshr_waiters(f.m, 1), std::logic_error);
    BOOST_CHECK_THROW(f.waiters(1), std::logic_error);
    BOOST_CHECK_THROW(ww_mshr_oldest(f.m, 0), std::logic_error); /* it has none */
    BOOST_CHECK_THROW(ww_mshr_free(f.m, 1), std::logic_error);
}

BOOST_AUTO_TEST_CASE(waiters_are_read_in_order_and_leave_with_their_entry)
{
    mshr f({3, 4});
    const uint32_t first = ww_mshr_alloc(f.m, 5), other = ww_mshr_alloc(f.m, 6);
    BOOST_TEST(f.waiters(first).empty());
    for (const uint32_t waiter : {70u, 71u, 72u})
        BOOST_TEST(ww_mshr_add(f.m, first, waiter));
    BOOST_TEST(ww_mshr_add(f.m, other, 80));
    BOOST_TEST(!ww_mshr_add(f.m, other, 81));
    BOOST_TEST(f.waiters(first) == (std::vector<uint64_t>{70, 71, 72}), boost::test_tools::per_element());
    BOOST_TEST(f.waiters(other) == std::vector<uint64_t>{80}, boost::test_tools::per_element());
    ww_mshr_free(f.m, first);
    BOOST_TEST(ww_mshr_find(f.m, 5) == WW_MSHR_NONE);
    BOOST_TEST(ww_mshr_check(f.m) == nullptr);
    for (const uint32_t waiter : {81u, 82u, 83u}) /* the three places are free again */
        BOOST_TEST(ww_mshr_add(f.m, other, waiter));
    BOOST_TEST(!ww_mshr_add(f.m, other, 84));
    BOOST_TEST(ww_mshr_waiters(f.m, other) == 4u);
    BOOST_TEST(ww_mshr_check(f.m) == nullptr);
}

BOOST_AUTO_TEST_CASE(the_index_grows_with_the_entries_and_keeps_them)
{
    mshr f({500, 1});
    for (uint64_t key = 0; key < 500; ++key) {
        BOOST_TEST(ww_mshr_alloc(f.m, key * 4096) == key);
        if (key % 3 == 0) /* holes: the lowest-numbered entries are not all in use when it grows */
            ww_mshr_free(f.m, static_cast<uint32_t>(key));
        if (key % 3 == 0)
            BOOST_TEST(ww_mshr_alloc(f.m, key * 4096 + 1) == key);
    }
    BOOST_TEST(ww_mshr_check(f.m) == nullptr);
    for (uint64_t key = 0; key < 500; ++key)
        BOOST_TEST(ww_mshr_find(f.m, key * 4096 + (key % 3 == 0 ? 1 : 0)) == key);
}

BOOST_AUTO_TEST_CASE(damage_is_named)
{
    mshr fresh({4, 5});
    ww_mshr_alloc(fresh.m, 5);
    ww_mshr_alloc(fresh.m, 6);
    for (const uint32_t waiter : {1u, 2u, 3u, 4u}) /* the first stands in its entry, the others in nodes */
        ww_mshr_add(fresh.m, 0, waiter);
    BOOST_TEST(fresh.check() == "");

    mshr f = fresh;
    f.entries()[1].key = 5;
    BOOST_TEST(f.check() == "mshr: a key is held twice or the index has lost it");
    f = fresh;
    ww_mshr_alloc(f.m, 5); /* misuse */
    BOOST_TEST(f.check() == "mshr: a key is held twice or the index has lost it");
    f = fresh;
    f.nodes()[2].next = 0;
    BOOST_TEST(f.check() == "mshr: the tail of a waiter list is not its end");
    f = fresh;
    f.nodes()[1].next = 0;
    BOOST_TEST(f.check() == "mshr: a waiter list has another length than its count");
    f = fresh;
    f.m->count = 3;
    BOOST_TEST(f.check() == "mshr: the count of entries is wrong");
    f = fresh;
    f.m->waiting = 3;
    BOOST_TEST(f.check() == "mshr: the count of waiters is wrong");
    f = fresh;
    f.m->free_node = WW_MSHR_NONE;
    BOOST_TEST(f.check() == "mshr: a waiter node is lost or free twice");
    f = fresh;
    f.m->free_entry = 3;
    BOOST_TEST(f.check() == "mshr: an entry is lost or free twice");
    f = fresh;
    f.entries()[3].next_free = 2;
    BOOST_TEST(f.check() == "mshr: an entry is lost or free twice");
}

BOOST_DATA_TEST_CASE(it_answers_as_a_map_of_lists,
                     (bdata::make({1u, 3u, 32u, 100u}) ^ bdata::make({1u, 8u, 40u, 1000u})) *
                         bdata::xrange(4),
                     entries, waiters, seed)
{
    mshr f({entries, waiters});
    std::map<uint64_t, std::vector<uint64_t>> reference;
    size_t waiting = 0;
    ww_rng rng;
    ww_rng_init(&rng, static_cast<uint64_t>(seed));
    for (uint32_t step = 0; step < 3000; ++step) {
        const uint64_t key = static_cast<uint64_t>(ww_rng_below(&rng, 2 * entries)) << 40;
        const uint32_t idx = ww_mshr_find(f.m, key);
        const auto held = reference.find(key);
        BOOST_REQUIRE_EQUAL(idx != WW_MSHR_NONE, held != reference.end());
        BOOST_REQUIRE_EQUAL(ww_mshr_full(f.m), reference.size() == entries);
        BOOST_REQUIRE_EQUAL(ww_mshr_waiters_full(f.m), waiting == waiters);
        if (held == reference.end()) {
            const bool room = reference.size() < entries;
            BOOST_REQUIRE_EQUAL(ww_mshr_alloc(f.m, key) != WW_MSHR_NONE, room);
            if (room)
                reference[key];
        } else if (ww_rng_below(&rng, 3) != 0) {
            const bool room = waiting < waiters;
            BOOST_REQUIRE_EQUAL(ww_mshr_add(f.m, idx, step), room);
            if (room) {
                held->second.push_back(step);
                waiting += 1;
            }
        } else {
            BOOST_REQUIRE_EQUAL(ww_mshr_waiters(f.m, idx), held->second.size());
            BOOST_REQUIRE(f.waiters(idx) == held->second);
            waiting -= held->second.size();
            ww_mshr_free(f.m, idx);
            reference.erase(held);
        }
        BOOST_REQUIRE_EQUAL(ww_mshr_count(f.m), reference.size());
        BOOST_REQUIRE_EQUAL(f.check(), "");
    }
    BOOST_TEST(f.m.intact());
}

/* SPDX-License-Identifier: MIT */
/* Tests the MSHR file: examples, random operations against std::map of lists, and damage that the check must
 * report. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/bits.h"
#include "kernels/store/mshr.h"

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
    uint32_t *pool() { return reinterpret_cast<uint32_t *>(m.bytes_at(m->pool_off)); }
    uint32_t *cells() { return reinterpret_cast<uint32_t *>(m.bytes_at(m->cells_off)); }
    std::vector<uint32_t> places(uint32_t idx) const
    {
        std::vector<uint32_t> all;
        for (uint32_t at = idx; at != WW_MSHR_NONE; at = ww_mshr_next(m, idx, at))
            all.push_back(at);
        return all;
    }
    std::string check() const
    {
        const char *broken = ww_mshr_check(m);
        return broken ? broken : "";
    }
};

} // namespace

using numbers = std::vector<uint32_t>;

BOOST_AUTO_TEST_CASE(illegal_configurations_are_refused)
{
    blob<ww_mshr> m(4096);
    for (const ww_mshr_cfg cfg : {ww_mshr_cfg{0, 4}, {WW_MSHR_MAX + 1, 4}, {4, WW_MSHR_MAX + 1}}) {
        BOOST_TEST(ww_mshr_bytes(&cfg) == 0u);
        BOOST_TEST(ww_mshr_init(m, m.bytes(), &cfg) == WW_E_ARG);
    }
    const ww_mshr_cfg good{4, 8};
    BOOST_TEST(ww_mshr_init(m, ww_mshr_bytes(&good) - 1, &good) == WW_E_SIZE);
}

BOOST_AUTO_TEST_CASE(places_stand_in_arrival_order)
{
    mshr f({2, 3});
    BOOST_TEST(ww_mshr_find(f.m, 99) == WW_MSHR_NONE);
    const uint32_t idx = ww_mshr_alloc(f.m, 99);
    BOOST_TEST(ww_mshr_find(f.m, 99) == idx);
    BOOST_TEST(f.places(idx) == numbers{idx}, boost::test_tools::per_element());
    for (uint32_t place = 2; place < 5; ++place) {
        BOOST_TEST(!ww_mshr_pool_empty(f.m));
        BOOST_TEST(ww_mshr_join(f.m, idx) == place); /* after those of the entries */
    }
    BOOST_TEST(ww_mshr_pool_empty(f.m));
    BOOST_TEST(ww_mshr_join(f.m, idx) == WW_MSHR_NONE);
    BOOST_TEST(ww_mshr_waiting(f.m) == 4u);
    BOOST_TEST(f.check() == "");
    BOOST_TEST(f.places(idx) == (numbers{0, 2, 3, 4}), boost::test_tools::per_element());
    ww_mshr_free(f.m, idx);
    BOOST_TEST(ww_mshr_find(f.m, 99) == WW_MSHR_NONE);
    BOOST_TEST(ww_mshr_waiting(f.m) == 0u);
    BOOST_TEST(f.check() == "");
}

BOOST_AUTO_TEST_CASE(a_file_without_a_pool_has_one_waiter_for_each_entry)
{
    mshr f({2, 0});
    const uint32_t idx = ww_mshr_alloc(f.m, 7);
    BOOST_TEST(ww_mshr_pool_empty(f.m));
    BOOST_TEST(ww_mshr_join(f.m, idx) == WW_MSHR_NONE);
    BOOST_TEST(f.places(idx) == numbers{idx}, boost::test_tools::per_element());
    ww_mshr_free(f.m, idx);
    BOOST_TEST(f.check() == "");
}

BOOST_AUTO_TEST_CASE(its_bits_are_those_of_entries_and_pool)
{
    const ww_mshr_cfg cfg{8, 24};
    BOOST_TEST(ww_mshr_bits(&cfg, 52, 16) == 8u * (1 + 52 + 16 + 2 * 5));
    BOOST_TEST(ww_mshr_pool_bits(&cfg, 16) == 24u * (16 + 5));
    const ww_mshr_cfg alone{8, 0};
    BOOST_TEST(ww_mshr_bits(&alone, 52, 16) == 8u * (1 + 52 + 16));
    BOOST_TEST(ww_mshr_pool_bits(&alone, 16) == 0u);
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
    BOOST_CHECK_THROW(ww_mshr_join(f.m, 1), std::logic_error);
    BOOST_CHECK_THROW(f.places(2), std::logic_error);
    BOOST_CHECK_THROW(f.places(1), std::logic_error);
    BOOST_CHECK_THROW(ww_mshr_free(f.m, 1), std::logic_error);
}

BOOST_AUTO_TEST_CASE(places_are_read_in_order_and_leave_with_their_entry)
{
    mshr f({3, 4});
    const uint32_t first = ww_mshr_alloc(f.m, 5), other = ww_mshr_alloc(f.m, 6);
    for (const uint32_t entry : {first, first, other, first})
        BOOST_TEST(ww_mshr_join(f.m, entry) != WW_MSHR_NONE);
    BOOST_TEST(ww_mshr_join(f.m, other) == WW_MSHR_NONE);
    BOOST_TEST(f.places(first) == (numbers{0, 3, 4, 6}), boost::test_tools::per_element());
    BOOST_TEST(f.places(other) == (numbers{1, 5}), boost::test_tools::per_element());
    ww_mshr_free(f.m, first);
    BOOST_TEST(ww_mshr_find(f.m, 5) == WW_MSHR_NONE);
    BOOST_TEST(f.check() == "");
    for (int i = 0; i < 3; ++i) /* the three places are free again */
        BOOST_TEST(ww_mshr_join(f.m, other) != WW_MSHR_NONE);
    BOOST_TEST(ww_mshr_join(f.m, other) == WW_MSHR_NONE);
    BOOST_TEST(ww_mshr_waiting(f.m) == 5u);
    BOOST_TEST(f.check() == "");
}

BOOST_AUTO_TEST_CASE(the_index_grows_with_the_entries_and_keeps_them)
{
    mshr f({500, 1});
    for (uint64_t key = 0; key < 500; ++key) {
        BOOST_TEST(ww_mshr_alloc(f.m, key * 4096) == key);
        if (key % 3 == 0) /* holes: not all low-numbered entries are in use when the index grows */
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
    for (int i = 0; i < 3; ++i) /* places 0, 1, 2 of the pool */
        ww_mshr_join(fresh.m, 0);
    BOOST_TEST(fresh.check() == "");

    mshr f = fresh;
    f.entries()[1].key = 5;
    BOOST_TEST(f.check() == "mshr: a key is held twice or the index has lost it");
    f = fresh;
    ww_mshr_alloc(f.m, 5); /* misuse */
    BOOST_TEST(f.check() == "mshr: a key is held twice or the index has lost it");
    for (const uint32_t wrong : {0u, 4u, 7u}) { /* a loop, a free place, a place that does not exist */
        f = fresh;
        f.pool()[2] = wrong;
        BOOST_TEST(f.check() == "mshr: a list of waiters has another length than its count");
    }
    f = fresh;
    f.entries()[0].word = ww_bits_put(WW_MSHR_LAST, f.entries()[0].word, 1);
    BOOST_TEST(f.check() == "mshr: the last waiter is not the list's end");
    f = fresh;
    f.m->count = 3;
    BOOST_TEST(f.check() == "mshr: a count is not that of the entries");
    f = fresh;
    f.m->joined = 2;
    BOOST_TEST(f.check() == "mshr: a count is not that of the entries");
    f = fresh;
    for (uint32_t cell = 0; cell <= f.m->cell_mask; ++cell)
        if (f.cells()[cell] == 0)
            f.cells()[cell] = 4;
    BOOST_TEST(f.check() == "mshr: the index holds what no entry does");
    f = fresh;
    f.m->free_place = WW_MSHR_NIL;
    BOOST_TEST(f.check() == "mshr: a place is lost or free twice");
    f = fresh;
    f.m->free_entry = 3;
    BOOST_TEST(f.check() == "mshr: an entry is lost or free twice");
    f = fresh;
    f.entries()[3].word = 2;
    BOOST_TEST(f.check() == "mshr: an entry is lost or free twice");
}

BOOST_DATA_TEST_CASE(it_answers_as_a_map_of_lists,
                     (bdata::make({1u, 3u, 32u, 100u}) ^ bdata::make({0u, 8u, 40u, 1000u})) *
                         bdata::xrange(4),
                     entries, merges, seed)
{
    mshr f({entries, merges});
    std::map<uint64_t, numbers> reference; /* per key: what waits at its places */
    std::map<uint32_t, uint32_t> at;       /* by place */
    size_t joined = 0;
    ww_rng rng;
    ww_rng_init(&rng, static_cast<uint64_t>(seed));
    for (uint32_t step = 0; step < 3000; ++step) {
        const uint64_t key = static_cast<uint64_t>(ww_rng_below(&rng, 2 * entries)) << 40;
        const uint32_t idx = ww_mshr_find(f.m, key);
        const auto held = reference.find(key);
        BOOST_REQUIRE_EQUAL(idx != WW_MSHR_NONE, held != reference.end());
        BOOST_REQUIRE_EQUAL(ww_mshr_full(f.m), reference.size() == entries);
        BOOST_REQUIRE_EQUAL(ww_mshr_pool_empty(f.m), joined == merges);
        if (held == reference.end()) {
            const bool room = reference.size() < entries;
            const uint32_t place = ww_mshr_alloc(f.m, key);
            BOOST_REQUIRE_EQUAL(place != WW_MSHR_NONE, room);
            if (room) {
                reference[key] = {step};
                at[place] = step;
            }
        } else if (ww_rng_below(&rng, 3) != 0) {
            const bool room = joined < merges;
            const uint32_t place = ww_mshr_join(f.m, idx);
            BOOST_REQUIRE_EQUAL(place != WW_MSHR_NONE, room);
            if (room) {
                BOOST_REQUIRE(place >= entries && place < entries + merges && at.count(place) == 0);
                held->second.push_back(step);
                at[place] = step;
                joined += 1;
            }
        } else {
            numbers waiters;
            for (const uint32_t place : f.places(idx)) {
                waiters.push_back(at[place]);
                at.erase(place);
            }
            BOOST_REQUIRE(waiters == held->second);
            joined -= held->second.size() - 1;
            ww_mshr_free(f.m, idx);
            reference.erase(held);
        }
        BOOST_REQUIRE_EQUAL(ww_mshr_count(f.m), reference.size());
        BOOST_REQUIRE_EQUAL(ww_mshr_waiting(f.m), reference.size() + joined);
        BOOST_REQUIRE_EQUAL(f.check(), "");
    }
    BOOST_TEST(f.m.intact());
}

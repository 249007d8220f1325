/* SPDX-License-Identifier: MIT */
/* Tests the tag store: geometry limits, random operations against lists in order of use, and damage that the
 * check must report. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/store/assoc.h"
#include "tb/kernels/blob.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <stdexcept>
#include <string>

namespace bdata = boost::unit_test::data;
using walkway_tb::blob;

namespace
{

struct owner {
    ww_assoc tags;
};

struct store {
    ww_assoc plan;
    blob<owner> o;

    static ww_assoc laid_out(uint32_t sets, uint32_t ways)
    {
        ww_assoc a;
        BOOST_REQUIRE(ww_assoc_plan(&a, sets, ways, sizeof(owner)) != 0);
        return a;
    }

    store(uint32_t sets, uint32_t ways)
        : plan(laid_out(sets, ways)), o(ww_assoc_plan(&plan, sets, ways, sizeof(owner)))
    {
        o->tags = plan;
        ww_assoc_flush(&o->tags, o);
    }

    uint32_t find(uint32_t set, uint64_t key) { return ww_assoc_find(&o->tags, o, set, key); }

    uint32_t put(uint32_t set, uint64_t key)
    {
        const uint32_t slot = ww_assoc_victim(&o->tags, o, set);
        ww_assoc_put(&o->tags, o, slot, key);
        return slot;
    }

    std::string check()
    {
        const char *broken = ww_assoc_check(&o->tags, o);
        return broken ? broken : "";
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(geometry_limits)
{
    ww_assoc a;
    BOOST_TEST(ww_assoc_plan(&a, 0, 4, 0) == 0u);
    BOOST_TEST(ww_assoc_plan(&a, 4, 0, 0) == 0u);
    BOOST_TEST(ww_assoc_plan(&a, 2, 64, 0) != 0u);
    BOOST_TEST(ww_assoc_plan(&a, 2, 65, 0) == 0u);
    BOOST_TEST(ww_assoc_plan(&a, 1, 4096, 0) != 0u);
    BOOST_TEST(ww_assoc_plan(&a, 1, 4097, 0) == 0u);
    BOOST_TEST(ww_assoc_plan(&a, WW_ASSOC_MAX_SLOTS / 16, 16, 0) != 0u);
    BOOST_TEST(ww_assoc_plan(&a, WW_ASSOC_MAX_SLOTS / 16 + 1, 16, 0) == 0u);
    BOOST_TEST(ww_assoc_plan(&a, 3, 5, 100) % 64 == 0u);
    BOOST_TEST(a.stride == 16u);
    BOOST_TEST(a.keys_off == 128u);
}

BOOST_DATA_TEST_CASE(it_answers_as_lists_in_order_of_use,
                     bdata::make({1u, 3u, 8u, 1u, 1u, 1u}) ^ bdata::make({1u, 5u, 16u, 64u, 65u, 200u}), sets,
                     ways)
{
    for (uint64_t seed = 0; seed < 4; ++seed) {
        store s(sets, ways);
        std::map<uint32_t, std::list<uint64_t>> order; /* oldest first */
        ww_rng rng;
        ww_rng_init(&rng, seed);
        for (int step = 0; step < 1500; ++step) {
            const uint64_t key = 1 + ww_rng_below(&rng, 2 * sets * ways);
            const uint32_t set = static_cast<uint32_t>(key % sets);
            auto &used = order[set];
            const auto at = std::find(used.begin(), used.end(), key);
            const uint32_t slot = s.find(set, key);
            BOOST_REQUIRE_EQUAL(slot != WW_ASSOC_NONE, at != used.end());
            if (at == used.end()) {
                const uint32_t victim = ww_assoc_victim(&s.o->tags, s.o, set);
                const uint64_t old = ww_assoc_keys(&s.o->tags, s.o)[victim];
                BOOST_REQUIRE_EQUAL(old, used.size() == ways ? used.front() : 0);
                if (used.size() == ways)
                    used.pop_front();
                ww_assoc_put(&s.o->tags, s.o, victim, key);
                used.push_back(key);
            } else if (ww_rng_below(&rng, 3) == 0) {
                ww_assoc_drop(&s.o->tags, s.o, slot);
                used.erase(at);
            } else {
                ww_assoc_touch(&s.o->tags, s.o, slot);
                used.splice(used.end(), used, at);
            }
            if (ways <= 16 || step % 50 == 0)
                BOOST_REQUIRE_EQUAL(s.check(), "");
        }
        BOOST_TEST(s.o.intact());
        ww_assoc_flush(&s.o->tags, s.o);
        BOOST_TEST(s.o->tags.live == 0u);
        BOOST_TEST(s.check() == "");
    }
}

BOOST_AUTO_TEST_CASE(equal_fingerprints_are_told_apart_by_the_key)
{
    store s(1, 16);
    uint64_t first = 0;
    uint32_t held = 0;
    for (uint64_t key = 1; held < 16; ++key) {
        if (first == 0)
            first = key;
        if (ww_fingerprint(key) != ww_fingerprint(first))
            continue;
        BOOST_TEST(s.find(0, key) == WW_ASSOC_NONE);
        const uint32_t slot = s.put(0, key);
        BOOST_TEST(s.find(0, key) == slot);
        held += 1;
    }
    BOOST_TEST(s.find(0, first) == 0u);
}

BOOST_AUTO_TEST_CASE(misuse_is_asserted)
{
    store s(2, 4);
    BOOST_CHECK_THROW(ww_assoc_put(&s.o->tags, s.o, 32, 1), std::logic_error);
    BOOST_CHECK_THROW(ww_assoc_put(&s.o->tags, s.o, 0, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_assoc_drop(&s.o->tags, s.o, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_assoc_drop(&s.o->tags, s.o, 32), std::logic_error);
}

BOOST_DATA_TEST_CASE(damage_is_named, bdata::make({4u, 100u}), ways)
{
    store fresh(1, ways);
    for (uint64_t key = 1; key <= 3; ++key)
        fresh.put(0, key);
    BOOST_TEST(fresh.check() == "");

    const bool wide = ways > WW_ASSOC_SCAN_WAYS;
    /* sets a way's place in the order of use; 0 means none */
    const auto place = [&](store &s, uint32_t way, uint64_t value) {
        if (wide) {
            s.o.words(s.plan.stamps_off)[way] = value;
            return;
        }
        s.o.bytes_at(s.plan.sets_off)[s.plan.stride + way] = static_cast<unsigned char>(value);
    };
    store s = fresh;
    place(s, 1, 0);
    BOOST_TEST(s.check() == "assoc: a key without a place in the order of use, or a place without a key");
    s = fresh;
    s.o.words(s.plan.keys_off)[2] = 0;
    BOOST_TEST(s.check() == "assoc: a key without a place in the order of use, or a place without a key");
    s = fresh;
    s.o.words(s.plan.keys_off)[ways] = 77;
    place(s, ways, 1);
    BOOST_TEST(s.check() == "assoc: a key in the padding of a set");
    s = fresh;
    s.o.words(s.plan.keys_off)[2] = 1;
    BOOST_TEST(s.check() == "assoc: a key is held twice or the index has lost it");
    s = fresh;
    place(s, 2, wide ? 1 : 3); /* the oldest place, which way 0 already has */
    BOOST_TEST(s.check() == (wide ? "two valid ways carry one stamp" : "two valid ways have one rank"));
    s = fresh;
    s.o->tags.live = 2;
    BOOST_TEST(s.check() == "assoc: the count of valid slots is wrong");
}

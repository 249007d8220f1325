/* SPDX-License-Identifier: MIT */
/* Bit fields, powers of two, the hash finaliser and the generator. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/bits.h"

#include <array>
#include <cstring>
#include <set>
#include <stdexcept>

namespace bdata = boost::unit_test::data;

BOOST_AUTO_TEST_CASE(a_mask_holds_both_its_ends)
{
    BOOST_TEST(WW_BITS64(0, 0) == 1u);
    BOOST_TEST(WW_BITS64(63, 63) == UINT64_C(1) << 63);
    BOOST_TEST(WW_BITS64(63, 0) == UINT64_MAX);
    BOOST_TEST(WW_BITS64(51, 12) == UINT64_C(0x000ffffffffff000));
}

BOOST_AUTO_TEST_CASE(every_field_reads_back_and_leaves_its_neighbours)
{
    struct ww_rng rng;
    ww_rng_init(&rng, 1);
    for (unsigned lo = 0; lo < 64; lo++) {
        for (unsigned hi = lo; hi < 64; hi++) {
            const uint64_t mask = WW_BITS64(hi, lo);
            const uint64_t word = ww_rng_next(&rng);
            const uint64_t value = ww_rng_next(&rng) & (mask >> lo);
            const uint64_t changed = ww_bits_put(mask, word, value);
            BOOST_REQUIRE_EQUAL(ww_bits_get(mask, changed), value);
            BOOST_REQUIRE_EQUAL(changed & ~mask, word & ~mask);
            BOOST_REQUIRE_EQUAL(__builtin_popcountll(mask), static_cast<int>(hi - lo + 1));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_value_that_does_not_fit_its_field_is_a_defect)
{
    BOOST_TEST(ww_bits_put(WW_BITS64(7, 4), 0, 15) == 0xf0u);
    BOOST_CHECK_THROW(ww_bits_put(WW_BITS64(7, 4), 0, 16), std::logic_error);
    BOOST_CHECK_THROW(ww_bits_put(WW_BITS64(63, 63), 0, 2), std::logic_error);
}

BOOST_AUTO_TEST_CASE(powers_of_two_and_floor_logarithms)
{
    BOOST_TEST(!ww_is_pow2(0));
    for (uint32_t k = 0; k < 64; k++) {
        const uint64_t n = UINT64_C(1) << k;
        BOOST_TEST(ww_is_pow2(n));
        BOOST_TEST(ww_log2_u64(n) == k);
        if (k > 1) {
            BOOST_TEST(!ww_is_pow2(n - 1));
            BOOST_TEST(!ww_is_pow2(n + 1));
            BOOST_TEST(ww_log2_u64(n - 1) == k - 1);
            BOOST_TEST(ww_log2_u64(n + 1) == k);
        }
    }
    BOOST_CHECK_THROW(ww_log2_u64(0), std::logic_error);
}

BOOST_AUTO_TEST_CASE(the_generator_gives_the_published_splitmix64_sequence)
{
    struct ww_rng rng;
    ww_rng_init(&rng, 1234567);
    const std::array<uint64_t, 5> expect = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                            UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                            UINT64_C(16408922859458223821)};
    for (uint64_t value : expect)
        BOOST_TEST(ww_rng_next(&rng) == value);
}

BOOST_AUTO_TEST_CASE(the_finaliser_does_not_collide_and_spreads_one_bit)
{
    std::set<uint64_t> seen;
    for (uint64_t x = 0; x < 20000; x++)
        seen.insert(ww_mix64(x << 12));
    BOOST_TEST(seen.size() == 20000u);
    for (unsigned bit = 0; bit < 64; bit++) {
        const int flipped = __builtin_popcountll(ww_mix64(42) ^ ww_mix64(42 ^ (UINT64_C(1) << bit)));
        BOOST_TEST(flipped >= 12);
        BOOST_TEST(flipped <= 52);
    }
}

BOOST_DATA_TEST_CASE(bounded_numbers_stay_below_and_reach_every_value,
                     bdata::make({1u, 2u, 3u, 7u, 64u, 1000u}), n)
{
    struct ww_rng rng;
    ww_rng_init(&rng, n);
    std::set<uint32_t> seen;
    for (int i = 0; i < 20000; i++) {
        const uint32_t value = ww_rng_below(&rng, n);
        BOOST_REQUIRE_LT(value, n);
        seen.insert(value);
    }
    BOOST_TEST(seen.size() == n);
    BOOST_CHECK_THROW(ww_rng_below(&rng, 0), std::logic_error);
}

BOOST_AUTO_TEST_CASE(ones_are_counted)
{
    BOOST_TEST(ww_bits_count(0) == 0u);
    BOOST_TEST(ww_bits_count(0x201000) == 2u);
    BOOST_TEST(ww_bits_count(UINT64_MAX) == 64u);
}

BOOST_AUTO_TEST_CASE(a_copied_generator_continues_alike)
{
    struct ww_rng rng, copy;
    ww_rng_init(&rng, 9);
    ww_rng_next(&rng);
    std::memcpy(&copy, &rng, sizeof rng);
    for (int i = 0; i < 100; i++)
        BOOST_REQUIRE_EQUAL(ww_rng_next(&rng), ww_rng_next(&copy));
}

BOOST_AUTO_TEST_CASE(blob_sizes_round_up_to_a_line)
{
    BOOST_TEST(ww_align64(0) == 0u);
    BOOST_TEST(ww_align64(1) == 64u);
    BOOST_TEST(ww_align64(64) == 64u);
    BOOST_TEST(ww_align64(65) == 128u);
}

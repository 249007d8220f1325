/* SPDX-License-Identifier: MIT */
/* Tests the place of a region in a hashed page table: tags, home slots, slots of steps. */
#include <boost/test/unit_test.hpp>

#include "kernels/table/hashed_slot.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace
{
constexpr uint64_t region = UINT64_C(1) << 21, group = UINT64_C(1) << 25;
}

BOOST_AUTO_TEST_CASE(an_address_splits_into_the_tags_of_its_region_and_group)
{
    const uint64_t va = UINT64_C(0xffff'ffff'ffff) - (UINT64_C(5) << 21) - 0x1fffff;
    BOOST_TEST(ww_hashed_tag(va) == 0x7ff'fffau);
    BOOST_TEST(ww_hashed_group(va) == 0x7f'ffffu);
    BOOST_TEST(ww_hashed_member(va) == 10u);
    BOOST_TEST(ww_hashed_tag(va | (region - 1)) == ww_hashed_tag(va));
    BOOST_TEST(ww_hashed_group(va | (group - 1)) == ww_hashed_group(va));
    BOOST_TEST(ww_hashed_tag(UINT64_C(1) << 48) == 0u); /* higher bits do not belong to the tag */
    BOOST_TEST(WW_HASHED_TAG_BITS == 27u);
    BOOST_TEST(WW_HASHED_GROUP_TAG_BITS == 23u);
}

BOOST_AUTO_TEST_CASE(all_addresses_of_a_region_have_the_same_home_and_it_is_a_slot)
{
    for (const uint64_t slots : {8u, 9u, 1000u, 40961u, 1u << 27})
        for (uint64_t tag = 0; tag < 3000; ++tag) {
            const uint64_t home = ww_hashed_home(tag * region, slots);
            BOOST_REQUIRE(home < slots);
            BOOST_REQUIRE(ww_hashed_home(tag * region + region - 1, slots) == home);
        }
}

/* Regions at common strides, in tables whose number of slots is or is not a power of two: no slot is the home
 * of many more regions than chance predicts. */
BOOST_AUTO_TEST_CASE(strided_regions_spread_over_the_slots)
{
    for (const uint64_t slots : {1024u, 1000u})
        for (const uint64_t stride : {1u, 2u, 16u, 512u, 1024u, 1000u, 65536u}) {
            std::vector<unsigned> homes(slots);
            for (uint64_t i = 0; i < slots; ++i)
                ++homes[ww_hashed_home(i * stride * region, slots)];
            const auto used = static_cast<uint64_t>(slots - std::count(homes.begin(), homes.end(), 0u));
            BOOST_TEST_INFO_SCOPE("slots " << slots << ", stride " << stride);
            BOOST_TEST(used > slots * 58 / 100); /* chance gives 63 in 100 */
            BOOST_TEST(*std::max_element(homes.begin(), homes.end()) <= 8u);
        }
}

BOOST_AUTO_TEST_CASE(steps_go_on_by_the_stride_and_round_the_end)
{
    const uint64_t slots = 1000, stride = 333;
    for (uint64_t tag = 0; tag < 500; ++tag) {
        const uint64_t va = tag * region + 0x1234;
        uint64_t expected = ww_hashed_home(va, slots);
        for (uint32_t step = 0; step < WW_HASHED_STEPS; ++step) {
            BOOST_REQUIRE(ww_hashed_slot(va, step, slots, stride) == expected);
            expected += stride;
            if (expected >= slots)
                expected -= slots;
        }
    }
}

BOOST_AUTO_TEST_CASE(a_legal_table_has_eight_different_slots_for_every_region)
{
    for (uint64_t slots = 1; slots < 80; ++slots)
        for (uint64_t stride = 0; stride < 90; ++stride) {
            std::set<uint64_t> seen;
            if (stride < slots)
                for (uint32_t step = 0; step < WW_HASHED_STEPS; ++step)
                    seen.insert(ww_hashed_slot(7 * region, step, slots, stride));
            BOOST_REQUIRE((ww_hashed_wrong(slots, stride) == nullptr) == (seen.size() == WW_HASHED_STEPS));
        }
    BOOST_TEST(ww_hashed_wrong(UINT64_C(1) << 27, 1) == nullptr);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_table_is_said)
{
    BOOST_TEST(std::string(ww_hashed_wrong(7, 1)) == "a hashed page table has 8 to 2^27 slots");
    BOOST_TEST(std::string(ww_hashed_wrong((UINT64_C(1) << 27) + 1, 1)) ==
               "a hashed page table has 8 to 2^27 slots");
    BOOST_TEST(std::string(ww_hashed_wrong(8, 0)) == "the stride is not between 1 and the number of slots");
    BOOST_TEST(std::string(ww_hashed_wrong(8, 8)) == "the stride is not between 1 and the number of slots");
    BOOST_TEST(std::string(ww_hashed_wrong(14, 2)) ==
               "multiples of the stride come back to the first slot before the eighth step");
}

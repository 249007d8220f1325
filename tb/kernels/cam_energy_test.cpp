/* SPDX-License-Identifier: MIT */
/* CAM energy: the paper's constants, sums by hand, random cases against wide arithmetic. */
#include <boost/test/unit_test.hpp>

#include "kernels/bits.h"
#include "kernels/cam_energy.h"

#include <stdexcept>

BOOST_AUTO_TEST_CASE(the_constants_are_the_papers)
{
    const ww_cam_counts read{1000, 0};
    const ww_cam_counts write{0, 1000};
    BOOST_TEST(ww_cam_energy_pj(&read) == 41000u);   /* 0.041 nJ each */
    BOOST_TEST(ww_cam_energy_pj(&write) == 196000u); /* 0.196 nJ each */
    BOOST_TEST(WW_CAM_AREA_UM2 == 48000u);           /* 0.048 mm2 */
}

BOOST_AUTO_TEST_CASE(saved_power_by_hand)
{
    /* 3 uJ less in DRAM, 1 uJ spent in the CAM, over 20 us: 2 uJ / 20 us = 100 mW. */
    BOOST_TEST(ww_cam_saved_uw(10000000, 7000000, 1000000, 20000000) == 100000);
    BOOST_TEST(ww_cam_saved_uw(7000000, 10000000, 1000000, 20000000) == -200000);
    BOOST_TEST(ww_cam_saved_uw(5, 5, 0, 1) == 0);
    BOOST_TEST(ww_cam_saved_uw(2, 0, 0, 3) == 666666); /* towards zero */
    BOOST_TEST(ww_cam_saved_uw(0, 2, 0, 3) == -666666);
}

BOOST_AUTO_TEST_CASE(random_cases_equal_wide_arithmetic)
{
    ww_rng rng;
    ww_rng_init(&rng, 1);
    for (int step = 0; step < 10000; ++step) {
        const uint64_t base = ww_rng_next(&rng) >> (14 + ww_rng_below(&rng, 40));
        const uint64_t design = ww_rng_next(&rng) >> (14 + ww_rng_below(&rng, 40));
        const uint64_t cam = ww_rng_next(&rng) >> (14 + ww_rng_below(&rng, 40));
        const uint64_t time = 1 + (ww_rng_next(&rng) >> (21 + ww_rng_below(&rng, 8)));
        __extension__ typedef __int128 wide;
        const wide saved = static_cast<wide>(base) - static_cast<wide>(design) - static_cast<wide>(cam);
        BOOST_REQUIRE_EQUAL(ww_cam_saved_uw(base, design, cam, time),
                            static_cast<int64_t>(saved * 1000000 / time));
    }
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_asserted)
{
    const ww_cam_counts reads{UINT64_MAX / 2 / WW_CAM_READ_PJ + 1, 0};
    const ww_cam_counts writes{0, UINT64_MAX / 2 / WW_CAM_WRITE_PJ + 1};
    BOOST_CHECK_THROW(ww_cam_energy_pj(&reads), std::logic_error);
    BOOST_CHECK_THROW(ww_cam_energy_pj(&writes), std::logic_error);
    const uint64_t limit = uint64_t{1} << 62;
    BOOST_CHECK_THROW(ww_cam_saved_uw(limit, 0, 0, 1000), std::logic_error);
    BOOST_CHECK_THROW(ww_cam_saved_uw(0, limit, 0, 1000), std::logic_error);
    BOOST_CHECK_THROW(ww_cam_saved_uw(0, 0, limit, 1000), std::logic_error);
    BOOST_CHECK_THROW(ww_cam_saved_uw(0, 0, 0, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_cam_saved_uw(0, 0, 0, UINT64_MAX / 1000000 + 1), std::logic_error);
    BOOST_CHECK_THROW(ww_cam_saved_uw(limit - 1, 0, 0, 1), std::logic_error);
}

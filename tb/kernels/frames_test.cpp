/* SPDX-License-Identifier: MIT */
/* Frame layouts: bijections for every policy and size, alignment of units, dependence on the seed. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/table/frames.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace bdata = boost::unit_test::data;

namespace
{
struct ww_frames_cfg make_cfg(enum ww_frame_policy policy, uint8_t unit_shift, uint32_t run_frames,
                              uint64_t frames)
{
    struct ww_frames_cfg cfg = {};
    cfg.policy = static_cast<uint8_t>(policy);
    cfg.unit_shift = unit_shift;
    cfg.run_frames = run_frames;
    cfg.frames = frames;
    cfg.base_frame = UINT64_C(1) << 20;
    cfg.seed = 7;
    return cfg;
}

void require_bijection(const struct ww_frames_cfg &cfg)
{
    BOOST_REQUIRE(ww_frames_check(&cfg) == nullptr);
    std::vector<bool> taken(cfg.frames, false);
    for (uint64_t i = 0; i < cfg.frames; i++) {
        const uint64_t frame = ww_frame_of(&cfg, i);
        BOOST_REQUIRE_GE(frame, cfg.base_frame);
        BOOST_REQUIRE_LT(frame, cfg.base_frame + cfg.frames);
        BOOST_REQUIRE(!taken[frame - cfg.base_frame]);
        taken[frame - cfg.base_frame] = true;
        BOOST_REQUIRE_EQUAL(ww_frame_pa(&cfg, i), frame << 12);
    }
}

uint64_t neighbours(const struct ww_frames_cfg &cfg)
{
    uint64_t count = 0;
    for (uint64_t i = 1; i < cfg.frames; i++)
        count += ww_frame_of(&cfg, i) == ww_frame_of(&cfg, i - 1) + 1;
    return count;
}
} // namespace

BOOST_AUTO_TEST_CASE(policies_have_names)
{
    BOOST_TEST(std::string(ww_frame_policy_name(WW_FRAMES_CONTIGUOUS)) == "CONTIGUOUS");
    BOOST_TEST(std::string(ww_frame_policy_name(WW_FRAMES_RANDOM)) == "RANDOM");
    BOOST_TEST(std::string(ww_frame_policy_name(WW_FRAMES_FRAGMENTED)) == "FRAGMENTED");
    BOOST_TEST(std::string(ww_frame_policy_name(static_cast<enum ww_frame_policy>(3))) == "?");
}

BOOST_AUTO_TEST_CASE(contiguous_is_the_identity_from_the_base)
{
    const struct ww_frames_cfg cfg = make_cfg(WW_FRAMES_CONTIGUOUS, 12, 0, 1000);
    require_bijection(cfg);
    for (uint64_t i = 0; i < cfg.frames; i++)
        BOOST_REQUIRE_EQUAL(ww_frame_of(&cfg, i), cfg.base_frame + i);
    BOOST_CHECK_THROW(ww_frame_of(&cfg, 1000), std::logic_error);
}

BOOST_DATA_TEST_CASE(random_is_a_bijection_of_any_count,
                     bdata::xrange(1, 70) + bdata::make({255, 256, 257, 1000, 65535, 65537}), frames)
{
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct ww_frames_cfg cfg = make_cfg(WW_FRAMES_RANDOM, 12, 0, static_cast<uint64_t>(frames));
        cfg.seed = seed;
        require_bijection(cfg);
    }
}

BOOST_DATA_TEST_CASE(fragmented_is_a_bijection_that_keeps_runs,
                     bdata::make({1u, 2u, 3u, 16u, 100u}) * bdata::make({1, 99, 100, 101, 4096}), run, frames)
{
    const struct ww_frames_cfg cfg = make_cfg(WW_FRAMES_FRAGMENTED, 12, run, static_cast<uint64_t>(frames));
    require_bijection(cfg);
    for (uint64_t i = 1; i < cfg.frames; i++)
        if (i % run != 0)
            BOOST_REQUIRE_EQUAL(ww_frame_of(&cfg, i), ww_frame_of(&cfg, i - 1) + 1);
}

BOOST_DATA_TEST_CASE(a_unit_stays_together_and_aligned,
                     bdata::make({WW_FRAMES_CONTIGUOUS, WW_FRAMES_RANDOM, WW_FRAMES_FRAGMENTED}) *
                         bdata::make({16, 21}),
                     policy, unit_shift)
{
    const uint64_t unit = UINT64_C(1) << (unit_shift - 12);
    const struct ww_frames_cfg cfg =
        make_cfg(policy, static_cast<uint8_t>(unit_shift), static_cast<uint32_t>(3 * unit), 40 * unit);
    require_bijection(cfg);
    for (uint64_t i = 0; i < cfg.frames; i++)
        BOOST_REQUIRE_EQUAL(ww_frame_of(&cfg, i) % unit, i % unit);
}

BOOST_AUTO_TEST_CASE(the_policies_differ_in_how_many_neighbours_stay_neighbours)
{
    const uint64_t n = 16384;
    BOOST_TEST(neighbours(make_cfg(WW_FRAMES_CONTIGUOUS, 12, 0, n)) == n - 1);
    BOOST_TEST(neighbours(make_cfg(WW_FRAMES_RANDOM, 12, 0, n)) < 16u);
    const uint64_t fragmented = neighbours(make_cfg(WW_FRAMES_FRAGMENTED, 12, 64, n));
    BOOST_TEST(fragmented >= n - n / 64);
    BOOST_TEST(fragmented < n - n / 64 + 16);
}

BOOST_AUTO_TEST_CASE(the_seed_and_the_run_length_change_the_layout)
{
    struct ww_frames_cfg a = make_cfg(WW_FRAMES_FRAGMENTED, 12, 8, 4096);
    struct ww_frames_cfg b = a, c = a;
    b.seed = 8;
    c.run_frames = 16;
    uint64_t differ_b = 0, differ_c = 0;
    for (uint64_t i = 0; i < a.frames; i++) {
        differ_b += ww_frame_of(&a, i) != ww_frame_of(&b, i);
        differ_c += ww_frame_of(&a, i) != ww_frame_of(&c, i);
    }
    BOOST_TEST(differ_b > 4000u);
    BOOST_TEST(differ_c > 4000u);
}

BOOST_AUTO_TEST_CASE(a_large_region_needs_no_memory)
{
    struct ww_frames_cfg cfg = make_cfg(WW_FRAMES_RANDOM, 12, 0, (UINT64_C(1) << 40) - (UINT64_C(1) << 20));
    BOOST_REQUIRE(ww_frames_check(&cfg) == nullptr);
    for (uint64_t i = 0; i < cfg.frames; i += cfg.frames / 1000)
        BOOST_REQUIRE_LT(ww_frame_of(&cfg, i) - cfg.base_frame, cfg.frames);
}

BOOST_AUTO_TEST_CASE(an_illegal_configuration_is_named)
{
    const struct ww_frames_cfg good = make_cfg(WW_FRAMES_FRAGMENTED, 16, 32, 160);
    BOOST_TEST(ww_frames_check(&good) == nullptr);
    const auto refused = [&good](auto change, const char *word) {
        struct ww_frames_cfg cfg = good;
        change(cfg);
        const char *text = ww_frames_check(&cfg);
        BOOST_REQUIRE(text != nullptr);
        BOOST_TEST(std::string(text).find(word) != std::string::npos, text);
    };
    refused([](auto &c) { c.policy = 3; }, "policy");
    refused([](auto &c) { c.unit_shift = 11; }, "unit is not");
    refused([](auto &c) { c.unit_shift = 31; }, "unit is not");
    refused([](auto &c) { c.frames = 0; }, "number of frames");
    refused([](auto &c) { c.frames = 161; }, "number of frames");
    refused([](auto &c) { c.base_frame = 1; }, "first frame");
    refused([](auto &c) { c.frames = UINT64_C(1) << 41; }, "52 bits");
    refused([](auto &c) { c.base_frame = UINT64_C(1) << 40; }, "52 bits");
    refused([](auto &c) { c.run_frames = 0; }, "run");
    refused([](auto &c) { c.run_frames = 33; }, "run");
}

/* SPDX-License-Identifier: MIT */
/* Tests the banks of the LDS: the cycles of accesses by example, random ones against sets of words, and
 * damage that the check reports. */
#include <boost/test/unit_test.hpp>

#include "kernels/bits.h"
#include "kernels/lds.h"
#include "tb/kernels/blob.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

using walkway_tb::blob;

namespace
{

struct lanes {
    uint64_t mask;
    uint32_t bytes;
    bool atomic;
    std::array<uint64_t, WW_LDS_LANES> offset;
};

struct lds {
    blob<ww_lds> l;
    explicit lds(const ww_lds_cfg &cfg) : l(ww_lds_bytes(&cfg))
    {
        BOOST_REQUIRE_EQUAL(ww_lds_init(l, l.bytes(), &cfg), WW_OK);
    }
    ww_lds_need begin(const lanes &a)
    {
        ww_lds_need need{};
        const ww_lds_access wanted = {a.mask, a.offset.data(), a.bytes, a.atomic};
        ww_lds_begin(l, &wanted, &need);
        BOOST_TEST(check() == "");
        BOOST_TEST(need.wanted == need.words + need.shared);
        return need;
    }
    /* Begins the access on idle banks and serves it completely. */
    ww_lds_need take(const lanes &a)
    {
        const ww_lds_need need = begin(a);
        ww_lds_serve(l, need.cycles - 1);
        BOOST_TEST(ww_lds_busy(l) == 1u);
        ww_lds_serve(l, 1);
        BOOST_TEST(ww_lds_busy(l) == 0u);
        BOOST_TEST(check() == "");
        return need;
    }
    std::string check() const
    {
        const char *broken = ww_lds_check(l);
        return broken ? broken : "";
    }
};

/* Lane n accesses n * step. */
lanes stride(uint64_t step, uint32_t bytes = 4, bool atomic = false, uint64_t mask = UINT64_MAX)
{
    lanes a{};
    a.mask = mask;
    a.bytes = bytes;
    a.atomic = atomic;
    for (uint64_t n = 0; n < WW_LDS_LANES; ++n)
        a.offset[n] = n * step;
    return a;
}

} // namespace

BOOST_AUTO_TEST_CASE(illegal_configurations_are_refused)
{
    std::vector<ww_lds_cfg> bad(8, {32, 4, 1});
    bad[0].banks = 0;
    bad[1].banks = 24;
    bad[2].banks = 128;
    bad[3].word_bytes = 2;
    bad[4].word_bytes = 12;
    bad[5].word_bytes = 32;
    bad[6].ports = 0;
    bad[7].ports = 65;
    blob<ww_lds> l(4096);
    for (const ww_lds_cfg &cfg : bad) {
        BOOST_TEST(ww_lds_bytes(&cfg) == 0u);
        BOOST_TEST(ww_lds_init(l, l.bytes(), &cfg) == WW_E_ARG);
    }
    const ww_lds_cfg good = {64, 16, 64};
    BOOST_TEST(ww_lds_init(l, ww_lds_bytes(&good) - 1, &good) == WW_E_SIZE);
    blob<ww_lds> fits(ww_lds_bytes(&good));
    BOOST_TEST(ww_lds_init(fits, fits.bytes(), &good) == WW_OK);
    BOOST_TEST(fits.intact());
}

BOOST_AUTO_TEST_CASE(neighbouring_words_take_two_cycles_of_32_banks_and_one_of_two_ports_each)
{
    lds one({32, 4, 1}), two({32, 4, 2});
    const ww_lds_need need = one.take(stride(4));
    BOOST_TEST(need.words == 64u);
    BOOST_TEST(need.cycles == 2u);
    BOOST_TEST(need.least == 2u);
    BOOST_TEST(two.take(stride(4)).cycles == 1u);
}

BOOST_AUTO_TEST_CASE(a_stride_of_all_banks_takes_a_cycle_a_lane)
{
    lds l({32, 4, 1});
    const ww_lds_need need = l.take(stride(32 * 4));
    BOOST_TEST(need.cycles == 64u);
    BOOST_TEST(need.least == 2u);
    BOOST_TEST(l.take(stride(33 * 4)).cycles == 2u); /* padded: no conflict */
}

BOOST_AUTO_TEST_CASE(lanes_at_one_word_share_it_but_their_atomics_follow_each_other)
{
    lds l({32, 4, 1});
    const ww_lds_need read = l.take(stride(0));
    BOOST_TEST(read.cycles == 1u);
    BOOST_TEST(read.words == 1u);
    BOOST_TEST(read.shared == 63u);
    BOOST_TEST(l.take(stride(1, 1)).words == 16u); /* four bytes per word */
    const ww_lds_need atomic = l.take(stride(0, 4, true));
    BOOST_TEST(atomic.cycles == 64u);
    BOOST_TEST(atomic.shared == 0u);
}

BOOST_AUTO_TEST_CASE(wide_and_unaligned_lanes_want_every_word_they_touch)
{
    lds l({32, 4, 1});
    BOOST_TEST(l.take(stride(0, 16, false, 1)).words == 4u);
    lanes a = stride(0, 4, false, 1);
    a.offset[0] = 3;
    BOOST_TEST(l.take(a).words == 2u);
    a.bytes = 128;
    BOOST_TEST(l.take(a).words == 33u);
    BOOST_TEST(l.take(stride(132, 128)).wanted == 64u * 32);
    lanes most = stride(128, 128);
    for (uint64_t &at : most.offset)
        at += 1;
    BOOST_TEST(l.take(most).words == WW_LDS_WORDS - 63u); /* neighbours share their last word */
    most.atomic = true;
    BOOST_TEST(l.take(most).words == WW_LDS_WORDS);
}

BOOST_AUTO_TEST_CASE(an_offset_at_the_end_of_the_numbers_is_an_offset)
{
    lds l({32, 4, 1});
    lanes a = stride(0, 128, false, 1);
    a.offset[0] = UINT64_MAX - 3;
    BOOST_TEST(l.take(a).words == 32u);
}

BOOST_AUTO_TEST_CASE(an_inactive_lane_wants_nothing)
{
    lds l({32, 4, 1});
    BOOST_TEST(l.take(stride(128, 4, false, 5)).words == 2u);
}

BOOST_AUTO_TEST_CASE(service_may_be_counted_later_than_it_ended)
{
    lds l({32, 4, 1});
    l.begin(stride(128));
    ww_lds_serve(l.l, 0);
    BOOST_TEST(ww_lds_busy(l.l) == 64u);
    ww_lds_serve(l.l, UINT64_MAX);
    BOOST_TEST(ww_lds_busy(l.l) == 0u);
    BOOST_TEST(l.check() == "");
}

BOOST_AUTO_TEST_CASE(random_accesses_take_what_sets_of_words_say)
{
    ww_rng random;
    ww_rng_init(&random, 5);
    for (unsigned round = 0; round < 3000; ++round) {
        const ww_lds_cfg cfg = {1u << ww_rng_below(&random, 7), 4u << ww_rng_below(&random, 3),
                                1 + ww_rng_below(&random, 4)};
        lds l(cfg);
        lanes a{};
        a.mask = ww_rng_next(&random) | uint64_t{1} << ww_rng_below(&random, 64);
        a.bytes = 1 + ww_rng_below(&random, 128);
        a.atomic = ww_rng_below(&random, 4) == 0;
        for (uint64_t &at : a.offset)
            at = ww_rng_below(&random, 2048);
        std::map<uint64_t, std::multiset<uint64_t>> by_bank;
        uint32_t wanted = 0;
        for (unsigned lane = 0; lane < 64; ++lane)
            for (uint64_t word = a.offset[lane] / cfg.word_bytes;
                 (a.mask >> lane & 1) != 0 && word <= (a.offset[lane] + a.bytes - 1) / cfg.word_bytes;
                 ++word) {
                ++wanted;
                std::multiset<uint64_t> &bank = by_bank[word % cfg.banks];
                if (a.atomic || bank.count(word) == 0)
                    bank.insert(word);
            }
        size_t longest = 0, words = 0;
        for (const auto &bank : by_bank) {
            longest = std::max(longest, bank.second.size());
            words += bank.second.size();
        }
        const ww_lds_need need = l.take(a);
        BOOST_TEST(need.wanted == wanted);
        BOOST_TEST(need.words == words);
        BOOST_TEST(need.cycles == (longest + cfg.ports - 1) / cfg.ports);
        BOOST_TEST(need.least == (words + cfg.banks * cfg.ports - 1) / (cfg.banks * cfg.ports));
        BOOST_TEST(l.l.intact());
    }
}

BOOST_AUTO_TEST_CASE(damage_is_named)
{
    lds l({4, 4, 1});
    l.begin(stride(4));
    ++l.l->queued[2];
    BOOST_TEST(l.check() == "lds: the banks' words do not add up");
    --l.l->queued[2];
    ++l.l->queued[4];
    BOOST_TEST(l.check() == "lds: words in a bank that is not there");
}

BOOST_AUTO_TEST_CASE(its_bits_are_those_of_the_access_at_its_banks)
{
    BOOST_TEST(ww_lds_bits(65536) == 64u * (1 + 16));
}

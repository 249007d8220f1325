/* SPDX-License-Identifier: MIT */
/* Tests pieces of local memory: which one a work-group gets, holes, random pieces against an array of bytes,
 * and damage that the check reports. */
#include <boost/test/unit_test.hpp>

#include "kernels/bits.h"
#include "kernels/lds_alloc.h"
#include "tb/kernels/blob.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using walkway_tb::blob;

namespace
{

struct memory {
    blob<ww_lds_alloc> a;
    explicit memory(const ww_lds_alloc_cfg &cfg) : a(ww_lds_alloc_bytes(&cfg))
    {
        BOOST_REQUIRE_EQUAL(ww_lds_alloc_init(a, a.bytes(), &cfg), WW_OK);
    }
    uint32_t find(uint32_t bytes) const { return ww_lds_alloc_find(a, bytes); }
    uint32_t take(uint32_t bytes)
    {
        const uint32_t first = find(bytes);
        BOOST_REQUIRE(first != WW_LDS_ALLOC_NONE);
        ww_lds_alloc_take(a, first, bytes);
        BOOST_TEST(check() == "");
        return first;
    }
    void release(uint32_t first, uint32_t bytes)
    {
        ww_lds_alloc_release(a, first, bytes);
        BOOST_TEST(check() == "");
    }
    std::string check() const
    {
        const char *broken = ww_lds_alloc_check(a);
        return broken ? broken : "";
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_configuration_is_legal_or_refused)
{
    const auto bytes = [](uint32_t all, uint32_t granule) {
        const ww_lds_alloc_cfg cfg = {all, granule};
        return ww_lds_alloc_bytes(&cfg);
    };
    BOOST_TEST(bytes(0, 256) != 0u);
    BOOST_TEST(bytes(1u << 20, 4) != 0u);
    BOOST_TEST(bytes(65536, 65536) != 0u);
    BOOST_TEST(bytes((1u << 20) + 1, 256) == 0u);
    BOOST_TEST(bytes(65536, 2) == 0u);
    BOOST_TEST(bytes(65536, 131072) == 0u);
    BOOST_TEST(bytes(65536, 96) == 0u);
    const ww_lds_alloc_cfg illegal = {65536, 96}, legal = {65536, 256};
    blob<ww_lds_alloc> a(ww_lds_alloc_bytes(&legal));
    BOOST_TEST(ww_lds_alloc_init(a, a.bytes(), &illegal) == WW_E_ARG);
    BOOST_TEST(ww_lds_alloc_init(a, a.bytes() - 1, &legal) == WW_E_SIZE);
    BOOST_TEST(ww_lds_alloc_init(a, a.bytes(), &legal) == WW_OK);
    BOOST_TEST(a.intact());
}

BOOST_AUTO_TEST_CASE(a_piece_is_whole_granules_and_the_lowest_that_is_large_enough)
{
    memory m({4096, 256});
    BOOST_TEST(m.take(1) == 0u);
    BOOST_TEST(m.take(257) == 256u);
    BOOST_TEST(m.take(512) == 768u);
    m.release(0, 1);
    BOOST_TEST(m.find(256) == 0u);
    BOOST_TEST(m.find(257) == 1280u);
    m.release(256, 257);
    BOOST_TEST(m.find(768) == 0u);
    BOOST_TEST(m.find(769) == 1280u);
}

BOOST_AUTO_TEST_CASE(no_bytes_need_no_piece)
{
    memory m({256, 256});
    BOOST_TEST(m.take(256) == 0u);
    BOOST_TEST(m.take(0) == 0u);
    m.release(0, 0);
    BOOST_TEST(m.find(1) == WW_LDS_ALLOC_NONE);
}

BOOST_AUTO_TEST_CASE(holes_are_not_put_together)
{
    memory m({1024, 256});
    for (unsigned n = 0; n < 4; ++n)
        BOOST_TEST(m.take(256) == 256 * n);
    BOOST_TEST(m.find(1) == WW_LDS_ALLOC_NONE);
    m.release(0, 256);
    m.release(512, 256);
    BOOST_TEST(m.find(512) == WW_LDS_ALLOC_NONE); /* 512 bytes are free, but in two pieces */
    m.release(256, 256);
    BOOST_TEST(m.find(768) == 0u);
    BOOST_TEST(m.find(1024) == WW_LDS_ALLOC_NONE);
}

BOOST_AUTO_TEST_CASE(what_does_not_fill_a_granule_is_never_used)
{
    memory m({1000, 256});
    BOOST_TEST(m.find(768) == 0u);
    BOOST_TEST(m.find(769) == WW_LDS_ALLOC_NONE);
    BOOST_TEST(m.find(1001) == WW_LDS_ALLOC_NONE);
    BOOST_TEST(m.find(UINT32_MAX) == WW_LDS_ALLOC_NONE);
}

BOOST_AUTO_TEST_CASE(random_pieces_are_those_of_an_array_of_bytes)
{
    for (const ww_lds_alloc_cfg &cfg :
         {ww_lds_alloc_cfg{65536, 512}, {4000, 16}, {260, 4}, {16384, 64}, {65536, 65536}}) {
        memory m(cfg);
        std::vector<bool> used(cfg.bytes / cfg.granule); /* by granule */
        std::vector<std::pair<uint32_t, uint32_t>> held;
        ww_rng rng;
        ww_rng_init(&rng, cfg.bytes);
        const auto mark = [&](uint32_t first, uint32_t bytes, bool with) {
            std::fill_n(used.begin() + first / cfg.granule, ww_lds_alloc_rounded(m.a, bytes) / cfg.granule,
                        with);
        };
        for (unsigned n = 0; n < 500; ++n) {
            if (!held.empty() && ww_rng_below(&rng, 2) == 0) {
                const uint32_t which = ww_rng_below(&rng, static_cast<uint32_t>(held.size()));
                const auto [first, bytes] = held[which];
                m.release(first, bytes);
                mark(first, bytes, false);
                held.erase(held.begin() + which);
                continue;
            }
            const uint32_t bytes = 1 + ww_rng_below(&rng, cfg.bytes / 4);
            const std::vector<bool> wanted(ww_lds_alloc_rounded(m.a, bytes) / cfg.granule, false);
            const auto at = std::search(used.begin(), used.end(), wanted.begin(), wanted.end());
            const uint32_t expected =
                at == used.end() ? WW_LDS_ALLOC_NONE : static_cast<uint32_t>(at - used.begin()) * cfg.granule;
            BOOST_REQUIRE_EQUAL(m.find(bytes), expected);
            if (expected == WW_LDS_ALLOC_NONE)
                continue;
            m.take(bytes);
            mark(expected, bytes, true);
            held.emplace_back(expected, bytes);
        }
        BOOST_TEST(m.a.intact());
    }
}

BOOST_AUTO_TEST_CASE(the_check_names_damage)
{
    memory m({1000, 16}); /* 62 granules */
    m.take(100);
    uint64_t *words = m.a.words(m.a->words_off);
    *words ^= uint64_t{1} << 40;
    BOOST_TEST(m.check() == "granules in use are not those counted");
    *words ^= uint64_t{1} << 40 ^ uint64_t { 1 };
    *words |= uint64_t{1} << 62;
    BOOST_TEST(m.check() == "a granule behind the last is in use");
}

/* SPDX-License-Identifier: MIT */
/* Which pages of a block are migrated with those that faulted: the driver's rule by example, then at random
 * against a tree that is counted node by node. */
#include <boost/test/unit_test.hpp>

#include "kernels/bits.h"
#include "kernels/driver/uvm_block.h"

#include <bitset>
#include <set>
#include <string>

namespace
{

using pages = std::bitset<WW_UVM_PAGES_MAX>;

const ww_uvm_cfg real = {512, 16, 51};

ww_uvm_pages of(const pages &p)
{
    ww_uvm_pages all = {};
    for (uint32_t n = 0; n < p.size(); ++n)
        if (p[n])
            ww_uvm_add(&all, n);
    return all;
}

pages of(const ww_uvm_pages &p)
{
    pages all;
    for (uint32_t n = 0; n < all.size(); ++n)
        all.set(n, ww_uvm_has(&p, n));
    return all;
}

pages range(uint32_t first, uint32_t count)
{
    pages all;
    for (uint32_t n = first; n < first + count; ++n)
        all.set(n);
    return all;
}

pages come(const pages &faulted, const pages &resident = {}, const ww_uvm_cfg &cfg = real,
           const pages &there = range(0, 512), const pages &thrashing = {})
{
    const ww_uvm_block b = {of(there), of(resident), of(faulted), of(thrashing)};
    return of(ww_uvm_prefetch(&cfg, &b));
}

/* Sums over every subregion from the leaves up, as in the driver's tree. */
pages naive(const ww_uvm_cfg &cfg, const pages &there, const pages &resident, const pages &faulted,
            const pages &thrashing)
{
    pages tree = resident | faulted;
    for (uint32_t g = 0; g < cfg.pages / cfg.grow; ++g) {
        const pages group = range(g * cfg.grow, cfg.grow);
        if ((group & faulted).any() && (group & thrashing).none())
            tree |= group & there;
    }
    pages all;
    for (uint32_t page = 0; page < cfg.pages; ++page) {
        if (!faulted[page] || thrashing[page])
            continue;
        pages best;
        for (uint32_t level = 0; 1u << level <= cfg.pages; ++level) {
            const pages sub = range(page >> level << level, 1u << level);
            if ((sub & tree).count() * 100 > (sub & there).count() * cfg.percent)
                best = sub;
        }
        all |= best;
    }
    return all & there & ~resident & ~faulted & ~thrashing;
}

} // namespace

BOOST_AUTO_TEST_SUITE(uvm_block)

BOOST_AUTO_TEST_CASE(a_fault_brings_its_64_kib)
{
    BOOST_TEST(come(range(37, 1)) == (range(32, 16) & ~range(37, 1)));
    BOOST_TEST(come(pages()) == pages());
}

/* 64 of 128 KiB are only 50 %; with the next 64 KiB, 48 of 64 pages are present, so 256 KiB are migrated. */
BOOST_AUTO_TEST_CASE(a_subregion_comes_above_51_percent_and_the_largest_one_does)
{
    BOOST_TEST(come(range(16, 1), range(0, 16)) == range(17, 15));
    BOOST_TEST(come(range(32, 1), range(0, 32)) == range(33, 31));
    BOOST_TEST(come(range(64, 1), range(0, 64)) == range(65, 63));
    BOOST_TEST(come(range(288, 1), range(0, 240)) == range(289, 15), "256 of 512");
    /* A subregion in between that is too empty does not hold back a larger one. */
    BOOST_TEST(come(range(480, 1), range(0, 256)) == (range(256, 256) & ~range(480, 1)), "272 of 512: 53 %");
}

BOOST_AUTO_TEST_CASE(more_than_the_percentage_and_not_as_much)
{
    const ww_uvm_cfg half = {16, 1, 50};
    BOOST_TEST(come(range(8, 1), range(0, 7), half, range(0, 16)).none(), "8 of 16");
    BOOST_TEST(come(range(8, 1), range(0, 8), half, range(0, 16)) == range(9, 7), "9 of 16");
    const ww_uvm_cfg all = {16, 16, 100};
    BOOST_TEST(come(range(8, 1), range(0, 8), all, range(0, 16)).none());
}

BOOST_AUTO_TEST_CASE(only_pages_that_exist_count)
{
    BOOST_TEST(come(range(0, 1), {}, real, range(0, 20)) == range(1, 19), "16 of 20");
    BOOST_TEST(come(range(0, 1), {}, real, range(0, 40)) == range(1, 15), "16 of 32, and of 40");
}

BOOST_AUTO_TEST_CASE(pages_that_move_to_and_fro_do_not_come)
{
    BOOST_TEST(come(range(0, 1), {}, real, range(0, 512), range(5, 1)).none(), "its 64 KiB are not grown");
    BOOST_TEST(come(range(5, 1), {}, real, range(0, 512), range(5, 1)).none(), "nor looked at");
    BOOST_TEST(come(range(16, 1), range(0, 15), real, range(0, 32), range(15, 1)) == range(17, 15));
}

BOOST_AUTO_TEST_CASE(a_block_of_one_page)
{
    const ww_uvm_cfg one = {1, 1, 51};
    BOOST_TEST(come(range(0, 1), {}, one, range(0, 1)).none());
}

BOOST_AUTO_TEST_CASE(at_random_as_a_naive_tree)
{
    ww_rng random;
    ww_rng_init(&random, 1);
    const auto draw = [&random](uint64_t in) {
        pages all;
        for (uint32_t n = 0; n < all.size(); ++n)
            all.set(n, ww_rng_next(&random) % 64 < in);
        return all;
    };
    uint64_t many = 0;
    for (uint32_t i = 0; i < 2000; ++i) {
        ww_uvm_cfg cfg = {};
        cfg.pages = 1u << ww_rng_next(&random) % 10;
        cfg.grow = std::min(cfg.pages, 1u << ww_rng_next(&random) % 6);
        cfg.percent = static_cast<uint32_t>(ww_rng_next(&random) % 101);
        const pages there = (i % 2 == 0 ? pages().set() : draw(50)) & range(0, cfg.pages);
        const pages resident = draw(ww_rng_next(&random) % 50) & there;
        const pages faulted = draw(ww_rng_next(&random) % 8) & there & ~resident;
        const pages thrashing = (i % 3 == 0 ? draw(2) : pages()) & there & ~resident;
        const pages ours = come(faulted, resident, cfg, there, thrashing);
        BOOST_TEST_REQUIRE(ours == naive(cfg, there, resident, faulted, thrashing));
        many += ours.any() ? 1 : 0;
    }
    BOOST_TEST(many > 500u);
}

BOOST_AUTO_TEST_CASE(what_is_illegal_is_named)
{
    const auto wrong = [](uint32_t n, uint32_t grow, uint32_t percent) {
        const ww_uvm_cfg cfg = {n, grow, percent};
        const char *text = ww_uvm_wrong(&cfg);
        return std::string(text == nullptr ? "" : text);
    };
    BOOST_TEST(wrong(512, 512, 100) == "");
    BOOST_TEST(wrong(1, 1, 0) == "");
    for (const uint32_t n : {0u, 3u, 1024u})
        BOOST_TEST(wrong(n, 1, 51).find("a block") != std::string::npos);
    for (const uint32_t grow : {0u, 3u, 64u})
        BOOST_TEST(wrong(32, grow, 51).find("grown") != std::string::npos);
    BOOST_TEST(wrong(32, 16, 101).find("100 %") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_page_that_comes_soon_again_is_an_event)
{
    ww_uvm_page p = {};
    ww_uvm_came(&p, 0, 500, 2);
    BOOST_TEST(p.events == 0u, "the first time is none");
    ww_uvm_came(&p, 500, 500, 2);
    BOOST_TEST(p.events == 1u, "just soon enough");
    BOOST_TEST(!ww_uvm_thrashes(&p, 2));
    ww_uvm_came(&p, 1001, 500, 2);
    BOOST_TEST(p.events == 1u, "too late, and what is counted stays");
    ww_uvm_came(&p, 1002, 500, 2);
    BOOST_TEST(ww_uvm_thrashes(&p, 2));
    BOOST_TEST(!ww_uvm_thrashes(&p, 3));
    BOOST_TEST(!ww_uvm_thrashes(&p, 0), "never");
    ww_uvm_came(&p, 2000, 500, 2);
    BOOST_TEST(p.events == 0u, "a longer time ends it");
}

BOOST_AUTO_TEST_SUITE_END()

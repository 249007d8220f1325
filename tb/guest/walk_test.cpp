/* SPDX-License-Identifier: MIT */
/* tb/guest/walk_test.cpp - compares the walk that runs for every access of a guest with the table kind that
 * it replaces (kernels/table/table_x86.h), on random tables of few nodes: every outcome, with 4 and 5
 * levels. */
#include "guest/walk.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace data = boost::unit_test::data;

namespace
{

constexpr uint64_t nodes = 12;

struct tables {
    std::vector<uint64_t> words = std::vector<uint64_t>(nodes * 512);
    explicit tables(unsigned seed)
    {
        std::mt19937_64 random(seed);
        for (uint64_t &w : words) {
            const uint64_t node = random() % (nodes + 1) << 12; /* may be outside memory */
            w = node | (random() % 8 != 0) | (random() % 4 == 0 ? WW_PTE_PS : 0);
            if (random() % 3 == 0) /* a frame that is aligned for a large page */
                w = (random() % 512 << 30) | WW_PTE_PS | 1;
            w |= random() & (WW_PTE_RW | WW_PTE_US | WW_PTE_NX | 0xe20);
        }
    }
    ww_guest_ram ram() const
    {
        return {reinterpret_cast<const unsigned char *>(words.data()), words.size() * 8};
    }
};

struct reference {
    enum ww_guest_walk outcome;
    uint64_t pa;
    std::vector<uint64_t> entries;
};

reference walk_of(const tables &t, uint32_t levels, uint64_t va)
{
    const ww_table table = ww_x86_table(levels, 0, WW_X86_PHYS_BITS_MAX);
    reference r{WW_GUEST_WALK_PAGE, 0, {}};
    uint64_t walk = ww_table_start(&table, va);
    ww_walk_read read{};
    while (ww_table_next(&table, walk, va, &read) == WW_WALK_READ) {
        const uint64_t line = ww_line_base(read.pa);
        const bool there = line < t.ram().bytes;
        if (there)
            r.entries.push_back(t.words[read.pa / 8]);
        walk = ww_table_feed(&table, walk, va, there ? &t.words[line / 8] : nullptr);
    }
    if (ww_walk_act(walk) == WW_WALK_DONE) {
        const ww_xlat x = ww_walk_xlat(walk);
        r.pa = ww_xlat_pa(&x, va);
        return r;
    }
    const enum ww_walk_why why = ww_walk_why(walk);
    r.outcome = why == WW_WHY_ABSENT      ? WW_GUEST_WALK_ABSENT
                : why == WW_WHY_MALFORMED ? WW_GUEST_WALK_MALFORMED
                : why == WW_WHY_REFUSED   ? WW_GUEST_WALK_OUTSIDE
                                          : WW_GUEST_WALK_ADDRESS;
    return r;
}

} // namespace

BOOST_AUTO_TEST_SUITE(walk)

BOOST_DATA_TEST_CASE(is_the_kernels, data::make({4, 5}), levels)
{
    std::array<unsigned, WW_GUEST_WALK_COUNT> met{}, sizes{};
    std::mt19937_64 random(7);
    for (unsigned seed = 0; seed < 20; ++seed) {
        const tables t(seed);
        for (int i = 0; i < 3000; ++i) {
            uint64_t va = random();
            if (i % 8 != 0)
                va = ww_x86_canonical(va, static_cast<uint32_t>(levels));
            uint64_t entry[WW_GUEST_LEVELS_MAX];
            const ww_guest_walked w = ww_guest_walk(t.ram(), 0xfff, static_cast<uint32_t>(levels), va, entry);
            const reference r = walk_of(t, static_cast<uint32_t>(levels), va);
            BOOST_TEST_REQUIRE(w.outcome == r.outcome);
            BOOST_TEST_REQUIRE(w.entries == r.entries.size());
            BOOST_TEST(std::equal(r.entries.begin(), r.entries.end(), entry));
            ++met[w.outcome];
            if (w.outcome != WW_GUEST_WALK_PAGE)
                continue;
            BOOST_TEST_REQUIRE(w.pa == r.pa);
            ++sizes[(w.page_shift - 12) / 9];
        }
    }
    for (const unsigned n : met)
        BOOST_TEST(n > 50u);
    for (unsigned i = 0; i < 3; ++i)
        BOOST_TEST(sizes[i] > 50u);
}

BOOST_AUTO_TEST_SUITE_END()

/* SPDX-License-Identifier: MIT */
/* tb/translate/chain.hpp - a page table in memory, and three stages over walks of it, without SystemC. */
#ifndef WW_TB_TRANSLATE_CHAIN_HPP
#define WW_TB_TRANSLATE_CHAIN_HPP

#include "kernels/bits.h"
#include "kernels/table/radix.h"
#include "kernels/table/table_radix.h"
#include "translate/array_pair_translator.hpp"
#include "translate/store_translator.hpp"
#include "translate/tlb_stores.hpp"
#include "translate/walk_translator.hpp"

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace walkway::test
{

constexpr tick cycle_ps = 500;
inline const clock_domain gpu_clock{cycle_ps};
constexpr tick cycles(uint64_t n)
{
    return n * cycle_ps;
}
constexpr uint64_t table_pa = 1 << 20, base_va = uint64_t{1} << 40;
constexpr uint32_t nodes = 64;

/* A table in memory that answers after 100 cycles. */
struct table_memory final : line_memory {
    ww_radix table{};
    std::vector<uint64_t> words;
    std::map<uint64_t, ww_xlat> pages; /* by their addresses */
    uint64_t refused = 0, reads = 0;   /* refused: the line that is answered with an error; 0: none */

    explicit table_memory(uint8_t levels) : words(nodes * 512)
    {
        const ww_radix_cfg cfg = {levels, table_pa, nodes};
        BOOST_REQUIRE(ww_radix_init(&table, &cfg, words.data(), words.size()) == WW_OK);
        for (uint64_t i = 0; i < 60; ++i)
            for (const uint64_t at : {base_va, base_va + (uint64_t{1} << 30), base_va << 1})
                map(at + i * 4096 + (i / 16 << 21), (pages.size() + 1) << 12, WW_PAGE_4K);
        map(base_va << 2, uint64_t{1} << 30, WW_PAGE_2M);
    }
    void map(uint64_t va, uint64_t pa, uint8_t shift)
    {
        BOOST_REQUIRE(ww_radix_map(&table, words.data(), va, pa, shift, WW_PERM_ALL) == WW_OK);
        pages[va] = ww_xlat{pa, shift, WW_PERM_ALL};
    }
    ww_table registers() const { return ww_radix_table(table.cfg.levels, table_pa); }
    bool line_now(uint64_t pa, uint64_t *line, tick *at) override
    {
        *at += cycles(100);
        ++reads;
        BOOST_REQUIRE(ww_radix_owns(&table, pa));
        std::memcpy(line, words.data() + ww_radix_word(&table, pa & ~uint64_t{63}), 64);
        return refused == 0 || pa / 64 != refused / 64;
    }
    bool translate(uint64_t va, ww_xlat *x) const
    {
        const auto after = pages.upper_bound(va);
        if (after == pages.begin())
            return false;
        const auto &[first, page] = *std::prev(after);
        *x = page;
        return va - first < uint64_t{1} << page.page_shift;
    }
};

inline stage_store tlb_of(uint32_t entries, uint32_t ways, uint64_t seed = 0)
{
    tlb_section s = plain_tlb(entries, ways, 1u << 12 | 1u << 21);
    s.replace = seed == 0 ? WW_REPLACE_LRU : WW_REPLACE_RANDOM;
    s.seed = seed;
    return make_tlb_store(s);
}

inline walk_caches caches_of(const ww_table_kind *kind)
{
    walk_caches c = {};
    c.pwc.kind = kind;
    c.pwc.entries[2] = 4;
    c.pwc.entries[3] = 2;
    c.lines = {16384, 0}; /* holds all lines in use: a walk never evicts its own */
    return c;
}

/* L1 ─ L2, which takes L1's victims ─ the IOMMU's TLBs ─ walks */
struct chain {
    table_memory memory;
    walk_translator walks;
    array_pair_translator iommu;
    store_translator l2, l1;
    std::vector<translator *> all{&l1, &l2, &iommu, &walks};

    explicit chain(uint8_t levels = 4, uint64_t seed = 0)
        : memory(levels), walks(memory.registers(), caches_of(memory.registers().kind), gpu_clock,
                                {cycles(1), cycles(2), cycles(16), cycles(4), 0}, memory),
          iommu({tlb_of(4, 4), cycles(4)}, {tlb_of(16, 4), cycles(20)}, gpu_clock, cycles(1), walks),
          l2(tlb_of(16, 4, seed), {8, false, true, false}, gpu_clock, {cycles(10), cycles(1), cycles(5)},
             iommu),
          l1(tlb_of(8, 8), {0, true, true, false}, gpu_clock, {cycles(3), cycles(1), cycles(0)}, l2)
    {
        BOOST_REQUIRE(walks.ok());
    }
    /* Bytes of every store, by name. */
    std::map<std::string, std::string> dump() const
    {
        std::map<std::string, std::string> d;
        for (const translator *t : all) {
            BOOST_TEST(t->check() == nullptr);
            t->states([&](const char *name, const void *bytes, size_t size) {
                d[std::to_string(d.size()) + name].assign(static_cast<const char *>(bytes), size);
            });
        }
        return d;
    }
    void expect(const now_answer &a, uint64_t va) const
    {
        ww_xlat x{};
        const bool mapped = memory.translate(va, &x);
        BOOST_TEST(a.fault == !mapped);
        if (mapped)
            BOOST_TEST(ww_xlat_same(&a.xlat, &x));
    }
};

} // namespace walkway::test

#endif

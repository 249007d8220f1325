/* SPDX-License-Identifier: MIT */
/* A hashed page table in memory, walks of it read by read, and the same pages in a naive map. */
#ifndef WW_TB_KERNELS_HASHED_FIXTURE_HPP
#define WW_TB_KERNELS_HASHED_FIXTURE_HPP

#include "kernels/table/hashed_table.h"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct hashed_memory {
    struct walked {
        std::vector<uint64_t> reads;
        uint64_t pa = 0;
        uint32_t shift = 0, perm = 0;
        int why = -1; /* reason of a fault */
    };

    explicit hashed_memory(const ww_hashed_cfg &c)
        : cfg(c), words(ww_hashed_frames(&c) * 512, UINT64_C(0xa5a5a5a5a5a5a5a5))
    {
        if (ww_hashed_init(&table, &cfg, words.data(), words.size()) != WW_OK)
            throw std::runtime_error("illegal table");
        kind = ww_hashed_table(&table);
    }
    const uint64_t *line(uint64_t pa) const { return &words.at((pa & ~UINT64_C(63)) / 8 - cfg.arena_pa / 8); }
    uint64_t slot_pa(uint64_t va, uint32_t step) const
    {
        return cfg.arena_pa + ww_hashed_slot(va, step, cfg.slots, cfg.stride) * 4096;
    }
    void map(uint64_t va, uint64_t pa, uint8_t shift, uint8_t perm = WW_PERM_ALL)
    {
        if (ww_hashed_map(&table, words.data(), va, pa, shift, perm) != WW_OK)
            throw std::runtime_error("not mapped");
    }
    /* Does the next step of the walk. */
    uint64_t step(uint64_t walk, uint64_t va) const
    {
        ww_walk_read r = {};
        ww_table_next(&kind, walk, va, &r);
        return ww_table_feed(&kind, walk, va, line(r.pa));
    }
    walked walk(uint64_t va) const { return walk(va, ww_table_start(&kind, va)); }
    walked walk(uint64_t va, uint64_t at) const
    {
        walked w;
        for (ww_walk_read r = {}; ww_table_next(&kind, at, va, &r) == WW_WALK_READ;) {
            if (ww_table_walk_check(kind.kind, at) != nullptr || w.reads.size() == WW_STEPS_MAX)
                throw std::runtime_error("no walk");
            w.reads.push_back(r.pa);
            at = step(at, va);
        }
        if (ww_walk_act(at) != WW_WALK_DONE) {
            w.why = ww_walk_why(at);
            return w;
        }
        const ww_xlat x = ww_walk_xlat(at);
        w.pa = ww_xlat_pa(&x, va);
        w.shift = x.page_shift;
        w.perm = x.perm;
        return w;
    }
    std::string broken() const
    {
        const char *why = ww_hashed_check(&table, words.data());
        return why == nullptr ? "" : why;
    }

    ww_hashed_cfg cfg;
    std::vector<uint64_t> words;
    ww_hpt table{};
    ww_table kind{};
};

/* Pages by their 4 KiB page numbers. */
struct naive_pages {
    struct page {
        uint64_t pa;
        uint32_t shift, perm;
    };
    std::map<uint64_t, page> by_vpn;

    bool free(uint64_t va, uint32_t shift) const
    {
        const auto at = by_vpn.lower_bound(va >> 12);
        return at == by_vpn.end() || at->first >= (va + (UINT64_C(1) << shift)) >> 12;
    }
    void map(uint64_t va, const page &p)
    {
        for (uint64_t more = 0; more < UINT64_C(1) << p.shift; more += 4096)
            by_vpn[(va + more) >> 12] = {p.pa + more, p.shift, p.perm};
    }
};

/* Requires that the table and the map agree on an address. */
inline void compare(const hashed_memory &m, const naive_pages &pages, uint64_t va)
{
    const auto at = pages.by_vpn.find(va >> 12);
    const hashed_memory::walked w = m.walk(va);
    ww_xlat x = {};
    const bool found = ww_hashed_lookup(&m.table, m.words.data(), va, &x);
    if (at == pages.by_vpn.end()) {
        if (found || w.why != WW_WHY_ABSENT)
            throw std::runtime_error("a page that is not there");
        return;
    }
    const uint64_t pa = at->second.pa + va % 4096;
    if (!found || ww_xlat_pa(&x, va) != pa || x.page_shift != at->second.shift || x.perm != at->second.perm)
        throw std::runtime_error("lookup differs");
    if (w.why != -1 || w.pa != pa || w.shift != at->second.shift || w.perm != at->second.perm)
        throw std::runtime_error("walk differs");
}

/* Maps random pages of all sizes in more regions than there are slots. The table must refuse exactly those
 * that overlap a mapped page. */
inline void compare_random(hashed_memory &m, uint64_t seed, unsigned pages)
{
    ww_rng rng;
    ww_rng_init(&rng, seed);
    naive_pages naive;
    std::vector<uint64_t> asked;
    for (unsigned i = 0; i < pages; ++i) {
        const uint8_t shifts[] = {12, 12, 16, 21};
        const uint8_t shift = shifts[ww_rng_below(&rng, 4)];
        const uint64_t region = uint64_t{ww_rng_below(&rng, 5)} << 30 | uint64_t{ww_rng_below(&rng, 48)}
                                                                            << 21;
        const uint64_t va = (region | ww_rng_below(&rng, 1u << 21)) >> shift << shift;
        const uint64_t pa = (ww_rng_next(&rng) & WW_PTE_FRAME) >> shift << shift;
        const auto perm = static_cast<uint8_t>(WW_PERM_R | ww_rng_below(&rng, 8));
        const int rc = ww_hashed_map(&m.table, m.words.data(), va, pa, shift, perm);
        if ((rc == WW_OK) != naive.free(va, shift))
            throw std::runtime_error("mapped, or refused, wrongly");
        if (rc == WW_OK)
            naive.map(va, {pa, shift, perm});
        asked.push_back(va);
        compare(m, naive, va);
        compare(m, naive, va ^ uint64_t{1} << (12 + ww_rng_below(&rng, 20)));
    }
    for (const uint64_t va : asked)
        compare(m, naive, va);
    if (!m.broken().empty())
        throw std::runtime_error(m.broken());
}

#endif

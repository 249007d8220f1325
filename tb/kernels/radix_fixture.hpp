/* SPDX-License-Identifier: MIT */
/* A page table with its memory, a plain walk over the words, and lists of levels and page sizes, for the
 * tests of builder and walker. */
#ifndef WW_TB_KERNELS_RADIX_FIXTURE_HPP
#define WW_TB_KERNELS_RADIX_FIXTURE_HPP

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/table/radix.h"

#include <cstring>
#include <vector>

const auto every_levels = boost::unit_test::data::make({4, 5});
const auto every_shift = boost::unit_test::data::make({12, 16, 21, 30});

inline uint8_t u8(int value)
{
    return static_cast<uint8_t>(value);
}

/* An address with a different index at every level, aligned to the page. */
inline uint64_t sample_va(int levels, int shift)
{
    const uint64_t va = UINT64_C(0x0123456789abcdef) & ((UINT64_C(1) << (12 + 9 * levels)) - 1);
    return ww_page_base(va, u8(shift));
}

struct table {
    explicit table(uint8_t levels, uint32_t max_nodes = 64)
        : arena(static_cast<size_t>(max_nodes) * WW_NODE_ENTRIES, UINT64_C(0xdeadbeefdeadbeef))
    {
        const struct ww_radix_cfg cfg = {levels, UINT64_C(0x7f000000), max_nodes};
        BOOST_REQUIRE_EQUAL(ww_radix_init(&r, &cfg, arena.data(), arena.size()), WW_OK);
        require_sound();
    }

    int map(uint64_t va, uint64_t pa, uint8_t page_shift, uint8_t perm = WW_PERM_ALL)
    {
        return ww_radix_map(&r, arena.data(), va, pa, page_shift, perm);
    }
    int unmap(uint64_t va) { return ww_radix_unmap(&r, arena.data(), va); }
    bool lookup(uint64_t va, struct ww_xlat &out) const
    {
        return ww_radix_lookup(&r, arena.data(), va, &out);
    }
    const char *check() const { return ww_radix_check(&r, arena.data()); }
    void require_sound() const
    {
        const char *broken = check();
        BOOST_REQUIRE_MESSAGE(broken == nullptr, broken);
    }

    /* The word at a physical address, as memory would return it. */
    uint64_t &word(uint64_t pa) { return arena[ww_radix_word(&r, pa)]; }

    /* Physical address of the entry of `va` at `level`, by hand: root, then one frame field per level. */
    uint64_t entry_pa(uint64_t va, uint32_t level)
    {
        uint64_t base_pa = ww_radix_root_pa(&r);
        for (uint32_t k = r.cfg.levels; k > level; k--)
            base_pa = word(base_pa + 8 * ((va >> (12 + 9 * (k - 1))) & 511)) & UINT64_C(0x000ffffffffff000);
        return base_pa + 8 * ((va >> (12 + 9 * (level - 1))) & 511);
    }

    std::vector<uint64_t> arena;
    struct ww_radix r = {};
};

#endif

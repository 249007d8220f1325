/* SPDX-License-Identifier: MIT */
/* One of NVIDIA's tables in an arena, checked, and walks of it, step by step. */
#ifndef WW_TB_KERNELS_NV_FIXTURE_HPP
#define WW_TB_KERNELS_NV_FIXTURE_HPP

#include "kernels/table/nv_table.h"
#include "kernels/table/table_nv.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace walkway::test
{

constexpr uint64_t nv_arena_pa = 0x7f000000;

struct nv {
    explicit nv(ww_nv_version version, bool both = false, uint32_t max_nodes = 64)
        : v(version), arena(size_t{max_nodes} * 512, UINT64_C(0xdeadbeefdeadbeef))
    {
        const ww_nv_cfg cfg = {static_cast<uint8_t>(v), both, nv_arena_pa, max_nodes};
        BOOST_REQUIRE_EQUAL(ww_nv_init(&t, &cfg, arena.data(), arena.size()), WW_OK);
        table = ww_nv_table_of(v, nv_arena_pa, nv_arena_pa);
        require_sound();
    }
    int map(uint64_t va, uint64_t pa, uint32_t shift, uint8_t perm = WW_PERM_ALL)
    {
        return ww_nv_map(&t, arena.data(), va, pa, shift, perm);
    }
    bool lookup(uint64_t va, ww_xlat &x) const { return ww_nv_lookup(&t, arena.data(), va, &x); }
    std::string check() const
    {
        const char *broken = ww_nv_check(&t, arena.data());
        return broken == nullptr ? "" : broken;
    }
    void require_sound() const { BOOST_REQUIRE_EQUAL(check(), ""); }
    uint64_t &word(uint64_t pa) { return arena.at((pa - nv_arena_pa) / 8); }

    /* The walk's next step, and the whole of it: the steps it read, then its end. */
    uint64_t read(uint64_t walk, uint64_t va)
    {
        ww_walk_read r = {};
        BOOST_REQUIRE(ww_table_walk_check(table.kind, walk) == nullptr);
        BOOST_REQUIRE_EQUAL(ww_table_next(&table, walk, va, &r), WW_WALK_READ);
        BOOST_REQUIRE_EQUAL(r.bytes, ww_walk_step(walk) == WW_NV_PDE0 ? 16u : 8u);
        BOOST_REQUIRE_EQUAL(r.pa % r.bytes, 0u);
        return ww_table_feed(&table, walk, va, &word(ww_line_base(r.pa)));
    }
    uint64_t whole(uint64_t va)
    {
        steps.clear();
        uint64_t walk = ww_table_start(&table, va);
        while (ww_walk_act(walk) == WW_WALK_READ) {
            steps += static_cast<char>('0' + ww_walk_step(walk));
            walk = read(walk, va);
        }
        return walk;
    }
    /* Of an entry that a walk of `va` reads at this step; the entry's first word. */
    uint64_t entry_pa(uint64_t va, uint32_t step)
    {
        uint64_t walk = ww_table_start(&table, va);
        while (ww_walk_step(walk) != step)
            walk = read(walk, va);
        ww_walk_read r = {};
        ww_table_next(&table, walk, va, &r);
        return r.pa;
    }
    uint64_t &entry(uint64_t va, uint32_t step) { return word(entry_pa(va, step)); }
    std::string why(uint64_t va) { return ww_walk_why_text(ww_walk_why(whole(va))); }

    ww_nv_version v;
    std::vector<uint64_t> arena;
    ww_nv t = {};
    ww_table table = {};
    std::string steps;
};

} // namespace walkway::test

#endif

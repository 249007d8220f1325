/* SPDX-License-Identifier: MIT */
/* One of AMD's tables in an arena, checked, and walks of it, step by step. */
#ifndef WW_TB_KERNELS_AMD_FIXTURE_HPP
#define WW_TB_KERNELS_AMD_FIXTURE_HPP

#include "kernels/table/amd_table.h"
#include "kernels/table/table_amd.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace walkway::test
{

constexpr uint64_t arena_pa = 0x7f000000;

struct amd {
    explicit amd(uint32_t mode, bool skip = false, uint32_t max_nodes = 64)
        : arena(size_t{max_nodes} * 512, UINT64_C(0xdeadbeefdeadbeef))
    {
        const ww_amd_cfg cfg = {static_cast<uint8_t>(mode), skip, arena_pa, max_nodes};
        BOOST_REQUIRE_EQUAL(ww_amd_init(&t, &cfg, arena.data(), arena.size()), WW_OK);
        table = ww_amd_v1_table(mode, arena_pa);
        require_sound();
    }
    int map(uint64_t va, uint64_t pa, uint32_t shift, uint8_t perm = WW_PERM_ALL)
    {
        return ww_amd_map(&t, arena.data(), va, pa, shift, perm);
    }
    bool lookup(uint64_t va, ww_xlat &x) const { return ww_amd_lookup(&t, arena.data(), va, &x); }
    std::string check() const
    {
        const char *broken = ww_amd_check(&t, arena.data());
        return broken == nullptr ? "" : broken;
    }
    void require_sound() const { BOOST_REQUIRE_EQUAL(check(), ""); }
    uint64_t &word(uint64_t pa) { return arena[(pa - arena_pa) / 8]; }

    /* The walk's next step, and the whole of it: the steps it read, then its end. */
    uint64_t read(uint64_t walk, uint64_t va)
    {
        ww_walk_read r = {};
        BOOST_REQUIRE(ww_table_walk_check(table.kind, walk) == nullptr);
        BOOST_REQUIRE_EQUAL(ww_table_next(&table, walk, va, &r), WW_WALK_READ);
        BOOST_REQUIRE_EQUAL(r.bytes, 8u);
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
    /* Of an entry that a walk of `va` reads at this level. */
    uint64_t entry_pa(uint64_t va, uint32_t level)
    {
        uint64_t walk = ww_table_start(&table, va);
        while (ww_walk_step(walk) != level)
            walk = read(walk, va);
        ww_walk_read r = {};
        ww_table_next(&table, walk, va, &r);
        return r.pa;
    }
    std::string why(uint64_t va) { return ww_walk_why_text(ww_walk_why(whole(va))); }

    std::vector<uint64_t> arena;
    ww_amd t = {};
    ww_table table = {};
    std::string steps;
};

} // namespace walkway::test

#endif

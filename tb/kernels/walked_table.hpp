/* SPDX-License-Identifier: MIT */
/* Page tables in an arena, and walks of them, step by step. */
#ifndef WW_TB_KERNELS_WALKED_TABLE_HPP
#define WW_TB_KERNELS_WALKED_TABLE_HPP

#include "kernels/table/table.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace walkway::test
{

constexpr uint64_t arena_pa = 0x7f000000;

/* `wide_step` has entries of two words. */
struct walked_table {
    explicit walked_table(uint32_t max_nodes, uint32_t wide_step = UINT32_MAX)
        : arena(size_t{max_nodes} * 512, UINT64_C(0xdeadbeefdeadbeef)), wide(wide_step)
    {
    }
    uint64_t &word(uint64_t pa) { return arena.at((pa - arena_pa) / 8); }
    /* Returns the walk after its next read. */
    uint64_t read(uint64_t walk, uint64_t va)
    {
        ww_walk_read r = {};
        BOOST_REQUIRE(ww_table_walk_check(table.kind, walk) == nullptr);
        BOOST_REQUIRE_EQUAL(ww_table_next(&table, walk, va, &r), WW_WALK_READ);
        BOOST_REQUIRE_EQUAL(r.bytes, ww_walk_step(walk) == wide ? 16u : 8u);
        BOOST_REQUIRE_EQUAL(r.pa % r.bytes, 0u);
        return ww_table_feed(&table, walk, va, &word(ww_line_base(r.pa)));
    }
    /* Returns the walk at its end; sets `steps` to the steps that it read. */
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
    /* Address of the entry that a walk of `va` reads at this step (of its first word). */
    uint64_t entry_pa(uint64_t va, uint32_t step)
    {
        uint64_t walk = ww_table_start(&table, va);
        while (ww_walk_step(walk) != step)
            walk = read(walk, va);
        ww_walk_read r = {};
        ww_table_next(&table, walk, va, &r);
        return r.pa;
    }
    /* At each step whose line the other address shares, both walks must be in the same state. */
    void require_neighbours(uint64_t va, uint64_t other)
    {
        for (uint64_t walk = ww_table_start(&table, va); ww_walk_act(walk) == WW_WALK_READ;
             walk = read(walk, va)) {
            const uint32_t step = ww_walk_step(walk);
            if (!ww_table_neighbours(table.kind, va, other, step))
                continue;
            uint64_t own = ww_table_start(&table, other);
            while (ww_walk_step(own) != step)
                own = read(own, other);
            BOOST_REQUIRE_EQUAL(own, walk);
        }
    }
    uint64_t &entry(uint64_t va, uint32_t step) { return word(entry_pa(va, step)); }
    /* Returns why the walk of `va` ends without a page, or "" if it has one. */
    std::string why(uint64_t va)
    {
        const uint64_t end = whole(va);
        return ww_walk_act(end) == WW_WALK_DONE ? "" : ww_walk_why_text(ww_walk_why(end));
    }

    std::vector<uint64_t> arena;
    ww_table table = {};
    std::string steps;
    uint32_t wide;
};

inline std::string text_of_check(const char *broken)
{
    return broken == nullptr ? "" : broken;
}

} // namespace walkway::test

#endif

/* SPDX-License-Identifier: MIT */
/* An AMD page table in an arena, with its consistency check and walks of it step by step. */
#ifndef WW_TB_KERNELS_AMD_FIXTURE_HPP
#define WW_TB_KERNELS_AMD_FIXTURE_HPP

#include "kernels/table/amd_table.h"
#include "kernels/table/table_amd.h"
#include "tb/kernels/walked_table.hpp"

namespace walkway::test
{

struct amd : walked_table {
    explicit amd(uint32_t mode, bool skip = false, uint32_t max_nodes = 64) : walked_table(max_nodes)
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
    std::string check() const { return text_of_check(ww_amd_check(&t, arena.data())); }
    void require_sound() const { BOOST_REQUIRE_EQUAL(check(), ""); }

    ww_amd t = {};
};

} // namespace walkway::test

#endif

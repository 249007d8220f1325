/* SPDX-License-Identifier: MIT */
/* An NVIDIA page table in an arena, with its consistency check and walks of it step by step. */
#ifndef WW_TB_KERNELS_NV_FIXTURE_HPP
#define WW_TB_KERNELS_NV_FIXTURE_HPP

#include "kernels/table/nv_table.h"
#include "kernels/table/table_nv.h"
#include "tb/kernels/walked_table.hpp"

namespace walkway::test
{

struct nv : walked_table {
    explicit nv(ww_nv_version version, bool both = false, uint32_t max_nodes = 64)
        : walked_table(max_nodes, WW_NV_PDE0), v(version)
    {
        const ww_nv_cfg cfg = {static_cast<uint8_t>(v), both, arena_pa, max_nodes};
        BOOST_REQUIRE_EQUAL(ww_nv_init(&t, &cfg, arena.data(), arena.size()), WW_OK);
        table = ww_nv_table_of(v, arena_pa, arena_pa);
        require_sound();
    }
    int map(uint64_t va, uint64_t pa, uint32_t shift, uint8_t perm = WW_PERM_ALL)
    {
        return ww_nv_map(&t, arena.data(), va, pa, shift, perm);
    }
    bool lookup(uint64_t va, ww_xlat &x) const { return ww_nv_lookup(&t, arena.data(), va, &x); }
    std::string check() const { return text_of_check(ww_nv_check(&t, arena.data())); }
    void require_sound() const { BOOST_REQUIRE_EQUAL(check(), ""); }

    ww_nv_version v;
    ww_nv t = {};
};

} // namespace walkway::test

#endif

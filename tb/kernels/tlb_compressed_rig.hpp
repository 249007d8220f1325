/* SPDX-License-Identifier: MIT */
/* A compressed TLB, for its tests. */
#ifndef WW_TB_KERNELS_TLB_COMPRESSED_RIG_HPP
#define WW_TB_KERNELS_TLB_COMPRESSED_RIG_HPP

#include "kernels/store/tlb_compressed.h"
#include "tb/kernels/store_rig.hpp"

namespace walkway_tb
{

/* The TLB of [P20]: 2 GB of memory, 32 sets of 16 slots, half of them compressed. */
inline ww_tlbc_cfg tlbc_config()
{
    ww_tlbc_cfg cfg{};
    cfg.sets = 32;
    cfg.ways = 16;
    cfg.compressed_ways = 8;
    cfg.va_bits = 48;
    cfg.pa_bits = 31;
    cfg.page_sizes = 1u << 12;
    cfg.rebase_after = 4;
    return cfg;
}

struct tlbc : store_rig<ww_tlbc> {
    explicit tlbc(const ww_tlbc_cfg &cfg = tlbc_config()) : store_rig(ww_tlbc_store, ww_tlbc_bytes(&cfg))
    {
        BOOST_REQUIRE_EQUAL(ww_tlbc_init(t, t.bytes(), &cfg), WW_OK);
    }
    const ww_tlbc_counts &counts() { return t->counts; }
};

} // namespace walkway_tb

#endif

/* SPDX-License-Identifier: MIT */
/* Local memory with translations, for its tests. */
#ifndef WW_TB_KERNELS_LDS_TX_RIG_HPP
#define WW_TB_KERNELS_LDS_TX_RIG_HPP

#include "kernels/store/lds_tx.h"
#include "tb/kernels/store_rig.hpp"

namespace walkway_tb
{

inline ww_lds_tx_cfg lds_tx_config(uint32_t lds_bytes = 16384, uint32_t segment_bytes = 32,
                                   uint8_t mismatch = WW_LDS_TX_REBASE, uint32_t page_sizes = 1u << 12)
{
    return {lds_bytes, segment_bytes, WW_INDEX_MODULO, mismatch, WW_LDS_TX_TOGETHER, page_sizes};
}

struct lds_tx : store_rig<ww_lds_tx> {
    explicit lds_tx(const ww_lds_tx_cfg &cfg = lds_tx_config())
        : store_rig(ww_lds_tx_store, ww_lds_tx_bytes(&cfg))
    {
        BOOST_REQUIRE_EQUAL(ww_lds_tx_init(t, t.bytes(), &cfg), WW_OK);
    }

    const ww_lds_tx_counts &counts() { return t->counts; }
    ww_lds_tx_mode mode(uint32_t segment) { return ww_lds_tx_mode_of(t, segment); }
    uint32_t allocate(uint64_t first, uint64_t bytes) { return ww_lds_tx_allocate(t, first, bytes); }
    uint32_t access(uint64_t first, uint64_t bytes) { return ww_lds_tx_access(t, first, bytes); }
    void release(uint64_t first, uint64_t bytes) { ww_lds_tx_release(t, first, bytes); }
};

} // namespace walkway_tb

#endif

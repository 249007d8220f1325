/* SPDX-License-Identifier: MIT */
/* An instruction cache with translations, for its tests. */
#ifndef WW_TB_KERNELS_ICACHE_TX_RIG_HPP
#define WW_TB_KERNELS_ICACHE_TX_RIG_HPP

#include "kernels/store/icache_tx.h"
#include "tb/kernels/store_rig.hpp"

namespace walkway_tb
{

inline ww_icache_tx_cfg icache_tx_config(uint8_t design = WW_ICACHE_TX_AWARE,
                                         uint8_t mismatch = WW_ICACHE_TX_BYPASS)
{
    return {256, 8, design, mismatch, 4, WW_INDEX_MODULO, 1u << 12};
}

struct icache_tx : store_rig<ww_icache_tx> {
    explicit icache_tx(const ww_icache_tx_cfg &cfg = icache_tx_config())
        : store_rig(ww_icache_tx_store, ww_icache_tx_bytes(&cfg))
    {
        BOOST_REQUIRE_EQUAL(ww_icache_tx_init(t, t.bytes(), &cfg), WW_OK);
    }

    const ww_icache_tx_counts &counts() { return t->counts; }
    ww_icache_tx_mode mode(uint32_t line) { return ww_icache_tx_mode_of(t, line); }
    bool fetch(uint64_t addr, uint16_t vmid = 0) { return ww_icache_tx_fetch(t, addr, vmid); }
    bool has(uint64_t addr, uint16_t vmid = 0) { return ww_icache_tx_has(t, addr, vmid); }
    uint32_t fill(uint64_t addr, uint16_t vmid = 0) { return ww_icache_tx_fill(t, addr, vmid); }
};

/* The i-th instruction line of a set, of 32 sets. */
inline uint64_t code_in_set(uint64_t set, uint64_t i)
{
    return (i * 32 + set) * 64;
}

/* The i-th page of line `line`, of 256 lines; 16 pages of 4 KiB share a base. */
inline uint64_t page_in_line(uint64_t line, uint64_t i, uint64_t base = 0)
{
    return ((base << 4 | i) << 8 | line) << 12;
}

} // namespace walkway_tb

#endif

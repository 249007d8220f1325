/* SPDX-License-Identifier: MIT */
/* tb/kernels/dram_traffic.hpp - random configurations of a DRAM channel and random traffic for it. */
#ifndef WW_TB_DRAM_TRAFFIC_HPP
#define WW_TB_DRAM_TRAFFIC_HPP

#include "kernels/dram/dram.h"

#include <random>

inline bool same_event(const ww_dram_event &a, const ww_dram_event &b)
{
    return a.cmd == b.cmd && a.rank == b.rank && a.bank == b.bank && a.id == b.id &&
           a.done_cycle == b.done_cycle && a.precharge == b.precharge &&
           (a.row == b.row || a.cmd == WW_DRAM_PREA || a.cmd == WW_DRAM_REF);
}

/* Traffic in phases: density, locality and share of writes change, with idle gaps of any length. */
struct dram_traffic {
    std::mt19937_64 rng;
    uint32_t per_mille = 500, rows = 4, cols = 8, write_per_mille = 300, focus = 0;

    explicit dram_traffic(uint64_t seed) : rng(seed) {}
    uint32_t below(uint32_t n) { return uint32_t(rng() % n); }
    void next_phase()
    {
        static const uint32_t density[] = {20, 100, 250, 600, 1000, 0};
        static const uint32_t writes[] = {0, 100, 300, 500, 900, 1000};
        per_mille = density[below(6)];
        write_per_mille = writes[below(6)];
        rows = 1 + below(6);
        cols = 1 + below(16);
        focus = below(3);
    }
    ww_dram_loc location(const ww_dram_cfg &cfg)
    {
        uint32_t ranks = focus == 2 ? 1 : cfg.ranks, banks = focus ? 1 : cfg.banks;
        return {0, below(ranks), below(banks), below(rows), below(cols)};
    }
};

/* A random legal configuration, with numbers so small that every constraint takes effect. */
inline ww_dram_cfg dram_random_cfg(std::mt19937_64 &rng)
{
    auto pick = [&](uint32_t lo, uint32_t hi) { return lo + uint32_t(rng() % (hi - lo + 1)); };
    ww_dram_cfg cfg;
    ww_dram_cfg_ddr3_1600(&cfg);
    if (rng() % 4 != 0) {
        ww_dram_timing &t = cfg.timing;
        t.cl_cycles = pick(1, 14);
        t.cwl_cycles = pick(1, 14);
        t.burst_cycles = pick(1, 6);
        t.rcd_cycles = pick(1, 14);
        t.rp_cycles = pick(1, 14);
        t.ras_cycles = pick(1, 30);
        t.rc_cycles = t.ras_cycles + pick(0, 15);
        t.rrd_cycles = pick(1, 8);
        t.faw_cycles = pick(1, 40);
        t.ccd_cycles = pick(1, 8);
        t.rtp_cycles = pick(1, 20);
        t.wr_cycles = pick(0, 16);
        t.wtr_cycles = pick(0, 12);
        t.rtrs_cycles = pick(0, 3);
        t.turn_cycles = pick(0, 3);
        t.rfc_cycles = pick(1, 220);
        t.refi_cycles = rng() % 5 == 0 ? 0 : pick(500, 1500);
    }
    cfg.ranks = pick(1, 3);
    cfg.banks = 1U << pick(0, 3);
    if (rng() % 2) {
        ww_dram_timing &t = cfg.timing;
        cfg.groups = 1U << pick(0, cfg.banks == 1 ? 0 : 1);
        cfg.bursts = pick(1, 3);
        t.rcd_write_cycles = pick(0, 14);
        t.ccd_group_cycles = pick(0, 12);
        t.rrd_group_cycles = pick(0, 14);
        t.wtr_group_cycles = pick(0, 18);
    }
    cfg.read_entries = rng() % 3 == 0 ? 1 : pick(1, 40);
    cfg.write_entries = rng() % 3 == 0 ? 1 : pick(1, 40);
    cfg.write_high = pick(1, cfg.write_entries);
    cfg.write_low = pick(0, cfg.write_high - 1);
    cfg.hit_cap = rng() % 2 ? 0 : pick(1, 6);
    cfg.overhead_cycles = pick(0, 3);
    cfg.row_policy = rng() % 3 == 0 ? WW_DRAM_ROW_CLOSED : WW_DRAM_ROW_OPEN;
    return cfg;
}

#endif

/* SPDX-License-Identifier: MIT */
/* kernels/dram/dram_energy.h - DRAM energy from datasheet currents, as public DRAM energy calculators compute
 * it. Activation and precharge, read, write and refresh each add what flows above the background current; the
 * background is charged per rank and cycle, by whether a row is open. Not modelled: power-down, self-refresh,
 * interface and termination, variation between parts. Integer arithmetic; femtojoules inside, picojoules out.
 * Time: none. Allocation: none. */
#ifndef WW_KERNELS_DRAM_ENERGY_H
#define WW_KERNELS_DRAM_ENERGY_H

#include "kernels/base.h"
#include "kernels/dram/dram.h"

WW_BEGIN_DECLS

/* Currents of one device in mA, as the datasheet names them. */
struct ww_dram_energy_cfg {
    uint32_t vdd_mv;
    uint32_t idd0_ma;  /* one bank activated and precharged every tRC */
    uint32_t idd2n_ma; /* standby, all banks closed */
    uint32_t idd3n_ma; /* standby, a bank open */
    uint32_t idd4r_ma; /* reading without gaps */
    uint32_t idd4w_ma; /* writing without gaps */
    uint32_t idd5b_ma; /* refreshing without gaps */
    uint32_t devices;  /* devices per rank */
    uint32_t tck_ps;
    uint32_t ras_cycles, rc_cycles, burst_cycles, rfc_cycles; /* as in struct ww_dram_timing */
};

/* Energy of one event, or of one cycle, of a whole rank. */
struct ww_dram_energy {
    uint64_t act_fj; /* activation with its precharge */
    uint64_t read_fj;
    uint64_t write_fj;
    uint64_t refresh_fj;
    uint64_t open_cycle_fj;
    uint64_t closed_cycle_fj;
};

struct ww_dram_energy_pj {
    uint64_t act, read, write, refresh, background_open, background_closed;
    uint64_t total; /* the sum of the others */
};

/* Sets *cfg to DDR3L-1600 4 Gb x8, eight devices a rank, with this timing (source: docs/model/dram.md). */
void ww_dram_energy_cfg_ddr3_1600(struct ww_dram_energy_cfg *cfg, const struct ww_dram_timing *timing);

/* Sets *cfg to GDDR6 of 14 Gb/s, 8 Gb, one channel of 16 bits, with this timing (source:
 * docs/model/dram.md). */
void ww_dram_energy_cfg_gddr6(struct ww_dram_energy_cfg *cfg, const struct ww_dram_timing *timing);

/* Returns WW_OK, or WW_E_ARG: a zero voltage, clock or device count, an operating current below the
 * background it contains, tRC < tRAS, or a value beyond any part: 8192 mV, 4096 mA, 64 devices, 16384 ps,
 * 16384 cycles. */
int ww_dram_energy_init(struct ww_dram_energy *e, const struct ww_dram_energy_cfg *cfg);

/* Returns the energy of one channel's totals, or of the sum of several channels'. Rounds each component down
 * to whole picojoules. Required: each component is below 2^64 fJ (18 kJ). */
struct ww_dram_energy_pj ww_dram_energy_of(const struct ww_dram_energy *e, const struct ww_dram_activity *a);

WW_END_DECLS

#endif

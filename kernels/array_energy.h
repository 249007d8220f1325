/* SPDX-License-Identifier: MIT */
/* kernels/array_energy.h - energy of an access to an SRAM or CAM array, and the array's area, from its
 * geometry. MODEL: one formula for all arrays, fitted to published numbers; where they come from, how sure
 * each is and what the fit does not reach: docs/model/energy.md.
 *   energy of a read  = read x bits read + cam x bits compared + wire x sqrt(bits held)
 *   energy of a write = read x bits of an entry + wire x sqrt(bits held) + cam_write x bits compared
 *   area              = sram x bits held + cam x bits compared + port x ports x sqrt(bits held)
 * Three sets of constants span the range: none of the published numbers lies outside low ... high.
 * Integers: femtojoules, square micrometres, rounded down. Not modelled: leakage, the clock, banking, how
 * many bits toggle, technologies other than 45 nm. Time: none. Allocation: none. */
#ifndef WW_KERNELS_ARRAY_ENERGY_H
#define WW_KERNELS_ARRAY_ENERGY_H

#include "kernels/base.h"

WW_BEGIN_DECLS

/* One array: at most 2^26 entries of 2^16 bits, 2^36 bits in all, 64 ports. */
struct ww_array_cfg {
    uint32_t entries;
    uint32_t entry_bits; /* key and content of one */
    uint32_t cam_bits;   /* of them in cells that compare: every search compares those of all entries */
    uint32_t ways;       /* entries that a read reads: those of a set, or the one that matched */
    uint32_t read_bits;  /* read of each */
    uint32_t ports;
};

/* A constant is in attojoules, or in thousandths of a square micrometre. */
struct ww_array_constants {
    uint32_t read_aj;      /* a bit read, or written */
    uint32_t cam_aj;       /* a bit compared */
    uint32_t cam_write_aj; /* a comparing bit that the array holds, on each write */
    uint32_t wire_aj;      /* bit lines and word lines: the edge of a square of the bits held */
    uint32_t sram_mum2;    /* a bit held */
    uint32_t cam_mum2;     /* a bit that compares, beyond its being held */
    uint32_t port_mum2;    /* decoders and sense amplifiers of a port, along the edge */
};

enum ww_array_estimate { WW_ARRAY_LOW, WW_ARRAY_MIDDLE, WW_ARRAY_HIGH, WW_ARRAY_ESTIMATES };

extern const struct ww_array_constants ww_array_constants_of[WW_ARRAY_ESTIMATES];

struct ww_array_cost {
    uint64_t read_fj;  /* a read, or a search with the read of the entry that matched */
    uint64_t write_fj; /* of one entry */
    uint64_t area_um2;
};

/* WW_OK, or WW_E_ARG: no entries, bits, ways or ports, more than the limits above, more ways than entries, or
 * more bits read or compared than an entry has. A constant may be anything below 2^20. */
int ww_array_cost_of(struct ww_array_cost *cost, const struct ww_array_cfg *c,
                     const struct ww_array_constants *k);

WW_END_DECLS

#endif

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

/* Geometry of an array. At most 2^26 entries of 2^16 bits, 2^36 bits in all, and 64 ports. */
struct ww_array_cfg {
    uint32_t entries;
    uint32_t entry_bits; /* of one entry: key and content */
    uint32_t cam_bits;   /* of entry_bits, those in comparing cells; a search compares them in all entries */
    uint32_t ways;       /* entries that a read reads: those of a set, or the one that matched */
    uint32_t read_bits;  /* bits read of each of these entries */
    uint32_t ports;
};

/* Constants in attojoules (_aj) or thousandths of a square micrometre (_mum2). */
struct ww_array_constants {
    uint32_t read_aj;      /* per bit read or written */
    uint32_t cam_aj;       /* per bit compared */
    uint32_t cam_write_aj; /* per comparing bit in the array, on each write */
    uint32_t wire_aj;      /* bit and word lines, per bit along the edge of a square of the bits held */
    uint32_t sram_mum2;    /* per bit held */
    uint32_t cam_mum2;     /* per comparing bit, in addition to sram_mum2 */
    uint32_t port_mum2;    /* decoders and sense amplifiers, per port and bit along that edge */
};

enum ww_array_estimate { WW_ARRAY_LOW, WW_ARRAY_MIDDLE, WW_ARRAY_HIGH, WW_ARRAY_ESTIMATES };

extern const struct ww_array_constants ww_array_constants_of[WW_ARRAY_ESTIMATES];

struct ww_array_cost {
    uint64_t read_fj;  /* one read, or one search and the read of the entry that matched */
    uint64_t write_fj; /* one write of an entry */
    uint64_t area_um2;
};

/* Sets *cost and returns WW_OK. Returns WW_E_ARG if there are no entries, bits, ways or ports, if a value
 * exceeds the limits above, if ways exceed entries, or if an entry has fewer bits than are read or compared.
 * Required: each constant is below 2^20. */
int ww_array_cost_of(struct ww_array_cost *cost, const struct ww_array_cfg *c,
                     const struct ww_array_constants *k);

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* kernels/store/index.h - set index functions of TLBs and data caches: the low bits, or all bits folded by
 * XOR. Not modelled: skewed and prime-number indices. Time: none. Allocation: none. */
#ifndef WW_KERNELS_INDEX_H
#define WW_KERNELS_INDEX_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_INDEX_LIST(X)                                                                                     \
    X(WW_INDEX_MODULO, "modulo")                                                                             \
    X(WW_INDEX_XOR, "xor")

#define WW_INDEX_ENUM(id, text) id,
enum ww_index_kind { WW_INDEX_LIST(WW_INDEX_ENUM) };
#undef WW_INDEX_ENUM

const char *ww_index_name(enum ww_index_kind kind);

/* Returns the set of a page or line number among 1 << set_bits sets. XOR folds the lowest four groups of
 * set_bits bits: it spreads the power-of-two strides, up to the fourth group, that a modulo index maps to one
 * set. Required: set_bits <= 26. */
static inline uint32_t ww_set_index(uint8_t kind, uint64_t number, uint32_t set_bits)
{
    const uint64_t mask = ((uint64_t)1 << set_bits) - 1;
    if (kind == WW_INDEX_XOR) {
        number ^= number >> (2 * set_bits);
        number ^= number >> set_bits;
    }
    return (uint32_t)(number & mask);
}

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* kernels/xlat_word.h - a translation in eight bytes, as memory lent to translations stores it. Models: the
 * 8-byte translations of [M21 sections 4.2.3, 4.3.1]; their fields are ours, in the places that a page-table
 * entry has them. The page's size lies here, not in the tag: the paper's tags have no bit for it. Time: none.
 * Allocation: none. */
#ifndef WW_KERNELS_XLAT_WORD_H
#define WW_KERNELS_XLAT_WORD_H

#include "kernels/bits.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

#define WW_XLAT_WORD_BITS 64u
#define WW_XLAT_WORD_PERM WW_BITS64(2, 0)    /* [2:0]   enum ww_perm bits */
#define WW_XLAT_WORD_SHIFT WW_BITS64(7, 3)   /* [7:3]   log2 of the page's bytes */
#define WW_XLAT_WORD_FRAME WW_BITS64(51, 12) /* [51:12] physical address of the page, its low bits 0 */

/* Returns the word of a translation. Required: page_pa < 2^52. */
static inline uint64_t ww_xlat_word(const struct ww_xlat *x)
{
    WW_ASSERT((x->page_pa & ~WW_XLAT_WORD_FRAME) == 0);
    return ww_bits_put(WW_XLAT_WORD_PERM, ww_bits_put(WW_XLAT_WORD_SHIFT, x->page_pa, x->page_shift),
                       x->perm);
}

static inline uint8_t ww_xlat_word_shift(uint64_t word)
{
    return (uint8_t)ww_bits_get(WW_XLAT_WORD_SHIFT, word);
}

static inline struct ww_xlat ww_xlat_of_word(uint64_t word)
{
    struct ww_xlat x;
    x.page_pa = word & WW_XLAT_WORD_FRAME;
    x.page_shift = ww_xlat_word_shift(word);
    x.perm = (uint8_t)ww_bits_get(WW_XLAT_WORD_PERM, word);
    return x;
}

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* kernels/store/icache_tx_format.h - the tags of an instruction cache's lines, bit by bit: [M21 section
 * 4.3.1, Figure 10]. A line's head is the 48-bit tag of an instruction line (10a), the 39-bit tag of a line
 * with one translation (10b) and a mode bit, or the 32-bit base of eight translations (10c). These eight also
 * have 8 bits of their own each, 64 in a word: 96 bits together. Each set has a word for the order of use of
 * its lines. Time: none. Allocation: none. */
#ifndef WW_KERNELS_ICACHE_TX_FORMAT_H
#define WW_KERNELS_ICACHE_TX_FORMAT_H

#include "kernels/base.h"
#include "kernels/bits.h"

WW_BEGIN_DECLS

#define WW_ICACHE_TX_VA_BITS 48u
#define WW_ICACHE_TX_VMIDS 4u      /* VM-IDs 0 to 3 */
#define WW_ICACHE_TX_WAYS 8u       /* most ways; three bits of order each */
#define WW_ICACHE_TX_LINE_WORDS 8u /* translations per line */
#define WW_ICACHE_TX_LINE_SHIFT 6u

/* In every head. The address bits lie above, as many as the geometry has. */
#define WW_ICACHE_TX_MODE WW_BITS64(0, 0) /* 1 = Tx-mode */
#define WW_ICACHE_TX_VMID WW_BITS64(2, 1)
#define WW_ICACHE_TX_VRFID WW_BITS64(4, 3) /* virtual function, always 0 */
#define WW_ICACHE_TX_ADDR_AT 5u
/* In a head with one tag: instructions, or one translation. */
#define WW_ICACHE_TX_VALID WW_BITS64(47, 47)
/* In the head of eight translations, outside the 96 bits: translations passed on since the base was set. */
#define WW_ICACHE_TX_PASSED WW_BITS64(47, 40)

/* Own bits of one of eight translations. */
#define WW_ICACHE_TX_OWN_BITS 8u
#define WW_ICACHE_TX_OWN_VALID WW_BITS64(0, 0)
#define WW_ICACHE_TX_OWN_RANK WW_BITS64(3, 1) /* 0 = the most recently used */
#define WW_ICACHE_TX_OWN_LOW WW_BITS64(7, 4)  /* lowest bits of the tag */
#define WW_ICACHE_TX_LOW_BITS 4u

/* Address bits of the three tags. */
#define WW_ICACHE_TX_CODE_TAG(log2_sets) (WW_ICACHE_TX_VA_BITS - WW_ICACHE_TX_LINE_SHIFT - (log2_sets))
#define WW_ICACHE_TX_ONE_TAG(log2_sets) (WW_ICACHE_TX_VA_BITS - 12u - (log2_sets))
#define WW_ICACHE_TX_BASE_TAG(log2_lines) (WW_ICACHE_TX_VA_BITS - 12u - (log2_lines)-WW_ICACHE_TX_LOW_BITS)
#define WW_ICACHE_TX_FIXED_BITS (1u + 2u + 2u) /* mode, VM-ID, VRF-ID */
#define WW_ICACHE_TX_BASE_BITS 32u
#define WW_ICACHE_TX_TAG_BITS 96u
#define WW_ICACHE_CODE_TAG_BITS 48u /* tag of an instruction cache without translations */

/* Get and put the own bits of translation i in a line's word. */
static inline uint64_t ww_icache_tx_own(uint64_t owns, uint32_t i)
{
    return owns >> (i * WW_ICACHE_TX_OWN_BITS) & WW_BITS64(WW_ICACHE_TX_OWN_BITS - 1, 0);
}

static inline uint64_t ww_icache_tx_put_own(uint64_t owns, uint32_t i, uint64_t own)
{
    return ww_bits_put(WW_BITS64(WW_ICACHE_TX_OWN_BITS - 1, 0) << (i * WW_ICACHE_TX_OWN_BITS), owns, own);
}

WW_END_DECLS

#endif

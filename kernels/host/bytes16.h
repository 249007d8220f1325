/* SPDX-License-Identifier: MIT */
/* kernels/host/bytes16.h - operations on sixteen bytes at once, by the host's vector unit if it has one. Not
 * hardware: it makes comparing and ageing the ways of a set cheap. Time: none. Allocation: none. */
#ifndef WW_KERNELS_HOST_BYTES16_H
#define WW_KERNELS_HOST_BYTES16_H

#include "kernels/base.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

WW_BEGIN_DECLS

/* Returns a mask: bit i is set if byte i of 16 equals `value`. */
static inline uint32_t ww_equal16(const uint8_t *bytes, uint8_t value)
{
#if defined __SSE2__ && !defined WW_SCALAR
    const __m128i all = _mm_loadu_si128((const __m128i *)(const void *)bytes);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8((char)value)));
#else
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 16; i++)
        mask |= (uint32_t)(bytes[i] == value) << i;
    return mask;
#endif
}

/* Returns a mask: bit w is set if byte w of `of` equals `value`. Required: bytes is 16, 32, 48 or 64. */
static inline uint64_t ww_equal(const uint8_t *of, uint32_t bytes, uint8_t value)
{
    uint64_t mask = ww_equal16(of, value);
    for (uint32_t first = 16; first < bytes; first += 16)
        mask |= (uint64_t)ww_equal16(of + first, value) << first;
    return mask;
}

/* Adds 1 to those of 16 bytes that are above 0 and below `limit`. Required: limit is 1..127. */
static inline void ww_age16(uint8_t *bytes, uint8_t limit)
{
#if defined __SSE2__ && !defined WW_SCALAR
    const __m128i all = _mm_loadu_si128((const __m128i *)(const void *)bytes);
    const __m128i newer = _mm_andnot_si128(_mm_cmpeq_epi8(all, _mm_setzero_si128()),
                                           _mm_cmplt_epi8(all, _mm_set1_epi8((char)limit)));
    _mm_storeu_si128((__m128i *)(void *)bytes, _mm_sub_epi8(all, newer));
#else
    for (uint32_t i = 0; i < 16; i++)
        bytes[i] = (uint8_t)(bytes[i] + (bytes[i] != 0 && bytes[i] < limit));
#endif
}

/* Returns the fingerprint of a key: the top of a product, which depends on every bit. A set's fingerprints, a
 * byte per way, select the few keys to compare. */
static inline uint8_t ww_fingerprint(uint64_t key)
{
    return (uint8_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* kernels/latency.c - see latency.h. Time: none. Allocation: none. */
#include "kernels/latency.h"

#define FRACTION_BITS 24u

/* Approximates -log2(u / 2^64) in fixed point by z + 2 - m: z leading zeros of u, mantissa m in [1, 2). */
static uint64_t minus_log2(uint64_t u)
{
    const uint32_t zeros = (uint32_t)__builtin_clzll(u);
    const uint64_t mantissa = (u << zeros) >> (63 - FRACTION_BITS); /* 1 is 2^24 */
    return ((uint64_t)zeros << FRACTION_BITS) + (UINT64_C(2) << FRACTION_BITS) - mantissa;
}

uint64_t ww_latency_draw(struct ww_rng *rng, enum ww_latency_kind kind, uint32_t mean)
{
    WW_ASSERT(kind < WW_LATENCY_COUNT && mean <= WW_LATENCY_MEAN_MAX);
    if (kind == WW_LATENCY_CONSTANT)
        return mean;
    if (kind == WW_LATENCY_UNIFORM)
        return ww_rng_below(rng, 2 * mean + 1);
    return (minus_log2(ww_rng_next(rng) | 1) * mean * 2 / 3) >> FRACTION_BITS;
}

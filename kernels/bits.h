/* SPDX-License-Identifier: MIT */
/* kernels/bits.h - fields of 64-bit words, powers of two, one hash finaliser and one generator.
 * A format is a uint64_t whose fields are named inclusive bit ranges; C bit-fields are not used because
 * their allocation order is the compiler's choice. OR == SUM over a format's fields proves them disjoint.
 * Time: none. Allocation: none. */
#ifndef WW_KERNELS_BITS_H
#define WW_KERNELS_BITS_H

#include "kernels/base.h"

WW_BEGIN_DECLS

/* Mask of bits [hi:lo], both inclusive; 63 >= hi >= lo >= 0. */
#define WW_BITS64(hi, lo) ((UINT64_MAX >> (63 - (hi))) & (UINT64_MAX << (lo)))

/* Value of the field `mask` (not 0, contiguous) of `word`. */
static inline uint64_t ww_bits_get(uint64_t mask, uint64_t word)
{
    return (word & mask) >> __builtin_ctzll(mask);
}

/* `word` with its field `mask` (not 0, contiguous) set to `value`, which must fit. */
static inline uint64_t ww_bits_put(uint64_t mask, uint64_t word, uint64_t value)
{
    const int shift = __builtin_ctzll(mask);
    WW_ASSERT((value & ~(mask >> shift)) == 0);
    return (word & ~mask) | (value << shift);
}

static inline bool ww_is_pow2(uint64_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

/* Largest k with 2^k <= n; n is not 0. */
static inline uint32_t ww_log2_u64(uint64_t n)
{
    WW_ASSERT(n != 0);
    return 63u - (uint32_t)__builtin_clzll(n);
}

/* Number of bits set. Not the compiler's builtin, which may be a library call. */
static inline uint32_t ww_bits_count(uint64_t word)
{
    uint32_t n = 0;
    for (; word != 0; word &= word - 1)
        ++n;
    return n;
}

/* Bits needed to name one of n. */
static inline uint32_t ww_name_bits(uint64_t n)
{
    return n <= 1 ? 0 : ww_log2_u64(n - 1) + 1;
}

/* Finaliser of splitmix64: a bijection of the 64-bit words, every input bit reaches every output bit. */
static inline uint64_t ww_mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* splitmix64: any seed is good, period 2^64, state copied freely. */
struct ww_rng {
    uint64_t state;
};

static inline void ww_rng_init(struct ww_rng *rng, uint64_t seed)
{
    rng->state = seed;
}

static inline uint64_t ww_rng_next(struct ww_rng *rng)
{
    rng->state += UINT64_C(0x9e3779b97f4a7c15);
    return ww_mix64(rng->state);
}

/* A number in [0, n), n not 0; the bias is below n / 2^32. */
static inline uint32_t ww_rng_below(struct ww_rng *rng, uint32_t n)
{
    WW_ASSERT(n != 0);
    return (uint32_t)(((ww_rng_next(rng) >> 32) * n) >> 32);
}

WW_END_DECLS

#endif

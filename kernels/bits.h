/* SPDX-License-Identifier: MIT */
/* kernels/bits.h - fields of 64-bit words, powers of two, one hash finaliser and one generator.
 * A format is a uint64_t whose fields are named inclusive bit ranges; C bit-fields are not used because
 * their allocation order is the compiler's choice. OR == SUM over a format's fields proves them disjoint.
 * Time: none. Allocation: none. */
#ifndef WW_KERNELS_BITS_H
#define WW_KERNELS_BITS_H

#include "kernels/base.h"

WW_BEGIN_DECLS

/* Mask of bits [hi:lo], both inclusive. Required: 63 >= hi >= lo >= 0. */
#define WW_BITS64(hi, lo) ((UINT64_MAX >> (63 - (hi))) & (UINT64_MAX << (lo)))

/* Returns the value of the field `mask` in `word`. Required: mask is contiguous and not 0. */
static inline uint64_t ww_bits_get(uint64_t mask, uint64_t word)
{
    return (word & mask) >> __builtin_ctzll(mask);
}

/* Returns `word` with its field `mask` set to `value`, which must fit. Required: mask is contiguous and not
 * 0. */
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

/* Returns the largest k with 2^k <= n. Required: n != 0. */
static inline uint32_t ww_log2_u64(uint64_t n)
{
    WW_ASSERT(n != 0);
    return 63u - (uint32_t)__builtin_clzll(n);
}

/* Returns the number of bits set. The compiler's builtin may be a library call. */
static inline uint32_t ww_bits_count(uint64_t word)
{
    uint32_t n = 0;
    for (; word != 0; word &= word - 1)
        ++n;
    return n;
}

/* Returns the bits that number n things. */
static inline uint32_t ww_name_bits(uint64_t n)
{
    return n <= 1 ? 0 : ww_log2_u64(n - 1) + 1;
}

/* Finaliser of splitmix64: a bijection on 64-bit words in which every input bit affects every output bit. */
static inline uint64_t ww_mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* A splitmix64 generator. Any seed is good, the period is 2^64, and a copy continues alike. */
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

/* Returns a number in [0, n) with a bias below n / 2^32. Required: n != 0. */
static inline uint32_t ww_rng_below(struct ww_rng *rng, uint32_t n)
{
    WW_ASSERT(n != 0);
    return (uint32_t)(((ww_rng_next(rng) >> 32) * n) >> 32);
}

WW_END_DECLS

#endif

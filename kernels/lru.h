/* SPDX-License-Identifier: MIT */
/* kernels/lru.h - true LRU and random replacement for every cache-like kernel.
 * Touch on hit and on fill. The victim is an invalid way if there is one (the lowest), else the oldest. Two
 * forms of one order: ranks, a byte a way, 0 = invalid, 1 = newest, n = oldest of n, eight to a word, for
 * sets of up to 64 ways; and use stamps, for wider sets: 0 = invalid, otherwise the value of the owner's use
 * counter at the last touch (it counts uses, it is not time). Not modelled: pseudo-LRU trees. Time: none.
 * Allocation: none. */
#ifndef WW_KERNELS_LRU_H
#define WW_KERNELS_LRU_H

#include "kernels/base.h"
#include "kernels/bits.h"

WW_BEGIN_DECLS

/* Makes `way` the newest (and valid). `*clock` starts at 0 and is shared by any number of sets. */
static inline void ww_lru_touch(uint64_t *stamps, uint32_t way, uint64_t *clock)
{
    *clock += 1;
    stamps[way] = *clock;
}

/* Makes `way` invalid. */
static inline void ww_lru_drop(uint64_t *stamps, uint32_t way)
{
    stamps[way] = 0;
}

static inline bool ww_lru_valid(const uint64_t *stamps, uint32_t way)
{
    return stamps[way] != 0;
}

/* The way to replace: the smallest stamp, so that an invalid way (0) comes first; ties: lowest way. ways
 * >= 1. */
static inline uint32_t ww_lru_victim(const uint64_t *stamps, uint32_t ways)
{
    uint64_t oldest = stamps[0];
    uint32_t victim = 0;
    for (uint32_t way = 1; way < ways; way++) {
        const bool older = stamps[way] < oldest;
        oldest = older ? stamps[way] : oldest;
        victim = older ? way : victim;
    }
    return victim;
}

#define WW_RANK_ONES UINT64_C(0x0101010101010101)
#define WW_RANK_TOPS (WW_RANK_ONES << 7)

static inline uint32_t ww_rank_of(const uint64_t *ranks, uint32_t way)
{
    return (uint32_t)(ranks[way / 8] >> way % 8 * 8) & 0xff;
}

/* Top bits of the bytes of a word that are at least n; bytes and n below 128. */
static inline uint64_t ww_rank_at_least(uint64_t word, uint32_t n)
{
    return ((word | WW_RANK_TOPS) - n * WW_RANK_ONES) & WW_RANK_TOPS;
}

/* Makes `way` the newest (and valid): who was newer grows one older. words: of the set, bytes beyond its ways
 * are 0. */
static inline void ww_rank_touch(uint64_t *ranks, uint32_t words, uint32_t way)
{
    const uint32_t shift = way % 8 * 8;
    const uint32_t old = ww_rank_of(ranks, way);
    const uint32_t limit = old == 0 ? 127 : old;
    for (uint32_t w = 0; w < words; w++) {
        const uint64_t newer = ww_rank_at_least(ranks[w], 1) & ~ww_rank_at_least(ranks[w], limit);
        ranks[w] += newer >> 7;
    }
    ranks[way / 8] = (ranks[way / 8] & ~((uint64_t)0xff << shift)) | (uint64_t)1 << shift;
}

/* Makes `way` invalid: who was older grows one younger. */
static inline void ww_rank_drop(uint64_t *ranks, uint32_t words, uint32_t way)
{
    const uint32_t old = ww_rank_of(ranks, way);
    if (old == 0)
        return;
    for (uint32_t w = 0; w < words; w++)
        ranks[w] -= ww_rank_at_least(ranks[w], old + 1) >> 7;
    ranks[way / 8] &= ~((uint64_t)0xff << way % 8 * 8);
}

/* The lowest invalid way, or `ways` when all are valid. */
static inline uint32_t ww_rank_invalid(const uint64_t *ranks, uint32_t words, uint32_t ways)
{
    for (uint32_t w = 0; w < words; w++) {
        const uint64_t invalid = ~ww_rank_at_least(ranks[w], 1) & WW_RANK_TOPS;
        if (invalid != 0) {
            const uint32_t way = w * 8 + (uint32_t)__builtin_ctzll(invalid) / 8;
            return way < ways ? way : ways;
        }
    }
    return ways;
}

/* The way to replace: the lowest invalid one, else the oldest. ways 1..64. */
static inline uint32_t ww_rank_victim(const uint64_t *ranks, uint32_t words, uint32_t ways)
{
    uint32_t way = ww_rank_invalid(ranks, words, ways);
    if (way != ways)
        return way;
    way = 0;
    for (uint32_t w = 0; w < words; w++) {
        const uint64_t oldest = ww_rank_at_least(ranks[w], ways);
        way = oldest != 0 ? w * 8 + (uint32_t)__builtin_ctzll(oldest) / 8 : way;
    }
    return way;
}

/* Random replacement: an invalid way (the lowest) first, else any way. */
static inline uint32_t ww_rank_random(const uint64_t *ranks, uint32_t words, uint32_t ways,
                                      struct ww_rng *rng)
{
    const uint32_t way = ww_rank_invalid(ranks, words, ways);
    return way != ways ? way : ww_rng_below(rng, ways);
}

/* The same on stamps. ways >= 1. */
static inline uint32_t ww_rand_victim(const uint64_t *stamps, uint32_t ways, struct ww_rng *rng)
{
    for (uint32_t way = 0; way < ways; way++)
        if (!ww_lru_valid(stamps, way))
            return way;
    return ww_rng_below(rng, ways);
}

/* NULL, or the first broken invariant of a set's ranks: the valid ways hold 1..n, each once, the rest 0. */
const char *ww_rank_check(const uint64_t *ranks, uint32_t words, uint32_t ways);
/* NULL, or the first broken invariant of a set: a stamp from the future, or two valid ways with one stamp. */
const char *ww_lru_check(const uint64_t *stamps, uint32_t ways, uint64_t clock);

WW_END_DECLS

#endif

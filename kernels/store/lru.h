/* SPDX-License-Identifier: MIT */
/* kernels/store/lru.h - true LRU and random replacement for every cache-like kernel.
 * Touch on hit and on fill. The victim is an invalid way if there is one (the lowest), else the oldest. Two
 * forms of one order: ranks, a byte a way, 0 = invalid, 1 = newest, n = oldest of n, for sets of up to 64
 * ways (sixteen are compared at once); and use stamps, for wider sets: 0 = invalid, otherwise the value of
 * the owner's use counter at the last touch (it counts uses, it is not time). Not modelled: pseudo-LRU trees.
 * Time: none. Allocation: none. */
#ifndef WW_KERNELS_LRU_H
#define WW_KERNELS_LRU_H

#include "kernels/base.h"
#include "kernels/bits.h"
#include "kernels/host/bytes16.h"

WW_BEGIN_DECLS

/* Makes `way` the newest (and valid). `*clock` starts at 0; any number of sets may share it. */
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

/* Returns the way to replace: the lowest of those with the smallest stamp, so an invalid way (0) first.
 * Required: ways >= 1. */
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

/* Makes `way` the newest (and valid); ages newer ways by one. bytes: of the set, a multiple of 16; those
 * beyond its ways are 0. */
static inline void ww_rank_touch(uint8_t *ranks, uint32_t bytes, uint32_t way)
{
    const uint8_t limit = ranks[way] == 0 ? INT8_MAX : ranks[way];
    if (limit == 1)
        return;
    ww_age16(ranks, limit);
    for (uint32_t first = 16; first < bytes; first += 16)
        ww_age16(ranks + first, limit);
    ranks[way] = 1;
}

/* Makes `way` invalid; older ways become one younger. */
static inline void ww_rank_drop(uint8_t *ranks, uint32_t bytes, uint32_t way)
{
    const uint8_t old = ranks[way];
    if (old == 0)
        return;
    for (uint32_t w = 0; w < bytes; w++)
        ranks[w] = (uint8_t)(ranks[w] - (ranks[w] > old));
    ranks[way] = 0;
}

/* Returns the lowest invalid way, or `ways` (1..64) if all are valid. */
static inline uint32_t ww_rank_invalid(const uint8_t *ranks, uint32_t bytes, uint32_t ways)
{
    const uint64_t invalid = ww_equal(ranks, bytes, 0) & UINT64_MAX >> (64 - ways);
    return invalid == 0 ? ways : (uint32_t)__builtin_ctzll(invalid);
}

/* Returns the way to replace: the lowest invalid one, else the oldest. Looks first for a rank equal to
 * `ways`, which only a full set has, as most sets are full. Required: ways is 1..64. */
static inline uint32_t ww_rank_victim(const uint8_t *ranks, uint32_t bytes, uint32_t ways)
{
    const uint64_t oldest = ww_equal(ranks, bytes, (uint8_t)ways);
    return oldest != 0 ? (uint32_t)__builtin_ctzll(oldest) : ww_rank_invalid(ranks, bytes, ways);
}

/* Returns the way to replace at random: the lowest invalid one, else any. */
static inline uint32_t ww_rank_random(const uint8_t *ranks, uint32_t bytes, uint32_t ways, struct ww_rng *rng)
{
    const uint32_t way = ww_rank_invalid(ranks, bytes, ways);
    return way != ways ? way : ww_rng_below(rng, ways);
}

/* Returns the same for stamps. Required: ways >= 1. */
static inline uint32_t ww_rand_victim(const uint64_t *stamps, uint32_t ways, struct ww_rng *rng)
{
    for (uint32_t way = 0; way < ways; way++)
        if (!ww_lru_valid(stamps, way))
            return way;
    return ww_rng_below(rng, ways);
}

/* Returns the bits of state in hardware: each way's place in the order of its set. */
static inline uint64_t ww_lru_bits(uint64_t sets, uint64_t ways)
{
    return sets * ways * ww_name_bits(ways);
}

/* Returns NULL, or names the first broken invariant of a set's ranks: the valid ways hold 1..n, each once,
 * the rest 0. */
const char *ww_rank_check(const uint8_t *ranks, uint32_t bytes, uint32_t ways);
/* Returns NULL, or names the first broken invariant of a set: a stamp from the future, or two valid ways with
 * one stamp. */
const char *ww_lru_check(const uint64_t *stamps, uint32_t ways, uint64_t clock);

WW_END_DECLS

#endif

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

/* Makes `way` the newest (and valid); ways that were newer age by one. bytes: of the set, a multiple of 16;
 * those beyond its ways are 0. */
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

/* Makes `way` invalid; ways that were older become one younger. */
static inline void ww_rank_drop(uint8_t *ranks, uint32_t bytes, uint32_t way)
{
    const uint8_t old = ranks[way];
    if (old == 0)
        return;
    for (uint32_t w = 0; w < bytes; w++)
        ranks[w] = (uint8_t)(ranks[w] - (ranks[w] > old));
    ranks[way] = 0;
}

/* The lowest invalid way, or `ways` (1..64) when all are valid. */
static inline uint32_t ww_rank_invalid(const uint8_t *ranks, uint32_t bytes, uint32_t ways)
{
    const uint64_t invalid = ww_equal(ranks, bytes, 0) & UINT64_MAX >> (64 - ways);
    return invalid == 0 ? ways : (uint32_t)__builtin_ctzll(invalid);
}

/* The way to replace: the lowest invalid one, else the oldest. ways 1..64. Only a full set has a rank as high
 * as its ways; it is looked for first, because sets are full most of the time. */
static inline uint32_t ww_rank_victim(const uint8_t *ranks, uint32_t bytes, uint32_t ways)
{
    const uint64_t oldest = ww_equal(ranks, bytes, (uint8_t)ways);
    return oldest != 0 ? (uint32_t)__builtin_ctzll(oldest) : ww_rank_invalid(ranks, bytes, ways);
}

/* Random replacement: an invalid way (the lowest) first, else any way. */
static inline uint32_t ww_rank_random(const uint8_t *ranks, uint32_t bytes, uint32_t ways, struct ww_rng *rng)
{
    const uint32_t way = ww_rank_invalid(ranks, bytes, ways);
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

/* State in hardware: of each way its place in the order of its set. */
static inline uint64_t ww_lru_bits(uint64_t sets, uint64_t ways)
{
    return sets * ways * ww_name_bits(ways);
}

/* NULL, or the first broken invariant of a set's ranks: the valid ways hold 1..n, each once, the rest 0. */
const char *ww_rank_check(const uint8_t *ranks, uint32_t bytes, uint32_t ways);
/* NULL, or the first broken invariant of a set: a stamp from the future, or two valid ways with one stamp. */
const char *ww_lru_check(const uint64_t *stamps, uint32_t ways, uint64_t clock);

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* kernels/lru.h - true LRU and random replacement for every cache-like kernel.
 * A set is an array of use stamps, one a way: 0 is an invalid way, otherwise the value of the owner's use
 * counter at the last touch. Touch on hit and on fill. The victim is an invalid way if there is one, else the
 * oldest; ties go to the lowest way. The counter counts uses, it is not time. Not modelled: pseudo-LRU trees.
 * Time: none. Allocation: none. */
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

/* Random replacement on the same stamps: an invalid way (the lowest) first, else any way. ways >= 1. */
static inline uint32_t ww_rand_victim(const uint64_t *stamps, uint32_t ways, struct ww_rng *rng)
{
    for (uint32_t way = 0; way < ways; way++)
        if (!ww_lru_valid(stamps, way))
            return way;
    return ww_rng_below(rng, ways);
}

/* NULL, or the first broken invariant of a set: a stamp from the future, or two valid ways with one stamp. */
const char *ww_lru_check(const uint64_t *stamps, uint32_t ways, uint64_t clock);

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* kernels/store/lru.c - checks the invariants of a set's use stamps, or ranks. For tests only: O(ways
 * squared). Time: none. Allocation: none. */
#include "kernels/store/lru.h"

const char *ww_lru_check(const uint64_t *stamps, uint32_t ways, uint64_t clock)
{
    for (uint32_t way = 0; way < ways; way++) {
        if (!ww_lru_valid(stamps, way))
            continue;
        if (stamps[way] > clock)
            return "a stamp is newer than the use counter";
        for (uint32_t other = 0; other < way; other++)
            if (stamps[other] == stamps[way])
                return "two valid ways carry one stamp";
    }
    return NULL;
}

const char *ww_rank_check(const uint8_t *ranks, uint32_t bytes, uint32_t ways)
{
    uint32_t valid = 0;
    uint64_t seen = 0; /* bit n - 1: rank n */
    for (uint32_t way = 0; way < bytes; way++) {
        const uint32_t rank = ranks[way];
        if (rank == 0)
            continue;
        if (way >= ways || rank > ways)
            return "a rank outside the set";
        if ((seen >> (rank - 1) & 1) != 0)
            return "two valid ways have one rank";
        seen |= (uint64_t)1 << (rank - 1);
        valid++;
    }
    if (valid != 0 && seen != UINT64_MAX >> (64 - valid))
        return "the ranks have a gap";
    return NULL;
}

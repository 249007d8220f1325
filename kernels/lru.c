/* SPDX-License-Identifier: MIT */
/* kernels/lru.c - the invariants of a set of use stamps. Tests only: O(ways squared).
 * Time: none. Allocation: none. */
#include "kernels/lru.h"

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

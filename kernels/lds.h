/* SPDX-License-Identifier: MIT */
/* kernels/lds.h - banks of a local data share. Words lie in the banks in turn; each cycle a bank serves
 * `ports` words; lanes that want one word share it (a broadcast), but atomics of several lanes on one word
 * are served one after the other. An access occupies all banks until its last word is served. Models: the LDS
 * of [M21 section 4.2] as its compute unit uses it; docs/model/lds.md. Not modelled: data, where a
 * work-group's local memory begins (lds_alloc.h), segments of translations. Time: none, the caller counts
 * cycles of service. Allocation: none. */
#ifndef WW_KERNELS_LDS_H
#define WW_KERNELS_LDS_H

#include "kernels/base.h"
#include "kernels/bits.h"

WW_BEGIN_DECLS

#define WW_LDS_BANKS 64u
#define WW_LDS_LANES 64u
#define WW_LDS_LANE_BYTES 128u
#define WW_LDS_WORDS (WW_LDS_LANES * (WW_LDS_LANE_BYTES / 4u + 1u)) /* most words of one access */

struct ww_lds_cfg {
    uint32_t banks;      /* power of two, 1..64 */
    uint32_t word_bytes; /* power of two, 4..16 */
    uint32_t ports;      /* words that a bank serves in a cycle, 1..64 */
};

struct ww_lds_access {
    uint64_t mask;          /* lanes, not 0 */
    const uint64_t *offset; /* of each of 64 lanes, in the work-group's local memory; any alignment */
    uint32_t bytes;         /* of each lane's access, 1..WW_LDS_LANE_BYTES */
    bool atomic;            /* read-modify-write */
};

/* Cost of an access. wanted = words + shared. */
struct ww_lds_need {
    uint32_t wanted; /* words requested, counted by lane */
    uint32_t words;  /* words served */
    uint32_t shared; /* words of lanes that another lane's service delivers */
    uint32_t cycles; /* cycles of the banks, conflicts included */
    uint32_t least;  /* cycles if the words were spread evenly */
};

struct ww_lds {
    struct ww_lds_cfg cfg;
    uint32_t left;                 /* words not yet served, of all banks */
    uint16_t queued[WW_LDS_BANKS]; /* the same, of each bank */
};

size_t ww_lds_bytes(const struct ww_lds_cfg *cfg);
int ww_lds_init(struct ww_lds *l, size_t bytes, const struct ww_lds_cfg *cfg);
/* Begins an access and sets *need. Required: all words of the access before are served. */
void ww_lds_begin(struct ww_lds *l, const struct ww_lds_access *a, struct ww_lds_need *need);
/* Serves the access for this number of cycles. */
void ww_lds_serve(struct ww_lds *l, uint64_t cycles);
/* Returns the cycles until the last word is served. */
uint32_t ww_lds_busy(const struct ww_lds *l);
/* Returns the bits of state in hardware besides the memory of memory_bytes: per lane of the current access,
 * its offset and whether it is served. */
static inline uint64_t ww_lds_bits(uint64_t memory_bytes)
{
    return (uint64_t)WW_LDS_LANES * (1 + ww_name_bits(memory_bytes));
}
const char *ww_lds_check(const struct ww_lds *l);

WW_END_DECLS

#endif

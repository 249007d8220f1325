/* SPDX-License-Identifier: MIT */
/* import/asim_regions.h - where the program's memory is, as far as a trace tells: what was copied to the
 * device, and the 4 KiB pages that are touched outside of that. Memory: 16 bytes a copy, 144 to 288 bytes for
 * each 2 MiB with a page touched outside every copy, at most 2^20 of these. */
#ifndef WW_IMPORT_ASIM_REGIONS_H
#define WW_IMPORT_ASIM_REGIONS_H

#include "trace/wkt.h"

#ifdef __cplusplus
extern "C" {
#endif

struct asim_range {
    uint64_t first, end;
};

struct asim_chunk {
    uint64_t key;      /* virtual address >> 21, and 1: 0 is empty */
    uint64_t pages[8]; /* a bit a page */
};

struct asim_regions {
    struct asim_range *copied; /* by address, disjoint, up to `sorted`; behind that as they came */
    size_t copied_n, copied_cap, sorted;
    struct asim_range last; /* the copy that was hit last */
    struct asim_chunk *chunks;
    size_t chunks_n, chunks_cap; /* cap: power of two */
    uint64_t last_page;
};

void asim_regions_free(struct asim_regions *r);

/* WKT_OK or WKT_E_MEMORY. */
int asim_regions_copy(struct asim_regions *r, uint64_t va, uint64_t bytes);
/* Copies that overlap become one; those that only meet do not. Wanted before a touch after a copy. */
void asim_regions_sort(struct asim_regions *r);
/* bytes: 1 to 4096. WKT_OK, WKT_E_MEMORY or WKT_E_LIMIT (2 TiB of touched 2 MiB). */
int asim_regions_touch(struct asim_regions *r, uint64_t va, uint32_t bytes);

/* Every range, by address: copies as they are; runs of touched pages without the copies in them, where less
 * than 64 KiB untouched between two pages is part of the run. Ends at the first visit that answers not 0,
 * with that. */
int asim_regions_each(struct asim_regions *r, int (*visit)(void *context, struct asim_range range),
                      void *context);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/* import/asim_regions.h - the program's memory, as far as a trace shows it: the copies to the device, and the
 * 4 KiB pages touched outside them. Memory: 16 bytes a copy, 144 to 288 bytes for each 2 MiB with a page
 * touched outside every copy, at most 2^20 of these. */
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
    uint64_t key;      /* (virtual address >> 21) + 1; 0: empty */
    uint64_t pages[8]; /* a bit a page */
};

struct asim_regions {
    struct asim_range *copied; /* by address, disjoint, up to `sorted`; after that in the order of arrival */
    size_t copied_n, copied_cap, sorted;
    struct asim_range last; /* the copy that was hit last */
    struct asim_chunk *chunks;
    size_t chunks_n, chunks_cap; /* cap: power of two */
    uint64_t last_page;
};

void asim_regions_free(struct asim_regions *r);

/* Adds a copy. Returns WKT_OK or WKT_E_MEMORY. */
int asim_regions_copy(struct asim_regions *r, uint64_t va, uint64_t bytes);
/* Merges copies that overlap, not those that only meet. Required: after copies, before a touch. */
void asim_regions_sort(struct asim_regions *r);
/* Adds a touch. Returns WKT_OK, WKT_E_MEMORY or WKT_E_LIMIT (2 TiB of touched 2 MiB). Required: bytes is 1 to
 * 4096. */
int asim_regions_touch(struct asim_regions *r, uint64_t va, uint32_t bytes);

/* Visits every range, by address: copies unchanged, and runs of touched pages without the copies in them; a
 * gap of less than 64 KiB between two pages is part of the run. Stops at the first visit that does not return
 * 0, and returns its value. */
int asim_regions_each(struct asim_regions *r, int (*visit)(void *context, struct asim_range range),
                      void *context);

#ifdef __cplusplus
}
#endif

#endif

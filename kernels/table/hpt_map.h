/* SPDX-License-Identifier: MIT */
/* kernels/table/hpt_map.h - the driver's side of a fixed-size hashed page table: which slot a region of 2 MiB
 * gets, which mappings leave the table for the victim buffer, which pages leave device memory. Models: [P24
 * sections 3.3, 3.4, 3.6, 3.7] the HPT map, Algorithm 1, the load-factor threshold, remote mappings evicted
 * in LRU order, page eviction when no frame is left. hpt_map.c and docs/model/hashed-driver.md say where the
 * printed algorithm cannot work, and what is done instead. The caller writes, copies and invalidates: an
 * operation reports the regions it changed. Not modelled: which frame a page gets, contents, permissions.
 * Time: none. Allocation: none; one blob. Thread-safety: one owner. */
#ifndef WW_KERNELS_HPT_MAP_H
#define WW_KERNELS_HPT_MAP_H

#include "kernels/table/hashed_slot.h"

WW_BEGIN_DECLS

#define WW_HPTMAP_NONE UINT32_MAX      /* no slot, no region */
#define WW_HPTMAP_MOST (1u << 24)      /* most slots, and most regions */
#define WW_HPTMAP_MOST_PERCENT 100000u /* most percent of m */

/* An entry of the map; 29 bits are the paper's (Figure 10). The step serves to restore a region on line
 * 24. */
#define WW_HPTMAP_TAG WW_BITS64(26, 0)      /* [26:0] VA[47:21] */
#define WW_HPTMAP_VALID WW_BITS64(27, 27)   /* [27] */
#define WW_HPTMAP_DELETED WW_BITS64(28, 28) /* [28] not valid, but on the probe path to a later slot */

/* Where the mappings of a region are. */
enum ww_hptmap_home {
    WW_HPTMAP_NOWHERE, /* no page was touched */
    WW_HPTMAP_TABLE,   /* in a slot of the table */
    WW_HPTMAP_VICTIM   /* in the victim buffer */
};

/* Where a page is. Pages are of one size; a region has 512 of them or fewer, numbered from 0. */
enum ww_hptmap_page {
    WW_HPTMAP_PAGE_UNTOUCHED, /* in host memory, not mapped */
    WW_HPTMAP_PAGE_DEVICE,    /* in a frame of device memory */
    WW_HPTMAP_PAGE_HOST,      /* in host memory, mapped: a remote mapping */
    WW_HPTMAP_PAGE_COUNT
};

struct ww_hptmap_cfg {
    uint32_t slots, stride; /* of the table: kernels/table/hashed_slot.h */
    uint32_t frames;        /* of device memory, one page each; at least 1 */
    uint32_t most_slots;    /* most slots valid at a time: the threshold, 1..slots */
    uint32_t regions;       /* most regions of the program: 1..WW_HPTMAP_MOST */
};

/* A region whose mappings left the table for the victim buffer, and the slot that it had. */
struct ww_hptmap_left {
    uint32_t region, slot;
};

/* Side effects of an operation. Regions are named by number. */
struct ww_hptmap_done {
    uint32_t slot;                 /* of the region; WW_HPTMAP_NONE: it is in the victim buffer */
    uint32_t step;                 /* of the slot, for the step table */
    uint32_t mapped;               /* pages whose place or mapping changed */
    uint32_t lefts;                /* regions that left the table: */
    struct ww_hptmap_left left[2]; /* one at the threshold, one evicted for its slot */
    bool fresh;                    /* the region got the slot now: write its step */
    bool returned;                 /* and its mappings were in the victim buffer before */
    bool overflow;                 /* none of the eight slots was free */
};

/* Since init. */
struct ww_hptmap_counts {
    uint64_t probes;            /* entries of the map that were read */
    uint64_t placed;            /* regions that got a slot, */
    uint64_t at_step[8];        /* of those, by step */
    uint64_t reused;            /* of those, in a deleted one */
    uint64_t evicted_remote;    /* regions that left the table at the threshold */
    uint64_t evicted_neighbour; /* regions that left it because all eight slots were taken */
    uint64_t refused;           /* regions refused: the eight slots' regions have pages in frames */
    uint64_t over_threshold;    /* regions placed above the threshold, as none was remote */
    uint64_t evicted_pages;     /* pages moved to host memory because no frame was left */
    uint64_t returned;          /* regions that came back from the victim buffer */
};

struct ww_hptmap; /* hpt_map.c; the caller needs only its size */

/* Returns the slots of a table for this number of pages: `quarters` / 4 slots per 512 pages (Table 1: 10). */
static inline uint64_t ww_hptmap_slots_for(uint64_t pages, uint32_t quarters)
{
    return ((pages + WW_HASHED_PTES - 1) / WW_HASHED_PTES * quarters + 3) / 4;
}

/* Returns Equation 1 in slots, rounded up: m (in percent) times the slots that `frames` of 4 KiB would
 * fill. */
static inline uint64_t ww_hptmap_threshold(uint64_t frames, uint32_t m_percent)
{
    const uint64_t whole = UINT64_C(100) * WW_HASHED_PTES;
    WW_ASSERT(m_percent <= WW_HPTMAP_MOST_PERCENT);
    return (frames * m_percent + whole - 1) / whole;
}

/* Returns NULL, or names the illegal field of cfg. */
const char *ww_hptmap_wrong(const struct ww_hptmap_cfg *cfg);
/* Returns the blob's bytes, a multiple of 64, or 0 if cfg is illegal. */
size_t ww_hptmap_bytes(const struct ww_hptmap_cfg *cfg);
/* Starts with nothing mapped. Returns WW_OK, WW_E_ARG or WW_E_SIZE. Required: h is 64-byte aligned. */
int ww_hptmap_init(struct ww_hptmap *h, size_t bytes, const struct ww_hptmap_cfg *cfg);

/* Assigns number `region` to the region of `va`. Required: once per region, before it is used; no two regions
 * have one tag (ww_hptmap_check() finds that when both have pages and one is in the table). */
void ww_hptmap_region(struct ww_hptmap *h, uint32_t region, uint64_t va);

/* Returns the frames that these pages would take beyond the free ones; evict pages until it is 0. Required:
 * the pages are no more than there are frames. */
uint32_t ww_hptmap_frames_lacking(const struct ww_hptmap *h, uint32_t region, uint32_t first, uint32_t count);
/* Line 19: moves the pages of the region whose faults lie farthest back to host memory; their mappings become
 * remote. It may be the region that needs frames. Returns its number and sets *pages to the pages moved.
 * Required: some page is in device memory. */
uint32_t ww_hptmap_evict_pages(struct ww_hptmap *h, uint32_t *pages);
/* Moves the pages of this region to host memory in the same way. Returns how many. Required: some page of it
 * is in device memory. */
uint32_t ww_hptmap_evict_region(struct ww_hptmap *h, uint32_t region);

/* Handles a far fault with the pages fetched with it: pages first .. first + count - 1 of the region move
 * into device memory (local), or are mapped in host memory. Pages in device memory stay there. Sets *out.
 * Required: 1 <= count <= 512; if local, no frame is lacking. */
void ww_hptmap_map(struct ww_hptmap *h, uint32_t region, uint32_t first, uint32_t count, bool local,
                   struct ww_hptmap_done *out);

/* Makes the region the last to leave the table, after the access counters have seen remote accesses to it. */
void ww_hptmap_used(struct ww_hptmap *h, uint32_t region);

enum ww_hptmap_home ww_hptmap_home_of(const struct ww_hptmap *h, uint32_t region);
enum ww_hptmap_page ww_hptmap_page_of(const struct ww_hptmap *h, uint32_t region, uint32_t page);
/* Returns the slot of a region and sets *step to its step. Required (asserted): it is in the table. */
uint32_t ww_hptmap_slot_of(const struct ww_hptmap *h, uint32_t region, uint32_t *step);
/* Returns the same by the region's tag, searching the map as lines 3 to 16 do, or WW_HPTMAP_NONE if it is not
 * in the table. */
uint32_t ww_hptmap_find(const struct ww_hptmap *h, uint64_t va, uint32_t *step);
/* Returns an entry of the map: tag, valid, deleted. */
uint64_t ww_hptmap_entry(const struct ww_hptmap *h, uint32_t slot);
uint32_t ww_hptmap_used_slots(const struct ww_hptmap *h);
uint32_t ww_hptmap_used_frames(const struct ww_hptmap *h);
const struct ww_hptmap_counts *ww_hptmap_so_far(const struct ww_hptmap *h);

/* Returns the bits of the map of Figure 10: tag, valid and deleted of each slot. */
static inline uint64_t ww_hptmap_map_bits(uint64_t slots)
{
    return slots * (WW_HASHED_TAG_BITS + 2);
}

/* Returns NULL, or names the first broken invariant: each page and each region is at one place, and the map,
 * the orders of use and the counts agree. O(slots + 512 regions), for tests. */
const char *ww_hptmap_check(const struct ww_hptmap *h);

WW_END_DECLS

#endif

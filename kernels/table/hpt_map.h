/* SPDX-License-Identifier: MIT */
/* kernels/table/hpt_map.h - the driver's side of a fixed-size hashed page table: which slot a region of 2 MiB
 * gets, which mappings leave the table for the victim buffer, which pages leave device memory. Models: [P24
 * sections 3.3, 3.4, 3.6, 3.7] the HPT map, Algorithm 1, the load-factor threshold, remote mappings evicted
 * in LRU order, page eviction when no frame is left. Where the printed algorithm cannot work, and what is
 * done instead: hpt_map.c and docs/model/hashed-driver.md. The caller writes, copies and invalidates: an
 * operation reports the regions it changed. Not modelled: which frame a page gets, contents, permissions.
 * Time: none. Allocation: none; one blob. Thread-safety: one owner. */
#ifndef WW_KERNELS_HPT_MAP_H
#define WW_KERNELS_HPT_MAP_H

#include "kernels/table/hashed_slot.h"

WW_BEGIN_DECLS

#define WW_HPTMAP_NONE UINT32_MAX      /* no slot, no region */
#define WW_HPTMAP_MOST (1u << 24)      /* slots, and regions */
#define WW_HPTMAP_MOST_PERCENT 100000u /* of m */

/* An entry of the map; 29 bits are the paper's (Figure 10). The step is what line 24 has to restore. */
#define WW_HPTMAP_TAG WW_BITS64(26, 0)      /* [26:0] VA[47:21] */
#define WW_HPTMAP_VALID WW_BITS64(27, 27)   /* [27] */
#define WW_HPTMAP_DELETED WW_BITS64(28, 28) /* [28] not valid, and on the probe path to a slot behind it */

/* Where the mappings of a region are. */
enum ww_hptmap_home {
    WW_HPTMAP_NOWHERE, /* no page was touched */
    WW_HPTMAP_TABLE,   /* in a slot of the table */
    WW_HPTMAP_VICTIM   /* in the victim buffer */
};

/* Where a page lies. A page has one of these at any time. Pages are of one size, so that a region has 512 of
 * them or fewer, numbered from 0 on. */
enum ww_hptmap_page {
    WW_HPTMAP_PAGE_UNTOUCHED, /* in host memory, not mapped */
    WW_HPTMAP_PAGE_DEVICE,    /* in a frame of device memory */
    WW_HPTMAP_PAGE_HOST,      /* in host memory, mapped: a remote mapping */
    WW_HPTMAP_PAGE_COUNT
};

struct ww_hptmap_cfg {
    uint32_t slots, stride; /* of the table: kernels/table/hashed_slot.h */
    uint32_t frames;        /* of a page each, that device memory has; at least 1 */
    uint32_t most_slots;    /* valid at a time: the threshold, 1 .. slots */
    uint32_t regions;       /* of the program, at most: 1 .. WW_HPTMAP_MOST */
};

/* A region whose mappings left the table for the victim buffer, and the slot that it had. */
struct ww_hptmap_left {
    uint32_t region, slot;
};

/* Side effects of an operation. Regions by number. */
struct ww_hptmap_done {
    uint32_t slot;                 /* of the region; WW_HPTMAP_NONE: it is in the victim buffer */
    uint32_t step;                 /* of the slot: goes into the step table */
    uint32_t mapped;               /* pages that were not as they were to be */
    uint32_t lefts;                /* regions that left the table: */
    struct ww_hptmap_left left[2]; /* one at the threshold, one that was in the way */
    bool fresh;                    /* the slot was given to the region now: its step is to be written */
    bool returned;                 /* and its mappings were in the victim buffer before */
    bool overflow;                 /* none of the eight slots was free */
};

/* Since init. */
struct ww_hptmap_counts {
    uint64_t probes;            /* entries of the map that were looked at */
    uint64_t placed;            /* regions that got a slot; */
    uint64_t at_step[8];        /* of those, by step */
    uint64_t reused;            /* of those, a deleted one */
    uint64_t evicted_remote;    /* regions that left the table at the threshold */
    uint64_t evicted_neighbour; /* the same where all eight slots were taken */
    uint64_t refused;        /* regions that got no slot since the eight are others' with pages in frames */
    uint64_t over_threshold; /* regions placed above the threshold, none being remote */
    uint64_t evicted_pages;  /* pages that went to host memory since no frame was left */
    uint64_t returned;       /* regions that came back from the victim buffer */
};

struct ww_hptmap; /* hpt_map.c; the caller needs only its size */

/* Slots of a table for this number of pages: `quarters` / 4 slots per 512 pages (Table 1: 10). */
static inline uint64_t ww_hptmap_slots_for(uint64_t pages, uint32_t quarters)
{
    return ((pages + WW_HASHED_PTES - 1) / WW_HASHED_PTES * quarters + 3) / 4;
}

/* Equation 1, in slots: m (in percent) times those that `frames` of 4 KiB would fill, rounded up. */
static inline uint64_t ww_hptmap_threshold(uint64_t frames, uint32_t m_percent)
{
    const uint64_t whole = UINT64_C(100) * WW_HASHED_PTES;
    WW_ASSERT(m_percent <= WW_HPTMAP_MOST_PERCENT);
    return (frames * m_percent + whole - 1) / whole;
}

/* Returns NULL, or a text that names the illegal field of cfg. */
const char *ww_hptmap_wrong(const struct ww_hptmap_cfg *cfg);
/* Bytes of the blob, a multiple of 64; 0: cfg is illegal. */
size_t ww_hptmap_bytes(const struct ww_hptmap_cfg *cfg);
/* h: 64-byte aligned. Nothing is mapped. WW_OK, WW_E_ARG or WW_E_SIZE. */
int ww_hptmap_init(struct ww_hptmap *h, size_t bytes, const struct ww_hptmap_cfg *cfg);

/* The region numbered `region` is that of `va`, from now on; once for each, before it is used. Two of one
 * tag are an error of the caller, which the check finds. */
void ww_hptmap_region(struct ww_hptmap *h, uint32_t region, uint64_t va);

/* Frames that these pages, no more than there are frames, would take beyond those that are free. While it is
 * not 0, pages are evicted. */
uint32_t ww_hptmap_frames_lacking(const struct ww_hptmap *h, uint32_t region, uint32_t first, uint32_t count);
/* Line 19: the pages of the region whose faults lie farthest back go to host memory, and their mappings are
 * remote from now on; it may be the one that wants frames. Its number and how many they were; some page is in
 * device memory. */
uint32_t ww_hptmap_evict_pages(struct ww_hptmap *h, uint32_t *pages);
/* The same of a region that the caller names, some page of which is in device memory; how many they were. */
uint32_t ww_hptmap_evict_region(struct ww_hptmap *h, uint32_t region);

/* A far fault, with what is fetched with it: pages first .. first + count - 1 of the region come into device
 * memory (local: no frame is lacking), or are mapped where they are, in host memory. 1 <= count <= 512; pages
 * that are in device memory stay there. */
void ww_hptmap_map(struct ww_hptmap *h, uint32_t region, uint32_t first, uint32_t count, bool local,
                   struct ww_hptmap_done *out);

/* The access counters have seen remote accesses to the region: it is the last to leave the table now. */
void ww_hptmap_used(struct ww_hptmap *h, uint32_t region);

enum ww_hptmap_home ww_hptmap_home_of(const struct ww_hptmap *h, uint32_t region);
enum ww_hptmap_page ww_hptmap_page_of(const struct ww_hptmap *h, uint32_t region, uint32_t page);
/* Slot and step of a region in the table. */
uint32_t ww_hptmap_slot_of(const struct ww_hptmap *h, uint32_t region, uint32_t *step);
/* The same by its tag, as lines 3 to 16 search the map; WW_HPTMAP_NONE: it is not in the table. */
uint32_t ww_hptmap_find(const struct ww_hptmap *h, uint64_t va, uint32_t *step);
/* An entry of the map: tag, valid, deleted. */
uint64_t ww_hptmap_entry(const struct ww_hptmap *h, uint32_t slot);
uint32_t ww_hptmap_used_slots(const struct ww_hptmap *h);
uint32_t ww_hptmap_used_frames(const struct ww_hptmap *h);
const struct ww_hptmap_counts *ww_hptmap_so_far(const struct ww_hptmap *h);

/* Bits of the map as Figure 10 has it: tag, valid and deleted of each slot. */
static inline uint64_t ww_hptmap_map_bits(uint64_t slots)
{
    return slots * (WW_HASHED_TAG_BITS + 2);
}

/* NULL, or the first broken invariant: each page and each region is at one place, and the map, the orders of
 * use and the counts say the same. O(slots + 512 regions), for tests. */
const char *ww_hptmap_check(const struct ww_hptmap *h);

WW_END_DECLS

#endif

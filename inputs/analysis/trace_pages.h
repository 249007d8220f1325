/* SPDX-License-Identifier: MIT */
/* analysis/trace_pages.h - address translation of a trace in numbers: pages and neighbourhoods of a wave
 * instruction, active lanes, footprint, reads and writes, LRU stack distances of page accesses, and the
 * working set over time (docs/use/trace-info.md). A page access is a distinct page of a wave instruction, as
 * from the coalescer; they are taken in the order of analysis/trace_order.h, pages of an instruction in
 * first-lane order. Not modelled: the machine's timing. Memory: grows with the distinct pages, not the
 * accesses. */
#ifndef WW_ANALYSIS_TRACE_PAGES_H
#define WW_ANALYSIS_TRACE_PAGES_H

#include "analysis/trace_order.h"
#include "analysis/working_set.h"
#include "kernels/coalescer.h"

WW_BEGIN_DECLS

#define WW_PAGES_KERNELS 4096u /* most kernels of different name; with more, opening fails: WKT_E_LIMIT */

/* Elements of ww_pages_part.footprint and their page shifts. */
enum ww_footprint { WW_FOOTPRINT_4K, WW_FOOTPRINT_64K, WW_FOOTPRINT_2M, WW_FOOTPRINTS };
uint8_t ww_footprint_shift(uint32_t footprint);

/* Bucket 0: distance 0. Bucket b: 2^(b-1) <= distance < 2^b. */
#define WW_REUSE_BUCKETS 33u

struct ww_pages_kind {
    uint64_t instructions, lanes, bytes;
};

struct ww_pages_buffer {
    uint64_t pages;    /* distinct 4 KiB pages touched that hold a part of the buffer */
    uint64_t accesses; /* accesses to such pages: distinct 4 KiB pages of each instruction */
    /* These accesses, as in ww_pages_part. Only for the whole trace, with page accesses of 4 KiB. */
    uint64_t cold, reuse[WW_REUSE_BUCKETS];
};

/* The whole trace, or the launches of one kernel. Instructions are those of kinds[]. A neighbourhood is the
 * range that a line of 8 leaf PTEs maps: 32 KiB, or 16 MiB with pages of 2 MiB. */
struct ww_pages_part {
    struct ww_pages_kind kinds[3];      /* WKT_LOAD, WKT_STORE, WKT_ATOMIC */
    uint64_t lanes[WKT_WAVE_LANES + 1]; /* instructions by active lanes */
    uint64_t pages[WW_COAL_MAX + 1];    /* instructions by distinct pages */
    uint64_t nbhds[WW_COAL_MAX + 1];    /* instructions by distinct neighbourhoods */
    uint64_t accesses;                  /* page accesses */
    uint64_t cold;                      /* of pages not touched before in the trace */
    uint64_t reuse[WW_REUSE_BUCKETS];   /* the others, by stack distance in the stream of the whole trace */
    uint64_t footprint[WW_FOOTPRINTS];  /* distinct pages */
    uint64_t outside;                   /* distinct 4 KiB pages without any buffer */
    struct ww_pages_buffer *buffers;    /* by number in the trace; NULL: there is no instruction */
};

struct ww_kernel_pages {
    char name[WKT_NAME_BYTES];
    uint32_t launches;
    struct ww_pages_part part;
};

struct ww_pages_cfg {
    uint8_t page_shift; /* 12, 16 or 21: for accesses, neighbourhoods, distances and windows */
    uint32_t windows;   /* WW_WINDOWS_MIN .. WW_WINDOWS_MAX */
    struct ww_order_cfg order;
};

struct ww_pages;

/* Opens the analysis of a trace, which must stay open. Returns 0, or a negative wkt_status with *error.
 * Pointers that the functions below return are valid until ww_pages_close(). */
int ww_pages_open(struct wkt_reader *trace, const struct ww_pages_cfg *cfg, struct ww_pages **out,
                  struct wkt_error *error);
void ww_pages_close(struct ww_pages *p); /* NULL is fine */

/* Takes up to `records` records. Returns 1 if there may be more, 0 at the end, with the whole part complete,
 * or a negative wkt_status with *error. */
int ww_pages_advance(struct ww_pages *p, uint64_t records, struct wkt_error *error);

/* All counts are complete after ww_pages_advance() has returned 0. Kernels are numbered by first launch;
 * their names and launches are known from the start. ww_pages_kernel() returns NULL if there is no kernel. */
const struct ww_pages_part *ww_pages_whole(const struct ww_pages *p);
uint32_t ww_pages_kernels(const struct ww_pages *p);
const struct ww_kernel_pages *ww_pages_kernel(const struct ww_pages *p, uint32_t i);
const struct ww_working_set *ww_pages_working_set(const struct ww_pages *p);
/* Returns the number, from 0, of the first page access of a launch; if it has none, the number of the next
 * access in a later launch, or of all accesses. It is known when the counts are complete. Required:
 * there is such a launch. */
uint64_t ww_pages_launch_start(const struct ww_pages *p, uint32_t launch);

uint64_t ww_pages_instructions(const struct ww_pages_part *part); /* of all kinds */
/* Returns the accesses that miss in a fully associative LRU TLB of 2^entries_log2 pages, empty at first. */
uint64_t ww_pages_misses(const struct ww_pages_part *part, uint32_t entries_log2);
/* Returns those of a buffer. Required: b is of the whole part, with page accesses of 4 KiB. */
uint64_t ww_pages_misses_of_buffer(const struct ww_pages_buffer *b, uint32_t entries_log2);
/* Returns the number of 4 KiB pages that hold a part of the buffer. */
uint64_t ww_pages_of_buffer(const struct wkt_buffer *b);

WW_END_DECLS

#endif

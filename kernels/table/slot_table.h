/* SPDX-License-Identifier: MIT */
/* kernels/table/slot_table.h - a table of translations in memory: which line of it is a page's, and how that
 * line is searched and filled once read. Models: the translations that DUCATI keeps in DRAM and in the
 * cache in front of it, the comparison of [M21 section 6.3.4], known to us by a public abstract; formats
 * and rules are ours, docs/model/ducati.md. A set is one line of 64 bytes with four slots of two words:
 *
 *     tag    valid [63] | VM-ID [62:47] | 0 [46:45] | VA[56:12] [44:0]
 *     entry  epoch [63:52] | frame [51:12] | 0 [11:8] | log2 of the page's bytes [7:3] | permissions [2:0]
 *
 * Slots in use come first, the one that was filled last in front, so their order needs no bits and the last
 * one leaves. A hit writes nothing. A slot of another epoch than the table's is free: to begin the next epoch
 * drops everything. Not modelled: the reading and writing of lines. Time: none. Allocation: none. */
#ifndef WW_KERNELS_SLOT_TABLE_H
#define WW_KERNELS_SLOT_TABLE_H

#include "kernels/addr.h"
#include "kernels/base.h"
#include "kernels/invalidate.h"
#include "kernels/store/index.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

#define WW_SLOT_BYTES 16u
#define WW_SLOT_LINE_SLOTS 4u
#define WW_SLOT_LINE_WORDS 8u
#define WW_SLOT_SETS_MAX (1u << 26)
#define WW_SLOT_EPOCH_BITS_MAX 12u

struct ww_slot_cfg {
    uint32_t sets;       /* lines: a power of two up to WW_SLOT_SETS_MAX */
    uint8_t index;       /* enum ww_index_kind */
    uint8_t epoch_bits;  /* 1 to WW_SLOT_EPOCH_BITS_MAX */
    uint32_t page_sizes; /* bit n: pages of 1 << n bytes occur; legal ones only, at least one */
};

/* Result of entering a page. */
enum ww_slot_result {
    WW_SLOT_KEPT,      /* the page is in the line now, and was not before */
    WW_SLOT_REFRESHED, /* the page was there with another translation */
    WW_SLOT_SAME,      /* the page was there with this translation: the line need not be written */
    WW_SLOT_RESULTS
};

struct ww_slot_filled {
    uint8_t result; /* enum ww_slot_result */
    bool displaced; /* another page of this epoch was evicted */
};

/* Returns NULL, or names what is illegal in cfg. */
const char *ww_slot_cfg_wrong(const struct ww_slot_cfg *cfg);
uint64_t ww_slot_table_bytes(const struct ww_slot_cfg *cfg);
/* Returns the number of page sizes that are probed, one line each. */
uint32_t ww_slot_probes(const struct ww_slot_cfg *cfg);
/* Returns log2 of the bytes of the nth probed size, smallest first. Required: n < ww_slot_probes(). */
uint32_t ww_slot_probe_shift(const struct ww_slot_cfg *cfg, uint32_t n);
/* Returns the number of the line for the page of 1 << page_shift bytes that holds va. */
uint32_t ww_slot_line(const struct ww_slot_cfg *cfg, uint64_t va, uint32_t page_shift);
/* Returns the epoch after this one; 0: the epochs begin again, and the table must be emptied first. */
uint32_t ww_slot_epoch_after(const struct ww_slot_cfg *cfg, uint32_t epoch);

/* True if the line holds a page of this epoch that covers va; only then sets *out. */
bool ww_slot_find(const uint64_t line[WW_SLOT_LINE_WORDS], uint64_t va, uint16_t vmid, uint32_t epoch,
                  struct ww_xlat *out);
/* Enters a page into a line. Required: va < 2^57, page_pa < 2^52, a legal size. */
struct ww_slot_filled ww_slot_fill(uint64_t line[WW_SLOT_LINE_WORDS], const struct ww_mapping *m,
                                   uint32_t epoch);
/* Invalidates the mappings in scope. Returns how many; 0: the line is unchanged. */
uint32_t ww_slot_drop(uint64_t line[WW_SLOT_LINE_WORDS], const struct ww_inval_scope *scope, uint32_t epoch);
/* Drops all pages of any epoch. Returns false if there were none and the line is unchanged. */
bool ww_slot_clear(uint64_t line[WW_SLOT_LINE_WORDS]);
/* Returns the pages of this epoch in a line. */
uint32_t ww_slot_count(const uint64_t line[WW_SLOT_LINE_WORDS], uint32_t epoch);
/* Returns NULL, or the first broken invariant of a line that this kernel wrote or that was never written. */
const char *ww_slot_check(const uint64_t line[WW_SLOT_LINE_WORDS]);

WW_END_DECLS

#endif

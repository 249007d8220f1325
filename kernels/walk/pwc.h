/* SPDX-License-Identifier: MIT */
/* kernels/walk/pwc.h - page-walk cache split by step of the walk, virtually tagged.
 * docs/model/page-walk-cache.md. Models: [M21] PGD 4, PUD 8, PMD 32 entries; [P24] 32 a level. The caches of
 * all steps are set-associative with LRU and share ways and index; but a kind of table may have one step
 * whose cache is always direct-mapped by the lowest bits of the prefix ([P24]). State of an entry: tag = VA
 * prefix, va >> the reach of a table entry of its step, and vmid; content = the walk (table.h) that goes on
 * from there: its next node's address, or the kind's own contents instead. Pages are never held: those belong
 * in a TLB. Not modelled: physically tagged walk caches ([H14]; a data cache of entries serves there). Time:
 * none. Allocation: none. */
#ifndef WW_KERNELS_PWC_H
#define WW_KERNELS_PWC_H

#include "kernels/base.h"
#include "kernels/store/assoc.h"
#include "kernels/store/index.h"
#include "kernels/table/table.h"

WW_BEGIN_DECLS

/* Required, else ww_pwc_bytes() is 0 and init fails: entries are a multiple of the ways of a set
 * (ww_pwc_ways()), sets are a power of two, and with more than one set there are at most WW_ASSOC_SCAN_WAYS
 * ways. */
struct ww_pwc_cfg {
    uint32_t entries[WW_STEPS_MAX + 1]; /* by step, up to 4096; 0: no cache; the last step must have none */
    const struct ww_table_kind *kind;
    uint32_t ways; /* of a set; 0, or a step with no more entries: fully associative */
    uint8_t index; /* enum ww_index_kind: from a prefix to its set */
};

struct ww_pwc {
    uint64_t bytes;
    uint32_t caches;             /* number of steps with a cache, */
    uint8_t order[WW_STEPS_MAX]; /* and these steps, the nearest to the end of a walk first */
    uint64_t over;               /* those of the kind, */
    uint8_t steps, last, whole;
    uint8_t reach[WW_STEPS_MAX + 1];
    uint8_t set_bits[WW_STEPS_MAX + 1], index[WW_STEPS_MAX + 1];
    struct ww_assoc step[WW_STEPS_MAX + 1];
    uint64_t walk_off[WW_STEPS_MAX + 1];
};

size_t ww_pwc_bytes(const struct ww_pwc_cfg *cfg);
int ww_pwc_init(struct ww_pwc *p, size_t bytes, const struct ww_pwc_cfg *cfg);
/* Returns the walk of va at its hit nearest the end, or 0 if none hits and the walk starts at the registers.
 * Makes only that entry the most recently used. */
uint64_t ww_pwc_lookup(struct ww_pwc *p, uint64_t va, uint16_t vmid);
/* Answers as lookup() does, without side effect. */
uint64_t ww_pwc_probe(const struct ww_pwc *p, uint64_t va, uint16_t vmid);
/* Enters `walk` (READ), to which va's entry of step ww_walk_from(walk) led. Ignored if that step has no
 * cache, if no entry led there, or if the step's last read is not the next; a tag that is held is refreshed
 * in place. Required (asserted): `walk` means READ, and the step it came from is not the last. */
void ww_pwc_fill(struct ww_pwc *p, uint64_t va, uint16_t vmid, uint64_t walk);
/* Drops every entry of the VM whose range overlaps [va, va + bytes). Returns how many. */
uint32_t ww_pwc_invalidate(struct ww_pwc *p, uint64_t va, uint64_t bytes, uint16_t vmid);
void ww_pwc_flush(struct ww_pwc *p);
uint32_t ww_pwc_count(const struct ww_pwc *p, uint32_t step);
const char *ww_pwc_check(const struct ww_pwc *p);
/* Returns the ways of a set of a step's cache; 0: the step has none. */
uint32_t ww_pwc_ways(const struct ww_pwc_cfg *cfg, uint32_t step);
/* Returns the bits of an entry's tag: the prefix without the set's bits, and the VM-ID. Required: the step
 * has a cache, and its table has more than one node. */
uint32_t ww_pwc_tag_bits(const struct ww_pwc_cfg *cfg, uint32_t step, const struct ww_widths *w);
/* Returns the bits of state in hardware of a step's cache, per entry: valid, prefix without the set's bits,
 * VM-ID, address of the next node, and its place in the order of use. The bits that some kinds keep beside
 * the address (rights granted so far, a second table) are not counted; of the direct-mapped step the whole
 * word is. */
uint64_t ww_pwc_bits(const struct ww_pwc_cfg *cfg, uint32_t step, const struct ww_widths *w);

WW_END_DECLS

#endif

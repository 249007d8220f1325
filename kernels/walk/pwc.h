/* SPDX-License-Identifier: MIT */
/* kernels/walk/pwc.h - page-walk cache split by step of the walk, virtually tagged.
 * docs/model/page-walk-cache.md. Models: [M21] PGD 4, PUD 8, PMD 32 entries; [P24] 32 a level. Each step is
 * set-associative with LRU, by ways and an index that all have in common; but a kind of table may have one
 * step whose cache is always direct-mapped by the lowest bits of the prefix ([P24]). State of an entry: tag =
 * VA prefix, va >> the reach of a table entry of its step, and vmid; content = the walk (table.h) that goes
 * on from there, so its next node's address, or what the kind knows instead. Pages are never held: those
 * belong into a TLB. Not modelled: physically tagged walk caches ([H14]; a data cache of entries serves
 * there). Time: none. Allocation: none. */
#ifndef WW_KERNELS_PWC_H
#define WW_KERNELS_PWC_H

#include "kernels/base.h"
#include "kernels/store/assoc.h"
#include "kernels/store/index.h"
#include "kernels/table/table.h"

WW_BEGIN_DECLS

/* Else it has no bytes and init refuses it: entries are a multiple of the ways of a set (ww_pwc_ways), sets
 * are a power of two, and in more than one set there are at most WW_ASSOC_SCAN_WAYS ways. */
struct ww_pwc_cfg {
    uint32_t entries[WW_STEPS_MAX + 1]; /* by step, up to 4096; 0: the step has no cache, as none is there,
                                           and the last one */
    const struct ww_table_kind *kind;
    uint32_t ways; /* of a set; a step with no more entries, and each with 0, is fully associative */
    uint8_t index; /* enum ww_index_kind: how a prefix picks its set */
};

struct ww_pwc {
    uint64_t bytes;
    uint32_t caches;             /* steps that have one, */
    uint8_t order[WW_STEPS_MAX]; /* these: the nearest to the end of a walk first */
    uint64_t over;               /* the kind's, */
    uint8_t steps, last, whole;
    uint8_t reach[WW_STEPS_MAX + 1];
    uint8_t set_bits[WW_STEPS_MAX + 1], index[WW_STEPS_MAX + 1];
    struct ww_assoc step[WW_STEPS_MAX + 1];
    uint64_t walk_off[WW_STEPS_MAX + 1];
};

size_t ww_pwc_bytes(const struct ww_pwc_cfg *cfg);
int ww_pwc_init(struct ww_pwc *p, size_t bytes, const struct ww_pwc_cfg *cfg);
/* The hit nearest the end of the walk wins: where the walk of va goes on, 0 when nothing is known and it
 * starts at the registers. Only the entry that won is touched. */
uint64_t ww_pwc_lookup(struct ww_pwc *p, uint64_t va, uint16_t vmid);
/* The same answer without any side effect. */
uint64_t ww_pwc_probe(const struct ww_pwc *p, uint64_t va, uint16_t vmid);
/* An entry of va, that of step ww_walk_from(walk), has been read and led to `walk` (READ). A step without a
 * cache ignores it, as does one to which no entry led, and one whose last read is not the next; a tag that
 * is held is refreshed in place. */
void ww_pwc_fill(struct ww_pwc *p, uint64_t va, uint16_t vmid, uint64_t walk);
/* Drop every entry of the VM whose range overlaps [va, va + bytes); returns how many. */
uint32_t ww_pwc_invalidate(struct ww_pwc *p, uint64_t va, uint64_t bytes, uint16_t vmid);
void ww_pwc_flush(struct ww_pwc *p);
uint32_t ww_pwc_count(const struct ww_pwc *p, uint32_t step);
const char *ww_pwc_check(const struct ww_pwc *p);
/* Ways of a set of a step's cache; 0: the step has none. */
uint32_t ww_pwc_ways(const struct ww_pwc_cfg *cfg, uint32_t step);
/* Bits of an entry by which it is found: of the prefix what its set does not say, and the VM-ID. The step has
 * a cache, and not of a table with a single node. */
uint32_t ww_pwc_tag_bits(const struct ww_pwc_cfg *cfg, uint32_t step, const struct ww_widths *w);
/* State in hardware of a step's cache: of each entry valid, prefix without what its set says and VM-ID,
 * address of the next node, and its place in the order of use. */
uint64_t ww_pwc_bits(const struct ww_pwc_cfg *cfg, uint32_t step, const struct ww_widths *w);

WW_END_DECLS

#endif

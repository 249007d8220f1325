/* SPDX-License-Identifier: MIT */
/* kernels/pwc.h - page-walk cache split by level, virtually tagged. docs/page-walk-cache.md.
 * Models: [M21] PGD 4, PUD 8, PMD 32 entries; [P24] 32 a level. Each level is fully associative with LRU.
 * State of a level-k entry (k = 2..5): tag = VA prefix va >> ww_level_shift(k) and vmid; content = physical
 * address of the next node, the level k-1 table. Leaves (2 MiB, 1 GiB, 4 KiB entries) are never held: those
 * belong into a TLB. Not modelled: physically tagged walk caches ([H14]; a data cache of entries serves
 * there). Time: none. Allocation: none. */
#ifndef WW_KERNELS_PWC_H
#define WW_KERNELS_PWC_H

#include "kernels/assoc.h"
#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_PWC_LEVEL_FIRST 2u
#define WW_PWC_LEVEL_LAST 5u

struct ww_pwc_cfg {
    uint32_t entries[6]; /* by level; [0] and [1] must be 0; 0 = the level has no cache; up to 4096 */
};

struct ww_pwc {
    struct ww_pwc_cfg cfg;
    uint64_t bytes;
    struct ww_assoc level[6];
    uint64_t node_pa_off[6];
};

size_t ww_pwc_bytes(const struct ww_pwc_cfg *cfg);
int ww_pwc_init(struct ww_pwc *p, size_t bytes, const struct ww_pwc_cfg *cfg);
/* Deepest hit wins: returns the level to access next (1..4) and writes the address of that level's node; 0
 * and *node_pa left alone when nothing is known and the walk starts at the root. Only the entry that won is
 * touched. */
uint32_t ww_pwc_lookup(struct ww_pwc *p, uint64_t va, uint16_t vmid, uint64_t *node_pa);
/* The same answer without any side effect. */
uint32_t ww_pwc_probe(const struct ww_pwc *p, uint64_t va, uint16_t vmid, uint64_t *node_pa);
/* The level-k entry of va has been read and points to the node at next_node_pa (4 KiB aligned). A level
 * without a cache ignores it; a tag that is held is refreshed in place. */
void ww_pwc_fill(struct ww_pwc *p, uint64_t va, uint16_t vmid, uint32_t level, uint64_t next_node_pa);
/* Drop every entry of the VM whose range overlaps [va, va + bytes); returns how many. */
uint32_t ww_pwc_invalidate(struct ww_pwc *p, uint64_t va, uint64_t bytes, uint16_t vmid);
void ww_pwc_flush(struct ww_pwc *p);
uint32_t ww_pwc_count(const struct ww_pwc *p, uint32_t level);
const char *ww_pwc_check(const struct ww_pwc *p);

WW_END_DECLS

#endif

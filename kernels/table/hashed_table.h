/* SPDX-License-Identifier: MIT */
/* kernels/table/hashed_table.h - fixed-size hashed page table: formats, builder, and walks as two kinds of
 * table. docs/model/hashed-tables.md. Models [P24 sections 3 and 4.1]: slots of 512 PTEs (hashed_slot.h), a
 * step table that says which of its slots a region has, a victim buffer (a four-level radix table, its root a
 * register) for regions without a slot. Walks: `hashed` step table -> slot -> victim buffer, with a step
 * cache (pwc.h) that saves the first read; `hashed_stepless` home slot -> step table -> slot -> victim
 * buffer, without a cache. MODEL: each line of a slot carries the region's tag and a valid bit in spare bits
 * of its PTEs, in both designs, since an absent region has a step, too; seven step entries to a line, which
 * are compared at once; a 2 MiB page is 512 equal PTEs with PS. Not modelled: 1 GiB pages in slots; accessed
 * and dirty. Time: none. Allocation: none. */
#ifndef WW_KERNELS_HASHED_TABLE_H
#define WW_KERNELS_HASHED_TABLE_H

#include "kernels/table/hashed_slot.h"
#include "kernels/table/pte.h"
#include "kernels/table/radix.h"
#include "kernels/table/table.h"

WW_BEGIN_DECLS

/* The tag of a line: four bits in each of its first seven PTEs, present or not, the lowest in the first. */
#define WW_HPT_PTE_TAG WW_BITS64(55, 52)
#define WW_HPT_PTE_TAG_BITS 4u
#define WW_HPT_TAG WW_BITS64(26, 0)    /* [26:0] VA[47:21] */
#define WW_HPT_VALID WW_BITS64(27, 27) /* [27] the slot belongs to a region */
#define WW_HPT_TAG_PTES 7u
WW_STATIC_ASSERT((WW_HPT_PTE_TAG & ~WW_PTE_SW2) == 0, "the tag is in bits that a PTE does not use");
WW_STATIC_ASSERT((WW_HPT_TAG | WW_HPT_VALID) == WW_HPT_TAG + WW_HPT_VALID &&
                     (WW_HPT_TAG | WW_HPT_VALID) ==
                         (UINT64_C(1) << WW_HPT_TAG_PTES * WW_HPT_PTE_TAG_BITS) - 1,
                 "tag and valid bit are what seven PTEs carry");

/* A line of the step table: word n is the low part of entry n, byte n of word 7 its high part. */
#define WW_HSTEP_STEPS WW_BITS64(47, 0)    /* [47:0] step of region m of the group at [3m+2:3m] */
#define WW_HSTEP_TAG_LOW WW_BITS64(63, 48) /* [63:48] VA[40:25] */
#define WW_HSTEP_TAG_HIGH WW_BITS64(6, 0)  /* of the byte: [6:0] VA[47:41] */
#define WW_HSTEP_VALID WW_BITS64(7, 7)     /* [7] */
#define WW_HSTEP_LINE_ENTRIES 7u
WW_STATIC_ASSERT((WW_HSTEP_STEPS | WW_HSTEP_TAG_LOW) == UINT64_MAX &&
                     WW_HSTEP_STEPS + WW_HSTEP_TAG_LOW == UINT64_MAX,
                 "every bit of the low part is named once");
WW_STATIC_ASSERT((WW_HSTEP_TAG_HIGH | WW_HSTEP_VALID) == 0xff && WW_HSTEP_TAG_HIGH + WW_HSTEP_VALID == 0xff,
                 "every bit of the high part is named once");
WW_STATIC_ASSERT(WW_HSTEP_LINE_ENTRIES * 9 <= WW_LINE_BYTES, "nine bytes an entry fit a line");

/* Sixteen steps: in a walk's word while it reads a slot, and in the step cache by group. */
#define WW_HASHED_WALK_STEPS WW_BITS64(55, 8)

/* Steps of the two kinds; those below are the levels of the victim buffer. */
#define WW_HASHED_AT_SLOT 5u  /* the slot that the step table names */
#define WW_HASHED_AT_STEPS 6u /* the step table */
#define WW_HASHED_AT_HOME 7u  /* without a step cache: the home slot */

/* Registers: [0] the first slot (PTBR); [1] slots [31:0] and stride [63:32]; [2] the step table (STBR); [3]
 * its lines; [4] the victim buffer's root. Addresses are physical, of 4 KiB frames. */
extern const struct ww_table_kind ww_hashed, ww_hashed_stepless;

struct ww_hashed_cfg {
    bool stepless;
    uint64_t slots, stride; /* hashed_slot.h */
    uint64_t step_lines;    /* of the step table: 1 .. 2^23 */
    uint32_t victim_nodes;  /* nodes that the victim buffer has room for, at least 1 */
    uint64_t arena_pa;      /* address of the first slot; the step table follows, then the victim buffer */
};

/* Counters only; the table is words of simulated memory, 512 to a frame. */
struct ww_hpt {
    struct ww_hashed_cfg cfg;
    struct ww_radix victims;
    uint32_t regions[WW_HASHED_STEPS]; /* regions with a slot, by step */
    uint32_t groups;                   /* groups with a step entry */
    uint32_t victim_pages;             /* pages in the victim buffer */
};

/* Returns the 4 KiB frames of all three parts, or 0 if the configuration is illegal. */
uint64_t ww_hashed_frames(const struct ww_hashed_cfg *cfg);
/* Returns the frames before the victim buffer. */
uint64_t ww_hashed_victims_at(const struct ww_hashed_cfg *cfg);
/* Begins an empty table. Returns WW_OK; WW_E_ARG: illegal configuration; WW_E_SIZE: fewer words than the
 * frames have. */
int ww_hashed_init(struct ww_hpt *h, const struct ww_hashed_cfg *cfg, uint64_t *arena, size_t words);

/* Gives the region of va the first free slot of its eight, unless it has one. Returns WW_OK; WW_E_SIZE: all
 * eight belong to other regions, the group's line of the step table is full, or the victim buffer has pages
 * of the region, which ww_hashed_give() brings back (the pages of such a region stay in the victim buffer);
 * WW_E_ARG: an illegal address. */
int ww_hashed_place(struct ww_hpt *h, uint64_t *arena, uint64_t va);
/* Before time zero, frees a slot for the region of va, which has none and whose eight are taken, by moving
 * other regions, each to another slot of its own eight. Moves as few as possible, found breadth first among
 * at most WW_HASHED_ROOM_SLOTS slots. MODEL: the paper does not say what happens to a ninth region. Returns
 * WW_OK: ww_hashed_place() has room; WW_E_SIZE: there is no such way, the nearest one needs a step entry for
 * which there is no room, or the victim buffer has pages of the region. Then no region has moved. Required
 * (asserted): va < 2^WW_HASHED_VA_BITS. */
#define WW_HASHED_ROOM_SLOTS 256u
int ww_hashed_make_room(struct ww_hpt *h, uint64_t *arena, uint64_t va);

/* Maps the page at `va` to `pa`, as ww_radix_map() does; 4 KiB, 64 KiB and 2 MiB only. */
int ww_hashed_map(struct ww_hpt *h, uint64_t *arena, uint64_t va, uint64_t pa, uint8_t page_shift,
                  uint8_t perm);

/* While the table is in use, a driver assigns slots to regions (hpt_map.h). Gives the region of va the slot
 * of this step. Required (asserted): va < 2^WW_HASHED_VA_BITS, the region has no slot, and this one is free.
 * Also enters the region's mappings of the victim buffer, which stay in both until ww_hashed_forget().
 * Returns WW_OK; WW_E_SIZE: the group's line of the step table is full, and nothing has changed. */
int ww_hashed_give(struct ww_hpt *h, uint64_t *arena, uint64_t va, uint32_t step);
/* Removes the mappings of the region of va from the victim buffer and releases its nodes. */
void ww_hashed_forget(struct ww_hpt *h, uint64_t *arena, uint64_t va);
/* Moves the mappings of the region of va, which must have a slot (asserted), to the victim buffer and frees
 * the slot. Returns WW_OK; WW_E_SIZE: the victim buffer has no node left for it, and nothing has changed. */
int ww_hashed_leave(struct ww_hpt *h, uint64_t *arena, uint64_t va);

/* True if `va` is mapped; only then sets *out. Searches the tags of its eight slots, not the step table. */
bool ww_hashed_lookup(const struct ww_hpt *h, const uint64_t *arena, uint64_t va, struct ww_xlat *out);

/* Returns NULL, or names the first broken invariant of the whole table. O(table). */
const char *ww_hashed_check(const struct ww_hpt *h, const uint64_t *arena);

struct ww_table ww_hashed_table(const struct ww_hpt *h);

/* Widths in bits of an entry of the step table, and of the step cache without VM-ID and valid bit; and the
 * lines of a step table of `groups`. */
static inline uint32_t ww_hashed_steps_bits(void)
{
    return WW_HASHED_GROUP_REGIONS * WW_HASHED_STEP_BITS;
}
static inline uint32_t ww_hashed_step_entry_bits(void)
{
    return WW_HASHED_GROUP_TAG_BITS + ww_hashed_steps_bits();
}
static inline uint32_t ww_hashed_step_cache_tag_bits(uint32_t entries)
{
    return WW_HASHED_GROUP_TAG_BITS - ww_name_bits(entries);
}
static inline uint64_t ww_hashed_step_lines(uint64_t groups, uint64_t entries_per_group)
{
    return (groups * entries_per_group + WW_HSTEP_LINE_ENTRIES - 1) / WW_HSTEP_LINE_ENTRIES;
}

/* Return the tag and valid bit that a line of a slot carries, and the part of such a tag that the nth PTE of
 * a line carries. */
uint64_t ww_hpt_line_tag(const uint64_t line[WW_LINE_PTES]);
uint64_t ww_hpt_pte_tag(uint64_t tag, uint32_t n);
/* True if the line of the step table has the group of va; then sets *steps. */
bool ww_hstep_find(const uint64_t line[WW_LINE_PTES], uint64_t va, uint64_t *steps);
/* Enters or replaces the steps of the group of va. Returns false if the line is full. */
bool ww_hstep_put(uint64_t line[WW_LINE_PTES], uint64_t va, uint64_t steps);
/* Returns the number of va's line in the step table. */
uint64_t ww_hstep_line(uint64_t va, uint64_t lines);

static inline uint32_t ww_hstep_of(uint64_t steps, uint64_t va)
{
    return (uint32_t)(steps >> ww_hashed_member(va) * WW_HASHED_STEP_BITS) & (WW_HASHED_STEPS - 1);
}

WW_END_DECLS

#endif

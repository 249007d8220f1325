/* SPDX-License-Identifier: MIT */
/* kernels/table/hashed_slot.h - where a 2 MiB region of virtual addresses may lie in a fixed-size hashed page
 * table: what the page-table walker and the driver that places the region have to agree upon.
 * Models: [P24 sections 3.2, 3.3, 3.5] one entry of the table (a slot) has the 512 PTEs of a region, whose
 * tag is VA[47:21]; slot = (home + step * stride) modulo the slots, step 0 to 7; sixteen regions, a group of
 * 32 MiB with the tag VA[47:25], share an entry of the step table. MODEL: the paper names no hash function:
 * here it is the finaliser of splitmix64, scaled to the number of slots, which need not be a power of two.
 * Time: none. Allocation: none. */
#ifndef WW_KERNELS_HASHED_SLOT_H
#define WW_KERNELS_HASHED_SLOT_H

#include "kernels/addr.h"
#include "kernels/base.h"
#include "kernels/bits.h"

WW_BEGIN_DECLS

#define WW_HASHED_VA_BITS 48u
#define WW_HASHED_REGION_SHIFT 21u /* a slot's region is 2 MiB */
#define WW_HASHED_PTES 512u        /* in a slot, */
#define WW_HASHED_SLOT_BYTES 4096u /* which is a frame of them */
#define WW_HASHED_STEPS 8u         /* slots in which a region may lie */
#define WW_HASHED_STEP_BITS 3u
#define WW_HASHED_GROUP_SHIFT 25u /* a group is 32 MiB: */
#define WW_HASHED_GROUP_REGIONS 16u
#define WW_HASHED_TAG_BITS (WW_HASHED_VA_BITS - WW_HASHED_REGION_SHIFT)
#define WW_HASHED_GROUP_TAG_BITS (WW_HASHED_VA_BITS - WW_HASHED_GROUP_SHIFT)
#define WW_HASHED_SLOTS_MAX (UINT64_C(1) << WW_HASHED_TAG_BITS) /* one for every region */

WW_STATIC_ASSERT(WW_HASHED_STEPS == 1u << WW_HASHED_STEP_BITS, "a step has three bits");
WW_STATIC_ASSERT(WW_HASHED_GROUP_REGIONS == 1u << (WW_HASHED_GROUP_SHIFT - WW_HASHED_REGION_SHIFT),
                 "sixteen regions are a group");
WW_STATIC_ASSERT(WW_HASHED_PTES == 1u << (WW_HASHED_REGION_SHIFT - WW_PAGE_4K) &&
                     WW_HASHED_SLOT_BYTES == WW_HASHED_PTES * sizeof(uint64_t),
                 "a slot has a PTE for every 4 KiB of its region");

/* Returns the tag of va's region: VA[47:21]. */
static inline uint64_t ww_hashed_tag(uint64_t va)
{
    return ww_bits_get(WW_BITS64(47, 21), va);
}

/* Returns the tag of va's group: VA[47:25]. */
static inline uint64_t ww_hashed_group(uint64_t va)
{
    return ww_bits_get(WW_BITS64(47, 25), va);
}

/* Returns the number of va's region in its group: VA[24:21]. */
static inline uint32_t ww_hashed_member(uint64_t va)
{
    return (uint32_t)ww_bits_get(WW_BITS64(24, 21), va);
}

/* Returns a number below n that depends on all bits of the tag. Required: n is 1..2^32. */
static inline uint64_t ww_hashed_scale(uint64_t tag, uint64_t n)
{
    WW_ASSERT(n != 0 && n <= UINT64_C(1) << 32);
    return ((ww_mix64(tag) >> 32) * n) >> 32;
}

/* Returns the slot that is tried first: step 0. */
static inline uint64_t ww_hashed_home(uint64_t va, uint64_t slots)
{
    return ww_hashed_scale(ww_hashed_tag(va), slots);
}

/* Returns the slot of a step. Required: step < WW_HASHED_STEPS, stride < slots. */
static inline uint64_t ww_hashed_slot(uint64_t va, uint32_t step, uint64_t slots, uint64_t stride)
{
    WW_ASSERT(step < WW_HASHED_STEPS && stride < slots);
    return (ww_hashed_home(va, slots) + step * stride) % slots;
}

/* Returns NULL, or names why a table cannot have this number of slots with this stride: the eight slots of a
 * region must differ. */
static inline const char *ww_hashed_wrong(uint64_t slots, uint64_t stride)
{
    if (slots < WW_HASHED_STEPS || slots > WW_HASHED_SLOTS_MAX)
        return "a hashed page table has 8 to 2^27 slots";
    if (stride == 0 || stride >= slots)
        return "the stride is not between 1 and the number of slots";
    for (uint32_t step = 1; step < WW_HASHED_STEPS; step++)
        if (step * stride % slots == 0)
            return "multiples of the stride come back to the first slot before the eighth step";
    return NULL;
}

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* kernels/host/hash_index.h - open-addressing index from a 64-bit key to a slot of the owner's array of keys,
 * or of records of `stride` bytes that begin with their key. Linear probing, deletion by shifting back (no
 * tombstones, so it never degrades). A cell holds slot + 1; 0 = empty. The number of cells is a power of two,
 * at least twice the number of slots: a probe always meets an empty cell. Not hardware: it makes a wide
 * associative search cheap on the host. Time: none. Allocation: none. */
#ifndef WW_KERNELS_HOST_HASH_INDEX_H
#define WW_KERNELS_HOST_HASH_INDEX_H

#include "kernels/base.h"
#include "kernels/bits.h"

WW_BEGIN_DECLS

#define WW_HIDX_NONE UINT32_MAX

/* Returns the cells of an index of `slots` slots. Required: slots is 1..2^26. */
static inline uint32_t ww_hidx_cells(uint32_t slots)
{
    uint32_t cells = 2;
    while (cells < 2 * slots)
        cells *= 2;
    return cells;
}

/* Returns the cell where the search for a key begins: middle bits of a product, which spread keys of any
 * stride evenly. */
static inline uint32_t ww_hidx_home(uint64_t key, uint32_t mask)
{
    return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
}

static inline uint64_t ww_hidx_key(const void *keys, size_t stride, uint32_t slot)
{
    return *(const uint64_t *)(const void *)((const unsigned char *)keys + slot * stride);
}

static inline uint32_t ww_hidx_find(const uint32_t *cells, uint32_t mask, const void *keys, size_t stride,
                                    uint64_t key)
{
    uint32_t at = ww_hidx_home(key, mask);
    while (cells[at] != 0) {
        if (ww_hidx_key(keys, stride, cells[at] - 1) == key)
            return cells[at] - 1;
        at = (at + 1) & mask;
    }
    return WW_HIDX_NONE;
}

/* Enters a slot under its key. Required: the key is not in the index, and the slot holds it from now on. */
static inline void ww_hidx_insert(uint32_t *cells, uint32_t mask, uint64_t key, uint32_t slot)
{
    uint32_t at = ww_hidx_home(key, mask);
    while (cells[at] != 0)
        at = (at + 1) & mask;
    cells[at] = slot + 1;
}

/* Removes a slot. Required: it is in the index under the key that it holds. */
static inline void ww_hidx_remove(uint32_t *cells, uint32_t mask, const void *keys, size_t stride,
                                  uint32_t slot)
{
    uint32_t hole = ww_hidx_home(ww_hidx_key(keys, stride, slot), mask);
    while (cells[hole] != slot + 1)
        hole = (hole + 1) & mask;
    for (uint32_t at = (hole + 1) & mask; cells[at] != 0; at = (at + 1) & mask) {
        const uint32_t home = ww_hidx_home(ww_hidx_key(keys, stride, cells[at] - 1), mask);
        /* An entry may fill the hole unless its home lies cyclically after the hole. */
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            cells[hole] = cells[at];
            hole = at;
        }
    }
    cells[hole] = 0;
}

WW_END_DECLS

#endif

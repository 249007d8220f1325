/* SPDX-License-Identifier: MIT */
/* kernels/walk_buffer.h - the IOMMU buffer: page-walk requests that wait for a walker, in order of arrival.
 * Models [M18 section IV-A]: each entry holds VPN[36] and, for coalescing, PL[3], PA[40], CL[1].
 * Two indexes find the entries of a neighbourhood: a hash on the level-1 neighbourhood (32 KiB) and, for the
 * levels above, one pass over a contiguous array of tags that is kept in order of age.
 * Not modelled: the ports of the CAM (the module's business). VM-ID and request identity are not in the
 * paper's bit count. Time: none (the stamp is the caller's number). Allocation: none. One owner. */
#ifndef WW_KERNELS_WALK_BUFFER_H
#define WW_KERNELS_WALK_BUFFER_H

#include "kernels/base.h"

WW_BEGIN_DECLS

/* Widths of an entry's fields in bits, [M18 section IV-A]: PL, PA and CL are what coalescing adds. */
#define WW_WBUF_VPN_BITS 36u
#define WW_WBUF_PL_BITS 3u
#define WW_WBUF_PA_BITS 40u
#define WW_WBUF_CL_BITS 1u

#define WW_WBUF_NONE UINT32_MAX
#define WW_WBUF_NO_POSITION UINT16_MAX /* of an entry that is free */
#define WW_WBUF_MAX_ENTRIES 4096u
#define WW_WBUF_MAX_WORDS ((WW_WBUF_MAX_ENTRIES + WW_WBUF_MAX_ENTRIES / 2) / 64)

struct ww_wbuf_cfg {
    uint32_t entries; /* 1 .. WW_WBUF_MAX_ENTRIES */
};

/* What the requester says; the buffer interprets va and vmid only. */
struct ww_wbuf_job {
    uint64_t va;    /* below 2^57 */
    uint32_t req;   /* the caller's name of the request */
    uint32_t instr; /* wave instruction, unique over all compute units; used by the batch policy */
    uint16_t vmid;
    uint16_t cu;
};

/* 64 bytes; read through ww_wbuf_at(), written by this kernel only. */
struct ww_wbuf_entry {
    struct ww_wbuf_job job;
    uint64_t next_pa;            /* PA: node of level PL - 1 on this request's path, valid when level != 0 */
    uint64_t seq;                /* order of arrival */
    uint64_t held;               /* stamps spent with CL set, up to cl_stamp */
    uint64_t cl_stamp;           /* stamp of the last change of CL */
    uint8_t level;               /* PL: the last level whose entry is already known, 0 = none */
    bool cl;                     /* CL: a page-table read in flight will serve this request, do not take it */
    uint16_t next_idx, prev_idx; /* hash chain, oldest first */
    uint16_t pos;                /* position in the age order */
};

/* Header of the blob; the arrays follow at the offsets. */
struct ww_wbuf {
    uint32_t entries, positions, words, bucket_shift;
    uint32_t key_at, tag_at, slot_at, live_at, ready_at, bucket_at, entry_at, bytes;
    uint32_t count, cl_count, tail, free_idx;
    uint64_t next_seq, stamp;
};

/* A set of entries by position in the age order: bit 0 of word 0 is the oldest position. */
struct ww_wbuf_set {
    uint64_t word[WW_WBUF_MAX_WORDS];
};

size_t ww_wbuf_bytes(const struct ww_wbuf_cfg *cfg); /* 0 if cfg is illegal */
int ww_wbuf_init(struct ww_wbuf *b, size_t bytes, const struct ww_wbuf_cfg *cfg);

/* The caller's monotonic count (cycles, say): ww_wbuf_held() sums by it how long CL was set. */
static inline void ww_wbuf_set_stamp(struct ww_wbuf *b, uint64_t stamp)
{
    b->stamp = stamp;
}

/* Slot of the new entry (PL unset, CL clear), WW_WBUF_NONE when full. Slots stay valid until removed. */
uint32_t ww_wbuf_insert(struct ww_wbuf *b, const struct ww_wbuf_job *job);
void ww_wbuf_remove(struct ww_wbuf *b, uint32_t slot);

static inline const struct ww_wbuf_entry *ww_wbuf_at(const struct ww_wbuf *b, uint32_t slot)
{
    const struct ww_wbuf_entry *e =
        (const struct ww_wbuf_entry *)(const void *)((const unsigned char *)b + b->entry_at) + slot;
    WW_ASSERT(slot < b->entries && e->pos != WW_WBUF_NO_POSITION);
    return e;
}

/* Age order over all entries, over those without CL, and within a neighbourhood (same VM) at the leaf; oldest
 * first, WW_WBUF_NONE at the end. */
uint32_t ww_wbuf_oldest(const struct ww_wbuf *b);
uint32_t ww_wbuf_younger(const struct ww_wbuf *b, uint32_t slot);
uint32_t ww_wbuf_youngest(const struct ww_wbuf *b);
uint32_t ww_wbuf_oldest_ready(const struct ww_wbuf *b);
uint32_t ww_wbuf_younger_ready(const struct ww_wbuf *b, uint32_t slot);
uint32_t ww_wbuf_first_leaf(const struct ww_wbuf *b, uint64_t va, uint16_t vmid);
uint32_t ww_wbuf_next_leaf(const struct ww_wbuf *b, uint32_t slot);

/* The request's entry at `level` (2 and above) is known: its walk can start in the node next_node_pa. */
void ww_wbuf_set_partial(struct ww_wbuf *b, uint32_t slot, uint32_t level, uint64_t next_node_pa);
void ww_wbuf_set_cl(struct ww_wbuf *b, uint32_t slot, bool cl);
uint64_t ww_wbuf_held(const struct ww_wbuf *b, uint32_t slot);

/* Whole neighbourhoods (same VM) at any level at once. ww_wbuf_match() fills the first b->words words of
 * `set`. */
void ww_wbuf_match(const struct ww_wbuf *b, uint64_t va, uint16_t vmid, uint32_t level,
                   struct ww_wbuf_set *set);
void ww_wbuf_set_cl_all(struct ww_wbuf *b, const struct ww_wbuf_set *set, bool cl);
/* Slot of a position found in a set. */
static inline uint32_t ww_wbuf_slot_at(const struct ww_wbuf *b, uint32_t position)
{
    const unsigned char *base = (const unsigned char *)b;
    const uint64_t *live = (const uint64_t *)(const void *)(base + b->live_at);
    WW_ASSERT(position < b->positions && (live[position / 64] >> position % 64 & 1) != 0);
    return ((const uint16_t *)(const void *)(base + b->slot_at))[position];
}

static inline uint32_t ww_wbuf_count(const struct ww_wbuf *b)
{
    return b->count;
}
static inline uint32_t ww_wbuf_cl_count(const struct ww_wbuf *b)
{
    return b->cl_count;
}
static inline bool ww_wbuf_full(const struct ww_wbuf *b)
{
    return b->count == b->entries;
}

const char *ww_wbuf_check(const struct ww_wbuf *b); /* NULL or the first violated invariant */

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* kernels/walk/march.h - marching page walks: a walker takes a batch of the walk buffer's requests and has
 * several of their reads in flight. After [H25], of which only the abstract was available: how requests are
 * grouped, when a batch ends and in which order its reads leave are assumptions, docs/model/marching.md. A
 * walker has a place for each walk of its batch: place p belongs to walker p / walks. A batch has one group,
 * a VM and an address above group_bits; it is open while it may take more. Not modelled: how long the search
 * of the buffer takes (left to the module). Time: none. Allocation: none. One owner. */
#ifndef WW_KERNELS_MARCH_H
#define WW_KERNELS_MARCH_H

#include "kernels/base.h"
#include "kernels/walk/walk_buffer.h"

WW_BEGIN_DECLS

#define WW_MARCH_MAX_WALKS 64u
#define WW_MARCH_MAX_PLACES 4096u

struct ww_march_cfg {
    uint32_t walkers;   /* walkers * walks: 1 .. WW_MARCH_MAX_PLACES */
    uint32_t walks;     /* most walks of a batch: 1..WW_MARCH_MAX_WALKS */
    uint32_t reads;     /* most reads of a walker in flight: at least 1; more than `walks` count as `walks` */
    uint8_t group_bits; /* WW_PAGE_4K .. WW_WALK_VA_BITS_MAX: walks of a group agree above these */
    bool refill;        /* a full batch stays open and takes a walk when one ends; else it closes when full */
};

/* The batch of a walker; each set has a bit per place. */
struct ww_march_batch {
    uint64_t walks;   /* places with a walk, */
    uint64_t waiting; /* of those, with a read that waits to be issued, */
    uint64_t reading; /* and with one in flight */
    uint64_t group;   /* address above group_bits of the walk that began the batch, */
    uint32_t taken;   /* walks taken so far */
    uint16_t vmid;    /* and VM */
    uint8_t first;    /* first of the queue of waiting reads */
    bool open;
};

/* Header of the blob; batches and queues follow at the offsets. */
struct ww_march {
    uint32_t walkers, walks, reads;
    uint32_t batch_at, queue_at;
    uint8_t group_bits;
    bool refill;
};

size_t ww_march_bytes(const struct ww_march_cfg *cfg); /* 0 if cfg is illegal */
int ww_march_init(struct ww_march *m, size_t bytes, const struct ww_march_cfg *cfg);

/* Returns the slot of the oldest entry without CL of an open batch's group and sets *place to a free place of
 * that batch: the batch with the fewest walks, then of the lowest walker. Returns WW_WBUF_NONE and leaves
 * *place alone if there is no such entry; without `refill`, a batch for which there is none closes. */
uint32_t ww_march_next(struct ww_march *m, const struct ww_wbuf *b, uint32_t *place);

/* Begins a walk at a place, which must be free (asserted). If the walker is idle, this begins a batch, whose
 * group is that of va and vmid. */
void ww_march_begin(struct ww_march *m, uint32_t place, uint64_t va, uint16_t vmid);

/* Ends the walk at this place. Returns how many walks the batch has had if this was its last one, else 0.
 * Required: none of its reads waits or is in flight. */
uint32_t ww_march_end(struct ww_march *m, uint32_t place);

/* Queues the walk's next read behind the walker's other waiting reads. Required (asserted): a walk is at this
 * place, and none of its reads waits or is in flight. */
void ww_march_wait(struct ww_march *m, uint32_t place);

/* True if a read of the walker waits and fewer than cfg.reads of its reads are in flight. */
bool ww_march_may_read(const struct ww_march *m, uint32_t walker);

/* Issues the walker's read that has waited longest and returns its place. Required: ww_march_may_read(). */
uint32_t ww_march_read(struct ww_march *m, uint32_t walker);

/* Completes the read of this place. Returns false if it had none in flight. */
bool ww_march_back(struct ww_march *m, uint32_t place);

static inline const struct ww_march_batch *ww_march_at(const struct ww_march *m, uint32_t walker)
{
    WW_ASSERT(walker < m->walkers);
    return (const struct ww_march_batch *)(const void *)((const unsigned char *)m + m->batch_at) + walker;
}
static inline uint32_t ww_march_reads(const struct ww_march *m, uint32_t walker) /* in flight */
{
    return ww_bits_count(ww_march_at(m, walker)->reading);
}
/* True if the walker has no walk: it may begin a batch, at its first place. */
static inline bool ww_march_is_idle(const struct ww_march *m, uint32_t walker)
{
    return ww_march_at(m, walker)->walks == 0;
}
static inline uint32_t ww_march_first(const struct ww_march *m, uint32_t walker)
{
    WW_ASSERT(walker < m->walkers);
    return walker * m->walks;
}
static inline uint32_t ww_march_walker(const struct ww_march *m, uint32_t place)
{
    WW_ASSERT(place < m->walkers * m->walks);
    return place / m->walks;
}

/* Returns the bits of state in hardware beyond those of the same number of walkers with one walk each. A
 * walker adds its group, `open` and the head of its queue; a place whether it reads or waits, and its turn;
 * each place but the first a page number and a walk. */
static inline uint64_t ww_march_bits(const struct ww_march_cfg *cfg, const struct ww_table_kind *kind)
{
    const uint64_t vpn = ww_table_vpn_bits(kind), turn = ww_name_bits(cfg->walks);
    const uint64_t walker = vpn + 1 + turn;
    const uint64_t places = cfg->walks * (2 + turn) + (cfg->walks - 1) * (vpn + ww_table_walk_bits(kind));
    return cfg->walkers * (walker + places);
}

const char *ww_march_check(const struct ww_march *m); /* NULL, or the first broken invariant */

WW_END_DECLS

#endif

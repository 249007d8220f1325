/* SPDX-License-Identifier: MIT */
/* kernels/walk/march.c - see march.h. A walker's queue is a ring of place numbers with room for all its
 * places, so it never overflows. Time: none. Allocation: none. */
#include "kernels/walk/march.h"

#include <string.h>

#include "kernels/bits.h"

static struct ww_march_batch *batch_of(struct ww_march *m, uint32_t walker)
{
    WW_ASSERT(walker < m->walkers);
    return (struct ww_march_batch *)(void *)((unsigned char *)m + m->batch_at) + walker;
}

static uint8_t *queue_of(struct ww_march *m, uint32_t walker)
{
    return (unsigned char *)m + m->queue_at + (size_t)walker * m->walks;
}

static uint64_t bit_of(const struct ww_march *m, uint32_t place)
{
    return UINT64_C(1) << place % m->walks;
}

static uint64_t all_of(const struct ww_march *m)
{
    return UINT64_MAX >> (WW_MARCH_MAX_WALKS - m->walks);
}

/* The caller compares the VM separately. */
static uint64_t group_of(const struct ww_march *m, uint64_t va)
{
    return va >> m->group_bits;
}

static size_t layout(struct ww_march *m, const struct ww_march_cfg *cfg)
{
    if (cfg->walks - 1 >= WW_MARCH_MAX_WALKS || cfg->reads == 0 ||
        cfg->walkers - 1 >= WW_MARCH_MAX_PLACES / cfg->walks)
        return 0;
    if (cfg->group_bits < WW_PAGE_4K || cfg->group_bits > WW_WALK_VA_BITS_MAX)
        return 0;
    memset(m, 0, sizeof *m);
    m->walkers = cfg->walkers;
    m->walks = cfg->walks;
    m->reads = cfg->reads < cfg->walks ? cfg->reads : cfg->walks;
    m->group_bits = cfg->group_bits;
    m->refill = cfg->refill;
    size_t at = ww_align64(sizeof *m);
    m->batch_at = (uint32_t)at;
    at += ww_align64((size_t)cfg->walkers * sizeof(struct ww_march_batch));
    m->queue_at = (uint32_t)at;
    return at + ww_align64((size_t)cfg->walkers * cfg->walks);
}

size_t ww_march_bytes(const struct ww_march_cfg *cfg)
{
    struct ww_march m;
    return layout(&m, cfg);
}

int ww_march_init(struct ww_march *m, size_t bytes, const struct ww_march_cfg *cfg)
{
    struct ww_march head;
    const int fault = ww_clear(m, bytes, layout(&head, cfg));
    if (fault != WW_OK)
        return fault;
    *m = head;
    return WW_OK;
}

/* Returns the oldest entry without CL of the batch's group, or WW_WBUF_NONE. */
static uint32_t oldest_of(const struct ww_march *m, const struct ww_march_batch *batch,
                          const struct ww_wbuf *b)
{
    uint32_t slot = ww_wbuf_oldest_ready(b);
    while (slot != WW_WBUF_NONE) {
        const struct ww_wbuf_entry *e = ww_wbuf_at(b, slot);
        if (ww_wbuf_vmid(e) == batch->vmid && group_of(m, ww_wbuf_va(e)) == batch->group)
            break;
        slot = ww_wbuf_younger_ready(b, slot);
    }
    return slot;
}

uint32_t ww_march_next(struct ww_march *m, const struct ww_wbuf *b, uint32_t *place)
{
    uint32_t taken = WW_WBUF_NONE, fewest = m->walks; /* a batch with this many is full */
    for (uint32_t walker = 0; walker < m->walkers; walker++) {
        struct ww_march_batch *batch = batch_of(m, walker);
        const uint32_t walks = ww_bits_count(batch->walks);
        if (!batch->open || walks >= fewest)
            continue;
        const uint32_t slot = oldest_of(m, batch, b);
        if (slot == WW_WBUF_NONE) {
            batch->open = m->refill;
            continue;
        }
        taken = slot;
        fewest = walks;
        *place = walker * m->walks + (uint32_t)__builtin_ctzll(~batch->walks);
    }
    return taken;
}

void ww_march_begin(struct ww_march *m, uint32_t place, uint64_t va, uint16_t vmid)
{
    struct ww_march_batch *batch = batch_of(m, ww_march_walker(m, place));
    WW_ASSERT((batch->walks & bit_of(m, place)) == 0);
    if (batch->walks == 0) {
        batch->group = group_of(m, va);
        batch->vmid = vmid;
        batch->open = true;
    }
    batch->walks |= bit_of(m, place);
    batch->taken++;
    if (batch->walks == all_of(m))
        batch->open = m->refill;
}

uint32_t ww_march_end(struct ww_march *m, uint32_t place)
{
    struct ww_march_batch *batch = batch_of(m, ww_march_walker(m, place));
    const uint64_t mine = bit_of(m, place);
    WW_ASSERT((batch->walks & mine) != 0 && ((batch->waiting | batch->reading) & mine) == 0);
    batch->walks &= ~mine;
    if (batch->walks != 0)
        return 0;
    const uint32_t taken = batch->taken;
    batch->taken = 0;
    batch->open = false;
    return taken;
}

void ww_march_wait(struct ww_march *m, uint32_t place)
{
    const uint32_t walker = ww_march_walker(m, place);
    struct ww_march_batch *batch = batch_of(m, walker);
    const uint64_t mine = bit_of(m, place);
    WW_ASSERT((batch->walks & mine) != 0 && ((batch->waiting | batch->reading) & mine) == 0);
    queue_of(m, walker)[(batch->first + ww_bits_count(batch->waiting)) % m->walks] =
        (uint8_t)(place % m->walks);
    batch->waiting |= mine;
}

bool ww_march_may_read(const struct ww_march *m, uint32_t walker)
{
    return ww_march_at(m, walker)->waiting != 0 && ww_march_reads(m, walker) < m->reads;
}

uint32_t ww_march_read(struct ww_march *m, uint32_t walker)
{
    struct ww_march_batch *batch = batch_of(m, walker);
    WW_ASSERT(ww_march_may_read(m, walker));
    const uint32_t place = walker * m->walks + queue_of(m, walker)[batch->first];
    batch->first = (uint8_t)((batch->first + 1u) % m->walks);
    batch->waiting &= ~bit_of(m, place);
    batch->reading |= bit_of(m, place);
    return place;
}

bool ww_march_back(struct ww_march *m, uint32_t place)
{
    struct ww_march_batch *batch = batch_of(m, ww_march_walker(m, place));
    const uint64_t mine = bit_of(m, place);
    const bool had = (batch->reading & mine) != 0;
    batch->reading &= ~mine;
    return had;
}

static const char *check_batch(const struct ww_march *m, const struct ww_march_batch *batch,
                               const uint8_t *queue)
{
    uint64_t queued = 0;
    if ((batch->walks & ~all_of(m)) != 0)
        return "a walker has a walk in a place that it has not";
    if (((batch->waiting | batch->reading) & ~batch->walks) != 0)
        return "a read has no walk";
    if ((batch->waiting & batch->reading) != 0)
        return "a walk has two reads";
    if (ww_bits_count(batch->reading) > m->reads)
        return "a walker has more reads in flight than it may have";
    if (batch->taken < ww_bits_count(batch->walks) || (batch->walks == 0 && batch->taken != 0))
        return "a batch has not had as many walks as it has";
    if (batch->open && (batch->walks == 0 || (batch->walks == all_of(m) && !m->refill)))
        return "a batch is open without a walk, or without room and refill";
    if (batch->first >= m->walks)
        return "a queue begins behind its end";
    const uint32_t waiting = ww_bits_count(batch->waiting);
    for (uint32_t n = 0; n < waiting; n++)
        queued |= UINT64_C(1) << (queue[(batch->first + n) % m->walks] & 63);
    return queued == batch->waiting ? NULL : "a queue has not the walks that wait";
}

const char *ww_march_check(const struct ww_march *m)
{
    const char *broken = NULL;
    for (uint32_t walker = 0; broken == NULL && walker < m->walkers; walker++)
        broken = check_batch(m, ww_march_at(m, walker),
                             (const unsigned char *)m + m->queue_at + (size_t)walker * m->walks);
    return broken;
}

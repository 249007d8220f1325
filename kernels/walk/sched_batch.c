/* SPDX-License-Identifier: MIT */
/* kernels/walk/sched_batch.c - takes the oldest walk of the wave instruction served last, else the oldest of
 * all (the ISCA'18 walk scheduling that [M18] cites). Not modelled: aging against starvation. Time: none.
 * Allocation: none. */
#include "kernels/walk/walk_sched.h"

struct last {
    bool taken; /* false until the first walk is taken */
    uint32_t instr;
};

static size_t bytes(const struct ww_sched_cfg *cfg)
{
    return cfg->walkers == 0 ? 0 : ww_align64(sizeof(struct last));
}

static int init(void *s, size_t size, const struct ww_sched_cfg *cfg)
{
    return ww_clear(s, size, bytes(cfg));
}

static struct ww_sched_pick pick(const void *s, const struct ww_sched_view *v)
{
    const struct last *last = s;
    const uint32_t oldest = ww_wbuf_oldest_ready(v->buffer);
    uint32_t slot = last->taken ? oldest : WW_WBUF_NONE;
    while (slot != WW_WBUF_NONE && ww_wbuf_at(v->buffer, slot)->instr != last->instr)
        slot = ww_wbuf_younger_ready(v->buffer, slot);
    return ww_sched_any_takes(v, slot == WW_WBUF_NONE ? oldest : slot);
}

static void took(void *s, const struct ww_wbuf_entry *e, uint32_t walker)
{
    struct last *last = s;
    (void)walker;
    last->taken = true;
    last->instr = e->instr;
}

const struct ww_sched_kind ww_sched_batch = {
    .name = "batch",
    .text = "one of the wave instruction served last, else the oldest",
    .bytes = bytes,
    .init = init,
    .pick = pick,
    .took = took,
};

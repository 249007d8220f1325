/* SPDX-License-Identifier: MIT */
/* kernels/walk/sched_sjf.c - shortest job first: takes the walk with the fewest reads left, the oldest at a
 * tie (the ISCA'18 walk scheduling that [M18] cites). It predicts the reads when a walker is free. Not
 * modelled: aging against starvation, scores frozen at arrival. Time: none. Allocation: none. */
#include "kernels/walk/walk_sched.h"

static struct ww_sched_pick pick(const void *s, const struct ww_sched_view *v)
{
    uint32_t best = WW_WBUF_NONE, best_reads = UINT32_MAX;
    const uint32_t fewest = v->tables->kind->left[v->tables->kind->last]; /* no shared step has fewer */
    uint32_t slot = ww_wbuf_oldest_ready(v->buffer);
    (void)s;
    while (slot != WW_WBUF_NONE && best_reads > fewest) {
        const struct ww_wbuf_entry *e = ww_wbuf_at(v->buffer, slot);
        const uint32_t reads = ww_sched_reads(e, v->pwc, &v->tables[e->table]);
        if (reads < best_reads) {
            best = slot;
            best_reads = reads;
        }
        slot = ww_wbuf_younger_ready(v->buffer, slot);
    }
    return ww_sched_any_takes(v, best);
}

const struct ww_sched_kind ww_sched_sjf = {
    .name = "sjf",
    .text = "the one with the fewest page-table reads to go",
    .by_reads = true,
    .bytes = ww_sched_no_bytes,
    .init = ww_sched_no_init,
    .pick = pick,
};

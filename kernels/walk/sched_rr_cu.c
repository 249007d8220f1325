/* SPDX-License-Identifier: MIT */
/* kernels/walk/sched_rr_cu.c - serves compute units in turn ([H14 section 4.3] suggests it), each with its
 * oldest walk. The first round starts at compute unit 0. Time: none. Allocation: none. */
#include "kernels/walk/walk_sched.h"

struct turn {
    uint16_t next_cu; /* the one after the last one served */
};

static size_t bytes(const struct ww_sched_cfg *cfg)
{
    return cfg->walkers == 0 ? 0 : ww_align64(sizeof(struct turn));
}

static int init(void *s, size_t size, const struct ww_sched_cfg *cfg)
{
    return ww_clear(s, size, bytes(cfg));
}

static struct ww_sched_pick pick(const void *s, const struct ww_sched_view *v)
{
    const struct turn *turn = s;
    uint32_t best = WW_WBUF_NONE, best_steps = UINT32_MAX;
    uint32_t slot = ww_wbuf_oldest_ready(v->buffer);
    while (slot != WW_WBUF_NONE && best_steps > 0) {
        /* The distance wraps at 65536, the range of CU numbers. */
        const uint32_t steps = (uint16_t)(ww_wbuf_at(v->buffer, slot)->cu - turn->next_cu);
        if (steps < best_steps) {
            best = slot;
            best_steps = steps;
        }
        slot = ww_wbuf_younger_ready(v->buffer, slot);
    }
    return ww_sched_any_takes(v, best);
}

static void took(void *s, const struct ww_wbuf_entry *e, uint32_t walker)
{
    struct turn *turn = s;
    (void)walker;
    turn->next_cu = (uint16_t)(e->cu + 1u);
}

const struct ww_sched_kind ww_sched_rr_cu = {
    .name = "rr_cu",
    .text = "one of the next compute unit that waits",
    .bytes = bytes,
    .init = init,
    .pick = pick,
    .took = took,
};

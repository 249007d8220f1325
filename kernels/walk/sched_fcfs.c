/* SPDX-License-Identifier: MIT */
/* kernels/walk/sched_fcfs.c - first come, first served [M18 section IV-B]. Time: none. Allocation: none. */
#include "kernels/walk/walk_sched.h"

static struct ww_sched_pick pick(const void *s, const struct ww_sched_view *v)
{
    (void)s;
    return ww_sched_any_takes(v, ww_wbuf_oldest_ready(v->buffer));
}

const struct ww_sched_kind ww_sched_fcfs = {
    .name = "fcfs",
    .text = "the oldest",
    .bytes = ww_sched_no_bytes,
    .init = ww_sched_no_init,
    .pick = pick,
};

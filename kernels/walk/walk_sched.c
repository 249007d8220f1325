/* SPDX-License-Identifier: MIT */
/* kernels/walk/walk_sched.c - see walk_sched.h. [M18 section IV-B] Time: none. Allocation: none. */
#include "kernels/walk/walk_sched.h"

#define X(kind) extern const struct ww_sched_kind ww_sched_##kind;
#include "sched_kinds.inc"
#undef X

const struct ww_sched_kind *const ww_scheds[] = {
#define X(kind) &ww_sched_##kind,
#include "sched_kinds.inc"
#undef X
};
const uint32_t ww_sched_count = sizeof ww_scheds / sizeof ww_scheds[0];

size_t ww_sched_no_bytes(const struct ww_sched_cfg *cfg)
{
    return cfg->walkers == 0 ? 0 : WW_BLOB_ALIGN;
}

int ww_sched_no_init(void *s, size_t bytes, const struct ww_sched_cfg *cfg)
{
    return ww_clear(s, bytes, ww_sched_no_bytes(cfg));
}

/* Returns where the walk starts: the entry's own walk (PL/PA) or the cached one, whichever is nearer the end,
 * at a tie the entry's own; the registers if there is neither. */
static uint64_t nearest(const struct ww_wbuf_entry *e, uint64_t cached, const struct ww_table *table)
{
    if (e->walk != 0 && (cached == 0 || !ww_table_nearer(table->kind, cached, e->walk)))
        return e->walk;
    return cached != 0 ? cached : ww_table_start(table, ww_wbuf_va(e));
}

uint32_t ww_sched_reads(const struct ww_wbuf_entry *e, const struct ww_pwc *pwc, const struct ww_table *table)
{
    const uint64_t cached = pwc == NULL ? 0 : ww_pwc_probe(pwc, ww_wbuf_va(e), ww_wbuf_vmid(e));
    return ww_table_reads_left(table->kind, nearest(e, cached, table));
}

uint64_t ww_sched_start(const struct ww_wbuf_entry *e, struct ww_pwc *pwc, const struct ww_table *table,
                        uint64_t *cached)
{
    *cached = pwc == NULL ? 0 : ww_pwc_lookup(pwc, ww_wbuf_va(e), ww_wbuf_vmid(e));
    return nearest(e, *cached, table);
}

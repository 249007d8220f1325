/* SPDX-License-Identifier: MIT */
/* kernels/walk/walk_sched.c - see walk_sched.h. [M18 section IV-B], [H14 section 4.3]
 * Candidates are the entries without CL, oldest first; a policy returns the first one that nothing beats.
 * Time: none. Allocation: none. */
#include "kernels/walk/walk_sched.h"

#include <string.h>

const char *ww_sched_policy_name(enum ww_sched_policy policy)
{
    static const char *const names[] = {
#define X(name, text) text,
        WW_SCHED_LIST(X)
#undef X
    };
    WW_ASSERT((uint32_t)policy < WW_SCHED_COUNT);
    return names[policy];
}

int ww_sched_init(struct ww_sched *s, uint32_t policy)
{
    if (policy >= WW_SCHED_COUNT)
        return WW_E_ARG;
    memset(s, 0, sizeof *s);
    s->policy = (uint8_t)policy;
    s->last_cu = UINT16_MAX; /* the first round starts at CU 0 */
    return WW_OK;
}

/* Where the walk starts: the nearest of what is known, the entry's PL/PA before the cache's at a tie. */
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

static uint32_t pick_shortest(const struct ww_wbuf *b, const struct ww_pwc *pwc,
                              const struct ww_table *tables)
{
    uint32_t best = WW_WBUF_NONE, best_reads = UINT32_MAX;
    const uint32_t fewest = tables->kind->left[tables->kind->last]; /* of walks that share */
    uint32_t slot = ww_wbuf_oldest_ready(b);
    while (slot != WW_WBUF_NONE && best_reads > fewest) {
        const struct ww_wbuf_entry *e = ww_wbuf_at(b, slot);
        const uint32_t reads = ww_sched_reads(e, pwc, &tables[e->table]);
        if (reads < best_reads) {
            best = slot;
            best_reads = reads;
        }
        slot = ww_wbuf_younger_ready(b, slot);
    }
    return best;
}

static uint32_t pick_batch(const struct ww_sched *s, const struct ww_wbuf *b)
{
    const uint32_t oldest = ww_wbuf_oldest_ready(b);
    if (!s->taken)
        return oldest;
    for (uint32_t slot = oldest; slot != WW_WBUF_NONE; slot = ww_wbuf_younger_ready(b, slot)) {
        if (ww_wbuf_at(b, slot)->instr == s->last_instr)
            return slot;
    }
    return oldest;
}

static uint32_t pick_round_robin(const struct ww_sched *s, const struct ww_wbuf *b)
{
    uint32_t best = WW_WBUF_NONE, best_steps = UINT32_MAX;
    uint32_t slot = ww_wbuf_oldest_ready(b);
    while (slot != WW_WBUF_NONE && best_steps > 0) {
        /* Steps from the CU after the last one, round all 65536 numbers. */
        const uint32_t steps = (ww_wbuf_at(b, slot)->cu - s->last_cu - 1u) & UINT16_MAX;
        if (steps < best_steps) {
            best = slot;
            best_steps = steps;
        }
        slot = ww_wbuf_younger_ready(b, slot);
    }
    return best;
}

uint32_t ww_sched_pick(const struct ww_sched *s, const struct ww_wbuf *b, const struct ww_pwc *pwc,
                       const struct ww_table *tables)
{
    switch (s->policy) {
    case WW_SCHED_SJF:
        return pick_shortest(b, pwc, tables);
    case WW_SCHED_BATCH:
        return pick_batch(s, b);
    case WW_SCHED_RR_CU:
        return pick_round_robin(s, b);
    default:
        return ww_wbuf_oldest_ready(b);
    }
}

void ww_sched_took(struct ww_sched *s, const struct ww_wbuf_entry *e)
{
    s->taken = true;
    s->last_instr = e->instr;
    s->last_cu = e->cu;
}

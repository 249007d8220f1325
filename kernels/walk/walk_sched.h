/* SPDX-License-Identifier: MIT */
/* kernels/walk/walk_sched.h - which waiting page walk a free walker takes, and where that walk starts.
 * Models: first come, first served [M18 section IV-B]; shortest job first and batching by wave instruction
 * (the ISCA'18 walk scheduling that [M18] cites); round robin over compute units ([H14 section 4.3]). Every
 * policy passes over entries with CL set; ties go to the oldest. Not modelled: aging against starvation under
 * SJF and BATCH (the policies' own property), ISCA'18's scores frozen at arrival: the prediction is made when
 * a walker is free. Time: none. Allocation: none. One owner. */
#ifndef WW_KERNELS_WALK_SCHED_H
#define WW_KERNELS_WALK_SCHED_H

#include "kernels/base.h"
#include "kernels/walk/pwc.h"
#include "kernels/walk/walk_buffer.h"

WW_BEGIN_DECLS

#define WW_SCHED_LIST(X)                                                                                     \
    X(FCFS, "fcfs")                                                                                          \
    X(SJF, "sjf")                                                                                            \
    X(BATCH, "batch")                                                                                        \
    X(RR_CU, "rr_cu")
enum ww_sched_policy {
#define X(name, text) WW_SCHED_##name,
    WW_SCHED_LIST(X)
#undef X
        WW_SCHED_COUNT
};
const char *ww_sched_policy_name(enum ww_sched_policy policy);

struct ww_sched {
    uint8_t policy; /* enum ww_sched_policy */
    bool taken;     /* something was taken: the fields below say what */
    uint16_t last_cu;
    uint32_t last_instr;
};

int ww_sched_init(struct ww_sched *s, uint32_t policy); /* WW_OK or WW_E_ARG */

/* Slot of the entry to take next, WW_WBUF_NONE if none may be taken. pwc NULL: no page-walk cache. `tables`
 * is indexed by the entries' VM-IDs; below, `table` is the entry's. */
uint32_t ww_sched_pick(const struct ww_sched *s, const struct ww_wbuf *b, const struct ww_pwc *pwc,
                       const struct ww_table *tables);

/* The entry was taken: call before it is removed from the buffer. */
void ww_sched_took(struct ww_sched *s, const struct ww_wbuf_entry *e);

/* Page-table reads the entry's walk will need if it ends at the kind's last step. No side effect. */
uint32_t ww_sched_reads(const struct ww_wbuf_entry *e, const struct ww_pwc *pwc,
                        const struct ww_table *table);

/* Where the walk starts, [M18 section IV-B] and rule 3: at PL/PA if set, else at the registers; a
 * page-walk-cache hit that is nearer the end wins. Looks the cache up (touches its LRU), whose answer is in
 * *cached: where it would start, 0 for a miss. */
uint64_t ww_sched_start(const struct ww_wbuf_entry *e, struct ww_pwc *pwc, const struct ww_table *table,
                        uint64_t *cached);

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* analysis/trace_order.h - one order of a trace's records, as a trace has no time. Launches one after the
 * other. Within a launch, work-groups start by number as long as their waves find room among the resident
 * ones (one group always does). In each round every resident wave, the oldest first, takes its next record,
 * but a wave at a barrier until the round after all waves of its group that go on have arrived. At a round's
 * end the finished groups leave and the next ones start. Not modelled: compute instructions, latency, compute
 * units, local memory as a limit. Memory: the resident groups and one more. */
#ifndef WW_ANALYSIS_TRACE_ORDER_H
#define WW_ANALYSIS_TRACE_ORDER_H

#include "kernels/base.h"
#include "trace/wkt.h"

WW_BEGIN_DECLS

struct ww_order_cfg {
    uint32_t waves;  /* resident at most, not 0 */
    uint32_t groups; /* resident at most, not 0 */
};

struct ww_order_step {
    uint32_t launch, group, wave;
    struct wkt_record record;
};

struct ww_order;

/* The trace must stay open. 0, or WKT_E_ARG, WKT_E_MEMORY and *error. */
int ww_order_open(struct wkt_reader *trace, const struct ww_order_cfg *cfg, struct ww_order **out,
                  struct wkt_error *error);
void ww_order_close(struct ww_order *o); /* NULL is fine */

/* 1: *step is the next record. 0: there is none. Negative: a wkt_status, and *error. */
int ww_order_next(struct ww_order *o, struct ww_order_step *step, struct wkt_error *error);

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* analysis/trace_order.h - an order of a trace's records, as a trace has no time. Launches one after the
 * other. Within a launch, work-groups start by number as long as their waves find room among the resident
 * ones (one group always does). In each round every resident wave, the oldest first, takes its next record; a
 * wave at a barrier takes none until the round after all unfinished waves of its group have arrived. At a
 * round's end finished groups leave and the next ones start. Not modelled: compute instructions, latency,
 * compute units, local memory as a limit. Memory: the resident groups and one more. */
#ifndef WW_ANALYSIS_TRACE_ORDER_H
#define WW_ANALYSIS_TRACE_ORDER_H

#include "kernels/base.h"
#include "trace/wkt.h"

WW_BEGIN_DECLS

struct ww_order_cfg {
    uint32_t waves;  /* most resident waves, not 0 */
    uint32_t groups; /* most resident groups, not 0 */
};

struct ww_order_step {
    uint32_t launch, group, wave; /* from 0; `group` in the launch, `wave` in the group */
    struct wkt_record record;     /* of any kind, barriers too */
};

struct ww_order;

/* Opens an order of a trace, which must stay open. Returns 0, or WKT_E_ARG or WKT_E_MEMORY with *error. */
int ww_order_open(struct wkt_reader *trace, const struct ww_order_cfg *cfg, struct ww_order **out,
                  struct wkt_error *error);
void ww_order_close(struct ww_order *o); /* NULL is fine */

/* Returns 1 with the next record in *step, 0 at the end, or a negative wkt_status with *error. */
int ww_order_next(struct ww_order *o, struct ww_order_step *step, struct wkt_error *error);

WW_END_DECLS

#endif

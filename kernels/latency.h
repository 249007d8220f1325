/* SPDX-License-Identifier: MIT */
/* kernels/latency.h - times from a seeded distribution whose mean is a parameter: the handling of a fault
 * [H14]. Integers only, so that every host draws the same. docs/model/page-faults.md. Not modelled:
 * correlation between draws. Time: none (the unit is the caller's). Allocation: none. */
#ifndef WW_KERNELS_LATENCY_H
#define WW_KERNELS_LATENCY_H

#include "kernels/base.h"
#include "kernels/bits.h"

WW_BEGIN_DECLS

/* CONSTANT: the mean. UNIFORM: 0 to twice the mean. EXPONENTIAL: -log2 of a uniform number, with straight
 * lines between the powers of two, whose mean is 3/2, scaled to the mean; up to 42 times as long. */
#define WW_LATENCY_LIST(X)                                                                                   \
    X(CONSTANT, "constant")                                                                                  \
    X(UNIFORM, "uniform")                                                                                    \
    X(EXPONENTIAL, "exponential")
enum ww_latency_kind {
#define X(name, text) WW_LATENCY_##name,
    WW_LATENCY_LIST(X)
#undef X
        WW_LATENCY_COUNT
};

#define WW_LATENCY_MEAN_MAX (1u << 30)

/* Draws the next time. CONSTANT leaves the generator unchanged. Required: mean <= WW_LATENCY_MEAN_MAX. */
uint64_t ww_latency_draw(struct ww_rng *rng, enum ww_latency_kind kind, uint32_t mean);

WW_END_DECLS

#endif

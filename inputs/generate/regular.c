/* SPDX-License-Identifier: MIT */
/* generate/regular.c - the patterns that draw nothing: stream and stride. An offset is rounded down to a
 * whole element and wraps at the end of the footprint. Time: none. Allocation: none. */
#include "generate/pattern_internal.h"

static uint64_t wrapped(const struct ww_gen *g, uint64_t offset)
{
    return offset % g->footprint_bytes / g->bytes * g->bytes;
}

/* The elements that all lanes of all waves touch in their access i are contiguous; those of access i + 1
 * follow. */
void ww_gen_stream_lanes(struct ww_gen_wave *w, uint32_t i, uint64_t *offset)
{
    const struct ww_gen *g = w->gen;
    const uint64_t row = i * ww_gen_value(g, WW_GEN_P_waves) + w->number;
    for (uint32_t l = 0; l < g->lanes; l++)
        offset[l] = wrapped(g, (row * g->lanes + l) * g->bytes);
}

/* Distances are modulo the footprint, at most 2^40 bytes, so that products and sums do not overflow. */
void ww_gen_stride_lanes(struct ww_gen_wave *w, uint32_t i, uint64_t *offset)
{
    const struct ww_gen *g = w->gen;
    const uint64_t all = g->footprint_bytes, stride = ww_gen_value(g, WW_GEN_P_stride) % all;
    const uint64_t wave = g->lanes * stride % all; /* distance from a wave to the next */
    const uint64_t row = ww_gen_value(g, WW_GEN_P_waves) * wave % all;
    const uint64_t step = ww_gen_value(g, WW_GEN_P_step);
    const uint64_t start = w->number * wave % all + i * ((step ? step : row) % all) % all;
    for (uint32_t l = 0; l < g->lanes; l++)
        offset[l] = wrapped(g, start + l * stride);
}

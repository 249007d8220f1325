/* SPDX-License-Identifier: MIT */
/* generate/drawn.c - the patterns that draw places: uniform, zipf, neighbourhood and phases.
 * Time: none. Allocation: none. */
#include "generate/pattern_internal.h"

void ww_gen_uniform_lanes(struct ww_gen_wave *w, uint32_t i, uint64_t *offset)
{
    (void)i;
    ww_gen_draw(w, 0, w->gen->footprint_bytes, offset);
}

/* A permutation places the ranks, so that the most wanted pages are not adjacent. */
void ww_gen_zipf_lanes(struct ww_gen_wave *w, uint32_t i, uint64_t *offset)
{
    (void)i;
    const struct ww_gen *g = w->gen;
    const bool by_wave = ww_gen_value(g, WW_GEN_P_by) != 0;
    for (uint32_t l = 0; l < (by_wave ? 1 : g->lanes); l++) {
        const uint64_t rank = ww_gen_zipf_rank(&g->zipf, &w->rng) - 1;
        const uint64_t page = ww_gen_permuted(g, g->zipf.ranks, rank) * WW_GEN_PAGE_BYTES;
        if (by_wave)
            ww_gen_draw(w, page, WW_GEN_PAGE_BYTES, offset);
        else
            offset[l] = page + ww_gen_below(&w->rng, WW_GEN_PAGE_BYTES / g->bytes) * g->bytes;
    }
}

/* Draws each of the k neighbourhoods from its own k-th of the footprint, so that no two are the same. Lanes
 * cycle through the neighbourhoods; those of one cycle through its `density` pages, which differ, since the
 * step from page to page is odd. */
void ww_gen_neighbourhood_lanes(struct ww_gen_wave *w, uint32_t i, uint64_t *offset)
{
    (void)i;
    const struct ww_gen *g = w->gen;
    const uint32_t k = (uint32_t)ww_gen_value(g, WW_GEN_P_neighbourhoods);
    const uint32_t density = (uint32_t)ww_gen_value(g, WW_GEN_P_density);
    const uint64_t all = g->footprint_bytes / WW_GEN_NBHD_BYTES;
    for (uint32_t n = 0; n < k; n++) {
        const uint64_t first = n * all / k, end = (n + UINT64_C(1)) * all / k;
        const uint64_t start = (first + ww_gen_below(&w->rng, end - first)) * WW_GEN_NBHD_BYTES;
        const uint64_t shuffle = ww_rng_next(&w->rng);
        const uint32_t turn = (uint32_t)shuffle & 7, odd = (uint32_t)(shuffle >> 3 & 6) + 1;
        for (uint32_t l = n; l < g->lanes; l += k) {
            const uint32_t page = (turn + l / k % density * odd) & 7;
            offset[l] = start + page * WW_GEN_PAGE_BYTES +
                        ww_gen_below(&w->rng, WW_GEN_PAGE_BYTES / g->bytes) * g->bytes;
        }
    }
}

/* Regions begin region * (1 - overlap) bytes apart, in whole pages and at least one, as many as fit into the
 * footprint; after the last region comes the first. */
void ww_gen_phases_lanes(struct ww_gen_wave *w, uint32_t i, uint64_t *offset)
{
    const struct ww_gen *g = w->gen;
    const uint64_t page = WW_GEN_PAGE_BYTES;
    const uint64_t pages = (ww_gen_value(g, WW_GEN_P_region) + page - 1) / page;
    uint64_t apart = pages * (100 - ww_gen_value(g, WW_GEN_P_overlap)) / 100;
    apart = apart ? apart : 1;
    const uint64_t regions = (g->footprint_bytes / page - pages) / apart + 1;
    const uint64_t first = ww_gen_value(g, WW_GEN_P_move) ? 0 : w->number;
    const uint64_t region = (first + i / ww_gen_value(g, WW_GEN_P_phase)) % regions;
    ww_gen_draw(w, region * apart * page, pages * page, offset);
}

/* SPDX-License-Identifier: MIT */
/* generate/chase.c - pointer chase. The nodes in the order of a random permutation form one cycle: the node
 * after the k-th is the (k+1)-th, so a chain meets every node once before it meets one again, and a place in
 * it needs no table. Chains start spread evenly over the cycle. Time: none. Allocation: none. */
#include "generate/pattern_internal.h"

/* The place of a node that is read: an element that the node's number chooses, so that the reads do not all
 * fall into the same sets of the data caches. */
static uint64_t place_in(const struct ww_gen *g, uint64_t node, uint64_t node_bytes)
{
    struct ww_rng rng;
    ww_rng_init(&rng, ww_mix64(ww_gen_value(g, WW_GEN_P_seed)) ^ node);
    return ww_gen_below(&rng, node_bytes / g->bytes) * g->bytes;
}

void ww_gen_chase_lanes(struct ww_gen_wave *w, uint32_t i, uint64_t *offset)
{
    __extension__ typedef unsigned __int128 wide;
    const struct ww_gen *g = w->gen;
    const uint64_t node_bytes = ww_gen_value(g, WW_GEN_P_node), nodes = g->footprint_bytes / node_bytes;
    const bool by_wave = ww_gen_value(g, WW_GEN_P_by) != 0;
    const uint64_t each = by_wave ? 1 : g->lanes, chains = ww_gen_value(g, WW_GEN_P_waves) * each;
    for (uint32_t l = 0; l < each; l++) {
        const uint64_t chain = w->number * each + l;
        const uint64_t start = (uint64_t)((wide)chain * nodes / chains);
        const uint64_t node = ww_gen_permuted(g, nodes, (start + i) % nodes);
        const uint64_t place = place_in(g, node, node_bytes);
        offset[l] = node * node_bytes + place;
        for (uint32_t beside = 1; by_wave && beside < g->lanes; beside++)
            offset[beside] = node * node_bytes + (place + beside * g->bytes) % node_bytes;
    }
}

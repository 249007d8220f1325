/* SPDX-License-Identifier: MIT */
/* generate/chase.c - pointer chase. The nodes form one cycle, in the order of a random permutation or of
 * their addresses. A chain meets every node once before it meets one again, and finding its k-th node needs
 * no table. Chains start evenly spread over the cycle. Time: none. Allocation: none. */
#include "generate/pattern_internal.h"

enum { TURNS_ALL, TURNS_ONE, TURNS_TWO };

struct ww_gen_work ww_gen_work_of(const struct ww_gen *g, uint32_t launch, uint64_t number)
{
    const uint64_t rounds = ww_gen_value(g, WW_GEN_P_rounds), turns = ww_gen_value(g, WW_GEN_P_turns);
    const uint64_t warm = ww_gen_value(g, WW_GEN_P_warm) * ww_gen_nodes(&g->cfg);
    const uint64_t others = rounds == 0 ? ww_gen_value(g, WW_GEN_P_accesses) : rounds * ww_gen_nodes(&g->cfg);
    const bool first = number == ww_gen_value(g, WW_GEN_P_first);
    if (turns == TURNS_ALL || (turns == TURNS_ONE && first))
        return (struct ww_gen_work){warm, others, 0};
    if (turns == TURNS_TWO && launch == 0 && first)
        return (struct ww_gen_work){warm, 0, 0};
    if (turns == TURNS_TWO && launch == 1 && number == ww_gen_value(g, WW_GEN_P_second))
        return (struct ww_gen_work){warm, 0, g->footprint_bytes};
    if (turns == TURNS_TWO && launch == 2 && first)
        return (struct ww_gen_work){0, others, 0};
    return (struct ww_gen_work){0, 0, 0};
}

/* Returns the offset in a node that is read: 0 with place=first; else drawn by the seed and the node's
 * number, so that the reads do not all fall into the same sets of the data caches. */
static uint64_t place_in(const struct ww_gen *g, uint64_t node, uint64_t node_bytes)
{
    if (ww_gen_value(g, WW_GEN_P_place) != 0)
        return 0;
    struct ww_rng rng;
    ww_rng_init(&rng, ww_mix64(ww_gen_value(g, WW_GEN_P_seed)) ^ node);
    return ww_gen_below(&rng, node_bytes / g->bytes) * g->bytes;
}

void ww_gen_chase_lanes(struct ww_gen_wave *w, uint32_t i, uint64_t *offset)
{
    __extension__ typedef unsigned __int128 wide;
    const struct ww_gen *g = w->gen;
    const uint64_t node_bytes = ww_gen_value(g, WW_GEN_P_node), nodes = ww_gen_nodes(&g->cfg);
    const uint64_t before = ww_gen_value(g, WW_GEN_P_offset) + w->work.beyond;
    const bool by_wave = ww_gen_value(g, WW_GEN_P_by) != 0;
    const bool ascending = ww_gen_value(g, WW_GEN_P_order) != 0;
    const uint64_t each = by_wave ? 1 : g->lanes, chains = ww_gen_value(g, WW_GEN_P_waves) * each;
    for (uint32_t l = 0; l < each; l++) {
        const uint64_t chain = w->number * each + l;
        const uint64_t start = (uint64_t)((wide)chain * nodes / chains);
        const uint64_t at = (start + i) % nodes, node = ascending ? at : ww_gen_permuted(g, nodes, at);
        const uint64_t place = place_in(g, node, node_bytes), node_at = before + node * node_bytes;
        offset[l] = node_at + place;
        for (uint32_t beside = 1; by_wave && beside < g->lanes; beside++)
            offset[beside] = node_at + (place + beside * g->bytes) % node_bytes;
    }
}

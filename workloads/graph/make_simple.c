/* SPDX-License-Identifier: MIT */
/* workloads/graph/make_simple.c - makes grids, the random graphs of Rodinia, power laws by attachment
 * (Barabasi, Albert, Science 1999, with a share of uniform choices), and R-MAT: Chakrabarti, Zhan, Faloutsos,
 * SDM 2004, with the probabilities of Graph500; it keeps repeated arcs but has no loops. */
#include "graph/rules.h"

#include <inttypes.h>
#include <stdlib.h>

/* Joins each vertex to up to four neighbours, without wrapping at the border; ids go row by row. */
bool ww_make_grid(struct ww_rule *r)
{
    const uint32_t w = (uint32_t)r->width, h = (uint32_t)r->height;
    for (uint32_t y = 0; y < h; y++) {
        for (uint32_t x = 0; x < w; x++) {
            const uint32_t v = y * w + x;
            if ((y > 0 && !ww_rule_arc(r, v, v - w)) || (x > 0 && !ww_rule_arc(r, v, v - 1)) ||
                (x + 1 < w && !ww_rule_arc(r, v, v + 1)) || (y + 1 < h && !ww_rule_arc(r, v, v + w))) {
                return false;
            }
        }
    }
    return true;
}

/* The suite's generator: every vertex draws two to four edges to any vertex, itself included; each edge is in
 * both vertices' lists. */
bool ww_make_rodinia(struct ww_rule *r)
{
    const uint32_t n = (uint32_t)r->vertices;
    struct ww_rng rng;
    ww_rng_init(&rng, r->seed);
    for (uint32_t v = 0; v < n; v++) {
        for (uint32_t left = 2 + ww_rng_below(&rng, 3); left > 0; left--) {
            if (!ww_rule_edge(r, v, ww_rng_below(&rng, n))) {
                return false;
            }
        }
    }
    return true;
}

/* Draws an arc, an entry of a square matrix of 2^scale rows. Each bit of the ids selects a quarter: the top
 * left with 57 %, the next two with 19 % each. */
static void draw_arc(struct ww_rng *rng, uint32_t scale, uint32_t *from, uint32_t *to)
{
    enum { TOP_LEFT = 37356, TOP_RIGHT = TOP_LEFT + 12452, BOTTOM_LEFT = TOP_RIGHT + 12452 }; /* of 65536 */
    uint64_t word = 0;
    *from = *to = 0;
    for (uint32_t bit = 0; bit < scale; bit++) {
        word = bit % 4 == 0 ? ww_rng_next(rng) : word >> 16;
        const uint32_t place = (uint32_t)(word & 0xffff);
        *from = *from * 2 + (place >= TOP_RIGHT);
        *to = *to * 2 + ((place >= TOP_LEFT && place < TOP_RIGHT) || place >= BOTTOM_LEFT);
    }
}

static bool draw_all(struct ww_rule *r, struct ww_rng *rng, const uint32_t *name)
{
    const uint32_t n = (uint32_t)r->vertices, scale = ww_log2_u64(r->vertices - 1) + 1;
    const uint64_t draws = r->both != 0 ? r->arcs / 2 : r->arcs;
    for (uint64_t i = 0; i < draws; i++) {
        uint32_t from = 0, to = 0;
        do {
            draw_arc(rng, scale, &from, &to);
        } while (from >= n || to >= n || from == to);
        const bool added =
            r->both != 0 ? ww_rule_edge(r, name[from], name[to]) : ww_rule_arc(r, name[from], name[to]);
        if (!added) {
            return false;
        }
    }
    return true;
}

bool ww_make_rmat(struct ww_rule *r)
{
    struct ww_rng rng;
    if ((r->edges != 0) == (r->arcs != 0)) {
        return ww_graph_fail(r->error, "rmat: either edges (of each vertex) or arcs (of all)");
    }
    if (r->edges != 0) {
        r->arcs = r->edges * r->vertices * (r->both != 0 ? 2 : 1);
    }
    if (r->arcs > WW_GRAPH_MAX) {
        return ww_graph_fail(r->error, "rmat: at most %" PRIu32 " arcs", WW_GRAPH_MAX);
    }
    ww_rng_init(&rng, r->seed);
    uint32_t *name = ww_rule_shuffled(r, (uint32_t)r->vertices, &rng);
    const bool made = name != NULL && draw_all(r, &rng, name);
    free(name);
    return made;
}

/* Draws the end of v's edge: the end of one of the first `count` arcs, which prefers vertices with many arcs,
 * or any vertex before v. */
static uint32_t draw_end(const struct ww_rule *r, struct ww_rng *rng, const uint32_t *name, uint32_t v,
                         uint64_t count)
{
    if (count == 0 || ww_rng_below(rng, 100) < r->uniform) {
        return name[ww_rng_below(rng, v)];
    }
    return r->made->to[ww_rng_below(rng, (uint32_t)count)];
}

/* Returns true if the vertex that draws edges since arc `first` has one to `end`. */
static bool has_edge(const struct ww_arcs *a, uint64_t first, uint32_t end)
{
    for (uint64_t i = first; i < a->count; i += 2) {
        if (a->to[i] == end) {
            return true;
        }
    }
    return false;
}

/* Draws an end to which v has no edge yet; after 32 tries takes the next such one from a random place. */
static uint32_t draw_new_end(const struct ww_rule *r, struct ww_rng *rng, const uint32_t *name, uint32_t v,
                             uint64_t first)
{
    for (uint32_t tries = 0; tries < 32; tries++) {
        const uint32_t end = draw_end(r, rng, name, v, first);
        if (!has_edge(r->made, first, end)) {
            return end;
        }
    }
    uint32_t place = ww_rng_below(rng, v);
    while (has_edge(r->made, first, name[place])) {
        place = place + 1 < v ? place + 1 : 0;
    }
    return name[place];
}

/* Returns how many of the `edges` left vertex v of n draws: at random up to twice its share, at most one per
 * earlier vertex. */
static uint64_t draw_share(struct ww_rng *rng, uint64_t edges, uint64_t v, uint64_t n)
{
    const uint64_t share = ((ww_rng_next(rng) >> 32) * (2 * edges + n - v) >> 32) / (n - v);
    const uint64_t most = edges < v ? edges : v;
    return v + 1 == n || share > most ? most : share;
}

/* Adds the vertices in the order of `name`. Each draws edges to earlier ones. */
static bool attach_all(struct ww_rule *r, struct ww_rng *rng, const uint32_t *name)
{
    uint64_t edges = r->arcs / 2;
    for (uint32_t v = 1; v < r->vertices; v++) {
        const uint64_t first = r->made->count, share = draw_share(rng, edges, v, r->vertices);
        for (uint64_t i = 0; i < share; i++) {
            if (!ww_rule_edge(r, name[v], draw_new_end(r, rng, name, v, first))) {
                return false;
            }
        }
        edges -= share;
    }
    return edges == 0 || ww_graph_fail(r->error, "power: too many arcs for so few vertices");
}

uint64_t ww_arcs_of_grid(const struct ww_rule *r)
{
    return 2 * ((r->width - 1) * r->height + r->width * (r->height - 1));
}

uint64_t ww_arcs_of_power(const struct ww_rule *r)
{
    return r->arcs / 2 * 2;
}

bool ww_make_power(struct ww_rule *r)
{
    struct ww_rng rng;
    if (r->arcs == 0) {
        return ww_graph_fail(r->error, "power: needs arcs, two an edge");
    }
    ww_rng_init(&rng, r->seed);
    uint32_t *name = ww_rule_shuffled(r, (uint32_t)r->vertices, &rng);
    const bool made = name != NULL && attach_all(r, &rng, name);
    free(name);
    return made;
}

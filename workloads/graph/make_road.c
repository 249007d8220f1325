/* SPDX-License-Identifier: MIT */
/* workloads/graph/make_road.c - makes a network like that of roads. Junctions lie on a square grid; roads,
 * which do not cross, join neighbours, diagonal ones too. A random tree of roads joins all junctions, further
 * roads make loops, and shape points divide the roads. The proportions give 2.35 arcs per vertex. Ids follow
 * a Z-curve over the junctions, and a road's points follow a junction, so that near vertices have near ids.
 * Not modelled: motorways (long arcs), dense towns. */
#include "graph/rules.h"

#include <inttypes.h>
#include <stdlib.h>

/* Of 1000 vertices 700 are junctions, with 1.25 roads each: 2 * (1.25 * 0.7 + 0.3) = 2.35 arcs per vertex. */
#define JUNCTIONS_IN_1000 700

enum { RIGHT, DOWN, DIAGONAL, DIRECTIONS };

/* A road has the number DIRECTIONS * junction + direction; a cell's diagonal belongs to the junction at its
 * top left. */
struct map {
    uint32_t width, height, junctions;
    uint32_t roads; /* number of roads built */
    uint64_t seed;
    uint8_t *is_road;
    uint32_t *points; /* shape points of a road */
    uint32_t *parent; /* union-find; later the ids of junctions */
};

static bool falls(const struct map *m, uint32_t junction)
{
    return (ww_mix64(m->seed + junction) & 1) != 0;
}

/* Sets the road's two junctions. Returns false if the road would leave the grid. */
static bool ends_of(const struct map *m, uint32_t road, uint32_t *a, uint32_t *b)
{
    const uint32_t junction = road / DIRECTIONS, x = junction % m->width, y = junction / m->width;
    const bool right = x + 1 < m->width, down = y + 1 < m->height;
    *a = junction;
    switch (road % DIRECTIONS) {
    case RIGHT:
        *b = junction + 1;
        return right;
    case DOWN:
        *b = junction + m->width;
        return down;
    default: /* one of the cell's two diagonals */
        *a = falls(m, junction) ? junction : junction + 1;
        *b = junction + m->width + (falls(m, junction) ? 1 : 0);
        return right && down;
    }
}

static uint32_t root_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

static uint32_t wanted_roads(const struct map *m)
{
    return m->junctions + m->junctions / 4;
}

/* Builds roads in random order: first those that join unconnected parts, then any, until there are enough. */
static void build_roads(struct map *m, const uint32_t *order)
{
    for (uint32_t v = 0; v < m->junctions; v++) {
        m->parent[v] = v;
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < DIRECTIONS * m->junctions && (pass == 0 || m->roads < wanted_roads(m));
             i++) {
            uint32_t a = 0, b = 0;
            if (m->is_road[order[i]] != 0 || !ends_of(m, order[i], &a, &b)) {
                continue;
            }
            const uint32_t root_a = root_of(m->parent, a), root_b = root_of(m->parent, b);
            if (pass == 1 || root_a != root_b) {
                m->parent[root_a] = root_b;
                m->is_road[order[i]] = 1;
                m->roads++;
            }
        }
    }
}

/* Distributes the shape points over the roads at random. */
static void divide_roads(struct map *m, struct ww_rng *rng, uint32_t *roads, uint32_t points)
{
    uint32_t count = 0;
    for (uint32_t road = 0; road < DIRECTIONS * m->junctions; road++) {
        if (m->is_road[road] != 0) {
            roads[count++] = road;
        }
    }
    for (uint32_t i = 0; i < points; i++) {
        m->points[roads[ww_rng_below(rng, count)]]++;
    }
}

/* Returns bits 0, 2, 4, ... of a place on the Z-curve. */
static uint32_t even_bits(uint64_t place)
{
    uint32_t value = 0;
    for (uint32_t bit = 0; place >> (2 * bit) != 0; bit++) {
        value |= (uint32_t)((place >> (2 * bit)) & 1) << bit;
    }
    return value;
}

/* Returns the place that is numbered at `turn`. The order is that of the curve, except that each sequence of
 * 64 tiles of 8 x 8 junctions is shuffled, since maps are numbered county by county. */
static uint64_t place_at(const struct map *m, uint64_t turn)
{
    const uint64_t tile = turn >> 6 & 63, key = ww_mix64(m->seed - (turn >> 12));
    const uint64_t other = (tile * (key | 1) + (key >> 32)) & 63; /* odd factor: a bijection */
    return (turn & ~UINT64_C(0xfc0)) | other << 6;
}

/* Numbers along the curve: a junction, then the points of its roads. Sets `first` to a road's first point. */
static void number(struct map *m, uint32_t *id, uint32_t *first)
{
    const uint32_t side = m->width > m->height ? m->width : m->height;
    const uint32_t bits = ww_log2_u64(side) + 1;
    const uint64_t places = UINT64_C(1) << (2 * (bits < 6 ? 6 : bits)); /* whole blocks of 64 tiles */
    uint32_t next = 0;
    for (uint64_t turn = 0; turn < places; turn++) {
        const uint64_t place = place_at(m, turn);
        const uint32_t x = even_bits(place), y = even_bits(place >> 1);
        if (x >= m->width || y >= m->height) {
            continue;
        }
        const uint32_t junction = y * m->width + x;
        id[junction] = next++;
        for (uint32_t road = DIRECTIONS * junction; road < DIRECTIONS * (junction + 1); road++) {
            first[road] = next;
            next += m->points[road];
        }
    }
}

static bool draw_roads(struct ww_rule *r, const struct map *m, const uint32_t *id, const uint32_t *first)
{
    for (uint32_t road = 0; road < DIRECTIONS * m->junctions; road++) {
        uint32_t a = 0, b = 0;
        if (m->is_road[road] == 0) {
            continue;
        }
        ends_of(m, road, &a, &b);
        uint32_t from = id[a];
        for (uint32_t i = 0; i < m->points[road]; i++) {
            if (!ww_rule_edge(r, from, first[road] + i)) {
                return false;
            }
            from = first[road] + i;
        }
        if (!ww_rule_edge(r, from, id[b])) {
            return false;
        }
    }
    return true;
}

static uint32_t square_root(uint32_t n)
{
    uint32_t root = 1;
    while ((uint64_t)(root + 1) * (root + 1) <= n) {
        root++;
    }
    return root;
}

static struct map size_of(const struct ww_rule *r)
{
    const uint32_t about = (uint32_t)(r->vertices * JUNCTIONS_IN_1000 / 1000);
    struct map m = {.height = square_root((uint32_t)(about / r->aspect)), .seed = ww_mix64(r->seed)};
    m.width = about / m.height;
    m.junctions = m.width * m.height;
    return m;
}

uint64_t ww_arcs_of_road(const struct ww_rule *r)
{
    const struct map m = size_of(r);
    const uint64_t w = m.width, h = m.height;
    const uint64_t possible = (w - 1) * h + w * (h - 1) + (w - 1) * (h - 1);
    const uint64_t roads = possible < wanted_roads(&m) ? possible : wanted_roads(&m);
    return 2 * (roads + r->vertices - m.junctions);
}

bool ww_make_road(struct ww_rule *r)
{
    struct map m = size_of(r);
    struct ww_rng rng;
    const size_t all = (size_t)DIRECTIONS * m.junctions;
    m.is_road = calloc(all, sizeof *m.is_road);
    m.points = calloc(all, sizeof *m.points);
    m.parent = calloc(m.junctions, sizeof *m.parent);
    ww_rng_init(&rng, r->seed);
    uint32_t *order = ww_rule_shuffled(r, (uint32_t)all, &rng);
    bool made = order != NULL;
    if (made && (m.is_road == NULL || m.points == NULL || m.parent == NULL)) {
        made = ww_graph_fail(r->error, "no memory for a road network of %" PRIu64 " vertices", r->vertices);
    }
    if (made) {
        build_roads(&m, order);
        divide_roads(&m, &rng, order, (uint32_t)r->vertices - m.junctions);
        number(&m, m.parent, order);
        made = draw_roads(r, &m, m.parent, order);
    }
    free(m.is_road);
    free(m.points);
    free(m.parent);
    free(order);
    return made;
}

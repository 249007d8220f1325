/* SPDX-License-Identifier: MIT */
/* workloads/graph/edge_list.c - see edge_list.h. */
#include "graph/edge_list.h"

#include <inttypes.h>

/* Bounds of the ids after the first line. */
struct ids_behind {
    uint64_t lines, least, most_from, most_to;
};

static struct ids_behind ids_behind_first(const struct ww_edge_list *l)
{
    struct ids_behind b = {.lines = l->count - 1, .least = UINT64_MAX};
    for (uint64_t i = 1; i < l->count; i++) {
        const uint64_t from = l->ids[2 * i], to = l->ids[2 * i + 1], least = from < to ? from : to;
        b.least = least < b.least ? least : b.least;
        b.most_from = from > b.most_from ? from : b.most_from;
        b.most_to = to > b.most_to ? to : b.most_to;
    }
    return b;
}

/* Returns true if `count` vertices include ids up to `most`, from 1, or from 0 if the least id is 0. */
static bool bounds(uint64_t count, uint64_t most, uint64_t least)
{
    return count != WW_NOT_STATED && (least == 0 ? most < count : most <= count);
}

/* Returns a hash; each of its bits depends on every bit of x (the last step of SplitMix64). */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Returns the hash of an arc; that of the reverse arc differs. */
static uint64_t mark_of(uint64_t from, uint64_t to)
{
    return mixed(mixed(from + 1) + to);
}

/* The mark of each arc cancels out with that of its reverse arc. Marks of other arcs cancel out by chance in
 * one of 2^64 lists. */
bool ww_edges_are_mirrored(const struct ww_edge_list *l, uint64_t first)
{
    uint64_t sum = 0;
    for (uint64_t i = first; i < l->count; i++) {
        const uint64_t from = l->ids[2 * i], to = l->ids[2 * i + 1];
        sum += mark_of(from, to) - mark_of(to, from);
    }
    return sum == 0;
}

/* Returns true if the first line fits as "vertices arcs" or "rows columns entries". */
static bool is_header(const struct ww_edge_list *l, const struct ids_behind *b)
{
    const struct ww_first_line *first = &l->first;
    if (first->words > 3) {
        return false;
    }
    const uint64_t last = first->number[first->words - 1], rows = first->number[0],
                   columns = first->words == 3 ? first->number[1] : rows;
    return bounds(rows, b->most_from, b->least) && bounds(columns, b->most_to, b->least) &&
           (last == b->lines || (last == b->lines / 2 && b->lines % 2 == 0 && ww_edges_are_mirrored(l, 1)));
}

/* Returns true if the first line fits as "vertices edges [fmt]", before one line per vertex. */
static bool is_metis(const struct ww_edge_list *l, const struct ids_behind *b)
{
    const struct ww_first_line *first = &l->first;
    const uint64_t fmt = first->words > 2 ? first->number[2] : 0;
    return first->number[0] == b->lines && first->number[1] <= WW_GRAPH_MAX && fmt <= 1 && b->least != 0 &&
           b->most_from <= b->lines && (fmt == 1 || b->most_to <= b->lines) &&
           l->words == 2 * first->number[1] * (1 + fmt);
}

bool ww_edges_check_first(struct ww_text *t, const struct ww_edge_list *l)
{
    if (l->count < 2) {
        return true;
    }
    const struct ids_behind b = ids_behind_first(l);
    const bool metis = is_metis(l, &b);
    if (!metis && !is_header(l, &b)) {
        return true;
    }
    t->line = l->first.line;
    t->advised = true;
    return ww_text_fail(t,
                        "a header, it seems, and no arc: %" PRIu64
                        " lines follow, and its numbers fit them%s; take it "
                        "away, or --format edges reads it as an arc",
                        b.lines, metis ? " (also as METIS has it: --format metis)" : "");
}

bool ww_edges_mirror(struct ww_text *t, struct ww_arcs *a)
{
    struct ww_arcs both = {.weighted = a->weighted};
    bool right = true;
    for (uint64_t i = 0; right && i < a->count; i++) {
        const uint32_t weight = a->weighted ? a->weight[i] : 0;
        right = ww_read_add(t, &both, a->from[i], a->to[i], weight) &&
                (a->from[i] == a->to[i] || ww_read_add(t, &both, a->to[i], a->from[i], weight));
    }
    ww_arcs_free(right ? a : &both);
    if (right) {
        *a = both;
    }
    return right;
}

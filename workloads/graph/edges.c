/* SPDX-License-Identifier: MIT */
/* workloads/graph/edges.c - edge lists as SNAP and KONECT have them: "from to", "from to weight" or "from to
 * weight time", parted by blanks or commas, comments after # or %. Ids are any 64-bit numbers; in rising
 * order they become vertices 0, 1, ... Two headers are known and checked: the comment "# Nodes: n Edges: m",
 * and lines with one number each before the first arc, n and then m. */
#include "graph/readers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NOT_STATED UINT64_MAX

struct edge_list {
    uint64_t nodes, edges; /* as stated */
    uint32_t single_lines;
    uint64_t count, room;
    uint64_t *ids; /* 2 * count: from, to */
    struct ww_arcs weights;
};

static bool add_ids(struct ww_text *t, struct edge_list *l, uint64_t from, uint64_t to)
{
    if (l->count == l->room) {
        const uint64_t room = l->room == 0 ? 1024 : l->room * 2;
        uint64_t *bigger = realloc(l->ids, (size_t)room * 2 * sizeof *bigger);
        if (bigger == NULL) {
            return ww_text_fail(t, "no memory for %" PRIu64 " arcs", room);
        }
        l->ids = bigger;
        l->room = room;
    }
    l->ids[2 * l->count] = from;
    l->ids[2 * l->count + 1] = to;
    l->count++;
    return true;
}

/* "# Nodes: n Edges: m", and KONECT's "% bip ..."; any other comment says nothing. */
static bool read_comment(struct ww_text *t, struct edge_list *l)
{
    uint64_t *const stated[] = {&l->nodes, &l->edges};
    static const char *const names[] = {"Nodes:", "Edges:"};
    ww_text_word(t); /* the mark */
    for (size_t i = 0; i < 2; i++) {
        uint64_t number = 0;
        const bool more = ww_text_word(t);
        if (more && i == 0 && strcmp(t->word, "bip") == 0) {
            return ww_text_fail(t, "a bipartite list, whose two sides have ids of their own, is no graph");
        }
        if (!more || strcmp(t->word, names[i]) != 0 || !ww_text_word(t) ||
            strspn(t->word, "0123456789") != strlen(t->word)) {
            return !t->failed;
        }
        if (*stated[i] != NOT_STATED) {
            return ww_text_fail(t, "a second header");
        }
        if (!ww_text_as_number(t, names[i], UINT64_MAX - 1, &number)) {
            return false;
        }
        *stated[i] = number;
    }
    return true;
}

/* A line with one number before the first arc: vertices, then arcs. */
static bool read_single(struct ww_text *t, struct edge_list *l, uint64_t number)
{
    uint64_t *stated = l->single_lines == 0 ? &l->nodes : &l->edges;
    if (l->count != 0) {
        return ww_text_fail(t, "the line ends where the end of the arc should be");
    }
    if (l->single_lines++ == 2 || *stated != NOT_STATED) {
        return ww_text_fail(t, "a second header");
    }
    *stated = number;
    return true;
}

static bool read_data(struct ww_text *t, struct edge_list *l)
{
    uint64_t from = 0, to = 0;
    uint32_t weight = 0;
    if (!ww_text_number(t, "a vertex", UINT64_MAX - 1, &from)) {
        return false;
    }
    if (ww_text_peek(t) < 0) {
        return !t->failed && read_single(t, l, from);
    }
    if (!ww_text_number(t, "a vertex", UINT64_MAX - 1, &to)) {
        return false;
    }
    if (l->count == 0) {
        l->weights.weighted = ww_text_peek(t) >= 0; /* as the first arc, so all */
    }
    double time = 0; /* passed over */
    return (!l->weights.weighted || ww_read_magnitude(t, &weight)) &&
           (!l->weights.weighted || ww_text_peek(t) < 0 || ww_read_real(t, &time)) && ww_text_line_ends(t) &&
           add_ids(t, l, from, to) && ww_read_add(t, &l->weights, 0, 0, weight);
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The ids in rising order, each once; NULL when there is no memory. */
static uint64_t *sorted_ids(const struct edge_list *l, uint64_t *distinct)
{
    uint64_t *ids = malloc((size_t)l->count * 2 * sizeof *ids);
    if (ids == NULL) {
        return NULL;
    }
    memcpy(ids, l->ids, (size_t)l->count * 2 * sizeof *ids);
    qsort(ids, (size_t)l->count * 2, sizeof *ids, compare);
    *distinct = 0;
    for (uint64_t i = 0; i < 2 * l->count; i++) {
        if (i == 0 || ids[i] != ids[i - 1]) {
            ids[(*distinct)++] = ids[i];
        }
    }
    return ids;
}

static uint32_t place_of(const uint64_t *ids, uint64_t count, uint64_t id)
{
    const uint64_t *found = bsearch(&id, ids, (size_t)count, sizeof *ids, compare);
    return (uint32_t)(found - ids);
}

static bool compact(struct ww_text *t, const struct edge_list *l, struct ww_arcs *a, uint32_t *vertices)
{
    uint64_t distinct = 0;
    uint64_t *ids = sorted_ids(l, &distinct);
    bool right = ids != NULL || ww_text_fail(t, "no memory for %" PRIu64 " ids", 2 * l->count);
    if (right && distinct > l->nodes) {
        right = ww_text_fail(t, "the header states %" PRIu64 " vertices, the arcs have %" PRIu64, l->nodes,
                             distinct);
    }
    if (right && distinct > WW_GRAPH_MAX) {
        right = ww_text_fail(t, "more than %" PRIu32 " vertices", WW_GRAPH_MAX);
    }
    a->weighted = l->weights.weighted;
    for (uint64_t i = 0; right && i < l->count; i++) {
        right =
            ww_read_add(t, a, place_of(ids, distinct, l->ids[2 * i]),
                        place_of(ids, distinct, l->ids[2 * i + 1]), a->weighted ? l->weights.weight[i] : 0);
    }
    free(ids);
    *vertices = (uint32_t)distinct;
    return right;
}

bool ww_read_edges(struct ww_text *t, struct ww_arcs *a, uint32_t *vertices)
{
    struct edge_list l = {.nodes = NOT_STATED, .edges = NOT_STATED};
    bool right = true;
    t->separator = ',';
    while (right && ww_text_line(t)) {
        const int byte = ww_text_peek(t);
        right = byte < 0 ? !t->failed : byte == '#' || byte == '%' ? read_comment(t, &l) : read_data(t, &l);
    }
    right = right && !t->failed;
    if (right && l.edges != NOT_STATED) {
        right = ww_read_count(t, "arcs", l.count, l.edges);
    }
    if (right && l.count == 0) {
        right = ww_text_fail(t, "the file ends without an arc");
    }
    right = right && compact(t, &l, a, vertices);
    free(l.ids);
    ww_arcs_free(&l.weights);
    return right;
}

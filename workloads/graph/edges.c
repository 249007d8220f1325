/* SPDX-License-Identifier: MIT */
/* workloads/graph/edges.c - edge lists as in SNAP and KONECT: "from to", "from to weight" or "from to weight
 * time", separated by blanks or commas, comments after # or %. Ids are any 64-bit numbers; in rising order
 * they become vertices 0, 1, ... Two headers are known and checked: the comment "# Nodes: n Edges: m", and
 * lines with one number each before the first arc, n and then m. If comments call the graph undirected, the
 * reverse arcs are added, unless the file has all of them. */
#include "graph/edge_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool add_ids(struct ww_text *t, struct ww_edge_list *l, uint64_t from, uint64_t to)
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

/* Reads "Nodes: n Edges: m". Its first word is the current one. */
static bool read_stated(struct ww_text *t, struct ww_edge_list *l)
{
    uint64_t *const stated[] = {&l->nodes, &l->edges};
    static const char *const names[] = {"Nodes:", "Edges:"};
    for (size_t i = 0; i < 2; i++) {
        uint64_t number = 0;
        if ((i != 0 && !ww_text_word(t)) || strcmp(t->word, names[i]) != 0 || !ww_text_word(t) ||
            strspn(t->word, "0123456789") != strlen(t->word)) {
            return !t->failed;
        }
        if (*stated[i] != WW_NOT_STATED) {
            return ww_text_fail(t, "a second header");
        }
        if (!ww_text_as_number(t, names[i], UINT64_MAX - 1, &number)) {
            return false;
        }
        *stated[i] = number;
    }
    return true;
}

static bool is_word(const char *word, const char *const *words)
{
    while (*words != NULL && strcasecmp(word, *words) != 0) {
        words++;
    }
    return *words != NULL;
}

/* Returns true if the banner of a MatrixMarket file that is read as a list ends with a symmetry. */
static bool banner_is_symmetric(struct ww_text *t)
{
    static const char *const symmetries[] = {"symmetric", "skew-symmetric", "hermitian", NULL};
    bool symmetric = false;
    while (ww_text_word(t)) {
        symmetric = is_word(t->word, symmetries);
    }
    return symmetric;
}

/* Reads KONECT's "% sym ..." and "% bip ...", SNAP's "# Undirected graph ..." and "# Nodes: n Edges: m", and
 * MatrixMarket's banner. Ignores any other comment. */
static bool read_comment(struct ww_text *t, struct ww_edge_list *l)
{
    static const char *const graphs[] = {"graph", "graph:", "network", "network:", NULL};
    ww_text_word(t);
    if (ww_is_matrix_market(t->word)) {
        l->undirected = banner_is_symmetric(t);
        return !t->failed;
    }
    const size_t marks = strspn(t->word, "#%");
    if (t->word[marks] != 0) {
        memmove(t->word, t->word + marks, strlen(t->word + marks) + 1); /* "%sym" */
    } else if (!ww_text_word(t)) {
        return !t->failed;
    }
    if (strcmp(t->word, "bip") == 0) {
        return ww_text_fail(t, "a bipartite list, whose two sides have ids of their own, is no graph");
    }
    if (strcmp(t->word, "sym") == 0 && l->count == 0) {
        l->undirected = true;
        return true;
    }
    if (strcasecmp(t->word, "undirected") == 0) {
        l->undirected |= ww_text_word(t) && is_word(t->word, graphs);
        return !t->failed;
    }
    return read_stated(t, l);
}

/* Takes a line with one number before the first arc: first the vertices, then the arcs. */
static bool read_single(struct ww_text *t, struct ww_edge_list *l, uint64_t number)
{
    uint64_t *stated = l->single_lines == 0 ? &l->nodes : &l->edges;
    if (l->count != 0) {
        return ww_text_fail(t, "the line ends where the end of the arc should be");
    }
    if (l->single_lines++ == 2 || *stated != WW_NOT_STATED) {
        return ww_text_fail(t, "a second header");
    }
    *stated = number;
    return true;
}

/* Keeps the current word, the weight of the first arc, as a whole number if it is one. */
static void keep_weight(const struct ww_text *t, struct ww_edge_list *l)
{
    const size_t digits = strspn(t->word, "0123456789");
    if (t->word[digits] != 0 || !ww_digits(t->word, digits, &l->first.number[2])) {
        l->first.number[2] = WW_NOT_STATED;
    }
}

/* Reads "[weight [time]]", after "from to". */
static bool read_rest(struct ww_text *t, struct ww_edge_list *l, uint32_t *weight, uint32_t *words)
{
    double time = 0; /* ignored */
    const bool has_weight = ww_text_peek(t) >= 0;
    *words = 2;
    if (l->count == 0) {
        l->weights.weighted = has_weight; /* all arcs are like the first */
    }
    if (l->count == 1 && has_weight != l->weights.weighted && !t->failed) {
        return ww_text_fail(
            t, "the arc has %s weight, unlike line %" PRIu64 ": if that is a header, take it away",
            has_weight ? "a" : "no", l->first.line);
    }
    if (!l->weights.weighted) {
        return ww_text_line_ends(t);
    }
    *words = 3;
    if (!ww_read_magnitude(t, weight)) {
        return false;
    }
    if (l->count == 0) {
        keep_weight(t, l);
    }
    if (ww_text_peek(t) < 0) {
        return !t->failed;
    }
    *words = 4;
    return ww_read_real(t, &time) && ww_text_line_ends(t);
}

static bool read_data(struct ww_text *t, struct ww_edge_list *l)
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
        l->first = (struct ww_first_line){.line = t->line, .number = {from, to}};
    }
    uint32_t words = 0;
    if (!read_rest(t, l, &weight, &words)) {
        return false;
    }
    if (l->count == 0) {
        l->first.words = words;
    } else {
        l->words += words;
    }
    return add_ids(t, l, from, to) && ww_read_add(t, &l->weights, 0, 0, weight);
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Returns the distinct ids in rising order; NULL if out of memory. */
static uint64_t *sorted_ids(const struct ww_edge_list *l, uint64_t *distinct)
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

static bool compact(struct ww_text *t, const struct ww_edge_list *l, struct ww_arcs *a, uint32_t *vertices)
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

/* Checks the stated counts and converts the list. An edge of an undirected graph may be one arc or two. */
static bool finish(struct ww_text *t, struct ww_edge_list *l, struct ww_arcs *a, uint32_t *vertices)
{
    if (l->count == 0) {
        return (l->edges == WW_NOT_STATED || ww_read_count(t, "arcs", 0, l->edges)) &&
               ww_text_fail(t, "the file ends without an arc");
    }
    if ((t->guessed && l->nodes == WW_NOT_STATED && !ww_edges_check_first(t, l)) ||
        !compact(t, l, a, vertices)) {
        return false;
    }
    const bool once = l->undirected && !ww_edges_are_mirrored(l, 0);
    const bool twice = l->undirected && !once && l->edges == l->count / 2 && l->count % 2 == 0;
    if (l->edges != WW_NOT_STATED && !twice && !ww_read_count(t, "arcs", l->count, l->edges)) {
        return false;
    }
    return !once || ww_edges_mirror(t, a);
}

bool ww_read_edges(struct ww_text *t, struct ww_arcs *a, uint32_t *vertices)
{
    struct ww_edge_list l = {.nodes = WW_NOT_STATED, .edges = WW_NOT_STATED};
    bool right = true;
    t->separator = ',';
    while (right && ww_text_line(t)) {
        const int byte = ww_text_peek(t);
        right = byte < 0 ? !t->failed : byte == '#' || byte == '%' ? read_comment(t, &l) : read_data(t, &l);
    }
    right = right && !t->failed && finish(t, &l, a, vertices);
    free(l.ids);
    ww_arcs_free(&l.weights);
    return right;
}

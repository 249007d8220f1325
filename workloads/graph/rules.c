/* SPDX-License-Identifier: MIT */
/* workloads/graph/rules.c - the rules that make graphs: their names, keys and limits; see graph.h.
 * The makers are in make_simple.c and make_road.c. */
#include "graph/rules.h"
#include "graph/text.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct key {
    const char *name;
    size_t offset; /* in struct ww_rule */
    uint64_t min, max;
};

#define KEY(text, member, min, max)                                                                          \
    {                                                                                                        \
        text, offsetof(struct ww_rule, member), min, max                                                     \
    }
#define SHARED_KEYS                                                                                          \
    KEY("seed", seed, 0, UINT64_MAX), KEY("weights", weights, 0, UINT32_MAX),                                \
    {                                                                                                        \
        NULL, 0, 0, 0                                                                                        \
    }

static const struct key grid_keys[] = {KEY("width", width, 1, WW_GRAPH_MAX),
                                       KEY("height", height, 1, WW_GRAPH_MAX), SHARED_KEYS};
static const struct key rmat_keys[] = {KEY("n", vertices, 2, WW_GRAPH_MAX),
                                       KEY("arcs", arcs, 1, WW_GRAPH_MAX),
                                       KEY("scale", scale, 1, 28),
                                       KEY("edges", edges, 1, 65536),
                                       KEY("both", both, 0, 1),
                                       SHARED_KEYS};
static const struct key power_keys[] = {KEY("n", vertices, 2, WW_GRAPH_MAX),
                                        KEY("arcs", arcs, 2, WW_GRAPH_MAX), KEY("uniform", uniform, 0, 100),
                                        SHARED_KEYS};
static const struct key road_keys[] = {KEY("n", vertices, 16, WW_GRAPH_MAX), KEY("aspect", aspect, 1, 1000),
                                       SHARED_KEYS};
static const struct key rodinia_keys[] = {KEY("n", vertices, 1, WW_GRAPH_MAX), SHARED_KEYS};

static const struct {
    const char *name;
    const struct key *keys;
    bool (*make)(struct ww_rule *r);
    uint64_t (*arcs)(const struct ww_rule *r); /* NULL if counting takes as long as making the graph */
    uint64_t weights;                          /* default of the key */
} rules[] = {
    {"grid", grid_keys, ww_make_grid, ww_arcs_of_grid, 0},
    {"power", power_keys, ww_make_power, ww_arcs_of_power, 0},
    {"rmat", rmat_keys, ww_make_rmat, NULL, 0},
    {"road", road_keys, ww_make_road, ww_arcs_of_road, 2000},
    {"rodinia", rodinia_keys, ww_make_rodinia, NULL, 10},
};
#define RULES (sizeof rules / sizeof rules[0])

/* Returns the rule whose name, with a colon, begins the text; RULES if there is none. */
static size_t rule_of(const char *text)
{
    const size_t length = strcspn(text, ":");
    for (size_t i = 0; i < RULES; i++) {
        if (text[length] == ':' && strlen(rules[i].name) == length &&
            strncmp(rules[i].name, text, length) == 0) {
            return i;
        }
    }
    return RULES;
}

/* Reads digits up to one of `ends` or the end of the text. */
static bool read_value(struct ww_rule *r, const char *rule, const struct key *key, const char **at,
                       const char *ends)
{
    uint64_t value = 0;
    const size_t length = strspn(*at, "0123456789");
    const char after = (*at)[length];
    if (length == 0 || (after != 0 && strchr(ends, after) == NULL)) {
        return ww_graph_fail(r->error, "%.120s: %s must be a whole number", rule, key->name);
    }
    if (!ww_digits(*at, length, &value) || value < key->min || value > key->max) {
        return ww_graph_fail(r->error, "%.120s: %s must be %" PRIu64 " to %" PRIu64, rule, key->name,
                             key->min, key->max);
    }
    memcpy((uint8_t *)r + key->offset, &value, sizeof value);
    *at += length;
    return true;
}

/* Reads a value without a key: a number for the first key, or "5x7" for the first two. */
static bool read_bare(struct ww_rule *r, const char *rule, const struct key *keys, const char **at)
{
    const bool has_two = strcmp(keys[0].name, "width") == 0;
    if (!has_two) {
        return read_value(r, rule, &keys[0], at, ",");
    }
    if (!read_value(r, rule, &keys[0], at, "x") || *(*at)++ != 'x') {
        return ww_graph_fail(r->error, "%.120s: the size must be WIDTHxHEIGHT", rule);
    }
    return read_value(r, rule, &keys[1], at, ",");
}

static bool read_pair(struct ww_rule *r, const char *rule, const struct key *keys, const char **at)
{
    const size_t length = strcspn(*at, "=");
    for (const struct key *k = keys; k->name != NULL; k++) {
        if ((*at)[length] == '=' && strlen(k->name) == length && strncmp(k->name, *at, length) == 0) {
            *at += length + 1;
            return read_value(r, rule, k, at, ",");
        }
    }
    return ww_graph_fail(r->error, "%.120s: unknown key '%.*s' (%s)", rule, (int)(length < 20 ? length : 20),
                         *at, WW_GRAPH_RULES);
}

static bool read_rule(struct ww_rule *r, const char *rule, const struct key *keys)
{
    const char *at = strchr(rule, ':') + 1;
    if (*at >= '0' && *at <= '9') {
        if (!read_bare(r, rule, keys, &at)) {
            return false;
        }
        at += *at == ',';
    }
    while (*at != 0) {
        if (!read_pair(r, rule, keys, &at)) {
            return false;
        }
        at += *at == ',';
    }
    return true;
}

/* Computes the number of vertices from the keys that state it. */
static bool settle(struct ww_rule *r, const char *rule)
{
    if (r->width != 0 || r->height != 0) {
        r->vertices = r->width * r->height; /* at most 56 bits */
    }
    if (r->scale != 0) {
        if (r->vertices != 0) {
            return ww_graph_fail(r->error, "%.120s: either scale or n", rule);
        }
        r->vertices = UINT64_C(1) << r->scale;
    }
    if (r->vertices == 0 || r->vertices > WW_GRAPH_MAX) {
        return ww_graph_fail(r->error, "%.120s: a graph has 1 to %" PRIu32 " vertices (%s)", rule,
                             WW_GRAPH_MAX, WW_GRAPH_RULES);
    }
    return true;
}

/* Reads a rule into *r. Returns its number, or RULES after ww_graph_fail(). */
static size_t understand(const char *rule, struct ww_rule *r, struct ww_graph_error *e)
{
    const size_t i = rule_of(rule);
    *r = (struct ww_rule){.seed = 1, .aspect = 1, .uniform = 50, .error = e};
    if (i == RULES) {
        ww_graph_fail(e, "%.120s: no such rule (%s)", rule, WW_GRAPH_RULES);
        return RULES;
    }
    r->weights = rules[i].weights;
    return read_rule(r, rule, rules[i].keys) && settle(r, rule) ? i : RULES;
}

int ww_graph_make(const char *rule, struct ww_csr *g, struct ww_graph_error *e)
{
    struct ww_arcs made = {0};
    struct ww_rule r;
    int code = WW_E_ARG;
    const size_t i = understand(rule, &r, e);
    if (i == RULES) {
        return WW_E_ARG;
    }
    made.weighted = r.weights != 0;
    r.made = &made;
    if (rules[i].make(&r)) {
        code = ww_arcs_to_csr(&made, (uint32_t)r.vertices, g, e);
    }
    ww_arcs_free(&made);
    return code;
}

bool ww_graph_foretell(const char *rule, struct ww_csr *sizes)
{
    struct ww_graph_error ignored;
    struct ww_rule r;
    const size_t i = understand(rule, &r, &ignored);
    if (i == RULES || rules[i].arcs == NULL) {
        return false;
    }
    *sizes = (struct ww_csr){.vertices = (uint32_t)r.vertices, .edges = rules[i].arcs(&r)};
    return sizes->edges <= WW_GRAPH_MAX;
}

int ww_graph_open(const char *rule_or_path, enum ww_graph_format format, struct ww_csr *g,
                  struct ww_graph_error *e)
{
    if (rule_of(rule_or_path) != RULES) {
        return ww_graph_make(rule_or_path, g, e);
    }
    return ww_graph_read(rule_or_path, format, g, e);
}

static uint32_t weight_of(const struct ww_rule *r, uint32_t u, uint32_t v)
{
    if (r->weights == 0) {
        return 0;
    }
    const uint64_t edge = u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
    return 1 + (uint32_t)(((ww_mix64(ww_mix64(r->seed) + edge) >> 32) * r->weights) >> 32);
}

bool ww_rule_arc(struct ww_rule *r, uint32_t from, uint32_t to)
{
    return ww_arcs_add(r->made, from, to, weight_of(r, from, to), r->error);
}

bool ww_rule_edge(struct ww_rule *r, uint32_t u, uint32_t v)
{
    return ww_rule_arc(r, u, v) && ww_rule_arc(r, v, u);
}

uint32_t *ww_rule_shuffled(struct ww_rule *r, uint32_t count, struct ww_rng *rng)
{
    uint32_t *order = malloc((size_t)count * sizeof *order);
    if (order == NULL) {
        ww_graph_fail(r->error, "no memory for a permutation of %" PRIu32, count);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t j = ww_rng_below(rng, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

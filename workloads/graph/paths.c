/* SPDX-License-Identifier: MIT */
/* workloads/graph/paths.c - see paths.h. */
#include "graph/paths.h"

#include <stdlib.h>

bool ww_hops(const struct ww_csr *g, uint32_t source, uint32_t none, uint32_t *hops)
{
    uint32_t *queue = malloc((size_t)g->vertices * sizeof *queue);
    uint32_t head = 0, tail = 0;
    if (queue == NULL) {
        return false;
    }
    for (uint32_t v = 0; v < g->vertices; v++) {
        hops[v] = none;
    }
    hops[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        const uint32_t v = queue[head++];
        for (uint32_t i = g->row[v]; i < g->row[v + 1]; i++) {
            if (hops[g->column[i]] == none) {
                hops[g->column[i]] = hops[v] + 1;
                queue[tail++] = g->column[i];
            }
        }
    }
    free(queue);
    return true;
}

/* A heap of vertices to visit, the nearest first; a vertex may be in it several times. */
struct entry {
    uint64_t distance;
    uint32_t vertex;
};
struct heap {
    size_t count;
    struct entry *entry;
};

static void push(struct heap *h, uint64_t distance, uint32_t vertex)
{
    size_t at = h->count++;
    for (; at > 0 && h->entry[(at - 1) / 2].distance > distance; at = (at - 1) / 2) {
        h->entry[at] = h->entry[(at - 1) / 2];
    }
    h->entry[at] = (struct entry){distance, vertex};
}

static struct entry pop(struct heap *h)
{
    const struct entry top = h->entry[0], last = h->entry[--h->count];
    size_t at = 0;
    for (size_t child = 1; child < h->count; child = 2 * at + 1) {
        child += child + 1 < h->count && h->entry[child + 1].distance < h->entry[child].distance;
        if (h->entry[child].distance >= last.distance) {
            break;
        }
        h->entry[at] = h->entry[child];
        at = child;
    }
    h->entry[at] = last;
    return top;
}

bool ww_distances(const struct ww_csr *g, uint32_t source, uint64_t none, uint64_t *distances)
{
    /* each arc pushes at most one entry */
    struct heap h = {0, malloc(((size_t)g->edges + 1) * sizeof *h.entry)};
    if (h.entry == NULL) {
        return false;
    }
    for (uint32_t v = 0; v < g->vertices; v++) {
        distances[v] = none;
    }
    distances[source] = 0;
    push(&h, 0, source);
    while (h.count > 0) {
        const struct entry nearest = pop(&h);
        if (nearest.distance > distances[nearest.vertex]) {
            continue;
        }
        for (uint32_t i = g->row[nearest.vertex]; i < g->row[nearest.vertex + 1]; i++) {
            const uint64_t distance = nearest.distance + (g->weight != NULL ? g->weight[i] : 1);
            if (distance < distances[g->column[i]]) {
                distances[g->column[i]] = distance;
                push(&h, distance, g->column[i]);
            }
        }
    }
    free(h.entry);
    return true;
}

static uint32_t root_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

void ww_components(const struct ww_csr *g, uint32_t *smallest)
{
    for (uint32_t v = 0; v < g->vertices; v++) {
        smallest[v] = v;
    }
    for (uint32_t v = 0; v < g->vertices; v++) {
        for (uint32_t i = g->row[v]; i < g->row[v + 1]; i++) {
            const uint32_t a = root_of(smallest, v), b = root_of(smallest, g->column[i]);
            smallest[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (uint32_t v = 0; v < g->vertices; v++) {
        smallest[v] = root_of(smallest, v);
    }
}

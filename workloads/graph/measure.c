/* SPDX-License-Identifier: MIT */
/* workloads/graph/measure.c - see measure.h. */
#include "graph/measure.h"

#include "graph/paths.h"
#include "kernels/bits.h"

#include <stdlib.h>

#define LANES 64

static uint32_t degree_of(const struct ww_csr *g, uint32_t v)
{
    return g->row[v + 1] - g->row[v];
}

/* Counts the reached vertices. Returns the one with the most hops; ties go to the lowest number. */
static uint32_t farthest(const struct ww_csr *g, const uint32_t *hops, uint32_t *reached)
{
    uint32_t best = UINT32_MAX;
    *reached = 0;
    for (uint32_t v = 0; v < g->vertices; v++) {
        if (hops[v] != UINT32_MAX) {
            (*reached)++;
            best = best == UINT32_MAX || hops[v] > hops[best] ? v : best;
        }
    }
    return best;
}

static bool measure_hops(const struct ww_csr *g, struct ww_measure *m)
{
    uint32_t *hops = malloc((size_t)g->vertices * sizeof *hops);
    uint32_t reached = 0;
    bool right = hops != NULL && ww_hops(g, 0, UINT32_MAX, hops);
    if (right) {
        const uint32_t end = farthest(g, hops, &m->reached);
        m->eccentricity = hops[end];
        right = ww_hops(g, end, UINT32_MAX, hops);
    }
    if (right) {
        m->diameter = hops[farthest(g, hops, &reached)];
        m->diameter = m->diameter < m->eccentricity ? m->eccentricity : m->diameter;
    }
    free(hops);
    return right;
}

static void measure_degrees(const struct ww_csr *g, struct ww_measure *m)
{
    m->degree_min = UINT32_MAX;
    for (uint32_t v = 0; v < g->vertices; v++) {
        const uint32_t degree = degree_of(g, v);
        m->degree_min = degree < m->degree_min ? degree : m->degree_min;
        m->degree_max = degree > m->degree_max ? degree : m->degree_max;
        m->degrees[degree == 0 ? 0 : ww_log2_u64(degree) + 1]++;
    }
}

static void measure_arcs(const struct ww_csr *g, struct ww_measure *m)
{
    m->weight_min = g->weight != NULL && g->edges != 0 ? UINT32_MAX : 0;
    for (uint32_t v = 0; v < g->vertices; v++) {
        for (uint32_t i = g->row[v]; i < g->row[v + 1]; i++) {
            const uint32_t to = g->column[i], apart = to > v ? to - v : v - to;
            m->loops += apart == 0;
            m->near_64 += apart < 64;
            m->near_1024 += apart < 1024;
            if (g->weight != NULL) {
                m->weight_min = g->weight[i] < m->weight_min ? g->weight[i] : m->weight_min;
                m->weight_max = g->weight[i] > m->weight_max ? g->weight[i] : m->weight_max;
            }
        }
    }
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Merges the arcs, in sorted rows, with the reversed arcs. */
static bool measure_repeats(const struct ww_csr *g, struct ww_measure *m)
{
    struct ww_graph_error ignored;
    struct ww_csr back = {0}, straight = {0};
    const bool right = ww_csr_transpose(g, &back, &ignored) == WW_OK &&
                       ww_csr_transpose(&back, &straight, &ignored) == WW_OK;
    for (uint32_t v = 0; right && v < g->vertices; v++) {
        uint32_t j = back.row[v];
        for (uint32_t i = straight.row[v]; i < straight.row[v + 1]; i++) {
            const uint32_t to = straight.column[i];
            m->repeats += i > straight.row[v] && straight.column[i - 1] == to;
            while (j < back.row[v + 1] && back.column[j] < to) {
                j++;
            }
            m->one_way += j == back.row[v + 1] || back.column[j] != to;
        }
    }
    ww_csr_free(&back);
    ww_csr_free(&straight);
    return right;
}

/* Averages, over waves and k, the pages of the gather in the k-th step of a wave's loop over neighbours. */
static void measure_pages(const struct ww_csr *g, struct ww_measure *m)
{
    uint64_t steps = 0, pages = 0;
    for (uint32_t wave = 0; wave < g->vertices; wave += LANES) {
        const uint32_t end = g->vertices - wave < LANES ? g->vertices : wave + LANES;
        for (uint32_t k = 0;; k++) {
            uint32_t page[LANES], lanes = 0;
            for (uint32_t v = wave; v < end; v++) {
                if (degree_of(g, v) > k) {
                    page[lanes++] = g->column[g->row[v] + k] / 1024;
                }
            }
            if (lanes == 0) {
                break;
            }
            qsort(page, lanes, sizeof *page, compare);
            for (uint32_t i = 0; i < lanes; i++) {
                pages += i == 0 || page[i] != page[i - 1];
            }
            steps++;
        }
    }
    m->pages = steps == 0 ? 0.0 : (double)pages / (double)steps;
}

bool ww_measure_graph(const struct ww_csr *g, struct ww_measure *m)
{
    *m = (struct ww_measure){0};
    measure_degrees(g, m);
    measure_arcs(g, m);
    measure_pages(g, m);
    return measure_repeats(g, m) && measure_hops(g, m);
}

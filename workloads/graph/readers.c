/* SPDX-License-Identifier: MIT */
/* workloads/graph/readers.c - common parts of the readers; see readers.h. */
#include "graph/readers.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ww_read_line(struct ww_text *t, const char *comment)
{
    while (ww_text_line(t)) {
        const int byte = ww_text_peek(t);
        if (byte > 0 && strchr(comment, byte) == NULL) {
            return ww_text_word(t);
        }
    }
    return false;
}

bool ww_read_as_vertices(struct ww_text *t, uint32_t *vertices)
{
    uint64_t number = 0;
    if (!ww_text_as_number(t, "the number of vertices", WW_GRAPH_MAX, &number)) {
        return false;
    }
    *vertices = (uint32_t)number;
    return number != 0 || ww_text_fail(t, "a graph without vertices");
}

bool ww_read_as_vertex(struct ww_text *t, uint32_t first, uint32_t vertices, uint32_t *vertex)
{
    uint64_t number = 0;
    if (!ww_text_as_number(t, "a vertex", UINT64_MAX, &number)) {
        return false;
    }
    if (number < first || number - first >= vertices) {
        return ww_text_fail(t, "vertex %s is not one of %" PRIu32 " to %" PRIu32, t->word, first,
                            first + vertices - 1);
    }
    *vertex = (uint32_t)(number - first);
    return true;
}

bool ww_read_vertex(struct ww_text *t, uint32_t first, uint32_t vertices, uint32_t *vertex)
{
    if (!ww_text_word(t)) {
        return ww_text_fail(t, "the line ends where a vertex should be");
    }
    return ww_read_as_vertex(t, first, vertices, vertex);
}

bool ww_read_weight(struct ww_text *t, uint32_t *weight)
{
    uint64_t number = 0;
    if (!ww_text_number(t, "a weight", UINT32_MAX, &number)) {
        return false;
    }
    *weight = (uint32_t)number;
    return true;
}

bool ww_read_real(struct ww_text *t, double *value)
{
    char *end = NULL;
    if (!ww_text_word(t)) {
        return ww_text_fail(t, "the line ends where a value should be");
    }
    *value = strtod(t->word, &end);
    if (strlen(t->word) >= WW_WORD_MAX) {
        return ww_text_fail(t, "a value is '%.20s...', of %d letters or more", t->word, WW_WORD_MAX);
    }
    if (*end != 0 || isalpha((unsigned char)t->word[strspn(t->word, "+-")])) { /* nan and inf too */
        return ww_text_fail(t, "a value is '%.20s', not a number", t->word);
    }
    return isfinite(*value) || ww_text_fail(t, "a value is '%.20s', too large: they go to 1.79e308", t->word);
}

uint32_t ww_weight_of(double magnitude)
{
    if (magnitude > 0 && magnitude < 1) {
        return 1;
    }
    const double rounded = floor(magnitude + 0.5);
    return rounded < UINT32_MAX ? (uint32_t)rounded : UINT32_MAX;
}

bool ww_read_magnitude(struct ww_text *t, uint32_t *weight)
{
    double value = 0;
    if (!ww_read_real(t, &value)) {
        return false;
    }
    *weight = ww_weight_of(fabs(value));
    return true;
}

bool ww_read_add(struct ww_text *t, struct ww_arcs *a, uint32_t from, uint32_t to, uint32_t weight)
{
    return ww_arcs_add(a, from, to, weight, t->error) || ww_text_fail_here(t);
}

bool ww_read_count(struct ww_text *t, const char *things, uint64_t count, uint64_t stated)
{
    if (t->failed || count == stated) {
        return !t->failed;
    }
    return ww_text_fail(t, "the header states %" PRIu64 " %s, the file %s %" PRIu64, stated, things,
                        count < stated ? "ends after" : "has at least", count);
}

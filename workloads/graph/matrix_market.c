/* SPDX-License-Identifier: MIT */
/* workloads/graph/matrix_market.c - MatrixMarket, coordinate format: entry (i, j) of a square matrix is an
 * arc from i to j. The file has one half of a symmetric, skew-symmetric or hermitian matrix; the other
 * half is added. A value's rounded magnitude is the weight; pattern matrices have none. Not read: dense and
 * rectangular matrices. */
#include "graph/readers.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum field { PATTERN, INTEGER, UNSIGNED, COMPLEX, REAL };
enum symmetry { GENERAL, SYMMETRIC, SKEW, HERMITIAN };

bool ww_is_matrix_market(const char *word)
{
    const size_t marks = strspn(word, "%"); /* two; files of the Network Repository have one */
    return marks >= 1 && marks <= 2 && strcasecmp(word + marks, "MatrixMarket") == 0;
}

/* Reads the banner's next word as an index into `words`, which ends with NULL. */
static bool read_choice(struct ww_text *t, const char *what, const char *const *words, uint32_t *choice)
{
    if (!ww_text_word(t)) {
        return ww_text_fail(t, "the line ends where %s should be", what);
    }
    for (char *c = t->word; *c != 0; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
    for (uint32_t i = 0; words[i] != NULL; i++) {
        if (strcmp(t->word, words[i]) == 0) {
            *choice = i;
            return true;
        }
    }
    return ww_text_fail(t, "%s is '%.20s', which is not read", what, t->word);
}

static bool read_banner(struct ww_text *t, uint32_t *field, uint32_t *symmetry)
{
    static const char *const objects[] = {"matrix", NULL};
    static const char *const layouts[] = {"coordinate", NULL};
    static const char *const fields[] = {[PATTERN] = "pattern",
                                         [INTEGER] = "integer",
                                         [UNSIGNED] = "unsigned-integer",
                                         [COMPLEX] = "complex",
                                         [REAL] = "real",
                                         "double",
                                         NULL};
    static const char *const symmetries[] = {[GENERAL] = "general",
                                             [SYMMETRIC] = "symmetric",
                                             [SKEW] = "skew-symmetric",
                                             [HERMITIAN] = "hermitian",
                                             NULL};
    uint32_t only = 0;
    if (!ww_read_line(t, "") || !ww_is_matrix_market(t->word)) {
        return ww_text_fail(t,
                            "the first line is not '%%%%MatrixMarket matrix coordinate ...' (bare pairs of "
                            "numbers: --format edges)");
    }
    return read_choice(t, "the object", objects, &only) && read_choice(t, "the layout", layouts, &only) &&
           read_choice(t, "the type of values", fields, field) &&
           read_choice(t, "the symmetry", symmetries, symmetry) && ww_text_line_ends(t);
}

/* Returns true for "% 4 4 4": a line of sizes that was made a comment. */
static bool is_sizes(struct ww_text *t)
{
    uint32_t numbers = 0;
    ww_text_word(t); /* the mark and the word attached to it */
    const size_t marks = strspn(t->word, "%");
    memmove(t->word, t->word + marks, strlen(t->word + marks) + 1);
    for (bool more = t->word[0] != 0 || ww_text_word(t); more; more = ww_text_word(t)) {
        if (strspn(t->word, "0123456789") != strlen(t->word)) {
            return false;
        }
        numbers++;
    }
    return numbers == 3;
}

/* Goes to the line of sizes. Sets *commented to the last comment before it that looks like one. */
static bool find_sizes(struct ww_text *t, uint64_t *commented)
{
    while (ww_text_line(t)) {
        const int byte = ww_text_peek(t);
        if (byte > 0 && byte != '%') {
            return ww_text_word(t);
        }
        if (byte == '%' && is_sizes(t)) {
            *commented = t->line;
        }
    }
    return false;
}

static bool read_sizes(struct ww_text *t, uint32_t *vertices, uint64_t *entries, uint64_t *commented)
{
    uint64_t columns = 0;
    if (!find_sizes(t, commented)) {
        return ww_text_fail(t, "the file ends before its line of sizes");
    }
    if (!ww_read_as_vertices(t, vertices) ||
        !ww_text_number(t, "the number of columns", WW_GRAPH_MAX, &columns) ||
        !ww_text_number(t, "the number of entries", WW_GRAPH_MAX, entries) || !ww_text_line_ends(t)) {
        return false;
    }
    return columns == *vertices ||
           ww_text_fail(t, "a graph's matrix is square, this one has %u rows and %u columns", *vertices,
                        (unsigned)columns);
}

static bool read_value(struct ww_text *t, uint32_t field, uint32_t *weight)
{
    uint64_t number = 0;
    double real = 0, imaginary = 0;
    if (field == PATTERN) {
        return true;
    }
    if (field == COMPLEX) {
        const bool right = ww_read_real(t, &real) && ww_read_real(t, &imaginary);
        *weight = ww_weight_of(hypot(real, imaginary));
        return right;
    }
    if (field != INTEGER && field != UNSIGNED) {
        return ww_read_magnitude(t, weight);
    }
    if (!ww_text_word(t)) {
        return ww_text_fail(t, "the line ends where a value should be");
    }
    const size_t sign = field == INTEGER && t->word[0] == '-' ? 1 : 0;
    const size_t digits = strspn(t->word + sign, "0123456789");
    if (digits != 0 && t->word[sign + digits] == 0) {
        memmove(t->word, t->word + sign, digits + 1);
    } else if (sign != 0) {
        const char *why = ww_text_no_whole_number(t->word + sign);
        return ww_text_fail(t, "a value is '%.20s', %s", t->word, why);
    }
    if (!ww_text_as_number(t, "a value", UINT64_MAX, &number)) {
        return false;
    }
    *weight = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    return true;
}

static bool read_entries(struct ww_text *t, struct ww_arcs *a, uint32_t vertices, uint64_t entries,
                         uint32_t field, uint32_t symmetry)
{
    uint64_t count = 0;
    for (; ww_read_line(t, "%"); count++) {
        uint32_t i = 0, j = 0, weight = 0;
        if (!ww_read_as_vertex(t, 1, vertices, &i) || !ww_read_vertex(t, 1, vertices, &j) ||
            !read_value(t, field, &weight) || !ww_text_line_ends(t) || !ww_read_add(t, a, i, j, weight)) {
            return false;
        }
        if (count == entries) {
            return ww_read_count(t, "entries", count + 1, entries);
        }
        if (i == j && symmetry == SKEW) {
            return ww_text_fail(t, "a skew-symmetric matrix has no entries on its diagonal");
        }
        if (i != j && symmetry != GENERAL && !ww_read_add(t, a, j, i, weight)) {
            return false;
        }
    }
    return ww_read_count(t, "entries", count, entries);
}

/* Adds a likely cause to the failure: the sizes are a comment, so that the first entry was read as sizes. */
static bool blame_comment(struct ww_text *t, uint64_t commented)
{
    const struct ww_graph_error reason = *t->error;
    if (commented != 0) {
        ww_graph_fail(t->error,
                      "%.250s (line %" PRIu64
                      ", a comment, looks like the line of sizes; without one, --format "
                      "edges reads the file)",
                      reason.text, commented);
        t->advised = true;
    }
    return false;
}

bool ww_read_matrix_market(struct ww_text *t, struct ww_arcs *a, uint32_t *vertices)
{
    uint32_t field = 0, symmetry = 0;
    uint64_t entries = 0, commented = 0;
    if (!read_banner(t, &field, &symmetry)) {
        return false;
    }
    if (!read_sizes(t, vertices, &entries, &commented)) {
        return blame_comment(t, commented);
    }
    a->weighted = field != PATTERN;
    return read_entries(t, a, *vertices, entries, field, symmetry) || blame_comment(t, commented);
}

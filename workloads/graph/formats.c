/* SPDX-License-Identifier: MIT */
/* workloads/graph/formats.c - selects the reader of a file and runs it; see graph.h. */
#include "graph/readers.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef bool reader(struct ww_text *t, struct ww_arcs *a, uint32_t *vertices);

static const struct {
    const char *name;
    reader *read;
} formats[WW_GRAPH_FORMATS] = {
#define X(id, name, reader) [id] = {name, reader},
    WW_GRAPH_FORMAT_LIST(X)
#undef X
};

const char *ww_graph_format_name(enum ww_graph_format format)
{
    return formats[format].name;
}

/* Returns true if the name, without .xz or .gz, ends with the extension in upper or lower case. */
static bool is_named(const char *path, const char *extension)
{
    size_t length = strlen(path);
    if (length > 3 && (strcmp(path + length - 3, ".xz") == 0 || strcmp(path + length - 3, ".gz") == 0)) {
        length -= 3;
    }
    const size_t tail = strlen(extension);
    return length > tail && strncasecmp(path + length - tail, extension, tail) == 0;
}

static enum ww_graph_format by_name(const char *path)
{
    static const struct {
        const char *extension;
        enum ww_graph_format format;
    } names[] = {
        {".mtx", WW_GRAPH_MATRIX_MARKET}, {".gr", WW_GRAPH_DIMACS}, {".graph", WW_GRAPH_METIS},
        {".metis", WW_GRAPH_METIS},       {".el", WW_GRAPH_EDGES},  {".edges", WW_GRAPH_EDGES},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (is_named(path, names[i].extension)) {
            return names[i].format;
        }
    }
    return WW_GRAPH_AUTO;
}

/* Refuses by its name a file that could be read as edges or neighbours but has another meaning. */
static bool refuse_by_name(struct ww_text *t, const char *path)
{
    static const struct {
        const char *extension, *what;
    } others[] = {
        {".mesh", "a mesh of METIS, elements and their nodes; m2gmetis makes a graph of it"},
        {".hgr", "a hypergraph of hMETIS, whose edges have any number of vertices"},
        {".hmetis", "a hypergraph of hMETIS, whose edges have any number of vertices"},
        {".hypergraph", "a hypergraph, whose edges have any number of vertices"},
        {".hg", "a hypergraph, whose edges have any number of vertices"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (is_named(path, others[i].extension)) {
            t->line = 0; /* the failure names no line */
            return !ww_text_fail(t, "by its name (%s) it is %s: no graph; if it is one, state --format",
                                 others[i].extension, others[i].what);
        }
    }
    return false;
}

/* Returns true if the current word is a number and the last word of its line. */
static bool last_number(struct ww_text *t, uint64_t *number)
{
    const size_t digits = strspn(t->word, "0123456789");
    return t->word[digits] == 0 && ww_digits(t->word, digits, number) && !ww_text_word(t);
}

/* A Rodinia file begins with the number of vertices. A line per vertex follows: the begin of its arcs, which
 * is the end of the previous vertex' arcs, and their number; then the source alone. A list of edges may begin
 * alike (number of vertices, then an arc from 0), but differs after a few lines. */
static enum ww_graph_format by_shape(struct ww_text *t)
{
    const uint64_t enough = 8;
    uint64_t vertices = 0, begins = 0, degree = 0, arcs = 0;
    if (!last_number(t, &vertices)) {
        return WW_GRAPH_EDGES;
    }
    for (uint64_t v = 0; v < vertices && v < enough; v++) {
        if (!ww_read_line(t, "#%")) {
            return v == 0 ? WW_GRAPH_EDGES : WW_GRAPH_RODINIA; /* truncated; its reader refuses it as such */
        }
        const size_t digits = strspn(t->word, "0123456789");
        if (t->word[digits] != 0 || !ww_digits(t->word, digits, &begins) || begins != arcs ||
            !ww_text_word(t) || !last_number(t, &degree)) {
            return WW_GRAPH_EDGES;
        }
        arcs += degree;
    }
    return vertices <= enough && ww_read_line(t, "#%") && ww_text_word(t) ? WW_GRAPH_EDGES : WW_GRAPH_RODINIA;
}

/* Adds to the reason of a failure that the format was a guess. */
static int doubt(enum ww_graph_format guessed, struct ww_graph_error *e)
{
    const struct ww_graph_error reason = *e;
    char others[64] = "";
    for (uint32_t i = 0; i < WW_GRAPH_FORMATS; i++) {
        const size_t used = strlen(others);
        if (i != WW_GRAPH_AUTO && i != (uint32_t)guessed) {
            snprintf(others + used, sizeof others - used, "%s%s", used == 0 ? "" : "|", formats[i].name);
        }
    }
    ww_graph_fail(e, "%s (taken for %s by its first lines; if it is not: --format %s)", reason.text,
                  formats[guessed].name, others);
    return WW_E_ARG;
}

static bool guess(const char *path, enum ww_graph_format *format, bool *shape, struct ww_graph_error *e)
{
    struct ww_text t;
    ww_text_open(&t, path, e);
    *format = by_name(path);
    if (!t.failed && !ww_text_is_file(&t)) {
        ww_text_fail(&t, "is read once only, so that --format must be given");
    }
    bool found = ww_read_line(&t, "#");
    if (ww_is_matrix_market(t.word)) {
        *format = WW_GRAPH_MATRIX_MARKET;
    } else if (strcmp(t.word, "c") == 0 || strcmp(t.word, "p") == 0) {
        *format = WW_GRAPH_DIMACS;
    } else if (!t.failed && refuse_by_name(&t, path)) {
        found = true;
    } else if (*format == WW_GRAPH_AUTO) {
        found = found && (t.word[0] != '%' || ww_read_line(&t, "#%"));
        *format = by_shape(&t);
        *shape = true;
    }
    if (!found) {
        ww_text_fail(&t, "has no line of data");
    }
    ww_text_close(&t);
    return !t.failed;
}

int ww_graph_read(const char *path, enum ww_graph_format format, struct ww_csr *g, struct ww_graph_error *e)
{
    struct ww_text t;
    struct ww_arcs a = {0};
    uint32_t vertices = 0;
    int code = WW_E_ARG;
    bool by_shape_only = false;
    const bool guessed = format == WW_GRAPH_AUTO;
    if (guessed && !guess(path, &format, &by_shape_only, e)) {
        return WW_E_ARG;
    }
    ww_text_open(&t, path, e);
    t.guessed = guessed;
    if (!t.failed && formats[format].read(&t, &a, &vertices)) {
        code = ww_arcs_to_csr(&a, vertices, g, e);
    }
    const bool doubtful = t.failed && by_shape_only && !t.advised;
    ww_text_close(&t);
    ww_arcs_free(&a);
    return doubtful ? doubt(format, e) : code;
}

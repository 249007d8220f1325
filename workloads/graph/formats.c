/* SPDX-License-Identifier: MIT */
/* workloads/graph/formats.c - which reader a file is for, and running it; see graph.h. */
#include "graph/readers.h"

#include <string.h>

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

/* Whether the file's name ends so, but for an .xz behind it. */
static bool is_named(const char *path, const char *extension)
{
    size_t length = strlen(path);
    if (length > 3 && strcmp(path + length - 3, ".xz") == 0) {
        length -= 3;
    }
    const size_t tail = strlen(extension);
    return length > tail && strncmp(path + length - tail, extension, tail) == 0;
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

/* Rodinia's files have one number in the first line, and in the second the first arc of vertex 0: it is 0. */
static enum ww_graph_format by_shape(struct ww_text *t)
{
    uint32_t words = 1;
    while (ww_text_word(t)) {
        words++;
    }
    if (words != 1 || !ww_read_line(t, "#%") || strcmp(t->word, "0") != 0 || !ww_text_word(t)) {
        return WW_GRAPH_EDGES;
    }
    return ww_text_word(t) ? WW_GRAPH_EDGES : WW_GRAPH_RODINIA;
}

static bool guess(const char *path, enum ww_graph_format *format, struct ww_graph_error *e)
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
    } else if (*format == WW_GRAPH_AUTO) {
        found = found && (t.word[0] != '%' || ww_read_line(&t, "#%"));
        *format = by_shape(&t);
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
    if (format == WW_GRAPH_AUTO && !guess(path, &format, e)) {
        return WW_E_ARG;
    }
    ww_text_open(&t, path, e);
    if (!t.failed && formats[format].read(&t, &a, &vertices)) {
        code = ww_arcs_to_csr(&a, vertices, g, e);
    }
    ww_text_close(&t);
    ww_arcs_free(&a);
    return code;
}

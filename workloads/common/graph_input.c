/* SPDX-License-Identifier: MIT */
/* workloads/common/graph_input.c - see graph_input.h. */
#include "common/graph_input.h"

#include <inttypes.h>
#include <string.h>

static void must(const struct ww_bench *b, int code, const struct ww_graph_error *error)
{
    if (code != WW_OK) {
        ww_args_refuse(b->args, "%s", error->text);
    }
}

static void replace(struct ww_csr *g, struct ww_csr by)
{
    ww_csr_free(g);
    *g = by;
}

void ww_graph_reverse(const struct ww_bench *b, struct ww_csr *g)
{
    struct ww_graph_error error;
    struct ww_csr turned;
    must(b, ww_csr_transpose(g, &turned, &error), &error);
    replace(g, turned);
}

static void turn(const struct ww_bench *b, uint32_t arcs, struct ww_csr *g)
{
    struct ww_graph_error error;
    struct ww_csr both;
    if (arcs == WW_ARCS_REVERSED) {
        ww_graph_reverse(b, g);
    } else if (arcs == WW_ARCS_BOTH) {
        must(b, ww_csr_undirected(g, &both, &error), &error);
        replace(g, both);
    }
}

static struct ww_csr load(const struct ww_bench *b, uint32_t arcs)
{
    const struct ww_arg *format = ww_args_find(b->args, "--format");
    const struct ww_arg *source = ww_args_find(b->args, "--source");
    const char *path = ww_args_find(b->args, "--graph")->path;
    struct ww_graph_error error;
    struct ww_csr g;
    /* --describe needs only the sizes */
    if (!b->args->describe || !ww_graph_foretell(path, &g)) {
        must(b, ww_graph_open(path, (enum ww_graph_format)format->value, &g, &error), &error);
        turn(b, arcs, &g);
    }
    if (g.edges == 0) {
        ww_args_refuse(b->args, "%s: a graph without arcs", path);
    }
    if (source != NULL && source->value >= g.vertices) {
        ww_args_refuse(b->args, "--source is %" PRIu32 ", %s has vertices 0 to %" PRIu32, source->value, path,
                       g.vertices - 1);
    }
    return g;
}

struct ww_csr ww_graph_input(const struct ww_bench *b)
{
    const struct ww_arg *arcs = ww_args_find(b->args, "--arcs");
    return load(b, arcs != NULL ? arcs->value : WW_ARCS_AS_THEY_ARE);
}

struct ww_csr ww_graph_input_undirected(const struct ww_bench *b)
{
    return load(b, WW_ARCS_BOTH);
}

void ww_graph_need(const struct ww_bench *b, bool done)
{
    if (!done) {
        ww_args_refuse(b->args, "no memory");
    }
}

void ww_fill_words(struct ww_array *array, const uint32_t *words)
{
    if (array->type != WW_ULONG) {
        memcpy(array->data, words, ww_array_bytes(array));
        return;
    }
    for (size_t i = 0; i < array->count; i++) {
        ((uint64_t *)array->data)[i] = words[i];
    }
}

void ww_fill_all(struct ww_array *array, uint32_t value)
{
    for (size_t i = 0; i < array->count; i++) {
        if (array->type == WW_ULONG) {
            ((uint64_t *)array->data)[i] = value;
        } else if (array->type == WW_UCHAR) {
            ((uint8_t *)array->data)[i] = (uint8_t)value;
        } else {
            ((uint32_t *)array->data)[i] = value;
        }
    }
}

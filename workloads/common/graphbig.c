/* SPDX-License-Identifier: MIT */
/* workloads/common/graphbig.c - see graphbig.h. */
#include "common/graphbig.h"

#include <inttypes.h>

void ww_graphbig_declare(struct ww_graphbig *s, struct ww_bench *b, struct ww_csr g)
{
    *s = (struct ww_graphbig){.g = g, .vertices = g.vertices, .edges = (uint32_t)g.edges};
    s->vlist = ww_bench_array(b, "vlist", WW_ULONG, (size_t)g.vertices + 1);
    s->elist = ww_bench_array(b, "elist", WW_ULONG, g.edges);
    s->flag = ww_bench_array(b, "flag", WW_UCHAR, 1);
}

void ww_graphbig_fill(struct ww_graphbig *s)
{
    ww_fill_words(s->vlist, s->g.row);
    ww_fill_words(s->elist, s->g.column);
}

void ww_graphbig_set(struct ww_graphbig *s, struct ww_bench *b, uint8_t value)
{
    ww_fill_all(s->flag, value);
    ww_bench_write(b, s->flag);
}

uint8_t ww_graphbig_ask(struct ww_graphbig *s, struct ww_bench *b)
{
    ww_bench_read(b, s->flag, 0, 1);
    return *(const uint8_t *)s->flag->data;
}

int ww_graphbig_close(struct ww_graphbig *s, struct ww_bench *b, const char *what, uint32_t count)
{
    ww_csr_free(&s->g);
    return ww_bench_close(b, "n=%" PRIu32 " m=%" PRIu32 " %s %" PRIu32, s->vertices, s->edges, what, count);
}

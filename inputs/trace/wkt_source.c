/* SPDX-License-Identifier: MIT */
/* trace/wkt_source.c - a reader whose work-groups a function makes on demand. They pass through a packer and
 * are read back like those of a file, so that users of the reader see no difference.
 * Memory: the tables, and the packer's one work-group. */
#include "trace/wkt_reader_internal.h"

#include <stdlib.h>

static char *copy_of(const char *s)
{
    size_t n = s ? strlen(s) + 1 : 1;
    char *copy = malloc(n);
    if (copy)
        memcpy(copy, s ? s : "", n);
    return copy;
}

static bool legal(const struct wkt_source *s)
{
    if (!s->pack || !s->name)
        return false;
    for (uint32_t i = 0; i < s->launches_n; i++) {
        if (s->launches[i].root) /* generated work-groups have no page table */
            return false;
        for (int d = 0; d < 3; d++)
            if (!s->launches[i].grid[d] || !s->launches[i].group[d])
                return false;
    }
    for (uint32_t i = 0; i < s->buffers_n; i++) {
        const struct wkt_buffer *b = &s->buffers[i];
        if (b->bytes > UINT64_MAX - b->base_va || b->first_launch > b->end_launch ||
            b->end_launch > s->launches_n)
            return false;
    }
    return true;
}

/* Uses one allocation for the three strings, as a reader of a file does. */
static bool copy_strings(struct wkt_reader *r, const struct wkt_source *s)
{
    const char *from[3] = {s->program ? s->program : "", s->command ? s->command : "",
                           s->producer ? s->producer : ""};
    const char **to[3] = {&r->info.program, &r->info.command, &r->info.producer};
    char *at = r->strings = malloc(strlen(from[0]) + strlen(from[1]) + strlen(from[2]) + 3);
    if (!at)
        return false;
    for (int i = 0; i < 3; i++) {
        size_t n = strlen(from[i]) + 1;
        memcpy(at, from[i], n);
        *to[i] = at;
        at += n;
    }
    return true;
}

static bool copy_tables(struct wkt_reader *r, const struct wkt_source *s)
{
    r->launches = calloc((size_t)s->launches_n + 1, sizeof *r->launches);
    r->buffers = calloc((size_t)s->buffers_n + 1, sizeof *r->buffers);
    if (!r->launches || !r->buffers)
        return false;
    uint64_t groups = 0;
    for (uint32_t i = 0; i < s->launches_n; i++) {
        r->launches[i] = s->launches[i];
        r->launches[i].name[WKT_NAME_BYTES - 1] = 0;
        r->launches[i].first_group = groups;
        groups += s->launches[i].groups;
    }
    if (s->buffers_n)
        memcpy(r->buffers, s->buffers, s->buffers_n * sizeof *r->buffers);
    r->info.launches = s->launches_n;
    r->info.buffers = s->buffers_n;
    r->info.totals = s->totals;
    r->info.totals.groups = groups;
    return true;
}

int wkt_open_source(const struct wkt_source *source, struct wkt_reader **out, struct wkt_error *error)
{
    const char *name = source->name ? source->name : "source";
    if (!legal(source))
        return wkt_fail(error, WKT_E_ARG, name, UINT64_MAX, "its launches or buffers contradict themselves");
    int apart = wkt_buffers_apart(source->buffers, source->buffers_n, name, error);
    if (apart)
        return apart;
    struct wkt_reader *r = calloc(1, sizeof *r);
    if (!r)
        return wkt_fail(error, WKT_E_MEMORY, name, UINT64_MAX, "out of memory");
    r->fd = -1;
    r->path = copy_of(name);
    r->packer = wkt_packer_new(0);
    if (!r->path || !r->packer || !copy_strings(r, source) || !copy_tables(r, source)) {
        wkt_close(r);
        return wkt_fail(error, WKT_E_MEMORY, name, UINT64_MAX, "out of memory");
    }
    r->info.version = WKT_VERSION_WHOLE;
    r->info.whole_launches = source->launches_n;
    r->info.whole_groups = r->info.totals.groups;
    r->info.wave_lanes = WKT_WAVE_LANES;
    r->info.checksum = source->checksum;
    r->info.counted = true;
    r->pack = source->pack;
    r->free_context = source->free_context;
    r->context = source->context;
    *out = r;
    return WKT_OK;
}

int wkt_source_make(struct wkt_reader *r, const struct wkt_place *place, const struct wkt_buf **raw,
                    struct wkt_error *error)
{
    const struct wkt_launch *launches = wkt_view_whole(r);
    wkt_packer_begin(r->packer, launches[place->launch].group[0]);
    int status = r->pack(r->context, place->launch, place->group, r->packer);
    if (!status)
        status = wkt_packer_lay_out(r->packer, raw);
    if (status == WKT_E_MEMORY)
        return wkt_fail(error, status, r->path, UINT64_MAX, "out of memory for a work-group");
    if (status == WKT_E_LIMIT)
        return wkt_fail(error, status, r->path, UINT64_MAX, "a work-group larger than %u MiB",
                        WKT_RAW_MAX >> 20);
    if (status)
        return wkt_fail(error, status, r->path, UINT64_MAX, "work-group %u of launch %u cannot be made",
                        place->group, place->launch);
    return WKT_OK;
}

void wkt_source_close(struct wkt_reader *r)
{
    wkt_packer_free(r->packer);
    if (r->free_context)
        r->free_context(r->context);
}

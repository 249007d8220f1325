/* SPDX-License-Identifier: MIT */
/* trace/wkt_view.c - a part of a trace: some work-groups of some launches, renumbered, so that users of the
 * reader need no change. Also counts the totals of a part.
 * Memory: four bytes per visible work-group, and the whole trace's table of launches. */
#include "trace/wkt_reader_internal.h"

#include <stdlib.h>

struct wkt_view {
    struct wkt_launch *whole; /* the launches of the whole trace */
    uint32_t *launches;       /* number of each visible launch in the whole trace */
    uint32_t *groups;         /* number of each visible group in its whole launch, launch after launch */
    const struct wkt_launch *shown;
};

static bool in_order(const struct wkt_reader *r, const struct wkt_part *parts, uint32_t parts_n)
{
    for (uint32_t i = 0; i < parts_n; i++) {
        const struct wkt_part *p = &parts[i];
        if (p->launch >= r->info.launches || p->groups_n == 0 || (i && p->launch <= parts[i - 1].launch))
            return false;
        for (uint32_t g = 0; g < p->groups_n; g++)
            if (p->groups[g] >= r->launches[p->launch].groups || (g && p->groups[g] <= p->groups[g - 1]))
                return false;
    }
    return parts_n != 0;
}

/* Returns the number of visible launches before launch `limit` of the whole trace. */
static uint32_t shown_before(const struct wkt_part *parts, uint32_t parts_n, uint32_t limit)
{
    uint32_t n = 0;
    while (n < parts_n && parts[n].launch < limit)
        n++;
    return n;
}

static void view_free(struct wkt_view *v)
{
    if (!v)
        return;
    free(v->whole);
    free(v->launches);
    free(v->groups);
    free(v);
}

int wkt_reader_select(struct wkt_reader *r, const struct wkt_part *parts, uint32_t parts_n,
                      struct wkt_error *error)
{
    if (r->view || !in_order(r, parts, parts_n))
        return wkt_fail(error, WKT_E_ARG, r->path, UINT64_MAX, "no part of this trace, or a part of a part");
    uint64_t groups = 0, raw_bytes = 0;
    for (uint32_t i = 0; i < parts_n; i++)
        groups += parts[i].groups_n;
    struct wkt_view *v = calloc(1, sizeof *v);
    struct wkt_launch *launches = calloc(parts_n, sizeof *launches);
    if (v) {
        v->launches = calloc(parts_n, sizeof *v->launches);
        v->groups = calloc((size_t)groups, sizeof *v->groups);
    }
    if (!v || !launches || !v->launches || !v->groups) {
        view_free(v);
        free(launches);
        return wkt_fail(error, WKT_E_MEMORY, r->path, UINT64_MAX, "out of memory for a part of the trace");
    }
    for (uint32_t i = 0, n = 0; i < parts_n; i++) {
        const struct wkt_part *p = &parts[i];
        launches[i] = r->launches[p->launch];
        launches[i].groups = p->groups_n;
        launches[i].first_group = n;
        v->launches[i] = p->launch;
        for (uint32_t g = 0; g < p->groups_n; g++, n++) {
            uint32_t stored, raw;
            wkt_group_bytes(r, p->launch, p->groups[g], &stored, &raw);
            raw_bytes += raw;
            v->groups[n] = p->groups[g];
        }
    }
    for (uint32_t i = 0; i < r->info.buffers; i++) {
        struct wkt_buffer *b = &r->buffers[i];
        b->first_launch = shown_before(parts, parts_n, b->first_launch);
        b->end_launch = shown_before(parts, parts_n, b->end_launch);
    }
    v->whole = r->launches;
    v->shown = r->launches = launches;
    r->view = v;
    r->info.launches = parts_n;
    r->info.raw_bytes = raw_bytes;
    memset(&r->info.totals, 0, sizeof r->info.totals);
    r->info.totals.groups = groups;
    r->info.counted = false;
    return WKT_OK;
}

void wkt_view_locate(const struct wkt_view *v, struct wkt_place *place)
{
    place->group = v->groups[v->shown[place->launch].first_group + place->group];
    place->launch = v->launches[place->launch];
    place->number = v->whole[place->launch].first_group + place->group;
}

const struct wkt_launch *wkt_view_whole(const struct wkt_reader *r)
{
    return r->view ? r->view->whole : r->launches;
}

void wkt_view_close(struct wkt_reader *r)
{
    view_free(r->view);
}

uint32_t wkt_reader_launch_origin(const struct wkt_reader *r, uint32_t launch)
{
    return r->view && launch < r->info.launches ? r->view->launches[launch] : launch;
}

uint32_t wkt_reader_group_origin(const struct wkt_reader *r, uint32_t launch, uint32_t group)
{
    if (!r->view || launch >= r->info.launches || group >= r->launches[launch].groups)
        return group;
    return r->view->groups[r->launches[launch].first_group + group];
}

/* ---- totals ---- */

bool wkt_group_count(struct wkt_group *g, struct wkt_totals *t)
{
    t->groups++;
    for (uint32_t wave = 0; wave < wkt_group_waves(g); wave++) {
        struct wkt_cursor c;
        struct wkt_record record;
        wkt_cursor_start(g, wave, &c);
        t->waves++;
        t->compute += c.tail_compute;
        while (wkt_next_brief(&c, &record)) {
            t->records[record.kind]++;
            t->lanes[record.kind] += wkt_count64(record.mask);
            t->compute += record.compute;
        }
        if (wkt_cursor_failed(&c))
            return false;
    }
    return true;
}

int wkt_reader_count(struct wkt_reader *r, struct wkt_error *error)
{
    struct wkt_totals totals = {0};
    struct wkt_group *g = NULL;
    int status = WKT_OK;
    for (uint32_t l = 0; l < r->info.launches && !status; l++)
        for (uint32_t i = 0; i < r->launches[l].groups && !status; i++) {
            status = wkt_group_load(r, l, i, &g, error);
            if (!status && !wkt_group_count(g, &totals))
                status = wkt_fail(error, WKT_E_FORMAT, r->path, UINT64_MAX,
                                  "a record of work-group %u of launch %u does not decode", i, l);
        }
    wkt_group_free(g);
    if (status)
        return status;
    r->info.totals = totals;
    r->info.counted = true;
    return WKT_OK;
}

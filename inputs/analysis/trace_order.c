/* SPDX-License-Identifier: MIT */
/* analysis/trace_order.c - see trace_order.h. Waves are in one array in order of their start. A round is one
 * pass over it; ended waves are removed after the pass. Places of groups are reused, and so is the storage of
 * their former groups. */
#include "analysis/trace_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOT_WAITING UINT32_MAX

struct resident {
    struct wkt_group *data; /* kept when the group leaves: a later group reuses the storage */
    uint32_t number;
    uint32_t waves;         /* of the group; 0: the place is free */
    uint32_t going;         /* waves that have not ended */
    uint32_t waiting;       /* waves at the present barrier */
    uint32_t barrier;       /* number of the present barrier, from 0 */
    uint64_t barrier_round; /* round in which the previous barrier was passed */
};

struct wave {
    struct wkt_cursor cursor;
    uint32_t place; /* of its group */
    uint32_t number;
    uint32_t barrier; /* at which it waits, or NOT_WAITING */
    bool ended;
};

struct ww_order {
    struct wkt_reader *trace;
    struct ww_order_cfg cfg;
    uint32_t launch, next_group;
    uint64_t round;
    struct resident *places;
    uint32_t places_count, resident_groups, resident_waves;
    struct wkt_group *pending; /* loaded, waits for room */
    bool has_pending;
    struct wave *waves;
    uint32_t waves_count, waves_room, at;
};

static int fail(struct wkt_error *error, int code, const char *text)
{
    error->code = code;
    error->output = false;
    snprintf(error->text, sizeof error->text, "%s", text);
    return code;
}

int ww_order_open(struct wkt_reader *trace, const struct ww_order_cfg *cfg, struct ww_order **out,
                  struct wkt_error *error)
{
    if (cfg->waves == 0 || cfg->groups == 0)
        return fail(error, WKT_E_ARG, "an order of records wants room for a wave and a work-group");
    struct ww_order *o = calloc(1, sizeof *o);
    if (o == NULL)
        return fail(error, WKT_E_MEMORY, "out of memory");
    o->trace = trace;
    o->cfg = *cfg;
    *out = o;
    return WKT_OK;
}

void ww_order_close(struct ww_order *o)
{
    if (o == NULL)
        return;
    for (uint32_t i = 0; i < o->places_count; ++i)
        wkt_group_free(o->places[i].data);
    wkt_group_free(o->pending);
    free(o->places);
    free(o->waves);
    free(o);
}

static void pass_barrier(struct ww_order *o, struct resident *g)
{
    if (g->waiting == 0 || g->waiting != g->going)
        return;
    g->waiting = 0;
    g->barrier_round = o->round;
    ++g->barrier;
}

static void end_wave(struct ww_order *o, struct wave *w)
{
    struct resident *g = &o->places[w->place];
    w->ended = true;
    --g->going;
    pass_barrier(o, g);
}

static int free_place(struct ww_order *o, uint32_t *place)
{
    for (*place = 0; *place < o->places_count; ++*place)
        if (o->places[*place].waves == 0)
            return WKT_OK;
    const uint32_t count = 2 * o->places_count + 8;
    struct resident *places = realloc(o->places, count * sizeof *places);
    if (places == NULL)
        return WKT_E_MEMORY;
    memset(places + o->places_count, 0, (count - o->places_count) * sizeof *places);
    *place = o->places_count;
    o->places = places;
    o->places_count = count;
    return WKT_OK;
}

/* Makes the pending group resident. */
static int start_group(struct ww_order *o)
{
    const uint32_t waves = wkt_group_waves(o->pending);
    uint32_t place = 0;
    if (free_place(o, &place) != WKT_OK)
        return WKT_E_MEMORY;
    if (o->waves_count + waves > o->waves_room) {
        const uint32_t room = 2 * o->waves_room + waves + 16;
        struct wave *list = realloc(o->waves, room * sizeof *list);
        if (list == NULL)
            return WKT_E_MEMORY;
        o->waves = list;
        o->waves_room = room;
    }
    struct resident *g = &o->places[place];
    struct wkt_group *spare = g->data;
    const struct resident started = {o->pending, o->next_group - 1, waves, waves, 0, 0, 0};
    *g = started;
    o->pending = spare;
    o->has_pending = false;
    for (uint32_t i = 0; i < waves; ++i) {
        struct wave *w = &o->waves[o->waves_count++];
        w->place = place;
        w->number = i;
        w->barrier = NOT_WAITING;
        w->ended = false;
        wkt_cursor_start(g->data, i, &w->cursor);
        if (w->cursor.records_left == 0)
            end_wave(o, w);
    }
    ++o->resident_groups;
    o->resident_waves += waves;
    return WKT_OK;
}

/* Starts groups of the present launch as long as there is room. */
static int start_groups(struct ww_order *o, struct wkt_error *error)
{
    const struct wkt_launch *launch = wkt_reader_launch(o->trace, o->launch);
    while (o->resident_groups < o->cfg.groups && o->resident_waves < o->cfg.waves) {
        if (!o->has_pending) {
            if (o->next_group == launch->groups)
                break;
            const int status = wkt_group_load(o->trace, o->launch, o->next_group, &o->pending, error);
            if (status != WKT_OK)
                return status;
            ++o->next_group;
            o->has_pending = wkt_group_waves(o->pending) != 0;
            continue;
        }
        if (o->resident_groups != 0 && wkt_group_waves(o->pending) > o->cfg.waves - o->resident_waves)
            break;
        if (start_group(o) != WKT_OK)
            return fail(error, WKT_E_MEMORY, "out of memory");
    }
    return WKT_OK;
}

/* Removes the ended waves, and the groups whose waves have all ended. */
static void clear_ended(struct ww_order *o)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < o->waves_count; ++i) {
        if (!o->waves[i].ended) {
            if (kept != i)
                o->waves[kept] = o->waves[i];
            ++kept;
        }
    }
    if (kept == o->waves_count)
        return;
    o->waves_count = kept;
    for (uint32_t i = 0; i < o->places_count; ++i) {
        struct resident *g = &o->places[i];
        if (g->waves != 0 && g->going == 0) {
            o->resident_waves -= g->waves;
            --o->resident_groups;
            g->waves = 0;
        }
    }
}

/* Begins a round. Returns 1, 0 at the end of the trace, or a negative wkt_status. */
static int next_round(struct ww_order *o, struct wkt_error *error)
{
    const uint32_t launches = wkt_reader_info(o->trace)->launches;
    o->at = 0;
    ++o->round;
    clear_ended(o);
    while (o->launch < launches) {
        const int status = start_groups(o, error);
        if (status != WKT_OK)
            return status;
        if (o->waves_count != 0 && o->resident_groups != 0)
            return 1;
        if (!o->has_pending && o->next_group == wkt_reader_launch(o->trace, o->launch)->groups) {
            ++o->launch;
            o->next_group = 0;
        }
    }
    return 0;
}

/* Returns true if the wave may take its turn. A barrier passed in this round opens with the next round. */
static bool goes_on(struct ww_order *o, struct wave *w)
{
    const struct resident *g = &o->places[w->place];
    if (w->ended)
        return false;
    if (w->barrier == NOT_WAITING)
        return true;
    if (w->barrier == g->barrier || g->barrier_round == o->round)
        return false;
    w->barrier = NOT_WAITING;
    return true;
}

int ww_order_next(struct ww_order *o, struct ww_order_step *step, struct wkt_error *error)
{
    for (;;) {
        if (o->at == o->waves_count) {
            const int more = next_round(o, error);
            if (more != 1)
                return more;
        }
        struct wave *w = &o->waves[o->at++];
        if (!goes_on(o, w))
            continue;
        struct resident *g = &o->places[w->place];
        step->launch = o->launch;
        step->group = g->number;
        step->wave = w->number;
        const bool read = wkt_next(&w->cursor, &step->record);
        if (!read || wkt_cursor_failed(&w->cursor)) {
            char text[128];
            snprintf(text, sizeof text,
                     "launch %u, work-group %u, wave %u: its contents contradict themselves", step->launch,
                     step->group, step->wave);
            return fail(error, WKT_E_FORMAT, text);
        }
        if (w->cursor.records_left == 0) {
            end_wave(o, w);
        } else if (step->record.kind == WKT_BARRIER) {
            w->barrier = g->barrier;
            ++g->waiting;
            pass_barrier(o, g);
        }
        return 1;
    }
}

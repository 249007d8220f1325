/* SPDX-License-Identifier: MIT */
/* trace/wkt_check.c - checks a trace from the first byte to the last: index, every work-group, every record,
 * every total. Memory: the index and one work-group. */
#include "trace/wkt_reader_internal.h"

#include <stdlib.h>

/* The addresses that the buffers cover, ascending. Buffers that touch, or overlap (one freed before the other
 * is allocated), form one range, since an access may reach from one into the next. */
struct range {
    uint64_t first, end;
};

struct ranges {
    struct range *all;
    uint32_t n;
};

static int by_first(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

static void join_ranges(struct ranges *r)
{
    uint32_t n = 0;
    qsort(r->all, r->n, sizeof *r->all, by_first);
    for (uint32_t i = 0; i < r->n; i++) {
        struct range *last = n ? &r->all[n - 1] : NULL;
        if (!last || r->all[i].first > last->end)
            r->all[n++] = r->all[i];
        else if (r->all[i].end > last->end)
            last->end = r->all[i].end;
    }
    r->n = n;
}

static bool mapped(const struct ranges *r, uint64_t va, uint32_t bytes)
{
    uint32_t low = 0, high = r->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->all[middle].first <= va)
            low = middle + 1;
        else
            high = middle;
    }
    return low != 0 && va < r->all[low - 1].end && bytes <= r->all[low - 1].end - va;
}

static uint64_t lanes_unmapped(const struct ranges *r, const struct wkt_record *record)
{
    if (record->kind != WKT_LOAD && record->kind != WKT_STORE && record->kind != WKT_ATOMIC)
        return 0;
    uint64_t n = 0;
    for (uint64_t rest = record->mask; rest; rest &= rest - 1)
        n += !mapped(r, record->va[wkt_first64(rest)], record->bytes);
    return n;
}

/* Returns true if a global address of the record has a bit above those that this root's table translates. */
static bool too_wide(uint64_t root, const struct wkt_record *record)
{
    const uint32_t bits = 12 + 9 * wkt_root_levels(root);
    uint64_t beyond = 0;
    if (record->kind != WKT_LOAD && record->kind != WKT_STORE && record->kind != WKT_ATOMIC)
        return false;
    for (uint64_t rest = record->mask; rest; rest &= rest - 1)
        beyond |= record->va[wkt_first64(rest)] >> bits;
    return beyond != 0;
}

static int check_group(const struct wkt_launch *l, uint32_t launch, uint32_t group, struct wkt_group *g,
                       const struct ranges *ranges, const char *path, struct wkt_report *report)
{
    uint64_t items = 0, items_max = (uint64_t)l->group[0] * l->group[1] * l->group[2];
    struct wkt_totals *t = &report->totals;
    t->groups++;
    for (uint32_t wave = 0; wave < wkt_group_waves(g); wave++) {
        struct wkt_cursor c;
        struct wkt_record r;
        wkt_cursor_start(g, wave, &c);
        items += wkt_count64(c.lanes);
        t->waves++;
        t->compute += c.tail_compute;
        while (wkt_next(&c, &r)) {
            t->records[r.kind]++;
            t->lanes[r.kind] += wkt_count64(r.mask);
            t->compute += r.compute;
            if (l->root && too_wide(l->root, &r))
                return wkt_fail(&report->error, WKT_E_FORMAT, path, UINT64_MAX,
                                "wave %u of work-group %u of launch %u has an address beyond its table's %u "
                                "levels",
                                wave, group, launch, wkt_root_levels(l->root));
            report->lanes_unmapped += l->root ? 0 : lanes_unmapped(ranges, &r);
        }
        if (wkt_cursor_failed(&c))
            return wkt_fail(&report->error, WKT_E_FORMAT, path, UINT64_MAX,
                            "wave %u of work-group %u of launch %u does not decode", wave, group, launch);
    }
    if (items > items_max)
        return wkt_fail(&report->error, WKT_E_FORMAT, path, UINT64_MAX,
                        "work-group %u of launch %u has more lanes than work-items", group, launch);
    return WKT_OK;
}

static int check_all(struct wkt_reader *r, const char *path, const struct ranges *ranges,
                     struct wkt_report *report)
{
    const struct wkt_info *info = wkt_reader_info(r);
    struct wkt_group *g = NULL;
    int status = WKT_OK;
    for (uint32_t l = 0; l < info->launches && !status; l++) {
        const struct wkt_launch *launch = wkt_reader_launch(r, l);
        for (uint32_t i = 0; i < launch->groups && !status; i++) {
            status = wkt_group_load(r, l, i, &g, &report->error);
            if (!status && g->raw_bytes > report->peak_group_bytes)
                report->peak_group_bytes = g->raw_bytes;
            if (!status)
                status = check_group(launch, l, i, g, ranges, path, report);
        }
    }
    wkt_group_free(g);
    if (!status && info->counted && memcmp(&report->totals, &info->totals, sizeof info->totals) != 0)
        status = wkt_fail(&report->error, WKT_E_FORMAT, path, UINT64_MAX,
                          "the totals are not those of the contents");
    return status;
}

int wkt_check_reader(struct wkt_reader *r, struct wkt_report *report)
{
    memset(report, 0, sizeof *report);
    int status;
    struct ranges ranges = {NULL, wkt_reader_info(r)->buffers};
    ranges.all = calloc((size_t)ranges.n + 1, sizeof *ranges.all);
    if (!ranges.all) {
        status = wkt_fail(&report->error, WKT_E_MEMORY, r->path, UINT64_MAX, "out of memory");
    } else {
        for (uint32_t i = 0; i < ranges.n; i++) {
            const struct wkt_buffer *b = wkt_reader_buffer(r, i);
            ranges.all[i] = (struct range){b->base_va, b->base_va + b->bytes};
        }
        join_ranges(&ranges);
        status = check_all(r, r->path, &ranges, report);
    }
    free(ranges.all);
    return status;
}

int wkt_check(const char *path, struct wkt_report *report)
{
    struct wkt_reader *r;
    memset(report, 0, sizeof *report);
    int status = wkt_open(path, &r, &report->error);
    if (status)
        return status;
    status = wkt_check_reader(r, report);
    wkt_close(r);
    return status;
}

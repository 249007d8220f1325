/* SPDX-License-Identifier: MIT */
/* trace/wkt_check.c - proves a trace from first byte to last: index, every work-group, every record, every
 * total. Memory: the index and one work-group. */
#include "trace/wkt_reader_internal.h"

#include <stdlib.h>

/* Buffers by base, for the lanes that fall outside all of them. */
struct ranges {
    struct wkt_buffer *by_base;
    uint32_t n;
};

static int compare_base(const void *a, const void *b)
{
    const struct wkt_buffer *x = a, *y = b;
    return x->base_va < y->base_va ? -1 : x->base_va > y->base_va;
}

static bool mapped(const struct ranges *r, uint64_t va, uint32_t bytes)
{
    uint32_t low = 0, high = r->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->by_base[middle].base_va <= va)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;
    const struct wkt_buffer *b = &r->by_base[low - 1];
    return va - b->base_va < b->bytes && bytes <= b->bytes - (va - b->base_va);
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
            report->lanes_unmapped += lanes_unmapped(ranges, &r);
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
    ranges.by_base = calloc((size_t)ranges.n + 1, sizeof *ranges.by_base);
    if (!ranges.by_base) {
        status = wkt_fail(&report->error, WKT_E_MEMORY, r->path, UINT64_MAX, "out of memory");
    } else {
        for (uint32_t i = 0; i < ranges.n; i++)
            ranges.by_base[i] = *wkt_reader_buffer(r, i);
        qsort(ranges.by_base, ranges.n, sizeof *ranges.by_base, compare_base);
        status = check_all(r, r->path, &ranges, report);
    }
    free(ranges.by_base);
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

/* SPDX-License-Identifier: MIT */
/* analysis/working_set.c - see working_set.h. */
#include "analysis/working_set.h"

#include <stdlib.h>
#include <string.h>

bool ww_working_set_init(struct ww_working_set *s, uint32_t windows)
{
    WW_ASSERT(windows >= WW_WINDOWS_MIN && windows <= WW_WINDOWS_MAX);
    memset(s, 0, sizeof *s);
    s->room = windows - windows % 2;
    s->fresh = calloc(s->room, sizeof *s->fresh);
    s->again = calloc((size_t)s->room * s->room, sizeof *s->again);
    if (s->fresh != NULL && s->again != NULL)
        return true;
    ww_working_set_free(s);
    return false;
}

void ww_working_set_free(struct ww_working_set *s)
{
    free(s->fresh);
    free(s->again);
    memset(s, 0, sizeof *s);
}

/* Merges windows 2n and 2n + 1 into n, in place: no row is read after it is written. */
static void merge(struct ww_working_set *s)
{
    const size_t room = s->room, half = room / 2;
    for (size_t to = 0; to < half; ++to) {
        uint64_t *row = s->again + to * room;
        const uint64_t *first = s->again + 2 * to * room, *second = first + room;
        for (size_t from = 0; from < to; ++from)
            row[from] = first[2 * from] + first[2 * from + 1] + second[2 * from] + second[2 * from + 1];
        memset(row + to, 0, (room - to) * sizeof *row);
        s->fresh[to] = s->fresh[2 * to] + s->fresh[2 * to + 1];
    }
    memset(s->again + half * room, 0, half * room * sizeof *s->again);
    memset(s->fresh + half, 0, half * sizeof *s->fresh);
    ++s->shift;
}

void ww_working_set_access(struct ww_working_set *s, uint64_t before)
{
    const uint64_t number = s->accesses++;
    while (number >> s->shift >= s->room)
        merge(s);
    const uint64_t window = number >> s->shift;
    if (before == WW_NEVER_BEFORE)
        ++s->fresh[window];
    else if (before >> s->shift != window)
        ++s->again[window * s->room + (before >> s->shift)];
}

uint32_t ww_working_set_windows(const struct ww_working_set *s)
{
    return s->accesses == 0 ? 0 : (uint32_t)((s->accesses - 1) >> s->shift) + 1;
}

uint64_t ww_working_set_fresh(const struct ww_working_set *s, uint32_t window)
{
    WW_ASSERT(window < s->room);
    return s->fresh[window];
}

uint64_t ww_working_set_distinct(const struct ww_working_set *s, uint32_t window)
{
    WW_ASSERT(window < s->room);
    uint64_t pages = s->fresh[window];
    for (uint32_t before = 0; before < window; ++before)
        pages += s->again[(size_t)window * s->room + before];
    return pages;
}

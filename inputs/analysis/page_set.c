/* SPDX-License-Identifier: MIT */
/* analysis/page_set.c - see page_set.h. */
#include "analysis/page_set.h"

#include "kernels/host/hash_index.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_MIN 256u

bool ww_page_set_init(struct ww_page_set *s)
{
    s->count = 0;
    s->room = ROOM_MIN;
    s->cells = calloc(ww_hidx_cells(ROOM_MIN), sizeof *s->cells);
    s->pages = malloc(ROOM_MIN * sizeof *s->pages);
    if (s->cells != NULL && s->pages != NULL)
        return true;
    ww_page_set_free(s);
    return false;
}

void ww_page_set_free(struct ww_page_set *s)
{
    free(s->cells);
    free(s->pages);
    memset(s, 0, sizeof *s);
}

static bool grow(struct ww_page_set *s)
{
    if (s->room == WW_PAGE_SET_MAX)
        return false;
    const uint32_t room = 2 * s->room, cells_count = ww_hidx_cells(room);
    struct ww_page *pages = realloc(s->pages, room * sizeof *pages);
    if (pages == NULL)
        return false;
    s->pages = pages;
    uint32_t *cells = calloc(cells_count, sizeof *cells);
    if (cells == NULL)
        return false;
    for (uint32_t i = 0; i < s->count; ++i)
        ww_hidx_insert(cells, cells_count - 1, pages[i].vpn, i);
    free(s->cells);
    s->cells = cells;
    s->room = room;
    return true;
}

uint32_t ww_page_set_add(struct ww_page_set *s, uint64_t vpn, bool *added)
{
    const uint32_t found =
        ww_hidx_find(s->cells, ww_hidx_cells(s->room) - 1, s->pages, sizeof *s->pages, vpn);
    *added = found == WW_HIDX_NONE;
    if (!*added)
        return found;
    if (s->count == s->room && !grow(s))
        return WW_PAGE_NONE;
    const struct ww_page page = {vpn, 0, 0, 0};
    s->pages[s->count] = page;
    ww_hidx_insert(s->cells, ww_hidx_cells(s->room) - 1, vpn, s->count);
    return s->count++;
}

void ww_number_set_free(struct ww_number_set *s)
{
    free(s->words);
    memset(s, 0, sizeof *s);
}

bool ww_number_set_add(struct ww_number_set *s, uint32_t number, bool *added)
{
    const uint32_t word = number / 64;
    if (word >= s->count) {
        const uint32_t count = 2 * word + 16;
        uint64_t *words = realloc(s->words, count * sizeof *words);
        if (words == NULL)
            return false;
        memset(words + s->count, 0, (count - s->count) * sizeof *words);
        s->words = words;
        s->count = count;
    }
    const uint64_t bit = UINT64_C(1) << (number % 64);
    *added = (s->words[word] & bit) == 0;
    s->words[word] |= bit;
    return true;
}

/* SPDX-License-Identifier: MIT */
/* trace/wkt_apart.c - proves that no launch sees two buffers at one address. Adds and removes the buffers in
 * the order of the launches; an added buffer must fit between its neighbours among the visible ones. Two
 * buffers may share addresses if one is freed before the other is allocated. Memory: 53 bytes per buffer. */
#include "trace/wkt_internal.h"

#include <stdlib.h>

#define LEVELS 6u /* each level multiplies the places by 64: 2^36 */

/* A set of places. Each level has one bit per word of the level below, set if the word is not 0. */
struct places {
    uint64_t *level[LEVELS];
    uint64_t *words;
};

static bool places_open(struct places *s, uint64_t n)
{
    uint64_t sizes[LEVELS], sum = 0;
    for (unsigned l = 0; l < LEVELS; l++) {
        n = n / 64 + 1;
        sizes[l] = n;
        sum += n;
    }
    s->words = calloc((size_t)sum, sizeof *s->words);
    sum = 0;
    for (unsigned l = 0; l < LEVELS && s->words; l++) {
        s->level[l] = s->words + sum;
        sum += sizes[l];
    }
    return s->words != NULL;
}

static void places_put(struct places *s, uint64_t place)
{
    for (unsigned l = 0; l < LEVELS; l++, place /= 64)
        s->level[l][place / 64] |= (uint64_t)1 << place % 64;
}

static void places_take(struct places *s, uint64_t place)
{
    for (unsigned l = 0; l < LEVELS; l++, place /= 64) {
        s->level[l][place / 64] &= ~((uint64_t)1 << place % 64);
        if (s->level[l][place / 64])
            return;
    }
}

static uint64_t last_of(uint64_t word)
{
    return 63u - (unsigned)__builtin_clzll(word);
}

/* Returns the nearest place before or after this one; UINT64_MAX if there is none. */
static uint64_t places_near(const struct places *s, uint64_t place, bool before)
{
    for (unsigned l = 0; l < LEVELS; l++, place /= 64) {
        uint64_t bit = place % 64, word = s->level[l][place / 64];
        word &= before ? ((uint64_t)1 << bit) - 1 : bit == 63 ? 0 : UINT64_MAX << (bit + 1);
        if (!word)
            continue;
        for (place = place / 64 * 64 + (before ? last_of(word) : wkt_first64(word)); l > 0;) {
            word = s->level[--l][place];
            place = place * 64 + (before ? last_of(word) : wkt_first64(word));
        }
        return place;
    }
    return UINT64_MAX;
}

/* A buffer's number and its sort key. */
struct entry {
    uint64_t key;
    uint32_t number;
};

static int by_key(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

struct sweep {
    struct entry *at, *comes, *goes; /* by address, by first launch, by end */
    uint32_t *place;                 /* index in `at`, by the buffer's number */
    struct places there;
};

static int overlap(const struct wkt_buffer *b, uint32_t one, uint32_t other, const char *path,
                   struct wkt_error *e)
{
    uint32_t i = one < other ? one : other, k = one < other ? other : one;
    uint32_t launch = b[i].first_launch > b[k].first_launch ? b[i].first_launch : b[k].first_launch;
    return wkt_fail(e, WKT_E_FORMAT, path, UINT64_MAX,
                    "buffer %u (0x%llx, %llu bytes) and buffer %u (0x%llx, %llu bytes) overlap in launch %u",
                    i, (unsigned long long)b[i].base_va, (unsigned long long)b[i].bytes, k,
                    (unsigned long long)b[k].base_va, (unsigned long long)b[k].bytes, launch);
}

static int come(struct sweep *s, const struct wkt_buffer *b, uint32_t number, const char *path,
                struct wkt_error *e)
{
    const uint64_t place = s->place[number];
    const uint64_t before = places_near(&s->there, place, true),
                   behind = places_near(&s->there, place, false);
    if (before != UINT64_MAX) {
        const uint32_t other = s->at[before].number;
        if (b[other].base_va + b[other].bytes > b[number].base_va)
            return overlap(b, other, number, path, e);
    }
    if (behind != UINT64_MAX && b[s->at[behind].number].base_va < b[number].base_va + b[number].bytes)
        return overlap(b, s->at[behind].number, number, path, e);
    places_put(&s->there, place);
    return WKT_OK;
}

static int go_through(struct sweep *s, const struct wkt_buffer *b, uint32_t n, const char *path,
                      struct wkt_error *e)
{
    uint32_t gone = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t number = s->comes[i].number;
        const struct wkt_buffer *now = &b[number];
        for (; gone < n && s->goes[gone].key <= now->first_launch; gone++)
            places_take(&s->there, s->place[s->goes[gone].number]);
        if (now->bytes == 0 || now->first_launch == now->end_launch)
            continue;
        const int status = come(s, b, number, path, e);
        if (status)
            return status;
    }
    return WKT_OK;
}

int wkt_buffers_apart(const struct wkt_buffer *buffers, uint32_t n, const char *path, struct wkt_error *e)
{
    if (n < 2)
        return WKT_OK;
    struct sweep s = {malloc(n * sizeof *s.at),
                      malloc(n * sizeof *s.comes),
                      malloc(n * sizeof *s.goes),
                      malloc(n * sizeof *s.place),
                      {{NULL}, NULL}};
    int status = WKT_E_MEMORY;
    if (s.at && s.comes && s.goes && s.place && places_open(&s.there, n)) {
        for (uint32_t i = 0; i < n; i++) {
            s.at[i] = (struct entry){buffers[i].base_va, i};
            s.comes[i] = (struct entry){buffers[i].first_launch, i};
            s.goes[i] = (struct entry){buffers[i].end_launch, i};
        }
        qsort(s.at, n, sizeof *s.at, by_key);
        qsort(s.comes, n, sizeof *s.comes, by_key);
        qsort(s.goes, n, sizeof *s.goes, by_key);
        for (uint32_t i = 0; i < n; i++)
            s.place[s.at[i].number] = i;
        status = go_through(&s, buffers, n, path, e);
    } else {
        status = wkt_fail(e, WKT_E_MEMORY, path, UINT64_MAX, "out of memory for the buffers");
    }
    free(s.at);
    free(s.comes);
    free(s.goes);
    free(s.place);
    free(s.there.words);
    return status;
}

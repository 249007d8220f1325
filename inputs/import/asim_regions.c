/* SPDX-License-Identifier: MIT */
/* import/asim_regions.c - keeps copies in a sorted list, touched pages as bit maps in a hash table. */
#include "import/asim_regions.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_SHIFT 12u
#define CHUNK_SHIFT 21u
#define CHUNKS_MAX (UINT64_C(1) << 20)
#define JOIN_BYTES UINT64_C(65536)

void asim_regions_free(struct asim_regions *r)
{
    free(r->copied);
    free(r->chunks);
    memset(r, 0, sizeof *r);
}

static int by_address(const void *a, const void *b)
{
    const struct asim_range *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

void asim_regions_sort(struct asim_regions *r)
{
    if (r->sorted == r->copied_n)
        return;
    qsort(r->copied, r->copied_n, sizeof *r->copied, by_address);
    size_t n = 0;
    for (size_t i = 0; i < r->copied_n; i++) {
        struct asim_range *last = n ? &r->copied[n - 1] : NULL;
        if (last && r->copied[i].first < last->end)
            last->end = r->copied[i].end > last->end ? r->copied[i].end : last->end;
        else
            r->copied[n++] = r->copied[i];
    }
    r->copied_n = r->sorted = n;
}

int asim_regions_copy(struct asim_regions *r, uint64_t va, uint64_t bytes)
{
    if (r->copied_n == r->copied_cap) {
        asim_regions_sort(r); /* bounds the memory of repeated copies to the same places */
        if (r->copied_n > r->copied_cap / 2 || r->copied_cap == 0) {
            size_t cap = r->copied_cap ? r->copied_cap * 2 : 64;
            struct asim_range *copied = realloc(r->copied, cap * sizeof *copied);
            if (!copied)
                return WKT_E_MEMORY;
            r->copied = copied;
            r->copied_cap = cap;
        }
    }
    r->copied[r->copied_n++] = (struct asim_range){va, va + bytes};
    return WKT_OK;
}

/* Returns the first copy that ends after va, or `sorted` if there is none. */
static size_t first_behind(const struct asim_regions *r, uint64_t va)
{
    size_t low = 0, high = r->sorted;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->copied[middle].end <= va)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct asim_chunk *slot_of(struct asim_chunk *chunks, size_t cap, uint64_t key)
{
    size_t i = (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 20) & (cap - 1);
    while (chunks[i].key && chunks[i].key != key)
        i = (i + 1) & (cap - 1);
    return &chunks[i];
}

static int grow(struct asim_regions *r)
{
    size_t cap = r->chunks_cap ? r->chunks_cap * 2 : 64;
    struct asim_chunk *chunks = calloc(cap, sizeof *chunks);
    if (!chunks)
        return WKT_E_MEMORY;
    for (size_t i = 0; i < r->chunks_cap; i++)
        if (r->chunks[i].key)
            *slot_of(chunks, cap, r->chunks[i].key) = r->chunks[i];
    free(r->chunks);
    r->chunks = chunks;
    r->chunks_cap = cap;
    return WKT_OK;
}

static int touch_page(struct asim_regions *r, uint64_t page)
{
    if (page + 1 == r->last_page) /* last_page is a page + 1; 0: none */
        return WKT_OK;
    uint64_t key = (page >> (CHUNK_SHIFT - PAGE_SHIFT)) + 1;
    if (r->chunks_n * 2 >= r->chunks_cap && r->chunks_n < CHUNKS_MAX) {
        int status = grow(r);
        if (status)
            return status;
    }
    struct asim_chunk *chunk = slot_of(r->chunks, r->chunks_cap, key);
    if (chunk->key == 0 && r->chunks_n == CHUNKS_MAX)
        return WKT_E_LIMIT;
    r->chunks_n += chunk->key == 0;
    chunk->key = key;
    chunk->pages[page % 512 / 64] |= UINT64_C(1) << page % 64;
    r->last_page = page + 1;
    return WKT_OK;
}

int asim_regions_touch(struct asim_regions *r, uint64_t va, uint32_t bytes)
{
    uint64_t end = va + bytes;
    if (va >= r->last.first && end <= r->last.end)
        return WKT_OK;
    size_t i = first_behind(r, va);
    if (i < r->sorted && va >= r->copied[i].first && end <= r->copied[i].end) {
        r->last = r->copied[i];
        return WKT_OK;
    }
    int status = touch_page(r, va >> PAGE_SHIFT);
    if (!status && (end - 1) >> PAGE_SHIFT != va >> PAGE_SHIFT)
        status = touch_page(r, (end - 1) >> PAGE_SHIFT);
    return status;
}

/* ---- visiting all ranges in order ---- */

struct walk {
    const struct asim_regions *regions;
    size_t copy; /* index of the next to visit */
    int (*visit)(void *, struct asim_range);
    void *context;
};

/* Visits the copies that begin before `end`. If `run` is not NULL, also visits its parts before and between
 * them, and leaves the rest in it. */
static int visit_copies(struct walk *w, uint64_t end, struct asim_range *run)
{
    const struct asim_regions *r = w->regions;
    for (; w->copy < r->copied_n && r->copied[w->copy].first < end; w->copy++) {
        struct asim_range copy = r->copied[w->copy];
        int status = 0;
        if (run && run->first < copy.first)
            status = w->visit(w->context, (struct asim_range){run->first, copy.first});
        if (!status)
            status = w->visit(w->context, copy);
        if (status)
            return status;
        if (run && copy.end > run->first)
            run->first = copy.end;
    }
    return 0;
}

static int visit_run(struct walk *w, struct asim_range run)
{
    int status = visit_copies(w, run.first, NULL);
    if (!status && w->copy && w->regions->copied[w->copy - 1].end > run.first)
        run.first = w->regions->copied[w->copy - 1].end;
    if (!status)
        status = visit_copies(w, run.end, &run);
    if (!status && run.first < run.end)
        status = w->visit(w->context, run);
    return status;
}

static int by_key(const void *a, const void *b)
{
    const struct asim_chunk *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

int asim_regions_each(struct asim_regions *r, int (*visit)(void *context, struct asim_range range),
                      void *context)
{
    struct walk w = {r, 0, visit, context};
    struct asim_range run = {0, 0};
    int status = 0;
    asim_regions_sort(r);
    if (r->chunks_cap)
        qsort(r->chunks, r->chunks_cap, sizeof *r->chunks, by_key); /* destroys the hash table */
    for (size_t i = 0; i < r->chunks_cap; i++) {
        const struct asim_chunk *chunk = &r->chunks[i];
        for (uint32_t page = 0; chunk->key && page < 512; page++) {
            if (!(chunk->pages[page / 64] >> page % 64 & 1))
                continue;
            uint64_t va = (chunk->key - 1) << CHUNK_SHIFT | (uint64_t)page << PAGE_SHIFT;
            if (run.end && va - run.end >= JOIN_BYTES) {
                status = visit_run(&w, run);
                if (status)
                    return status;
                run.end = 0;
            }
            if (!run.end)
                run.first = va;
            run.end = va + (1u << PAGE_SHIFT);
        }
    }
    if (run.end)
        status = visit_run(&w, run);
    return status ? status : visit_copies(&w, UINT64_MAX, NULL);
}

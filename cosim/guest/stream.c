/* SPDX-License-Identifier: MIT */
/* guest/stream.c - see stream.h. */
#include "guest/stream.h"

static struct ww_guest_record *ring_of(struct ww_guest_share *s)
{
    return (struct ww_guest_record *)(void *)((char *)s + WW_GUEST_HEAD_BYTES);
}

const char *ww_guest_share_check(const struct ww_guest_share *s, uint64_t bytes)
{
    if (bytes < WW_GUEST_HEAD_BYTES || s->magic != WW_GUEST_MAGIC)
        return "this is no share of a guest, or one of another version";
    if (s->records < WW_GUEST_RECORDS_MIN || s->records > WW_GUEST_RECORDS_MAX ||
        (s->records & (s->records - 1)) != 0)
        return "the ring's records are no power of two in its range";
    if (bytes < ww_guest_share_bytes(s->records))
        return "the share is shorter than its ring";
    return NULL;
}

static const char *access_check(const struct ww_guest_record *r)
{
    const uint64_t levels = ww_bits_get(WW_GUEST_LEVELS, r->what);
    const uint64_t entries = ww_bits_get(WW_GUEST_ENTRIES, r->what);
    const uint64_t outcome = ww_bits_get(WW_GUEST_OUTCOME, r->what);
    if (levels != 4 && levels != WW_GUEST_LEVELS_MAX)
        return "a table has 4 or 5 levels";
    if (entries > levels)
        return "a walk has no more entries than levels";
    if (outcome >= WW_GUEST_WALK_COUNT)
        return "no such outcome of a walk";
    if (outcome == WW_GUEST_WALK_PAGE && entries < levels - 2)
        return "no page is larger than 1 GiB";
    if (ww_bits_get(WW_GUEST_KIND, r->what) == WW_GUEST_ACCESS && outcome != WW_GUEST_WALK_PAGE)
        return "an access is to a page";
    return NULL;
}

const char *ww_guest_record_check(const struct ww_guest_record *r)
{
    if ((r->what & ~WW_GUEST_USED) != 0)
        return "bits that mean nothing are set";
    switch (ww_bits_get(WW_GUEST_KIND, r->what)) {
    case WW_GUEST_ACCESS:
    case WW_GUEST_DISAGREED:
        return access_check(r);
    case WW_GUEST_ROOT:
    case WW_GUEST_DROP_PAGE:
    case WW_GUEST_DROP_ALL:
        return NULL;
    default:
        return "no such kind of record";
    }
}

bool ww_guest_push(struct ww_guest_share *s, const struct ww_guest_record *r)
{
    const uint64_t head = s->head;
    if (head - ww_guest_get(&s->tail) >= s->records)
        return false;
    ring_of(s)[head & (s->records - 1)] = *r;
    ww_guest_set(&s->head, head + 1);
    return true;
}

uint64_t ww_guest_pop(struct ww_guest_share *s, struct ww_guest_record *to, uint64_t most)
{
    const uint64_t tail = s->tail, records = s->records;
    const uint64_t there = ww_guest_get(&s->head) - tail, n = there < most ? there : most;
    if (there > records)
        return UINT64_MAX;
    for (uint64_t i = 0; i < n; ++i)
        to[i] = ring_of(s)[(tail + i) & (records - 1)];
    ww_guest_set(&s->tail, tail + n);
    return n;
}

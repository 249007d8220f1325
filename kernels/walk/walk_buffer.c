/* SPDX-License-Identifier: MIT */
/* kernels/walk/walk_buffer.c - see walk_buffer.h. [M18 section IV-A] An entry never changes its slot; the
 * index of host/age_index.h finds it. Time: none. Allocation: none. */
#include "kernels/walk/walk_buffer.h"

#include <string.h>

#include "kernels/bits.h"

WW_STATIC_ASSERT(sizeof(struct ww_wbuf_entry) == 64, "an entry is one line of the host's cache");

static struct ww_wbuf_entry *entries_of(struct ww_wbuf *b)
{
    return (struct ww_wbuf_entry *)(void *)((unsigned char *)b + b->entry_at);
}

static const struct ww_wbuf_entry *const_entries_of(const struct ww_wbuf *b)
{
    return (const struct ww_wbuf_entry *)(const void *)((const unsigned char *)b + b->entry_at);
}

/* Required (asserted): the slot is in use. */
static struct ww_wbuf_entry *entry_at(struct ww_wbuf *b, uint32_t slot)
{
    WW_ASSERT(slot < b->entries && entries_of(b)[slot].word != 0);
    return &entries_of(b)[slot];
}

/* Sets the layout. Returns its bytes, or 0 if cfg is illegal. */
static size_t layout(struct ww_wbuf *b, const struct ww_wbuf_cfg *cfg)
{
    if (cfg->entries == 0 || cfg->entries > WW_WBUF_MAX_ENTRIES || ww_table_kind_check(cfg->kind) != NULL ||
        cfg->kind->shift[cfg->kind->last] < WW_PAGE_4K)
        return 0;
    memset(b, 0, sizeof *b);
    b->entries = cfg->entries;
    b->steps = cfg->kind->steps;
    uint8_t larger = WW_WALK_VA_BITS_MAX; /* smallest shift of the other steps that share lines */
    for (uint32_t step = 1; step <= cfg->kind->steps; step++) {
        if (step != cfg->kind->last && ww_table_shares(cfg->kind, step) && cfg->kind->shift[step] < larger)
            larger = cfg->kind->shift[step];
    }
    const size_t at = ww_align64(sizeof *b);
    b->entry_at = (uint32_t)at;
    b->bytes =
        (uint32_t)ww_ages_plan(&b->ages, b->entries, WW_WALK_VA_BITS_MAX, cfg->kind->shift[cfg->kind->last],
                               larger, at + b->entries * sizeof(struct ww_wbuf_entry));
    return b->bytes;
}

size_t ww_wbuf_bytes(const struct ww_wbuf_cfg *cfg)
{
    struct ww_wbuf b;
    return layout(&b, cfg);
}

int ww_wbuf_init(struct ww_wbuf *b, size_t bytes, const struct ww_wbuf_cfg *cfg)
{
    struct ww_wbuf head;
    const int fault = ww_clear(b, bytes, layout(&head, cfg));
    if (fault != WW_OK)
        return fault;
    *b = head;
    ww_ages_init(&b->ages, b);
    return WW_OK;
}

uint32_t ww_wbuf_insert(struct ww_wbuf *b, const struct ww_wbuf_job *job)
{
    WW_ASSERT(ww_va_walkable(job->va));
    if (ww_wbuf_full(b))
        return WW_WBUF_NONE;
    const uint32_t slot = ww_ages_insert(&b->ages, b, job->va, job->vmid);
    entries_of(b)[slot] = (struct ww_wbuf_entry){
        .word = job->va >> WW_PAGE_4K | WW_WBUF_VALID | (uint64_t)job->vmid << 48,
        .req = job->req,
        .instr = job->instr,
        .cu = job->cu,
        .table = job->table,
        .seq = b->next_seq++,
        .cl_stamp = b->stamp,
    };
    return slot;
}

void ww_wbuf_remove(struct ww_wbuf *b, uint32_t slot)
{
    struct ww_wbuf_entry *e = entry_at(b, slot);
    ww_ages_remove(&b->ages, b, slot);
    b->cl_count -= ww_wbuf_cl(e);
    memset(e, 0, sizeof *e);
}

uint32_t ww_wbuf_oldest(const struct ww_wbuf *b)
{
    return ww_ages_oldest(&b->ages, b);
}

uint32_t ww_wbuf_younger(const struct ww_wbuf *b, uint32_t slot)
{
    return ww_ages_younger(&b->ages, b, slot);
}

uint32_t ww_wbuf_youngest(const struct ww_wbuf *b)
{
    return ww_ages_youngest(&b->ages, b);
}

uint32_t ww_wbuf_oldest_ready(const struct ww_wbuf *b)
{
    return ww_ages_oldest_ready(&b->ages, b);
}

uint32_t ww_wbuf_younger_ready(const struct ww_wbuf *b, uint32_t slot)
{
    return ww_ages_younger_ready(&b->ages, b, slot);
}

uint32_t ww_wbuf_first_near(const struct ww_wbuf *b, uint64_t va, uint16_t vmid)
{
    return ww_ages_first_near(&b->ages, b, va, vmid);
}

uint32_t ww_wbuf_next_near(const struct ww_wbuf *b, uint32_t slot)
{
    WW_ASSERT(slot < b->entries);
    return ww_ages_next_near(&b->ages, b, slot);
}

void ww_wbuf_match(const struct ww_wbuf *b, uint64_t va, uint16_t vmid, uint32_t shift,
                   struct ww_wbuf_set *set)
{
    ww_ages_match(&b->ages, b, va, vmid, shift, set);
}

/* True if a page-table entry led to this walk and the walk reads on. */
static bool partial(const struct ww_wbuf *b, uint64_t walk)
{
    return ww_walk_act(walk) == WW_WALK_READ && ww_walk_step(walk) - 1 < b->steps &&
           ww_walk_from(walk) - 1 < b->steps;
}

void ww_wbuf_set_partial(struct ww_wbuf *b, uint32_t slot, uint64_t walk)
{
    WW_ASSERT(partial(b, walk));
    entry_at(b, slot)->walk = walk;
}

void ww_wbuf_clear_partial(struct ww_wbuf *b, uint32_t slot)
{
    entry_at(b, slot)->walk = 0;
}

/* Inverts CL and accounts for the time that it was set. */
static void flip_cl(struct ww_wbuf *b, uint32_t slot)
{
    struct ww_wbuf_entry *e = &entries_of(b)[slot];
    if (ww_wbuf_cl(e)) {
        e->held += b->stamp - e->cl_stamp;
        b->cl_count--;
    } else {
        b->cl_count++;
    }
    e->word ^= WW_WBUF_CL;
    e->cl_stamp = b->stamp;
    ww_ages_flip_ready(&b->ages, b, slot);
}

void ww_wbuf_set_cl(struct ww_wbuf *b, uint32_t slot, bool cl)
{
    if (ww_wbuf_cl(entry_at(b, slot)) != cl)
        flip_cl(b, slot);
}

void ww_wbuf_set_cl_all(struct ww_wbuf *b, const struct ww_wbuf_set *set, bool cl)
{
    for (uint32_t word = 0; word < b->ages.words; word++) {
        const uint64_t ready = ww_ages_ready(&b->ages, b)[word];
        const uint64_t have = cl ? ready : ww_ages_live(&b->ages, b)[word] & ~ready;
        for (uint64_t left = set->word[word] & have; left != 0; left &= left - 1)
            flip_cl(b, ww_ages_slot(&b->ages, b, word * 64 + (uint32_t)__builtin_ctzll(left)));
    }
}

uint64_t ww_wbuf_held(const struct ww_wbuf *b, uint32_t slot)
{
    const struct ww_wbuf_entry *e = ww_wbuf_at(b, slot);
    return e->held + (ww_wbuf_cl(e) ? b->stamp - e->cl_stamp : 0);
}

/* Required: the position is live. */
static const char *check_position(const struct ww_wbuf *b, uint32_t pos)
{
    const struct ww_wbuf_entry *e = &const_entries_of(b)[ww_ages_slot(&b->ages, b, pos)];
    const bool ready = (ww_ages_ready(&b->ages, b)[pos / 64] >> pos % 64 & 1) != 0;
    if (e->seq >= b->next_seq || (e->word & WW_WBUF_VALID) == 0)
        return "an entry and its position disagree";
    if (!ww_ages_agrees(&b->ages, b, pos, ww_wbuf_va(e), ww_wbuf_vmid(e)))
        return "a position's key or tag is not its entry's";
    if (ww_wbuf_cl(e) == ready)
        return "an entry is ready with CL set, or not ready with CL clear";
    if (e->walk != 0 && !partial(b, e->walk))
        return "PL and PA are no walk that an entry led somewhere";
    return NULL;
}

const char *ww_wbuf_check(const struct ww_wbuf *b)
{
    uint32_t cl_count = 0, used = 0;
    const struct ww_wbuf_entry *older = NULL;
    const char *broken = ww_ages_check(&b->ages, b);
    for (uint32_t pos = 0; broken == NULL && pos < b->ages.positions; pos++) {
        if ((ww_ages_live(&b->ages, b)[pos / 64] >> pos % 64 & 1) == 0)
            continue;
        broken = check_position(b, pos);
        const struct ww_wbuf_entry *e = &const_entries_of(b)[ww_ages_slot(&b->ages, b, pos)];
        if (broken == NULL && older != NULL && older->seq >= e->seq)
            return "positions are not in order of age";
        older = e;
        cl_count += ww_wbuf_cl(e);
    }
    if (broken != NULL)
        return broken;
    for (uint32_t slot = 0; slot < b->entries; slot++)
        used += const_entries_of(b)[slot].word != 0;
    if (used != b->ages.count)
        return "an entry that is in use is not found";
    return cl_count == b->cl_count ? NULL : "a count is not the number of entries";
}

/* SPDX-License-Identifier: MIT */
/* kernels/walk_buffer.c - see walk_buffer.h. [M18 section IV-A]
 * Entries sit in slots that never move. Their age order is an array of positions that only grows at its end
 * and is squeezed when it is full (an insert in N/2), so `the oldest without CL` is the lowest bit of a bit
 * set and a scan for a neighbourhood meets the entries oldest first. A position has a key (VM and smallest
 * neighbourhood, exact) and a tag (32 bits, of larger neighbourhoods never wrong about a difference it
 * shows). Time: none. Allocation: none. */
#include "kernels/walk_buffer.h"

#include <string.h>

#include "kernels/bits.h"

#define NIL WW_WBUF_NO_POSITION
#define NO_KEY UINT64_MAX
#define NO_TAG UINT32_MAX
#define KEY_SHIFT_MIN WW_PAGE_4K /* what is kept of an address; and no key is NO_KEY: it has 61 bits */
#define TAG_BITS 32u
#define TAG_VM_SHIFT 24u /* the VM meets the bits that the fewest addresses differ in */

WW_STATIC_ASSERT(sizeof(struct ww_wbuf_entry) == 64, "an entry is one line of the host's cache");
WW_STATIC_ASSERT(WW_WBUF_MAX_ENTRIES * 3 / 2 < NIL, "positions fit 16 bits");

struct bucket {
    uint16_t head_idx, tail_idx;
};

/* The arrays behind the header. */
#define ARRAY(type, b, name) ((type *)(void *)((unsigned char *)(b) + (b)->name##_at))
#define CONST_ARRAY(type, b, name) ((const type *)(const void *)((const unsigned char *)(b) + (b)->name##_at))

#define KEYS(b) ARRAY(uint64_t, b, key)
#define TAGS(b) ARRAY(uint32_t, b, tag)
#define SLOTS(b) ARRAY(uint16_t, b, slot)
#define LIVE(b) ARRAY(uint64_t, b, live)
#define READY(b) ARRAY(uint64_t, b, ready)
#define BUCKETS(b) ARRAY(struct bucket, b, bucket)
#define ENTRIES(b) ARRAY(struct ww_wbuf_entry, b, entry)
#define CONST_KEYS(b) CONST_ARRAY(uint64_t, b, key)
#define CONST_TAGS(b) CONST_ARRAY(uint32_t, b, tag)
#define CONST_SLOTS(b) CONST_ARRAY(uint16_t, b, slot)
#define CONST_LIVE(b) CONST_ARRAY(uint64_t, b, live)
#define CONST_READY(b) CONST_ARRAY(uint64_t, b, ready)
#define CONST_BUCKETS(b) CONST_ARRAY(struct bucket, b, bucket)
#define CONST_ENTRIES(b) CONST_ARRAY(struct ww_wbuf_entry, b, entry)

static uint64_t key_of(const struct ww_wbuf *b, uint64_t va, uint16_t vmid)
{
    return (uint64_t)vmid << (WW_WALK_VA_BITS_MAX - b->key_shift) | va >> b->key_shift;
}

/* Equal neighbourhoods of one VM that are larger than the smallest have equal tags above bit shift -
 * tag_shift. */
static uint32_t tag_of(const struct ww_wbuf *b, uint64_t va, uint16_t vmid)
{
    return (uint32_t)(va >> b->tag_shift) ^ ((uint32_t)vmid << TAG_VM_SHIFT);
}

static uint32_t bucket_of(const struct ww_wbuf *b, uint64_t key)
{
    return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> b->bucket_shift);
}

static uint32_t lowest(uint64_t word)
{
    return (uint32_t)__builtin_ctzll(word);
}

static uint64_t bit(uint32_t position)
{
    return UINT64_C(1) << (position % 64);
}

/* Fills the layout; returns the bytes, 0 if cfg is illegal. */
static size_t layout(struct ww_wbuf *b, const struct ww_wbuf_cfg *cfg)
{
    if (cfg->entries == 0 || cfg->entries > WW_WBUF_MAX_ENTRIES || ww_table_kind_check(cfg->kind) != NULL ||
        cfg->kind->shift[cfg->kind->last] < KEY_SHIFT_MIN)
        return 0;
    memset(b, 0, sizeof *b);
    b->entries = cfg->entries;
    b->steps = cfg->kind->steps;
    b->key_shift = cfg->kind->shift[cfg->kind->last];
    b->tag_shift = WW_WALK_VA_BITS_MAX;
    for (uint32_t step = 1; step <= cfg->kind->steps; step++) {
        if (step != cfg->kind->last && cfg->kind->shift[step] < b->tag_shift)
            b->tag_shift = cfg->kind->shift[step];
    }
    b->words = (cfg->entries + cfg->entries / 2 + 63) / 64;
    b->positions = b->words * 64;
    const uint32_t bucket_bits = ww_log2_u64(cfg->entries) + 2; /* at least twice as many as entries */
    b->bucket_shift = 64 - bucket_bits;
    size_t at = ww_align64(sizeof *b);
    b->key_at = (uint32_t)at;
    at += ww_align64(b->positions * sizeof(uint64_t));
    b->tag_at = (uint32_t)at;
    at += ww_align64(b->positions * sizeof(uint32_t));
    b->slot_at = (uint32_t)at;
    at += ww_align64(b->positions * sizeof(uint16_t));
    b->live_at = (uint32_t)at;
    at += ww_align64(b->words * sizeof(uint64_t));
    b->ready_at = (uint32_t)at;
    at += ww_align64(b->words * sizeof(uint64_t));
    b->bucket_at = (uint32_t)at;
    at += ww_align64(((size_t)1 << bucket_bits) * sizeof(struct bucket));
    b->entry_at = (uint32_t)at;
    at += (size_t)b->entries * sizeof(struct ww_wbuf_entry);
    b->bytes = (uint32_t)at;
    return at;
}

size_t ww_wbuf_bytes(const struct ww_wbuf_cfg *cfg)
{
    struct ww_wbuf b;
    return layout(&b, cfg);
}

int ww_wbuf_init(struct ww_wbuf *b, size_t bytes, const struct ww_wbuf_cfg *cfg)
{
    struct ww_wbuf head;
    const size_t need = layout(&head, cfg);
    if (need == 0)
        return WW_E_ARG;
    if (bytes < need)
        return WW_E_SIZE;
    memset((void *)b, 0, need);
    *b = head;
    memset(KEYS(b), 0xff, b->slot_at - b->key_at); /* NO_KEY, NO_TAG */
    memset(BUCKETS(b), 0xff, b->entry_at - b->bucket_at);
    struct ww_wbuf_entry *e = ENTRIES(b);
    for (uint32_t slot = 0; slot < b->entries; slot++) {
        e[slot].pos = NIL;
        e[slot].next_idx = (uint16_t)(slot + 1);
    }
    e[b->entries - 1].next_idx = NIL;
    return WW_OK;
}

/* Moves the live positions together; their order stays. */
static void squeeze(struct ww_wbuf *b)
{
    uint64_t *key = KEYS(b);
    uint32_t *tag = TAGS(b);
    uint16_t *slot = SLOTS(b);
    struct ww_wbuf_entry *e = ENTRIES(b);
    uint32_t to = 0;
    for (uint32_t word = 0; word < b->words; word++) {
        for (uint64_t left = LIVE(b)[word]; left != 0; left &= left - 1) {
            const uint32_t from = word * 64 + lowest(left);
            key[to] = key[from];
            tag[to] = tag[from];
            slot[to] = slot[from];
            e[slot[to]].pos = (uint16_t)to;
            to++;
        }
    }
    memset(key + to, 0xff, (b->positions - to) * sizeof *key);
    memset(tag + to, 0xff, (b->positions - to) * sizeof *tag);
    memset(slot + to, 0, (b->positions - to) * sizeof *slot);
    memset(LIVE(b), 0, b->words * sizeof(uint64_t));
    memset(READY(b), 0, b->words * sizeof(uint64_t));
    for (uint32_t pos = 0; pos < to; pos++) {
        LIVE(b)[pos / 64] |= bit(pos);
        READY(b)[pos / 64] |= ww_wbuf_cl(&e[slot[pos]]) ? 0 : bit(pos);
    }
    b->tail = to;
}

uint32_t ww_wbuf_insert(struct ww_wbuf *b, const struct ww_wbuf_job *job)
{
    WW_ASSERT(job->va >> WW_WALK_VA_BITS_MAX == 0);
    if (b->count == b->entries)
        return WW_WBUF_NONE;
    if (b->tail == b->positions)
        squeeze(b);
    const uint32_t slot = b->free_idx;
    const uint32_t pos = b->tail++;
    struct ww_wbuf_entry *e = ENTRIES(b);
    b->free_idx = e[slot].next_idx;
    e[slot].word = job->va >> WW_PAGE_4K | WW_WBUF_VALID | (uint64_t)job->vmid << 48;
    e[slot].req = job->req;
    e[slot].instr = job->instr;
    e[slot].cu = job->cu;
    e[slot].table = job->table;
    e[slot].seq = b->next_seq++;
    e[slot].cl_stamp = b->stamp;
    e[slot].pos = (uint16_t)pos;

    const uint64_t key = key_of(b, job->va, job->vmid);
    KEYS(b)[pos] = key;
    TAGS(b)[pos] = tag_of(b, job->va, job->vmid);
    SLOTS(b)[pos] = (uint16_t)slot;
    LIVE(b)[pos / 64] |= bit(pos);
    READY(b)[pos / 64] |= bit(pos);
    b->count++;

    struct bucket *chain = &BUCKETS(b)[bucket_of(b, key)];
    e[slot].next_idx = NIL;
    e[slot].prev_idx = chain->tail_idx;
    if (chain->tail_idx == NIL)
        chain->head_idx = (uint16_t)slot;
    else
        e[chain->tail_idx].next_idx = (uint16_t)slot;
    chain->tail_idx = (uint16_t)slot;
    return slot;
}

void ww_wbuf_remove(struct ww_wbuf *b, uint32_t slot)
{
    struct ww_wbuf_entry *e = ENTRIES(b);
    WW_ASSERT(slot < b->entries && e[slot].pos != NIL);
    const uint32_t pos = e[slot].pos;
    struct bucket *chain = &BUCKETS(b)[bucket_of(b, KEYS(b)[pos])];
    if (e[slot].prev_idx == NIL)
        chain->head_idx = e[slot].next_idx;
    else
        e[e[slot].prev_idx].next_idx = e[slot].next_idx;
    if (e[slot].next_idx == NIL)
        chain->tail_idx = e[slot].prev_idx;
    else
        e[e[slot].next_idx].prev_idx = e[slot].prev_idx;

    KEYS(b)[pos] = NO_KEY;
    TAGS(b)[pos] = NO_TAG;
    SLOTS(b)[pos] = 0;
    LIVE(b)[pos / 64] &= ~bit(pos);
    READY(b)[pos / 64] &= ~bit(pos);
    b->cl_count -= ww_wbuf_cl(&e[slot]);
    b->count--;
    if (b->count == 0)
        b->tail = 0;

    memset(&e[slot], 0, sizeof e[slot]);
    e[slot].pos = NIL;
    e[slot].next_idx = (uint16_t)b->free_idx;
    b->free_idx = slot;
}

/* Slot of the first position at or after `from` that is in the bit set. */
static uint32_t first_from(const struct ww_wbuf *b, const uint64_t *set, uint32_t from)
{
    uint64_t mask = ~(bit(from) - 1);
    for (uint32_t word = from / 64; word < b->words; word++, mask = UINT64_MAX) {
        const uint64_t left = set[word] & mask;
        if (left != 0)
            return CONST_SLOTS(b)[word * 64 + lowest(left)];
    }
    return WW_WBUF_NONE;
}

uint32_t ww_wbuf_oldest(const struct ww_wbuf *b)
{
    return first_from(b, CONST_LIVE(b), 0);
}

uint32_t ww_wbuf_younger(const struct ww_wbuf *b, uint32_t slot)
{
    return first_from(b, CONST_LIVE(b), ww_wbuf_at(b, slot)->pos + 1u);
}

uint32_t ww_wbuf_youngest(const struct ww_wbuf *b)
{
    const uint64_t *live = CONST_LIVE(b);
    for (uint32_t w = b->words; w-- > 0;)
        if (live[w] != 0)
            return CONST_SLOTS(b)[w * 64 + 63 - (uint32_t)__builtin_clzll(live[w])];
    return WW_WBUF_NONE;
}

uint32_t ww_wbuf_oldest_ready(const struct ww_wbuf *b)
{
    return first_from(b, CONST_READY(b), 0);
}

uint32_t ww_wbuf_younger_ready(const struct ww_wbuf *b, uint32_t slot)
{
    return first_from(b, CONST_READY(b), ww_wbuf_at(b, slot)->pos + 1u);
}

/* Bit j, of 32: tag[j] and probe agree above bit `shift`. The weights make it a loop for vector registers. */
static uint32_t tag_half(const uint32_t *tag, uint32_t probe, uint32_t shift)
{
    static const uint32_t weight[32] = {
        1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
        1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
        1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
        1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
    };
    uint32_t half = 0;
    for (uint32_t j = 0; j < 32; j++)
        half |= (0u - (uint32_t)(((tag[j] ^ probe) >> shift) == 0)) & weight[j];
    return half;
}

/* Entries of a neighbourhood larger than the smallest among the positions of one word. */
static uint64_t match_word(const struct ww_wbuf *b, uint32_t word, uint64_t key, uint32_t tag, uint32_t shift)
{
    uint64_t found = CONST_LIVE(b)[word];
    if (found == 0)
        return 0;
    const uint32_t tag_at = shift - b->tag_shift, key_at = shift - b->key_shift;
    const uint32_t *tag_array = CONST_TAGS(b) + (size_t)word * 64;
    if (tag_at < TAG_BITS) /* else a tag says nothing of neighbourhoods that large */
        found &= tag_half(tag_array, tag, tag_at) | (uint64_t)tag_half(tag_array + 32, tag, tag_at) << 32;
    const uint64_t *key_array = CONST_KEYS(b) + (size_t)word * 64;
    for (uint64_t left = found; left != 0; left &= left - 1) {
        if ((key_array[lowest(left)] ^ key) >> key_at != 0)
            found &= ~(left & (0 - left));
    }
    return found;
}

/* The chain's first entry with this key, from `slot` on. */
static uint32_t chain_from(const struct ww_wbuf *b, uint32_t slot, uint64_t key)
{
    const struct ww_wbuf_entry *e = CONST_ENTRIES(b);
    while (slot != NIL && CONST_KEYS(b)[e[slot].pos] != key)
        slot = e[slot].next_idx;
    return slot == NIL ? WW_WBUF_NONE : slot;
}

uint32_t ww_wbuf_first_near(const struct ww_wbuf *b, uint64_t va, uint16_t vmid)
{
    const uint64_t key = key_of(b, va, vmid);
    return chain_from(b, CONST_BUCKETS(b)[bucket_of(b, key)].head_idx, key);
}

uint32_t ww_wbuf_next_near(const struct ww_wbuf *b, uint32_t slot)
{
    const struct ww_wbuf_entry *e = ww_wbuf_at(b, slot);
    return chain_from(b, e->next_idx, CONST_KEYS(b)[e->pos]);
}

void ww_wbuf_match(const struct ww_wbuf *b, uint64_t va, uint16_t vmid, uint32_t shift,
                   struct ww_wbuf_set *set)
{
    WW_ASSERT(shift == b->key_shift || (shift >= b->tag_shift && shift <= WW_WALK_VA_BITS_MAX));
    const uint64_t key = key_of(b, va, vmid);
    const uint32_t tag = tag_of(b, va, vmid);
    if (shift != b->key_shift) {
        for (uint32_t word = 0; word < b->words; word++)
            set->word[word] = match_word(b, word, key, tag, shift);
        return;
    }
    memset(set->word, 0, b->words * sizeof(uint64_t));
    uint32_t slot = ww_wbuf_first_near(b, va, vmid);
    while (slot != WW_WBUF_NONE) {
        const struct ww_wbuf_entry *e = &CONST_ENTRIES(b)[slot];
        set->word[e->pos / 64] |= bit(e->pos);
        slot = chain_from(b, e->next_idx, key);
    }
}

/* A walk that an entry on its path led somewhere. */
static bool partial(const struct ww_wbuf *b, uint64_t walk)
{
    return ww_walk_act(walk) == WW_WALK_READ && ww_walk_step(walk) - 1 < b->steps &&
           ww_walk_from(walk) - 1 < b->steps;
}

void ww_wbuf_set_partial(struct ww_wbuf *b, uint32_t slot, uint64_t walk)
{
    struct ww_wbuf_entry *e = &ENTRIES(b)[slot];
    WW_ASSERT(slot < b->entries && e->pos != NIL && partial(b, walk));
    e->walk = walk;
}

/* The entry's CL changes. */
static void flip_cl(struct ww_wbuf *b, struct ww_wbuf_entry *e)
{
    if (ww_wbuf_cl(e)) {
        e->held += b->stamp - e->cl_stamp;
        b->cl_count--;
    } else {
        b->cl_count++;
    }
    e->word ^= WW_WBUF_CL;
    e->cl_stamp = b->stamp;
    READY(b)[e->pos / 64] ^= bit(e->pos);
}

void ww_wbuf_set_cl(struct ww_wbuf *b, uint32_t slot, bool cl)
{
    struct ww_wbuf_entry *e = &ENTRIES(b)[slot];
    WW_ASSERT(slot < b->entries && e->pos != NIL);
    if (ww_wbuf_cl(e) != cl)
        flip_cl(b, e);
}

void ww_wbuf_set_cl_all(struct ww_wbuf *b, const struct ww_wbuf_set *set, bool cl)
{
    for (uint32_t word = 0; word < b->words; word++) {
        const uint64_t have = cl ? READY(b)[word] : LIVE(b)[word] & ~READY(b)[word];
        for (uint64_t left = set->word[word] & have; left != 0; left &= left - 1)
            flip_cl(b, &ENTRIES(b)[SLOTS(b)[word * 64 + lowest(left)]]);
    }
}

uint64_t ww_wbuf_held(const struct ww_wbuf *b, uint32_t slot)
{
    const struct ww_wbuf_entry *e = ww_wbuf_at(b, slot);
    return e->held + (ww_wbuf_cl(e) ? b->stamp - e->cl_stamp : 0);
}

/* One live position against its entry and its index. */
static const char *check_position(const struct ww_wbuf *b, uint32_t pos)
{
    const uint32_t slot = CONST_SLOTS(b)[pos];
    if (pos >= b->tail || slot >= b->entries)
        return "a live position lies behind the tail or names no slot";
    const struct ww_wbuf_entry *e = &CONST_ENTRIES(b)[slot];
    if (e->pos != pos || e->seq >= b->next_seq || (e->word & WW_WBUF_VALID) == 0)
        return "an entry and its position disagree";
    if (CONST_KEYS(b)[pos] != key_of(b, ww_wbuf_va(e), ww_wbuf_vmid(e)) ||
        CONST_TAGS(b)[pos] != tag_of(b, ww_wbuf_va(e), ww_wbuf_vmid(e)))
        return "a position's key or tag is not its entry's";
    if (ww_wbuf_cl(e) == ((CONST_READY(b)[pos / 64] & bit(pos)) != 0))
        return "an entry is ready with CL set, or not ready with CL clear";
    if (e->walk != 0 && !partial(b, e->walk))
        return "PL and PA are no walk that an entry led somewhere";
    return NULL;
}

/* Every chain holds its keys, oldest first, with links that agree; all of them together hold every entry. */
static const char *check_chains(const struct ww_wbuf *b)
{
    const struct ww_wbuf_entry *e = CONST_ENTRIES(b);
    const uint32_t bucket_count = UINT32_C(1) << (64 - b->bucket_shift);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < bucket_count; i++) {
        uint16_t prev = NIL;
        for (uint16_t at = CONST_BUCKETS(b)[i].head_idx; at != NIL; at = e[at].next_idx) {
            if (at >= b->entries || e[at].pos == NIL || e[at].prev_idx != prev)
                return "a hash chain is broken";
            if (bucket_of(b, key_of(b, ww_wbuf_va(&e[at]), ww_wbuf_vmid(&e[at]))) != i)
                return "an entry is in a chain that is not its own";
            if (prev != NIL && e[prev].seq >= e[at].seq)
                return "a chain is not in order of age";
            prev = at;
            seen++;
        }
        if (CONST_BUCKETS(b)[i].tail_idx != prev)
            return "a chain's tail is not its last entry";
    }
    return seen == b->count ? NULL : "an entry is in no chain";
}

const char *ww_wbuf_check(const struct ww_wbuf *b)
{
    uint32_t count = 0, cl_count = 0, free_count = 0;
    const struct ww_wbuf_entry *older = NULL;
    for (uint32_t pos = 0; pos < b->positions; pos++) {
        if ((CONST_LIVE(b)[pos / 64] & bit(pos)) == 0) {
            if ((CONST_READY(b)[pos / 64] & bit(pos)) != 0)
                return "a dead position is ready";
            continue;
        }
        const char *broken = check_position(b, pos);
        if (broken != NULL)
            return broken;
        const struct ww_wbuf_entry *e = &CONST_ENTRIES(b)[CONST_SLOTS(b)[pos]];
        if (older != NULL && older->seq >= e->seq)
            return "positions are not in order of age";
        older = e;
        count++;
        cl_count += ww_wbuf_cl(e);
    }
    if (count != b->count || cl_count != b->cl_count)
        return "a count is not the number of entries";
    for (uint32_t slot = b->free_idx; slot != NIL && free_count <= b->entries;
         slot = CONST_ENTRIES(b)[slot].next_idx)
        free_count += CONST_ENTRIES(b)[slot].pos == NIL && CONST_ENTRIES(b)[slot].word == 0;
    if (count + free_count != b->entries)
        return "a slot is neither free nor in use";
    return check_chains(b);
}

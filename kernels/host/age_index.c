/* SPDX-License-Identifier: MIT */
/* kernels/host/age_index.c - see age_index.h. Arrays from `at` on: keys, tags and slots of positions, live
 * and ready bits, hash buckets, links of slots. */
#include "kernels/host/age_index.h"

#include <string.h>

#include "kernels/bits.h"

#define NIL WW_AGES_NIL
#define NO_KEY UINT64_MAX
#define NO_TAG UINT32_MAX
#define TAG_BITS 32u
#define TAG_VM_SHIFT 24u /* XORs the VM into the bits in which the fewest addresses differ */

WW_STATIC_ASSERT(WW_AGES_MAX_ENTRIES * 3 / 2 < NIL, "positions fit 16 bits");

struct bucket {
    uint16_t head_idx, tail_idx;
};

#define ARRAY(type, a, base, name) ((type *)(void *)((unsigned char *)(base) + (a)->name##_at))
#define CONST_ARRAY(type, a, base, name)                                                                     \
    ((const type *)(const void *)((const unsigned char *)(base) + (a)->name##_at))

#define KEYS(a, base) ARRAY(uint64_t, a, base, key)
#define TAGS(a, base) ARRAY(uint32_t, a, base, tag)
#define SLOTS(a, base) ARRAY(uint16_t, a, base, slot)
#define LIVE(a, base) ARRAY(uint64_t, a, base, live)
#define READY(a, base) ARRAY(uint64_t, a, base, ready)
#define BUCKETS(a, base) ARRAY(struct bucket, a, base, bucket)
#define LINKS(a, base) ARRAY(struct ww_ages_link, a, base, link)
#define CONST_KEYS(a, base) CONST_ARRAY(uint64_t, a, base, key)
#define CONST_TAGS(a, base) CONST_ARRAY(uint32_t, a, base, tag)
#define CONST_SLOTS(a, base) CONST_ARRAY(uint16_t, a, base, slot)
#define CONST_LIVE(a, base) CONST_ARRAY(uint64_t, a, base, live)
#define CONST_BUCKETS(a, base) CONST_ARRAY(struct bucket, a, base, bucket)
#define CONST_LINKS(a, base) CONST_ARRAY(struct ww_ages_link, a, base, link)

static uint64_t key_of(const struct ww_ages *a, uint64_t va, uint16_t vmid)
{
    return (uint64_t)vmid << (a->va_bits - a->key_shift) | va >> a->key_shift;
}

/* Addresses of one VM that are equal from bit `shift` up, shift >= tag_shift, have tags that are equal from
 * bit shift - tag_shift up. */
static uint32_t tag_of(const struct ww_ages *a, uint64_t va, uint16_t vmid)
{
    return (uint32_t)(va >> a->tag_shift) ^ ((uint32_t)vmid << TAG_VM_SHIFT);
}

static uint32_t bucket_of(const struct ww_ages *a, uint64_t key)
{
    return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> a->bucket_shift);
}

static uint32_t lowest(uint64_t word)
{
    return (uint32_t)__builtin_ctzll(word);
}

static uint64_t bit(uint32_t position)
{
    return UINT64_C(1) << (position % 64);
}

size_t ww_ages_plan(struct ww_ages *a, uint32_t entries, uint8_t va_bits, uint8_t key_shift,
                    uint8_t tag_shift, size_t at)
{
    memset(a, 0, sizeof *a);
    a->entries = entries;
    a->va_bits = va_bits;
    a->key_shift = key_shift;
    a->tag_shift = tag_shift;
    a->words = (entries + entries / 2 + 63) / 64;
    a->positions = a->words * 64;
    const uint32_t bucket_bits = ww_log2_u64(entries) + 2; /* at least two buckets per entry */
    a->bucket_shift = 64 - bucket_bits;
    at = ww_align64(at);
    a->key_at = (uint32_t)at;
    at += ww_align64(a->positions * sizeof(uint64_t));
    a->tag_at = (uint32_t)at;
    at += ww_align64(a->positions * sizeof(uint32_t));
    a->slot_at = (uint32_t)at;
    at += ww_align64(a->positions * sizeof(uint16_t));
    a->live_at = (uint32_t)at;
    at += ww_align64(a->words * sizeof(uint64_t));
    a->ready_at = (uint32_t)at;
    at += ww_align64(a->words * sizeof(uint64_t));
    a->bucket_at = (uint32_t)at;
    at += ww_align64(((size_t)1 << bucket_bits) * sizeof(struct bucket));
    a->link_at = (uint32_t)at;
    return at + ww_align64(entries * sizeof(struct ww_ages_link));
}

void ww_ages_init(struct ww_ages *a, void *base)
{
    memset(KEYS(a, base), 0xff, a->slot_at - a->key_at); /* NO_KEY, NO_TAG */
    memset(BUCKETS(a, base), 0xff, a->link_at - a->bucket_at);
    for (uint32_t slot = 0; slot < a->entries; slot++)
        LINKS(a, base)[slot] = (struct ww_ages_link){(uint16_t)(slot + 1), 0, NIL};
    LINKS(a, base)[a->entries - 1].next_idx = NIL;
}

/* Compacts the live positions; keeps their order. */
static void squeeze(struct ww_ages *a, void *base)
{
    uint64_t *key = KEYS(a, base), *live = LIVE(a, base), *ready = READY(a, base);
    uint32_t *tag = TAGS(a, base);
    uint16_t *slot = SLOTS(a, base);
    uint32_t to = 0;
    for (uint32_t word = 0; word < a->words; word++) {
        const uint64_t was_ready = ready[word];
        uint64_t left = live[word];
        live[word] = 0; /* positions move only to words already read */
        ready[word] = 0;
        for (; left != 0; left &= left - 1) {
            const uint32_t from = word * 64 + lowest(left);
            key[to] = key[from];
            tag[to] = tag[from];
            slot[to] = slot[from];
            LINKS(a, base)[slot[to]].pos = (uint16_t)to;
            live[to / 64] |= bit(to);
            ready[to / 64] |= (was_ready & bit(from)) != 0 ? bit(to) : 0;
            to++;
        }
    }
    memset(key + to, 0xff, (a->positions - to) * sizeof *key);
    memset(tag + to, 0xff, (a->positions - to) * sizeof *tag);
    memset(slot + to, 0, (a->positions - to) * sizeof *slot);
    a->tail = to;
}

uint32_t ww_ages_insert(struct ww_ages *a, void *base, uint64_t va, uint16_t vmid)
{
    WW_ASSERT(a->count < a->entries);
    if (a->tail == a->positions)
        squeeze(a, base);
    struct ww_ages_link *link = LINKS(a, base);
    const uint32_t slot = a->free_idx;
    const uint32_t pos = a->tail++;
    const uint64_t key = key_of(a, va, vmid);
    a->free_idx = link[slot].next_idx;
    a->count++;
    KEYS(a, base)[pos] = key;
    TAGS(a, base)[pos] = tag_of(a, va, vmid);
    SLOTS(a, base)[pos] = (uint16_t)slot;
    LIVE(a, base)[pos / 64] |= bit(pos);
    READY(a, base)[pos / 64] |= bit(pos);

    struct bucket *chain = &BUCKETS(a, base)[bucket_of(a, key)];
    link[slot] = (struct ww_ages_link){NIL, chain->tail_idx, (uint16_t)pos};
    if (chain->tail_idx == NIL)
        chain->head_idx = (uint16_t)slot;
    else
        link[chain->tail_idx].next_idx = (uint16_t)slot;
    chain->tail_idx = (uint16_t)slot;
    return slot;
}

void ww_ages_remove(struct ww_ages *a, void *base, uint32_t slot)
{
    struct ww_ages_link *link = LINKS(a, base);
    const struct ww_ages_link was = link[slot];
    struct bucket *chain = &BUCKETS(a, base)[bucket_of(a, KEYS(a, base)[was.pos])];
    if (was.prev_idx == NIL)
        chain->head_idx = was.next_idx;
    else
        link[was.prev_idx].next_idx = was.next_idx;
    if (was.next_idx == NIL)
        chain->tail_idx = was.prev_idx;
    else
        link[was.next_idx].prev_idx = was.prev_idx;

    KEYS(a, base)[was.pos] = NO_KEY;
    TAGS(a, base)[was.pos] = NO_TAG;
    SLOTS(a, base)[was.pos] = 0;
    LIVE(a, base)[was.pos / 64] &= ~bit(was.pos);
    READY(a, base)[was.pos / 64] &= ~bit(was.pos);
    a->count--;
    if (a->count == 0)
        a->tail = 0;
    link[slot] = (struct ww_ages_link){(uint16_t)a->free_idx, 0, NIL};
    a->free_idx = slot;
}

void ww_ages_flip_ready(struct ww_ages *a, void *base, uint32_t slot)
{
    const uint32_t pos = LINKS(a, base)[slot].pos;
    READY(a, base)[pos / 64] ^= bit(pos);
}

/* Returns the slot of the first position from `from` on in the bit set, or WW_AGES_NONE. */
static uint32_t first_from(const struct ww_ages *a, const void *base, const uint64_t *set, uint32_t from)
{
    uint64_t mask = ~(bit(from) - 1);
    for (uint32_t word = from / 64; word < a->words; word++, mask = UINT64_MAX) {
        const uint64_t left = set[word] & mask;
        if (left != 0)
            return CONST_SLOTS(a, base)[word * 64 + lowest(left)];
    }
    return WW_AGES_NONE;
}

uint32_t ww_ages_oldest(const struct ww_ages *a, const void *base)
{
    return first_from(a, base, CONST_LIVE(a, base), 0);
}

uint32_t ww_ages_younger(const struct ww_ages *a, const void *base, uint32_t slot)
{
    return first_from(a, base, CONST_LIVE(a, base), CONST_LINKS(a, base)[slot].pos + 1u);
}

uint32_t ww_ages_youngest(const struct ww_ages *a, const void *base)
{
    const uint64_t *live = CONST_LIVE(a, base);
    for (uint32_t w = a->words; w-- > 0;)
        if (live[w] != 0)
            return CONST_SLOTS(a, base)[w * 64 + 63 - (uint32_t)__builtin_clzll(live[w])];
    return WW_AGES_NONE;
}

uint32_t ww_ages_oldest_ready(const struct ww_ages *a, const void *base)
{
    return first_from(a, base, ww_ages_ready(a, base), 0);
}

uint32_t ww_ages_younger_ready(const struct ww_ages *a, const void *base, uint32_t slot)
{
    return first_from(a, base, ww_ages_ready(a, base), CONST_LINKS(a, base)[slot].pos + 1u);
}

/* Returns 32 bits; bit j is set if tag[j] and probe are equal from bit `shift` up. The weights let the
 * compiler vectorise the loop. */
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

/* Returns a bit for each position of a word: its entry and `key` are equal from bit `shift` of the address
 * up, in a neighbourhood larger than the smallest. */
static uint64_t match_word(const struct ww_ages *a, const void *base, uint32_t word, uint64_t key,
                           uint32_t tag, uint32_t shift)
{
    uint64_t found = CONST_LIVE(a, base)[word];
    if (found == 0)
        return 0;
    const uint32_t tag_at = shift - a->tag_shift, key_at = shift - a->key_shift;
    const uint32_t *tag_array = CONST_TAGS(a, base) + (size_t)word * 64;
    if (tag_at < TAG_BITS) /* else the shift leaves no bit of a tag */
        found &= tag_half(tag_array, tag, tag_at) | (uint64_t)tag_half(tag_array + 32, tag, tag_at) << 32;
    const uint64_t *key_array = CONST_KEYS(a, base) + (size_t)word * 64;
    for (uint64_t left = found; left != 0; left &= left - 1) {
        if ((key_array[lowest(left)] ^ key) >> key_at != 0)
            found &= ~(left & (0 - left));
    }
    return found;
}

/* Returns the chain's first entry with this key from `slot` on, or WW_AGES_NONE. */
static uint32_t chain_from(const struct ww_ages *a, const void *base, uint32_t slot, uint64_t key)
{
    const struct ww_ages_link *link = CONST_LINKS(a, base);
    while (slot != NIL && CONST_KEYS(a, base)[link[slot].pos] != key)
        slot = link[slot].next_idx;
    return slot == NIL ? WW_AGES_NONE : slot;
}

uint32_t ww_ages_first_near(const struct ww_ages *a, const void *base, uint64_t va, uint16_t vmid)
{
    const uint64_t key = key_of(a, va, vmid);
    return chain_from(a, base, CONST_BUCKETS(a, base)[bucket_of(a, key)].head_idx, key);
}

uint32_t ww_ages_next_near(const struct ww_ages *a, const void *base, uint32_t slot)
{
    const struct ww_ages_link *link = &CONST_LINKS(a, base)[slot];
    return chain_from(a, base, link->next_idx, CONST_KEYS(a, base)[link->pos]);
}

void ww_ages_match(const struct ww_ages *a, const void *base, uint64_t va, uint16_t vmid, uint32_t shift,
                   struct ww_ages_set *set)
{
    WW_ASSERT(shift == a->key_shift || (shift >= a->tag_shift && shift <= a->va_bits));
    const uint64_t key = key_of(a, va, vmid);
    const uint32_t tag = tag_of(a, va, vmid);
    if (shift != a->key_shift) {
        for (uint32_t word = 0; word < a->words; word++)
            set->word[word] = match_word(a, base, word, key, tag, shift);
        return;
    }
    memset(set->word, 0, a->words * sizeof(uint64_t));
    uint32_t slot = ww_ages_first_near(a, base, va, vmid);
    while (slot != WW_AGES_NONE) {
        const struct ww_ages_link *link = &CONST_LINKS(a, base)[slot];
        set->word[link->pos / 64] |= bit(link->pos);
        slot = chain_from(a, base, link->next_idx, key);
    }
}

bool ww_ages_agrees(const struct ww_ages *a, const void *base, uint32_t pos, uint64_t va, uint16_t vmid)
{
    return CONST_KEYS(a, base)[pos] == key_of(a, va, vmid) && CONST_TAGS(a, base)[pos] == tag_of(a, va, vmid);
}

/* Checks that live positions and slots match one to one. */
static const char *check_positions(const struct ww_ages *a, const void *base)
{
    uint32_t count = 0;
    for (uint32_t pos = 0; pos < a->positions; pos++) {
        if ((CONST_LIVE(a, base)[pos / 64] & bit(pos)) == 0) {
            if ((ww_ages_ready(a, base)[pos / 64] & bit(pos)) != 0)
                return "a dead position is ready";
            continue;
        }
        const uint32_t slot = CONST_SLOTS(a, base)[pos];
        if (pos >= a->tail || slot >= a->entries)
            return "a live position lies behind the tail or names no slot";
        if (CONST_LINKS(a, base)[slot].pos != pos)
            return "an entry and its position disagree";
        count++;
    }
    return count == a->count ? NULL : "a count is not the number of entries";
}

/* Checks that every chain holds its keys, oldest first, with consistent links, and that the chains together
 * hold every entry. */
static const char *check_chains(const struct ww_ages *a, const void *base)
{
    const struct ww_ages_link *link = CONST_LINKS(a, base);
    const uint32_t bucket_count = UINT32_C(1) << (64 - a->bucket_shift);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < bucket_count; i++) {
        uint16_t prev = NIL;
        for (uint16_t at = CONST_BUCKETS(a, base)[i].head_idx; at != NIL; at = link[at].next_idx) {
            if (at >= a->entries || link[at].pos == NIL || link[at].prev_idx != prev)
                return "a hash chain is broken";
            if (bucket_of(a, CONST_KEYS(a, base)[link[at].pos]) != i)
                return "an entry is in a chain that is not its own";
            if (prev != NIL && link[prev].pos >= link[at].pos)
                return "a chain is not in order of age";
            prev = at;
            seen++;
        }
        if (CONST_BUCKETS(a, base)[i].tail_idx != prev)
            return "a chain's tail is not its last entry";
    }
    return seen == a->count ? NULL : "an entry is in no chain";
}

const char *ww_ages_check(const struct ww_ages *a, const void *base)
{
    uint32_t free_count = 0;
    const char *broken = check_positions(a, base);
    if (broken != NULL)
        return broken;
    for (uint32_t slot = a->free_idx; slot != NIL && free_count <= a->entries; free_count++) {
        if (CONST_LINKS(a, base)[slot].pos != NIL)
            return "a slot is neither free nor in use";
        slot = CONST_LINKS(a, base)[slot].next_idx;
    }
    if (a->count + free_count != a->entries)
        return "a slot is neither free nor in use";
    return check_chains(a, base);
}

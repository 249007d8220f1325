/* SPDX-License-Identifier: MIT */
/* kernels/walk/fault_table.c - see fault_table.h. Faults are rare and tables are small, so every search reads
 * all words, as the hardware's does. Time: none. Allocation: none. */
#include "kernels/walk/fault_table.h"

#include <string.h>

#define KEY (WW_FAULT_VPN | WW_FAULT_VMID)
#define WORDS(t) ((uint64_t *)(void *)((unsigned char *)(t) + (t)->word_at))
#define SEQS(t) ((uint64_t *)(void *)((unsigned char *)(t) + (t)->seq_at))
#define REQS(t) ((uint32_t *)(void *)((unsigned char *)(t) + (t)->req_at))
#define CONST_WORDS(t) ((const uint64_t *)(const void *)((const unsigned char *)(t) + (t)->word_at))
#define CONST_SEQS(t) ((const uint64_t *)(const void *)((const unsigned char *)(t) + (t)->seq_at))
#define CONST_REQS(t) ((const uint32_t *)(const void *)((const unsigned char *)(t) + (t)->req_at))

static uint64_t key_of(uint64_t va, uint16_t vmid)
{
    return ww_bits_put(WW_FAULT_VPN, (uint64_t)vmid << 48, va >> WW_FAULTS_PAGE_SHIFT);
}

static enum ww_fault_role role_of(uint64_t word)
{
    return (enum ww_fault_role)ww_bits_get(WW_FAULT_ROLE, word);
}

static void set_role(struct ww_faults *t, uint32_t slot, enum ww_fault_role role)
{
    uint64_t *word = &WORDS(t)[slot];
    t->count[role_of(*word)]--;
    t->count[role]++;
    *word = role == WW_FAULT_FREE ? 0 : ww_bits_put(WW_FAULT_ROLE, *word, role);
}

/* Returns the oldest entry in use that agrees with `want` in the bits of `mask`, or WW_FAULTS_NONE. */
static uint32_t oldest(const struct ww_faults *t, uint64_t mask, uint64_t want)
{
    const uint64_t *word = CONST_WORDS(t);
    const uint64_t *seq = CONST_SEQS(t);
    uint32_t found = WW_FAULTS_NONE;
    for (uint32_t slot = 0; slot < t->entries; slot++)
        if (word[slot] != 0 && ((word[slot] ^ want) & mask) == 0 &&
            (found == WW_FAULTS_NONE || seq[slot] < seq[found]))
            found = slot;
    return found;
}

static size_t layout(struct ww_faults *t, uint32_t entries)
{
    if (entries == 0 || entries > WW_FAULTS_MAX_ENTRIES)
        return 0;
    memset(t, 0, sizeof *t);
    t->entries = entries;
    t->count[WW_FAULT_FREE] = entries;
    size_t at = ww_align64(sizeof *t);
    t->word_at = (uint32_t)at;
    at += ww_align64(entries * sizeof(uint64_t));
    t->seq_at = (uint32_t)at;
    at += ww_align64(entries * sizeof(uint64_t));
    t->req_at = (uint32_t)at;
    return at + ww_align64(entries * sizeof(uint32_t));
}

size_t ww_faults_bytes(uint32_t entries)
{
    struct ww_faults t;
    return layout(&t, entries);
}

int ww_faults_init(struct ww_faults *t, size_t bytes, uint32_t entries)
{
    struct ww_faults head;
    const int fault = ww_clear(t, bytes, layout(&head, entries));
    if (fault != WW_OK)
        return fault;
    *t = head;
    return WW_OK;
}

uint32_t ww_faults_req(const struct ww_faults *t, uint32_t slot)
{
    WW_ASSERT(ww_faults_word(t, slot) != 0);
    return CONST_REQS(t)[slot];
}

uint32_t ww_faults_park(struct ww_faults *t, uint64_t va, uint16_t vmid, uint32_t req)
{
    WW_ASSERT(!ww_faults_full(t));
    const uint64_t key = key_of(va, vmid);
    const enum ww_fault_role role = oldest(t, KEY, key) == WW_FAULTS_NONE ? WW_FAULT_QUEUED : WW_FAULT_JOINED;
    uint32_t slot = 0;
    while (WORDS(t)[slot] != 0)
        slot++;
    WORDS(t)[slot] = key;
    SEQS(t)[slot] = t->next_seq++;
    REQS(t)[slot] = req;
    set_role(t, slot, role);
    return slot;
}

uint32_t ww_faults_oldest(const struct ww_faults *t, enum ww_fault_role role)
{
    WW_ASSERT(role != WW_FAULT_FREE);
    if (t->count[role] == 0)
        return WW_FAULTS_NONE;
    return oldest(t, WW_FAULT_ROLE, ww_bits_put(WW_FAULT_ROLE, 0, role));
}

uint32_t ww_faults_of(const struct ww_faults *t, uint64_t va, uint16_t vmid, uint32_t slot)
{
    const uint64_t key = key_of(va, vmid);
    while (++slot < t->entries) { /* WW_FAULTS_NONE + 1 wraps to 0 */
        const uint64_t word = CONST_WORDS(t)[slot];
        if (word != 0 && (word & KEY) == key)
            return slot;
    }
    return WW_FAULTS_NONE;
}

void ww_faults_sent(struct ww_faults *t, uint32_t slot)
{
    WW_ASSERT(ww_faults_role(t, slot) == WW_FAULT_QUEUED);
    set_role(t, slot, WW_FAULT_SENT);
}

void ww_faults_handled(struct ww_faults *t, uint32_t slot)
{
    WW_ASSERT(ww_faults_role(t, slot) == WW_FAULT_SENT);
    set_role(t, slot, WW_FAULT_READY);
}

uint32_t ww_faults_take(struct ww_faults *t, uint32_t slot)
{
    const uint64_t word = ww_faults_word(t, slot);
    WW_ASSERT(role_of(word) == WW_FAULT_READY);
    set_role(t, slot, WW_FAULT_FREE);
    const uint32_t next = oldest(t, KEY, word);
    if (next != WW_FAULTS_NONE)
        set_role(t, next, WW_FAULT_WALKING);
    return CONST_REQS(t)[slot];
}

static uint32_t walking(const struct ww_faults *t, uint64_t va, uint16_t vmid)
{
    return oldest(t, UINT64_MAX, ww_bits_put(WW_FAULT_ROLE, key_of(va, vmid), WW_FAULT_WALKING));
}

bool ww_faults_walking(const struct ww_faults *t, uint64_t va, uint16_t vmid)
{
    return walking(t, va, vmid) != WW_FAULTS_NONE;
}

void ww_faults_again(struct ww_faults *t, uint64_t va, uint16_t vmid)
{
    const uint32_t slot = walking(t, va, vmid);
    if (slot != WW_FAULTS_NONE)
        set_role(t, slot, WW_FAULT_QUEUED);
}

bool ww_faults_leave(struct ww_faults *t, uint64_t va, uint16_t vmid, uint32_t *req)
{
    const uint32_t slot = oldest(t, KEY, key_of(va, vmid));
    if (slot == WW_FAULTS_NONE)
        return false;
    *req = CONST_REQS(t)[slot];
    set_role(t, slot, WW_FAULT_FREE);
    return true;
}

uint64_t ww_faults_bits(uint32_t entries, uint32_t vpn_bits, uint32_t vmid_bits)
{
    const uint32_t age_bits = entries == 1 ? 0 : ww_log2_u64(entries - 1) + 1;
    return (uint64_t)entries *
           ((uint32_t)__builtin_popcountll(WW_FAULT_ROLE) + vpn_bits + vmid_bits + age_bits);
}

const char *ww_faults_check(const struct ww_faults *t)
{
    uint32_t count[WW_FAULT_ROLE_COUNT] = {0};
    for (uint32_t slot = 0; slot < t->entries; slot++) {
        const uint64_t word = CONST_WORDS(t)[slot];
        const enum ww_fault_role role = role_of(word);
        if (role >= WW_FAULT_ROLE_COUNT)
            return "an entry has no role";
        count[role]++;
        if (role == WW_FAULT_FREE) {
            if (word != 0)
                return "a free entry is not zero";
            continue;
        }
        if (CONST_SEQS(t)[slot] >= t->next_seq)
            return "an entry is younger than the next";
        uint32_t leads = 0;
        for (uint32_t other = 0; other < t->entries; other++) {
            const uint64_t its = CONST_WORDS(t)[other];
            leads += its != 0 && ((its ^ word) & KEY) == 0 && role_of(its) != WW_FAULT_JOINED;
        }
        if (leads != 1)
            return "a page is not led by one entry";
    }
    return memcmp(count, t->count, sizeof count) == 0 ? NULL : "the entries of a role are miscounted";
}

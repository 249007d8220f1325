/* SPDX-License-Identifier: MIT */
/* kernels/walk/fault_table.h - requests that wait until the fault of their page is handled: a walk unit parks
 * them here and frees its walker; a pager queues its requests here. docs/model/page-faults.md. An entry is a
 * request. The oldest of a page leads: it is handed on for handling, and its walk is repeated afterwards; the
 * others have joined it and end with it. The number of entries is the only bound. Searches are those of a CAM
 * over all entries; order is by age. Not modelled: ports and cycles of the search (left to the module). Time:
 * none. Allocation: none. One owner. */
#ifndef WW_KERNELS_FAULT_TABLE_H
#define WW_KERNELS_FAULT_TABLE_H

#include "kernels/base.h"
#include "kernels/bits.h"

WW_BEGIN_DECLS

#define WW_FAULTS_NONE UINT32_MAX
#define WW_FAULTS_MAX_ENTRIES 4096u
#define WW_FAULTS_PAGE_SHIFT 12u /* faults are distinguished by 4 KiB page */

#define WW_FAULT_ROLE_LIST(X)                                                                                \
    X(FREE, "not in use")                                                                                    \
    X(JOINED, "waits with another request for the same page")                                                \
    X(QUEUED, "leads a page that has not been handed on")                                                    \
    X(SENT, "leads a page that is being handled")                                                            \
    X(READY, "leads a page that has been handled: its walk may be done again")                               \
    X(WALKING, "leads those that wait for the walk of the one that led before")
enum ww_fault_role {
#define X(name, text) WW_FAULT_##name,
    WW_FAULT_ROLE_LIST(X)
#undef X
        WW_FAULT_ROLE_COUNT
};

/* A word per entry; a free one's is 0. */
#define WW_FAULT_VPN WW_BITS64(44, 0)   /* [44:0] va >> 12 */
#define WW_FAULT_ROLE WW_BITS64(47, 45) /* [47:45] enum ww_fault_role */
#define WW_FAULT_VMID WW_BITS64(63, 48) /* [63:48] */

WW_STATIC_ASSERT((WW_FAULT_VPN | WW_FAULT_ROLE | WW_FAULT_VMID) == UINT64_MAX, "every bit is named");
WW_STATIC_ASSERT(WW_FAULT_VPN + WW_FAULT_ROLE + WW_FAULT_VMID == UINT64_MAX, "no bit is named twice");

/* Header of the blob; the arrays follow at the offsets. */
struct ww_faults {
    uint32_t entries;
    uint32_t word_at, req_at, seq_at;
    uint32_t count[WW_FAULT_ROLE_COUNT]; /* entries by role */
    uint32_t pad;
    uint64_t next_seq;
};

size_t ww_faults_bytes(uint32_t entries); /* 0 unless entries is 1..WW_FAULTS_MAX_ENTRIES */
int ww_faults_init(struct ww_faults *t, size_t bytes, uint32_t entries);

static inline uint32_t ww_faults_used(const struct ww_faults *t)
{
    return t->entries - t->count[WW_FAULT_FREE];
}
static inline bool ww_faults_full(const struct ww_faults *t)
{
    return t->count[WW_FAULT_FREE] == 0;
}
static inline uint64_t ww_faults_word(const struct ww_faults *t, uint32_t slot)
{
    WW_ASSERT(slot < t->entries);
    return ((const uint64_t *)(const void *)((const unsigned char *)t + t->word_at))[slot];
}
static inline enum ww_fault_role ww_faults_role(const struct ww_faults *t, uint32_t slot)
{
    return (enum ww_fault_role)ww_bits_get(WW_FAULT_ROLE, ww_faults_word(t, slot));
}
static inline uint64_t ww_faults_va(const struct ww_faults *t, uint32_t slot) /* of the 4 KiB page */
{
    return (ww_faults_word(t, slot) & WW_FAULT_VPN) << WW_FAULTS_PAGE_SHIFT;
}
static inline uint16_t ww_faults_vmid(const struct ww_faults *t, uint32_t slot)
{
    return (uint16_t)ww_bits_get(WW_FAULT_VMID, ww_faults_word(t, slot));
}
/* Returns the caller's name of the request. Required (asserted): the slot is in use. */
uint32_t ww_faults_req(const struct ww_faults *t, uint32_t slot);

/* Parks a request and returns its slot. It joins (JOINED) if its page is here, else it leads (QUEUED).
 * Required: the table is not full. */
uint32_t ww_faults_park(struct ww_faults *t, uint64_t va, uint16_t vmid, uint32_t req);
/* Returns the oldest entry in this role (not FREE), or WW_FAULTS_NONE. */
uint32_t ww_faults_oldest(const struct ww_faults *t, enum ww_fault_role role);
/* Returns the next parked request of a page after `slot` (WW_FAULTS_NONE: the first), by slot and not by age,
 * or WW_FAULTS_NONE. */
uint32_t ww_faults_of(const struct ww_faults *t, uint64_t va, uint16_t vmid, uint32_t slot);

/* Change an entry from QUEUED to SENT, and from SENT to READY. Required (asserted): it is in the first of
 * these roles. */
void ww_faults_sent(struct ww_faults *t, uint32_t slot);
void ww_faults_handled(struct ww_faults *t, uint32_t slot);
/* Removes the request of a READY entry, to walk again, and returns it. The oldest of those that joined it
 * leads (WALKING). */
uint32_t ww_faults_take(struct ww_faults *t, uint32_t slot);
/* True if requests of this page wait for a walk. */
bool ww_faults_walking(const struct ww_faults *t, uint64_t va, uint16_t vmid);
/* The walk that requests of this page wait for met an absent entry again: changes WALKING, if any, to
 * QUEUED. */
void ww_faults_again(struct ww_faults *t, uint64_t va, uint16_t vmid);
/* Removes the oldest request of a page that is completed and sets *req. Call until false: none is left. */
bool ww_faults_leave(struct ww_faults *t, uint64_t va, uint16_t vmid, uint32_t *req);

/* Returns the bits of state in hardware: role, page, VM-ID and place in the order of age of each entry. */
uint64_t ww_faults_bits(uint32_t entries, uint32_t vpn_bits, uint32_t vmid_bits);
const char *ww_faults_check(const struct ww_faults *t); /* NULL, or the first broken invariant */

WW_END_DECLS

#endif

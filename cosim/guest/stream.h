/* SPDX-License-Identifier: MIT */
/* guest/stream.h - the share of the plugin in an emulator and Walkway: a file, mapped by both, with a page of
 * counters and a ring of records. One writer (the thread of the virtual processor), one reader. What the
 * writer finds by itself, it counts here: every access is walked and compared in the emulator's callback,
 * since tables change later; records carry what must be in order: selected accesses with the entries of their
 * walk, roots, invalidations, disagreements. The reader trusts nothing: ww_guest_record_check(). */
#ifndef WW_GUEST_STREAM_H
#define WW_GUEST_STREAM_H

#include "kernels/base.h"
#include "kernels/bits.h"

WW_BEGIN_DECLS

#define WW_GUEST_MAGIC UINT64_C(0x32545345554757) /* "WGUEST2" */
#define WW_GUEST_HEAD_BYTES 4096u
#define WW_GUEST_RECORDS_MIN 64u
#define WW_GUEST_RECORDS_MAX (1u << 20)
#define WW_GUEST_LEVELS_MAX 5u
#define WW_GUEST_REASON_BYTES 256u

/* State of the emulator's side. */
enum ww_guest_state {
    WW_GUEST_EMPTY,   /* the plugin has not started */
    WW_GUEST_RUNNING, /* the plugin streams */
    WW_GUEST_HELD,  /* all requested accesses are sent: the guest is stopped after the last one, until stop */
    WW_GUEST_ENDED, /* the emulator ended normally */
    WW_GUEST_REFUSED, /* it cannot work with this emulator or guest: see reason */
};

/* Result of a walk of the guest's own table. */
#define WW_GUEST_WALK_LIST(X)                                                                                \
    X(PAGE, "a page")                                                                                        \
    X(ABSENT, "an entry is not present")                                                                     \
    X(MALFORMED, "an entry has reserved bits set")                                                           \
    X(OUTSIDE, "a table lies outside the guest's memory")                                                    \
    X(ADDRESS, "the address is not canonical")
enum ww_guest_walk {
#define X(name, text) WW_GUEST_WALK_##name,
    WW_GUEST_WALK_LIST(X)
#undef X
        WW_GUEST_WALK_COUNT
};

/* Counted by the plugin. Each of its accesses is in exactly one of the members after `accesses`. */
#define WW_GUEST_COUNT_LIST(X)                                                                               \
    X(accesses, "data accesses of the virtual processor")                                                    \
    X(unpaged, "while paging was off, or not that of 64-bit mode")                                           \
    X(devices, "to devices, not to memory")                                                                  \
    X(unknown, "whose physical address the emulator did not know any more")                                  \
    X(agreed, "whose walk led to the emulator's physical address")                                           \
    X(differed, "whose walk led to another address")                                                         \
    X(faulted, "whose walk led nowhere")
/* Further counts. */
#define WW_GUEST_EVENT_LIST(X)                                                                               \
    X(root_writes, "writes of CR3")                                                                          \
    X(root_changes, "of them with another value")                                                            \
    X(mode_writes, "writes of CR0, CR4 or a model-specific register")                                        \
    X(page_drops, "INVLPG of one page")                                                                      \
    X(whole_drops, "INVPCID, and INVLPG whose operand is relative to the program counter: all is dropped")   \
    X(sent, "records")                                                                                       \
    X(waits, "times that the ring was full")

struct ww_guest_counts {
#define X(name, text) uint64_t name;
    WW_GUEST_COUNT_LIST(X) WW_GUEST_EVENT_LIST(X)
#undef X
};

/* Each member has one writer; use only the functions below to read and write. */
struct ww_guest_share {
    /* Written by the reader before the emulator starts. */
    uint64_t magic;
    uint64_t records;    /* of the ring; a power of two */
    uint64_t ram_bytes;  /* of the guest's memory */
    uint64_t every;      /* while `select` is set, one access in `every` is sent; 0: none */
    uint64_t from, upto; /* only those with a number in this range, from 0; upto is exclusive */
    uint64_t without;    /* not sent: bit 0: INVLPG, bit 1: CR3 with its value, bit 2: CR4 */
    /* Written by the reader at any time. */
    uint64_t select, stop; /* stop: nothing is sent any more */
    uint64_t most;         /* most accesses to send; then the guest is held */
    /* Written by the plugin. */
    uint64_t state; /* enum ww_guest_state */
    char reason[WW_GUEST_REASON_BYTES];
    struct ww_guest_counts counts;
    uint64_t head __attribute__((aligned(64))); /* records written */
    uint64_t tail __attribute__((aligned(64))); /* records read */
};
WW_STATIC_ASSERT(sizeof(struct ww_guest_share) <= WW_GUEST_HEAD_BYTES, "the head of the share is a page");

enum ww_guest_kind {
    WW_GUEST_ACCESS = 1, /* va, pa of the emulator, the entries of its walk from the root on */
    WW_GUEST_ROOT,       /* va: CR3, pa: CR4, entry[0]: CR0, entry[1]: EFER; drops everything */
    WW_GUEST_DROP_PAGE,  /* va: an address in the page */
    WW_GUEST_DROP_ALL,
    WW_GUEST_DISAGREED, /* as ACCESS, but the walk leads elsewhere, or nowhere: OUTCOME */
};

#define WW_GUEST_KIND WW_BITS64(3, 0)      /* [3:0] enum ww_guest_kind */
#define WW_GUEST_SIZE WW_BITS64(7, 4)      /* [7:4] log2 of an access's bytes */
#define WW_GUEST_STORE WW_BITS64(8, 8)     /* [8] of an access */
#define WW_GUEST_ENTRIES WW_BITS64(11, 9)  /* [11:9] number of entries */
#define WW_GUEST_LEVELS WW_BITS64(14, 12)  /* [14:12] of the table */
#define WW_GUEST_OUTCOME WW_BITS64(18, 15) /* [18:15] enum ww_guest_walk */
#define WW_GUEST_USED WW_BITS64(18, 0)

struct ww_guest_record {
    uint64_t what;
    uint64_t va, pa;
    uint64_t entry[WW_GUEST_LEVELS_MAX];
};
WW_STATIC_ASSERT(sizeof(struct ww_guest_record) == 64, "a record is a line");

static inline uint64_t ww_guest_get(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline void ww_guest_set(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
/* Adds 1. Only for the one writer of the word. */
static inline void ww_guest_count(uint64_t *word)
{
    __atomic_store_n(word, __atomic_load_n(word, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

static inline size_t ww_guest_share_bytes(uint64_t records)
{
    return WW_GUEST_HEAD_BYTES + (size_t)records * sizeof(struct ww_guest_record);
}

/* Returns NULL, or names why a share of `bytes` bytes is illegal. */
const char *ww_guest_share_check(const struct ww_guest_share *s, uint64_t bytes);
/* Returns NULL, or names what no plugin writes into a record. */
const char *ww_guest_record_check(const struct ww_guest_record *r);

/* Writes a record. Returns false if the ring is full. */
bool ww_guest_push(struct ww_guest_share *s, const struct ww_guest_record *r);
/* Reads up to `most` records and returns how many; UINT64_MAX if the writer claims more than the ring
 * holds. */
uint64_t ww_guest_pop(struct ww_guest_share *s, struct ww_guest_record *to, uint64_t most);

WW_END_DECLS

#endif

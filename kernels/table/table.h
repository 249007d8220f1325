/* SPDX-License-Identifier: MIT */
/* kernels/table/table.h - a kind of page table: all that a walk, its coalescing, its caches and its scheduler
 * need of the format. A walk is a word, and its steps are pure functions of that word, the address, the
 * registers of the address space and a line of memory; so one line can advance many walks.
 * docs/model/page-table.md. A step is one read of an entry, or several that all walks of its line have in
 * common. Walks of one VM whose addresses are equal above shift[step] read the same line at that step (they
 * are neighbours there), and were neighbours at every step before it; but a walk that comes to a step because
 * it has not found its entry elsewhere is alone there, as its neighbours may have found theirs. Not modelled:
 * writes by the walk (accessed, dirty). Time: none. Allocation: none. */
#ifndef WW_KERNELS_TABLE_H
#define WW_KERNELS_TABLE_H

#include "kernels/addr.h"
#include "kernels/base.h"
#include "kernels/bits.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

#define WW_STEPS_MAX 7u         /* steps are numbered from 1; 0: none */
#define WW_WALK_VA_BITS_MAX 57u /* widest virtual address of any kind of table, in bits */
#define WW_TABLE_REGS 5u

/* False if the address is beyond every kind of table: stages of translation require that it is not. */
static inline bool ww_va_walkable(uint64_t va)
{
    return va >> WW_WALK_VA_BITS_MAX == 0;
}

/* The next action of a walk. A word of 0 is no walk: nothing is known. */
#define WW_WALK_ACT_LIST(X) X(NONE) X(READ) X(DONE) X(FAULT)
enum ww_walk_act {
#define X(name) WW_WALK_##name,
    WW_WALK_ACT_LIST(X)
#undef X
        WW_WALK_ACT_COUNT
};

/* Why a walk faulted. */
#define WW_WALK_WHY_LIST(X)                                                                                  \
    X(ABSENT, "an entry is not present")                                                                     \
    X(MALFORMED, "an entry or a register has a value that the format does not allow")                        \
    X(ADDRESS, "the address has bits that the table does not translate")                                     \
    X(SPACE, "the VM-ID has no page table")                                                                  \
    X(REFUSED, "memory answered a read with an error")                                                       \
    X(HOST, "an entry of the host's table is not present")                                                   \
    X(SPARSE, "an entry is sparse: nothing is mapped, and that is meant")
enum ww_walk_why {
#define X(name, text) WW_WHY_##name,
    WW_WALK_WHY_LIST(X)
#undef X
        WW_WHY_COUNT
};

/* The word of a walk, alike in a waiting request (PL and PA of [M18]), a walker and a page-walk cache. In a
 * walk that reads, a kind may use INFO, PA and SHIFT for other contents than a node: see its entry(). */
#define WW_WALK_STEP WW_BITS64(2, 0)    /* [2:0] READ: the step to read; else the one that ended the walk */
#define WW_WALK_FROM WW_BITS64(5, 3)    /* [5:3] the step whose entry led here; 0: the registers did */
#define WW_WALK_ACT WW_BITS64(7, 6)     /* [7:6] enum ww_walk_act */
#define WW_WALK_INFO WW_BITS64(11, 8)   /* [11:8] DONE: enum ww_perm bits; FAULT: enum ww_walk_why */
#define WW_WALK_PA WW_BITS64(51, 12)    /* [51:12] READ: the node to read; DONE: the page */
#define WW_WALK_SHIFT WW_BITS64(57, 52) /* [57:52] DONE: log2 of the page's bytes */
#define WW_WALK_OWN WW_BITS64(63, 58)   /* [63:58] READ: the kind's own; DONE: also, if the kind says so */

WW_STATIC_ASSERT((WW_WALK_STEP | WW_WALK_FROM | WW_WALK_ACT | WW_WALK_INFO | WW_WALK_PA | WW_WALK_SHIFT |
                  WW_WALK_OWN) == UINT64_MAX,
                 "every bit of a walk is named");
WW_STATIC_ASSERT(WW_WALK_STEP + WW_WALK_FROM + WW_WALK_ACT + WW_WALK_INFO + WW_WALK_PA + WW_WALK_SHIFT +
                         WW_WALK_OWN ==
                     UINT64_MAX,
                 "no bit of a walk is named twice");

/* Registers of an address space. Their contents depend on the kind: its start() documents them. */
struct ww_table_regs {
    uint64_t word[WW_TABLE_REGS];
};

/* An entry in memory; it never straddles a line. */
struct ww_walk_read {
    uint64_t pa;
    uint32_t bytes;
};

struct ww_table_kind {
    const char *name;
    uint8_t steps;    /* number of steps, numbered 1..steps in any order */
    uint8_t last;     /* the step at which walks of the smallest pages end without a fault */
    uint8_t va_bits;  /* address bits of the widest table of this kind */
    uint8_t own_bits; /* bits of the word in use besides those of WW_WALK_PA */
    uint8_t alone;    /* bit n: at step n walks share nothing with others */
    uint8_t direct;   /* step with a direct-mapped walk cache that holds a walk's word; 0: none */
    /* By step. */
    const char *step_name[WW_STEPS_MAX + 1];
    uint8_t reach[WW_STEPS_MAX + 1]; /* log2 of the bytes that one entry translates; at most va_bits */
    uint8_t shift[WW_STEPS_MAX + 1]; /* log2 of the bytes that one line translates; at most va_bits */
    uint8_t left[WW_STEPS_MAX + 1];  /* most reads left at the step's first read, included */

    /* Returns the walk of va that the registers begin: READ, or FAULT. */
    uint64_t (*start)(const struct ww_table_regs *regs, uint64_t va);
    /* Returns the entry that a walk (READ) reads. */
    struct ww_walk_read (*entry)(uint64_t walk, uint64_t va, const struct ww_table_regs *regs);
    /* Returns the walk after its read of the line with the entry. */
    uint64_t (*feed)(uint64_t walk, uint64_t va, const struct ww_table_regs *regs,
                     const uint64_t line[WW_LINE_PTES]);
    uint64_t over; /* bits of a walk that count the completed reads of its step; 0: every step is one read */
    uint8_t whole; /* their count before the step's last read: only then do walk caches keep the walk */
};

/* An address space: a kind and its registers. */
struct ww_table {
    const struct ww_table_kind *kind;
    struct ww_table_regs regs;
};

static inline enum ww_walk_act ww_walk_act(uint64_t walk)
{
    return (enum ww_walk_act)ww_bits_get(WW_WALK_ACT, walk);
}

static inline uint32_t ww_walk_step(uint64_t walk)
{
    return (uint32_t)(walk & WW_WALK_STEP);
}

/* Returns PL of [M18]: the step of the last known entry; 0: none. */
static inline uint32_t ww_walk_from(uint64_t walk)
{
    return (uint32_t)ww_bits_get(WW_WALK_FROM, walk);
}

static inline uint64_t ww_walk_pa(uint64_t walk)
{
    return walk & WW_WALK_PA;
}

/* Returns a walk that reads the node at `pa` at `step`, after the entry of step `from`. */
static inline uint64_t ww_walk_reading(uint32_t step, uint32_t from, uint64_t pa)
{
    WW_ASSERT(step - 1 < WW_STEPS_MAX && from <= WW_STEPS_MAX && (pa & ~WW_WALK_PA) == 0);
    return pa | (uint64_t)WW_WALK_READ << 6 | from << 3 | step;
}

/* Returns the walk, ended at its step with this page (DONE). */
static inline uint64_t ww_walk_done(uint64_t walk, const struct ww_xlat *x)
{
    return ww_bits_put(WW_WALK_SHIFT, x->page_pa, x->page_shift) | (uint64_t)x->perm << 8 |
           (uint64_t)WW_WALK_DONE << 6 | (walk & (WW_WALK_STEP | WW_WALK_FROM));
}

/* Returns the walk, ended at its step with this fault (FAULT). */
static inline uint64_t ww_walk_fault(uint64_t walk, enum ww_walk_why why)
{
    return (uint64_t)why << 8 | (uint64_t)WW_WALK_FAULT << 6 |
           (walk & (WW_WALK_PA | WW_WALK_STEP | WW_WALK_FROM));
}

static inline enum ww_walk_why ww_walk_why(uint64_t walk)
{
    WW_ASSERT(ww_walk_act(walk) == WW_WALK_FAULT);
    return (enum ww_walk_why)ww_bits_get(WW_WALK_INFO, walk);
}

/* Returns the translation of a walk that is DONE. */
static inline struct ww_xlat ww_walk_xlat(uint64_t walk)
{
    struct ww_xlat x;
    WW_ASSERT(ww_walk_act(walk) == WW_WALK_DONE);
    x.page_pa = walk & WW_WALK_PA;
    x.page_shift = (uint8_t)ww_bits_get(WW_WALK_SHIFT, walk);
    x.perm = (uint8_t)ww_bits_get(WW_WALK_INFO, walk);
    return x;
}

static inline uint64_t ww_table_start(const struct ww_table *t, uint64_t va)
{
    return t->kind->start(&t->regs, va);
}

/* Returns the walk's next action. If it is READ, sets *read to the entry; else leaves *read alone. */
static inline enum ww_walk_act ww_table_next(const struct ww_table *t, uint64_t walk, uint64_t va,
                                             struct ww_walk_read *read)
{
    if (ww_walk_act(walk) == WW_WALK_READ)
        *read = t->kind->entry(walk, va, &t->regs);
    return ww_walk_act(walk);
}

/* Returns the walk (READ) after its line. If line is NULL (memory answered with an error), that is a FAULT
 * with WW_WHY_REFUSED. */
static inline uint64_t ww_table_feed(const struct ww_table *t, uint64_t walk, uint64_t va,
                                     const uint64_t *line)
{
    WW_ASSERT(ww_walk_act(walk) == WW_WALK_READ);
    return line == NULL ? ww_walk_fault(walk, WW_WHY_REFUSED) : t->kind->feed(walk, va, &t->regs, line);
}

/* True if mapping a page can mend the fault. */
static inline bool ww_walk_why_absent(enum ww_walk_why why)
{
    return why == WW_WHY_ABSENT || why == WW_WHY_HOST;
}

/* Returns the most reads that a walk (READ) still needs. */
static inline uint32_t ww_table_reads_left(const struct ww_table_kind *kind, uint64_t walk)
{
    const uint32_t left = kind->left[ww_walk_step(walk)];
    return kind->over == 0 ? left : left - (uint32_t)ww_bits_get(kind->over, walk);
}

/* True if, of two walks of one address, `a` is nearer its end. */
static inline bool ww_table_nearer(const struct ww_table_kind *kind, uint64_t a, uint64_t b)
{
    return ww_table_reads_left(kind, a) < ww_table_reads_left(kind, b);
}

/* True if walks may share their reads at this step. */
static inline bool ww_table_shares(const struct ww_table_kind *kind, uint32_t step)
{
    return (kind->alone >> step & 1) == 0;
}

/* True if two addresses of one VM have their entries of `step` in one line. */
static inline bool ww_table_neighbours(const struct ww_table_kind *kind, uint64_t a_va, uint64_t b_va,
                                       uint32_t step)
{
    return ((a_va ^ b_va) >> kind->shift[step]) == 0;
}

/* Return the bits of a 4 KiB page's number, of a step (0: none), and of a waiting walk: {step, PA, the kind's
 * own}. */
static inline uint32_t ww_table_vpn_bits(const struct ww_table_kind *kind)
{
    return kind->va_bits - (uint32_t)WW_PAGE_4K;
}
static inline uint32_t ww_table_step_bits(const struct ww_table_kind *kind)
{
    return ww_log2_u64(kind->steps) + 1;
}
static inline uint32_t ww_table_word_bits(const struct ww_table_kind *kind) /* without the step */
{
    return (uint32_t)__builtin_popcountll(WW_WALK_PA) + kind->own_bits;
}
static inline uint32_t ww_table_walk_bits(const struct ww_table_kind *kind)
{
    return ww_table_step_bits(kind) + ww_table_word_bits(kind);
}

/* entry() of kinds whose steps are levels with nodes of 512 words (addr.h). */
struct ww_walk_read ww_table_level_entry(uint64_t walk, uint64_t va, const struct ww_table_regs *regs);

/* Return e.g. "READ" and "an entry is not present". */
const char *ww_walk_act_name(enum ww_walk_act act);
const char *ww_walk_why_text(enum ww_walk_why why);

/* Returns NULL, or names a contradiction in a kind's numbers. */
const char *ww_table_kind_check(const struct ww_table_kind *kind);
/* Returns NULL, or names the first broken invariant of a walk that reads. */
const char *ww_table_walk_check(const struct ww_table_kind *kind, uint64_t walk);

/* True if va is mapped; only then sets *out. Reads the table from `words`, which has all of its words from
 * physical address first_pa on. */
bool ww_table_lookup(const struct ww_table *t, const uint64_t *words, uint64_t first_pa, uint64_t va,
                     struct ww_xlat *out);

WW_END_DECLS

#endif

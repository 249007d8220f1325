/* SPDX-License-Identifier: MIT */
/* kernels/walk/pwst.h - page-walk service table and the rules by which walks of one neighbourhood share
 * reads. Models [M18 sections IV-A, IV-B]: per walker VPN[36] and level[3] of the read in flight, here a step
 * of the kind of table. After every call, CL of a buffered request == a walker reads, now, the line that
 * holds the request's entry at that step. A completed read is: ww_pwst_deliver(), then ww_pwst_advance() or
 * ww_pwst_end(). Not modelled: cycles and ports of the search (left to the module); VM-ID is not in the
 * paper's bit count. Time: none. Allocation: none. One owner; p belongs to exactly one walk buffer b. */
#ifndef WW_KERNELS_PWST_H
#define WW_KERNELS_PWST_H

#include "kernels/base.h"
#include "kernels/walk/walk_buffer.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

#define WW_PWST_MAX_WALKERS 4096u

/* Reads that also serve other requests of their neighbourhood. off: none; leaf: those at the last step; full:
 * those at every step that walks share. */
#define WW_COALESCE_LIST(X)                                                                                  \
    X(OFF, "off")                                                                                            \
    X(LEAF, "leaf")                                                                                          \
    X(FULL, "full")
enum ww_coalesce_mode {
#define X(name, text) WW_COALESCE_##name,
    WW_COALESCE_LIST(X)
#undef X
        WW_COALESCE_COUNT
};
const char *ww_coalesce_mode_name(enum ww_coalesce_mode mode);

struct ww_pwst_cfg {
    uint32_t walkers; /* 1 .. WW_PWST_MAX_WALKERS */
    uint8_t mode;     /* enum ww_coalesce_mode */
    const struct ww_table_kind *kind;
};

/* The table is one word per walker; an idle walker's is 0. */
#define WW_PWST_VPN WW_BITS64(44, 0)   /* [44:0] va >> 12 of the request being walked */
#define WW_PWST_STEP WW_BITS64(47, 45) /* [47:45] the step being read now; 0: idle */
#define WW_PWST_VMID WW_BITS64(63, 48) /* [63:48] not in the paper's count */

WW_STATIC_ASSERT((WW_PWST_VPN | WW_PWST_STEP | WW_PWST_VMID) == UINT64_MAX, "every bit is named");
WW_STATIC_ASSERT(WW_PWST_VPN + WW_PWST_STEP + WW_PWST_VMID == UINT64_MAX, "no bit is named twice");

/* A word, unpacked. */
struct ww_pwst_entry {
    uint64_t va; /* of the 4 KiB page */
    uint16_t vmid;
    uint8_t step;
    bool valid; /* step != 0 */
};

/* Header of the blob; the arrays follow at the offsets. */
struct ww_pwst {
    uint32_t walkers, word_at;
    uint32_t cover_at, span_at; /* host only: what a read covers, in a form that needs one compare */
    uint32_t busy;              /* valid entries */
    uint32_t partials;          /* requests that the last deliver call advanced without completing them */
    uint32_t fault_room;        /* absent entries that may still complete a request; WW_PWST_ANY: no limit */
    uint32_t faults_left; /* requests that the last deliver call kept in the buffer for lack of that room */
    uint8_t mode;
    uint8_t steps, last, alone, shift[WW_STEPS_MAX + 1]; /* the kind's */
};

/* A request that a read in flight completed; its buffer entry is gone. */
struct ww_pwst_done {
    uint64_t va;   /* of the 4 KiB page */
    uint64_t held; /* stamps it had CL set, see ww_wbuf_set_stamp() */
    struct ww_xlat xlat;
    uint32_t req;
    bool fault;  /* its entry faults, and xlat is zero */
    uint8_t why; /* enum ww_walk_why of a fault */
};

size_t ww_pwst_bytes(const struct ww_pwst_cfg *cfg); /* 0 if cfg is illegal */
int ww_pwst_init(struct ww_pwst *p, size_t bytes, const struct ww_pwst_cfg *cfg);

/* Sets CL of a new entry of the buffer if a read in flight covers it. Call once, right after
 * ww_wbuf_insert(). */
void ww_pwst_admit(const struct ww_pwst *p, struct ww_wbuf *b, uint32_t slot);

/* An idle walker starts reading at `step`. Returns, as ww_pwst_advance() and ww_pwst_end() do, how many
 * buffer entries' CL it changed: each is a write of the CAM, as is the change of the table's own entry.
 * Required: the request has left the buffer; (asserted) the walker is idle, va < 2^WW_WALK_VA_BITS_MAX. */
uint32_t ww_pwst_begin(struct ww_pwst *p, struct ww_wbuf *b, uint32_t walker, uint64_t va, uint16_t vmid,
                       uint32_t step);

/* Serves every buffered request of the neighbourhood from the line that the walker's `walk` read at its
 * present step. A request whose walk ends there (DONE, FAULT) leaves the buffer into out[]; another gets PL
 * and PA unless its own are nearer or no entry has led there. Returns how many left, oldest first and at most
 * `max`: call again while it returns max. Required (asserted): max > 0, `walk` is at the walker's step. */
uint32_t ww_pwst_deliver(struct ww_pwst *p, struct ww_wbuf *b, uint32_t walker, const struct ww_table *table,
                         uint64_t walk, const uint64_t line[WW_LINE_PTES], struct ww_pwst_done *out,
                         uint32_t max);

/* Limits the requests that leave the buffer with the fault of an absent entry from now on to `room`;
 * initially WW_PWST_ANY, no limit. A further one stays in the buffer, keeps its PL, and loses CL with the
 * read. */
#define WW_PWST_ANY UINT32_MAX
static inline void ww_pwst_set_fault_room(struct ww_pwst *p, uint32_t room)
{
    p->fault_room = room;
}

/* Moves the walker on to `step`. Required (asserted): if walks share that step, its neighbourhood is a
 * smaller part of the present one. */
uint32_t ww_pwst_advance(struct ww_pwst *p, struct ww_wbuf *b, uint32_t walker, uint32_t step);

/* Ends the walk (translated or faulted): the walker becomes idle. */
uint32_t ww_pwst_end(struct ww_pwst *p, struct ww_wbuf *b, uint32_t walker);

/* True if a read in flight, at a step that the mode covers, brings the line with the entry for va. */
bool ww_pwst_covers(const struct ww_pwst *p, uint64_t va, uint16_t vmid);

static inline uint64_t ww_pwst_word(const struct ww_pwst *p, uint32_t walker)
{
    WW_ASSERT(walker < p->walkers);
    return ((const uint64_t *)(const void *)((const unsigned char *)p + p->word_at))[walker];
}
static inline struct ww_pwst_entry ww_pwst_at(const struct ww_pwst *p, uint32_t walker)
{
    const uint64_t word = ww_pwst_word(p, walker);
    struct ww_pwst_entry e;
    e.va = (word & WW_PWST_VPN) << WW_PAGE_4K;
    e.vmid = (uint16_t)ww_bits_get(WW_PWST_VMID, word);
    e.step = (uint8_t)ww_bits_get(WW_PWST_STEP, word);
    e.valid = e.step != 0;
    return e;
}
static inline uint32_t ww_pwst_busy(const struct ww_pwst *p)
{
    return p->busy;
}
static inline uint32_t ww_pwst_faults_left(const struct ww_pwst *p)
{
    return p->faults_left;
}
static inline uint32_t ww_pwst_partials(const struct ww_pwst *p)
{
    return p->partials;
}

/* Returns the bits of state that coalescing adds to an IOMMU, by the widths of the kind. */
static inline uint64_t ww_pwst_extra_bits(const struct ww_table_kind *kind, uint32_t entries,
                                          uint32_t walkers)
{
    return (uint64_t)entries * (ww_table_walk_bits(kind) + WW_WBUF_CL_BITS) +
           (uint64_t)walkers * (ww_table_vpn_bits(kind) + ww_table_step_bits(kind));
}

/* Returns NULL, or names the first broken invariant of both; includes CL == covers() for every entry of b. */
const char *ww_pwst_check(const struct ww_pwst *p, const struct ww_wbuf *b);

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* kernels/walk/walk_buffer.h - the IOMMU buffer: page-walk requests that wait for a walker, in order of
 * arrival. Models [M18 section IV-A]: each entry holds VPN[36] and, for coalescing, PL[3], PA[40], CL[1]; PL
 * and PA are a walk (table.h), so that their widths and meaning depend on the kind of table. The host
 * replaces the CAM's search by an index (host/age_index.h), which ww_wbuf_check() compares with the entries.
 * Not modelled: the ports of the CAM (left to the module). VM-ID and request identity are not in the paper's
 * bit count. Time: none (the stamp is the caller's number). Allocation: none. One owner. */
#ifndef WW_KERNELS_WALK_BUFFER_H
#define WW_KERNELS_WALK_BUFFER_H

#include "kernels/base.h"
#include "kernels/host/age_index.h"
#include "kernels/table/table.h"

WW_BEGIN_DECLS

/* Width of CL in bits; the kind gives those of VPN, and of PL and PA: ww_table_vpn_bits(), _walk_bits(). */
#define WW_WBUF_CL_BITS 1u

#define WW_WBUF_NONE WW_AGES_NONE
#define WW_WBUF_MAX_ENTRIES WW_AGES_MAX_ENTRIES

struct ww_wbuf_cfg {
    uint32_t entries; /* 1 .. WW_WBUF_MAX_ENTRIES */
    const struct ww_table_kind *kind;
};

/* A request as its requester describes it; the buffer interprets va and vmid only. */
struct ww_wbuf_job {
    uint64_t va;    /* below 2^WW_WALK_VA_BITS_MAX; only its page is kept */
    uint32_t req;   /* the caller's name of the request */
    uint32_t instr; /* wave instruction, unique over all compute units; used by the batch policy */
    uint16_t vmid;
    uint16_t cu;
    uint16_t table; /* the caller's index of the VM's page table: all entries of a VM have the same */
};

/* The hardware's part of an entry is two words: this one, 0 if the entry is free, and a walk (table.h). */
#define WW_WBUF_VPN WW_BITS64(44, 0)    /* [44:0] va >> 12 */
#define WW_WBUF_CL WW_BITS64(45, 45)    /* [45] a page-table read in flight will serve it: do not take it */
#define WW_WBUF_VALID WW_BITS64(46, 46) /* [46] */
#define WW_WBUF_VMID WW_BITS64(63, 48)  /* [63:48] not in the paper's count */

WW_STATIC_ASSERT((WW_WBUF_VPN | WW_WBUF_CL | WW_WBUF_VALID | WW_WBUF_VMID) ==
                     WW_WBUF_VPN + WW_WBUF_CL + WW_WBUF_VALID + WW_WBUF_VMID,
                 "no bit is named twice");

/* 64 bytes; read through ww_wbuf_at(), written by this kernel only. */
struct ww_wbuf_entry {
    uint64_t word;
    uint64_t walk; /* PL and PA: where this request's walk goes on (READ); 0: not known */
    /* the rest is host only: names of the request, */
    uint32_t req, instr;
    uint16_t cu, table;
    uint32_t pad[3];
    uint64_t seq;      /* order of arrival */
    uint64_t held;     /* stamps spent with CL set, up to cl_stamp */
    uint64_t cl_stamp; /* stamp of the last change of CL */
};
static inline uint64_t ww_wbuf_va(const struct ww_wbuf_entry *e) /* of the 4 KiB page */
{
    return (e->word & WW_WBUF_VPN) << WW_PAGE_4K;
}
static inline uint16_t ww_wbuf_vmid(const struct ww_wbuf_entry *e)
{
    return (uint16_t)ww_bits_get(WW_WBUF_VMID, e->word);
}
static inline struct ww_wbuf_job ww_wbuf_job_of(const struct ww_wbuf_entry *e)
{
    struct ww_wbuf_job job;
    job.va = ww_wbuf_va(e);
    job.req = e->req;
    job.instr = e->instr;
    job.vmid = ww_wbuf_vmid(e);
    job.cu = e->cu;
    job.table = e->table;
    return job;
}
static inline bool ww_wbuf_cl(const struct ww_wbuf_entry *e)
{
    return (e->word & WW_WBUF_CL) != 0;
}

/* Header of the blob; entries follow, and the host's index. */
struct ww_wbuf {
    uint32_t entries, entry_at, bytes;
    uint32_t cl_count;
    uint64_t next_seq, stamp;
    uint8_t steps;       /* the kind's */
    struct ww_ages ages; /* the host's */
};

/* A set of entries by position in the order of age. */
#define ww_wbuf_set ww_ages_set

size_t ww_wbuf_bytes(const struct ww_wbuf_cfg *cfg); /* 0 if cfg is illegal */
int ww_wbuf_init(struct ww_wbuf *b, size_t bytes, const struct ww_wbuf_cfg *cfg);

/* Sets the present time, in a unit of the caller's. ww_wbuf_held() returns in that unit how long CL of the
 * slot was set. Required: stamps never decrease. */
static inline void ww_wbuf_set_stamp(struct ww_wbuf *b, uint64_t stamp)
{
    b->stamp = stamp;
}

/* Enters the request with PL unset and CL clear. Returns its slot, which stays valid until ww_wbuf_remove(),
 * or WW_WBUF_NONE if the buffer is full. Required (asserted): job->va < 2^WW_WALK_VA_BITS_MAX. */
uint32_t ww_wbuf_insert(struct ww_wbuf *b, const struct ww_wbuf_job *job);
void ww_wbuf_remove(struct ww_wbuf *b, uint32_t slot);

static inline const struct ww_wbuf_entry *ww_wbuf_at(const struct ww_wbuf *b, uint32_t slot)
{
    const struct ww_wbuf_entry *e =
        (const struct ww_wbuf_entry *)(const void *)((const unsigned char *)b + b->entry_at) + slot;
    WW_ASSERT(slot < b->entries && e->word != 0);
    return e;
}

/* Return slots in order of age, WW_WBUF_NONE at the end: of all entries, of those without CL (_ready), and of
 * those in the neighbourhood of va at the last step in one VM (_near), oldest first. */
uint32_t ww_wbuf_oldest(const struct ww_wbuf *b);
uint32_t ww_wbuf_younger(const struct ww_wbuf *b, uint32_t slot);
uint32_t ww_wbuf_youngest(const struct ww_wbuf *b);
uint32_t ww_wbuf_oldest_ready(const struct ww_wbuf *b);
uint32_t ww_wbuf_younger_ready(const struct ww_wbuf *b, uint32_t slot);
uint32_t ww_wbuf_first_near(const struct ww_wbuf *b, uint64_t va, uint16_t vmid);
uint32_t ww_wbuf_next_near(const struct ww_wbuf *b, uint32_t slot);

/* Sets PL and PA of the slot: a page-table entry on the request's path is known, and `walk` is where its
 * own walk goes on. Required (asserted): it means READ, and an entry led to it. */
void ww_wbuf_set_partial(struct ww_wbuf *b, uint32_t slot, uint64_t walk);
/* Clears PL and PA of the slot. */
void ww_wbuf_clear_partial(struct ww_wbuf *b, uint32_t slot);
void ww_wbuf_set_cl(struct ww_wbuf *b, uint32_t slot, bool cl);
uint64_t ww_wbuf_held(const struct ww_wbuf *b, uint32_t slot);

/* ww_wbuf_match() finds all entries of one VM with equal va >> shift, a shift of the table's kind, and writes
 * the first b->ages.words words of `set`. ww_wbuf_set_cl_all() changes CL of all entries in `set`. */
void ww_wbuf_match(const struct ww_wbuf *b, uint64_t va, uint16_t vmid, uint32_t shift,
                   struct ww_wbuf_set *set);
void ww_wbuf_set_cl_all(struct ww_wbuf *b, const struct ww_wbuf_set *set, bool cl);
/* Returns the slot of a position found in a set. */
static inline uint32_t ww_wbuf_slot_at(const struct ww_wbuf *b, uint32_t position)
{
    WW_ASSERT(position < b->ages.positions &&
              (ww_ages_live(&b->ages, b)[position / 64] >> position % 64 & 1) != 0);
    return ww_ages_slot(&b->ages, b, position);
}

static inline uint32_t ww_wbuf_count(const struct ww_wbuf *b)
{
    return b->ages.count;
}
static inline uint32_t ww_wbuf_cl_count(const struct ww_wbuf *b)
{
    return b->cl_count;
}
static inline bool ww_wbuf_full(const struct ww_wbuf *b)
{
    return b->ages.count == b->entries;
}

/* Returns the bits of state in hardware without coalescing (pwst.h): page numbers [M18 section IV-A]. */
static inline uint64_t ww_wbuf_bits(const struct ww_wbuf_cfg *cfg)
{
    return (uint64_t)cfg->entries * ww_table_vpn_bits(cfg->kind);
}

const char *ww_wbuf_check(const struct ww_wbuf *b); /* NULL, or the first broken invariant */

WW_END_DECLS

#endif

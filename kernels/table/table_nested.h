/* SPDX-License-Identifier: MIT */
/* kernels/table/table_nested.h - walks in two dimensions: a guest's radix table in guest-physical memory, and
 * the host's radix table that translates guest-physical addresses. docs/model/nested-walks.md. Both have four
 * levels and the entries of pte.h. Models: before each read of the guest's table a walk of the host's for the
 * node's address, and one for the page's: 4 * (4 + 1) + 4 reads; pages of every size in both, of which the
 * smaller counts; the rights of both leaves. A step is a level of the guest's table: the host's reads for its
 * node, then the entry; then the host's reads for the page. MODEL: the host's nodes lie in 2^22 frames from
 * its root on, so that a walk has room for a node's number; guest-physical addresses have 48 bits. Not
 * modelled: accessed and dirty updates of either table, rights of table entries. Time: none. Allocation:
 * none. */
#ifndef WW_KERNELS_TABLE_NESTED_H
#define WW_KERNELS_TABLE_NESTED_H

#include "kernels/table/pte.h"
#include "kernels/table/table.h"

WW_BEGIN_DECLS

/* Steps besides the guest's levels, 4 to 1: the host's levels 4 to 2 for the page, and its level 1. */
#define WW_NESTED_AT_PAGE 5u
#define WW_NESTED_AT_LAST 6u

/* A walk that reads. At a step's last read, the guest's, four reads are complete and WW_WALK_PA is the node.
 * Before: */
#define WW_NESTED_OVER WW_BITS64(63, 61) /* [63:61] completed reads of the step */
#define WW_NESTED_NODE                                                                                       \
    WW_BITS64(60, 39) /* [60:39] the host's node, counted from its root; at the root GPA[47:39] */
#define WW_NESTED_GPA WW_BITS64(38, 12)   /* [38:12] GPA[38:12] of the address that the host translates */
#define WW_NESTED_SIZE WW_BITS64(9, 8)    /* [9:8] size of the guest's page: 4 KiB, 64 KiB, 2 MiB, 1 GiB */
#define WW_NESTED_WRITE WW_BITS64(10, 10) /* [10] rights of the guest's page besides R */
#define WW_NESTED_EXEC WW_BITS64(11, 11)  /* [11] */

#define WW_NESTED_GPA_BITS 48u

/* Registers: word[0] is the guest's root, guest-physical (the guest's CR3); word[1] is the host's root,
 * physical. */
extern const struct ww_table_kind ww_nested;

static inline struct ww_table ww_nested_table(uint64_t guest_root_gpa, uint64_t host_root_pa)
{
    const struct ww_table t = {&ww_nested, {{guest_root_gpa, host_root_pa}}};
    WW_ASSERT(((guest_root_gpa | host_root_pa) & ~WW_WALK_PA) == 0);
    return t;
}

/* Returns the guest-physical address of the 4 KiB that hold va in its page of the guest's table. */
static inline uint64_t ww_nested_gpa(const struct ww_xlat *guest, uint64_t va)
{
    return ww_page_base(ww_xlat_pa(guest, va), WW_PAGE_4K);
}

/* Returns the translation by both dimensions: the overlap of the guest's page and the host's page that holds
 * `gpa`, with the rights that both grant. */
static inline struct ww_xlat ww_nested_xlat(const struct ww_xlat *guest, const struct ww_xlat *host,
                                            uint64_t gpa)
{
    struct ww_xlat x;
    x.page_shift = guest->page_shift < host->page_shift ? guest->page_shift : host->page_shift;
    x.page_pa = ww_page_base(ww_xlat_pa(host, gpa), x.page_shift);
    x.perm = guest->perm & host->perm;
    return x;
}

WW_END_DECLS

#endif

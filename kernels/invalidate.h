/* SPDX-License-Identifier: MIT */
/* kernels/invalidate.h - state of an invalidate in flight, in a stage of translation and in a requester.
 * Models: the two passes of docs/model/invalidate.md. Out, from the walk unit up behind the answers: a stage
 * drops the mappings in scope and refuses fills in scope from then on. The requester turns the invalidate
 * once every access that already has its translation is done. Back, down behind the fills: once the copies of
 * all ports above have come back, the stage stops refusing and sends one copy down. One scope at a time. Not
 * modelled: the contents of a stage, the lanes, several scopes side by side. Time: none. Allocation: none.
 * One owner. */
#ifndef WW_KERNELS_INVALIDATE_H
#define WW_KERNELS_INVALIDATE_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_INVAL_MAX_PORTS 4096u

/* Addresses first_va to last_va, both inclusive, of one VM or of all. */
struct ww_inval_scope {
    uint64_t first_va, last_va;
    uint16_t vmid;
    bool all_vms;
};

/* Return the scope of bytes [va, va + bytes) of one VM, of all addresses of one VM, and of all addresses of
 * all VMs. bytes != 0; a range that passes the last 64-bit address ends there. */
struct ww_inval_scope ww_inval_range(uint64_t va, uint64_t bytes, uint16_t vmid);
struct ww_inval_scope ww_inval_space(uint16_t vmid);
struct ww_inval_scope ww_inval_all(void);
/* True if any part of the page of this size that holds va is in scope. page_shift < 64. */
bool ww_inval_covers(const struct ww_inval_scope *s, uint64_t va, uint32_t page_shift, uint16_t vmid);

/* The invalidate's state in a stage. ww_inval_bits() counts its bits in hardware. */
struct ww_inval {
    struct ww_inval_scope scope; /* while open */
    bool open;      /* it passed here on its way out and has not come back: fills in scope are refused */
    uint16_t ports; /* copies that go up */
    uint16_t away;  /* copies that have not come back */
};

int ww_inval_init(struct ww_inval *v, uint32_t ports); /* Returns WW_OK or WW_E_ARG */
/* True if an invalidate may start here. For the walk unit only; the stages above always accept one. */
bool ww_inval_may_start(const struct ww_inval *v);
/* The invalidate passes on its way out: the owner drops the mappings in scope and sends a copy up every port.
 * Required (asserted): none is open here. */
void ww_inval_out(struct ww_inval *v, const struct ww_inval_scope *s);
/* True if an invalidate is open and the fill, a victim from above, lies in its scope: the owner must discard
 * it. Answers from below are never discarded. */
bool ww_inval_refuses(const struct ww_inval *v, uint64_t va, uint32_t page_shift, uint16_t vmid);
/* A copy came back. Returns true for the last one: fills are accepted again and the owner sends one copy down
 * (at the walk unit: the invalidate is done and acknowledged). Required (asserted): one is open. */
bool ww_inval_back(struct ww_inval *v);
/* Bits of state in hardware: two addresses of va_bits, VM-ID, the all_vms and open flags, and a counter of
 * ports. */
uint32_t ww_inval_bits(const struct ww_inval *v, uint32_t va_bits);
const char *ww_inval_check(const struct ww_inval *v);

/* A requester: its accesses in progress, counted separately for those translated before the invalidate. Each
 * carries the generation in which it began, one bit. */
struct ww_turn {
    uint32_t inside[2]; /* accesses in progress, by generation */
    uint8_t generation; /* given to accesses that begin now */
    bool open;          /* an invalidate is here and waits */
};

void ww_turn_init(struct ww_turn *t);
/* An access begins with its translation. Returns the generation to pass to ww_turn_end(), once. */
uint8_t ww_turn_begin(struct ww_turn *t);
void ww_turn_end(struct ww_turn *t, uint8_t generation);
/* An invalidate arrives: accesses that begin from now on get the other generation. Required (asserted): none
 * is open. */
void ww_turn_out(struct ww_turn *t);
/* True if an invalidate is open and every access that began before it is done: call ww_turn_back(). */
bool ww_turn_ready(const struct ww_turn *t);
/* The open invalidate is answered: another may arrive. Required (asserted): ww_turn_ready(). */
void ww_turn_back(struct ww_turn *t);
const char *ww_turn_check(const struct ww_turn *t);

WW_END_DECLS

#endif

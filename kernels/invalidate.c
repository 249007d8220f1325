/* SPDX-License-Identifier: MIT */
/* kernels/invalidate.c - the state of an invalidate in a stage and in a requester. */
#include "kernels/invalidate.h"

#include "kernels/bits.h"

#include <string.h>

struct ww_inval_scope ww_inval_range(uint64_t va, uint64_t bytes, uint16_t vmid)
{
    WW_ASSERT(bytes != 0);
    const uint64_t last = bytes - 1 > UINT64_MAX - va ? UINT64_MAX : va + (bytes - 1);
    return (struct ww_inval_scope){va, last, vmid, false};
}

struct ww_inval_scope ww_inval_space(uint16_t vmid)
{
    return (struct ww_inval_scope){0, UINT64_MAX, vmid, false};
}

struct ww_inval_scope ww_inval_all(void)
{
    return (struct ww_inval_scope){0, UINT64_MAX, 0, true};
}

bool ww_inval_covers(const struct ww_inval_scope *s, uint64_t va, uint32_t page_shift, uint16_t vmid)
{
    WW_ASSERT(page_shift < 64);
    const uint64_t in_page = ((uint64_t)1 << page_shift) - 1;
    if (!s->all_vms && s->vmid != vmid)
        return false;
    return (va & ~in_page) <= s->last_va && (va | in_page) >= s->first_va;
}

int ww_inval_init(struct ww_inval *v, uint32_t ports)
{
    if (ports == 0 || ports > WW_INVAL_MAX_PORTS)
        return WW_E_ARG;
    memset(v, 0, sizeof *v);
    v->ports = (uint16_t)ports;
    return WW_OK;
}

bool ww_inval_may_start(const struct ww_inval *v)
{
    return !v->open;
}

void ww_inval_out(struct ww_inval *v, const struct ww_inval_scope *s)
{
    WW_ASSERT(!v->open);
    v->scope = *s;
    v->open = true;
    v->away = v->ports;
}

bool ww_inval_refuses(const struct ww_inval *v, uint64_t va, uint32_t page_shift, uint16_t vmid)
{
    return v->open && ww_inval_covers(&v->scope, va, page_shift, vmid);
}

bool ww_inval_back(struct ww_inval *v)
{
    WW_ASSERT(v->open);
    if (--v->away != 0)
        return false;
    v->open = false;
    memset(&v->scope, 0, sizeof v->scope);
    return true;
}

uint32_t ww_inval_bits(const struct ww_inval *v, uint32_t va_bits)
{
    return 2 * va_bits + 16 + 1 + 1 + (ww_log2_u64(v->ports) + 1);
}

const char *ww_inval_check(const struct ww_inval *v)
{
    if (v->away > v->ports)
        return "more copies are away than there are ports";
    if (v->open != (v->away != 0))
        return "open without a copy that is away, or one away and not open";
    if (v->open && v->scope.first_va > v->scope.last_va)
        return "a scope that ends before it begins";
    return NULL;
}

void ww_turn_init(struct ww_turn *t)
{
    memset(t, 0, sizeof *t);
}

uint8_t ww_turn_begin(struct ww_turn *t)
{
    ++t->inside[t->generation];
    return t->generation;
}

void ww_turn_end(struct ww_turn *t, uint8_t generation)
{
    WW_ASSERT(generation < 2 && t->inside[generation] != 0);
    --t->inside[generation];
}

void ww_turn_out(struct ww_turn *t)
{
    WW_ASSERT(!t->open && t->inside[t->generation ^ 1] == 0);
    t->open = true;
    t->generation ^= 1;
}

bool ww_turn_ready(const struct ww_turn *t)
{
    return t->open && t->inside[t->generation ^ 1] == 0;
}

void ww_turn_back(struct ww_turn *t)
{
    WW_ASSERT(ww_turn_ready(t));
    t->open = false;
}

const char *ww_turn_check(const struct ww_turn *t)
{
    if (t->generation > 1)
        return "a generation is one bit";
    if (!t->open && t->inside[t->generation ^ 1] != 0)
        return "accesses of the generation before, and no invalidate that waits for them";
    return NULL;
}

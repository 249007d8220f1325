/* SPDX-License-Identifier: MIT */
/* kernels/pwst.c - see pwst.h. [M18 sections IV-A, IV-B]
 * A walker's read covers a region: the neighbourhood of its address at its level. Regions of one VM are
 * equal, nested or disjoint, so `who else covers this` is decided once for a region unless smaller regions
 * lie in it. cover[w] and span[w] hold the region in the form that one compare needs; an idle walker, or one
 * whose level the mode leaves out, has a cover that no address equals. Time: none. Allocation: none. */
#include "kernels/pwst.h"

#include <string.h>

#include "kernels/addr.h"
#include "kernels/bits.h"
#include "kernels/pte.h"

#define NO_COVER UINT64_MAX /* differs from every region in bits [63:58], which no span shifts out */
#define REGION_VA_BITS 42u  /* 57 - 15 */

#define ENTRIES(p) ((struct ww_pwst_entry *)(void *)((unsigned char *)(p) + (p)->entry_at))
#define COVERS(p) ((uint64_t *)(void *)((unsigned char *)(p) + (p)->cover_at))
#define SPANS(p) ((uint8_t *)(p) + (p)->span_at)
#define CONST_ENTRIES(p)                                                                                     \
    ((const struct ww_pwst_entry *)(const void *)((const unsigned char *)(p) + (p)->entry_at))
#define CONST_COVERS(p) ((const uint64_t *)(const void *)((const unsigned char *)(p) + (p)->cover_at))
#define CONST_SPANS(p) ((const uint8_t *)(p) + (p)->span_at)

const char *ww_coalesce_mode_name(enum ww_coalesce_mode mode)
{
    static const char *const names[] = {
#define X(name, text) text,
        WW_COALESCE_LIST(X)
#undef X
    };
    WW_ASSERT((uint32_t)mode < WW_COALESCE_COUNT);
    return names[mode];
}

/* VM and level-1 neighbourhood; a region at level k is that without its low span_of(k) bits. */
static uint64_t region_of(uint64_t va, uint16_t vmid)
{
    return (uint64_t)vmid << REGION_VA_BITS | ww_nbhd(va, 1);
}

static uint8_t span_of(uint32_t level)
{
    return (uint8_t)(WW_LEVEL_BITS * (level - 1));
}

static bool meets(uint64_t a, uint64_t b, uint8_t span)
{
    return ((a ^ b) >> span) == 0;
}

/* Do the rules apply to reads at this level? */
static bool rules_apply(const struct ww_pwst *p, uint32_t level)
{
    return p->mode == WW_COALESCE_FULL || (p->mode == WW_COALESCE_LEAF && level == WW_LEVEL_LEAF);
}

static size_t layout(struct ww_pwst *p, const struct ww_pwst_cfg *cfg)
{
    if (cfg->walkers == 0 || cfg->walkers > WW_PWST_MAX_WALKERS || cfg->mode >= WW_COALESCE_COUNT)
        return 0;
    memset(p, 0, sizeof *p);
    p->walkers = cfg->walkers;
    p->mode = cfg->mode;
    size_t at = ww_align64(sizeof *p);
    p->cover_at = (uint32_t)at;
    at += ww_align64((size_t)cfg->walkers * sizeof(uint64_t));
    p->span_at = (uint32_t)at;
    at += ww_align64(cfg->walkers);
    p->entry_at = (uint32_t)at;
    at += ww_align64((size_t)cfg->walkers * sizeof(struct ww_pwst_entry));
    return at;
}

size_t ww_pwst_bytes(const struct ww_pwst_cfg *cfg)
{
    struct ww_pwst p;
    return layout(&p, cfg);
}

int ww_pwst_init(struct ww_pwst *p, size_t bytes, const struct ww_pwst_cfg *cfg)
{
    struct ww_pwst head;
    const size_t need = layout(&head, cfg);
    if (need == 0)
        return WW_E_ARG;
    if (bytes < need)
        return WW_E_SIZE;
    memset((void *)p, 0, need);
    *p = head;
    memset(COVERS(p), 0xff, (size_t)p->walkers * sizeof(uint64_t));
    return WW_OK;
}

static bool covered(const struct ww_pwst *p, uint64_t region)
{
    const uint64_t *cover = CONST_COVERS(p);
    const uint8_t *span = CONST_SPANS(p);
    for (uint32_t w = 0; w < p->walkers; w++) {
        if (meets(cover[w], region, span[w]))
            return true;
    }
    return false;
}

bool ww_pwst_covers(const struct ww_pwst *p, uint64_t va, uint16_t vmid)
{
    return covered(p, region_of(va, vmid));
}

void ww_pwst_admit(const struct ww_pwst *p, struct ww_wbuf *b, uint32_t slot)
{
    const struct ww_wbuf_job *job = &ww_wbuf_at(b, slot)->job;
    if (ww_pwst_covers(p, job->va, job->vmid))
        ww_wbuf_set_cl(b, slot, true);
}

/* CL of the entries of a level-1 region, along the hash chain. */
static void set_chain(struct ww_wbuf *b, uint64_t va, uint16_t vmid, bool cl)
{
    for (uint32_t slot = ww_wbuf_first_leaf(b, va, vmid); slot != WW_WBUF_NONE;
         slot = ww_wbuf_next_leaf(b, slot))
        ww_wbuf_set_cl(b, slot, cl);
}

/* The walker's entry says a new read. Entries of its region get CL; `known` says that they have it already.
 * Returns how many got it. */
static uint32_t cover(struct ww_pwst *p, struct ww_wbuf *b, uint32_t walker, bool known)
{
    const struct ww_pwst_entry *e = &ENTRIES(p)[walker];
    COVERS(p)[walker] = NO_COVER;
    if (!rules_apply(p, e->level))
        return 0;
    COVERS(p)[walker] = region_of(e->va, e->vmid);
    SPANS(p)[walker] = span_of(e->level);
    const uint32_t held = ww_wbuf_cl_count(b);
    if (known || ww_wbuf_count(b) == held)
        return 0;
    if (e->level == WW_LEVEL_LEAF) {
        set_chain(b, e->va, e->vmid, true);
    } else {
        struct ww_wbuf_set set;
        ww_wbuf_match(b, e->va, e->vmid, e->level, &set);
        ww_wbuf_set_cl_all(b, &set, true);
    }
    return ww_wbuf_cl_count(b) - held;
}

/* A read of this region is over and the table says so: its entries lose CL, except those under another read.
 * Returns how many lost it. */
static uint32_t uncover(struct ww_pwst *p, struct ww_wbuf *b, uint64_t va, uint16_t vmid, uint32_t level)
{
    const uint64_t *cover_of = CONST_COVERS(p);
    const uint8_t *span = CONST_SPANS(p);
    const uint64_t region = region_of(va, vmid);
    const uint8_t own_span = span_of(level);
    const uint32_t held = ww_wbuf_cl_count(b);
    if (held == 0)
        return 0;
    for (uint32_t w = 0; w < p->walkers; w++) {
        if (span[w] >= own_span && meets(cover_of[w], region, span[w]))
            return 0; /* all of it lies in a region that is still read */
    }
    if (level == WW_LEVEL_LEAF) {
        set_chain(b, va, vmid, false);
        return held - ww_wbuf_cl_count(b);
    }
    struct ww_wbuf_set set, inner;
    ww_wbuf_match(b, va, vmid, level, &set);
    for (uint32_t w = 0; w < p->walkers; w++) {
        if (!meets(cover_of[w], region, own_span))
            continue;
        const struct ww_pwst_entry *e = &CONST_ENTRIES(p)[w];
        ww_wbuf_match(b, e->va, e->vmid, e->level, &inner);
        for (uint32_t word = 0; word < b->words; word++)
            set.word[word] &= ~inner.word[word];
    }
    ww_wbuf_set_cl_all(b, &set, false);
    return held - ww_wbuf_cl_count(b);
}

uint32_t ww_pwst_begin(struct ww_pwst *p, struct ww_wbuf *b, uint32_t walker, uint64_t va, uint16_t vmid,
                       uint32_t level)
{
    WW_ASSERT(walker < p->walkers && !ENTRIES(p)[walker].valid);
    WW_ASSERT(ww_va_legal(va, WW_LEVELS_MAX) && level - 1 < WW_LEVELS_MAX);
    struct ww_pwst_entry *e = &ENTRIES(p)[walker];
    e->va = va;
    e->vmid = vmid;
    e->level = (uint8_t)level;
    e->valid = true;
    p->busy++;
    return cover(p, b, walker, false);
}

uint32_t ww_pwst_advance(struct ww_pwst *p, struct ww_wbuf *b, uint32_t walker, uint32_t level)
{
    WW_ASSERT(walker < p->walkers && ENTRIES(p)[walker].valid);
    struct ww_pwst_entry *e = &ENTRIES(p)[walker];
    const uint32_t before = e->level;
    WW_ASSERT(level >= WW_LEVEL_LEAF && level < before);
    e->level = (uint8_t)level;
    const bool shared = rules_apply(p, before);
    const uint32_t gained = cover(p, b, walker, shared); /* none where the read before held them all */
    return shared ? uncover(p, b, e->va, e->vmid, before) : gained;
}

uint32_t ww_pwst_end(struct ww_pwst *p, struct ww_wbuf *b, uint32_t walker)
{
    WW_ASSERT(walker < p->walkers && ENTRIES(p)[walker].valid);
    struct ww_pwst_entry *e = &ENTRIES(p)[walker];
    e->valid = false;
    p->busy--;
    COVERS(p)[walker] = NO_COVER;
    return rules_apply(p, e->level) ? uncover(p, b, e->va, e->vmid, e->level) : 0;
}

/* The request takes its entry from the line. True: it is complete, out of the buffer and in *out. */
static bool take(struct ww_pwst *p, struct ww_wbuf *b, uint32_t slot, uint32_t level, const uint64_t line[8],
                 struct ww_pwst_done *out)
{
    const struct ww_wbuf_entry *e = ww_wbuf_at(b, slot);
    if (e->level != 0 && e->level <= level)
        return false; /* an earlier read brought it at least as near */
    const uint64_t pte = line[ww_index(e->job.va, level) % WW_LINE_PTES];
    const enum ww_pte_kind kind = ww_pte_kind(pte, level);
    if (kind == WW_PTE_TABLE) {
        ww_wbuf_set_partial(b, slot, level, ww_pte_node_pa(pte));
        p->partials++;
        return false;
    }
    memset(out, 0, sizeof *out);
    out->va = e->job.va;
    out->req = e->job.req;
    out->held = ww_wbuf_held(b, slot);
    out->fault = kind == WW_PTE_ABSENT;
    if (!out->fault)
        out->xlat = ww_pte_xlat(pte, level);
    ww_wbuf_remove(b, slot);
    return true;
}

uint32_t ww_pwst_deliver(struct ww_pwst *p, struct ww_wbuf *b, uint32_t walker, const uint64_t line[8],
                         struct ww_pwst_done *out, uint32_t max)
{
    WW_ASSERT(walker < p->walkers && ENTRIES(p)[walker].valid && max > 0);
    const struct ww_pwst_entry e = ENTRIES(p)[walker];
    uint32_t done = 0;
    p->partials = 0;
    /* Whoever can profit has CL set. */
    if (!rules_apply(p, e.level) || ww_wbuf_cl_count(b) == 0)
        return 0;
    if (e.level == WW_LEVEL_LEAF) {
        uint32_t slot = ww_wbuf_first_leaf(b, e.va, e.vmid);
        while (slot != WW_WBUF_NONE && done < max) {
            const uint32_t next = ww_wbuf_next_leaf(b, slot);
            done += take(p, b, slot, e.level, line, &out[done]);
            slot = next;
        }
        return done;
    }
    struct ww_wbuf_set set;
    ww_wbuf_match(b, e.va, e.vmid, e.level, &set);
    for (uint32_t word = 0; word < b->words; word++) {
        for (uint64_t left = set.word[word]; left != 0 && done < max; left &= left - 1) {
            const uint32_t slot = ww_wbuf_slot_at(b, word * 64 + (uint32_t)__builtin_ctzll(left));
            done += take(p, b, slot, e.level, line, &out[done]);
        }
    }
    return done;
}

/* The rule itself, from the table alone: some walker reads the line with the entry of this address. */
static bool rule(const struct ww_pwst *p, uint64_t va, uint16_t vmid)
{
    for (uint32_t w = 0; w < p->walkers; w++) {
        const struct ww_pwst_entry *e = &CONST_ENTRIES(p)[w];
        if (e->valid && rules_apply(p, e->level) && e->vmid == vmid && ww_same_nbhd(e->va, va, e->level))
            return true;
    }
    return false;
}

const char *ww_pwst_check(const struct ww_pwst *p, const struct ww_wbuf *b)
{
    uint32_t busy = 0;
    for (uint32_t w = 0; w < p->walkers; w++) {
        const struct ww_pwst_entry *e = &CONST_ENTRIES(p)[w];
        const uint64_t cover_of = CONST_COVERS(p)[w];
        busy += e->valid;
        if (!e->valid || !rules_apply(p, e->level)) {
            if (cover_of != NO_COVER)
                return "a walker without a shared read covers something";
        } else if (cover_of != region_of(e->va, e->vmid) || CONST_SPANS(p)[w] != span_of(e->level)) {
            return "a walker covers another region than it reads";
        }
    }
    if (busy != p->busy)
        return "busy is not the number of valid entries";
    for (uint32_t slot = ww_wbuf_oldest(b); slot != WW_WBUF_NONE; slot = ww_wbuf_younger(b, slot)) {
        const struct ww_wbuf_entry *e = ww_wbuf_at(b, slot);
        if (e->cl != rule(p, e->job.va, e->job.vmid))
            return "CL is not the rule of the neighbourhoods";
    }
    return ww_wbuf_check(b);
}

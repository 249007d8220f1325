/* SPDX-License-Identifier: MIT */
/* kernels/walk/pwst.c - see pwst.h. [M18 sections IV-A, IV-B] A walker's read covers a region: the
 * neighbourhood of its address at its step. Regions of one VM are equal, nested or disjoint: a read covers
 * all of another region, or only smaller regions inside it, or none of it. cover[w] and span[w] hold the
 * region in a form that needs one compare. The cover of a walker that is idle, or whose read serves no other
 * request, equals no region. Time: none. Allocation: none. */
#include "kernels/walk/pwst.h"

#include <string.h>

#define NO_COVER UINT64_MAX /* differs from every region in bit 63, which no span shifts out */
#define LAST_SHIFT_MIN 12u  /* words hold 4 KiB page numbers, so a line must translate a page */

#define WORDS(p) ((uint64_t *)(void *)((unsigned char *)(p) + (p)->word_at))
#define COVERS(p) ((uint64_t *)(void *)((unsigned char *)(p) + (p)->cover_at))
#define SPANS(p) ((uint8_t *)(p) + (p)->span_at)
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

/* Returns VM and neighbourhood at the last step. Without its low span_of(step) bits it is those at `step`. */
static uint64_t region_of(const struct ww_pwst *p, uint64_t va, uint16_t vmid)
{
    const uint32_t shift = p->shift[p->last];
    return (uint64_t)vmid << (WW_WALK_VA_BITS_MAX - shift) | va >> shift;
}

static uint8_t span_of(const struct ww_pwst *p, uint32_t step)
{
    return (uint8_t)(p->shift[step] - p->shift[p->last]);
}

static bool meets(uint64_t a, uint64_t b, uint8_t span)
{
    return ((a ^ b) >> span) == 0;
}

/* True if reads of this step serve other requests, too. */
static bool rules_apply(const struct ww_pwst *p, uint32_t step)
{
    if ((p->alone >> step & 1) != 0)
        return false;
    return p->mode == WW_COALESCE_FULL || (p->mode == WW_COALESCE_LEAF && step == p->last);
}

static size_t layout(struct ww_pwst *p, const struct ww_pwst_cfg *cfg)
{
    if (cfg->walkers == 0 || cfg->walkers > WW_PWST_MAX_WALKERS || cfg->mode >= WW_COALESCE_COUNT)
        return 0;
    if (ww_table_kind_check(cfg->kind) != NULL || cfg->kind->shift[cfg->kind->last] < LAST_SHIFT_MIN)
        return 0;
    memset(p, 0, sizeof *p);
    p->walkers = cfg->walkers;
    p->mode = cfg->mode;
    p->steps = cfg->kind->steps;
    p->last = cfg->kind->last;
    p->alone = cfg->kind->alone;
    p->fault_room = WW_PWST_ANY;
    memcpy(p->shift, cfg->kind->shift, sizeof p->shift);
    size_t at = ww_align64(sizeof *p);
    p->cover_at = (uint32_t)at;
    at += ww_align64((size_t)cfg->walkers * sizeof(uint64_t));
    p->span_at = (uint32_t)at;
    at += ww_align64(cfg->walkers);
    p->word_at = (uint32_t)at;
    at += ww_align64((size_t)cfg->walkers * sizeof(uint64_t));
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
    const int fault = ww_clear(p, bytes, layout(&head, cfg));
    if (fault != WW_OK)
        return fault;
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
    return covered(p, region_of(p, va, vmid));
}

void ww_pwst_admit(const struct ww_pwst *p, struct ww_wbuf *b, uint32_t slot)
{
    const struct ww_wbuf_entry *e = ww_wbuf_at(b, slot);
    if (ww_pwst_covers(p, ww_wbuf_va(e), ww_wbuf_vmid(e)))
        ww_wbuf_set_cl(b, slot, true);
}

/* Sets CL of the entries in a region of the last step, found along the hash chain. */
static void set_chain(struct ww_wbuf *b, uint64_t va, uint16_t vmid, bool cl)
{
    for (uint32_t slot = ww_wbuf_first_near(b, va, vmid); slot != WW_WBUF_NONE;
         slot = ww_wbuf_next_near(b, slot))
        ww_wbuf_set_cl(b, slot, cl);
}

/* Covers the region of the walker's new read and sets CL of the entries there. `known`: they have it already.
 * Returns how many got it. */
static uint32_t cover(struct ww_pwst *p, struct ww_wbuf *b, uint32_t walker, bool known)
{
    const struct ww_pwst_entry e = ww_pwst_at(p, walker);
    COVERS(p)[walker] = NO_COVER;
    if (!rules_apply(p, e.step))
        return 0;
    COVERS(p)[walker] = region_of(p, e.va, e.vmid);
    SPANS(p)[walker] = span_of(p, e.step);
    const uint32_t held = ww_wbuf_cl_count(b);
    if (known || ww_wbuf_count(b) == held)
        return 0;
    if (e.step == p->last) {
        set_chain(b, e.va, e.vmid, true);
    } else {
        struct ww_wbuf_set set;
        ww_wbuf_match(b, e.va, e.vmid, p->shift[e.step], &set);
        ww_wbuf_set_cl_all(b, &set, true);
    }
    return ww_wbuf_cl_count(b) - held;
}

/* Clears CL of the entries of a region whose read is over, except those under another read. Returns how many
 * lost it. Required: the table does not hold that read any more. */
static uint32_t uncover(struct ww_pwst *p, struct ww_wbuf *b, uint64_t va, uint16_t vmid, uint32_t step)
{
    const uint64_t *cover_of = CONST_COVERS(p);
    const uint8_t *span = CONST_SPANS(p);
    const uint64_t region = region_of(p, va, vmid);
    const uint8_t own_span = span_of(p, step);
    const uint32_t held = ww_wbuf_cl_count(b);
    if (held == 0)
        return 0;
    for (uint32_t w = 0; w < p->walkers; w++) {
        if (span[w] >= own_span && meets(cover_of[w], region, span[w]))
            return 0; /* another read covers the whole region */
    }
    if (step == p->last) {
        set_chain(b, va, vmid, false);
        return held - ww_wbuf_cl_count(b);
    }
    struct ww_wbuf_set set, inner;
    ww_wbuf_match(b, va, vmid, p->shift[step], &set);
    for (uint32_t w = 0; w < p->walkers; w++) {
        if (!meets(cover_of[w], region, own_span))
            continue;
        const struct ww_pwst_entry e = ww_pwst_at(p, w);
        ww_wbuf_match(b, e.va, e.vmid, p->shift[e.step], &inner);
        for (uint32_t word = 0; word < b->ages.words; word++)
            set.word[word] &= ~inner.word[word];
    }
    ww_wbuf_set_cl_all(b, &set, false);
    return held - ww_wbuf_cl_count(b);
}

uint32_t ww_pwst_begin(struct ww_pwst *p, struct ww_wbuf *b, uint32_t walker, uint64_t va, uint16_t vmid,
                       uint32_t step)
{
    WW_ASSERT(ww_pwst_word(p, walker) == 0);
    WW_ASSERT(ww_va_walkable(va) && step - 1 < p->steps);
    WORDS(p)[walker] = va >> WW_PAGE_4K | (uint64_t)step << 45 | (uint64_t)vmid << 48;
    p->busy++;
    return cover(p, b, walker, false);
}

uint32_t ww_pwst_advance(struct ww_pwst *p, struct ww_wbuf *b, uint32_t walker, uint32_t step)
{
    const struct ww_pwst_entry e = ww_pwst_at(p, walker);
    const uint32_t before = e.step;
    WW_ASSERT(e.valid && step - 1 < p->steps && (!rules_apply(p, step) || p->shift[step] < p->shift[before]));
    WORDS(p)[walker] = ww_bits_put(WW_PWST_STEP, WORDS(p)[walker], step);
    const bool shared = rules_apply(p, before);
    const uint32_t gained = cover(p, b, walker, shared); /* 0 if a shared read covered them before */
    return shared ? uncover(p, b, e.va, e.vmid, before) : gained;
}

uint32_t ww_pwst_end(struct ww_pwst *p, struct ww_wbuf *b, uint32_t walker)
{
    const struct ww_pwst_entry e = ww_pwst_at(p, walker);
    WW_ASSERT(e.valid);
    WORDS(p)[walker] = 0;
    p->busy--;
    COVERS(p)[walker] = NO_COVER;
    return rules_apply(p, e.step) ? uncover(p, b, e.va, e.vmid, e.step) : 0;
}

/* Takes room for a request with this fault. Returns false if there is none; only absent entries need it. */
static bool may_fault(struct ww_pwst *p, uint64_t walk)
{
    if (!ww_walk_why_absent(ww_walk_why(walk)) || p->fault_room == WW_PWST_ANY)
        return true;
    if (p->fault_room == 0) {
        p->faults_left++;
        return false;
    }
    p->fault_room--;
    return true;
}

/* Feeds the line to the request. Returns true if that completes it: it leaves the buffer for *out. */
static bool take(struct ww_pwst *p, struct ww_wbuf *b, uint32_t slot, const struct ww_table *table,
                 uint64_t walk, const uint64_t line[WW_LINE_PTES], struct ww_pwst_done *out)
{
    const struct ww_wbuf_entry *e = ww_wbuf_at(b, slot);
    if (e->walk != 0 && ww_table_nearer(table->kind, e->walk, walk))
        return false; /* an earlier read has advanced it at least as far as this one would */
    const uint64_t next = ww_table_feed(table, walk, ww_wbuf_va(e), line);
    if (ww_walk_act(next) == WW_WALK_READ) {
        if (ww_walk_from(next) == 0)
            return false; /* the line does not hold its entry: it walks by itself */
        ww_wbuf_set_partial(b, slot, next);
        p->partials++;
        return false;
    }
    const bool fault = ww_walk_act(next) == WW_WALK_FAULT;
    if (fault && !may_fault(p, next))
        return false;
    memset(out, 0, sizeof *out);
    out->va = ww_wbuf_va(e);
    out->req = e->req;
    out->held = ww_wbuf_held(b, slot);
    out->fault = fault;
    if (fault)
        out->why = (uint8_t)ww_walk_why(next);
    else
        out->xlat = ww_walk_xlat(next);
    ww_wbuf_remove(b, slot);
    return true;
}

uint32_t ww_pwst_deliver(struct ww_pwst *p, struct ww_wbuf *b, uint32_t walker, const struct ww_table *table,
                         uint64_t walk, const uint64_t line[WW_LINE_PTES], struct ww_pwst_done *out,
                         uint32_t max)
{
    const struct ww_pwst_entry e = ww_pwst_at(p, walker);
    WW_ASSERT(e.valid && max > 0 && ww_walk_step(walk) == e.step);
    uint32_t done = 0;
    p->partials = 0;
    p->faults_left = 0;
    /* Only requests with CL set can profit. */
    if (!rules_apply(p, e.step) || ww_wbuf_cl_count(b) == 0)
        return 0;
    if (e.step == p->last) {
        uint32_t slot = ww_wbuf_first_near(b, e.va, e.vmid);
        while (slot != WW_WBUF_NONE && done < max) {
            const uint32_t next = ww_wbuf_next_near(b, slot);
            done += take(p, b, slot, table, walk, line, &out[done]);
            slot = next;
        }
        return done;
    }
    struct ww_wbuf_set set;
    ww_wbuf_match(b, e.va, e.vmid, p->shift[e.step], &set);
    for (uint32_t word = 0; word < b->ages.words; word++) {
        for (uint64_t left = set.word[word]; left != 0 && done < max; left &= left - 1) {
            const uint32_t slot = ww_wbuf_slot_at(b, word * 64 + (uint32_t)__builtin_ctzll(left));
            done += take(p, b, slot, table, walk, line, &out[done]);
        }
    }
    return done;
}

/* The rule of CL, for the check, from the table alone: true if a shared read in flight brings the line with
 * this address's entry. */
static bool rule(const struct ww_pwst *p, uint64_t va, uint16_t vmid)
{
    for (uint32_t w = 0; w < p->walkers; w++) {
        const struct ww_pwst_entry e = ww_pwst_at(p, w);
        if (e.valid && rules_apply(p, e.step) && e.vmid == vmid && (e.va ^ va) >> p->shift[e.step] == 0)
            return true;
    }
    return false;
}

const char *ww_pwst_check(const struct ww_pwst *p, const struct ww_wbuf *b)
{
    uint32_t busy = 0;
    for (uint32_t w = 0; w < p->walkers; w++) {
        const struct ww_pwst_entry e = ww_pwst_at(p, w);
        const uint64_t cover_of = CONST_COVERS(p)[w];
        busy += e.valid;
        if (!e.valid || !rules_apply(p, e.step)) {
            if (cover_of != NO_COVER)
                return "a walker without a shared read covers something";
        } else if (cover_of != region_of(p, e.va, e.vmid) || CONST_SPANS(p)[w] != span_of(p, e.step)) {
            return "a walker covers another region than it reads";
        }
    }
    if (busy != p->busy)
        return "busy is not the number of valid entries";
    for (uint32_t slot = ww_wbuf_oldest(b); slot != WW_WBUF_NONE; slot = ww_wbuf_younger(b, slot)) {
        const struct ww_wbuf_entry *e = ww_wbuf_at(b, slot);
        if (ww_wbuf_cl(e) != rule(p, ww_wbuf_va(e), ww_wbuf_vmid(e)))
            return "CL is not the rule of the neighbourhoods";
    }
    return ww_wbuf_check(b);
}

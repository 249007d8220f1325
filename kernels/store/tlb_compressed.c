/* SPDX-License-Identifier: MIT */
/* kernels/store/tlb_compressed.c - see tlb_compressed.h. Blob: header, slots, side words, bases, sets. */
#include "kernels/store/tlb_compressed_entries.h"

#include <string.h>

#define VA_BITS_MIN 32u
#define VA_BITS_MAX 57u
#define PA_BITS_MIN 13u
#define PA_BITS_MAX 52u
#define SLOT_BITS 64u /* bits of a word */
#define PERM_BITS 3u

#define TAG_2G WW_TLBC_TAG_BITS(48u, 5u)
#define PPN_2G WW_TLBC_PPN_BITS(31u)
WW_STATIC_ASSERT(TAG_2G + PPN_2G == 50, "[P20]: 31 + 19 bits at 2 GB");
WW_STATIC_ASSERT(WW_TLBC_TAG_DELTA_BITS(TAG_2G, PPN_2G) == 13 && WW_TLBC_PPN_DELTA_BITS(PPN_2G) == 9,
                 "[P20]: deltas of 13 and 9 bits");
WW_STATIC_ASSERT(TAG_2G - 13 == 18 && PPN_2G - 9 == 10, "[P20]: bases of 18 and 10 bits");
WW_STATIC_ASSERT((WW_TLBC_VALID | WW_TLBC_PERM | WW_TLBC_SHIFT | WW_TLBC_RANK | WW_TLBC_VMID) ==
                     WW_TLBC_VALID + WW_TLBC_PERM + WW_TLBC_SHIFT + WW_TLBC_RANK + WW_TLBC_VMID,
                 "disjoint");
WW_STATIC_ASSERT((WW_TLBC_SET_VMID & WW_TLBC_SET_LEFT) == 0, "disjoint");
WW_STATIC_ASSERT(WW_TLBC_MAX_WAYS *WW_TLBC_PER_SLOT <= 64, "a rank has six bits");

static bool legal(const struct ww_tlbc_cfg *cfg)
{
    return ww_is_pow2(cfg->sets) && cfg->sets <= 1u << 20 && cfg->ways != 0 &&
           cfg->ways <= WW_TLBC_MAX_WAYS && cfg->compressed_ways < cfg->ways && cfg->va_bits >= VA_BITS_MIN &&
           cfg->va_bits <= VA_BITS_MAX && cfg->pa_bits >= PA_BITS_MIN && cfg->pa_bits <= PA_BITS_MAX &&
           cfg->rebase_after != 0 && cfg->index <= WW_INDEX_XOR && cfg->page_sizes != 0 &&
           (cfg->page_sizes & ~(uint32_t)WW_BITS64(30, 12)) == 0;
}

/* Sets *w. Returns false if the format cannot hold addresses of these widths. */
static bool derive(struct ww_tlbc_widths *w, const struct ww_tlbc_cfg *cfg)
{
    const uint32_t set_bits = ww_log2_u64(cfg->sets);
    if (cfg->va_bits < 12 + set_bits + 12) /* a tag of 12 bits or more leaves some for its delta */
        return false;
    w->tag = WW_TLBC_TAG_BITS(cfg->va_bits, set_bits);
    w->ppn = WW_TLBC_PPN_BITS(cfg->pa_bits);
    if (w->tag + w->ppn > SLOT_BITS)
        return false;
    w->ppn_delta = WW_TLBC_PPN_DELTA_BITS(w->ppn);
    w->tag_delta = WW_TLBC_TAG_DELTA_BITS(w->tag, w->ppn);
    w->tag_base = w->tag - w->tag_delta;
    w->ppn_base = w->ppn - w->ppn_delta;
    return true;
}

static size_t plan(struct ww_tlbc *t, const struct ww_tlbc_cfg *cfg)
{
    struct ww_tlbc_widths widths;
    if (!legal(cfg) || !derive(&widths, cfg))
        return 0;
    const size_t set_words = (size_t)cfg->sets * sizeof(uint64_t);
    memset(t, 0, sizeof *t);
    t->cfg = *cfg;
    t->widths = widths;
    t->set_bits = ww_log2_u64(cfg->sets);
    t->sizes = ww_bits_count(cfg->page_sizes);
    t->plain = cfg->ways - cfg->compressed_ways;
    t->all = t->plain + WW_TLBC_PER_SLOT * cfg->compressed_ways;
    t->slot_off = ww_align64(sizeof *t);
    t->side_off = ww_align64(t->slot_off + cfg->ways * set_words);
    t->base_off = ww_align64(t->side_off + t->all * set_words);
    t->set_off = ww_align64(t->base_off + set_words);
    t->bytes = ww_align64(t->set_off + set_words);
    return t->bytes;
}

size_t ww_tlbc_bytes(const struct ww_tlbc_cfg *cfg)
{
    struct ww_tlbc t;
    return plan(&t, cfg);
}

int ww_tlbc_init(struct ww_tlbc *t, size_t bytes, const struct ww_tlbc_cfg *cfg)
{
    struct ww_tlbc head;
    const int fault = ww_clear(t, bytes, plan(&head, cfg));
    if (fault != WW_OK)
        return fault;
    *t = head;
    return WW_OK;
}

uint64_t ww_tlbc_base(const struct ww_tlbc *t, uint32_t set)
{
    WW_ASSERT(set < t->cfg.sets);
    return WW_TLBC_CONST_WORDS(t, base_off)[set];
}

uint64_t ww_tlbc_set(const struct ww_tlbc *t, uint32_t set)
{
    WW_ASSERT(set < t->cfg.sets);
    return WW_TLBC_CONST_WORDS(t, set_off)[set];
}

uint64_t ww_tlbc_slot(const struct ww_tlbc *t, uint32_t set, uint32_t slot)
{
    WW_ASSERT(set < t->cfg.sets && slot < t->cfg.ways);
    return WW_TLBC_CONST_WORDS(t, slot_off)[(size_t)set * t->cfg.ways + slot];
}

static bool holdable(const struct ww_tlbc *t, uint64_t va)
{
    return va >> t->cfg.va_bits == 0;
}

static struct ww_tlbc_page page_for(const struct ww_tlbc *t, uint64_t va, uint16_t vmid, uint32_t shift)
{
    const struct ww_tlbc_page p = {.set = ww_set_index(t->cfg.index, va >> shift, t->set_bits),
                                   .shift = shift,
                                   .tag = va >> shift >> t->set_bits,
                                   .vmid = vmid};
    return p;
}

/* Returns the entry of the smallest page that covers va and sets *set; WW_TLBC_NONE: a miss. */
static uint32_t find(const struct ww_tlbc *t, uint64_t va, uint16_t vmid, uint32_t *set)
{
    uint32_t entry = WW_TLBC_NONE;
    if (!holdable(t, va))
        return WW_TLBC_NONE;
    for (uint32_t left = t->cfg.page_sizes; left != 0 && entry == WW_TLBC_NONE; left &= left - 1) {
        const struct ww_tlbc_page p = page_for(t, va, vmid, (uint32_t)__builtin_ctz(left));
        *set = p.set;
        entry = ww_tlbc_find_page(t, &p);
    }
    return entry;
}

static struct ww_xlat xlat_of(const struct ww_tlbc_page *p)
{
    struct ww_xlat x;
    x.page_pa = p->ppn << p->shift;
    x.page_shift = (uint8_t)p->shift;
    x.perm = p->perm;
    return x;
}

static void describe(const struct ww_tlbc *t, uint32_t set, uint32_t entry, struct ww_mapping *m)
{
    const struct ww_tlbc_page p = ww_tlbc_page_of(t, set, entry);
    const uint64_t high = p.tag << t->set_bits;
    m->va = (high | (set ^ ww_set_index(t->cfg.index, high, t->set_bits))) << p.shift;
    m->vmid = p.vmid;
    m->xlat = xlat_of(&p);
}

static bool lookup(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    struct ww_tlbc *t = store;
    uint32_t set = 0;
    const uint32_t entry = find(t, va, vmid, &set);
    if (entry == WW_TLBC_NONE)
        return false;
    const struct ww_tlbc_page p = ww_tlbc_page_of(t, set, entry);
    ww_tlbc_touch(t, set, entry);
    *out = xlat_of(&p);
    return true;
}

static bool probe(const void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    const struct ww_tlbc *t = store;
    uint32_t set = 0;
    const uint32_t entry = find(t, va, vmid, &set);
    if (entry == WW_TLBC_NONE)
        return false;
    const struct ww_tlbc_page p = ww_tlbc_page_of(t, set, entry);
    *out = xlat_of(&p);
    return true;
}

static bool take(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    struct ww_tlbc *t = store;
    uint32_t set = 0;
    const uint32_t entry = find(t, va, vmid, &set);
    if (entry == WW_TLBC_NONE)
        return false;
    const struct ww_tlbc_page p = ww_tlbc_page_of(t, set, entry);
    ww_tlbc_drop_entry(t, set, entry);
    *out = xlat_of(&p);
    return true;
}

/* Victims of an insert, in the order of eviction. */
struct leaving {
    struct ww_mapping *to; /* NULL: the caller does not want them */
    uint32_t n;
};

static void leave(struct ww_tlbc *t, uint32_t set, uint32_t entry, struct leaving *out)
{
    if (out->to != NULL)
        describe(t, set, entry, &out->to[out->n]);
    out->n += 1;
    ww_tlbc_drop_entry(t, set, entry);
}

/* Enters a page into a part as its newest entry: in the lowest free place, else in that of the least recently
 * used. */
static void enter(struct ww_tlbc *t, struct ww_tlbc_part part, const struct ww_tlbc_page *p,
                  struct leaving *out)
{
    uint32_t chosen = WW_TLBC_NONE;
    for (uint32_t entry = part.first; entry < part.end; ++entry) {
        if (!ww_tlbc_valid(t, p->set, entry)) {
            chosen = entry;
            break;
        }
        if (ww_tlbc_rank_of(t, p->set, entry) == part.end - part.first - 1)
            chosen = entry;
    }
    if (ww_tlbc_valid(t, p->set, chosen)) {
        leave(t, p->set, chosen, out);
        t->counts.displaced += 1;
    }
    t->live += 1;
    t->live_compressed += chosen >= t->plain;
    /* Enters it as the oldest, so that ww_tlbc_touch() ages all others. */
    ww_tlbc_put_side(t, p->set, chosen, WW_TLBC_RANK);
    ww_tlbc_put_page(t, chosen, p);
    ww_tlbc_touch(t, p->set, chosen);
}

/* Sets the set's bases to the page's and restarts its counter. */
static void set_base(struct ww_tlbc *t, const struct ww_tlbc_page *p)
{
    WW_TLBC_WORDS(t, base_off)[p->set] = ww_tlbc_base_for(t, p);
    WW_TLBC_WORDS(t, set_off)
    [p->set] = ww_bits_put(WW_TLBC_SET_LEFT, ww_bits_put(WW_TLBC_SET_VMID, 0, p->vmid), t->cfg.rebase_after);
}

/* Counts a page that does not compress; empties the compressed part when the counter gets to 0. */
static void count_failure(struct ww_tlbc *t, uint32_t set, struct leaving *out)
{
    uint64_t *word = &WW_TLBC_WORDS(t, set_off)[set];
    const uint64_t left = ww_bits_get(WW_TLBC_SET_LEFT, *word) - 1;
    t->counts.failures += 1;
    *word = ww_bits_put(WW_TLBC_SET_LEFT, *word, left);
    if (left != 0)
        return;
    for (uint32_t entry = t->plain; entry < t->all; ++entry) {
        if (!ww_tlbc_valid(t, set, entry))
            continue;
        leave(t, set, entry, out);
        t->counts.rebased += 1;
    }
    *word = 0;
    t->counts.rebases += 1;
}

/* Enters a page that is not held: compressed if it has the set's bases, else plain. */
static void place(struct ww_tlbc *t, const struct ww_tlbc_page *p, struct leaving *out)
{
    if (t->cfg.compressed_ways != 0) {
        if (!ww_tlbc_based(t, p->set))
            set_base(t, p);
        if (ww_tlbc_compresses(t, p)) {
            enter(t, ww_tlbc_compressed_part(t), p, out);
            t->counts.compressed += 1;
            return;
        }
        count_failure(t, p->set, out);
    }
    enter(t, ww_tlbc_plain_part(t), p, out);
    t->counts.plain += 1;
}

/* Updates the translation of a held page, in place if it fits there. */
static void refresh(struct ww_tlbc *t, uint32_t entry, const struct ww_tlbc_page *p, struct leaving *out)
{
    if (entry >= t->plain && !ww_tlbc_compresses(t, p)) {
        ww_tlbc_drop_entry(t, p->set, entry);
        place(t, p, out);
        return;
    }
    ww_tlbc_put_page(t, entry, p);
    ww_tlbc_touch(t, p->set, entry);
}

static struct ww_store_entered insert(void *store, const struct ww_mapping *m, struct ww_mapping *victims)
{
    struct ww_tlbc *t = store;
    const struct ww_xlat *x = &m->xlat;
    WW_ASSERT(x->page_shift < 32 && (t->cfg.page_sizes >> x->page_shift & 1) != 0);
    WW_ASSERT((x->page_pa & ww_page_mask(x->page_shift)) == 0);
    WW_ASSERT(x->page_pa >> t->cfg.pa_bits == 0);
    if (!holdable(t, m->va))
        return (struct ww_store_entered){WW_STORE_REFUSED, 0};
    struct ww_tlbc_page p = page_for(t, m->va, m->vmid, x->page_shift);
    p.ppn = x->page_pa >> x->page_shift;
    p.perm = x->perm;
    struct leaving out = {victims, 0};
    const uint32_t entry = ww_tlbc_find_page(t, &p);
    if (entry == WW_TLBC_NONE)
        place(t, &p, &out);
    else
        refresh(t, entry, &p, &out);
    return (struct ww_store_entered){entry == WW_TLBC_NONE ? WW_STORE_KEPT : WW_STORE_REFRESHED, out.n};
}

static uint32_t invalidate(void *store, const struct ww_inval_scope *scope)
{
    struct ww_tlbc *t = store;
    uint32_t dropped = 0;
    for (uint32_t set = 0; set < t->cfg.sets; ++set)
        for (uint32_t entry = 0; entry < t->all; ++entry) {
            struct ww_mapping m;
            if (!ww_tlbc_valid(t, set, entry))
                continue;
            describe(t, set, entry, &m);
            if (!ww_inval_covers(scope, m.va, m.xlat.page_shift, m.vmid))
                continue;
            ww_tlbc_drop_entry(t, set, entry);
            dropped += 1;
        }
    return dropped;
}

static void flush(void *store)
{
    struct ww_tlbc *t = store;
    memset(WW_TLBC_WORDS(t, slot_off), 0, (size_t)(t->bytes - t->slot_off));
    t->live = 0;
    t->live_compressed = 0;
}

static uint32_t most_victims(const void *store)
{
    const struct ww_tlbc *t = store;
    return t->all - t->plain + 1;
}

static uint32_t count(const void *store)
{
    return ((const struct ww_tlbc *)store)->live;
}

static uint32_t probes(const void *store)
{
    return ((const struct ww_tlbc *)store)->sizes;
}

uint32_t ww_tlbc_capacity(const struct ww_tlbc *t)
{
    return t->cfg.sets * t->all;
}

uint32_t ww_tlbc_slots_used(const struct ww_tlbc *t)
{
    uint32_t used = t->live - t->live_compressed;
    for (uint32_t set = 0; set < t->cfg.sets; ++set)
        for (uint32_t entry = t->plain; entry < t->all; entry += WW_TLBC_PER_SLOT)
            used += ww_tlbc_valid(t, set, entry) || ww_tlbc_valid(t, set, entry + 1);
    return used;
}

/* Per slot tag and frame; per entry valid, page size and place in the order of use; per plain entry VM-ID and
 * permissions (a compressed one's are in its share); per set bases, VM-ID and counter. */
uint64_t ww_tlbc_bits(const struct ww_tlbc *t, uint32_t vmid_bits)
{
    const struct ww_tlbc_widths *w = &t->widths;
    const uint32_t compressed = t->all - t->plain, every = 1 + ww_name_bits(t->sizes);
    const uint64_t slots = (uint64_t)t->cfg.ways * (w->tag + w->ppn);
    const uint64_t plain = (uint64_t)t->plain * (every + ww_name_bits(t->plain) + vmid_bits + PERM_BITS);
    const uint64_t halves = (uint64_t)compressed * (every + ww_name_bits(compressed));
    const uint64_t base = w->tag_base + w->ppn_base + vmid_bits + ww_name_bits(t->cfg.rebase_after + 1u);
    return t->cfg.sets * (slots + plain + halves + (compressed == 0 ? 0 : base));
}

static uint64_t bits(const void *store, const struct ww_widths *w)
{
    return ww_tlbc_bits(store, w->vmid);
}

/* True if the ranks of the n valid entries of a part are 0 to n - 1, each once. */
static bool in_order(const struct ww_tlbc *t, uint32_t set, struct ww_tlbc_part part)
{
    uint64_t ranks = 0;
    uint32_t held = 0;
    for (uint32_t entry = part.first; entry < part.end; ++entry) {
        held += ww_tlbc_valid(t, set, entry);
        ranks |= ww_tlbc_valid(t, set, entry) ? (uint64_t)1 << ww_tlbc_rank_of(t, set, entry) : 0;
    }
    return ranks == ww_tlbc_low_mask(held);
}

static const char *check_entry(const struct ww_tlbc *t, uint32_t set, uint32_t entry)
{
    if (!ww_tlbc_valid(t, set, entry))
        return ww_tlbc_side_of(t, set, entry) == 0
                   ? NULL
                   : "tlb_compressed: something of an entry that is not there";
    const struct ww_tlbc_page p = ww_tlbc_page_of(t, set, entry);
    if ((t->cfg.page_sizes >> p.shift & 1) == 0)
        return "tlb_compressed: a page size that is not configured";
    if (entry >= t->plain && !ww_tlbc_based(t, set))
        return "tlb_compressed: a compressed entry without a base";
    return ww_tlbc_find_page(t, &p) == entry ? NULL : "tlb_compressed: a page is held twice";
}

static const char *check(const void *store)
{
    const struct ww_tlbc *t = store;
    uint32_t live = 0, live_compressed = 0;
    for (uint32_t set = 0; set < t->cfg.sets; ++set) {
        for (uint32_t entry = 0; entry < t->all; ++entry) {
            const char *broken = check_entry(t, set, entry);
            if (broken != NULL)
                return broken;
            live += ww_tlbc_valid(t, set, entry);
            live_compressed += entry >= t->plain && ww_tlbc_valid(t, set, entry);
        }
        if (!in_order(t, set, ww_tlbc_plain_part(t)) || !in_order(t, set, ww_tlbc_compressed_part(t)))
            return "tlb_compressed: the order of use of a part has a gap";
        if (ww_tlbc_base(t, set) >> (t->widths.tag_base + t->widths.ppn_base) != 0)
            return "tlb_compressed: bases with more bits than they have";
    }
    return live == t->live && live_compressed == t->live_compressed ? NULL
                                                                    : "tlb_compressed: a count is wrong";
}

const struct ww_store_kind ww_tlbc_store = {
    .name = "tlb_compressed",
    .lookup = lookup,
    .probe = probe,
    .insert = insert,
    .most_victims = most_victims,
    .take = take,
    .invalidate = invalidate,
    .flush = flush,
    .count = count,
    .probes = probes,
    .check = check,
    .bits = bits,
};

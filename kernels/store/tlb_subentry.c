/* SPDX-License-Identifier: MIT */
/* kernels/store/tlb_subentry.c - see tlb_subentry.h. Blob: header, tag store (assoc.h), sub-entries by slot,
 * second keys by slot. If a base loses its last page and its place stays in use, its key stays until that of
 * another group replaces it: a key without a page never hits, and a page of the group that returns finds its
 * place. */
#include "kernels/store/tlb_subentry.h"

#include <string.h>

#define KEY_GROUP WW_BITS64(44, 0) /* [44:0]  page number / pages of a place */
#define KEY_SIZE WW_BITS64(47, 45) /* [47:45] size code, never 0 in a place in use */
#define KEY_VMID WW_BITS64(63, 48) /* [63:48] */
WW_STATIC_ASSERT((KEY_GROUP | KEY_SIZE | KEY_VMID) == UINT64_MAX, "every bit of the key is named");
WW_STATIC_ASSERT(KEY_GROUP + KEY_SIZE + KEY_VMID == UINT64_MAX, "the fields of the key are disjoint");
WW_STATIC_ASSERT((WW_TLBS_FRAME | WW_TLBS_BASE | WW_TLBS_VALID | WW_TLBS_PERM) ==
                     WW_TLBS_FRAME + WW_TLBS_BASE + WW_TLBS_VALID + WW_TLBS_PERM,
                 "disjoint");

#define VA_BITS 57
#define PERMISSIONS 3 /* bits: read, write, execute */
#define SMALLEST_SHIFT 12
#define LARGEST_SHIFT 30

/* A page's set, the key of its place, and its number in its group. */
struct where {
    uint64_t key;
    uint32_t set, page;
};

/* A page's slot, which of the two bases of that place its group is, and its sub-entry. If no place has its
 * group, the slot is WW_ASSOC_NONE. */
struct spot {
    uint32_t slot, base, sub;
};

static struct where where_of(const struct ww_tlbs *t, uint64_t va, uint32_t code, uint16_t vmid)
{
    const uint64_t vpn = va >> t->shift_of[code], group = vpn >> t->page_bits;
    return (struct where){.key = group | (uint64_t)code << 45 | (uint64_t)vmid << 48,
                          .set = ww_set_index(t->cfg.index, group, t->set_bits),
                          .page = (uint32_t)vpn & (t->cfg.pages - 1)};
}

static uint64_t *subs_of(struct ww_tlbs *t, uint32_t slot)
{
    return (uint64_t *)(void *)((unsigned char *)t + t->sub_off) + (size_t)slot * t->cfg.pages;
}

static const uint64_t *const_subs_of(const struct ww_tlbs *t, uint32_t slot)
{
    return (const uint64_t *)(const void *)((const unsigned char *)t + t->sub_off) +
           (size_t)slot * t->cfg.pages;
}

static bool shares(const struct ww_tlbs *t)
{
    return t->cfg.share != WW_TLBS_SHARE_OFF;
}

/* Required: `share` is on. */
static uint64_t *seconds(struct ww_tlbs *t)
{
    return (uint64_t *)(void *)((unsigned char *)t + t->second_off);
}

static const uint64_t *const_seconds(const struct ww_tlbs *t)
{
    return (const uint64_t *)(const void *)((const unsigned char *)t + t->second_off);
}

static bool valid(const struct ww_tlbs *t, uint32_t slot, uint32_t sub)
{
    return (const_subs_of(t, slot)[sub] & WW_TLBS_VALID) != 0;
}

static uint32_t base_at(const struct ww_tlbs *t, uint32_t slot, uint32_t sub)
{
    return (uint32_t)ww_bits_get(WW_TLBS_BASE, const_subs_of(t, slot)[sub]);
}

/* True if the sub-entry holds a page of this base. */
static bool holds(const struct ww_tlbs *t, struct spot s)
{
    return valid(t, s.slot, s.sub) && base_at(t, s.slot, s.sub) == s.base;
}

/* Converts a page number of a base to its sub-entry, or back. */
static uint32_t turned(const struct ww_tlbs *t, uint32_t base, uint32_t number)
{
    return base == 0 ? number : number ^ (t->cfg.pages - 1);
}

static struct spot spot_of(const struct ww_tlbs *t, const struct where *w)
{
    const uint32_t slot = ww_assoc_find(&t->tags, t, w->set, w->key), first = w->set * t->tags.stride;
    if (slot != WW_ASSOC_NONE)
        return (struct spot){slot, 0, w->page};
    for (uint32_t way = 0; shares(t) && way < t->cfg.ways; ++way)
        if (const_seconds(t)[first + way] == w->key)
            return (struct spot){first + way, 1, turned(t, 1, w->page)};
    return (struct spot){WW_ASSOC_NONE, 0, 0};
}

/* Required: the sub-entry is valid. */
static struct ww_mapping mapping_at(const struct ww_tlbs *t, uint32_t slot, uint32_t sub)
{
    const uint32_t base = base_at(t, slot, sub);
    const uint64_t key = base == 0 ? ww_assoc_keys(&t->tags, t)[slot] : const_seconds(t)[slot];
    const uint64_t word = const_subs_of(t, slot)[sub];
    const uint8_t shift = t->shift_of[ww_bits_get(KEY_SIZE, key)];
    return (struct ww_mapping){.va = (ww_bits_get(KEY_GROUP, key) << t->page_bits | turned(t, base, sub))
                                     << shift,
                               .xlat = {.page_pa = word & WW_TLBS_FRAME,
                                        .page_shift = shift,
                                        .perm = (uint8_t)ww_bits_get(WW_TLBS_PERM, word)},
                               .vmid = (uint16_t)ww_bits_get(KEY_VMID, key)};
}

/* Pages held in a slot, by base. */
struct held {
    uint32_t of[2];
};

static struct held held_at(const struct ww_tlbs *t, uint32_t slot)
{
    struct held n = {{0, 0}};
    for (uint32_t sub = 0; sub < t->cfg.pages; ++sub)
        n.of[base_at(t, slot, sub)] += valid(t, slot, sub);
    return n;
}

static size_t plan(struct ww_tlbs *t, const struct ww_tlbs_cfg *cfg)
{
    const uint32_t legal_sizes = (uint32_t)WW_BITS64(LARGEST_SHIFT, SMALLEST_SHIFT);
    if (!ww_is_pow2(cfg->sets) || !ww_is_pow2(cfg->pages) || cfg->pages > WW_TLBS_MAX_PAGES ||
        cfg->page_sizes == 0 || (cfg->page_sizes & ~legal_sizes) != 0 ||
        ww_bits_count(cfg->page_sizes) > WW_TLBS_MAX_SIZES || cfg->index > WW_INDEX_XOR ||
        cfg->fill > WW_TLBS_FILL_ALL || cfg->share > WW_TLBS_SHARE_ANY)
        return 0;
    memset(t, 0, sizeof *t);
    t->cfg = *cfg;
    t->set_bits = ww_log2_u64(cfg->sets);
    t->page_bits = ww_log2_u64(cfg->pages);
    t->sizes = ww_size_codes(cfg->page_sizes, t->code_of, t->shift_of);
    const size_t end = ww_assoc_plan(&t->tags, cfg->sets, cfg->ways, sizeof *t);
    if (end == 0)
        return 0;
    const size_t slots = ww_assoc_slots(&t->tags);
    t->sub_off = end;
    t->second_off = ww_align64(end + slots * cfg->pages * sizeof(uint64_t));
    t->bytes = ww_align64(t->second_off + (shares(t) ? slots * sizeof(uint64_t) : 0));
    return t->bytes;
}

size_t ww_tlbs_bytes(const struct ww_tlbs_cfg *cfg)
{
    struct ww_tlbs t;
    return plan(&t, cfg);
}

int ww_tlbs_init(struct ww_tlbs *t, size_t bytes, const struct ww_tlbs_cfg *cfg)
{
    struct ww_tlbs head;
    const int fault = ww_clear(t, bytes, plan(&head, cfg));
    if (fault != WW_OK)
        return fault;
    *t = head;
    return WW_OK;
}

uint32_t ww_tlbs_places_used(const struct ww_tlbs *t)
{
    return t->tags.live;
}

uint32_t ww_tlbs_places_shared(const struct ww_tlbs *t)
{
    uint32_t n = 0;
    for (uint32_t slot = 0; slot < ww_assoc_slots(&t->tags); ++slot) {
        const struct held pages = held_at(t, slot);
        n += pages.of[0] != 0 && pages.of[1] != 0;
    }
    return n;
}

/* Returns the slot of the smallest page that covers va and sets *sub to its sub-entry; WW_ASSOC_NONE: a
 * miss. */
static uint32_t find(const struct ww_tlbs *t, uint64_t va, uint16_t vmid, uint32_t *sub)
{
    WW_ASSERT(va >> VA_BITS == 0);
    for (uint32_t code = 1; code <= t->sizes; ++code) {
        const struct where w = where_of(t, va, code, vmid);
        const struct spot s = spot_of(t, &w);
        if (s.slot != WW_ASSOC_NONE && holds(t, s)) {
            *sub = s.sub;
            return s.slot;
        }
    }
    return WW_ASSOC_NONE;
}

static bool lookup(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    struct ww_tlbs *t = store;
    uint32_t sub = 0;
    const uint32_t slot = find(t, va, vmid, &sub);
    if (slot == WW_ASSOC_NONE)
        return false;
    ww_assoc_touch(&t->tags, t, slot);
    *out = mapping_at(t, slot, sub).xlat;
    return true;
}

static bool probe(const void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    const struct ww_tlbs *t = store;
    uint32_t sub = 0;
    const uint32_t slot = find(t, va, vmid, &sub);
    if (slot == WW_ASSOC_NONE)
        return false;
    *out = mapping_at(t, slot, sub).xlat;
    return true;
}

static void forget_second(struct ww_tlbs *t, uint32_t slot)
{
    if (shares(t))
        seconds(t)[slot] = 0;
}

/* Dropping the last page of a place frees the place. */
static void drop(struct ww_tlbs *t, uint32_t slot, uint32_t sub)
{
    uint64_t *subs = subs_of(t, slot);
    subs[sub] = 0;
    t->live -= 1;
    for (uint32_t other = 0; other < t->cfg.pages; ++other)
        if (subs[other] != 0)
            return;
    forget_second(t, slot);
    ww_assoc_drop(&t->tags, t, slot);
}

static bool take(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    struct ww_tlbs *t = store;
    uint32_t sub = 0;
    const uint32_t slot = find(t, va, vmid, &sub);
    if (slot == WW_ASSOC_NONE)
        return false;
    *out = mapping_at(t, slot, sub).xlat;
    drop(t, slot, sub);
    return true;
}

/* Evicts all pages of a place to make room for another group. Returns how many. The first key stays: the
 * caller overwrites it. */
static uint32_t displace(struct ww_tlbs *t, uint32_t slot, struct ww_mapping *victims)
{
    uint32_t n = 0;
    for (uint32_t sub = 0; sub < t->cfg.pages; ++sub) {
        if (!valid(t, slot, sub))
            continue;
        if (victims != NULL)
            victims[n] = mapping_at(t, slot, sub);
        subs_of(t, slot)[sub] = 0;
        n += 1;
    }
    forget_second(t, slot);
    t->live -= n;
    t->counts.places += n != 0;
    t->counts.displaced += n;
    return n;
}

/* Gives a group a base in a free place, or in the least recently used one, and makes it the most recently
 * used. A used place with few pages, all of one base, takes the group as its other base; else its pages are
 * evicted. Younger places are not considered: they may still be filling. */
static struct spot room(struct ww_tlbs *t, const struct where *w, struct ww_mapping *victims, uint32_t *left)
{
    const uint32_t slot = ww_assoc_victim(&t->tags, t, w->set);
    const struct held pages = held_at(t, slot);
    const uint32_t few = t->cfg.pages >> (WW_TLBS_SHARE_ANY - t->cfg.share);
    const bool one_base = (pages.of[0] == 0) != (pages.of[1] == 0);
    const bool stays = shares(t) && one_base && pages.of[0] + pages.of[1] <= few;
    const uint32_t base = stays && pages.of[0] != 0;
    if (stays)
        t->counts.shared += 1;
    else
        *left = displace(t, slot, victims);
    if (base == 0) {
        ww_assoc_put(&t->tags, t, slot, w->key);
    } else {
        seconds(t)[slot] = w->key;
        ww_assoc_touch(&t->tags, t, slot);
    }
    return (struct spot){slot, base, turned(t, base, w->page)};
}

static struct ww_store_entered insert(void *store, const struct ww_mapping *m, struct ww_mapping *victims)
{
    struct ww_tlbs *t = store;
    const struct ww_xlat *x = &m->xlat;
    struct ww_store_entered e = {WW_STORE_KEPT, 0};
    WW_ASSERT(m->va >> VA_BITS == 0 && x->page_shift <= LARGEST_SHIFT && t->code_of[x->page_shift] != 0);
    WW_ASSERT((x->page_pa & ww_page_mask(x->page_shift)) == 0);
    const struct where w = where_of(t, m->va, t->code_of[x->page_shift], m->vmid);
    struct spot s = spot_of(t, &w);
    if (s.slot == WW_ASSOC_NONE) {
        s = room(t, &w, victims, &e.victims);
    } else {
        ww_assoc_touch(&t->tags, t, s.slot);
        if (holds(t, s))
            e.result = WW_STORE_REFRESHED;
        else
            t->counts.beside += 1;
    }
    if (e.result == WW_STORE_KEPT && valid(t, s.slot, s.sub)) { /* evicts a page of the other base */
        if (victims != NULL)
            victims[0] = mapping_at(t, s.slot, s.sub);
        e.victims = 1;
        t->counts.ousted += 1;
        t->live -= 1;
    }
    t->live += e.result == WW_STORE_KEPT;
    subs_of(t, s.slot)[s.sub] = x->page_pa | WW_TLBS_VALID | x->perm | (uint64_t)s.base << 9;
    return e;
}

WW_STATIC_ASSERT(WW_TLBS_MAX_PAGES - 1 <= WW_STORE_MOST_BESIDE, "all of a place beside one of them");

static uint32_t beside(const void *store, const struct ww_mapping *m, uint64_t *va)
{
    const struct ww_tlbs *t = store;
    if (t->cfg.fill == WW_TLBS_FILL_ONE)
        return 0;
    const uint8_t shift = m->xlat.page_shift;
    const struct where w = where_of(t, m->va, t->code_of[shift], m->vmid);
    const struct spot s = spot_of(t, &w);
    const uint64_t first_vpn = (m->va >> shift) - w.page;
    uint32_t n = 0;
    for (uint32_t page = 0; page < t->cfg.pages; ++page)
        if (page != w.page &&
            (s.slot == WW_ASSOC_NONE || !holds(t, (struct spot){s.slot, s.base, turned(t, s.base, page)})))
            va[n++] = (first_vpn + page) << shift;
    return n;
}

static uint32_t invalidate(void *store, const struct ww_inval_scope *scope)
{
    struct ww_tlbs *t = store;
    const uint64_t *keys = ww_assoc_keys(&t->tags, t);
    uint32_t dropped = 0;
    for (uint32_t slot = 0; slot < ww_assoc_slots(&t->tags); ++slot)
        for (uint32_t sub = 0; sub < t->cfg.pages && keys[slot] != 0; ++sub) {
            if (!valid(t, slot, sub))
                continue;
            const struct ww_mapping m = mapping_at(t, slot, sub);
            if (!ww_inval_covers(scope, m.va, m.xlat.page_shift, m.vmid))
                continue;
            drop(t, slot, sub);
            dropped += 1;
        }
    return dropped;
}

static void flush(void *store)
{
    struct ww_tlbs *t = store;
    ww_assoc_flush(&t->tags, t);
    memset(subs_of(t, 0), 0, (size_t)(t->bytes - t->sub_off));
    t->live = 0;
}

/* Returns NULL, or what is wrong with a key in use. */
static const char *check_key(const struct ww_tlbs *t, uint32_t slot, uint64_t key)
{
    const uint64_t code = ww_bits_get(KEY_SIZE, key);
    if (code == 0 || code > t->sizes)
        return "tlb_subentry: a place of a page size that is not configured";
    return slot / t->tags.stride == ww_set_index(t->cfg.index, ww_bits_get(KEY_GROUP, key), t->set_bits)
               ? NULL
               : "tlb_subentry: a place in the wrong set";
}

static const char *check_slot(const struct ww_tlbs *t, uint32_t slot)
{
    const uint64_t key = ww_assoc_keys(&t->tags, t)[slot], second = shares(t) ? const_seconds(t)[slot] : 0;
    for (uint32_t sub = 0; sub < t->cfg.pages; ++sub) {
        if (const_subs_of(t, slot)[sub] == 0)
            continue;
        if (key == 0 || !valid(t, slot, sub))
            return "tlb_subentry: something of a page that is not there";
        if (base_at(t, slot, sub) != 0 && second == 0)
            return "tlb_subentry: a page of a second base that is not there";
    }
    if (key == 0)
        return second == 0 ? NULL : "tlb_subentry: a second base of a place that is not in use";
    const char *broken = check_key(t, slot, key);
    if (broken == NULL && second != 0)
        broken = check_key(t, slot, second);
    if (broken != NULL)
        return broken;
    if (second != 0) {
        const struct where w = {second, slot / t->tags.stride, 0};
        const struct spot s = spot_of(t, &w);
        if (s.base == 0 || s.slot != slot)
            return "tlb_subentry: a base is held twice";
    }
    const struct held pages = held_at(t, slot);
    return pages.of[0] + pages.of[1] != 0 ? NULL : "tlb_subentry: a place in use without a page";
}

static const char *check(const void *store)
{
    const struct ww_tlbs *t = store;
    uint32_t live = 0;
    const char *broken = ww_assoc_check(&t->tags, t);
    for (uint32_t slot = 0; slot < ww_assoc_slots(&t->tags) && broken == NULL; ++slot) {
        broken = check_slot(t, slot);
        const struct held pages = held_at(t, slot);
        live += pages.of[0] + pages.of[1];
    }
    if (broken != NULL)
        return broken;
    return live == t->live ? NULL : "tlb_subentry: the count of pages is wrong";
}

static uint32_t most_victims(const void *store)
{
    return ((const struct ww_tlbs *)store)->cfg.pages;
}

static uint32_t count(const void *store)
{
    return ((const struct ww_tlbs *)store)->live;
}

static uint32_t probes(const void *store)
{
    return ((const struct ww_tlbs *)store)->sizes;
}

static uint64_t bits(const void *store, const struct ww_widths *w)
{
    const struct ww_tlbs *t = store;
    const uint64_t places = (uint64_t)t->cfg.sets * t->cfg.ways;
    const uint32_t tag = w->va - w->page_shift - t->page_bits - t->set_bits + w->vmid;
    const uint32_t bases = shares(t) ? 2 : 1;
    const uint64_t page = 1 + (w->pa - w->page_shift) + PERMISSIONS + ww_name_bits(bases);
    const uint64_t key = (uint64_t)tag + ww_name_bits(t->sizes);
    return places * (bases * key + t->cfg.pages * page) + ww_lru_bits(t->cfg.sets, t->cfg.ways);
}

const struct ww_store_kind ww_tlbs_store = {
    .name = "tlb_subentry",
    .lookup = lookup,
    .probe = probe,
    .insert = insert,
    .most_victims = most_victims,
    .beside = beside,
    .take = take,
    .invalidate = invalidate,
    .flush = flush,
    .count = count,
    .probes = probes,
    .check = check,
    .bits = bits,
};

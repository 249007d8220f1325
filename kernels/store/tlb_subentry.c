/* SPDX-License-Identifier: MIT */
/* kernels/store/tlb_subentry.c - see tlb_subentry.h. Blob: header, tag store (assoc.h), sub-entries by slot.
 */
#include "kernels/store/tlb_subentry.h"

#include <string.h>

#define KEY_GROUP WW_BITS64(44, 0) /* [44:0]  page number / pages of a place */
#define KEY_SIZE WW_BITS64(47, 45) /* [47:45] size code, never 0 in a place in use */
#define KEY_VMID WW_BITS64(63, 48) /* [63:48] */
WW_STATIC_ASSERT((KEY_GROUP | KEY_SIZE | KEY_VMID) == UINT64_MAX, "every bit of the key is named");
WW_STATIC_ASSERT(KEY_GROUP + KEY_SIZE + KEY_VMID == UINT64_MAX, "the fields of the key are disjoint");
WW_STATIC_ASSERT((WW_TLBS_FRAME | WW_TLBS_VALID | WW_TLBS_PERM) ==
                     WW_TLBS_FRAME + WW_TLBS_VALID + WW_TLBS_PERM,
                 "disjoint");

#define VA_BITS 57
#define PERMISSIONS 3 /* bits: read, write, execute */
#define SMALLEST_SHIFT 12
#define LARGEST_SHIFT 30

/* Of a page: its set, the key of its place, and which of the place's sub-entries is its own. */
struct where {
    uint64_t key;
    uint32_t set, sub;
};

static struct where where_of(const struct ww_tlbs *t, uint64_t va, uint32_t code, uint16_t vmid)
{
    const uint64_t vpn = va >> t->shift_of[code], group = vpn >> t->page_bits;
    return (struct where){.key = group | (uint64_t)code << 45 | (uint64_t)vmid << 48,
                          .set = ww_set_index(t->cfg.index, group, t->set_bits),
                          .sub = (uint32_t)vpn & (t->cfg.pages - 1)};
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

static bool valid(const struct ww_tlbs *t, uint32_t slot, uint32_t sub)
{
    return (const_subs_of(t, slot)[sub] & WW_TLBS_VALID) != 0;
}

/* Of a valid sub-entry. */
static struct ww_mapping mapping_at(const struct ww_tlbs *t, uint32_t slot, uint32_t sub)
{
    const uint64_t key = ww_assoc_keys(&t->tags, t)[slot], word = const_subs_of(t, slot)[sub];
    const uint8_t shift = t->shift_of[ww_bits_get(KEY_SIZE, key)];
    return (struct ww_mapping){.va = (ww_bits_get(KEY_GROUP, key) << t->page_bits | sub) << shift,
                               .xlat = {.page_pa = word & WW_TLBS_FRAME,
                                        .page_shift = shift,
                                        .perm = (uint8_t)ww_bits_get(WW_TLBS_PERM, word)},
                               .vmid = (uint16_t)ww_bits_get(KEY_VMID, key)};
}

static size_t plan(struct ww_tlbs *t, const struct ww_tlbs_cfg *cfg)
{
    const uint32_t legal_sizes = (uint32_t)WW_BITS64(LARGEST_SHIFT, SMALLEST_SHIFT);
    if (!ww_is_pow2(cfg->sets) || !ww_is_pow2(cfg->pages) || cfg->pages > WW_TLBS_MAX_PAGES ||
        cfg->page_sizes == 0 || (cfg->page_sizes & ~legal_sizes) != 0 ||
        ww_bits_count(cfg->page_sizes) > WW_TLBS_MAX_SIZES || cfg->index > WW_INDEX_XOR ||
        cfg->fill > WW_TLBS_FILL_ALL)
        return 0;
    memset(t, 0, sizeof *t);
    t->cfg = *cfg;
    t->set_bits = ww_log2_u64(cfg->sets);
    t->page_bits = ww_log2_u64(cfg->pages);
    t->sizes = ww_size_codes(cfg->page_sizes, t->code_of, t->shift_of);
    const size_t end = ww_assoc_plan(&t->tags, cfg->sets, cfg->ways, sizeof *t);
    if (end == 0)
        return 0;
    t->sub_off = end;
    t->bytes = ww_align64(end + (size_t)ww_assoc_slots(&t->tags) * cfg->pages * sizeof(uint64_t));
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

/* Slot of the smallest page that covers va, its sub-entry in *sub; WW_ASSOC_NONE on a miss. */
static uint32_t find(const struct ww_tlbs *t, uint64_t va, uint16_t vmid, uint32_t *sub)
{
    WW_ASSERT(va >> VA_BITS == 0);
    for (uint32_t code = 1; code <= t->sizes; ++code) {
        const struct where w = where_of(t, va, code, vmid);
        const uint32_t slot = ww_assoc_find(&t->tags, t, w.set, w.key);
        if (slot != WW_ASSOC_NONE && valid(t, slot, w.sub)) {
            *sub = w.sub;
            return slot;
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

/* A page goes, and with the last one its place. */
static void drop(struct ww_tlbs *t, uint32_t slot, uint32_t sub)
{
    uint64_t *subs = subs_of(t, slot);
    subs[sub] = 0;
    t->live -= 1;
    for (uint32_t other = 0; other < t->cfg.pages; ++other)
        if (subs[other] != 0)
            return;
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

/* All pages of a place leave for another group; so many. The key stays, for the next to be put over it. */
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
    t->live -= n;
    t->counts.places += n != 0;
    t->counts.displaced += n;
    return n;
}

static struct ww_store_entered insert(void *store, const struct ww_mapping *m, struct ww_mapping *victims)
{
    struct ww_tlbs *t = store;
    const struct ww_xlat *x = &m->xlat;
    struct ww_store_entered e = {WW_STORE_KEPT, 0};
    WW_ASSERT(m->va >> VA_BITS == 0 && x->page_shift <= LARGEST_SHIFT && t->code_of[x->page_shift] != 0);
    WW_ASSERT((x->page_pa & ww_page_mask(x->page_shift)) == 0);
    const struct where w = where_of(t, m->va, t->code_of[x->page_shift], m->vmid);
    uint32_t slot = ww_assoc_find(&t->tags, t, w.set, w.key);
    if (slot == WW_ASSOC_NONE) {
        slot = ww_assoc_victim(&t->tags, t, w.set);
        e.victims = displace(t, slot, victims);
        ww_assoc_put(&t->tags, t, slot, w.key);
    } else {
        ww_assoc_touch(&t->tags, t, slot);
        if (valid(t, slot, w.sub))
            e.result = WW_STORE_REFRESHED;
        else
            t->counts.beside += 1;
    }
    t->live += e.result == WW_STORE_KEPT;
    subs_of(t, slot)[w.sub] = x->page_pa | WW_TLBS_VALID | x->perm;
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
    const uint32_t slot = ww_assoc_find(&t->tags, t, w.set, w.key);
    const uint64_t first_vpn = (m->va >> shift) - w.sub;
    uint32_t n = 0;
    for (uint32_t sub = 0; sub < t->cfg.pages; ++sub)
        if (sub != w.sub && (slot == WW_ASSOC_NONE || !valid(t, slot, sub)))
            va[n++] = (first_vpn + sub) << shift;
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

/* Pages of a slot. */
static uint32_t held_at(const struct ww_tlbs *t, uint32_t slot)
{
    uint32_t n = 0;
    for (uint32_t sub = 0; sub < t->cfg.pages; ++sub)
        n += valid(t, slot, sub);
    return n;
}

static const char *check_slot(const struct ww_tlbs *t, uint32_t slot)
{
    const uint64_t key = ww_assoc_keys(&t->tags, t)[slot];
    const uint64_t code = ww_bits_get(KEY_SIZE, key);
    for (uint32_t sub = 0; sub < t->cfg.pages; ++sub)
        if (const_subs_of(t, slot)[sub] != 0 && (key == 0 || !valid(t, slot, sub)))
            return "tlb_subentry: something of a page that is not there";
    if (key == 0)
        return NULL;
    if (code == 0 || code > t->sizes)
        return "tlb_subentry: a place of a page size that is not configured";
    if (slot / t->tags.stride != ww_set_index(t->cfg.index, ww_bits_get(KEY_GROUP, key), t->set_bits))
        return "tlb_subentry: a place in the wrong set";
    return held_at(t, slot) != 0 ? NULL : "tlb_subentry: a place in use without a page";
}

static const char *check(const void *store)
{
    const struct ww_tlbs *t = store;
    uint32_t live = 0;
    const char *broken = ww_assoc_check(&t->tags, t);
    for (uint32_t slot = 0; slot < ww_assoc_slots(&t->tags) && broken == NULL; ++slot) {
        broken = check_slot(t, slot);
        live += held_at(t, slot);
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
    const uint64_t page = 1 + (w->pa - w->page_shift) + PERMISSIONS;
    return places * (tag + ww_name_bits(t->sizes) + t->cfg.pages * page) +
           ww_lru_bits(t->cfg.sets, t->cfg.ways);
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

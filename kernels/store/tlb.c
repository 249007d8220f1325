/* SPDX-License-Identifier: MIT */
/* kernels/store/tlb.c - see tlb.h. Blob: header, tag store (assoc.h), one translation word per slot. */
#include "kernels/store/tlb.h"

#include <string.h>

#define KEY_VPN                                                                                              \
    WW_BITS64(44, 0) /* [44:0]  va >> page_shift; 45 bits serve 57-bit addresses of 4 KiB pages              \
                      */
#define KEY_SIZE WW_BITS64(47, 45) /* [47:45] size code, never 0 in a valid entry */
#define KEY_VMID WW_BITS64(63, 48) /* [63:48] */
WW_STATIC_ASSERT((KEY_VPN | KEY_SIZE | KEY_VMID) == UINT64_MAX, "every bit of the key is named");
WW_STATIC_ASSERT(KEY_VPN + KEY_SIZE + KEY_VMID == UINT64_MAX, "the fields of the key are disjoint");

#define VA_BITS 57
#define PERMISSIONS 3 /* bits: read, write, execute */
#define SMALLEST_SHIFT 12
#define LARGEST_SHIFT 30
#define PROBE_PAGES 64u /* a shorter range of one VM is invalidated by probing, a longer one by scanning */

static uint64_t pack_key(uint64_t vpn, uint32_t code, uint16_t vmid)
{
    return vpn | (uint64_t)code << 45 | (uint64_t)vmid << 48;
}

static uint64_t *xlat_words(const struct ww_tlb *t, void *base)
{
    return (uint64_t *)(void *)((unsigned char *)base + t->xlat_off);
}

static const uint64_t *const_xlat_words(const struct ww_tlb *t)
{
    return (const uint64_t *)(const void *)((const unsigned char *)t + t->xlat_off);
}

static uint32_t set_of(const struct ww_tlb *t, uint64_t vpn)
{
    return ww_set_index(t->cfg.index, vpn, t->set_bits);
}

static struct ww_xlat xlat_at(const struct ww_tlb *t, uint32_t slot, uint32_t code)
{
    const uint64_t word = const_xlat_words(t)[slot];
    return (struct ww_xlat){.page_pa = word & ~(uint64_t)UINT8_MAX,
                            .page_shift = t->shift_of[code],
                            .perm = (uint8_t)(word & UINT8_MAX)};
}

static size_t plan(struct ww_tlb *t, const struct ww_tlb_cfg *cfg)
{
    const uint32_t legal_sizes = (uint32_t)WW_BITS64(LARGEST_SHIFT, SMALLEST_SHIFT);
    if (!ww_is_pow2(cfg->sets) || cfg->page_sizes == 0 || (cfg->page_sizes & ~legal_sizes) != 0 ||
        ww_bits_count(cfg->page_sizes) > WW_TLB_MAX_SIZES || cfg->index > WW_INDEX_XOR ||
        cfg->replace > WW_REPLACE_RANDOM)
        return 0;
    memset(t, 0, sizeof *t);
    t->cfg = *cfg;
    t->set_bits = ww_log2_u64(cfg->sets);
    ww_rng_init(&t->rng, cfg->seed);
    t->sizes = ww_size_codes(cfg->page_sizes, t->code_of, t->shift_of);
    const size_t end = ww_assoc_plan(&t->tags, cfg->sets, cfg->ways, sizeof *t);
    if (end == 0)
        return 0;
    t->xlat_off = end;
    t->bytes = ww_align64(end + (size_t)ww_assoc_slots(&t->tags) * sizeof(uint64_t));
    return t->bytes;
}

size_t ww_tlb_bytes(const struct ww_tlb_cfg *cfg)
{
    struct ww_tlb t;
    return plan(&t, cfg);
}

int ww_tlb_init(struct ww_tlb *t, size_t bytes, const struct ww_tlb_cfg *cfg)
{
    struct ww_tlb head;
    const int fault = ww_clear(t, bytes, plan(&head, cfg));
    if (fault != WW_OK)
        return fault;
    *t = head;
    return WW_OK;
}

/* Returns the slot of the smallest page that covers va and sets *found to its size code; WW_ASSOC_NONE: a
 * miss. */
static uint32_t find(const struct ww_tlb *t, uint64_t va, uint16_t vmid, uint32_t *found)
{
    WW_ASSERT(va >> VA_BITS == 0);
    for (uint32_t code = 1; code <= t->sizes; ++code) {
        if (t->live_of[code] == 0)
            continue;
        const uint64_t vpn = va >> t->shift_of[code];
        const uint32_t slot = ww_assoc_find(&t->tags, t, set_of(t, vpn), pack_key(vpn, code, vmid));
        if (slot != WW_ASSOC_NONE) {
            *found = code;
            return slot;
        }
    }
    return WW_ASSOC_NONE;
}

static bool lookup(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    struct ww_tlb *t = store;
    uint32_t code = 0;
    const uint32_t slot = find(t, va, vmid, &code);
    if (slot == WW_ASSOC_NONE)
        return false;
    ww_assoc_touch(&t->tags, t, slot);
    *out = xlat_at(t, slot, code);
    return true;
}

static bool probe(const void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    const struct ww_tlb *t = store;
    uint32_t code = 0;
    const uint32_t slot = find(t, va, vmid, &code);
    if (slot == WW_ASSOC_NONE)
        return false;
    *out = xlat_at(t, slot, code);
    return true;
}

static void drop(struct ww_tlb *t, uint32_t slot)
{
    t->live_of[ww_bits_get(KEY_SIZE, ww_assoc_keys(&t->tags, t)[slot])] -= 1;
    ww_assoc_drop(&t->tags, t, slot);
}

static bool take(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    struct ww_tlb *t = store;
    uint32_t code = 0;
    const uint32_t slot = find(t, va, vmid, &code);
    if (slot == WW_ASSOC_NONE)
        return false;
    *out = xlat_at(t, slot, code);
    drop(t, slot);
    return true;
}

/* Counts the entry with key `old` as evicted and sets *victim; the caller then overwrites its slot. */
static void displace(struct ww_tlb *t, uint32_t slot, uint64_t old, struct ww_mapping *victim)
{
    const uint32_t code = (uint32_t)ww_bits_get(KEY_SIZE, old);
    t->live_of[code] -= 1;
    if (victim == NULL)
        return;
    victim->va = ww_bits_get(KEY_VPN, old) << t->shift_of[code];
    victim->vmid = (uint16_t)ww_bits_get(KEY_VMID, old);
    victim->xlat = xlat_at(t, slot, code);
}

static struct ww_store_entered insert(void *store, const struct ww_mapping *m, struct ww_mapping *victims)
{
    struct ww_tlb *t = store;
    const struct ww_xlat *x = &m->xlat;
    WW_ASSERT(m->va >> VA_BITS == 0 && x->page_shift <= LARGEST_SHIFT && t->code_of[x->page_shift] != 0);
    WW_ASSERT((x->page_pa & (((uint64_t)1 << x->page_shift) - 1)) == 0);
    const uint32_t code = t->code_of[x->page_shift];
    const uint64_t vpn = m->va >> x->page_shift;
    const uint64_t key = pack_key(vpn, code, m->vmid);
    const uint64_t word = x->page_pa | x->perm;
    const uint32_t set = set_of(t, vpn);
    uint32_t slot = ww_assoc_find(&t->tags, t, set, key);
    if (slot != WW_ASSOC_NONE) {
        ww_assoc_touch(&t->tags, t, slot);
        xlat_words(t, t)[slot] = word;
        return (struct ww_store_entered){WW_STORE_REFRESHED, 0};
    }
    if (t->cfg.replace == WW_REPLACE_LRU)
        slot = ww_assoc_victim(&t->tags, t, set);
    else
        slot = ww_assoc_random(&t->tags, t, set, &t->rng);
    const uint64_t old = ww_assoc_keys(&t->tags, t)[slot];
    if (old != 0)
        displace(t, slot, old, victims);
    ww_assoc_put(&t->tags, t, slot, key);
    xlat_words(t, t)[slot] = word;
    t->live_of[code] += 1;
    return (struct ww_store_entered){WW_STORE_KEPT, old != 0};
}

/* Invalidates pages of one VM and size, page by page. Returns how many. */
static uint32_t invalidate_pages(struct ww_tlb *t, uint32_t code, uint64_t first_vpn, uint64_t last_vpn,
                                 uint16_t vmid)
{
    uint32_t dropped = 0;
    for (uint64_t vpn = first_vpn; vpn <= last_vpn; ++vpn) {
        const uint32_t slot = ww_assoc_find(&t->tags, t, set_of(t, vpn), pack_key(vpn, code, vmid));
        if (slot == WW_ASSOC_NONE)
            continue;
        drop(t, slot);
        dropped += 1;
    }
    return dropped;
}

static bool in_scope(const struct ww_tlb *t, uint64_t key, const struct ww_inval_scope *scope)
{
    const uint32_t shift = t->shift_of[ww_bits_get(KEY_SIZE, key)];
    return key != 0 && ww_inval_covers(scope, ww_bits_get(KEY_VPN, key) << shift, shift,
                                       (uint16_t)ww_bits_get(KEY_VMID, key));
}

static uint32_t invalidate(void *store, const struct ww_inval_scope *scope)
{
    struct ww_tlb *t = store;
    const uint64_t top_va = ((uint64_t)1 << VA_BITS) - 1;
    const uint64_t first = scope->first_va;
    const uint64_t last = scope->last_va < top_va ? scope->last_va : top_va;
    const uint64_t *keys = ww_assoc_keys(&t->tags, t);
    uint32_t dropped = 0;
    WW_ASSERT(first <= last);
    if (!scope->all_vms && (last - first) >> t->shift_of[1] < PROBE_PAGES) {
        for (uint32_t code = 1; code <= t->sizes; ++code)
            dropped +=
                invalidate_pages(t, code, first >> t->shift_of[code], last >> t->shift_of[code], scope->vmid);
        return dropped;
    }
    for (uint32_t slot = 0; slot < ww_assoc_slots(&t->tags); ++slot) {
        if (!in_scope(t, keys[slot], scope))
            continue;
        drop(t, slot);
        dropped += 1;
    }
    return dropped;
}

static void flush(void *store)
{
    struct ww_tlb *t = store;
    ww_assoc_flush(&t->tags, t);
    memset(t->live_of, 0, sizeof t->live_of);
}

static const char *check(const void *store)
{
    const struct ww_tlb *t = store;
    uint32_t live_of[WW_TLB_MAX_SIZES + 1] = {0};
    const char *broken = ww_assoc_check(&t->tags, t);
    if (broken != NULL)
        return broken;
    const uint64_t *keys = ww_assoc_keys(&t->tags, t);
    for (uint32_t slot = 0; slot < ww_assoc_slots(&t->tags); ++slot) {
        if (keys[slot] == 0)
            continue;
        const uint32_t code = (uint32_t)ww_bits_get(KEY_SIZE, keys[slot]);
        if (code == 0 || code > t->sizes)
            return "tlb: an entry of a page size that is not configured";
        if (slot / t->tags.stride != set_of(t, ww_bits_get(KEY_VPN, keys[slot])))
            return "tlb: an entry in the wrong set";
        live_of[code] += 1;
    }
    return memcmp(live_of, t->live_of, sizeof live_of) == 0 ? NULL : "tlb: the count of a page size is wrong";
}

static uint32_t most_victims(const void *store)
{
    (void)store;
    return 1;
}

static uint32_t count(const void *store)
{
    return ((const struct ww_tlb *)store)->tags.live;
}

static uint32_t probes(const void *store)
{
    return ((const struct ww_tlb *)store)->sizes;
}

static uint64_t bits(const void *store, const struct ww_widths *w)
{
    const struct ww_tlb *t = store;
    const struct ww_tlb_cfg *cfg = &t->cfg;
    const uint64_t entries = (uint64_t)cfg->sets * cfg->ways;
    const uint32_t tag = w->va - w->page_shift - ww_name_bits(cfg->sets) + w->vmid;
    const uint64_t entry = 1 + tag + (w->pa - w->page_shift) + PERMISSIONS + ww_name_bits(t->sizes);
    return entries * entry + (cfg->replace == WW_REPLACE_LRU ? ww_lru_bits(cfg->sets, cfg->ways) : 0);
}

const struct ww_store_kind ww_tlb_store = {
    .name = "tlb",
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

const char *ww_replace_name(enum ww_replace replace)
{
    static const char *const names[] = {
#define WW_TLB_NAME(id, text) text,
        WW_REPLACE_LIST(WW_TLB_NAME)
#undef WW_TLB_NAME
    };
    WW_ASSERT((uint32_t)replace < sizeof names / sizeof names[0]);
    return names[replace];
}

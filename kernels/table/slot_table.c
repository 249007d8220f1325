/* SPDX-License-Identifier: MIT */
/* kernels/table/slot_table.c - lines of a table of translations in memory. */
#include "kernels/table/slot_table.h"

#include "kernels/bits.h"
#include "kernels/xlat_word.h"

#define TAG_VALID WW_BITS64(63, 63)
#define TAG_VMID WW_BITS64(62, 47)
#define TAG_VPN WW_BITS64(44, 0) /* low bits are 0 if the page is larger than 4 KiB */
#define ENTRY_EPOCH WW_BITS64(63, 52)
#define ENTRY_ZERO WW_BITS64(11, 8)

_Static_assert(WW_SLOT_LINE_SLOTS *WW_SLOT_BYTES == WW_LINE_BYTES, "a set is a line");
_Static_assert(WW_SLOT_LINE_WORDS * 8 == WW_LINE_BYTES, "words of a line");
_Static_assert((ENTRY_EPOCH | WW_XLAT_WORD_FRAME | ENTRY_ZERO | WW_XLAT_WORD_SHIFT | WW_XLAT_WORD_PERM) ==
                   ENTRY_EPOCH + WW_XLAT_WORD_FRAME + ENTRY_ZERO + WW_XLAT_WORD_SHIFT + WW_XLAT_WORD_PERM,
               "fields of an entry are disjoint");

const char *ww_slot_cfg_wrong(const struct ww_slot_cfg *cfg)
{
    uint32_t left = cfg->page_sizes;
    if (!ww_is_pow2(cfg->sets) || cfg->sets > WW_SLOT_SETS_MAX)
        return "the number of lines is not a power of two up to 2^26";
    if (cfg->index > WW_INDEX_XOR)
        return "no such index";
    if (cfg->epoch_bits == 0 || cfg->epoch_bits > WW_SLOT_EPOCH_BITS_MAX)
        return "an epoch has 1 to 12 bits";
    if (left == 0)
        return "no page size";
    for (; left != 0; left &= left - 1)
        if (!ww_page_legal((uint32_t)__builtin_ctz(left)))
            return "no such page size";
    return NULL;
}

uint64_t ww_slot_table_bytes(const struct ww_slot_cfg *cfg)
{
    return (uint64_t)cfg->sets * WW_LINE_BYTES;
}

uint32_t ww_slot_probes(const struct ww_slot_cfg *cfg)
{
    return ww_bits_count(cfg->page_sizes);
}

uint32_t ww_slot_probe_shift(const struct ww_slot_cfg *cfg, uint32_t n)
{
    uint32_t left = cfg->page_sizes;
    for (; n != 0; --n)
        left &= left - 1;
    WW_ASSERT(left != 0);
    return (uint32_t)__builtin_ctz(left);
}

uint32_t ww_slot_line(const struct ww_slot_cfg *cfg, uint64_t va, uint32_t page_shift)
{
    return ww_set_index(cfg->index, va >> page_shift, ww_log2_u64(cfg->sets));
}

uint32_t ww_slot_epoch_after(const struct ww_slot_cfg *cfg, uint32_t epoch)
{
    return (epoch + 1) & ((1u << cfg->epoch_bits) - 1);
}

static bool is_of(const uint64_t *slot, uint32_t epoch)
{
    return (slot[0] & TAG_VALID) != 0 && ww_bits_get(ENTRY_EPOCH, slot[1]) == epoch;
}

static uint64_t va_of(const uint64_t *slot)
{
    return ww_bits_get(TAG_VPN, slot[0]) << WW_PAGE_4K;
}

static uint16_t vmid_of(const uint64_t *slot)
{
    return (uint16_t)ww_bits_get(TAG_VMID, slot[0]);
}

static bool covers(const uint64_t *slot, uint64_t va, uint16_t vmid)
{
    return vmid_of(slot) == vmid && ww_same_page(va_of(slot), va, ww_xlat_word_shift(slot[1]));
}

bool ww_slot_find(const uint64_t line[WW_SLOT_LINE_WORDS], uint64_t va, uint16_t vmid, uint32_t epoch,
                  struct ww_xlat *out)
{
    for (const uint64_t *slot = line; slot != line + WW_SLOT_LINE_WORDS; slot += 2)
        if (is_of(slot, epoch) && covers(slot, va, vmid)) {
            *out = ww_xlat_of_word(slot[1]);
            return true;
        }
    return false;
}

static void keep(uint64_t *kept, uint32_t n, const uint64_t *slot)
{
    uint64_t *to = kept + (size_t)n * 2;
    to[0] = slot[0];
    to[1] = slot[1];
}

/* Writes the kept slots, in their order, from slot `to` on and empties the rest. The caller fills those
 * before `to`. */
static void close_up(uint64_t *line, uint32_t to, const uint64_t *kept, uint32_t n)
{
    for (uint32_t word = 2 * to; word < WW_SLOT_LINE_WORDS; ++word)
        line[word] = word - 2 * to < 2 * n ? kept[word - 2 * to] : 0;
}

struct ww_slot_filled ww_slot_fill(uint64_t line[WW_SLOT_LINE_WORDS], const struct ww_mapping *m,
                                   uint32_t epoch)
{
    const uint64_t tag = TAG_VALID | ww_bits_put(TAG_VMID, 0, m->vmid) |
                         ww_bits_put(TAG_VPN, 0, ww_vpn(ww_page_base(m->va, m->xlat.page_shift)));
    const uint64_t entry = ww_bits_put(ENTRY_EPOCH, ww_xlat_word(&m->xlat), epoch);
    struct ww_slot_filled filled = {WW_SLOT_KEPT, false};
    uint64_t kept[WW_SLOT_LINE_WORDS];
    uint32_t n = 0;
    for (const uint64_t *slot = line; slot != line + WW_SLOT_LINE_WORDS; slot += 2) {
        if (!is_of(slot, epoch))
            continue;
        if (slot[0] == tag && ww_xlat_word_shift(slot[1]) == m->xlat.page_shift) {
            filled.result = slot[1] == entry ? WW_SLOT_SAME : WW_SLOT_REFRESHED;
            if (filled.result == WW_SLOT_SAME)
                return filled;
            continue;
        }
        keep(kept, n++, slot);
    }
    filled.displaced = n == WW_SLOT_LINE_SLOTS;
    line[0] = tag;
    line[1] = entry;
    close_up(line, 1, kept, n);
    return filled;
}

uint32_t ww_slot_drop(uint64_t line[WW_SLOT_LINE_WORDS], const struct ww_inval_scope *scope, uint32_t epoch)
{
    uint64_t kept[WW_SLOT_LINE_WORDS];
    uint32_t n = 0, dropped = 0;
    for (const uint64_t *slot = line; slot != line + WW_SLOT_LINE_WORDS; slot += 2) {
        if (!is_of(slot, epoch))
            continue;
        if (ww_inval_covers(scope, va_of(slot), ww_xlat_word_shift(slot[1]), vmid_of(slot))) {
            ++dropped;
            continue;
        }
        keep(kept, n++, slot);
    }
    if (dropped != 0)
        close_up(line, 0, kept, n);
    return dropped;
}

bool ww_slot_clear(uint64_t line[WW_SLOT_LINE_WORDS])
{
    uint64_t any = 0;
    for (uint32_t word = 0; word < WW_SLOT_LINE_WORDS; ++word) {
        any |= line[word];
        line[word] = 0;
    }
    return any != 0;
}

uint32_t ww_slot_count(const uint64_t line[WW_SLOT_LINE_WORDS], uint32_t epoch)
{
    uint32_t n = 0;
    for (const uint64_t *slot = line; slot != line + WW_SLOT_LINE_WORDS; slot += 2)
        n += is_of(slot, epoch);
    return n;
}

static const char *check_slot(const uint64_t *slot)
{
    const uint32_t shift = ww_xlat_word_shift(slot[1]);
    if ((slot[0] & ~(TAG_VALID | TAG_VMID | TAG_VPN)) != 0 || (slot[1] & ENTRY_ZERO) != 0)
        return "bits that are none of a slot's";
    if (!ww_page_legal(shift))
        return "a page of no legal size";
    if ((va_of(slot) & ww_page_mask(shift)) != 0 || (slot[1] & WW_XLAT_WORD_FRAME & ww_page_mask(shift)) != 0)
        return "a page that does not begin where its size says";
    return NULL;
}

const char *ww_slot_check(const uint64_t line[WW_SLOT_LINE_WORDS])
{
    const uint64_t *end = line;
    while (end != line + WW_SLOT_LINE_WORDS && (*end & TAG_VALID) != 0)
        end += 2;
    for (const uint64_t *rest = end; rest != line + WW_SLOT_LINE_WORDS; ++rest)
        if (*rest != 0)
            return "something behind the slots in use";
    for (const uint64_t *slot = line; slot != end; slot += 2) {
        const char *wrong = check_slot(slot);
        if (wrong != NULL)
            return wrong;
        if (ww_bits_get(ENTRY_EPOCH, slot[1]) != ww_bits_get(ENTRY_EPOCH, line[1]))
            continue;
        for (const uint64_t *other = line; other != slot; other += 2)
            if (other[0] == slot[0] && ((other[1] ^ slot[1]) & (ENTRY_EPOCH | WW_XLAT_WORD_SHIFT)) == 0)
                return "a page is held twice";
    }
    return NULL;
}

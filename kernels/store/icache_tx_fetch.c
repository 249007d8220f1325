/* SPDX-License-Identifier: MIT */
/* kernels/store/icache_tx_fetch.c - see icache_tx.h: set-up, formats, and the instructions. Blob: header,
 * heads, own bits, orders of use, translations. */
#include "kernels/store/icache_tx_lines.h"
#include "kernels/xlat_word.h"

#include <string.h>

#define LOG2_LINES_16K 8u
#define LOG2_SETS_16K 5u
WW_STATIC_ASSERT(WW_ICACHE_TX_CODE_TAG(LOG2_SETS_16K) == 37, "[M21] Figure 10a: VA[47:11]");
WW_STATIC_ASSERT(WW_ICACHE_TX_CODE_TAG(LOG2_SETS_16K) + WW_ICACHE_TX_FIXED_BITS + WW_ICACHE_TX_ORDER_BITS +
                         1 <=
                     WW_ICACHE_CODE_TAG_BITS,
                 "an instruction tag, its mode bit too, is at most six bytes");
WW_STATIC_ASSERT(WW_ICACHE_TX_ONE_TAG(LOG2_SETS_16K) + 2 + 2 + WW_ICACHE_TX_ORDER_BITS + 1 == 39,
                 "[M21] Figure 10b");
WW_STATIC_ASSERT(WW_ICACHE_TX_BASE_TAG(LOG2_LINES_16K) == 24, "[M21] Figure 10c: VA[47:24]");
WW_STATIC_ASSERT(WW_ICACHE_TX_BASE_TAG(LOG2_LINES_16K) + WW_ICACHE_TX_FIXED_BITS == 29, "29 of 32 bits");
WW_STATIC_ASSERT(WW_ICACHE_TX_BASE_BITS + WW_ICACHE_TX_LINE_WORDS * WW_ICACHE_TX_OWN_BITS ==
                     WW_ICACHE_TX_TAG_BITS,
                 "32 + 8 x 8 = 96");
WW_STATIC_ASSERT((WW_ICACHE_TX_TAG_BITS - WW_ICACHE_CODE_TAG_BITS) * 256 == 3 * 1024 / 2 * 8, "1.5 KB");
WW_STATIC_ASSERT((WW_ICACHE_TX_OWN_VALID | WW_ICACHE_TX_OWN_RANK | WW_ICACHE_TX_OWN_LOW) == UINT8_MAX,
                 "every bit is named");
WW_STATIC_ASSERT(WW_ICACHE_TX_OWN_VALID + WW_ICACHE_TX_OWN_RANK + WW_ICACHE_TX_OWN_LOW == UINT8_MAX,
                 "disjoint");
WW_STATIC_ASSERT((WW_ICACHE_TX_MODE | WW_ICACHE_TX_VMID | WW_ICACHE_TX_VRFID) ==
                     WW_BITS64(WW_ICACHE_TX_ADDR_AT - 1, 0),
                 "without gaps");
WW_STATIC_ASSERT(WW_ICACHE_TX_MODE + WW_ICACHE_TX_VMID + WW_ICACHE_TX_VRFID ==
                     WW_BITS64(WW_ICACHE_TX_ADDR_AT - 1, 0),
                 "disjoint");

#define LINES_MIN 32u /* with fewer lines the base does not fit */
#define LINES_MAX 4096u

static bool legal(const struct ww_icache_tx_cfg *cfg)
{
    return ww_is_pow2(cfg->lines) && cfg->lines >= LINES_MIN && cfg->lines <= LINES_MAX &&
           ww_is_pow2(cfg->ways) && cfg->ways <= WW_ICACHE_TX_WAYS && cfg->design <= WW_ICACHE_TX_FLUSH &&
           cfg->mismatch <= WW_ICACHE_TX_BYPASS && cfg->limit != 0 && cfg->index <= WW_INDEX_XOR &&
           cfg->page_sizes != 0 && (cfg->page_sizes & ~(uint32_t)WW_BITS64(30, 12)) == 0;
}

static size_t plan(struct ww_icache_tx *t, const struct ww_icache_tx_cfg *cfg)
{
    if (!legal(cfg))
        return 0;
    const size_t line_words = (size_t)cfg->lines * sizeof(uint64_t);
    memset(t, 0, sizeof *t);
    t->cfg = *cfg;
    t->sets = cfg->lines / cfg->ways;
    t->set_bits = ww_log2_u64(t->sets);
    t->line_bits = ww_log2_u64(cfg->lines);
    t->each = cfg->design == WW_ICACHE_TX_ONE ? 1 : WW_ICACHE_TX_LINE_WORDS;
    t->sizes = ww_bits_count(cfg->page_sizes);
    t->base = WW_BITS64(WW_ICACHE_TX_ADDR_AT + WW_ICACHE_TX_BASE_TAG(t->line_bits) - 1, 0);
    t->head_off = ww_align64(sizeof *t);
    t->own_off = ww_align64(t->head_off + line_words);
    t->order_off = ww_align64(t->own_off + line_words);
    t->data_off = ww_align64(t->order_off + t->sets * sizeof(uint64_t));
    t->bytes = ww_align64(t->data_off + WW_ICACHE_TX_LINE_WORDS * line_words);
    return t->bytes;
}

size_t ww_icache_tx_bytes(const struct ww_icache_tx_cfg *cfg)
{
    struct ww_icache_tx t;
    return plan(&t, cfg);
}

int ww_icache_tx_init(struct ww_icache_tx *t, size_t bytes, const struct ww_icache_tx_cfg *cfg)
{
    struct ww_icache_tx head;
    const int fault = ww_clear(t, bytes, plan(&head, cfg));
    if (fault != WW_OK)
        return fault;
    *t = head;
    for (uint32_t set = 0; set < t->sets; ++set)
        for (uint32_t way = 0; way < cfg->ways; ++way)
            WW_ICACHE_TX_ORDERS(t)[set] |= (uint64_t)way << (way * WW_ICACHE_TX_ORDER_BITS);
    return WW_OK;
}

enum ww_icache_tx_mode ww_icache_tx_mode_of(const struct ww_icache_tx *t, uint32_t line)
{
    const uint64_t head = ww_icache_tx_head(t, line);
    return ww_icache_tx_is_tx(head) ? WW_ICACHE_TX_TX : head != 0 ? WW_ICACHE_TX_CODE : WW_ICACHE_TX_IDLE;
}

uint64_t ww_icache_tx_head(const struct ww_icache_tx *t, uint32_t line)
{
    WW_ASSERT(line < t->cfg.lines);
    return WW_ICACHE_TX_CONST_HEADS(t)[line];
}

uint64_t ww_icache_tx_owns(const struct ww_icache_tx *t, uint32_t line)
{
    WW_ASSERT(line < t->cfg.lines);
    return WW_ICACHE_TX_CONST_OWNS(t)[line];
}

static uint64_t code_head(const struct ww_icache_tx *t, uint64_t addr, uint16_t vmid)
{
    WW_ASSERT(addr >> WW_ICACHE_TX_VA_BITS == 0 && vmid < WW_ICACHE_TX_VMIDS);
    return addr >> WW_ICACHE_TX_LINE_SHIFT >> t->set_bits << WW_ICACHE_TX_ADDR_AT |
           ww_bits_put(WW_ICACHE_TX_VMID, WW_ICACHE_TX_VALID, vmid);
}

static uint32_t code_set(const struct ww_icache_tx *t, uint64_t addr)
{
    return (uint32_t)(addr >> WW_ICACHE_TX_LINE_SHIFT) & (t->sets - 1);
}

bool ww_icache_tx_has(const struct ww_icache_tx *t, uint64_t addr, uint16_t vmid)
{
    return ww_icache_tx_find_head(t, code_set(t, addr), code_head(t, addr, vmid)) != WW_ICACHE_TX_NONE;
}

bool ww_icache_tx_fetch(struct ww_icache_tx *t, uint64_t addr, uint16_t vmid)
{
    const uint32_t line = ww_icache_tx_find_head(t, code_set(t, addr), code_head(t, addr, vmid));
    if (line == WW_ICACHE_TX_NONE) {
        t->counts.misses += 1;
        t->kernel_misses += 1;
        return false;
    }
    t->counts.hits += 1;
    ww_icache_tx_touch_line(t, line);
    return true;
}

static uint32_t line_for_code(const struct ww_icache_tx *t, uint32_t set)
{
    uint32_t line = ww_icache_tx_choose(t, set, WW_ICACHE_TX_AMONG_IDLE);
    if (line == WW_ICACHE_TX_NONE && t->cfg.design != WW_ICACHE_TX_NAIVE)
        line = ww_icache_tx_choose(t, set, WW_ICACHE_TX_AMONG_TX);
    return line != WW_ICACHE_TX_NONE ? line : ww_icache_tx_choose(t, set, WW_ICACHE_TX_AMONG_ALL);
}

uint32_t ww_icache_tx_fill(struct ww_icache_tx *t, uint64_t addr, uint16_t vmid)
{
    const uint64_t head = code_head(t, addr, vmid);
    const uint32_t set = code_set(t, addr);
    uint32_t line = ww_icache_tx_find_head(t, set, head), dropped = 0;
    if (line == WW_ICACHE_TX_NONE) {
        line = line_for_code(t, set);
        const enum ww_icache_tx_mode was = ww_icache_tx_mode_of(t, line);
        t->counts.code_evicted += was == WW_ICACHE_TX_CODE;
        t->counts.claimed += was == WW_ICACHE_TX_TX;
        dropped = ww_icache_tx_empty(t, line);
        t->counts.dropped += dropped;
        WW_ICACHE_TX_HEADS(t)[line] = head;
        t->code += 1;
    }
    ww_icache_tx_touch_line(t, line);
    return dropped;
}

uint32_t ww_icache_tx_kernel(struct ww_icache_tx *t, bool same)
{
    const uint32_t held = t->code;
    t->kernel_misses = 0;
    if (same || t->cfg.design != WW_ICACHE_TX_FLUSH)
        return 0;
    for (uint32_t line = 0; line < t->cfg.lines; ++line)
        if (ww_icache_tx_mode_of(t, line) == WW_ICACHE_TX_CODE)
            ww_icache_tx_empty(t, line);
    t->counts.code_flushed += held;
    return held;
}

uint32_t ww_icache_tx_used(const struct ww_icache_tx *t)
{
    return t->kernel_misses < t->cfg.lines ? (uint32_t)t->kernel_misses : t->cfg.lines;
}

uint64_t ww_icache_tx_extra_bits(const struct ww_icache_tx_cfg *cfg)
{
    if (cfg->design == WW_ICACHE_TX_ONE)
        return cfg->lines; /* a mode bit per line */
    const uint32_t base = WW_ICACHE_TX_FIXED_BITS + WW_ICACHE_TX_BASE_TAG(ww_log2_u64(cfg->lines));
    const uint32_t left =
        WW_ICACHE_TX_BASE_BITS - base; /* spare bits for the order of use: enough from 16 KiB on */
    const uint32_t order = left < WW_ICACHE_TX_ORDER_BITS ? WW_ICACHE_TX_ORDER_BITS - left : 0;
    const uint32_t counter = cfg->mismatch == WW_ICACHE_TX_COUNT ? ww_name_bits(cfg->limit) : 0;
    return (uint64_t)cfg->lines * (WW_ICACHE_TX_TAG_BITS - WW_ICACHE_CODE_TAG_BITS + order + counter);
}

uint64_t ww_icache_tx_bits(const struct ww_icache_tx_cfg *cfg)
{
    const uint64_t line = WW_ICACHE_CODE_TAG_BITS + WW_ICACHE_TX_LINE_WORDS * WW_XLAT_WORD_BITS;
    return cfg->lines * line + ww_icache_tx_extra_bits(cfg);
}

const char *ww_icache_tx_design_name(enum ww_icache_tx_design design)
{
    static const char *const names[] = {
#define WW_ICACHE_TX_NAME(id, text) text,
        WW_ICACHE_TX_DESIGN_LIST(WW_ICACHE_TX_NAME)};
    WW_ASSERT((uint32_t)design < sizeof names / sizeof names[0]);
    return names[design];
}

const char *ww_icache_tx_mismatch_name(enum ww_icache_tx_mismatch mismatch)
{
    static const char *const names[] = {WW_ICACHE_TX_MISMATCH_LIST(WW_ICACHE_TX_NAME)
#undef WW_ICACHE_TX_NAME
    };
    WW_ASSERT((uint32_t)mismatch < sizeof names / sizeof names[0]);
    return names[mismatch];
}

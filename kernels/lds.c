/* SPDX-License-Identifier: MIT */
/* kernels/lds.c - see lds.h. */
#include "kernels/lds.h"

#include "kernels/bits.h"

#include <string.h>

#define NO_WORD UINT16_MAX

/* Words that an access has requested so far: a chain per bank. */
struct wanted {
    uint64_t word[WW_LDS_WORDS];
    uint16_t next[WW_LDS_WORDS];
    uint16_t first[WW_LDS_BANKS];
    uint32_t n;
};

static uint32_t divide_up(uint32_t n, uint32_t by)
{
    return (n + by - 1) / by;
}

size_t ww_lds_bytes(const struct ww_lds_cfg *cfg)
{
    if (!ww_is_pow2(cfg->banks) || cfg->banks > WW_LDS_BANKS || !ww_is_pow2(cfg->word_bytes) ||
        cfg->word_bytes < 4 || cfg->word_bytes > 16 || cfg->ports == 0 || cfg->ports > WW_LDS_LANES)
        return 0;
    return ww_align64(sizeof(struct ww_lds));
}

int ww_lds_init(struct ww_lds *l, size_t bytes, const struct ww_lds_cfg *cfg)
{
    const int fault = ww_clear(l, bytes, ww_lds_bytes(cfg));
    if (fault != WW_OK)
        return fault;
    l->cfg = *cfg;
    return WW_OK;
}

/* True if the word is on its bank's chain; otherwise adds it. */
static bool find_or_add(struct wanted *w, uint32_t bank, uint64_t word)
{
    for (uint16_t i = w->first[bank]; i != NO_WORD; i = w->next[i])
        if (w->word[i] == word)
            return true;
    w->word[w->n] = word;
    w->next[w->n] = w->first[bank];
    w->first[bank] = (uint16_t)w->n++;
    return false;
}

void ww_lds_begin(struct ww_lds *l, const struct ww_lds_access *a, struct ww_lds_need *need)
{
    WW_ASSERT(l->left == 0);
    WW_ASSERT(a->mask != 0 && a->bytes != 0 && a->bytes <= WW_LDS_LANE_BYTES);
    struct wanted seen;
    memset(&seen, 0, sizeof seen); /* for static analysers, which do not follow the chains */
    memset(seen.first, 0xff, sizeof seen.first);
    *need = (struct ww_lds_need){.words = 0};
    for (uint64_t lanes = a->mask; lanes != 0; lanes &= lanes - 1) {
        const uint64_t at = a->offset[__builtin_ctzll(lanes)];
        const uint32_t words = divide_up((uint32_t)(at % l->cfg.word_bytes) + a->bytes, l->cfg.word_bytes);
        need->wanted += words;
        for (uint32_t i = 0; i < words; ++i) {
            const uint64_t word = at / l->cfg.word_bytes + i;
            const uint32_t bank = (uint32_t)(word & (l->cfg.banks - 1));
            if (!a->atomic && find_or_add(&seen, bank, word)) {
                ++need->shared;
                continue;
            }
            ++need->words;
            ++l->queued[bank];
        }
    }
    l->left = need->words;
    need->cycles = ww_lds_busy(l);
    need->least = divide_up(need->words, l->cfg.banks * l->cfg.ports);
}

void ww_lds_serve(struct ww_lds *l, uint64_t cycles)
{
    const uint32_t all = WW_LDS_WORDS;
    const uint64_t most = cycles < all ? cycles * l->cfg.ports : all;
    for (uint32_t b = 0; b < l->cfg.banks; ++b) {
        const uint16_t served = l->queued[b] < most ? l->queued[b] : (uint16_t)most;
        l->queued[b] = (uint16_t)(l->queued[b] - served);
        l->left -= served;
    }
}

uint32_t ww_lds_busy(const struct ww_lds *l)
{
    uint32_t longest = 0;
    for (uint32_t b = 0; b < l->cfg.banks; ++b)
        longest = l->queued[b] > longest ? l->queued[b] : longest;
    return divide_up(longest, l->cfg.ports);
}

const char *ww_lds_check(const struct ww_lds *l)
{
    uint32_t sum = 0;
    for (uint32_t b = 0; b < WW_LDS_BANKS; ++b) {
        sum += l->queued[b];
        if (b >= l->cfg.banks && l->queued[b] != 0)
            return "lds: words in a bank that is not there";
    }
    return sum == l->left ? NULL : "lds: the banks' words do not add up";
}

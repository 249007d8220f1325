/* SPDX-License-Identifier: MIT */
/* kernels/lds_alloc.c - see lds_alloc.h. */
#include "kernels/lds_alloc.h"

#include "kernels/bits.h"

#include <string.h>

#define MOST_BYTES (1u << 20)

static uint32_t words_for(uint32_t granules)
{
    return (granules + 63) / 64;
}

static const uint64_t *words_of(const struct ww_lds_alloc *a)
{
    return (const uint64_t *)(const void *)((const unsigned char *)a + a->words_off);
}

static bool in_use(const struct ww_lds_alloc *a, uint32_t granule)
{
    return words_of(a)[granule / 64] >> (granule % 64) & 1;
}

size_t ww_lds_alloc_bytes(const struct ww_lds_alloc_cfg *cfg)
{
    if (cfg->bytes > MOST_BYTES || !ww_is_pow2(cfg->granule) || cfg->granule < 4 || cfg->granule > 65536)
        return 0;
    return ww_align64(ww_align64(sizeof(struct ww_lds_alloc)) +
                      words_for(cfg->bytes / cfg->granule) * sizeof(uint64_t));
}

int ww_lds_alloc_init(struct ww_lds_alloc *a, size_t bytes, const struct ww_lds_alloc_cfg *cfg)
{
    const int fault = ww_clear(a, bytes, ww_lds_alloc_bytes(cfg));
    if (fault != WW_OK)
        return fault;
    a->cfg = *cfg;
    a->granules = cfg->bytes / cfg->granule;
    a->words_off = ww_align64(sizeof(struct ww_lds_alloc));
    return WW_OK;
}

static uint32_t granules_for(const struct ww_lds_alloc *a, uint32_t bytes)
{
    return ww_lds_alloc_rounded(a, bytes) / a->cfg.granule;
}

uint32_t ww_lds_alloc_find(const struct ww_lds_alloc *a, uint32_t bytes)
{
    if (bytes == 0)
        return 0;
    if (bytes > a->cfg.bytes)
        return WW_LDS_ALLOC_NONE;
    const uint32_t wanted = granules_for(a, bytes);
    uint32_t first = 0;
    for (uint32_t i = 0; i < a->granules; ++i) {
        if (in_use(a, i))
            first = i + 1;
        else if (i + 1 - first == wanted)
            return first * a->cfg.granule;
    }
    return WW_LDS_ALLOC_NONE;
}

/* Frees a piece if `used`, else takes it. Required (asserted): each of its granules is in use if `used`, else
 * free. */
static void turn(struct ww_lds_alloc *a, uint32_t first, uint32_t bytes, bool used)
{
    uint64_t *words = (uint64_t *)(void *)((unsigned char *)a + a->words_off);
    const uint32_t from = first / a->cfg.granule, n = granules_for(a, bytes);
    WW_ASSERT(first % a->cfg.granule == 0 && n <= a->granules && from <= a->granules - n);
    for (uint32_t i = from; i < from + n; ++i) {
        WW_ASSERT(in_use(a, i) == used);
        words[i / 64] ^= UINT64_C(1) << (i % 64);
    }
    a->used = used ? a->used - n : a->used + n;
}

void ww_lds_alloc_take(struct ww_lds_alloc *a, uint32_t first, uint32_t bytes)
{
    turn(a, first, bytes, false);
}

void ww_lds_alloc_release(struct ww_lds_alloc *a, uint32_t first, uint32_t bytes)
{
    turn(a, first, bytes, true);
}

const char *ww_lds_alloc_check(const struct ww_lds_alloc *a)
{
    uint32_t used = 0;
    for (uint32_t w = 0; w < words_for(a->granules); ++w)
        used += ww_bits_count(words_of(a)[w]);
    if (used != a->used)
        return "granules in use are not those counted";
    for (uint32_t i = a->granules; i < 64 * words_for(a->granules); ++i)
        if (in_use(a, i))
            return "a granule behind the last is in use";
    return NULL;
}

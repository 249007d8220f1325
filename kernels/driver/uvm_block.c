/* SPDX-License-Identifier: MIT */
/* kernels/driver/uvm_block.c - see uvm_block.h. The tree of aligned subregions is a bitmap: the pages of a
 * subregion are counted when needed, and no counts are stored. */
#include "kernels/driver/uvm_block.h"

#include "kernels/bits.h"

#include <string.h>

const char *ww_uvm_wrong(const struct ww_uvm_cfg *cfg)
{
    if (!ww_is_pow2(cfg->pages) || cfg->pages > WW_UVM_PAGES_MAX)
        return "a block has a power of two of pages, at most 512";
    if (!ww_is_pow2(cfg->grow) || cfg->grow > cfg->pages)
        return "faults are grown to a power of two of pages, no more than a block has";
    return cfg->percent > 100 ? "more than 100 % of a subregion" : NULL;
}

/* Returns the mask, in a word, of pages first .. first + count - 1. They are aligned, so they lie in one word
 * or fill whole words. */
static uint64_t span(uint32_t first, uint32_t count)
{
    return count >= 64 ? UINT64_MAX : ((UINT64_C(1) << count) - 1) << first % 64;
}

static uint32_t count_of(const struct ww_uvm_pages *of, uint32_t first, uint32_t count)
{
    uint32_t n = 0;
    for (uint32_t w = first / 64; w <= (first + count - 1) / 64; w++)
        n += ww_bits_count(of->word[w] & span(first, count));
    return n;
}

static void fill(struct ww_uvm_pages *to, uint32_t first, uint32_t count)
{
    for (uint32_t w = first / 64; w <= (first + count - 1) / 64; w++)
        to->word[w] |= span(first, count);
}

/* Returns the pages of the largest subregion around the page that is full enough; 0: not even the page is. */
static uint32_t subregion(const struct ww_uvm_cfg *cfg, const struct ww_uvm_block *b,
                          const struct ww_uvm_pages *tree, uint32_t page)
{
    uint32_t largest = 0;
    for (uint32_t size = 1; size <= cfg->pages; size *= 2) {
        const uint32_t first = page & ~(size - 1);
        if (count_of(tree, first, size) * 100 > count_of(&b->there, first, size) * cfg->percent)
            largest = size;
    }
    return largest;
}

struct ww_uvm_pages ww_uvm_prefetch(const struct ww_uvm_cfg *cfg, const struct ww_uvm_block *b)
{
    struct ww_uvm_pages tree, come;
    WW_ASSERT(ww_uvm_wrong(cfg) == NULL);
    for (uint32_t w = 0; w < WW_UVM_WORDS; w++)
        tree.word[w] = b->resident.word[w] | b->faulted.word[w];
    for (uint32_t first = 0; first < cfg->pages; first += cfg->grow)
        if (count_of(&b->faulted, first, cfg->grow) != 0 && count_of(&b->thrashing, first, cfg->grow) == 0)
            fill(&tree, first, cfg->grow);
    for (uint32_t w = 0; w < WW_UVM_WORDS; w++)
        tree.word[w] &= b->there.word[w];
    memset(&come, 0, sizeof come);
    for (uint32_t page = 0; page < cfg->pages; page++) {
        if (!ww_uvm_has(&b->faulted, page) || ww_uvm_has(&b->thrashing, page))
            continue;
        const uint32_t size = subregion(cfg, b, &tree, page);
        if (size != 0)
            fill(&come, page & ~(size - 1), size);
    }
    for (uint32_t w = 0; w < WW_UVM_WORDS; w++)
        come.word[w] &= b->there.word[w] & ~(b->resident.word[w] | b->faulted.word[w] | b->thrashing.word[w]);
    return come;
}

void ww_uvm_came(struct ww_uvm_page *p, uint64_t us, uint32_t lapse_us, uint32_t after)
{
    const uint64_t before = p->came_us;
    p->came_us = us + 1;
    if (before == 0)
        return;
    if (us + 1 - before <= lapse_us)
        p->events++;
    else if (ww_uvm_thrashes(p, after))
        p->events = 0;
}

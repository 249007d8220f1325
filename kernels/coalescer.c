/* SPDX-License-Identifier: MIT */
/* kernels/coalescer.c - see coalescer.h. Two hash tables of byte cells on the stack (256 each, load at most
 * three quarters) find lines and pages already seen, so the cost is linear in the lanes; each call clears 512
 * bytes. Neighbouring lanes mostly use one line, so the line used last is tried before the table. */
#include "kernels/coalescer.h"

#include <string.h>

#define CELLS 256u
#define CELL_BITS 8u

struct scratch {
    uint8_t line_cell[CELLS]; /* 1 + the index into out->line_va; 0: empty */
    uint8_t page_cell[CELLS]; /* 1 + the index into out->page_va; 0: empty */
};

/* Fibonacci hashing: the top bits of the product spread every stride. */
static uint32_t cell_of(uint64_t number)
{
    return (uint32_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - CELL_BITS));
}

static uint32_t page_of(struct ww_coal_out *out, struct scratch *s, uint64_t va, uint32_t page_shift)
{
    const uint64_t page_va = va >> page_shift << page_shift;
    uint32_t at = cell_of(va >> page_shift);
    while (s->page_cell[at] != 0) {
        const uint32_t page = s->page_cell[at] - 1u;
        if (out->page_va[page] == page_va)
            return page;
        at = (at + 1) % CELLS;
    }
    const uint32_t page = out->pages++;
    s->page_cell[at] = (uint8_t)(page + 1);
    out->page_va[page] = page_va;
    out->page_lanes[page] = 0;
    return page;
}

static uint32_t line_of(struct ww_coal_out *out, struct scratch *s, uint64_t line_va, uint32_t page_shift)
{
    uint32_t at = cell_of(line_va >> WW_COAL_LINE_SHIFT);
    while (s->line_cell[at] != 0) {
        const uint32_t line = s->line_cell[at] - 1u;
        if (out->line_va[line] == line_va)
            return line;
        at = (at + 1) % CELLS;
    }
    const uint32_t line = out->lines++;
    s->line_cell[at] = (uint8_t)(line + 1);
    out->line_va[line] = line_va;
    out->line_lanes[line] = 0;
    out->line_page[line] = (uint8_t)page_of(out, s, line_va, page_shift);
    return line;
}

static uint64_t line_base(uint64_t va)
{
    return va >> WW_COAL_LINE_SHIFT << WW_COAL_LINE_SHIFT;
}

void ww_coalesce(const struct ww_coal_in *in, struct ww_coal_out *out)
{
    WW_ASSERT(in->bytes >= 1 && in->bytes <= WW_COAL_BYTES);
    WW_ASSERT(in->page_shift >= 12 && in->page_shift <= 48);
    struct scratch s;
    memset(&s, 0, sizeof s);
    out->pages = 0;
    out->lines = 0;
    uint64_t last_va = 1; /* the line used last; 1 is no line's address */
    uint32_t line = 0;
    for (uint64_t left = in->mask; left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const uint64_t bit = left & (~left + 1);
        const uint64_t end_va = line_base(in->va[lane] + in->bytes - 1);
        for (uint64_t va = line_base(in->va[lane]);; va += (uint64_t)1 << WW_COAL_LINE_SHIFT) {
            if (va != last_va) {
                line = line_of(out, &s, va, in->page_shift);
                last_va = va;
            }
            out->line_lanes[line] |= bit;
            if (va == end_va)
                break;
        }
    }
    for (uint32_t i = 0; i < out->lines; ++i)
        out->page_lanes[out->line_page[i]] |= out->line_lanes[i];
    for (uint32_t i = 0; i < out->pages; ++i)
        out->page_first_lane[i] = (uint8_t)__builtin_ctzll(out->page_lanes[i]);
}

const char *ww_coalesce_check(const struct ww_coal_out *out)
{
    uint64_t page_lanes[WW_COAL_MAX] = {0};
    if (out->pages > out->lines || out->lines > WW_COAL_MAX)
        return "coalescer: more pages than lines or more lines than lanes can touch";
    uint32_t pages = 0;
    for (uint32_t i = 0; i < out->lines; ++i) {
        if (out->line_page[i] > pages || out->line_page[i] >= out->pages)
            return "coalescer: the lines do not meet the pages in order";
        pages += out->line_page[i] == pages;
        page_lanes[out->line_page[i]] |= out->line_lanes[i];
        if (out->line_lanes[i] == 0 || line_base(out->line_va[i]) != out->line_va[i])
            return "coalescer: a line without lanes or not at a line's address";
        if (i > 0 && __builtin_ctzll(out->line_lanes[i - 1]) > __builtin_ctzll(out->line_lanes[i]))
            return "coalescer: the lines are not in first-lane order";
    }
    if (pages != out->pages)
        return "coalescer: a page without lines";
    for (uint32_t i = 0; i < pages; ++i)
        if (out->page_lanes[i] != page_lanes[i] ||
            out->page_first_lane[i] != (uint32_t)__builtin_ctzll(page_lanes[i]))
            return "coalescer: a page's lanes are not those of its lines";
    return NULL;
}

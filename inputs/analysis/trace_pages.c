/* SPDX-License-Identifier: MIT */
/* analysis/trace_pages.c - see trace_pages.h. Sums are counted per kernel and added up at the end. Distinct
 * pages are kept for the whole trace, with a set of page numbers per kernel. */
#include "analysis/trace_pages.h"

#include "analysis/page_set.h"
#include "analysis/stack_distance.h"
#include "kernels/addr.h"
#include "kernels/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No driver allocates less than 256 bytes, so at most 16 allocations begin in a 4 KiB page, and one
 * reaches into it from before. More have a part in it only if some are freed before others are allocated. */
#define BUFFERS_OF_PAGE 17u

struct range {
    uint64_t first_va, last_va;
    uint64_t reach; /* largest last_va of this range and those before it */
    uint32_t buffer;
};

struct own_pages {
    struct ww_number_set sets[WW_FOOTPRINTS];
};

struct ww_pages {
    struct wkt_reader *trace;
    struct ww_pages_cfg cfg;
    struct ww_order *order;
    struct ww_order_step step;
    uint32_t reuse_set; /* index in sets[] of the chosen page size */
    uint32_t launches, launches_begun, buffers;
    struct ww_page_set sets[WW_FOOTPRINTS];
    struct ww_stack stack;
    struct ww_working_set windows;
    struct range *ranges; /* buffers that have bytes, by first address */
    uint32_t ranges_count;
    uint32_t *in_pages; /* the buffers of each page, page after page */
    uint32_t in_pages_count, in_pages_room;
    uint32_t *kernel_of;    /* of each launch */
    uint64_t *launch_start; /* of each launch: its first page access */
    struct own_pages *own;  /* of each kernel */
    struct ww_kernel_pages *kernels;
    uint32_t kernels_count, kernels_room;
    bool finished;
    struct ww_pages_part whole;
    struct ww_coal_in in;
    struct ww_coal_out out;
    uint64_t list[WW_COAL_MAX];
};

static const uint8_t footprint_shifts[WW_FOOTPRINTS] = {WW_PAGE_4K, WW_PAGE_64K, WW_PAGE_2M};

uint8_t ww_footprint_shift(uint32_t footprint)
{
    WW_ASSERT(footprint < WW_FOOTPRINTS);
    return footprint_shifts[footprint];
}

uint64_t ww_pages_instructions(const struct ww_pages_part *part)
{
    return part->kinds[0].instructions + part->kinds[1].instructions + part->kinds[2].instructions;
}

static uint64_t misses_of(uint64_t cold, const uint64_t *reuse, uint32_t entries_log2)
{
    uint64_t misses = cold;
    for (uint32_t b = entries_log2 + 1; b < WW_REUSE_BUCKETS; ++b)
        misses += reuse[b];
    return misses;
}

uint64_t ww_pages_misses(const struct ww_pages_part *part, uint32_t entries_log2)
{
    return misses_of(part->cold, part->reuse, entries_log2);
}

uint64_t ww_pages_misses_of_buffer(const struct ww_pages_buffer *b, uint32_t entries_log2)
{
    return misses_of(b->cold, b->reuse, entries_log2);
}

static uint64_t last_page(const struct wkt_buffer *b)
{
    return ww_vpn(b->base_va + b->bytes - (b->bytes == 0 ? 0 : 1));
}

uint64_t ww_pages_of_buffer(const struct wkt_buffer *b)
{
    return b->bytes == 0 ? 0 : last_page(b) - ww_vpn(b->base_va) + 1;
}

static int fail(struct wkt_error *error, int code, const char *text)
{
    error->code = code;
    error->output = false;
    snprintf(error->text, sizeof error->text, "%s", text);
    return code;
}

static int no_memory(struct wkt_error *error)
{
    return fail(error, WKT_E_MEMORY, "out of memory for the pages of this trace");
}

/* ---- opening and closing ---- */

static int by_first_va(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    if (x->first_va != y->first_va)
        return x->first_va < y->first_va ? -1 : 1;
    return x->buffer < y->buffer ? -1 : x->buffer > y->buffer;
}

static void list_buffers(struct ww_pages *p)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->buffers; ++i) {
        const struct wkt_buffer *b = wkt_reader_buffer(p->trace, i);
        if (b->bytes == 0)
            continue;
        const struct range range = {b->base_va, b->base_va + b->bytes - 1, 0, i};
        p->ranges[count++] = range;
    }
    p->ranges_count = count;
    qsort(p->ranges, count, sizeof *p->ranges, by_first_va);
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t before = i == 0 ? 0 : p->ranges[i - 1].reach;
        p->ranges[i].reach = before > p->ranges[i].last_va ? before : p->ranges[i].last_va;
    }
}

/* Finds the kernel of this name; adds it if it is new. */
static int find_kernel(struct ww_pages *p, const char *name, uint32_t *kernel, struct wkt_error *error)
{
    for (*kernel = 0; *kernel < p->kernels_count; ++*kernel)
        if (strcmp(p->kernels[*kernel].name, name) == 0)
            return WKT_OK;
    if (p->kernels_count == WW_PAGES_KERNELS)
        return fail(error, WKT_E_LIMIT,
                    "the trace has too many kernels of different name to tell them apart");
    if (p->kernels_count == p->kernels_room) {
        const uint32_t room = 2 * p->kernels_room + 8;
        struct ww_kernel_pages *kernels = realloc(p->kernels, room * sizeof *kernels);
        if (kernels == NULL)
            return no_memory(error);
        p->kernels = kernels;
        p->kernels_room = room;
    }
    struct ww_kernel_pages *k = &p->kernels[p->kernels_count++];
    memset(k, 0, sizeof *k);
    memcpy(k->name, name, sizeof k->name);
    return WKT_OK;
}

static int list_kernels(struct ww_pages *p, struct wkt_error *error)
{
    for (uint32_t i = 0; i < p->launches; ++i) {
        const int status = find_kernel(p, wkt_reader_launch(p->trace, i)->name, &p->kernel_of[i], error);
        if (status != WKT_OK)
            return status;
        ++p->kernels[p->kernel_of[i]].launches;
    }
    p->own = calloc(p->kernels_count + 1u, sizeof *p->own);
    return p->own == NULL ? no_memory(error) : WKT_OK;
}

static int set_up(struct ww_pages *p, struct wkt_error *error)
{
    const struct wkt_info *info = wkt_reader_info(p->trace);
    p->launches = info->launches;
    p->buffers = info->buffers;
    p->ranges = malloc((p->buffers + 1u) * sizeof *p->ranges);
    p->kernel_of = malloc((p->launches + 1u) * sizeof *p->kernel_of);
    p->launch_start = calloc(p->launches + 1u, sizeof *p->launch_start);
    p->whole.buffers = calloc(p->buffers + 1u, sizeof *p->whole.buffers);
    bool ok =
        p->ranges != NULL && p->kernel_of != NULL && p->launch_start != NULL && p->whole.buffers != NULL;
    for (uint32_t i = 0; i < WW_FOOTPRINTS; ++i)
        ok = ok && ww_page_set_init(&p->sets[i]);
    if (!ok || !ww_stack_init(&p->stack) || !ww_working_set_init(&p->windows, p->cfg.windows))
        return no_memory(error);
    list_buffers(p);
    const int status = list_kernels(p, error);
    return status != WKT_OK ? status : ww_order_open(p->trace, &p->cfg.order, &p->order, error);
}

int ww_pages_open(struct wkt_reader *trace, const struct ww_pages_cfg *cfg, struct ww_pages **out,
                  struct wkt_error *error)
{
    uint32_t reuse_set = 0;
    while (reuse_set < WW_FOOTPRINTS && footprint_shifts[reuse_set] != cfg->page_shift)
        ++reuse_set;
    if (reuse_set == WW_FOOTPRINTS || cfg->windows < WW_WINDOWS_MIN || cfg->windows > WW_WINDOWS_MAX)
        return fail(error, WKT_E_ARG, "no such page size or number of windows");
    struct ww_pages *p = calloc(1, sizeof *p);
    if (p == NULL)
        return no_memory(error);
    p->trace = trace;
    p->cfg = *cfg;
    p->reuse_set = reuse_set;
    const int status = set_up(p, error);
    if (status != WKT_OK)
        ww_pages_close(p);
    else
        *out = p;
    return status;
}

void ww_pages_close(struct ww_pages *p)
{
    if (p == NULL)
        return;
    for (uint32_t k = 0; k < p->kernels_count; ++k) {
        free(p->kernels[k].part.buffers);
        for (uint32_t i = 0; p->own != NULL && i < WW_FOOTPRINTS; ++i)
            ww_number_set_free(&p->own[k].sets[i]);
    }
    for (uint32_t i = 0; i < WW_FOOTPRINTS; ++i)
        ww_page_set_free(&p->sets[i]);
    ww_stack_free(&p->stack);
    ww_working_set_free(&p->windows);
    ww_order_close(p->order);
    free(p->whole.buffers);
    free(p->ranges);
    free(p->in_pages);
    free(p->kernel_of);
    free(p->launch_start);
    free(p->own);
    free(p->kernels);
    free(p);
}

/* ---- one instruction ---- */

/* Lists the distinct larger pages or neighbourhoods, va >> shift, in order of first appearance. */
static uint32_t distinct(const struct ww_coal_out *pages, uint32_t shift, uint64_t *list)
{
    uint32_t count = 0;
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t i = 0; i < pages->pages; ++i) {
        const uint64_t number = pages->page_va[i] >> shift;
        bool known = false;
        if (count != 0 && number >= low && number <= high)
            for (uint32_t j = count; j-- > 0 && !known;)
                known = list[j] == number;
        if (known)
            continue;
        list[count++] = number;
        low = number < low ? number : low;
        high = number > high ? number : high;
    }
    return count;
}

/* Returns false if out of memory. */
static bool add_buffer(struct ww_pages *p, uint32_t buffer)
{
    if (p->in_pages_count == p->in_pages_room) {
        const uint32_t room = 2 * p->in_pages_room + 64;
        uint32_t *in_pages = room < p->in_pages_room ? NULL : realloc(p->in_pages, room * sizeof *in_pages);
        if (in_pages == NULL)
            return false;
        p->in_pages = in_pages;
        p->in_pages_room = room;
    }
    p->in_pages[p->in_pages_count++] = buffer;
    return true;
}

/* Lists the buffers that have a part in the page; of too many, those with the highest addresses. Returns
 * false if out of memory. */
static bool find_buffers(struct ww_pages *p, struct ww_page *page)
{
    const uint64_t first_va = page->vpn << WW_PAGE_4K, last_va = first_va | ww_page_mask(WW_PAGE_4K);
    uint32_t low = 0, high = p->ranges_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (p->ranges[middle].first_va <= last_va)
            low = middle + 1;
        else
            high = middle;
    }
    page->first_buffer = p->in_pages_count;
    page->buffers = 0;
    for (; high != 0 && page->buffers < BUFFERS_OF_PAGE && p->ranges[high - 1].reach >= first_va; --high) {
        if (p->ranges[high - 1].last_va < first_va)
            continue;
        if (!add_buffer(p, p->ranges[high - 1].buffer))
            return false;
        ++page->buffers;
    }
    return true;
}

/* Counts a 4 KiB page that the kernel touches for the first time. */
static bool add_to_kernel(struct ww_pages *p, uint32_t kernel, const struct ww_page *page)
{
    struct ww_pages_part *part = &p->kernels[kernel].part;
    bool added = false;
    ++part->footprint[WW_FOOTPRINT_4K];
    part->outside += page->buffers == 0;
    for (uint32_t i = 0; i < page->buffers; ++i)
        ++part->buffers[p->in_pages[page->first_buffer + i]].pages;
    for (uint32_t i = WW_FOOTPRINT_64K; i < WW_FOOTPRINTS; ++i) {
        const uint64_t number = page->vpn >> (footprint_shifts[i] - WW_PAGE_4K);
        const uint32_t at = ww_page_set_add(&p->sets[i], number, &added);
        if (at == WW_PAGE_NONE || !ww_number_set_add(&p->own[kernel].sets[i], at, &added))
            return false;
        part->footprint[i] += added;
    }
    return true;
}

/* Counts an access to a 4 KiB page. Returns the page's number, or WW_PAGE_NONE. */
static uint32_t touch(struct ww_pages *p, uint32_t kernel, uint64_t vpn)
{
    struct ww_pages_part *part = &p->kernels[kernel].part;
    bool added = false, own = false;
    const uint32_t at = ww_page_set_add(&p->sets[WW_FOOTPRINT_4K], vpn, &added);
    if (at == WW_PAGE_NONE)
        return WW_PAGE_NONE;
    struct ww_page *page = &p->sets[WW_FOOTPRINT_4K].pages[at];
    if (added) {
        if (!find_buffers(p, page))
            return WW_PAGE_NONE;
        p->whole.outside += page->buffers == 0;
        for (uint32_t i = 0; i < page->buffers; ++i)
            ++p->whole.buffers[p->in_pages[page->first_buffer + i]].pages;
    }
    if (!ww_number_set_add(&p->own[kernel].sets[WW_FOOTPRINT_4K], at, &own) ||
        (own && !add_to_kernel(p, kernel, page)))
        return WW_PAGE_NONE;
    for (uint32_t i = 0; i < page->buffers; ++i)
        ++part->buffers[p->in_pages[page->first_buffer + i]].accesses;
    return at;
}

static void count_access(uint32_t distance, uint64_t *cold, uint64_t *reuse)
{
    if (distance == WW_STACK_COLD)
        ++*cold;
    else
        ++reuse[distance == 0 ? 0 : ww_log2_u64(distance) + 1];
}

static bool access_page(struct ww_pages *p, struct ww_pages_part *part, uint32_t at)
{
    struct ww_page *page = &p->sets[p->reuse_set].pages[at];
    uint32_t distance = 0;
    if (!ww_stack_access(&p->stack, at, &distance))
        return false;
    ++part->accesses;
    count_access(distance, &part->cold, part->reuse);
    for (uint32_t i = 0; p->reuse_set == WW_FOOTPRINT_4K && i < page->buffers; ++i) {
        struct ww_pages_buffer *b = &p->whole.buffers[p->in_pages[page->first_buffer + i]];
        count_access(distance, &b->cold, b->reuse);
    }
    const uint64_t now = p->windows.accesses;
    ww_working_set_access(&p->windows, distance == WW_STACK_COLD ? WW_NEVER_BEFORE : page->last_access);
    page->last_access = now;
    return true;
}

static bool take_instruction(struct ww_pages *p, const struct wkt_record *r)
{
    const uint32_t kernel = p->kernel_of[p->step.launch];
    struct ww_pages_part *part = &p->kernels[kernel].part;
    const uint32_t lanes = (uint32_t)__builtin_popcountll(r->mask);
    struct ww_pages_kind *kind = &part->kinds[r->kind - WKT_LOAD];
    if (part->buffers == NULL) {
        part->buffers = calloc(p->buffers + 1u, sizeof *part->buffers);
        if (part->buffers == NULL)
            return false;
    }
    ++kind->instructions;
    kind->lanes += lanes;
    kind->bytes += (uint64_t)lanes * r->bytes;
    ++part->lanes[lanes];
    p->in.mask = r->mask;
    p->in.page_shift = WW_PAGE_4K;
    p->in.bytes = r->bytes;
    memcpy(p->in.va, r->va, sizeof p->in.va);
    ww_coalesce(&p->in, &p->out);
    const uint32_t nbhd_shift = ww_level_shift(ww_page_level(p->cfg.page_shift)) + WW_LINE_PTES_SHIFT;
    ++part->nbhds[distinct(&p->out, nbhd_shift, p->list)];
    const bool smallest = p->reuse_set == WW_FOOTPRINT_4K;
    for (uint32_t i = 0; i < p->out.pages; ++i) {
        const uint32_t at = touch(p, kernel, ww_vpn(p->out.page_va[i]));
        if (at == WW_PAGE_NONE || (smallest && !access_page(p, part, at)))
            return false;
    }
    const uint32_t pages = smallest ? p->out.pages : distinct(&p->out, p->cfg.page_shift, p->list);
    ++part->pages[pages];
    for (uint32_t i = 0; !smallest && i < pages; ++i) {
        bool added = false; /* stays false: touch() has added the page */
        const uint32_t at = ww_page_set_add(&p->sets[p->reuse_set], p->list[i], &added);
        if (at == WW_PAGE_NONE || !access_page(p, part, at))
            return false;
    }
    return true;
}

/* ---- all instructions ---- */

static void add_part(struct ww_pages *p, const struct ww_pages_part *from)
{
    struct ww_pages_part *to = &p->whole;
    for (uint32_t i = 0; i < 3; ++i) {
        to->kinds[i].instructions += from->kinds[i].instructions;
        to->kinds[i].lanes += from->kinds[i].lanes;
        to->kinds[i].bytes += from->kinds[i].bytes;
    }
    for (uint32_t i = 0; i <= WKT_WAVE_LANES; ++i)
        to->lanes[i] += from->lanes[i];
    for (uint32_t i = 0; i <= WW_COAL_MAX; ++i) {
        to->pages[i] += from->pages[i];
        to->nbhds[i] += from->nbhds[i];
    }
    for (uint32_t i = 0; i < WW_REUSE_BUCKETS; ++i)
        to->reuse[i] += from->reuse[i];
    to->accesses += from->accesses;
    to->cold += from->cold;
    for (uint32_t i = 0; from->buffers != NULL && i < p->buffers; ++i)
        to->buffers[i].accesses += from->buffers[i].accesses;
}

static void begin_launches(struct ww_pages *p, uint32_t end)
{
    while (p->launches_begun < end)
        p->launch_start[p->launches_begun++] = p->windows.accesses;
}

static void finish(struct ww_pages *p)
{
    begin_launches(p, p->launches);
    for (uint32_t k = 0; k < p->kernels_count; ++k)
        add_part(p, &p->kernels[k].part);
    for (uint32_t i = 0; i < WW_FOOTPRINTS; ++i)
        p->whole.footprint[i] = p->sets[i].count;
    p->finished = true;
}

int ww_pages_advance(struct ww_pages *p, uint64_t records, struct wkt_error *error)
{
    for (uint64_t i = 0; i < records && !p->finished; ++i) {
        const int status = ww_order_next(p->order, &p->step, error);
        if (status < 0)
            return status;
        if (status == 0) {
            finish(p);
            break;
        }
        begin_launches(p, p->step.launch + 1);
        const uint8_t kind = p->step.record.kind;
        if ((kind == WKT_LOAD || kind == WKT_STORE || kind == WKT_ATOMIC) &&
            !take_instruction(p, &p->step.record))
            return no_memory(error);
    }
    return p->finished ? 0 : 1;
}

const struct ww_pages_part *ww_pages_whole(const struct ww_pages *p)
{
    return &p->whole;
}

uint32_t ww_pages_kernels(const struct ww_pages *p)
{
    return p->kernels_count;
}

const struct ww_kernel_pages *ww_pages_kernel(const struct ww_pages *p, uint32_t i)
{
    return i < p->kernels_count ? &p->kernels[i] : NULL;
}

const struct ww_working_set *ww_pages_working_set(const struct ww_pages *p)
{
    return &p->windows;
}

uint64_t ww_pages_launch_start(const struct ww_pages *p, uint32_t launch)
{
    WW_ASSERT(launch < p->launches);
    return p->launch_start[launch];
}

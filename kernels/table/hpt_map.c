/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* kernels/table/hpt_map.c - PTE allocation. Algorithm 1 of [P24] as printed:
 *
 *   1: Step <- 0                                        17:  else if not Valid then
 *   2: Del Addr <- null                                 18:    if Oversubscription then
 *   3: while true do                                    19:      Page eviction
 *   4:   Current Addr <- Base + Hash + Step * Stride    20:    else if HPT entries >= Max. HPT entries then
 *   5:   if Valid then                                  21:      Remote PTE eviction
 *   6:     if VPN tag == Tag then                       22:    end if
 *   7:       Allocate PTE; 8: break                     23:    if Del Addr != null then
 *   9:     else                                         24:      Current Addr <- Del Addr
 *  10:       Step <- Step + 1                           25:    end if
 *  12:   else if Deleted then                           26:    Valid <- true
 *  13:     if Del Addr == null then                     27:    Allocate PTE; 28: break
 *  14:       Del Addr <- Current Addr
 *  16:     Step <- Step + 1
 *
 * Differences of this file, and why:
 *   line 3   ends at eight steps: a step has three bits. If others have all eight slots, that is an overflow.
 *   line 7   needs frames, too: new pages of an existing entry take frames as those of a new entry do.
 *   line 18  means: this allocation needs a frame and none is free. 'Oversubscription' of the program would
 *            stay true, so line 20 would never be reached and m would have no effect.
 *   line 20  is evaluated whether pages were evicted or not, for the same reason.
 *   line 21  may free a slot of the probe path: the path is probed after it and the first free slot taken.
 *   line 24  restores the step of the deleted slot, too: section 3.5 stores it in the step table.
 * An entry with a page in a frame is not a remote entry, even if it also has remote pages; the threshold
 * evicts only entries without such pages. */
/* clang-format on */
#include "kernels/table/hpt_map.h"

#include <string.h>

enum list { LOCAL, REMOTE, LISTS };

struct region {
    uint64_t tag;
    uint32_t slot;          /* WW_HPTMAP_NONE: not in the table */
    uint32_t older, newer;  /* neighbours in its list */
    uint16_t local, remote; /* pages in frames, remote pages */
    uint8_t step;
    uint8_t list; /* LISTS: none */
    bool known;
    uint64_t state[WW_HASHED_PTES / 32]; /* two bits per page: enum ww_hptmap_page */
};

struct ww_hptmap {
    struct ww_hptmap_cfg cfg;
    uint32_t used_slots, used_frames;
    uint32_t oldest[LISTS], newest[LISTS];
    struct ww_hptmap_counts counts;
};

static struct region *regions_of(struct ww_hptmap *h)
{
    return (struct region *)((unsigned char *)h + ww_align64(sizeof *h));
}
static const struct region *regions_at(const struct ww_hptmap *h)
{
    return (const struct region *)((const unsigned char *)h + ww_align64(sizeof *h));
}
static uint32_t *owners_of(struct ww_hptmap *h)
{
    return (uint32_t *)((unsigned char *)regions_of(h) + ww_align64(h->cfg.regions * sizeof(struct region)));
}
static const uint32_t *owners_at(const struct ww_hptmap *h)
{
    return (const uint32_t *)((const unsigned char *)regions_at(h) +
                              ww_align64(h->cfg.regions * sizeof(struct region)));
}

/* ---- pages ---- */

static enum ww_hptmap_page page_of(const struct region *r, uint32_t page)
{
    return (enum ww_hptmap_page)(r->state[page / 32] >> page % 32 * 2 & 3u);
}

static void set_page(struct ww_hptmap *h, struct region *r, uint32_t page, enum ww_hptmap_page to)
{
    const enum ww_hptmap_page was = page_of(r, page);
    r->state[page / 32] ^= (uint64_t)(was ^ to) << page % 32 * 2;
    r->local = (uint16_t)(r->local + (to == WW_HPTMAP_PAGE_DEVICE) - (was == WW_HPTMAP_PAGE_DEVICE));
    r->remote = (uint16_t)(r->remote + (to == WW_HPTMAP_PAGE_HOST) - (was == WW_HPTMAP_PAGE_HOST));
    h->used_frames += (uint32_t)(to == WW_HPTMAP_PAGE_DEVICE) - (uint32_t)(was == WW_HPTMAP_PAGE_DEVICE);
}

static enum ww_hptmap_home home_of(const struct region *r)
{
    return r->slot != WW_HPTMAP_NONE   ? WW_HPTMAP_TABLE
           : r->local + r->remote != 0 ? WW_HPTMAP_VICTIM
                                       : WW_HPTMAP_NOWHERE;
}

/* ---- orders of use ---- */

static void leave_list(struct ww_hptmap *h, uint32_t n)
{
    struct region *all = regions_of(h), *r = &all[n];
    if (r->list == LISTS)
        return;
    *(r->older == WW_HPTMAP_NONE ? &h->oldest[r->list] : &all[r->older].newer) = r->newer;
    *(r->newer == WW_HPTMAP_NONE ? &h->newest[r->list] : &all[r->newer].older) = r->older;
    r->list = LISTS;
}

/* Makes a region the newest of its list: LOCAL if it has pages in frames, else REMOTE. A region that has
 * neither a page in a frame nor a slot is in no list. */
static void renew(struct ww_hptmap *h, uint32_t n)
{
    struct region *all = regions_of(h), *r = &all[n];
    leave_list(h, n);
    if (r->local == 0 && r->slot == WW_HPTMAP_NONE)
        return;
    const uint8_t to = r->local != 0 ? LOCAL : REMOTE;
    r->list = to;
    r->newer = WW_HPTMAP_NONE;
    r->older = h->newest[to];
    *(r->older == WW_HPTMAP_NONE ? &h->oldest[to] : &all[r->older].newer) = n;
    h->newest[to] = n;
}

/* ---- slots ---- */

static uint64_t va_of(const struct region *r)
{
    return r->tag << WW_HASHED_REGION_SHIFT;
}

static uint32_t slot_at(const struct ww_hptmap *h, const struct region *r, uint32_t step)
{
    return (uint32_t)ww_hashed_slot(va_of(r), step, h->cfg.slots, h->cfg.stride);
}

/* An entry of the map is its owner's region + 1; 0 if it was never used; DELETED if its owner has left. */
#define DELETED UINT32_MAX

/* Moves a region to the victim buffer. Its slot is DELETED, as other regions' probe paths may cross it. */
static void leave_table(struct ww_hptmap *h, uint32_t n, struct ww_hptmap_done *out)
{
    struct region *r = &regions_of(h)[n];
    out->left[out->lefts++] = (struct ww_hptmap_left){n, r->slot};
    owners_of(h)[r->slot] = DELETED;
    r->slot = WW_HPTMAP_NONE;
    h->used_slots--;
    renew(h, n);
}

/* Returns the first free slot of a region's probe path and sets *step; WW_HPTMAP_NONE: others have all. */
static uint32_t find_free(struct ww_hptmap *h, const struct region *r, uint32_t *step)
{
    uint32_t found = WW_HPTMAP_NONE;
    for (uint32_t s = 0; s < WW_HASHED_STEPS; s++) {
        const uint32_t slot = slot_at(h, r, s), owner = owners_of(h)[slot];
        h->counts.probes++;
        if ((owner == 0 || owner == DELETED) && found == WW_HPTMAP_NONE) {
            found = slot;
            *step = s;
        }
        if (owner == 0)
            break;
    }
    return found;
}

/* Evicts the least recently used remote entry among a region's eight slots. Returns false if none is remote.
 * Required: all eight are taken. */
static bool evict_neighbour(struct ww_hptmap *h, const struct region *r, struct ww_hptmap_done *out)
{
    uint32_t victim = WW_HPTMAP_NONE, taken[WW_HASHED_STEPS];
    for (uint32_t s = 0; s < WW_HASHED_STEPS; s++)
        taken[s] = owners_of(h)[slot_at(h, r, s)] - 1;
    for (uint32_t n = h->oldest[REMOTE]; n != WW_HPTMAP_NONE && victim == WW_HPTMAP_NONE;
         n = regions_of(h)[n].newer)
        for (uint32_t s = 0; s < WW_HASHED_STEPS; s++)
            victim = taken[s] == n ? n : victim;
    if (victim == WW_HPTMAP_NONE)
        return false;
    h->counts.evicted_neighbour++;
    leave_table(h, victim, out);
    return true;
}

/* Lines 18 to 28 for a region without a slot. `returns`: its mappings are in the victim buffer. */
static void place(struct ww_hptmap *h, uint32_t n, bool returns, struct ww_hptmap_done *out)
{
    struct region *r = &regions_of(h)[n];
    if (h->used_slots >= h->cfg.most_slots) {
        const uint32_t oldest = h->oldest[REMOTE];
        h->counts.over_threshold += oldest == WW_HPTMAP_NONE;
        if (oldest != WW_HPTMAP_NONE) {
            h->counts.evicted_remote++;
            leave_table(h, oldest, out);
        }
    }
    uint32_t step = 0, slot = find_free(h, r, &step);
    out->overflow = slot == WW_HPTMAP_NONE;
    if (out->overflow && evict_neighbour(h, r, out))
        slot = find_free(h, r, &step);
    if (slot == WW_HPTMAP_NONE) {
        h->counts.refused++;
        return;
    }
    h->counts.reused += owners_of(h)[slot] == DELETED;
    h->counts.returned += returns;
    out->returned = returns;
    out->fresh = true;
    h->counts.placed++;
    h->counts.at_step[step]++;
    owners_of(h)[slot] = n + 1;
    r->slot = slot;
    r->step = (uint8_t)step;
    h->used_slots++;
}

/* ---- the calls ---- */

const char *ww_hptmap_wrong(const struct ww_hptmap_cfg *cfg)
{
    const char *wrong = ww_hashed_wrong(cfg->slots, cfg->stride);
    if (wrong != NULL)
        return wrong;
    if (cfg->slots > WW_HPTMAP_MOST || cfg->regions - 1 >= WW_HPTMAP_MOST)
        return "slots and regions are at most 2^24, and there is a region";
    if (cfg->frames == 0)
        return "device memory has at least a frame";
    if (cfg->most_slots - 1 >= cfg->slots)
        return "the threshold is between 1 and the number of slots";
    return NULL;
}

size_t ww_hptmap_bytes(const struct ww_hptmap_cfg *cfg)
{
    if (ww_hptmap_wrong(cfg) != NULL)
        return 0;
    return ww_align64(sizeof(struct ww_hptmap)) + ww_align64(cfg->regions * sizeof(struct region)) +
           ww_align64(cfg->slots * sizeof(uint32_t));
}

int ww_hptmap_init(struct ww_hptmap *h, size_t bytes, const struct ww_hptmap_cfg *cfg)
{
    const int fault = ww_clear(h, bytes, ww_hptmap_bytes(cfg));
    if (fault != WW_OK)
        return fault;
    h->cfg = *cfg;
    for (uint32_t l = 0; l < LISTS; l++)
        h->oldest[l] = h->newest[l] = WW_HPTMAP_NONE;
    for (uint32_t n = 0; n < cfg->regions; n++) {
        regions_of(h)[n].slot = WW_HPTMAP_NONE;
        regions_of(h)[n].list = LISTS;
    }
    return WW_OK;
}

static struct region *known(struct ww_hptmap *h, uint32_t n)
{
    WW_ASSERT(n < h->cfg.regions && regions_of(h)[n].known);
    return &regions_of(h)[n];
}

static const struct region *known_at(const struct ww_hptmap *h, uint32_t n)
{
    WW_ASSERT(n < h->cfg.regions && regions_at(h)[n].known);
    return &regions_at(h)[n];
}

void ww_hptmap_region(struct ww_hptmap *h, uint32_t region, uint64_t va)
{
    WW_ASSERT(region < h->cfg.regions && !regions_of(h)[region].known && va >> WW_HASHED_VA_BITS == 0);
    regions_of(h)[region].tag = ww_hashed_tag(va);
    regions_of(h)[region].known = true;
}

static uint32_t missing(const struct region *r, uint32_t first, uint32_t count)
{
    uint32_t n = 0;
    WW_ASSERT(count - 1 < WW_HASHED_PTES && first <= WW_HASHED_PTES - count);
    for (uint32_t page = first; page < first + count; page++)
        n += page_of(r, page) != WW_HPTMAP_PAGE_DEVICE;
    return n;
}

uint32_t ww_hptmap_frames_lacking(const struct ww_hptmap *h, uint32_t region, uint32_t first, uint32_t count)
{
    const uint32_t free_frames = h->cfg.frames - h->used_frames;
    const uint32_t wanted = missing(known_at(h, region), first, count);
    return wanted > free_frames ? wanted - free_frames : 0;
}

uint32_t ww_hptmap_evict_region(struct ww_hptmap *h, uint32_t n)
{
    struct region *r = known(h, n);
    const uint32_t pages = r->local;
    WW_ASSERT(pages != 0);
    h->counts.evicted_pages += pages;
    for (uint32_t page = 0; page < WW_HASHED_PTES; page++)
        if (page_of(r, page) == WW_HPTMAP_PAGE_DEVICE)
            set_page(h, r, page, WW_HPTMAP_PAGE_HOST);
    renew(h, n);
    return pages;
}

uint32_t ww_hptmap_evict_pages(struct ww_hptmap *h, uint32_t *pages)
{
    const uint32_t n = h->oldest[LOCAL];
    WW_ASSERT(n != WW_HPTMAP_NONE);
    *pages = ww_hptmap_evict_region(h, n);
    return n;
}

void ww_hptmap_map(struct ww_hptmap *h, uint32_t region, uint32_t first, uint32_t count, bool local,
                   struct ww_hptmap_done *out)
{
    struct region *r = known(h, region);
    const enum ww_hptmap_page to = local ? WW_HPTMAP_PAGE_DEVICE : WW_HPTMAP_PAGE_HOST;
    WW_ASSERT(!local || ww_hptmap_frames_lacking(h, region, first, count) == 0);
    const bool returns = home_of(r) == WW_HPTMAP_VICTIM;
    memset(out, 0, sizeof *out);
    for (uint32_t page = first; page < first + count; page++) {
        const enum ww_hptmap_page was = page_of(r, page);
        if (was == WW_HPTMAP_PAGE_DEVICE || was == to)
            continue;
        out->mapped++;
        set_page(h, r, page, to);
    }
    if (r->slot == WW_HPTMAP_NONE)
        place(h, region, returns, out);
    out->slot = r->slot;
    out->step = r->step;
    renew(h, region);
}

void ww_hptmap_used(struct ww_hptmap *h, uint32_t region)
{
    if (known(h, region)->list == REMOTE)
        renew(h, region);
}

enum ww_hptmap_home ww_hptmap_home_of(const struct ww_hptmap *h, uint32_t region)
{
    return home_of(known_at(h, region));
}

enum ww_hptmap_page ww_hptmap_page_of(const struct ww_hptmap *h, uint32_t region, uint32_t page)
{
    WW_ASSERT(page < WW_HASHED_PTES);
    return page_of(known_at(h, region), page);
}

uint32_t ww_hptmap_slot_of(const struct ww_hptmap *h, uint32_t region, uint32_t *step)
{
    const struct region *r = known_at(h, region);
    WW_ASSERT(r->slot != WW_HPTMAP_NONE);
    *step = r->step;
    return r->slot;
}

uint32_t ww_hptmap_find(const struct ww_hptmap *h, uint64_t va, uint32_t *step)
{
    const uint64_t wanted = ww_hashed_tag(va) | WW_HPTMAP_VALID;
    for (uint32_t s = 0; s < WW_HASHED_STEPS; s++) {
        const uint32_t slot = (uint32_t)ww_hashed_slot(va, s, h->cfg.slots, h->cfg.stride);
        const uint64_t entry = ww_hptmap_entry(h, slot);
        if (entry == wanted) {
            *step = s;
            return slot;
        }
        if (entry == 0)
            break;
    }
    return WW_HPTMAP_NONE;
}

uint64_t ww_hptmap_entry(const struct ww_hptmap *h, uint32_t slot)
{
    WW_ASSERT(slot < h->cfg.slots);
    const uint32_t owner = owners_at(h)[slot];
    if (owner == 0 || owner == DELETED)
        return owner == 0 ? 0 : WW_HPTMAP_DELETED;
    return regions_at(h)[owner - 1].tag | WW_HPTMAP_VALID;
}

uint32_t ww_hptmap_used_slots(const struct ww_hptmap *h)
{
    return h->used_slots;
}

uint32_t ww_hptmap_used_frames(const struct ww_hptmap *h)
{
    return h->used_frames;
}

const struct ww_hptmap_counts *ww_hptmap_so_far(const struct ww_hptmap *h)
{
    return &h->counts;
}

/* ---- the check ---- */

static const char *check_region(const struct ww_hptmap *h, uint32_t n)
{
    const struct region *r = &regions_at(h)[n];
    uint32_t pages[4] = {0, 0, 0, 0};
    for (uint32_t page = 0; page < WW_HASHED_PTES; page++)
        pages[page_of(r, page)]++;
    if (pages[WW_HPTMAP_PAGE_COUNT] != 0 || pages[WW_HPTMAP_PAGE_DEVICE] != r->local ||
        pages[WW_HPTMAP_PAGE_HOST] != r->remote)
        return "hpt_map: a region's pages are not as many as it counts";
    if (home_of(r) == WW_HPTMAP_TABLE && r->local + r->remote == 0)
        return "hpt_map: a region has a slot and no page";
    if (r->slot != WW_HPTMAP_NONE && (r->slot >= h->cfg.slots || r->step >= WW_HASHED_STEPS ||
                                      owners_at(h)[r->slot] != n + 1 || slot_at(h, r, r->step) != r->slot))
        return "hpt_map: a region's slot is another's, or not where its step says";
    const uint8_t list = r->local != 0 ? LOCAL : r->slot != WW_HPTMAP_NONE ? REMOTE : LISTS;
    return r->list == list ? NULL : "hpt_map: a region is in the wrong order of use";
}

/* A free slot before a region's own must be a deleted one: otherwise a probe along the path would not find
 * the region. */
static const char *check_way(const struct ww_hptmap *h, const struct region *r)
{
    for (uint32_t s = 0; r->slot != WW_HPTMAP_NONE && s < r->step; s++)
        if (owners_at(h)[slot_at(h, r, s)] == 0)
            return "hpt_map: the way to a region's slot is broken";
    return NULL;
}

/* The map knows a region by its tag only: of two with one tag it finds the first. */
static const char *check_tags(const struct ww_hptmap *h)
{
    uint32_t step;
    for (uint32_t n = 0; n < h->cfg.regions; n++) {
        const struct region *r = &regions_at(h)[n];
        if (home_of(r) != WW_HPTMAP_NOWHERE && ww_hptmap_find(h, va_of(r), &step) != r->slot)
            return "hpt_map: two regions have one tag";
    }
    return NULL;
}

static const char *check_lists(const struct ww_hptmap *h, const uint32_t *in)
{
    for (uint32_t l = 0; l < LISTS; l++) {
        uint32_t count = 0, last = WW_HPTMAP_NONE;
        for (uint32_t n = h->oldest[l]; n != WW_HPTMAP_NONE; n = regions_at(h)[n].newer) {
            if (n >= h->cfg.regions || regions_at(h)[n].list != l || regions_at(h)[n].older != last)
                return "hpt_map: an order of use is broken";
            last = n;
            count++;
        }
        if (count != in[l] || h->newest[l] != last)
            return "hpt_map: a region is missing in its order of use";
    }
    return NULL;
}

const char *ww_hptmap_check(const struct ww_hptmap *h)
{
    uint32_t frames = 0, slots = 0, valid = 0, in[LISTS + 1] = {0, 0, 0};
    for (uint32_t n = 0; n < h->cfg.regions; n++) {
        const struct region *r = &regions_at(h)[n];
        const char *broken = check_region(h, n);
        if (broken == NULL)
            broken = check_way(h, r);
        if (broken != NULL)
            return broken;
        frames += r->local;
        slots += r->slot != WW_HPTMAP_NONE;
        in[r->list]++;
    }
    for (uint32_t s = 0; s < h->cfg.slots; s++)
        valid += owners_at(h)[s] != 0 && owners_at(h)[s] != DELETED;
    if (frames != h->used_frames || frames > h->cfg.frames)
        return "hpt_map: frames are lost, or there are more than device memory has";
    if (slots != h->used_slots || valid != slots)
        return "hpt_map: a slot is lost, or has no region";
    if (slots > h->cfg.most_slots && h->counts.over_threshold == 0)
        return "hpt_map: more slots are in use than the threshold allows";
    const char *broken = check_tags(h); /* every slot has a region here */
    return broken != NULL ? broken : check_lists(h, in);
}

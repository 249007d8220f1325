/* SPDX-License-Identifier: MIT */
/* kernels/table/hashed_table.c - builder of the hashed page table; its walks are in table_hashed.c. The tags
 * of a slot's lines are the only record of its region. Time: none. Allocation: none. */
#include "kernels/table/hashed_table.h"

#include <string.h>

#define STEP_LINES_MAX (UINT64_C(1) << 23)
#define NO_STEP WW_HASHED_STEPS
#define SLOT_LINES (WW_HASHED_PTES / WW_LINE_PTES)

uint64_t ww_hpt_line_tag(const uint64_t line[WW_LINE_PTES])
{
    uint64_t tag = 0;
    for (uint32_t n = 0; n < WW_HPT_TAG_PTES; n++)
        tag |= ww_bits_get(WW_HPT_PTE_TAG, line[n]) << n * WW_HPT_PTE_TAG_BITS;
    return tag;
}

uint64_t ww_hpt_pte_tag(uint64_t tag, uint32_t n)
{
    return n >= WW_HPT_TAG_PTES ? 0 : ww_bits_put(WW_HPT_PTE_TAG, 0, tag >> n * WW_HPT_PTE_TAG_BITS & 15);
}

/* Return the two parts of va's tag in a step entry: the byte with the valid bit, the bits above the steps. */
static uint64_t high_of(uint64_t va)
{
    return WW_HSTEP_VALID | ww_hashed_group(va) >> 16;
}

static uint64_t low_of(uint64_t va)
{
    return ww_bits_put(WW_HSTEP_TAG_LOW, 0, ww_hashed_group(va) & 0xffff);
}

/* Returns the entry of va's group in its line; WW_HSTEP_LINE_ENTRIES: none. */
static uint32_t entry_of(const uint64_t line[WW_LINE_PTES], uint64_t va)
{
    uint32_t n = 0;
    while (n < WW_HSTEP_LINE_ENTRIES && ((line[WW_HSTEP_LINE_ENTRIES] >> n * 8 & 0xff) != high_of(va) ||
                                         (line[n] & WW_HSTEP_TAG_LOW) != low_of(va)))
        n++;
    return n;
}

bool ww_hstep_find(const uint64_t line[WW_LINE_PTES], uint64_t va, uint64_t *steps)
{
    const uint32_t n = entry_of(line, va);
    if (n == WW_HSTEP_LINE_ENTRIES)
        return false;
    *steps = line[n] & WW_HSTEP_STEPS;
    return true;
}

bool ww_hstep_put(uint64_t line[WW_LINE_PTES], uint64_t va, uint64_t steps)
{
    uint32_t n = entry_of(line, va);
    if (n == WW_HSTEP_LINE_ENTRIES) {
        for (n = 0;
             n < WW_HSTEP_LINE_ENTRIES && (line[WW_HSTEP_LINE_ENTRIES] >> n * 8 & WW_HSTEP_VALID) != 0;)
            n++;
        if (n == WW_HSTEP_LINE_ENTRIES)
            return false;
        line[WW_HSTEP_LINE_ENTRIES] |= high_of(va) << n * 8;
    }
    line[n] = low_of(va) | ww_bits_put(WW_HSTEP_STEPS, 0, steps);
    return true;
}

uint64_t ww_hstep_line(uint64_t va, uint64_t lines)
{
    return ww_hashed_scale(ww_hashed_group(va), lines);
}

uint64_t ww_hashed_victims_at(const struct ww_hashed_cfg *cfg)
{
    const uint64_t lines_per_frame = WW_NODE_BYTES / WW_LINE_BYTES;
    return cfg->slots + (cfg->step_lines + lines_per_frame - 1) / lines_per_frame;
}

uint64_t ww_hashed_frames(const struct ww_hashed_cfg *cfg)
{
    if (ww_hashed_wrong(cfg->slots, cfg->stride) != NULL || cfg->step_lines == 0 ||
        cfg->step_lines > STEP_LINES_MAX || cfg->victim_nodes == 0 || (cfg->arena_pa & ~WW_WALK_PA) != 0)
        return 0;
    const uint64_t frames = ww_hashed_victims_at(cfg) + cfg->victim_nodes;
    return frames > (WW_WALK_PA - cfg->arena_pa) / WW_NODE_BYTES + 1 ? 0 : frames;
}

int ww_hashed_init(struct ww_hpt *h, const struct ww_hashed_cfg *cfg, uint64_t *arena, size_t words)
{
    const uint64_t frames = ww_hashed_frames(cfg);
    if (frames == 0)
        return WW_E_ARG;
    if (words / WW_NODE_ENTRIES < frames)
        return WW_E_SIZE;
    const uint64_t at = ww_hashed_victims_at(cfg);
    const struct ww_radix_cfg victims = {WW_LEVELS_MIN, cfg->arena_pa + at * WW_NODE_BYTES,
                                         cfg->victim_nodes};
    memset(h, 0, sizeof *h);
    h->cfg = *cfg;
    memset(arena, 0, at * WW_NODE_BYTES);
    return ww_radix_init(&h->victims, &victims, arena + at * WW_NODE_ENTRIES,
                         cfg->victim_nodes * (size_t)WW_NODE_ENTRIES);
}

/* Return the first word of a slot, of a line of the step table, and of the victim buffer. */
static size_t slot_word(const struct ww_hpt *h, uint64_t va, uint32_t step)
{
    return (size_t)ww_hashed_slot(va, step, h->cfg.slots, h->cfg.stride) * WW_HASHED_PTES;
}

static size_t line_word(const struct ww_hpt *h, uint64_t va)
{
    return (size_t)(h->cfg.slots * WW_HASHED_PTES + ww_hstep_line(va, h->cfg.step_lines) * WW_LINE_PTES);
}

static size_t victim_word(const struct ww_hpt *h)
{
    return (size_t)ww_hashed_victims_at(&h->cfg) * WW_NODE_ENTRIES;
}

/* Returns the step whose slot carries this tag; NO_STEP: none of the eight. */
static uint32_t step_with(const struct ww_hpt *h, const uint64_t *arena, uint64_t va, uint64_t tag)
{
    uint32_t step = 0;
    while (step < WW_HASHED_STEPS && ww_hpt_line_tag(arena + slot_word(h, va, step)) != tag)
        step++;
    return step;
}

static uint64_t tag_of(uint64_t va)
{
    return ww_hashed_tag(va) | WW_HPT_VALID;
}

/* Enters the step in the step table. Without a step cache, a region at home needs no entry. */
static bool put_step(struct ww_hpt *h, uint64_t *arena, uint64_t va, uint32_t step)
{
    uint64_t *line = arena + line_word(h, va), steps = 0;
    const bool is_new = !ww_hstep_find(line, va, &steps);
    if (is_new && h->cfg.stepless && step == 0)
        return true;
    steps &= ~((uint64_t)(WW_HASHED_STEPS - 1) << ww_hashed_member(va) * WW_HASHED_STEP_BITS);
    steps |= (uint64_t)step << ww_hashed_member(va) * WW_HASHED_STEP_BITS;
    if (!ww_hstep_put(line, va, steps))
        return false;
    h->groups += is_new;
    return true;
}

static bool count_step(struct ww_hpt *h, uint64_t *arena, uint64_t va, uint32_t step)
{
    if (!put_step(h, arena, va, step))
        return false;
    h->regions[step]++;
    return true;
}

/* Gives a free slot to va's region. */
static int enter(struct ww_hpt *h, uint64_t *arena, uint64_t va, uint32_t step)
{
    if (!count_step(h, arena, va, step))
        return WW_E_SIZE;
    uint64_t *ptes = arena + slot_word(h, va, step);
    for (uint32_t i = 0; i < WW_HASHED_PTES; i++)
        ptes[i] = ww_hpt_pte_tag(tag_of(va), i % WW_LINE_PTES);
    return WW_OK;
}

/* Returns the address of page n of va's region. */
static uint64_t page_va(uint64_t va, uint32_t n)
{
    return (va >> WW_HASHED_REGION_SHIFT << WW_HASHED_REGION_SHIFT) + (uint64_t)n * WW_NODE_BYTES;
}

/* True if the victim buffer maps page n of va's region; then sets *x. */
static bool victim(const struct ww_hpt *h, const uint64_t *arena, uint64_t va, uint32_t n, struct ww_xlat *x)
{
    return ww_radix_lookup(&h->victims, arena + victim_word(h), page_va(va, n), x);
}

static bool has_victims(const struct ww_hpt *h, const uint64_t *arena, uint64_t va)
{
    struct ww_xlat x;
    for (uint32_t n = 0; n < WW_HASHED_PTES && h->victim_pages != 0; n++)
        if (victim(h, arena, va, n, &x))
            return true;
    return false;
}

int ww_hashed_place(struct ww_hpt *h, uint64_t *arena, uint64_t va)
{
    if (va >> WW_HASHED_VA_BITS != 0)
        return WW_E_ARG;
    if (step_with(h, arena, va, tag_of(va)) != NO_STEP)
        return WW_OK;
    const uint32_t step = step_with(h, arena, va, 0);
    return step == NO_STEP || has_victims(h, arena, va) ? WW_E_SIZE : enter(h, arena, va, step);
}

/* Slots that a search has reached, nearest first. `from`: index of the slot whose region would move there;
 * of the first slots, their own. */
struct room {
    uint64_t slot[WW_HASHED_ROOM_SLOTS];
    uint16_t from[WW_HASHED_ROOM_SLOTS];
    uint32_t slots;
};

static void look_at(const struct ww_hpt *h, struct room *r, uint64_t va, uint32_t from)
{
    for (uint32_t step = 0; step < WW_HASHED_STEPS; step++) {
        const uint64_t slot = ww_hashed_slot(va, step, h->cfg.slots, h->cfg.stride);
        uint32_t n = 0;
        while (n < r->slots && r->slot[n] != slot)
            n++;
        if (n < r->slots || n == WW_HASHED_ROOM_SLOTS)
            continue;
        r->slot[n] = slot;
        r->from[n] = (uint16_t)(from == WW_HASHED_ROOM_SLOTS ? n : from);
        r->slots = n + 1;
    }
}

static uint64_t va_of(uint64_t tag)
{
    return (tag & WW_HPT_TAG) << WW_HASHED_REGION_SHIFT;
}

/* Gives va's group a step entry of zeros unless it has one: without one, all its regions with a slot are at
 * home. Returns false if the line is full. */
static bool add_group(struct ww_hpt *h, uint64_t *arena, uint64_t va)
{
    uint64_t *line = arena + line_word(h, va), steps = 0;
    if (ww_hstep_find(line, va, &steps))
        return true;
    const bool has_room = ww_hstep_put(line, va, 0);
    h->groups += has_room;
    return has_room;
}

/* Moves the region of one slot to another, free one of its eight. Required: its group has a step entry. */
static void move_on(struct ww_hpt *h, uint64_t *arena, uint64_t from, uint64_t to)
{
    uint64_t *ptes = arena + from * WW_HASHED_PTES;
    const uint64_t tag = ww_hpt_line_tag(ptes), va = va_of(tag);
    const uint32_t was = step_with(h, arena, va, tag);
    uint32_t step = 0;
    while (slot_word(h, va, step) != to * WW_HASHED_PTES)
        step++;
    (void)count_step(h, arena, va, step);
    memcpy(arena + to * WW_HASHED_PTES, ptes, WW_HASHED_SLOT_BYTES);
    memset(ptes, 0, WW_HASHED_SLOT_BYTES);
    h->regions[was]--;
}

int ww_hashed_make_room(struct ww_hpt *h, uint64_t *arena, uint64_t va)
{
    struct room r;
    WW_ASSERT(va >> WW_HASHED_VA_BITS == 0);
    const bool has_slot = step_with(h, arena, va, tag_of(va)) != NO_STEP;
    if (has_slot || has_victims(h, arena, va))
        return has_slot ? WW_OK : WW_E_SIZE;
    r.slots = 0;
    look_at(h, &r, va, WW_HASHED_ROOM_SLOTS);
    for (uint32_t n = 0; n < r.slots; n++) {
        const uint64_t tag = ww_hpt_line_tag(arena + r.slot[n] * WW_HASHED_PTES);
        if (tag != 0) {
            look_at(h, &r, va_of(tag), n);
            continue;
        }
        bool can_move = add_group(h, arena, va);
        for (uint32_t m = n; r.from[m] != m && can_move; m = r.from[m])
            can_move =
                add_group(h, arena, va_of(ww_hpt_line_tag(arena + r.slot[r.from[m]] * WW_HASHED_PTES)));
        /* The last region moves first, so that every region has a slot at any time. */
        for (; r.from[n] != n && can_move; n = r.from[n])
            move_on(h, arena, r.slot[r.from[n]], r.slot[n]);
        return can_move ? WW_OK : WW_E_SIZE;
    }
    return WW_E_SIZE;
}

static bool mappable(uint64_t va, uint64_t pa, uint8_t page_shift, uint8_t perm)
{
    const bool size = page_shift == WW_PAGE_4K || page_shift == WW_PAGE_64K || page_shift == WW_PAGE_2M;
    return size && va >> WW_HASHED_VA_BITS == 0 && (pa & ~WW_PTE_FRAME & ~ww_page_mask(WW_PAGE_4K)) == 0 &&
           ((va | pa) & ww_page_mask(page_shift)) == 0 && (perm & WW_PERM_R) != 0 && perm <= WW_PERM_ALL;
}

int ww_hashed_map(struct ww_hpt *h, uint64_t *arena, uint64_t va, uint64_t pa, uint8_t page_shift,
                  uint8_t perm)
{
    if (!mappable(va, pa, page_shift, perm))
        return WW_E_ARG;
    if (ww_hashed_place(h, arena, va) != WW_OK) {
        const int rc = ww_radix_map(&h->victims, arena + victim_word(h), va, pa, page_shift, perm);
        h->victim_pages += rc == WW_OK;
        return rc;
    }
    const uint32_t entries = 1u << (page_shift - WW_PAGE_4K);
    uint64_t *ptes = arena + slot_word(h, va, step_with(h, arena, va, tag_of(va))) + ww_index(va, 1);
    for (uint32_t i = 0; i < entries; i++)
        if (ww_pte_present(ptes[i]))
            return WW_E_ARG;
    const uint64_t size = page_shift == WW_PAGE_2M ? WW_PTE_PS : page_shift == WW_PAGE_64K ? WW_PTE_64K : 0;
    for (uint32_t i = 0; i < entries; i++) {
        const uint64_t frame_pa = page_shift == WW_PAGE_64K ? pa + i * (uint64_t)WW_NODE_BYTES : pa;
        ptes[i] |= ww_pte_leaf(frame_pa, ww_pte_flags_of_perm(perm) | size);
    }
    return WW_OK;
}

static struct ww_xlat leaf_of(uint64_t pte)
{
    return ww_pte_xlat(pte, (pte & WW_PTE_PS) != 0 ? 2 : 1);
}

bool ww_hashed_lookup(const struct ww_hpt *h, const uint64_t *arena, uint64_t va, struct ww_xlat *out)
{
    if (va >> WW_HASHED_VA_BITS != 0)
        return false;
    const uint32_t step = step_with(h, arena, va, tag_of(va));
    if (step == NO_STEP)
        return ww_radix_lookup(&h->victims, arena + victim_word(h), va, out);
    const uint64_t pte = arena[slot_word(h, va, step) + ww_index(va, 1)];
    if (!ww_pte_present(pte))
        return ww_radix_lookup(&h->victims, arena + victim_word(h), va, out);
    *out = leaf_of(pte);
    return true;
}

struct ww_table ww_hashed_table(const struct ww_hpt *h)
{
    const struct ww_hashed_cfg *c = &h->cfg;
    const struct ww_table t = {
        c->stepless ? &ww_hashed_stepless : &ww_hashed,
        {{c->arena_pa, c->slots | c->stride << 32, c->arena_pa + c->slots * WW_HASHED_SLOT_BYTES,
          c->step_lines, ww_radix_root_pa(&h->victims)}}};
    return t;
}

/* ---- the driver's calls ---- */

int ww_hashed_give(struct ww_hpt *h, uint64_t *arena, uint64_t va, uint32_t step)
{
    struct ww_xlat x;
    WW_ASSERT(va >> WW_HASHED_VA_BITS == 0 && step_with(h, arena, va, tag_of(va)) == NO_STEP &&
              ww_hpt_line_tag(arena + slot_word(h, va, step)) == 0);
    if (enter(h, arena, va, step) != WW_OK)
        return WW_E_SIZE;
    for (uint32_t n = 0; n < WW_HASHED_PTES; n++)
        if (victim(h, arena, va, n, &x) && (page_va(va, n) & ww_page_mask(x.page_shift)) == 0)
            (void)ww_hashed_map(h, arena, page_va(va, n), x.page_pa, x.page_shift, x.perm);
    return WW_OK;
}

void ww_hashed_forget(struct ww_hpt *h, uint64_t *arena, uint64_t va)
{
    struct ww_xlat x;
    for (uint32_t n = 0; n < WW_HASHED_PTES; n++)
        if (victim(h, arena, va, n, &x)) {
            (void)ww_radix_unmap(&h->victims, arena + victim_word(h), page_va(va, n));
            h->victim_pages--;
        }
}

int ww_hashed_leave(struct ww_hpt *h, uint64_t *arena, uint64_t va)
{
    const uint32_t step = step_with(h, arena, va, tag_of(va));
    WW_ASSERT(step != NO_STEP);
    uint64_t *ptes = arena + slot_word(h, va, step);
    for (uint32_t n = 0, pages; n < WW_HASHED_PTES; n += pages) {
        pages = 1;
        if (!ww_pte_present(ptes[n]))
            continue;
        const struct ww_xlat x = leaf_of(ptes[n]);
        pages = 1u << (x.page_shift - WW_PAGE_4K);
        if (ww_radix_map(&h->victims, arena + victim_word(h), page_va(va, n), x.page_pa, x.page_shift,
                         x.perm) != WW_OK)
            return WW_E_SIZE;
        h->victim_pages++;
    }
    memset(ptes, 0, WW_HASHED_SLOT_BYTES);
    h->regions[step]--;
    return WW_OK;
}

/* ---- the check ---- */

/* Checks that all lines of a slot carry its region's tag and that the step table points to it. */
static const char *check_slot(const struct ww_hpt *h, const uint64_t *arena, uint64_t slot,
                              struct ww_hpt *found)
{
    const uint64_t *ptes = arena + slot * WW_HASHED_PTES;
    const uint64_t tag = ww_hpt_line_tag(ptes);
    for (uint32_t line = 0; line < SLOT_LINES; line++)
        if (ww_hpt_line_tag(ptes + (size_t)line * WW_LINE_PTES) != tag)
            return "two lines of a slot carry different tags";
    if (tag == 0)
        return NULL;
    const uint64_t va = va_of(tag);
    const uint32_t step = step_with(h, arena, va, tag);
    if (step == NO_STEP || slot_word(h, va, step) != slot * WW_HASHED_PTES)
        return "a slot has a region whose it cannot be";
    found->regions[step]++;
    uint64_t steps = 0;
    const bool known = ww_hstep_find(arena + line_word(h, va), va, &steps);
    if (ww_hstep_of(steps, va) != step || (!known && !h->cfg.stepless))
        return "the step table leads elsewhere than to a region's slot";
    return NULL;
}

static const char *check_step_line(const struct ww_hpt *h, const uint64_t *arena, uint64_t number,
                                   struct ww_hpt *found)
{
    const uint64_t *line = arena + h->cfg.slots * WW_HASHED_PTES + number * WW_LINE_PTES;
    for (uint32_t n = 0; n < WW_HSTEP_LINE_ENTRIES; n++) {
        const uint64_t high = line[WW_HSTEP_LINE_ENTRIES] >> n * 8 & 0xff;
        if ((high & WW_HSTEP_VALID) == 0)
            continue;
        const uint64_t group = (high & WW_HSTEP_TAG_HIGH) << 16 | ww_bits_get(WW_HSTEP_TAG_LOW, line[n]);
        const uint64_t va = group << WW_HASHED_GROUP_SHIFT;
        if (ww_hstep_line(va, h->cfg.step_lines) != number || entry_of(line, va) != n)
            return "a step entry is in another line than its group's, or is there twice";
        found->groups++;
    }
    return NULL;
}

const char *ww_hashed_check(const struct ww_hpt *h, const uint64_t *arena)
{
    struct ww_hpt found;
    const char *broken = NULL;
    memset(&found, 0, sizeof found);
    for (uint64_t slot = 0; slot < h->cfg.slots && broken == NULL; slot++)
        broken = check_slot(h, arena, slot, &found);
    for (uint64_t line = 0; line < h->cfg.step_lines && broken == NULL; line++)
        broken = check_step_line(h, arena, line, &found);
    if (broken != NULL)
        return broken;
    if (memcmp(found.regions, h->regions, sizeof found.regions) != 0 || found.groups != h->groups)
        return "regions or groups are not as many as were counted";
    return ww_radix_check(&h->victims, arena + victim_word(h));
}

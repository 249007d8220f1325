/* SPDX-License-Identifier: MIT */
/* kernels/walk/pwc.c - see pwc.h. Blob: header, then the tag store and the walks of each step with a
 * cache. */
#include "kernels/walk/pwc.h"

#include "kernels/bits.h"

#include <string.h>

#define KEY_PREFIX WW_BITS64(46, 0) /* [46:0]  va >> reach of the step */
#define KEY_VALID WW_BITS64(47, 47) /* [47]    always 1 */
#define KEY_VMID WW_BITS64(63, 48)  /* [63:48] */
WW_STATIC_ASSERT((KEY_PREFIX | KEY_VALID | KEY_VMID) == UINT64_MAX, "every bit of the key is named");
WW_STATIC_ASSERT(KEY_PREFIX + KEY_VALID + KEY_VMID == UINT64_MAX, "the fields of the key are disjoint");
#define REACH_MIN 10u /* so that a prefix of 57 - 10 bits fits KEY_PREFIX */

static uint64_t pack_key(const struct ww_pwc *p, uint64_t va, uint32_t step, uint16_t vmid)
{
    return va >> p->reach[step] | KEY_VALID | (uint64_t)vmid << 48;
}

static uint64_t *walks_of(struct ww_pwc *p, uint32_t step)
{
    return (uint64_t *)(void *)((unsigned char *)p + p->walk_off[step]);
}

static const uint64_t *const_walks_of(const struct ww_pwc *p, uint32_t step)
{
    return (const uint64_t *)(const void *)((const unsigned char *)p + p->walk_off[step]);
}

static uint32_t set_of(const struct ww_pwc *p, uint64_t va, uint32_t step)
{
    return ww_set_index(p->index[step], va >> p->reach[step], p->set_bits[step]);
}

uint32_t ww_pwc_ways(const struct ww_pwc_cfg *cfg, uint32_t step)
{
    const uint32_t entries = cfg->entries[step];
    if (step == cfg->kind->direct)
        return 1;
    return cfg->ways == 0 || cfg->ways > entries ? entries : cfg->ways;
}

/* Inserts the step into `order`, which ascends by reach. */
static void put_in_order(struct ww_pwc *p, uint32_t step)
{
    uint32_t at = p->caches++;
    for (; at > 0 && p->reach[p->order[at - 1]] > p->reach[step]; --at)
        p->order[at] = p->order[at - 1];
    p->order[at] = (uint8_t)step;
}

static size_t plan(struct ww_pwc *p, const struct ww_pwc_cfg *cfg)
{
    const struct ww_table_kind *kind = cfg->kind;
    if (ww_table_kind_check(kind) != NULL || kind->reach[kind->last] < REACH_MIN || cfg->index > WW_INDEX_XOR)
        return 0;
    memset(p, 0, sizeof *p);
    p->over = kind->over;
    p->whole = kind->whole;
    p->steps = kind->steps;
    p->last = kind->last;
    memcpy(p->reach, kind->reach, sizeof p->reach);
    size_t end = ww_align64(sizeof *p);
    for (uint32_t step = 0; step <= WW_STEPS_MAX; ++step) {
        if (cfg->entries[step] == 0)
            continue;
        if (step == 0 || step > kind->steps || step == kind->last)
            return 0;
        const uint32_t ways = ww_pwc_ways(cfg, step), sets = cfg->entries[step] / ways;
        if (cfg->entries[step] % ways != 0 || !ww_is_pow2(sets))
            return 0;
        end = ww_assoc_plan(&p->step[step], sets, ways, end);
        if (end == 0)
            return 0;
        p->set_bits[step] = (uint8_t)ww_name_bits(sets);
        p->index[step] = step == kind->direct ? (uint8_t)WW_INDEX_MODULO : cfg->index;
        p->walk_off[step] = end;
        end = ww_align64(end + ww_assoc_slots(&p->step[step]) * sizeof(uint64_t));
        put_in_order(p, step);
    }
    p->bytes = end;
    return end;
}

size_t ww_pwc_bytes(const struct ww_pwc_cfg *cfg)
{
    struct ww_pwc p;
    return plan(&p, cfg);
}

int ww_pwc_init(struct ww_pwc *p, size_t bytes, const struct ww_pwc_cfg *cfg)
{
    struct ww_pwc head;
    const int fault = ww_clear(p, bytes, plan(&head, cfg));
    if (fault != WW_OK)
        return fault;
    *p = head;
    return WW_OK;
}

/* Returns the step of the hit nearest the end of the walk and sets *slot, or returns 0 if there is none. */
static uint32_t find(const struct ww_pwc *p, uint64_t va, uint16_t vmid, uint32_t *slot)
{
    for (uint32_t i = 0; i < p->caches; ++i) {
        const uint32_t step = p->order[i];
        if (p->step[step].live == 0)
            continue;
        *slot = ww_assoc_find(&p->step[step], p, set_of(p, va, step), pack_key(p, va, step, vmid));
        if (*slot != WW_ASSOC_NONE)
            return step;
    }
    return 0;
}

uint64_t ww_pwc_lookup(struct ww_pwc *p, uint64_t va, uint16_t vmid)
{
    uint32_t slot = 0;
    const uint32_t step = find(p, va, vmid, &slot);
    if (step == 0)
        return 0;
    ww_assoc_touch(&p->step[step], p, slot);
    return const_walks_of(p, step)[slot];
}

uint64_t ww_pwc_probe(const struct ww_pwc *p, uint64_t va, uint16_t vmid)
{
    uint32_t slot = 0;
    const uint32_t step = find(p, va, vmid, &slot);
    return step == 0 ? 0 : const_walks_of(p, step)[slot];
}

/* True if an entry of this step may have led to the walk. */
static bool leads(const struct ww_pwc *p, uint32_t step, uint64_t walk)
{
    return ww_walk_act(walk) == WW_WALK_READ && ww_walk_from(walk) == step && step - 1 < p->steps &&
           ww_walk_step(walk) - 1 < p->steps;
}

void ww_pwc_fill(struct ww_pwc *p, uint64_t va, uint16_t vmid, uint64_t walk)
{
    const uint32_t step = ww_walk_from(walk);
    WW_ASSERT(ww_walk_act(walk) == WW_WALK_READ && step != p->last && (step == 0 || leads(p, step, walk)));
    if (step == 0 || (p->over != 0 && ww_bits_get(p->over, walk) != p->whole))
        return;
    struct ww_assoc *tags = &p->step[step];
    if (tags->ways == 0)
        return;
    const uint64_t key = pack_key(p, va, step, vmid);
    const uint32_t set = set_of(p, va, step);
    uint32_t slot = ww_assoc_find(tags, p, set, key);
    if (slot == WW_ASSOC_NONE) {
        slot = ww_assoc_victim(tags, p, set);
        ww_assoc_put(tags, p, slot, key);
    } else {
        ww_assoc_touch(tags, p, slot);
    }
    walks_of(p, step)[slot] = walk;
}

uint32_t ww_pwc_invalidate(struct ww_pwc *p, uint64_t va, uint64_t bytes, uint16_t vmid)
{
    const uint64_t most_va = WW_BITS64(WW_WALK_VA_BITS_MAX - 1, 0); /* the prefix of more has no room */
    uint32_t dropped = 0;
    if (bytes == 0 || va > most_va)
        return 0;
    const uint64_t last_va = bytes - 1 > most_va - va ? most_va : va + bytes - 1;
    for (uint32_t i = 0; i < p->caches; ++i) {
        const uint32_t step = p->order[i];
        const uint64_t *keys = ww_assoc_keys(&p->step[step], p);
        /* The prefix is the lowest field, so a range of addresses of one VM is a range of keys. */
        const uint64_t first = pack_key(p, va, step, vmid);
        const uint64_t last = pack_key(p, last_va, step, vmid);
        for (uint32_t slot = 0; slot < ww_assoc_slots(&p->step[step]); ++slot) {
            if (keys[slot] < first || keys[slot] > last)
                continue;
            ww_assoc_drop(&p->step[step], p, slot);
            dropped += 1;
        }
    }
    return dropped;
}

void ww_pwc_flush(struct ww_pwc *p)
{
    for (uint32_t i = 0; i < p->caches; ++i)
        ww_assoc_flush(&p->step[p->order[i]], p);
}

uint32_t ww_pwc_count(const struct ww_pwc *p, uint32_t step)
{
    WW_ASSERT(step <= WW_STEPS_MAX);
    return p->step[step].live;
}

const char *ww_pwc_check(const struct ww_pwc *p)
{
    for (uint32_t i = 0; i < p->caches; ++i) {
        const uint32_t step = p->order[i];
        const struct ww_assoc *tags = &p->step[step];
        const char *broken = ww_assoc_check(tags, p);
        if (broken != NULL)
            return broken;
        for (uint32_t slot = 0; slot < ww_assoc_slots(tags); ++slot) {
            const uint64_t key = ww_assoc_keys(tags, p)[slot];
            if (key != 0 && (key & KEY_VALID) == 0)
                return "pwc: a tag without its valid bit";
            if (key != 0 && !leads(p, step, const_walks_of(p, step)[slot]))
                return "pwc: an entry leads to no walk";
        }
    }
    return NULL;
}

uint32_t ww_pwc_tag_bits(const struct ww_pwc_cfg *cfg, uint32_t step, const struct ww_widths *w)
{
    const uint32_t prefix = w->va - cfg->kind->reach[step];
    const uint32_t name = ww_name_bits(cfg->entries[step] / ww_pwc_ways(cfg, step));
    return (prefix > name ? prefix - name : 0) + w->vmid;
}

uint64_t ww_pwc_bits(const struct ww_pwc_cfg *cfg, uint32_t step, const struct ww_widths *w)
{
    const uint64_t entries = cfg->entries[step];
    if (entries == 0 || cfg->kind->reach[step] >= w->va) /* the step has only one entry then */
        return 0;
    const uint64_t ways = ww_pwc_ways(cfg, step);
    const uint32_t tag = ww_pwc_tag_bits(cfg, step, w);
    if (step == cfg->kind->direct)
        return entries * (1 + tag + ww_table_word_bits(cfg->kind));
    const uint32_t node = w->pa - (uint32_t)WW_PAGE_4K;
    return entries * (1 + tag + node) + ww_lru_bits(entries / ways, ways);
}

/* SPDX-License-Identifier: MIT */
/* kernels/pwc.c - see pwc.h. Blob: header, then for each level that exists its tag store and its node
 * addresses. */
#include "kernels/pwc.h"

#include "kernels/addr.h"
#include "kernels/bits.h"

#include <string.h>

#define KEY_PREFIX WW_BITS64(46, 0) /* [46:0]  va >> ww_level_shift(level) */
#define KEY_VALID WW_BITS64(47, 47) /* [47]    always 1 */
#define KEY_VMID WW_BITS64(63, 48)  /* [63:48] */
WW_STATIC_ASSERT((KEY_PREFIX | KEY_VALID | KEY_VMID) == UINT64_MAX, "every bit of the key is named");
WW_STATIC_ASSERT(KEY_PREFIX + KEY_VALID + KEY_VMID == UINT64_MAX, "the fields of the key are disjoint");

static uint64_t pack_key(uint64_t va, uint32_t level, uint16_t vmid)
{
    return va >> ww_level_shift(level) | KEY_VALID | (uint64_t)vmid << 48;
}

static uint64_t *nodes_of(struct ww_pwc *p, uint32_t level)
{
    return (uint64_t *)(void *)((unsigned char *)p + p->node_pa_off[level]);
}

static const uint64_t *const_nodes_of(const struct ww_pwc *p, uint32_t level)
{
    return (const uint64_t *)(const void *)((const unsigned char *)p + p->node_pa_off[level]);
}

static size_t plan(struct ww_pwc *p, const struct ww_pwc_cfg *cfg)
{
    if (cfg->entries[0] != 0 || cfg->entries[1] != 0)
        return 0;
    memset(p, 0, sizeof *p);
    p->cfg = *cfg;
    size_t end = ww_align64(sizeof *p);
    for (uint32_t level = WW_PWC_LEVEL_FIRST; level <= WW_PWC_LEVEL_LAST; ++level) {
        if (cfg->entries[level] == 0)
            continue;
        end = ww_assoc_plan(&p->level[level], 1, cfg->entries[level], end);
        if (end == 0)
            return 0;
        p->node_pa_off[level] = end;
        end = ww_align64(end + ww_assoc_slots(&p->level[level]) * sizeof(uint64_t));
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
    const size_t need = plan(&head, cfg);
    if (need == 0)
        return WW_E_ARG;
    if (bytes < need)
        return WW_E_SIZE;
    memset(p, 0, need);
    *p = head;
    return WW_OK;
}

/* Level (2..5) of the deepest entry that covers va, its slot in *slot; 0 when there is none. */
static uint32_t find(const struct ww_pwc *p, uint64_t va, uint16_t vmid, uint32_t *slot)
{
    for (uint32_t level = WW_PWC_LEVEL_FIRST; level <= WW_PWC_LEVEL_LAST; ++level) {
        if (p->level[level].live == 0)
            continue;
        *slot = ww_assoc_find(&p->level[level], p, 0, pack_key(va, level, vmid));
        if (*slot != WW_ASSOC_NONE)
            return level;
    }
    return 0;
}

uint32_t ww_pwc_lookup(struct ww_pwc *p, uint64_t va, uint16_t vmid, uint64_t *node_pa)
{
    uint32_t slot = 0;
    const uint32_t level = find(p, va, vmid, &slot);
    if (level == 0)
        return 0;
    ww_assoc_touch(&p->level[level], p, slot);
    *node_pa = const_nodes_of(p, level)[slot];
    return level - 1;
}

uint32_t ww_pwc_probe(const struct ww_pwc *p, uint64_t va, uint16_t vmid, uint64_t *node_pa)
{
    uint32_t slot = 0;
    const uint32_t level = find(p, va, vmid, &slot);
    if (level == 0)
        return 0;
    *node_pa = const_nodes_of(p, level)[slot];
    return level - 1;
}

void ww_pwc_fill(struct ww_pwc *p, uint64_t va, uint16_t vmid, uint32_t level, uint64_t next_node_pa)
{
    WW_ASSERT(level >= WW_PWC_LEVEL_FIRST && level <= WW_PWC_LEVEL_LAST);
    WW_ASSERT(next_node_pa % WW_NODE_BYTES == 0);
    struct ww_assoc *tags = &p->level[level];
    if (tags->ways == 0)
        return;
    const uint64_t key = pack_key(va, level, vmid);
    uint32_t slot = ww_assoc_find(tags, p, 0, key);
    if (slot == WW_ASSOC_NONE) {
        slot = ww_assoc_victim(tags, p, 0);
        ww_assoc_put(tags, p, slot, key);
    } else {
        ww_assoc_touch(tags, p, slot);
    }
    nodes_of(p, level)[slot] = next_node_pa;
}

uint32_t ww_pwc_invalidate(struct ww_pwc *p, uint64_t va, uint64_t bytes, uint16_t vmid)
{
    uint32_t dropped = 0;
    if (bytes == 0)
        return 0;
    const uint64_t last_va = bytes - 1 > UINT64_MAX - va ? UINT64_MAX : va + bytes - 1;
    for (uint32_t level = WW_PWC_LEVEL_FIRST; level <= WW_PWC_LEVEL_LAST; ++level) {
        const uint64_t *keys = ww_assoc_keys(&p->level[level], p);
        /* The prefix is the lowest field, so a range of addresses of one VM is a range of keys. */
        const uint64_t first = pack_key(va, level, vmid);
        const uint64_t last = pack_key(last_va, level, vmid);
        for (uint32_t slot = 0; slot < ww_assoc_slots(&p->level[level]); ++slot) {
            if (keys[slot] < first || keys[slot] > last)
                continue;
            ww_assoc_drop(&p->level[level], p, slot);
            dropped += 1;
        }
    }
    return dropped;
}

void ww_pwc_flush(struct ww_pwc *p)
{
    for (uint32_t level = WW_PWC_LEVEL_FIRST; level <= WW_PWC_LEVEL_LAST; ++level)
        if (p->level[level].ways != 0)
            ww_assoc_flush(&p->level[level], p);
}

uint32_t ww_pwc_count(const struct ww_pwc *p, uint32_t level)
{
    WW_ASSERT(level <= WW_PWC_LEVEL_LAST);
    return p->level[level].live;
}

const char *ww_pwc_check(const struct ww_pwc *p)
{
    for (uint32_t level = WW_PWC_LEVEL_FIRST; level <= WW_PWC_LEVEL_LAST; ++level) {
        const struct ww_assoc *tags = &p->level[level];
        if (tags->ways == 0)
            continue;
        const char *broken = ww_assoc_check(tags, p);
        if (broken != NULL)
            return broken;
        for (uint32_t slot = 0; slot < ww_assoc_slots(tags); ++slot) {
            const uint64_t key = ww_assoc_keys(tags, p)[slot];
            if (key != 0 && (key & KEY_VALID) == 0)
                return "pwc: a tag without its valid bit";
            if (key != 0 && const_nodes_of(p, level)[slot] % WW_NODE_BYTES != 0)
                return "pwc: an entry does not point to a table node";
        }
    }
    return NULL;
}

/* SPDX-License-Identifier: MIT */
/* kernels/dram/dram_check.c - checks the invariants of a channel's blob, for tests. Changes nothing. */
#include "kernels/dram/dram_state.h"

/* A view for reading: the accessors of dram_state.h need a blob that is not const. */
struct view {
    const struct ww_dram *d;
    const struct dram_slot *slots;
    const struct dram_group *groups;
    const uint16_t *buckets;
};

static struct view view_of(const struct ww_dram *d)
{
    const unsigned char *at = (const unsigned char *)d;
    struct view v = {d, (const struct dram_slot *)(at + ww_align64(sizeof *d)),
                     (const struct dram_group *)(at + d->groups_offset),
                     (const uint16_t *)(at + d->buckets_offset)};
    return v;
}

/* Checks that the requests of one bank and direction are linked both ways and in order of age. */
static const char *check_list(const struct view *v, uint32_t b, uint32_t dir, uint32_t *count)
{
    const struct dram_bank *bank = &v->d->bank[b];
    uint32_t prev = NIL;
    for (uint32_t s = bank->head[dir]; s != NIL; prev = s, s = v->slots[s].next) {
        const struct dram_slot *slot = &v->slots[s];
        if (slot->prev != prev || slot->bank != b)
            return "dram: a bank's list is broken";
        if (!slot->bursts || slot->bursts > v->d->cfg.bursts)
            return "dram: a request wants more column commands than one has, or none";
        if (prev != NIL && v->slots[prev].age >= slot->age)
            return "dram: a bank's list is not in order of age";
        const struct dram_group *group = &v->groups[slot->group];
        if (group->lane != dram_lane(b, dir) || group->row != slot->row)
            return "dram: a request is in a group of another row";
        ++*count;
    }
    if (bank->tail[dir] != prev)
        return "dram: a bank's tail is not its last request";
    bool open = v->d->open_mask >> b & 1;
    uint32_t g = bank->open_group[dir];
    if (g != NIL && (!open || v->groups[g].row != bank->row))
        return "dram: the group of the open row is another";
    if ((v->d->work_mask[dir] >> b & 1) != (prev != NIL))
        return "dram: the mask of banks with work is wrong";
    return NULL;
}

/* Checks that every group is in its bucket and lists its requests, at least one, by age; and that a bank with
 * the group's row open refers to it. */
static const char *check_groups(const struct view *v, uint32_t *count)
{
    for (uint32_t i = 0; i < v->d->buckets; i++)
        for (uint32_t g = v->buckets[i]; g != NIL; g = v->groups[g].hash_next) {
            const struct dram_group *group = &v->groups[g];
            uint32_t b = group->lane >> 1;
            const struct dram_bank *bank = &v->d->bank[b];
            if (dram_bucket(v->d, group->lane, group->row) != i)
                return "dram: a group is in another bucket";
            uint32_t last = NIL;
            for (uint32_t s = group->head; s != NIL; last = s, s = v->slots[s].group_next) {
                if (last != NIL && v->slots[last].age >= v->slots[s].age)
                    return "dram: a group is not in order of age";
                if (v->slots[s].group != g)
                    return "dram: a group holds a request of another";
                ++*count;
            }
            if (last == NIL || group->tail != last)
                return "dram: a group is empty or its tail is wrong";
            if ((v->d->open_mask >> b & 1) && bank->row == group->row &&
                bank->open_group[group->lane & 1] != g)
                return "dram: row hits are not known to their bank";
        }
    return NULL;
}

const char *ww_dram_check(const struct ww_dram *d)
{
    struct view v = view_of(d);
    uint32_t total = 0, grouped = 0, forwards = 0, free_slots = 0;
    for (uint32_t dir = READ; dir <= WRITE; dir++) {
        uint32_t count = dir == READ ? d->forwards : 0;
        for (uint32_t b = 0; b < d->cfg.ranks * d->cfg.banks; b++) {
            const char *broken = check_list(&v, b, dir, &count);
            if (broken)
                return broken;
        }
        if (count != d->waiting[dir] || count > d->entries[dir])
            return "dram: the number of waiting requests is wrong";
        total += count;
    }
    const char *broken = check_groups(&v, &grouped);
    if (broken)
        return broken;
    for (uint32_t s = d->forward_head; s != NIL; s = v.slots[s].next)
        forwards++;
    for (uint32_t s = d->free_slot; s != NIL; s = v.slots[s].next)
        free_slots++;
    if (forwards != d->forwards || grouped + forwards != total || total + free_slots != d->slots)
        return "dram: a request is lost or counted twice";
    if (d->drain_left > d->waiting[WRITE])
        return "dram: a drain wants more writes than wait";
    for (uint32_t dir = READ; dir <= WRITE; dir++)
        for (uint64_t m = d->unserved[dir]; m; m &= m - 1) {
            const struct dram_bank *bank = &d->bank[dram_first(m)];
            uint32_t s = bank->open_group[dir] == NIL ? NIL : v.groups[bank->open_group[dir]].head;
            if (s == NIL || (s != bank->head[dir] && v.slots[s].bursts == d->cfg.bursts))
                return "dram: a row is kept for a request that does not wait";
        }
    for (uint64_t m = d->work_mask[d->dir] | d->unserved[!d->dir]; m; m &= m - 1) {
        const struct dram_candidate *c = &d->candidate[dram_first(m)];
        bool closed = !(d->open_mask >> dram_first(m) & 1);
        uint32_t column = d->unserved[!d->dir] >> dram_first(m) & 1 ? !d->dir : d->dir;
        if (closed != (c->kind == LIMIT_ACT) ||
            (c->kind != LIMIT_PRE && c->kind != LIMIT_ACT && c->kind != column) ||
            (column != d->dir && c->kind != column))
            return "dram: a candidate does not fit the state of its bank";
    }
    if (total && d->wake == WW_DRAM_NEVER)
        return "dram: requests wait, but no step is due";
    return NULL;
}

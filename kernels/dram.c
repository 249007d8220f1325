/* SPDX-License-Identifier: MIT */
/* kernels/dram.c - what happens every step: queues, candidates, FR-FCFS choice, refresh in the busy channel.
 * See dram_state.h for the layout. A step touches the banks that have a candidate, never the queue. */
#include "kernels/dram_state.h"

/* ---- groups: waiting requests of one row ---- */

static uint32_t find_group(struct ww_dram *d, uint32_t b, uint32_t row, uint32_t dir)
{
    const struct dram_group *groups = dram_groups(d);
    uint32_t g = dram_buckets(d)[dram_bucket(d, b, row, dir)];
    while (g != NIL && !(groups[g].row == row && groups[g].bank == b && groups[g].dir == dir))
        g = groups[g].hash_next;
    return g;
}

static void free_group(struct ww_dram *d, uint32_t g)
{
    struct dram_group *groups = dram_groups(d);
    uint16_t *link = &dram_buckets(d)[dram_bucket(d, groups[g].bank, groups[g].row, groups[g].dir)];
    while (*link != g)
        link = &groups[*link].hash_next;
    *link = groups[g].hash_next;
    groups[g].hash_next = d->free_group;
    d->free_group = (uint16_t)g;
}

/* The slot joins its row's group; true if the group is new. */
static bool join_group(struct ww_dram *d, uint32_t s, uint32_t dir)
{
    struct dram_group *groups = dram_groups(d);
    struct dram_slot *slots = dram_slots(d);
    struct dram_slot *slot = &slots[s];
    uint32_t g = find_group(d, slot->bank, slot->row, dir);
    bool fresh = g == NIL;
    if (fresh) {
        uint16_t *bucket = &dram_buckets(d)[dram_bucket(d, slot->bank, slot->row, dir)];
        g = d->free_group;
        d->free_group = groups[g].hash_next;
        groups[g].row = slot->row;
        groups[g].bank = slot->bank;
        groups[g].dir = (uint8_t)dir;
        groups[g].hash_next = *bucket;
        groups[g].head = (uint16_t)s;
        *bucket = (uint16_t)g;
    } else {
        slots[groups[g].tail].group_next = (uint16_t)s;
    }
    groups[g].tail = (uint16_t)s;
    slot->group = (uint16_t)g;
    slot->group_next = NIL;
    return fresh;
}

/* ---- candidates ---- */

/* The one command that bank b could do for the direction served. */
static void update(struct ww_dram *d, uint32_t b)
{
    const struct dram_bank *bank = &d->bank[b];
    const struct dram_slot *slots = dram_slots(d);
    uint64_t bit = (uint64_t)1 << b;
    uint32_t s = bank->head[d->dir];
    d->col_mask &= ~bit;
    d->act_mask &= ~bit;
    d->pre_mask &= ~bit;
    if (s == NIL)
        return;
    uint64_t ok = bank->act_ok;
    if (d->open_mask & bit) {
        uint32_t g = bank->open_group[d->dir];
        uint32_t hit = g == NIL ? NIL : dram_groups(d)[g].head;
        if (hit != NIL && (hit == s || !d->cfg.hit_cap || bank->hits < d->cfg.hit_cap)) {
            d->col_mask |= bit;
            ok = bank->col_ok;
            s = hit;
        } else {
            d->pre_mask |= bit;
            ok = bank->pre_ok;
        }
    } else {
        d->act_mask |= bit;
    }
    d->ready[b] = max_u64(ok, slots[s].visible_cycle);
    d->age[b] = slots[s].age;
}

/* Which direction is served. true if that changed: the candidates are then those of the new direction.
 * A drain ends after a counted number of writes and owes as many reads before the next, so neither side
 * starves. */
static bool steer(struct ww_dram *d)
{
    uint32_t reads = d->waiting[READ] - d->forwards, writes = d->waiting[WRITE];
    if (!reads)
        d->reads_owed = 0;
    if (!d->drain_left && !d->reads_owed && writes >= d->cfg.write_high)
        d->drain_left = writes - d->cfg.write_low;
    uint32_t dir = d->drain_left || (!reads && writes) ? WRITE : READ;
    if (dir == d->dir)
        return false;
    d->dir = dir;
    d->col_mask = d->act_mask = d->pre_mask = 0;
    for (uint64_t m = d->work_mask[dir]; m; m &= m - 1)
        update(d, dram_first(m));
    return true;
}

/* ---- the next cycle with something to do ---- */

static uint64_t soonest_of(const struct ww_dram *d, uint64_t mask, uint64_t limit)
{
    uint64_t best = WW_DRAM_NEVER;
    for (; mask; mask &= mask - 1) {
        uint64_t t = d->ready[dram_first(mask)];
        if (t <= limit)
            return limit;
        best = min_u64(best, t);
    }
    return best;
}

/* Command that brings the refresh of a blocked rank forward, and when it may come. */
static uint64_t refresh_ready(const struct ww_dram *d, const struct dram_rank *rank, enum ww_dram_cmd *cmd)
{
    uint64_t open = d->open_mask & rank->banks;
    *cmd = open ? WW_DRAM_PREA : WW_DRAM_REF;
    return open ? dram_pre_ok_all(d, open) : dram_act_ok_all(d, rank->banks);
}

/* Not before `floor`. Exact: at that cycle a command can be issued, or a refresh falls due. */
static uint64_t soonest(struct ww_dram *d, uint64_t floor)
{
    if (!(d->waiting[READ] | d->waiting[WRITE] | d->blocked))
        return WW_DRAM_NEVER;
    uint64_t best = max_u64(d->next_refresh, floor);
    if (d->forward_head != NIL)
        best = min_u64(best, max_u64(dram_slots(d)[d->forward_head].visible_cycle, floor));
    uint64_t open = ~d->blocked;
    for (uint32_t r = 0; r < d->cfg.ranks && best > floor; r++) {
        const struct dram_rank *rank = &d->rank[r];
        uint64_t banks = rank->banks & open;
        best = min_u64(best, soonest_of(d, d->col_mask & banks, max_u64(rank->col_ok[d->dir], floor)));
        best = min_u64(best, soonest_of(d, d->act_mask & banks, max_u64(rank->act_ok, floor)));
        if (d->blocked & rank->banks) {
            enum ww_dram_cmd cmd;
            best = min_u64(best, max_u64(refresh_ready(d, rank, &cmd), floor));
        }
    }
    if (best > floor)
        best = min_u64(best, soonest_of(d, d->pre_mask & open, floor));
    return best;
}

/* ---- requests in ---- */

static bool in_write_queue(struct ww_dram *d, const struct ww_dram_loc *loc, uint32_t b)
{
    if (!(d->work_mask[WRITE] >> b & 1))
        return false;
    uint32_t g = find_group(d, b, loc->row, WRITE);
    if (g == NIL)
        return false;
    const struct dram_slot *slots = dram_slots(d);
    uint32_t s = dram_groups(d)[g].head;
    while (s != NIL && slots[s].col != loc->col)
        s = slots[s].group_next;
    return s != NIL;
}

/* A read of a line whose write is still waiting takes the data from there. */
static void forward(struct ww_dram *d, uint32_t s)
{
    struct dram_slot *slots = dram_slots(d);
    slots[s].next = NIL;
    if (d->forward_head == NIL)
        d->forward_head = (uint16_t)s;
    else
        slots[d->forward_tail].next = (uint16_t)s;
    d->forward_tail = (uint16_t)s;
    d->forwards++;
    d->wake = min_u64(d->wake, max_u64(slots[s].visible_cycle, d->free_at));
}

bool ww_dram_enqueue(struct ww_dram *d, const struct ww_dram_loc *loc, bool is_write, uint32_t id,
                     uint64_t now)
{
    WW_ASSERT(now >= d->now);
    WW_ASSERT(loc->rank < d->cfg.ranks && loc->bank < d->cfg.banks);
    uint32_t dir = is_write ? WRITE : READ;
    if (d->waiting[dir] >= d->entries[dir])
        return false;
    ww_dram_settle(d, now);
    d->now = now;

    struct dram_slot *slots = dram_slots(d);
    uint32_t b = loc->rank * d->cfg.banks + loc->bank;
    uint32_t s = d->free_slot;
    struct dram_slot *slot = &slots[s];
    struct dram_bank *bank = &d->bank[b];
    d->free_slot = slot->next;
    slot->age = d->next_age++;
    slot->visible_cycle = now + d->cfg.overhead_cycles;
    slot->row = loc->row;
    slot->col = loc->col;
    slot->id = id;
    slot->bank = (uint8_t)b;
    d->waiting[dir]++;
    if (!is_write && in_write_queue(d, loc, b)) {
        forward(d, s);
        return true;
    }
    bool first = bank->head[dir] == NIL;
    slot->next = NIL;
    slot->prev = bank->tail[dir];
    if (first)
        bank->head[dir] = (uint16_t)s;
    else
        slots[slot->prev].next = (uint16_t)s;
    bank->tail[dir] = (uint16_t)s;
    uint64_t bit = (uint64_t)1 << b;
    d->work_mask[dir] |= bit;
    bool first_hit = join_group(d, s, dir) && (d->open_mask & bit) && bank->row == slot->row;
    if (first_hit)
        bank->open_group[dir] = slot->group;

    uint64_t floor = max_u64(now, d->free_at);
    if (steer(d)) {
        d->wake = soonest(d, floor);
    } else if (dir == d->dir && (first || first_hit)) {
        const struct dram_rank *rank = &d->rank[bank->rank];
        uint64_t limit = floor;
        update(d, b);
        if (d->col_mask & bit)
            limit = max_u64(limit, rank->col_ok[dir]);
        else if (d->act_mask & bit)
            limit = max_u64(limit, rank->act_ok);
        d->wake = min_u64(d->wake, max_u64(d->next_refresh, floor));
        if (!(d->blocked & bit))
            d->wake = min_u64(d->wake, max_u64(limit, d->ready[b]));
    }
    return true;
}

/* ---- commands out ---- */

/* Oldest of the candidates that their banks allow now, NIL for none. */
static uint32_t oldest(const struct ww_dram *d, uint64_t mask, uint64_t now, uint64_t *age)
{
    uint32_t best = NIL;
    for (; mask; mask &= mask - 1) {
        uint32_t b = dram_first(mask);
        if (d->ready[b] <= now && d->age[b] < *age) {
            *age = d->age[b];
            best = b;
        }
    }
    return best;
}

static void report(const struct ww_dram *d, uint32_t b, enum ww_dram_cmd cmd, struct ww_dram_event *out)
{
    out->cmd = (uint8_t)cmd;
    out->rank = d->bank[b].rank;
    out->bank = (uint8_t)(b - d->bank[b].rank * d->cfg.banks);
    out->row = d->bank[b].row;
}

/* The oldest hit of bank b leaves the queue. */
static uint32_t take_hit(struct ww_dram *d, uint32_t b)
{
    struct dram_slot *slots = dram_slots(d);
    struct dram_bank *bank = &d->bank[b];
    uint32_t dir = d->dir, g = bank->open_group[dir];
    struct dram_group *group = &dram_groups(d)[g];
    uint32_t s = group->head;
    const struct dram_slot *slot = &slots[s];
    group->head = slot->group_next;
    if (group->head == NIL) {
        free_group(d, g);
        bank->open_group[dir] = NIL;
    }
    if (slot->prev == NIL)
        bank->head[dir] = slot->next;
    else
        slots[slot->prev].next = slot->next;
    if (slot->next == NIL)
        bank->tail[dir] = slot->prev;
    else
        slots[slot->next].prev = slot->prev;
    if (bank->head[dir] == NIL)
        d->work_mask[dir] &= ~((uint64_t)1 << b);
    d->waiting[dir]--;
    return s;
}

static void free_slot(struct ww_dram *d, uint32_t s)
{
    dram_slots(d)[s].next = d->free_slot;
    d->free_slot = (uint16_t)s;
}

static void issue_column(struct ww_dram *d, uint32_t b, uint64_t now, struct ww_dram_event *out)
{
    const struct ww_dram_timing *t = &d->cfg.timing;
    struct dram_bank *bank = &d->bank[b];
    uint32_t dir = d->dir, s = take_hit(d, b);
    report(d, b, dir == WRITE ? WW_DRAM_WR : WW_DRAM_RD, out);
    out->id = dram_slots(d)[s].id;
    out->done_cycle = now + d->latency[dir] + t->burst_cycles;
    free_slot(d, s);
    for (uint32_t r = 0; r < d->cfg.ranks; r++) {
        const uint32_t *gap = d->gap[dir][r == bank->rank];
        uint64_t *ok = d->rank[r].col_ok;
        ok[READ] = max_u64(ok[READ], now + gap[READ]);
        ok[WRITE] = max_u64(ok[WRITE], now + gap[WRITE]);
    }
    d->sum.row_hits += bank->hits != 0;
    bank->hits++;
    if (dir == WRITE) {
        d->sum.writes++;
        bank->pre_ok = max_u64(bank->pre_ok, out->done_cycle + t->wr_cycles);
        if (d->drain_left && --d->drain_left == 0)
            d->reads_owed = d->cfg.write_high - d->cfg.write_low;
    } else {
        d->sum.reads++;
        bank->pre_ok = max_u64(bank->pre_ok, now + t->rtp_cycles);
        d->reads_owed -= d->reads_owed != 0;
    }
    if (d->cfg.row_policy == WW_DRAM_ROW_CLOSED && bank->open_group[READ] == NIL &&
        bank->open_group[WRITE] == NIL) {
        out->precharge = true;
        dram_close(d, b, bank->pre_ok);
    }
    if (!steer(d))
        update(d, b);
}

static void issue_act(struct ww_dram *d, uint32_t b, uint64_t now, struct ww_dram_event *out)
{
    const struct ww_dram_timing *t = &d->cfg.timing;
    struct dram_bank *bank = &d->bank[b];
    struct dram_rank *rank = &d->rank[bank->rank];
    const struct dram_slot *slot = &dram_slots(d)[bank->head[d->dir]];
    if (!(d->open_mask & rank->banks))
        rank->open_since = max_u64(now, rank->open_until);
    d->open_mask |= (uint64_t)1 << b;
    bank->row = slot->row;
    bank->hits = 0;
    bank->open_group[d->dir] = slot->group;
    bank->open_group[!d->dir] = NIL;
    if (bank->head[!d->dir] != NIL)
        bank->open_group[!d->dir] = (uint16_t)find_group(d, b, slot->row, !d->dir);
    bank->col_ok = now + t->rcd_cycles;
    bank->pre_ok = now + t->ras_cycles;
    bank->act_ok = now + t->rc_cycles;
    rank->faw_ok[rank->faw_next] = now + t->faw_cycles;
    rank->faw_next = (rank->faw_next + 1) & 3;
    rank->act_ok = max_u64(now + t->rrd_cycles, rank->faw_ok[rank->faw_next]);
    d->sum.acts++;
    report(d, b, WW_DRAM_ACT, out);
    update(d, b);
}

static void issue_pre(struct ww_dram *d, uint32_t b, uint64_t now, struct ww_dram_event *out)
{
    dram_close(d, b, now);
    report(d, b, WW_DRAM_PRE, out);
    update(d, b);
}

/* First ready: column commands of open rows, the oldest; then ACT and PRE, those of the oldest request. */
static void schedule(struct ww_dram *d, uint64_t now, struct ww_dram_event *out)
{
    uint64_t cols = 0, acts = 0, open = ~d->blocked, age = UINT64_MAX;
    for (uint32_t r = 0; r < d->cfg.ranks; r++) {
        const struct dram_rank *rank = &d->rank[r];
        cols |= rank->col_ok[d->dir] <= now ? rank->banks : 0;
        acts |= rank->act_ok <= now ? rank->banks : 0;
    }
    uint32_t b = oldest(d, d->col_mask & cols & open, now, &age);
    if (b != NIL) {
        issue_column(d, b, now, out);
        return;
    }
    b = oldest(d, ((d->act_mask & acts) | d->pre_mask) & open, now, &age);
    if (b == NIL)
        return;
    if (d->act_mask >> b & 1)
        issue_act(d, b, now, out);
    else
        issue_pre(d, b, now, out);
}

/* Blocks the ranks whose refresh has fallen due: they get no other command until it is done. */
static void block_due_ranks(struct ww_dram *d, uint64_t now)
{
    for (uint32_t r = 0; r < d->cfg.ranks; r++)
        if (d->rank[r].refresh_due <= now)
            d->blocked |= d->rank[r].banks;
    dram_plan_refresh(d);
}

/* One command of a refresh, lowest rank first. */
static bool refresh(struct ww_dram *d, uint64_t now, struct ww_dram_event *out)
{
    for (uint32_t r = 0; r < d->cfg.ranks; r++) {
        struct dram_rank *rank = &d->rank[r];
        enum ww_dram_cmd cmd;
        if (!(d->blocked & rank->banks) || refresh_ready(d, rank, &cmd) > now)
            continue;
        out->cmd = (uint8_t)cmd;
        out->rank = (uint8_t)r;
        if (cmd == WW_DRAM_PREA) {
            dram_close_rank(d, rank, now);
        } else {
            dram_refreshed(d, rank, now);
            rank->refresh_due += d->cfg.timing.refi_cycles;
            d->sum.refreshes++;
            d->blocked &= ~rank->banks;
            dram_plan_refresh(d);
        }
        for (uint64_t m = rank->banks & d->work_mask[d->dir]; m; m &= m - 1)
            update(d, dram_first(m));
        return true;
    }
    return false;
}

/* The oldest read answered from the write queue; it takes the controller's cycle. */
static bool answer_forward(struct ww_dram *d, uint64_t now, struct ww_dram_event *out)
{
    const struct dram_slot *slots = dram_slots(d);
    uint32_t s = d->forward_head;
    if (s == NIL || slots[s].visible_cycle > now)
        return false;
    report(d, slots[s].bank, WW_DRAM_FORWARD, out);
    out->row = slots[s].row;
    out->id = slots[s].id;
    out->done_cycle = now;
    d->forward_head = slots[s].next;
    d->forwards--;
    d->waiting[READ]--;
    d->sum.forwards++;
    free_slot(d, s);
    return true;
}

uint64_t ww_dram_step(struct ww_dram *d, uint64_t now, struct ww_dram_event *out)
{
    static const struct ww_dram_event nothing = {0};
    WW_ASSERT(now >= d->now);
    d->now = now;
    *out = nothing;
    if (now < d->wake)
        return d->wake;
    if (d->next_refresh <= now)
        block_due_ranks(d, now);
    if (!(d->blocked && refresh(d, now, out)) && !answer_forward(d, now, out))
        schedule(d, now, out);
    if (out->cmd != WW_DRAM_NONE)
        d->free_at = now + 1;
    d->wake = soonest(d, now + 1);
    return d->wake;
}

uint64_t ww_dram_due(const struct ww_dram *d)
{
    return d->wake;
}

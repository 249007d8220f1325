/* SPDX-License-Identifier: MIT */
/* kernels/dram/dram.c - the work of every step: queues, candidates, FR-FCFS choice, refresh of a busy
 * channel. See dram_state.h for the layout. A step visits the banks that have a candidate, never the
 * queue. */
#include "kernels/dram/dram_state.h"

/* ---- groups: waiting requests of one row ---- */

static uint32_t find_group(struct ww_dram *d, uint32_t b, uint32_t row, uint32_t dir)
{
    const struct dram_group *groups = dram_groups(d);
    uint32_t lane = dram_lane(b, dir);
    uint32_t g = dram_buckets(d)[dram_bucket(d, lane, row)];
    while (g != NIL && !(groups[g].row == row && groups[g].lane == lane))
        g = groups[g].hash_next;
    return g;
}

static void free_group(struct ww_dram *d, uint32_t g)
{
    struct dram_group *groups = dram_groups(d);
    uint16_t *link = &dram_buckets(d)[dram_bucket(d, groups[g].lane, groups[g].row)];
    while (*link != g)
        link = &groups[*link].hash_next;
    *link = groups[g].hash_next;
    groups[g].hash_next = d->free_group;
    d->free_group = (uint16_t)g;
}

/* Adds the slot to its row's group. Returns true if the group is new. */
static bool join_group(struct ww_dram *d, uint32_t s, uint32_t dir)
{
    struct dram_group *groups = dram_groups(d);
    struct dram_slot *slots = dram_slots(d);
    struct dram_slot *slot = &slots[s];
    uint32_t g = find_group(d, slot->bank, slot->row, dir);
    bool fresh = g == NIL;
    if (fresh) {
        uint16_t *bucket = &dram_buckets(d)[dram_bucket(d, dram_lane(slot->bank, dir), slot->row)];
        g = d->free_group;
        d->free_group = groups[g].hash_next;
        groups[g].row = slot->row;
        groups[g].lane = (uint8_t)dram_lane(slot->bank, dir);
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

static void set_candidate(struct ww_dram *d, uint32_t b, enum limit kind, uint64_t ok,
                          const struct dram_slot *slot)
{
    struct dram_candidate *c = &d->candidate[b];
    c->ready = max_u64(ok, slot->visible_cycle);
    c->limit = dram_limit(kind, d->bank[b].group);
    c->priority = (kind >= LIMIT_ACT ? PRIORITY_ROW : 0) | slot->age << 6 | b;
    c->kind = kind;
}

/* Sets the candidate command of bank b: for the direction served, unless the bank owes one of the other. */
static void update(struct ww_dram *d, uint32_t b)
{
    const struct dram_bank *bank = &d->bank[b];
    const struct dram_slot *slots = dram_slots(d);
    uint32_t other = !d->dir;
    if (d->unserved[other] >> b & 1) {
        uint32_t opener = dram_groups(d)[bank->open_group[other]].head;
        set_candidate(d, b, (enum limit)other, bank->col_ok[other], &slots[opener]);
        return;
    }
    uint32_t s = bank->head[d->dir];
    if (s == NIL)
        return;
    if (!(d->open_mask >> b & 1)) {
        set_candidate(d, b, LIMIT_ACT, bank->act_ok, &slots[s]);
        return;
    }
    uint32_t g = bank->open_group[d->dir];
    uint32_t hit = g == NIL ? NIL : dram_groups(d)[g].head;
    if (hit != NIL && (hit == s || !d->cfg.hit_cap || bank->hits < d->cfg.hit_cap))
        set_candidate(d, b, (enum limit)d->dir, bank->col_ok[d->dir], &slots[hit]);
    else
        set_candidate(d, b, LIMIT_PRE, bank->pre_ok, &slots[s]);
}

/* Chooses the direction to serve. Returns true if it changes; the candidates are then those of the new one. A
 * drain ends after a counted number of writes and owes reads before the next, so neither side starves. */
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
    for (uint64_t m = d->work_mask[dir]; m; m &= m - 1) /* unserved banks have a candidate since their ACT */
        update(d, dram_first(m));
    return true;
}

/* ---- the next command, and the next cycle with something to do ---- */

/* Returns the banks whose column commands must precede the turn to the direction served: those of one request
 * each, whose row is open, so nothing starves. */
static uint64_t turn_waits_for(const struct ww_dram *d)
{
    return d->unserved[!d->dir] & ~d->blocked;
}

/* First ready: of the candidates with the earliest cycle, chooses the oldest column command, else the oldest
 * ACT or PRE. Cycles ahead, kind and age form one number, so one comparison per bank decides. Rows opened for
 * the other direction are served before any column command of this one; ACT and PRE go on meanwhile. */
static void choose(struct ww_dram *d, uint64_t floor)
{
    uint64_t best = UINT64_MAX;
    uint64_t turn = turn_waits_for(d);
    for (uint64_t m = (d->work_mask[d->dir] & ~d->blocked) | turn; m; m &= m - 1) {
        uint32_t b = dram_first(m);
        const struct dram_candidate *c = &d->candidate[b];
        if (turn && c->kind == d->dir)
            continue;
        uint64_t at = max_u64(max_u64(c->ready, d->limit[c->limit]), floor);
        best = min_u64(best, (at - floor) << PRIORITY_BITS | c->priority);
    }
    d->choice = best == UINT64_MAX ? NIL : best & (WW_DRAM_MAX_BANKS - 1);
    d->choice_cycle = best == UINT64_MAX ? WW_DRAM_NEVER : floor + (best >> PRIORITY_BITS);
}

/* Sets wake to the first cycle from `floor` on at which a command can be issued, a read can be answered from
 * the write queue, or a refresh falls due. */
static void plan(struct ww_dram *d, uint64_t floor)
{
    choose(d, floor);
    uint64_t wake = d->choice_cycle;
    if (d->forward_head != NIL)
        wake = min_u64(wake, dram_slots(d)[d->forward_head].visible_cycle);
    for (uint32_t r = 0; d->blocked && r < d->cfg.ranks; r++) {
        enum ww_dram_cmd cmd;
        if (d->blocked & d->rank[r].banks)
            wake = min_u64(wake, dram_refresh_ready(d, &d->rank[r], &cmd));
    }
    if (d->waiting[READ] | d->waiting[WRITE] | d->blocked)
        wake = min_u64(wake, d->next_refresh);
    d->wake = max_u64(wake, floor);
}

/* As plan(), if only the candidate of bank b has changed. */
static void plan_bank(struct ww_dram *d, uint32_t b, uint64_t floor)
{
    const struct dram_candidate *c = &d->candidate[b];
    update(d, b);
    if (d->choice == b) {
        plan(d, floor);
        return;
    }
    uint64_t at = max_u64(max_u64(c->ready, d->limit[c->limit]), floor);
    bool waits = d->blocked >> b & 1 || (c->kind == d->dir && turn_waits_for(d));
    if (!waits &&
        (at < d->choice_cycle || (at == d->choice_cycle && c->priority < d->candidate[d->choice].priority))) {
        d->choice = b;
        d->choice_cycle = at;
    }
    d->wake = min_u64(d->wake, max_u64(min_u64(d->choice_cycle, d->next_refresh), floor));
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

/* Queues a read of a line with a waiting write: it takes the data from there. */
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
    if (!(d->waiting[READ] | d->waiting[WRITE]))
        d->next_age = 0;
    WW_ASSERT(d->next_age < MAX_AGE);
    slot->age = d->next_age++;
    slot->visible_cycle = now + d->cfg.overhead_cycles;
    slot->row = loc->row;
    slot->col = loc->col;
    slot->id = id;
    slot->bank = (uint8_t)b;
    slot->bursts = (uint8_t)d->cfg.bursts;
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
    if (steer(d))
        plan(d, floor);
    else if (dir == d->dir && (first || first_hit))
        plan_bank(d, b, floor);
    return true;
}

/* ---- commands out ---- */

static void report(const struct ww_dram *d, uint32_t b, enum ww_dram_cmd cmd, struct ww_dram_event *out)
{
    out->cmd = (uint8_t)cmd;
    out->rank = d->bank[b].rank;
    out->bank = (uint8_t)(b - d->bank[b].rank * d->cfg.banks);
    out->row = d->bank[b].row;
}

/* Removes the oldest hit of bank b and this direction from the queue. Returns its slot. */
static uint32_t take_hit(struct ww_dram *d, uint32_t b, uint32_t dir)
{
    struct dram_slot *slots = dram_slots(d);
    struct dram_bank *bank = &d->bank[b];
    uint32_t g = bank->open_group[dir];
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

/* Updates the earliest cycles of column commands, of all groups and both directions, after this one. */
static void keep_apart(struct ww_dram *d, const struct dram_bank *bank, uint32_t dir, uint64_t now)
{
    uint64_t *limit = d->limit; /* limits of RD, then of WR */
    for (uint32_t r = 0, g = 0; r < d->cfg.ranks; r++)
        for (uint32_t end = g + d->cfg.groups; g < end; g++) {
            const uint32_t *gap = d->gap[dir][dram_near(bank, r, g)];
            limit[g] = max_u64(limit[g], now + gap[READ]);
            limit[WW_DRAM_MAX_BANKS + g] = max_u64(limit[WW_DRAM_MAX_BANKS + g], now + gap[WRITE]);
        }
}

static void issue_column(struct ww_dram *d, uint32_t b, uint64_t now, struct ww_dram_event *out)
{
    const struct ww_dram_timing *t = &d->cfg.timing;
    struct dram_bank *bank = &d->bank[b];
    uint32_t dir = d->candidate[b].kind;
    struct dram_slot *slot = &dram_slots(d)[dram_groups(d)[bank->open_group[dir]].head];
    uint64_t data_end = now + d->latency[dir] + t->burst_cycles;
    report(d, b, dir == WRITE ? WW_DRAM_WR : WW_DRAM_RD, out);
    out->id = slot->id;
    keep_apart(d, bank, dir, now);
    d->sum.row_hits += bank->hits != 0;
    if (dir == WRITE) {
        d->sum.writes++;
        bank->pre_ok = max_u64(bank->pre_ok, data_end + t->wr_cycles);
    } else {
        d->sum.reads++;
        bank->pre_ok = max_u64(bank->pre_ok, now + t->rtp_cycles);
    }
    if (--slot->bursts) {
        d->unserved[dir] |= (uint64_t)1 << b;
        return; /* the candidate stays: the same request's next burst */
    }
    out->done_cycle = data_end;
    free_slot(d, take_hit(d, b, dir));
    d->unserved[dir] &= ~((uint64_t)1 << b);
    bank->hits++;
    if (dir == READ) {
        d->sum.read_requests++;
        d->reads_owed -= d->reads_owed != 0;
    } else if (d->drain_left && --d->drain_left == 0) {
        d->reads_owed = d->cfg.write_high - d->cfg.write_low;
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
    bank->col_ok[READ] = now + d->rcd[READ];
    bank->col_ok[WRITE] = now + d->rcd[WRITE];
    bank->pre_ok = now + t->ras_cycles;
    bank->act_ok = now + t->rc_cycles;
    rank->faw_ok[rank->faw_next] = now + t->faw_cycles;
    rank->faw_next = (rank->faw_next + 1) & 3;
    for (uint32_t i = 0, g = bank->rank * d->cfg.groups; i < d->cfg.groups; i++, g++) {
        uint64_t *limit = &d->limit[dram_limit(LIMIT_ACT, g)];
        uint64_t apart = now + d->act_gap[dram_near(bank, bank->rank, g)];
        *limit = max_u64(*limit, max_u64(apart, rank->faw_ok[rank->faw_next]));
    }
    d->unserved[d->dir] |= (uint64_t)1 << b;
    d->sum.acts++;
    report(d, b, WW_DRAM_ACT, out);
    out->id = slot->id;
    set_candidate(d, b, (enum limit)d->dir, bank->col_ok[d->dir], slot);
}

static void issue_pre(struct ww_dram *d, uint32_t b, uint64_t now, struct ww_dram_event *out)
{
    const struct dram_bank *bank = &d->bank[b];
    dram_close(d, b, now);
    report(d, b, WW_DRAM_PRE, out);
    set_candidate(d, b, LIMIT_ACT, bank->act_ok, &dram_slots(d)[bank->head[d->dir]]);
}

static void schedule(struct ww_dram *d, uint64_t now, struct ww_dram_event *out)
{
    if (d->choice_cycle != now)
        choose(d, now);
    if (d->choice_cycle != now)
        return;
    WW_ASSERT(d->choice < WW_DRAM_MAX_BANKS); /* a cycle is chosen only with a bank */
    uint32_t kind = d->candidate[d->choice].kind;
    if (kind == LIMIT_ACT)
        issue_act(d, d->choice, now, out);
    else if (kind == LIMIT_PRE)
        issue_pre(d, d->choice, now, out);
    else
        issue_column(d, d->choice, now, out);
}

/* Blocks the ranks whose refresh has fallen due: they get no other command until it is done. */
static void block_due_ranks(struct ww_dram *d, uint64_t now)
{
    for (uint32_t r = 0; r < d->cfg.ranks; r++)
        if (d->rank[r].refresh_due <= now) {
            d->blocked |= d->rank[r].banks;
            d->refreshed |= d->rank[r].banks;
        }
    dram_plan_refresh(d);
    /* The choice may be in such a rank; and column commands no longer wait for its rows: turn_waits_for(). */
    d->choice_cycle = WW_DRAM_NEVER;
}

/* Issues one command of a refresh, lowest rank first. Returns false if none is ready. */
static bool refresh(struct ww_dram *d, uint64_t now, struct ww_dram_event *out)
{
    for (uint32_t r = 0; r < d->cfg.ranks; r++) {
        struct dram_rank *rank = &d->rank[r];
        enum ww_dram_cmd cmd;
        if (!(d->blocked & rank->banks) || dram_refresh_ready(d, rank, &cmd) > now)
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

/* Answers the oldest read that the write queue serves; this takes the controller's cycle. */
static bool answer_forward(struct ww_dram *d, uint64_t now, struct ww_dram_event *out)
{
    const struct dram_slot *slots = dram_slots(d);
    uint32_t s = d->forward_head;
    if (s == NIL || slots[s].visible_cycle > now)
        return false;
    report(d, slots[s].bank, WW_DRAM_FORWARD, out);
    out->row = slots[s].row;
    out->id = slots[s].id;
    out->done_cycle = now + 1;
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
    plan(d, now + 1);
    return d->wake;
}

uint64_t ww_dram_due(const struct ww_dram *d)
{
    return d->wake;
}

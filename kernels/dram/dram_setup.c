/* SPDX-License-Identifier: MIT */
/* kernels/dram/dram_setup.c - the channel's configuration, initial state, idle refresh, totals and
 * inspection. */
#include "kernels/dram/dram_state.h"

#include <string.h>

#define MAX_REFI_CYCLES (1U << 28)

void ww_dram_cfg_ddr3_1600(struct ww_dram_cfg *cfg)
{
    static const struct ww_dram_cfg ddr3 = {
        .timing = {.cl_cycles = 11,
                   .cwl_cycles = 8,
                   .burst_cycles = 4,
                   .rcd_cycles = 11,
                   .rp_cycles = 11,
                   .ras_cycles = 28,
                   .rc_cycles = 39,
                   .rrd_cycles = 5,
                   .faw_cycles = 24,
                   .ccd_cycles = 4,
                   .rtp_cycles = 6,
                   .wr_cycles = 12,
                   .wtr_cycles = 6,
                   .rtrs_cycles = 1,
                   .turn_cycles = 2,
                   .rfc_cycles = 208,
                   .refi_cycles = 6240},
        .ranks = 2,
        .banks = 8,
        .groups = 1,
        .bursts = 1,
        .read_entries = 32,
        .write_entries = 32,
        .write_high = 24,
        .write_low = 8,
        .hit_cap = 64,
        .overhead_cycles = 1,
        .row_policy = WW_DRAM_ROW_OPEN,
    };
    *cfg = ddr3;
}

void ww_dram_cfg_gddr6(struct ww_dram_cfg *cfg)
{
    static const struct ww_dram_timing gddr6 = {.cl_cycles = 24,
                                                .cwl_cycles = 6,
                                                .burst_cycles = 2,
                                                .rcd_cycles = 27,
                                                .rcd_write_cycles = 16,
                                                .rp_cycles = 27,
                                                .ras_cycles = 53,
                                                .rc_cycles = 79,
                                                .rrd_cycles = 8,
                                                .rrd_group_cycles = 8,
                                                .faw_cycles = 29,
                                                .ccd_cycles = 2,
                                                .ccd_group_cycles = 4,
                                                .rtp_cycles = 4,
                                                .wr_cycles = 27,
                                                .wtr_cycles = 9,
                                                .wtr_group_cycles = 11,
                                                .rtrs_cycles = 1,
                                                .turn_cycles = 2,
                                                .rfc_cycles = 211,
                                                .refi_cycles = 3333};
    ww_dram_cfg_ddr3_1600(cfg);
    cfg->timing = gddr6;
    cfg->ranks = 1;
    cfg->banks = 16;
    cfg->groups = 4;
    cfg->bursts = 2;
}

static bool timing_is_legal(const struct ww_dram_timing *t)
{
    const uint32_t all[] = {
        t->cl_cycles,  t->cwl_cycles,       t->burst_cycles,     t->rcd_cycles,       t->rp_cycles,
        t->ras_cycles, t->rc_cycles,        t->rrd_cycles,       t->faw_cycles,       t->ccd_cycles,
        t->rtp_cycles, t->wr_cycles,        t->wtr_cycles,       t->rtrs_cycles,      t->turn_cycles,
        t->rfc_cycles, t->rcd_write_cycles, t->ccd_group_cycles, t->rrd_group_cycles, t->wtr_group_cycles};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i] > MAX_CYCLES)
            return false;
    if (!t->burst_cycles || t->rc_cycles < t->ras_cycles)
        return false;
    /* A refresh must end before the next falls due, however late it starts. */
    uint32_t worst = t->rfc_cycles + t->rc_cycles + t->rp_cycles + t->cwl_cycles + t->burst_cycles +
                     t->wr_cycles + t->rtp_cycles + 2 * WW_DRAM_MAX_RANKS;
    return !t->refi_cycles || (t->refi_cycles > worst && t->refi_cycles <= MAX_REFI_CYCLES);
}

static bool cfg_is_legal(const struct ww_dram_cfg *cfg)
{
    if (!cfg->ranks || cfg->ranks > WW_DRAM_MAX_RANKS || !cfg->banks ||
        cfg->banks > WW_DRAM_MAX_BANKS / cfg->ranks)
        return false;
    if (!cfg->groups || cfg->banks % cfg->groups || !cfg->bursts || cfg->bursts > WW_DRAM_MAX_BURSTS)
        return false;
    if (!cfg->read_entries || cfg->read_entries > WW_DRAM_MAX_ENTRIES || !cfg->write_entries ||
        cfg->write_entries > WW_DRAM_MAX_ENTRIES)
        return false;
    if (!cfg->write_high || cfg->write_high > cfg->write_entries || cfg->write_low >= cfg->write_high)
        return false;
    return cfg->overhead_cycles <= MAX_CYCLES && cfg->row_policy <= WW_DRAM_ROW_CLOSED &&
           timing_is_legal(&cfg->timing);
}

/* Sets sizes and offsets of the arrays after the header. */
static void lay_out(struct ww_dram *d, const struct ww_dram_cfg *cfg, size_t *bytes)
{
    d->slots = cfg->read_entries + cfg->write_entries;
    d->buckets = 2;
    while (d->buckets < 2 * d->slots)
        d->buckets *= 2;
    size_t at = ww_align64(sizeof *d) + ww_align64(d->slots * sizeof(struct dram_slot));
    d->groups_offset = (uint32_t)at;
    at += ww_align64(d->slots * sizeof(struct dram_group));
    d->buckets_offset = (uint32_t)at;
    *bytes = at + ww_align64(d->buckets * sizeof(uint16_t));
}

size_t ww_dram_bytes(const struct ww_dram_cfg *cfg)
{
    struct ww_dram d;
    size_t bytes;
    if (!cfg_is_legal(cfg))
        return 0;
    lay_out(&d, cfg, &bytes);
    return bytes;
}

static uint32_t longer(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Returns the cycles from one column command to another; at least 1, for the command bus. */
static uint32_t column_gap(const struct ww_dram *d, enum near near, enum direction from, enum direction to)
{
    const struct ww_dram_timing *t = &d->cfg.timing;
    uint32_t ccd = near == SAME_GROUP ? longer(t->ccd_cycles, t->ccd_group_cycles) : t->ccd_cycles;
    uint32_t wtr = near == SAME_GROUP ? longer(t->wtr_cycles, t->wtr_group_cycles) : t->wtr_cycles;
    uint32_t bus = d->latency[from] + t->burst_cycles; /* the data bus is free again */
    if (near != OTHER_RANK && from == WRITE && to == READ)
        bus += wtr; /* counts from the end of the data to the command */
    else {
        if (near == OTHER_RANK)
            bus += t->rtrs_cycles;
        else if (from != to)
            bus += t->turn_cycles;
        bus = bus > d->latency[to] ? bus - d->latency[to] : 1;
    }
    return near == OTHER_RANK ? bus : longer(bus, ccd);
}

int ww_dram_init(struct ww_dram *d, size_t bytes, const struct ww_dram_cfg *cfg)
{
    size_t need = ww_dram_bytes(cfg);
    if (!need)
        return WW_E_ARG;
    if (bytes < need)
        return WW_E_SIZE;
    memset(d, 0, need);
    lay_out(d, cfg, &need);
    d->cfg = *cfg;
    d->latency[READ] = cfg->timing.cl_cycles;
    d->latency[WRITE] = cfg->timing.cwl_cycles;
    for (enum near near = OTHER_RANK; near <= SAME_GROUP; near++)
        for (uint32_t i = 0; i < 4; i++)
            d->gap[i >> 1][near][i & 1] =
                column_gap(d, near, (enum direction)(i >> 1), (enum direction)(i & 1));
    d->act_gap[SAME_RANK] = cfg->timing.rrd_cycles;
    d->act_gap[SAME_GROUP] = longer(cfg->timing.rrd_cycles, cfg->timing.rrd_group_cycles);
    d->rcd[READ] = d->rcd[WRITE] = cfg->timing.rcd_cycles;
    if (cfg->timing.rcd_write_cycles)
        d->rcd[WRITE] = cfg->timing.rcd_write_cycles;
    d->entries[READ] = cfg->read_entries;
    d->entries[WRITE] = cfg->write_entries;
    d->forward_head = d->forward_tail = NIL;
    d->wake = d->choice_cycle = WW_DRAM_NEVER;
    d->choice = NIL;
    for (uint32_t s = 0; s < d->slots; s++) {
        dram_slots(d)[s].next = (uint16_t)(s + 1 == d->slots ? NIL : s + 1);
        dram_groups(d)[s].hash_next = dram_slots(d)[s].next;
    }
    memset(dram_buckets(d), 0xFF, d->buckets * sizeof(uint16_t));
    for (uint32_t b = 0; b < cfg->ranks * cfg->banks; b++) {
        struct dram_bank *bank = &d->bank[b];
        bank->rank = (uint8_t)(b / cfg->banks);
        bank->group = (uint8_t)(bank->rank * cfg->groups + b % cfg->banks % cfg->groups);
        d->rank[bank->rank].banks |= (uint64_t)1 << b;
        for (uint32_t dir = READ; dir <= WRITE; dir++)
            bank->head[dir] = bank->tail[dir] = bank->open_group[dir] = NIL;
    }
    /* Spreads the ranks' refreshes evenly over the interval. */
    for (uint32_t r = 0; r < cfg->ranks; r++)
        d->rank[r].refresh_due = cfg->timing.refi_cycles
                                     ? (uint64_t)cfg->timing.refi_cycles * (r + 1) / cfg->ranks
                                     : WW_DRAM_NEVER;
    dram_plan_refresh(d);
    return WW_OK;
}

/* Accounts for the refreshes of an idle channel, which is not stepped, at the cycles at which steps would
 * issue them: close the rank when due, refresh tRP later, then refresh on time. Leaves those after `now` to
 * later steps. */
void ww_dram_settle(struct ww_dram *d, uint64_t now)
{
    if ((d->waiting[READ] | d->waiting[WRITE]) || d->blocked || now < d->next_refresh)
        return;
    uint64_t refi = d->cfg.timing.refi_cycles;
    for (uint32_t r = 0; r < d->cfg.ranks; r++) {
        struct dram_rank *rank = &d->rank[r];
        if (rank->refresh_due > now)
            continue;
        uint64_t close = max_u64(rank->refresh_due, dram_pre_ok_all(d, d->open_mask & rank->banks));
        if (close > now)
            continue;
        dram_close_rank(d, rank, close);
        uint64_t last = max_u64(rank->refresh_due, dram_act_ok_all(d, rank->banks));
        if (last > now)
            continue;
        uint64_t more = (now - rank->refresh_due) / refi;
        if (more)
            last = rank->refresh_due + more * refi;
        dram_refreshed(d, rank, last);
        rank->refresh_due += (more + 1) * refi;
        d->sum.refreshes += more + 1;
    }
    dram_plan_refresh(d);
}

bool ww_dram_idle_refresh(struct ww_dram *d, uint64_t now, uint64_t *cycle, struct ww_dram_event *out)
{
    static const struct ww_dram_event nothing = {0};
    if ((d->waiting[READ] | d->waiting[WRITE]) || d->blocked || now < d->next_refresh)
        return false;
    uint32_t first = d->cfg.ranks;
    enum ww_dram_cmd first_cmd = WW_DRAM_NONE;
    *cycle = WW_DRAM_NEVER;
    for (uint32_t r = 0; r < d->cfg.ranks; r++) {
        enum ww_dram_cmd cmd;
        uint64_t at = max_u64(d->rank[r].refresh_due, dram_refresh_ready(d, &d->rank[r], &cmd));
        if (at >= *cycle)
            continue;
        *cycle = at;
        first = r;
        first_cmd = cmd;
    }
    if (*cycle > now)
        return false;
    *out = nothing;
    out->cmd = (uint8_t)first_cmd;
    out->rank = (uint8_t)first;
    struct dram_rank *rank = &d->rank[first];
    if (first_cmd == WW_DRAM_PREA) {
        dram_close_rank(d, rank, *cycle);
        return true;
    }
    dram_refreshed(d, rank, *cycle);
    rank->refresh_due += d->cfg.timing.refi_cycles;
    d->sum.refreshes++;
    dram_plan_refresh(d);
    return true;
}

bool ww_dram_can_enqueue(const struct ww_dram *d, bool is_write)
{
    return d->waiting[is_write] < d->entries[is_write];
}

uint32_t ww_dram_waiting(const struct ww_dram *d, bool is_write)
{
    return d->waiting[is_write];
}

bool ww_dram_open_row(const struct ww_dram *d, uint32_t rank, uint32_t bank, uint32_t *row)
{
    WW_ASSERT(rank < d->cfg.ranks && bank < d->cfg.banks);
    uint32_t b = rank * d->cfg.banks + bank;
    if (!(d->open_mask >> b & 1))
        return false;
    *row = d->bank[b].row;
    return true;
}

enum ww_dram_bank_state ww_dram_bank_state(const struct ww_dram *d, uint32_t rank, uint32_t bank,
                                           uint32_t *row)
{
    const bool open = ww_dram_open_row(d, rank, bank, row);
    const uint32_t b = rank * d->cfg.banks + bank;
    if (d->blocked >> b & 1)
        return WW_DRAM_BANK_REFRESH;
    const bool wanted = (d->work_mask[READ] | d->work_mask[WRITE]) >> b & 1;
    if (!open)
        return wanted ? WW_DRAM_BANK_WANTED : WW_DRAM_BANK_CLOSED;
    if (d->bank[b].open_group[READ] != NIL || d->bank[b].open_group[WRITE] != NIL)
        return WW_DRAM_BANK_HIT;
    return wanted ? WW_DRAM_BANK_CONFLICT : WW_DRAM_BANK_OPEN;
}

uint64_t ww_dram_take_refreshed(struct ww_dram *d)
{
    uint64_t refreshed = d->refreshed;
    d->refreshed = 0;
    return refreshed;
}

const char *ww_dram_bank_state_name(enum ww_dram_bank_state state)
{
#define WW_DRAM_BANK_NAME(name, text) #name,
    static const char *const names[] = {WW_DRAM_BANK_LIST(WW_DRAM_BANK_NAME)};
#undef WW_DRAM_BANK_NAME
    WW_ASSERT((size_t)state < sizeof names / sizeof names[0]);
    return names[state];
}

const struct ww_dram_activity *ww_dram_so_far(const struct ww_dram *d)
{
    return &d->sum;
}

uint64_t ww_dram_earliest(const struct ww_dram *d, enum ww_dram_cmd cmd, uint32_t rank, uint32_t bank)
{
    WW_ASSERT(rank < d->cfg.ranks);
    const struct dram_rank *r = &d->rank[rank];
    uint64_t rank_open = d->open_mask & r->banks;
    if (cmd == WW_DRAM_REF)
        return rank_open ? WW_DRAM_NEVER : dram_act_ok_all(d, r->banks);
    if (cmd == WW_DRAM_PREA)
        return rank_open ? dram_pre_ok_all(d, rank_open) : WW_DRAM_NEVER;
    WW_ASSERT(bank < d->cfg.banks);
    uint32_t i = rank * d->cfg.banks + bank;
    const struct dram_bank *b = &d->bank[i];
    bool open = d->open_mask >> i & 1;
    if (cmd == WW_DRAM_ACT)
        return open ? WW_DRAM_NEVER : max_u64(b->act_ok, d->limit[dram_limit(LIMIT_ACT, b->group)]);
    if (!open)
        return WW_DRAM_NEVER;
    if (cmd == WW_DRAM_PRE)
        return b->pre_ok;
    WW_ASSERT(cmd == WW_DRAM_RD || cmd == WW_DRAM_WR);
    uint32_t dir = cmd == WW_DRAM_WR ? WRITE : READ;
    return max_u64(b->col_ok[dir], d->limit[dram_limit(dir, b->group)]);
}

void ww_dram_activity_at(struct ww_dram *d, uint64_t now, struct ww_dram_activity *out)
{
    WW_ASSERT(now >= d->now);
    ww_dram_settle(d, now);
    d->now = now;
    *out = d->sum;
    out->total_cycles = now * d->cfg.ranks;
    for (uint32_t r = 0; r < d->cfg.ranks; r++) {
        const struct dram_rank *rank = &d->rank[r];
        out->open_cycles += rank->open_cycles;
        if (d->open_mask & rank->banks)
            out->open_cycles +=
                now - rank->open_since; /* modulo 2^64: takes back time that was counted ahead of `now` */
        else
            out->open_cycles -= max_u64(rank->open_until, now) - now;
    }
}

const char *ww_dram_cmd_name(enum ww_dram_cmd cmd)
{
#define WW_DRAM_CMD_NAME(name) #name,
    static const char *const names[] = {WW_DRAM_CMD_LIST(WW_DRAM_CMD_NAME)};
#undef WW_DRAM_CMD_NAME
    WW_ASSERT((size_t)cmd < sizeof names / sizeof names[0]);
    return names[cmd];
}

/* SPDX-License-Identifier: MIT */
/* kernels/dram/dram_state.h - the channel's blob, shared by dram.c and dram_setup.c; not for callers.
 * Layout: struct ww_dram, then slots (waiting requests), groups (waiting requests of one row and direction,
 * oldest first), hash buckets over the groups. Each bank keeps its requests of a direction in order of age;
 * the group of its open row is at hand, so neither "oldest" nor "oldest row hit" is ever searched for. A bank
 * has at most one candidate command, for the direction being served; but while its row has not served the
 * request that it was opened for, or the rest of one whose first burst is out, that request's column command,
 * of either direction. Bank numbers run over all ranks: rank * banks + bank; so do those of groups. */
#ifndef WW_KERNELS_DRAM_STATE_H
#define WW_KERNELS_DRAM_STATE_H

#include "kernels/dram/dram.h"

#define NIL 0xFFFFU

enum direction { READ, WRITE };

struct dram_slot {
    uint64_t age;           /* running number of the request */
    uint64_t visible_cycle; /* cycle before which it is not served */
    uint32_t row, col, id;
    uint16_t next,
        prev; /* same bank and direction, by age; `next` also links the free and the forward list */
    uint16_t group_next; /* of the same group */
    uint16_t group;
    uint8_t bank;
    uint8_t bursts; /* column commands still to be issued */
};

struct dram_group {
    uint32_t row;
    uint16_t head, tail; /* slots; never empty while in use */
    uint16_t hash_next;  /* also links the free list */
    uint8_t lane;        /* bank << 1 | direction */
};

struct dram_bank {
    uint64_t act_ok, pre_ok, col_ok[2]; /* earliest cycles by the bank's constraints */
    uint32_t row;                       /* when open */
    uint32_t hits;                      /* requests served since the row was opened */
    uint16_t head[2], tail[2];          /* slots */
    uint16_t open_group[2];             /* group of the open row */
    uint8_t rank, group;
};

/* What limits a candidate besides its bank. The first two are the directions. */
enum limit { LIMIT_READ = READ, LIMIT_WRITE = WRITE, LIMIT_ACT, LIMIT_PRE, LIMITS };

struct dram_candidate {
    uint64_t ready;    /* earliest cycle by the constraints of bank and request */
    uint64_t priority; /* smaller goes first: [45] 0 for a column command, [44:6] age, [5:0] bank */
    uint32_t limit;    /* index in limit[]: see dram_limit() */
    uint32_t kind;     /* enum limit */
    uint64_t unused;   /* pads to 32 bytes: the hot loop indexes these */
};

#define PRIORITY_BITS 46U
#define PRIORITY_ROW ((uint64_t)1 << 45)
#define MAX_AGE ((uint64_t)1 << 39) /* most requests between two idle times of the channel */

/* Limit of each timing constraint, so that no candidate lies 2^18 cycles ahead: cycles ahead and priority
 * fill one word. */
#define MAX_CYCLES (1U << 14)
WW_STATIC_ASSERT(PRIORITY_BITS + 18 == 64, "cycles ahead and priority share a word");

/* How close two banks are. */
enum near { OTHER_RANK, SAME_RANK, SAME_GROUP, NEARS };

struct dram_rank {
    uint64_t banks;     /* mask */
    uint64_t faw_ok[4]; /* cycles at which the last four ACTs leave the window */
    uint64_t refresh_due;
    uint64_t open_since, open_until; /* first bank opened; latest known closing */
    uint64_t open_cycles;
    uint32_t faw_next;
};

struct ww_dram {
    struct ww_dram_cfg cfg;
    uint64_t now, wake;
    uint64_t free_at; /* command bus */
    uint64_t next_refresh;
    uint64_t next_age;
    uint64_t choice_cycle; /* cycle of the next command, unless a refresh or a forward comes first */
    uint32_t choice;       /* bank of that command; NIL: none */
    uint32_t dir;
    uint64_t open_mask;
    uint64_t work_mask[2];     /* banks with requests of the direction */
    uint64_t unserved[2];      /* banks that owe a request: see above */
    uint64_t blocked;          /* banks of ranks whose refresh is due */
    uint64_t refreshed;        /* see ww_dram_take_refreshed() */
    uint32_t gap[2][NEARS][2]; /* column command to column command: [from][near][to] */
    uint32_t act_gap[NEARS];   /* ACT to ACT */
    uint32_t rcd[2];           /* ACT to column command */
    uint32_t latency[2];
    uint32_t waiting[2], entries[2];
    uint32_t forwards; /* of waiting[READ], those that the write queue answers */
    uint32_t drain_left, reads_owed;
    uint32_t slots, buckets;
    uint32_t groups_offset, buckets_offset;
    uint16_t free_slot, free_group;
    uint16_t forward_head, forward_tail;
    struct ww_dram_activity sum;
    uint64_t limit[LIMITS * WW_DRAM_MAX_BANKS];
    struct dram_candidate candidate[WW_DRAM_MAX_BANKS];
    struct dram_bank bank[WW_DRAM_MAX_BANKS];
    struct dram_rank rank[WW_DRAM_MAX_RANKS];
};

static inline struct dram_slot *dram_slots(struct ww_dram *d)
{
    return (struct dram_slot *)((unsigned char *)d + ww_align64(sizeof(struct ww_dram)));
}

static inline struct dram_group *dram_groups(struct ww_dram *d)
{
    return (struct dram_group *)((unsigned char *)d + d->groups_offset);
}

static inline uint16_t *dram_buckets(struct ww_dram *d)
{
    return (uint16_t *)((unsigned char *)d + d->buckets_offset);
}

static inline uint32_t dram_lane(uint32_t bank, uint32_t dir)
{
    return bank << 1 | dir;
}

static inline uint32_t dram_bucket(const struct ww_dram *d, uint32_t lane, uint32_t row)
{
    uint64_t key = (uint64_t)row << 7 | lane;
    return (uint32_t)((key * 0x9E3779B97F4A7C15U) >> 40) & (d->buckets - 1);
}

static inline uint32_t dram_limit(uint32_t kind, uint32_t group)
{
    return kind * WW_DRAM_MAX_BANKS + group;
}

static inline enum near dram_near(const struct dram_bank *bank, uint32_t rank, uint32_t group)
{
    return rank != bank->rank ? OTHER_RANK : group != bank->group ? SAME_RANK : SAME_GROUP;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the number of the lowest bit set. Required: mask != 0. */
static inline uint32_t dram_first(uint64_t mask)
{
    return (uint32_t)__builtin_ctzll(mask);
}

/* Return the latest act_ok, or pre_ok, of the banks in mask; 0 for none. */
static inline uint64_t dram_act_ok_all(const struct ww_dram *d, uint64_t mask)
{
    uint64_t t = 0;
    for (; mask; mask &= mask - 1)
        t = max_u64(t, d->bank[dram_first(mask)].act_ok);
    return t;
}

static inline uint64_t dram_pre_ok_all(const struct ww_dram *d, uint64_t mask)
{
    uint64_t t = 0;
    for (; mask; mask &= mask - 1)
        t = max_u64(t, d->bank[dram_first(mask)].pre_ok);
    return t;
}

/* Account for closing a row and refreshing, at a cycle that may lie in the past (idle refresh) or the future
 * (auto-precharge). */
static inline void dram_close(struct ww_dram *d, uint32_t b, uint64_t cycle)
{
    struct dram_bank *bank = &d->bank[b];
    struct dram_rank *rank = &d->rank[bank->rank];
    bank->act_ok = max_u64(bank->act_ok, cycle + d->cfg.timing.rp_cycles);
    bank->open_group[READ] = bank->open_group[WRITE] = NIL;
    uint64_t others = ~((uint64_t)1 << b);
    d->open_mask &= others;
    d->unserved[READ] &= others;
    d->unserved[WRITE] &= others;
    rank->open_until = max_u64(rank->open_until, cycle);
    if (!(d->open_mask & rank->banks))
        rank->open_cycles += rank->open_until - rank->open_since;
}

static inline void dram_close_rank(struct ww_dram *d, struct dram_rank *rank, uint64_t cycle)
{
    d->refreshed |= rank->banks;
    for (uint64_t m = d->open_mask & rank->banks; m; m &= m - 1)
        dram_close(d, dram_first(m), cycle);
}

static inline void dram_refreshed(struct ww_dram *d, const struct dram_rank *rank, uint64_t cycle)
{
    d->refreshed |= rank->banks;
    for (uint64_t m = rank->banks; m; m &= m - 1)
        d->bank[dram_first(m)].act_ok = cycle + d->cfg.timing.rfc_cycles;
}

/* Sets *cmd to the command that advances a rank's refresh. Returns its earliest cycle. */
static inline uint64_t dram_refresh_ready(const struct ww_dram *d, const struct dram_rank *rank,
                                          enum ww_dram_cmd *cmd)
{
    uint64_t open = d->open_mask & rank->banks;
    *cmd = open ? WW_DRAM_PREA : WW_DRAM_REF;
    return open ? dram_pre_ok_all(d, open) : dram_act_ok_all(d, rank->banks);
}

/* Sets next_refresh to the earliest due time of the ranks not yet blocked for refresh. */
static inline void dram_plan_refresh(struct ww_dram *d)
{
    d->next_refresh = WW_DRAM_NEVER;
    for (uint32_t r = 0; r < d->cfg.ranks; r++)
        if (!(d->blocked & d->rank[r].banks))
            d->next_refresh = min_u64(d->next_refresh, d->rank[r].refresh_due);
}

void ww_dram_settle(struct ww_dram *d, uint64_t now);

#endif

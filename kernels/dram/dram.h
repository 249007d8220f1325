/* SPDX-License-Identifier: MIT */
/* kernels/dram/dram.h - one DRAM channel: bank, rank and bus timing, FR-FCFS scheduling, refresh. Models: the
 * state machine of docs/model/dram.md: DDR3, GDDR6, and parts that differ only in the numbers. Not modelled:
 * per-bank refresh, power-down, self-refresh, ZQ calibration, on-die termination, contents. Time: cycles of
 * the channel's command clock, given by the caller, never decreasing. Allocation: none; one blob, see
 * ww_dram_bytes(). Thread-safety: one owner. */
#ifndef WW_KERNELS_DRAM_H
#define WW_KERNELS_DRAM_H

#include "kernels/base.h"
#include "kernels/dram/dram_map.h"

WW_BEGIN_DECLS

#define WW_DRAM_MAX_RANKS 8U
#define WW_DRAM_MAX_BANKS 64U /* over all ranks of a channel: each is a bit of a word */
#define WW_DRAM_MAX_BURSTS 8U
#define WW_DRAM_MAX_ENTRIES 16384U
#define WW_DRAM_NEVER UINT64_MAX

/* FORWARD is no command on the bus: the write queue answers a read. PREA closes all banks of a rank. */
#define WW_DRAM_CMD_LIST(X) X(NONE) X(ACT) X(PRE) X(PREA) X(RD) X(WR) X(REF) X(FORWARD)

enum ww_dram_cmd {
#define WW_DRAM_CMD_ENUM(name) WW_DRAM_##name,
    WW_DRAM_CMD_LIST(WW_DRAM_CMD_ENUM)
#undef WW_DRAM_CMD_ENUM
};

enum ww_dram_row_policy {
    WW_DRAM_ROW_OPEN = 0, /* a row stays open until another row of its bank, or a refresh, needs it closed */
    WW_DRAM_ROW_CLOSED = 1, /* the last queued column command of a row carries auto-precharge */
};

/* Timing constraints in cycles of the command clock. */
struct ww_dram_timing {
    uint32_t cl_cycles;        /* RD to first data beat */
    uint32_t cwl_cycles;       /* WR to first data beat */
    uint32_t burst_cycles;     /* data bus occupied by one burst: beats / 2 */
    uint32_t rcd_cycles;       /* ACT to RD, same bank; to WR unless rcd_write_cycles says otherwise */
    uint32_t rp_cycles;        /* PRE to ACT, same bank; PRE to REF, same rank */
    uint32_t ras_cycles;       /* ACT to PRE, same bank */
    uint32_t rc_cycles;        /* ACT to ACT, same bank */
    uint32_t rrd_cycles;       /* ACT to ACT, same rank */
    uint32_t faw_cycles;       /* window in which a rank takes at most four ACT */
    uint32_t ccd_cycles;       /* column command to column command, same rank */
    uint32_t rtp_cycles;       /* RD to PRE, same bank */
    uint32_t wr_cycles;        /* last write data beat to PRE, same bank */
    uint32_t wtr_cycles;       /* last write data beat to RD, same rank */
    uint32_t rtrs_cycles;      /* idle data bus between bursts of two ranks */
    uint32_t turn_cycles;      /* idle data bus between a read and a write burst of one rank */
    uint32_t rfc_cycles;       /* REF to ACT or REF, same rank */
    uint32_t refi_cycles;      /* one REF a rank in this time; 0: no refresh */
    uint32_t rcd_write_cycles; /* ACT to WR, same bank; 0: as rcd_cycles */
    /* Within a bank group. Values not above those of the rank, 0 included, have no effect. */
    uint32_t ccd_group_cycles;
    uint32_t rrd_group_cycles;
    uint32_t wtr_group_cycles;
};

struct ww_dram_cfg {
    struct ww_dram_timing timing;
    uint32_t ranks;
    uint32_t banks;           /* per rank */
    uint32_t groups;          /* bank groups per rank (a bank's is bank % groups); 1: all banks are alike */
    uint32_t bursts;          /* column commands per request, one after the other: 1..WW_DRAM_MAX_BURSTS */
    uint32_t read_entries;    /* most reads that wait */
    uint32_t write_entries;   /* most writes that wait */
    uint32_t write_high;      /* waiting writes that start a drain: 1..write_entries */
    uint32_t write_low;       /* a drain serves the writes above this number: 0..write_high - 1 */
    uint32_t hit_cap;         /* row hits served ahead of an older request of the bank; 0: no limit */
    uint32_t overhead_cycles; /* from ww_dram_enqueue() to the request's first possible command */
    uint8_t row_policy;       /* enum ww_dram_row_policy */
};

/* Result of one step. id names the request served (RD, WR, FORWARD) or the waiting request that opened the
 * row (ACT); it is meaningless for other commands. If done_cycle is not 0, the request has left its queue. */
struct ww_dram_event {
    uint64_t done_cycle; /* end of the request's last data beat (FORWARD: of the cycle), or 0 */
    uint32_t id;
    uint32_t row;   /* ACT, RD, WR */
    uint8_t cmd;    /* enum ww_dram_cmd */
    uint8_t rank;   /* rank of the command */
    uint8_t bank;   /* within the rank; 0 for PREA and REF */
    bool precharge; /* RD, WR: has auto-precharge */
};

/* State of a bank, from its rows and the waiting requests, for observers. */
#define WW_DRAM_BANK_LIST(X)                                                                                 \
    X(CLOSED, "no row open, nothing waits for it")                                                           \
    X(WANTED, "no row open, requests wait for one")                                                          \
    X(OPEN, "a row open, nothing waits for the bank")                                                        \
    X(HIT, "a row open that a waiting request wants")                                                        \
    X(CONFLICT, "a row open, all waiting requests want others")                                              \
    X(REFRESH, "held back: a refresh of its rank is due")

enum ww_dram_bank_state {
#define WW_DRAM_BANK_ENUM(name, text) WW_DRAM_BANK_##name,
    WW_DRAM_BANK_LIST(WW_DRAM_BANK_ENUM)
#undef WW_DRAM_BANK_ENUM
        WW_DRAM_BANK_STATES
};

/* Totals since ww_dram_init(), for the energy account. */
struct ww_dram_activity {
    uint64_t acts, reads, writes, refreshes, forwards;
    uint64_t read_requests; /* requests whose last RD was issued */
    uint64_t row_hits;      /* column commands that found their row open for an earlier request */
    uint64_t total_cycles;  /* summed over ranks */
    uint64_t open_cycles;   /* those with at least one bank open */
};

struct ww_dram; /* kernels/dram/dram_state.h; the caller needs only its size */

/* Returns the blob's bytes, a multiple of WW_BLOB_ALIGN, or 0 if cfg is illegal. */
size_t ww_dram_bytes(const struct ww_dram_cfg *cfg);

/* Starts at cycle 0 with all banks closed. Returns WW_OK, WW_E_ARG or WW_E_SIZE. Required: d is aligned to
 * WW_BLOB_ALIGN. */
int ww_dram_init(struct ww_dram *d, size_t bytes, const struct ww_dram_cfg *cfg);

/* Sets *cfg to DDR3-1600 11-11-11, 4 Gb x8, two ranks (source of each number: docs/model/dram.md). */
void ww_dram_cfg_ddr3_1600(struct ww_dram_cfg *cfg);

/* Sets *cfg to one of the two channels of a GDDR6 part of 14 Gb/s, 8 Gb (source of each number:
 * docs/model/dram.md). */
void ww_dram_cfg_gddr6(struct ww_dram_cfg *cfg);

/* Queues a request; ignores loc->channel. Returns false, with nothing changed, if the queue of its direction
 * is full. May be called often in a cycle, before or after its step. Required (asserted): now is at least
 * that of the last call; rank and bank exist. */
bool ww_dram_enqueue(struct ww_dram *d, const struct ww_dram_loc *loc, bool is_write, uint32_t id,
                     uint64_t now);

/* True if the queue of this direction has room for a request. */
bool ww_dram_can_enqueue(const struct ww_dram *d, bool is_write);

/* Returns the cycle of the next useful ww_dram_step(), WW_DRAM_NEVER if idle. It is never too late, and too
 * early only after an enqueue that changed a bank's next command. An earlier step does nothing; a later step
 * loses the cycles in between. */
uint64_t ww_dram_due(const struct ww_dram *d);

/* Issues at most one command at cycle `now` and always sets *out (cmd is NONE if there was none). Returns
 * ww_dram_due(), which is > now. At most one call per cycle may issue a command: call again only in a later
 * cycle. Required (asserted): now is at least that of the last call. */
uint64_t ww_dram_step(struct ww_dram *d, uint64_t now, struct ww_dram_event *out);

/* Returns the earliest cycle at which the timing constraints allow the command, or WW_DRAM_NEVER if the
 * bank's state does not (ACT on an open bank, PRE, RD, WR on a closed one, REF on a rank with an open bank,
 * PREA on one without). Ignores `bank` for PREA and REF, and the scheduler's choice. */
uint64_t ww_dram_earliest(const struct ww_dram *d, enum ww_dram_cmd cmd, uint32_t rank, uint32_t bank);

/* True if the bank has an open row; only then sets *row to it. */
bool ww_dram_open_row(const struct ww_dram *d, uint32_t rank, uint32_t bank, uint32_t *row);

/* Returns the state of a bank; sets *row only if a row is open. Only an enqueue, a step or
 * ww_dram_activity_at() changes the state. */
enum ww_dram_bank_state ww_dram_bank_state(const struct ww_dram *d, uint32_t rank, uint32_t bank,
                                           uint32_t *row);
const char *ww_dram_bank_state_name(enum ww_dram_bank_state state);

/* Returns the banks (bit rank * banks + bank) of the ranks whose refresh took a step since the last call:
 * held back, closed, refreshed. Otherwise a bank's state and row change only with a request for it or a
 * command that ww_dram_step() reports. */
uint64_t ww_dram_take_refreshed(struct ww_dram *d);

uint32_t ww_dram_waiting(const struct ww_dram *d, bool is_write); /* requests in the queue */

/* Sets *out and *cycle to the next PREA or REF of a channel without requests, at or before `now`; returns
 * false if there is none. Such a channel needs no steps: the next enqueue or ww_dram_activity_at() accounts
 * for its refreshes. To see each of them, call this before either until it returns false. Steps complete a
 * refresh in progress. */
bool ww_dram_idle_refresh(struct ww_dram *d, uint64_t now, uint64_t *cycle, struct ww_dram_event *out);

/* Returns the totals up to the last step. total_cycles, open_cycles and the refreshes of an idle channel are
 * up to the last ww_dram_activity_at(). */
const struct ww_dram_activity *ww_dram_so_far(const struct ww_dram *d);

/* Sets *out to the totals up to `now`, refreshes of an idle channel included. Required: now is not before the
 * last cycle given. */
void ww_dram_activity_at(struct ww_dram *d, uint64_t now, struct ww_dram_activity *out);

const char *ww_dram_cmd_name(enum ww_dram_cmd cmd);

/* Returns NULL, or names the first broken invariant. O(entries), for tests. */
const char *ww_dram_check(const struct ww_dram *d);

WW_END_DECLS

#endif

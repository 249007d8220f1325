/* SPDX-License-Identifier: MIT */
/* kernels/dram/dram.h - one DRAM channel: bank, rank and bus timing, FR-FCFS scheduling, refresh.
 * Models: the state machine of docs/model/dram.md: DDR3, GDDR6, any part with the same constraints by other
 * numbers. Not modelled: per-bank refresh, power-down, self-refresh, ZQ calibration, on-die termination,
 * contents. Time: cycles of the channel's command clock, given by the caller and never going back.
 * Allocation: none; one blob, see ww_dram_bytes(). Thread-safety: one owner. */
#ifndef WW_KERNELS_DRAM_H
#define WW_KERNELS_DRAM_H

#include "kernels/base.h"
#include "kernels/dram/dram_map.h"

WW_BEGIN_DECLS

#define WW_DRAM_MAX_RANKS 8U
#define WW_DRAM_MAX_BANKS 64U /* of all ranks of the channel together: one bit of a word each */
#define WW_DRAM_MAX_BURSTS 8U
#define WW_DRAM_MAX_ENTRIES 16384U
#define WW_DRAM_NEVER UINT64_MAX

/* FORWARD is no command of the bus: a read answered from the write queue. PREA closes all banks of a rank. */
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
    /* Within a bank group, where that takes longer than in the rank: else, and 0, no more than there. */
    uint32_t ccd_group_cycles;
    uint32_t rrd_group_cycles;
    uint32_t wtr_group_cycles;
};

struct ww_dram_cfg {
    struct ww_dram_timing timing;
    uint32_t ranks;
    uint32_t banks;           /* per rank */
    uint32_t groups;          /* bank groups per rank: bank % groups; 1: all banks are alike */
    uint32_t bursts;          /* column commands of a request, one after the other: 1 .. 8 */
    uint32_t read_entries;    /* reads that wait at most */
    uint32_t write_entries;   /* writes that wait at most */
    uint32_t write_high;      /* as many waiting writes start a drain: 1 .. write_entries */
    uint32_t write_low;       /* a drain serves as many writes as lie above this: 0 .. write_high - 1 */
    uint32_t hit_cap;         /* row hits served past an older request of the bank; 0: no limit */
    uint32_t overhead_cycles; /* from ww_dram_enqueue() to the request's first possible command */
    uint8_t row_policy;       /* enum ww_dram_row_policy */
};

/* What happened in one step. id is meaningful for RD, WR and FORWARD: of that request; and for ACT: for that
 * request, which waits, the row was opened. With done_cycle the request has left its queue. */
struct ww_dram_event {
    uint64_t done_cycle; /* end of the request's last data beat, FORWARD: of the command's cycle; or 0 */
    uint32_t id;
    uint32_t row;   /* ACT, RD, WR */
    uint8_t cmd;    /* enum ww_dram_cmd */
    uint8_t rank;   /* of the command */
    uint8_t bank;   /* within the rank; 0 for PREA and REF */
    bool precharge; /* RD, WR: with auto-precharge */
};

/* What a bank is doing, as far as its rows and the waiting requests say; from the outside to look at. */
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
    uint64_t read_requests; /* those whose last RD went out */
    uint64_t row_hits;      /* column commands that found their row open for an earlier request */
    uint64_t total_cycles;  /* summed over ranks */
    uint64_t open_cycles;   /* of those, with at least one bank open */
};

struct ww_dram; /* kernels/dram/dram_state.h; the caller needs only its size */

/* Bytes of the blob (a multiple of 64), 0 if cfg is illegal. */
size_t ww_dram_bytes(const struct ww_dram_cfg *cfg);

/* d: 64-byte aligned, at least ww_dram_bytes(cfg). All banks closed, cycle 0. WW_OK, WW_E_ARG or WW_E_SIZE.
 */
int ww_dram_init(struct ww_dram *d, size_t bytes, const struct ww_dram_cfg *cfg);

/* DDR3-1600 11-11-11, 4 Gb x8, 2 ranks of 8 banks, 32 reads and 32 writes (source of each number:
 * docs/model/dram.md). */
void ww_dram_cfg_ddr3_1600(struct ww_dram_cfg *cfg);

/* One of the two channels of a GDDR6 part of 14 Gb/s, 8 Gb: 4 groups of 4 banks, requests of 64 bytes in two
 * bursts of 32; queues as above (source of each number: docs/model/dram.md). */
void ww_dram_cfg_gddr6(struct ww_dram_cfg *cfg);

/* Hand over a request; loc->channel is not looked at. false: the queue of its direction is full, nothing
 * changed. Any number a cycle, before or after the step of that cycle. */
bool ww_dram_enqueue(struct ww_dram *d, const struct ww_dram_loc *loc, bool is_write, uint32_t id,
                     uint64_t now);

/* Room for one more request of this direction. */
bool ww_dram_can_enqueue(const struct ww_dram *d, bool is_write);

/* Cycle at which ww_dram_step() is wanted next: never too late, too early only after an enqueue that changed
 * what a bank wants. WW_DRAM_NEVER when idle. A call before that cycle costs little and does nothing; one
 * with a later cycle loses the cycles in between. */
uint64_t ww_dram_due(const struct ww_dram *d);

/* Issue at most one command at cycle `now`; *out is always written (cmd NONE when there was none). At most
 * one call a cycle may issue a command: call again only in a later cycle. Returns ww_dram_due(), which is >
 * now. */
uint64_t ww_dram_step(struct ww_dram *d, uint64_t now, struct ww_dram_event *out);

/* Earliest cycle at which the timing constraints allow the command, WW_DRAM_NEVER if the state of the bank
 * does not (ACT on an open bank, PRE, RD, WR on a closed one, REF on a rank with an open bank, PREA on one
 * without). bank is not looked at for PREA and REF. Says nothing about what the scheduler wants. */
uint64_t ww_dram_earliest(const struct ww_dram *d, enum ww_dram_cmd cmd, uint32_t rank, uint32_t bank);

/* Open row of a bank; false when closed. */
bool ww_dram_open_row(const struct ww_dram *d, uint32_t rank, uint32_t bank, uint32_t *row);

/* State of a bank; *row is its open row, untouched when there is none. Changes only with an enqueue, a step
 * or ww_dram_activity_at(). */
enum ww_dram_bank_state ww_dram_bank_state(const struct ww_dram *d, uint32_t rank, uint32_t bank,
                                           uint32_t *row);
const char *ww_dram_bank_state_name(enum ww_dram_bank_state state);

/* Banks, a bit each (rank * banks + bank), of the ranks for which a step of a refresh was taken since the
 * call before: held back, closed, refreshed. Besides these, state and row of a bank change only with a
 * request for it and with a command that ww_dram_step() tells of. */
uint64_t ww_dram_take_refreshed(struct ww_dram *d);

uint32_t ww_dram_waiting(const struct ww_dram *d, bool is_write); /* requests in the queue */

/* A channel without requests asks for no steps: the refreshes of that time are accounted by the next enqueue
 * or ww_dram_activity_at(). To see them one by one, call this until it returns false before
 * either: the next PREA or REF at or before `now`, and its cycle. A refresh in progress is left to the steps.
 */
bool ww_dram_idle_refresh(struct ww_dram *d, uint64_t now, uint64_t *cycle, struct ww_dram_event *out);

/* Totals up to the last step. total_cycles and open_cycles, and the refreshes of an idle channel, are those
 * of the last ww_dram_activity_at(). */
const struct ww_dram_activity *ww_dram_so_far(const struct ww_dram *d);

/* Totals up to `now` (>= the last cycle given). Brings the refreshes of an idle channel up to date. */
void ww_dram_activity_at(struct ww_dram *d, uint64_t now, struct ww_dram_activity *out);

const char *ww_dram_cmd_name(enum ww_dram_cmd cmd);

/* NULL or the first violated invariant; O(entries), for tests. */
const char *ww_dram_check(const struct ww_dram *d);

WW_END_DECLS

#endif

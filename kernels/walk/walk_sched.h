/* SPDX-License-Identifier: MIT */
/* kernels/walk/walk_sched.h - a scheduler of page walks: which waiting walk goes to which free walker; and
 * where a walk starts, [M18 section IV-B]. A scheduler is a table of functions over a blob, in a file
 * kernels/walk/sched_NAME.c that defines ww_sched_NAME. The build lists these files, so a new one needs no
 * change to any list (docs/model/walk-scheduling.md). It may divide the places of the walk buffer among
 * queues. Every scheduler skips entries with CL set. Time: none. Allocation: none. One owner. */
#ifndef WW_KERNELS_WALK_SCHED_H
#define WW_KERNELS_WALK_SCHED_H

#include "kernels/base.h"
#include "kernels/walk/pwc.h"
#include "kernels/walk/walk_buffer.h"

WW_BEGIN_DECLS

#define WW_SCHED_MOST_KEYS 8u
#define WW_SCHED_MOST_QUEUES 16u

/* A key of one scheduler. Every walk unit has it; it has no effect while `schedule` names another. */
struct ww_sched_key {
    const char *name, *unit;
    uint32_t least, most;
    const char *text;           /* one sentence */
    const char *needs;          /* "KEY=CHOICE" of this scheduler that it depends on; NULL: none */
    const char *const *choices; /* names of the values 0, 1, ... up to a NULL; NULL: it is a number */
};

/* A count that a scheduler keeps. */
struct ww_sched_stat {
    const char *name, *text;
};

struct ww_sched_cfg {
    uint32_t walkers; /* at least 1 */
    uint32_t entries; /* of the walk buffer, at least 1 */
    uint32_t keys[WW_SCHED_MOST_KEYS];
};

/* The present state to schedule from. */
struct ww_sched_view {
    const struct ww_wbuf *buffer;
    const struct ww_pwc *pwc;      /* NULL: no page-walk cache */
    const struct ww_table *tables; /* by the entries' `table` */
    const uint64_t *idle;          /* bit w % 64 of word w / 64: walker w is idle; at least one is */
    uint32_t idle_words;
};

struct ww_sched_pick {
    uint32_t slot, walker; /* slot WW_WBUF_NONE: no idle walker takes a walk */
};

struct ww_sched_kind {
    const char *name, *text;
    const struct ww_sched_key *keys;
    uint32_t key_count, stat_count;
    const struct ww_sched_stat *stats; /* the first `walk_stats` of them add up to the walks taken */
    uint32_t walk_stats;
    bool by_reads; /* it compares only reads: it acts as fcfs if every walk has the same number */

    /* Returns NULL, or names what is wrong, by the names of keys. A NULL function: nothing ever is. */
    const char *(*fault)(const struct ww_sched_cfg *cfg);
    size_t (*bytes)(const struct ww_sched_cfg *cfg); /* 0 if cfg is illegal */
    int (*init)(void *s, size_t bytes, const struct ww_sched_cfg *cfg);
    struct ww_sched_pick (*pick)(const void *s, const struct ww_sched_view *v); /* no side effect */
    /* The walk unit calls this when the walker takes the entry, before removing it from the buffer. NULL: the
     * scheduler does not need the call. */
    void (*took)(void *s, const struct ww_wbuf_entry *e, uint32_t walker);

    /* Division of the buffer's places among queues. If all of these are NULL, a walk may take any free
     * place. */
    uint32_t (*queues)(
        const void *s); /* 1..WW_SCHED_MOST_QUEUES; walks outside the buffer wait by queue, too */
    uint32_t (*queue_of)(const void *s, uint16_t vmid);
    bool (*room)(const void *s, uint32_t queue); /* true if the queue has a free place */
    void (*arrived)(void *s, uint16_t vmid);     /* at the walk unit */
    void (*entered)(void *s, uint16_t vmid);     /* a walk of this VM entered the buffer: there was room */
    void (*left)(void *s, uint16_t vmid);        /* a walk left: a walker took it, or a line completed it */

    uint64_t (*stat)(const void *s, uint32_t i);      /* value of stats[i]; NULL: it has none */
    uint64_t (*bits)(const struct ww_sched_cfg *cfg); /* state in hardware; NULL: not counted */
    const char *(*check)(const void *s);              /* the first broken invariant or NULL; NULL: no check */
};

/* In the order of the build: first come, first served, the default of a walk unit, then the others by
 * name. */
extern const struct ww_sched_kind *const ww_scheds[];
extern const uint32_t ww_sched_count;

/* Returns the lowest idle walker. Required: there is one. */
static inline uint32_t ww_sched_lowest_idle(const struct ww_sched_view *v)
{
    uint32_t word = 0;
    while (v->idle[word] == 0) {
        word++;
        WW_ASSERT(word < v->idle_words);
    }
    return word * 64 + (uint32_t)__builtin_ctzll(v->idle[word]);
}

/* Returns the pick of a scheduler whose walkers are alike: the lowest idle walker takes this slot. With
 * WW_WBUF_NONE nothing is taken. */
static inline struct ww_sched_pick ww_sched_any_takes(const struct ww_sched_view *v, uint32_t slot)
{
    struct ww_sched_pick pick;
    pick.slot = slot;
    pick.walker = ww_sched_lowest_idle(v);
    return pick;
}

/* bytes() and init() of a scheduler without keys and without state: WW_BLOB_ALIGN bytes, which are never
 * read. */
size_t ww_sched_no_bytes(const struct ww_sched_cfg *cfg);
int ww_sched_no_init(void *s, size_t bytes, const struct ww_sched_cfg *cfg);

/* Returns the page-table reads that the entry's walk will need if it ends at the kind's last step. No side
 * effect. `table` is the entry's, here and below. */
uint32_t ww_sched_reads(const struct ww_wbuf_entry *e, const struct ww_pwc *pwc,
                        const struct ww_table *table);

/* Returns the walk at its start [M18 section IV-B, rule 3]: at PL/PA if set, else at the registers, unless a
 * hit in the page-walk cache is nearer the end. The lookup updates the cache's LRU; *cached is its answer, 0
 * for a miss or without a cache. */
uint64_t ww_sched_start(const struct ww_wbuf_entry *e, struct ww_pwc *pwc, const struct ww_table *table,
                        uint64_t *cached);

WW_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
/* kernels/walk/sched_dws.c - page-walk stealing (DWS, DWS++: HPCA'21): walkers and places of the walk buffer
 * belong to owners: programs, by VM-ID. A walker takes its own owner's oldest walk. It steals another owner's
 * if there is none (DWS), or also if far more of the other's wait (DWS++). docs/model/walk-stealing.md
 * numbers the rules as here and marks what is assumed. Not modelled: a queue per walker (an owner has one),
 * shares of different sizes. Time: none. Allocation: none. One owner. */
#include "kernels/bits.h"
#include "kernels/walk/walk_sched.h"

enum steal { STEAL_NEVER, STEAL_IDLE, STEAL_THRESHOLDS, STEAL_COUNT };

#define MOST_WALKERS 4096u

/* Indices into `keys`. */
enum key { OWNERS, STEAL, EPOCH, EVEN, UNEVEN, OWN_MOST, KEYS };

static const char *const steals[] = {"never", "idle", "thresholds", NULL};

#define WITH_THRESHOLDS "dws_steal=thresholds"
static const struct ww_sched_key keys[] = {
    [OWNERS] = {.name = "dws_owners",
                .unit = "programs",
                .least = 1,
                .most = WW_SCHED_MOST_QUEUES,
                .text = "of dws, the number of owners that share walkers and places of the walk buffer; a "
                        "VM-ID modulo this is its owner"},
    [STEAL] = {.name = "dws_steal",
               .text = "of dws, when a walker takes another owner's walk: never; idle, when none of its own "
                       "owner's waits; thresholds, also when far more of the other's wait",
               .choices = steals},
    [EPOCH] =
        {.name = "dws_epoch",
         .unit = "walks",
         .least = 1,
         .most = 65536,
         .text =
             "of dws, the number of arriving walks after which owners are compared by their shares of them",
         .needs = WITH_THRESHOLDS},
    [EVEN] = {.name = "dws_even",
              .unit = "percent",
              .least = 1,
              .most = 100,
              .text =
                  "of dws, the part of its places by which more of the other's have to wait, where owners "
                  "walk about as much: 1.5 times",
              .needs = WITH_THRESHOLDS},
    [UNEVEN] = {.name = "dws_uneven",
                .unit = "percent",
                .least = 1,
                .most = 100,
                .text = "of dws, the same where one walks twice as much, or more; between the two it stays",
                .needs = WITH_THRESHOLDS},
    [OWN_MOST] = {.name = "dws_own_most",
                  .unit = "percent",
                  .least = 1,
                  .most = 100,
                  .text = "of dws, the part of an owner's places of which fewer have to be taken for its "
                          "walkers to take another's walk",
                  .needs = WITH_THRESHOLDS},
};

enum stat { OWN, STOLEN_IDLE, STOLEN_BUSY, UNEVEN_EPOCHS, STATS };

static const struct ww_sched_stat stats[] = {
    [OWN] = {"walks_own", "walks that a walker of their owner took"},
    [STOLEN_IDLE] = {"walks_stolen_idle",
                     "walks that another owner's walker took, having none of its own waiting"},
    [STOLEN_BUSY] = {"walks_stolen_busy", "the same, though some of its own waited"},
    [UNEVEN_EPOCHS] = {"uneven_epochs", "epochs in which one owner walked twice as much as another, or more"},
};

struct dws {
    struct ww_sched_cfg cfg;
    uint32_t waiting[WW_SCHED_MOST_QUEUES]; /* walks in the buffer, by owner */
    uint32_t arrived[WW_SCHED_MOST_QUEUES]; /* walks of this epoch, by owner */
    uint32_t epoch_walks;                   /* their sum */
    bool uneven;                            /* the last epoch that was not in between was uneven (rule 6) */
    uint64_t count[STATS];
    uint64_t stole[MOST_WALKERS / 64]; /* bit set: the walker's last walk was stolen */
};

static const char *fault(const struct ww_sched_cfg *cfg)
{
    if (cfg->keys[OWNERS] > cfg->walkers)
        return "dws_owners is more than walkers: each owner needs one";
    if (cfg->keys[OWNERS] > cfg->entries)
        return "dws_owners is more than buffer_entries: each owner needs one";
    return NULL;
}

static size_t bytes(const struct ww_sched_cfg *cfg)
{
    for (uint32_t i = 0; i < KEYS; i++) {
        const bool used = keys[i].needs == NULL || cfg->keys[STEAL] == STEAL_THRESHOLDS;
        if (used && (cfg->keys[i] < keys[i].least || (keys[i].most != 0 && cfg->keys[i] > keys[i].most)))
            return 0;
    }
    if (cfg->keys[STEAL] >= STEAL_COUNT || cfg->walkers > MOST_WALKERS || fault(cfg) != NULL)
        return 0;
    return ww_align64(sizeof(struct dws));
}

static int init(void *s, size_t size, const struct ww_sched_cfg *cfg)
{
    const int status = ww_clear(s, size, bytes(cfg));
    if (status == WW_OK)
        ((struct dws *)s)->cfg = *cfg;
    return status;
}

static uint32_t queues(const void *s)
{
    return ((const struct dws *)s)->cfg.keys[OWNERS];
}

/* Rule 1. */
static uint32_t owner_of(const void *s, uint16_t vmid)
{
    return vmid % queues(s);
}

static uint32_t owner_of_walker(const struct dws *d, uint32_t walker)
{
    return walker % d->cfg.keys[OWNERS];
}

/* Rule 2: equal parts; the first owners get one place more if there is a remainder. */
static uint32_t places(const struct dws *d, uint32_t owner)
{
    const uint32_t owners = d->cfg.keys[OWNERS];
    return d->cfg.entries / owners + (owner < d->cfg.entries % owners);
}

static bool room(const void *s, uint32_t queue)
{
    const struct dws *d = s;
    return d->waiting[queue] < places(d, queue);
}

/* Next walk and idle walker of each owner; WW_WBUF_NONE and NO_WALKER if there is none. */
#define NO_WALKER UINT32_MAX
struct look {
    uint32_t slot[WW_SCHED_MOST_QUEUES];   /* the oldest walk without CL */
    uint32_t walker[WW_SCHED_MOST_QUEUES]; /* the lowest idle walker */
    uint32_t oldest;                       /* owner with the oldest walk, of those with both; else `owners` */
};

static void look_at_walkers(const struct dws *d, const struct ww_sched_view *v, struct look *l)
{
    uint32_t missing = d->cfg.keys[OWNERS];
    for (uint32_t i = 0; i < missing; i++)
        l->walker[i] = NO_WALKER;
    for (uint32_t word = 0; word < v->idle_words && missing != 0; word++)
        for (uint64_t left = v->idle[word]; left != 0 && missing != 0; left &= left - 1) {
            const uint32_t walker = word * 64 + (uint32_t)__builtin_ctzll(left);
            uint32_t *lowest = &l->walker[owner_of_walker(d, walker)];
            missing -= *lowest == NO_WALKER;
            if (*lowest == NO_WALKER)
                *lowest = walker;
        }
}

static void look_at_walks(const struct dws *d, const struct ww_sched_view *v, struct look *l)
{
    uint32_t wanted = 0;
    l->oldest = d->cfg.keys[OWNERS];
    for (uint32_t i = 0; i < d->cfg.keys[OWNERS]; i++) {
        l->slot[i] = WW_WBUF_NONE;
        wanted += d->waiting[i] != 0;
    }
    uint32_t slot = ww_wbuf_oldest_ready(v->buffer);
    while (slot != WW_WBUF_NONE && wanted != 0) {
        const uint32_t owner = owner_of(d, ww_wbuf_vmid(ww_wbuf_at(v->buffer, slot)));
        if (l->slot[owner] == WW_WBUF_NONE) {
            l->slot[owner] = slot;
            wanted--;
            if (l->oldest == d->cfg.keys[OWNERS] && l->walker[owner] != NO_WALKER)
                l->oldest = owner;
        }
        slot = ww_wbuf_younger_ready(v->buffer, slot);
    }
}

/* Rule 4: among the owners that have a stealable walk and no idle walker, returns the one with the most
 * pending walks; ties go to the lowest number. Returns `owners` if there is none. */
static uint32_t victim_of(const struct dws *d, const struct look *l)
{
    uint32_t victim = d->cfg.keys[OWNERS];
    for (uint32_t i = 0; i < d->cfg.keys[OWNERS]; i++) {
        if (l->slot[i] == WW_WBUF_NONE || l->walker[i] != NO_WALKER)
            continue;
        if (victim == d->cfg.keys[OWNERS] || d->waiting[i] > d->waiting[victim])
            victim = i;
    }
    return victim;
}

/* Rule 5: true if this idle walker takes the victim's walk although its own owner's walks wait. */
static bool passes_over(const struct dws *d, uint32_t walker, uint32_t victim)
{
    const uint32_t owner = owner_of_walker(d, walker), has = places(d, owner);
    const uint32_t least = d->cfg.keys[d->uneven ? UNEVEN : EVEN];
    if (d->cfg.keys[STEAL] != STEAL_THRESHOLDS || (d->stole[walker / 64] >> walker % 64 & 1) != 0)
        return false;
    return d->waiting[owner] * 100 < d->cfg.keys[OWN_MOST] * has &&
           d->waiting[victim] * 100 > d->waiting[owner] * 100 + least * has;
}

static struct ww_sched_pick pick(const void *s, const struct ww_sched_view *v)
{
    const struct dws *d = s;
    const uint32_t nobody = d->cfg.keys[OWNERS];
    struct look l;
    look_at_walkers(d, v, &l);
    look_at_walks(d, v, &l);
    const uint32_t victim = d->cfg.keys[STEAL] == STEAL_NEVER ? nobody : victim_of(d, &l);
    struct ww_sched_pick taken = {WW_WBUF_NONE, 0};
    if (l.oldest != nobody) { /* rule 3 */
        taken.walker = l.walker[l.oldest];
        taken.slot = l.slot[l.oldest];
        if (victim != nobody && passes_over(d, taken.walker, victim))
            taken.slot = l.slot[victim];
    } else if (victim != nobody) { /* rule 4 */
        taken.walker = ww_sched_lowest_idle(v);
        taken.slot = l.slot[victim];
    }
    return taken;
}

static void took(void *s, const struct ww_wbuf_entry *e, uint32_t walker)
{
    struct dws *d = s;
    const uint32_t owner = owner_of_walker(d, walker);
    const bool stolen = owner != owner_of(d, ww_wbuf_vmid(e));
    const uint64_t bit = (uint64_t)1 << walker % 64;
    d->count[!stolen ? OWN : d->waiting[owner] == 0 ? STOLEN_IDLE : STOLEN_BUSY]++;
    if (stolen)
        d->stole[walker / 64] |= bit;
    else
        d->stole[walker / 64] &= ~bit;
}

/* Rule 6: ends the epoch and compares the owners with the most and the fewest walks in it. */
static void compare(struct dws *d)
{
    uint32_t most = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < d->cfg.keys[OWNERS]; i++) {
        most = d->arrived[i] > most ? d->arrived[i] : most;
        least = d->arrived[i] < least ? d->arrived[i] : least;
        d->arrived[i] = 0;
    }
    d->epoch_walks = 0;
    if (most >= 2 * least)
        d->uneven = true;
    else if (2 * most <= 3 * least)
        d->uneven = false;
    d->count[UNEVEN_EPOCHS] += most >= 2 * least;
}

static void arrived(void *s, uint16_t vmid)
{
    struct dws *d = s;
    if (d->cfg.keys[STEAL] != STEAL_THRESHOLDS)
        return;
    d->arrived[owner_of(d, vmid)]++;
    if (++d->epoch_walks == d->cfg.keys[EPOCH])
        compare(d);
}

static void entered(void *s, uint16_t vmid)
{
    struct dws *d = s;
    WW_ASSERT(room(d, owner_of(d, vmid)));
    d->waiting[owner_of(d, vmid)]++;
}

static void left(void *s, uint16_t vmid)
{
    struct dws *d = s;
    WW_ASSERT(d->waiting[owner_of(d, vmid)] != 0);
    d->waiting[owner_of(d, vmid)]--;
}

static uint64_t stat(const void *s, uint32_t i)
{
    return ((const struct dws *)s)->count[i];
}

/* Per owner the waiting walks; with thresholds also the arrivals per owner, the walks of the epoch, whether
 * the last one was uneven, and per walker whether it stole. A walker's number gives its owner. */
static uint64_t bits(const struct ww_sched_cfg *cfg)
{
    const uint64_t owners = cfg->keys[OWNERS];
    const uint64_t waiting = owners * ww_name_bits((cfg->entries + owners - 1) / owners + 1);
    if (cfg->keys[STEAL] != STEAL_THRESHOLDS)
        return waiting;
    return waiting + (owners + 1) * ww_name_bits(cfg->keys[EPOCH]) + 1 + cfg->walkers;
}

static const char *check(const void *s)
{
    const struct dws *d = s;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < WW_SCHED_MOST_QUEUES; i++) {
        if (i >= d->cfg.keys[OWNERS] && (d->waiting[i] | d->arrived[i]) != 0)
            return "a walk of no owner waits or came";
        if (i < d->cfg.keys[OWNERS] && d->waiting[i] > places(d, i))
            return "more wait of an owner than it has places";
        sum += d->arrived[i];
    }
    if (sum != d->epoch_walks)
        return "the epoch's walks are not those of its owners";
    return NULL;
}

const struct ww_sched_kind ww_sched_dws = {
    .name = "dws",
    .text = "the oldest of the walker's own program, another's by dws_steal, docs/model/walk-stealing.md",
    .keys = keys,
    .key_count = KEYS,
    .stats = stats,
    .stat_count = STATS,
    .walk_stats = STOLEN_BUSY + 1,
    .fault = fault,
    .bytes = bytes,
    .init = init,
    .pick = pick,
    .took = took,
    .queues = queues,
    .queue_of = owner_of,
    .room = room,
    .arrived = arrived,
    .entered = entered,
    .left = left,
    .stat = stat,
    .bits = bits,
    .check = check,
};

/* SPDX-License-Identifier: MIT */
/* kernels/store/icache_tx.c - see icache_tx.h: the translations, as a store. */
#include "kernels/store/icache_tx_lines.h"
#include "kernels/xlat_word.h"

/* The line and the tag fields of a page. */
struct place {
    uint32_t at;   /* line; or set, if a line holds one translation */
    uint8_t shift; /* of the page */
    uint64_t head; /* base, or tag */
    uint64_t own;  /* own bits, with rank 0; 0 if a line holds one translation */
};

uint32_t ww_icache_tx_line(const struct ww_icache_tx *t, uint64_t va, uint32_t page_shift)
{
    return ww_set_index(t->cfg.index, va >> page_shift, ww_icache_tx_packed(t) ? t->line_bits : t->set_bits);
}

static struct place place_of(const struct ww_icache_tx *t, uint64_t va, uint16_t vmid, uint8_t shift)
{
    struct place p;
    const uint64_t tag = va >> shift >> (ww_icache_tx_packed(t) ? t->line_bits : t->set_bits);
    const uint64_t kept = ww_icache_tx_packed(t) ? tag >> WW_ICACHE_TX_LOW_BITS : tag;
    p.at = ww_icache_tx_line(t, va, shift);
    p.shift = shift;
    p.head = ww_bits_put(WW_ICACHE_TX_VMID, WW_ICACHE_TX_MODE | kept << WW_ICACHE_TX_ADDR_AT, vmid);
    p.own = 0;
    if (ww_icache_tx_packed(t))
        p.own = ww_bits_put(WW_ICACHE_TX_OWN_LOW, WW_ICACHE_TX_OWN_VALID,
                            tag & WW_BITS64(WW_ICACHE_TX_LOW_BITS - 1, 0));
    else
        p.head |= WW_ICACHE_TX_VALID;
    return p;
}

/* The i-th translation of a line. */
struct spot {
    uint32_t line, i;
};

static bool holds(const struct ww_icache_tx *t, uint32_t line, uint32_t i, const struct place *p)
{
    return ww_xlat_word_shift(WW_ICACHE_TX_CONST_DATA(t)[line * WW_ICACHE_TX_LINE_WORDS + i]) == p->shift;
}

/* Returns where the page is held; line WW_ICACHE_TX_NONE if it is not. */
static struct spot find_place(const struct ww_icache_tx *t, const struct place *p)
{
    struct spot none = {WW_ICACHE_TX_NONE, 0};
    if (!ww_icache_tx_packed(t)) {
        for (uint32_t way = 0; way < t->cfg.ways; ++way) {
            const uint32_t line = ww_icache_tx_line_at(t, p->at, way);
            if (WW_ICACHE_TX_CONST_HEADS(t)[line] == p->head && holds(t, line, 0, p))
                return (struct spot){line, 0};
        }
        return none;
    }
    if ((WW_ICACHE_TX_CONST_HEADS(t)[p->at] & t->base) != p->head)
        return none;
    for (uint32_t i = 0; i < t->each; ++i)
        if (((ww_icache_tx_own(WW_ICACHE_TX_CONST_OWNS(t)[p->at], i) ^ p->own) & ~WW_ICACHE_TX_OWN_RANK) ==
                0 &&
            holds(t, p->at, i, p))
            return (struct spot){p->at, i};
    return none;
}

static bool holdable(uint64_t va, uint16_t vmid)
{
    return va >> WW_ICACHE_TX_VA_BITS == 0 && vmid < WW_ICACHE_TX_VMIDS;
}

/* Returns where the smallest page that covers va is held; line WW_ICACHE_TX_NONE on a miss. */
static struct spot find(const struct ww_icache_tx *t, uint64_t va, uint16_t vmid)
{
    struct spot s = {WW_ICACHE_TX_NONE, 0};
    if (!holdable(va, vmid))
        return s;
    for (uint32_t left = t->cfg.page_sizes; left != 0 && s.line == WW_ICACHE_TX_NONE; left &= left - 1) {
        const struct place p = place_of(t, va, vmid, (uint8_t)__builtin_ctz(left));
        s = find_place(t, &p);
    }
    return s;
}

static struct ww_xlat xlat_at(const struct ww_icache_tx *t, struct spot s)
{
    return ww_xlat_of_word(WW_ICACHE_TX_CONST_DATA(t)[s.line * WW_ICACHE_TX_LINE_WORDS + s.i]);
}

/* Adds one to the rank of a line's translations newer than rank `before` or, with `drop`, subtracts one from
 * the rank of those older than it. */
static void reorder(struct ww_icache_tx *t, uint32_t line, uint64_t before, bool drop)
{
    for (uint32_t i = 0; i < t->each; ++i) {
        const uint64_t own = ww_icache_tx_own(WW_ICACHE_TX_OWNS(t)[line], i);
        const uint64_t rank = ww_bits_get(WW_ICACHE_TX_OWN_RANK, own);
        if ((own & WW_ICACHE_TX_OWN_VALID) == 0 || (drop ? rank <= before : rank >= before))
            continue;
        WW_ICACHE_TX_OWNS(t)
        [line] = ww_icache_tx_put_own(WW_ICACHE_TX_OWNS(t)[line], i,
                                      ww_bits_put(WW_ICACHE_TX_OWN_RANK, own, drop ? rank - 1 : rank + 1));
    }
}

static uint64_t rank_of(const struct ww_icache_tx *t, struct spot s)
{
    return ww_bits_get(WW_ICACHE_TX_OWN_RANK, ww_icache_tx_own(WW_ICACHE_TX_CONST_OWNS(t)[s.line], s.i));
}

/* Makes a translation its line's newest, and the line its set's newest. */
static void touch(struct ww_icache_tx *t, struct spot s)
{
    ww_icache_tx_touch_line(t, s.line);
    if (!ww_icache_tx_packed(t))
        return;
    reorder(t, s.line, rank_of(t, s), false);
    WW_ICACHE_TX_OWNS(t)[s.line] &= ~(WW_ICACHE_TX_OWN_RANK << (s.i * WW_ICACHE_TX_OWN_BITS));
}

/* The last translation that is dropped leaves its line idle. */
static void drop_spot(struct ww_icache_tx *t, struct spot s)
{
    if (ww_icache_tx_held_in(t, s.line) == 1) {
        ww_icache_tx_empty(t, s.line);
        return;
    }
    reorder(t, s.line, rank_of(t, s), true);
    WW_ICACHE_TX_OWNS(t)[s.line] = ww_icache_tx_put_own(WW_ICACHE_TX_OWNS(t)[s.line], s.i, 0);
    t->live -= 1;
}

/* Sets *m to a translation, with the page from its tag and its line's number. */
static void describe(const struct ww_icache_tx *t, struct spot s, struct ww_mapping *m)
{
    const uint64_t head = WW_ICACHE_TX_CONST_HEADS(t)[s.line];
    const uint32_t bits = ww_icache_tx_packed(t) ? t->line_bits : t->set_bits;
    const uint32_t at = ww_icache_tx_packed(t) ? s.line : s.line & (t->sets - 1);
    uint64_t tag = (head & ~WW_ICACHE_TX_VALID) >> WW_ICACHE_TX_ADDR_AT;
    if (ww_icache_tx_packed(t))
        tag = (head & t->base) >> WW_ICACHE_TX_ADDR_AT << WW_ICACHE_TX_LOW_BITS |
              ww_bits_get(WW_ICACHE_TX_OWN_LOW, ww_icache_tx_own(WW_ICACHE_TX_CONST_OWNS(t)[s.line], s.i));
    const uint64_t high = tag << bits;
    m->xlat = xlat_at(t, s);
    m->va = (high | (at ^ ww_set_index(t->cfg.index, high, bits))) << m->xlat.page_shift;
    m->vmid = (uint16_t)ww_bits_get(WW_ICACHE_TX_VMID, head);
}

static bool is_held(const struct ww_icache_tx *t, struct spot s)
{
    return ww_icache_tx_packed(t)
               ? (ww_icache_tx_own(WW_ICACHE_TX_CONST_OWNS(t)[s.line], s.i) & WW_ICACHE_TX_OWN_VALID) != 0
               : ww_icache_tx_is_tx(WW_ICACHE_TX_CONST_HEADS(t)[s.line]);
}

static bool lookup(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    struct ww_icache_tx *t = store;
    const struct spot s = find(t, va, vmid);
    if (s.line == WW_ICACHE_TX_NONE)
        return false;
    touch(t, s);
    *out = xlat_at(t, s);
    return true;
}

static bool probe(const void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    const struct ww_icache_tx *t = store;
    const struct spot s = find(t, va, vmid);
    if (s.line == WW_ICACHE_TX_NONE)
        return false;
    *out = xlat_at(t, s);
    return true;
}

static bool take(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out)
{
    struct ww_icache_tx *t = store;
    const struct spot s = find(t, va, vmid);
    if (s.line == WW_ICACHE_TX_NONE)
        return false;
    *out = xlat_at(t, s);
    drop_spot(t, s);
    return true;
}

/* Makes an idle line, or a line of instructions, Tx-mode. */
static void open_line(struct ww_icache_tx *t, uint32_t line, uint64_t head)
{
    const bool code = ww_icache_tx_mode_of(t, line) == WW_ICACHE_TX_CODE;
    t->counts.opened += !code;
    t->counts.code_lost += code;
    ww_icache_tx_empty(t, line);
    WW_ICACHE_TX_HEADS(t)[line] = head;
}

/* True if a line with another base is rebased for a translation. If not, WW_ICACHE_TX_COUNT counts the
 * mismatch. */
static bool rebases(struct ww_icache_tx *t, uint32_t line)
{
    uint64_t *head = &WW_ICACHE_TX_HEADS(t)[line];
    const uint64_t passed = ww_bits_get(WW_ICACHE_TX_PASSED, *head) + 1;
    if (t->cfg.mismatch == WW_ICACHE_TX_REBASE ||
        (t->cfg.mismatch == WW_ICACHE_TX_COUNT && passed >= t->cfg.limit))
        return true;
    if (t->cfg.mismatch == WW_ICACHE_TX_COUNT)
        *head = ww_bits_put(WW_ICACHE_TX_PASSED, *head, passed);
    return false;
}

/* Makes the page's line Tx-mode with the page's base. Returns false if the page is to bypass it. */
static bool make_room(struct ww_icache_tx *t, const struct place *p, struct ww_mapping *victims,
                      uint32_t *left)
{
    const enum ww_icache_tx_mode mode = ww_icache_tx_mode_of(t, p->at);
    if (mode == WW_ICACHE_TX_CODE && t->cfg.design != WW_ICACHE_TX_NAIVE) {
        t->counts.bypassed_mode += 1;
        return false;
    }
    if (mode != WW_ICACHE_TX_TX) {
        open_line(t, p->at, p->head);
        return true;
    }
    if ((WW_ICACHE_TX_HEADS(t)[p->at] & t->base) == p->head)
        return true;
    if (!rebases(t, p->at)) {
        t->counts.bypassed_base += 1;
        return false;
    }
    for (uint32_t i = 0; i < t->each; ++i) {
        const struct spot s = {p->at, i};
        if (!is_held(t, s))
            continue;
        if (victims != NULL)
            describe(t, s, &victims[*left]);
        *left += 1;
    }
    ww_icache_tx_empty(t, p->at);
    WW_ICACHE_TX_HEADS(t)[p->at] = p->head;
    t->counts.rebases += 1;
    t->counts.rebased += *left;
    return true;
}

/* Returns the lowest free place of a line's eight, else the least recently used. */
static struct spot spot_to_fill(const struct ww_icache_tx *t, uint32_t line)
{
    struct spot oldest = {line, 0};
    for (uint32_t i = 0; i < t->each; ++i) {
        const struct spot s = {line, i};
        if (!is_held(t, s))
            return s;
        if (rank_of(t, s) == t->each - 1)
            oldest = s;
    }
    return oldest;
}

/* Evicts a translation; the caller overwrites it. */
static void displace(struct ww_icache_tx *t, struct spot s, struct ww_mapping *victims, uint32_t *left)
{
    if (victims != NULL)
        describe(t, s, victims);
    *left = 1;
    t->counts.displaced += 1;
    t->live -= 1;
}

/* With one translation per line: takes an idle line of the set, else the least recently used of
 * translations. */
static struct spot enter_one(struct ww_icache_tx *t, const struct place *p, struct ww_mapping *victims,
                             uint32_t *left)
{
    struct spot s = {ww_icache_tx_choose(t, p->at, WW_ICACHE_TX_AMONG_IDLE), 0};
    if (s.line != WW_ICACHE_TX_NONE) {
        t->counts.opened += 1;
    } else {
        s.line = ww_icache_tx_choose(t, p->at, WW_ICACHE_TX_AMONG_TX);
        if (s.line == WW_ICACHE_TX_NONE) {
            t->counts.bypassed_mode += 1;
            return s;
        }
        displace(t, s, victims, left);
    }
    WW_ICACHE_TX_HEADS(t)[s.line] = p->head;
    t->live += 1;
    return s;
}

static struct spot enter_packed(struct ww_icache_tx *t, const struct place *p, struct ww_mapping *victims,
                                uint32_t *left)
{
    struct spot s = {WW_ICACHE_TX_NONE, 0};
    if (!make_room(t, p, victims, left))
        return s;
    s = spot_to_fill(t, p->at);
    if (is_held(t, s))
        displace(t, s, victims, left);
    /* Enters it as the oldest, so that touch() ages all others. */
    WW_ICACHE_TX_OWNS(t)
    [s.line] = ww_icache_tx_put_own(WW_ICACHE_TX_OWNS(t)[s.line], s.i, p->own | WW_ICACHE_TX_OWN_RANK);
    t->live += 1;
    return s;
}

static struct ww_store_entered insert(void *store, const struct ww_mapping *m, struct ww_mapping *victims)
{
    struct ww_icache_tx *t = store;
    WW_ASSERT(m->xlat.page_shift < 32 && (t->cfg.page_sizes >> m->xlat.page_shift & 1) != 0);
    WW_ASSERT((m->xlat.page_pa & ww_page_mask(m->xlat.page_shift)) == 0);
    if (!holdable(m->va, m->vmid))
        return (struct ww_store_entered){WW_STORE_REFUSED, 0};
    const struct place p = place_of(t, m->va, m->vmid, m->xlat.page_shift);
    struct spot s = find_place(t, &p);
    const bool refreshed = s.line != WW_ICACHE_TX_NONE;
    uint32_t left = 0;
    if (!refreshed)
        s = ww_icache_tx_packed(t) ? enter_packed(t, &p, victims, &left) : enter_one(t, &p, victims, &left);
    if (s.line == WW_ICACHE_TX_NONE)
        return (struct ww_store_entered){WW_STORE_PASSED, 0};
    touch(t, s);
    WW_ICACHE_TX_DATA(t)[s.line * WW_ICACHE_TX_LINE_WORDS + s.i] = ww_xlat_word(&m->xlat);
    return (struct ww_store_entered){refreshed ? WW_STORE_REFRESHED : WW_STORE_KEPT, left};
}

static uint32_t invalidate(void *store, const struct ww_inval_scope *scope)
{
    struct ww_icache_tx *t = store;
    uint32_t dropped = 0;
    for (uint32_t line = 0; line < t->cfg.lines; ++line)
        for (uint32_t i = 0; i < t->each; ++i) {
            const struct spot s = {line, i};
            struct ww_mapping m;
            if (!is_held(t, s))
                continue;
            describe(t, s, &m);
            if (!ww_inval_covers(scope, m.va, m.xlat.page_shift, m.vmid))
                continue;
            drop_spot(t, s);
            dropped += 1;
        }
    return dropped;
}

static void flush(void *store)
{
    struct ww_icache_tx *t = store;
    for (uint32_t line = 0; line < t->cfg.lines; ++line)
        if (ww_icache_tx_is_tx(WW_ICACHE_TX_HEADS(t)[line]))
            ww_icache_tx_empty(t, line);
}

static uint32_t most_victims(const void *store)
{
    const struct ww_icache_tx *t = store;
    return t->cfg.mismatch == WW_ICACHE_TX_BYPASS ? 1 : t->each;
}

static uint32_t count(const void *store)
{
    return ((const struct ww_icache_tx *)store)->live;
}

static uint32_t probes(const void *store)
{
    return ((const struct ww_icache_tx *)store)->sizes;
}

/* The paper's format holds for any address width. */
static uint64_t bits(const void *store, const struct ww_widths *w)
{
    (void)w;
    return ww_icache_tx_bits(&((const struct ww_icache_tx *)store)->cfg);
}

static const char *check_tx(const struct ww_icache_tx *t, uint32_t line)
{
    const uint32_t held = ww_icache_tx_held_in(t, line);
    uint32_t ranks = 0;
    if (held == 0)
        return "icache_tx: a line of translations without one";
    if (ww_icache_tx_packed(t) && (WW_ICACHE_TX_CONST_HEADS(t)[line] & ~(t->base | WW_ICACHE_TX_PASSED)) != 0)
        return "icache_tx: a base with more bits than it has";
    for (uint32_t i = 0; i < t->each; ++i) {
        const struct spot s = {line, i};
        struct ww_mapping m;
        if (!is_held(t, s)) {
            if (ww_icache_tx_own(WW_ICACHE_TX_CONST_OWNS(t)[line], i) != 0)
                return "icache_tx: a tag without a translation";
            continue;
        }
        ranks |= 1u << rank_of(t, s);
        describe(t, s, &m);
        if ((t->cfg.page_sizes >> m.xlat.page_shift & 1) == 0)
            return "icache_tx: a page size that is not configured";
        const struct place p = place_of(t, m.va, m.vmid, m.xlat.page_shift);
        const struct spot found = find_place(t, &p);
        if (found.line != line || found.i != i)
            return "icache_tx: a page is held twice";
    }
    return ranks == (1u << held) - 1 ? NULL
                                     : "icache_tx: the order of use of a line's translations has a gap";
}

static const char *check_line(const struct ww_icache_tx *t, uint32_t line)
{
    const uint64_t head = WW_ICACHE_TX_CONST_HEADS(t)[line];
    if ((head & WW_ICACHE_TX_VRFID) != 0)
        return "icache_tx: a virtual function other than 0";
    if ((!ww_icache_tx_is_tx(head) || !ww_icache_tx_packed(t)) && WW_ICACHE_TX_CONST_OWNS(t)[line] != 0)
        return "icache_tx: tags of eight in another line";
    if (ww_icache_tx_is_tx(head))
        return check_tx(t, line);
    if (head != 0 && ww_icache_tx_find_head(t, line & (t->sets - 1), head) != line)
        return "icache_tx: instructions are held twice";
    return NULL;
}

static const char *check(const void *store)
{
    const struct ww_icache_tx *t = store;
    uint32_t live = 0, code = 0;
    for (uint32_t line = 0; line < t->cfg.lines; ++line) {
        const char *broken = check_line(t, line);
        if (broken != NULL)
            return broken;
        live += ww_icache_tx_held_in(t, line);
        code += ww_icache_tx_mode_of(t, line) == WW_ICACHE_TX_CODE;
    }
    for (uint32_t set = 0; set < t->sets; ++set) {
        uint32_t places = 0;
        for (uint32_t way = 0; way < t->cfg.ways; ++way)
            places |= 1u << ww_icache_tx_place_in(WW_ICACHE_TX_CONST_ORDERS(t)[set], way);
        if (places != (1u << t->cfg.ways) - 1)
            return "icache_tx: the order of use of a set has a gap";
    }
    return live == t->live && code == t->code ? NULL : "icache_tx: a count is wrong";
}

const struct ww_store_kind ww_icache_tx_store = {
    .name = "icache_tx",
    .lookup = lookup,
    .probe = probe,
    .insert = insert,
    .most_victims = most_victims,
    .take = take,
    .invalidate = invalidate,
    .flush = flush,
    .count = count,
    .probes = probes,
    .check = check,
    .bits = bits,
};

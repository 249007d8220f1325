/* SPDX-License-Identifier: MIT */
/* kernels/store/icache_tx_lines.h - the lines of an instruction cache with translations, for the two halves
 * of its kernel: icache_tx_fetch.c and icache_tx.c. An idle line's head is 0; a line that loses its last
 * translation is idle. A place in the order of use: three bits a way from bit 0, 0 = newest; all ways of a
 * set have one, in any mode. Time: none. Allocation: none. */
#ifndef WW_KERNELS_ICACHE_TX_LINES_H
#define WW_KERNELS_ICACHE_TX_LINES_H

#include "kernels/store/icache_tx.h"

WW_BEGIN_DECLS

#define WW_ICACHE_TX_ORDER_BITS 3u /* per way */
#define WW_ICACHE_TX_NONE UINT32_MAX

#define WW_ICACHE_TX_HEADS(t) ((uint64_t *)(void *)((unsigned char *)(t) + (t)->head_off))
#define WW_ICACHE_TX_OWNS(t) ((uint64_t *)(void *)((unsigned char *)(t) + (t)->own_off))
#define WW_ICACHE_TX_ORDERS(t) ((uint64_t *)(void *)((unsigned char *)(t) + (t)->order_off))
#define WW_ICACHE_TX_DATA(t) ((uint64_t *)(void *)((unsigned char *)(t) + (t)->data_off))
#define WW_ICACHE_TX_CONST_HEADS(t)                                                                          \
    ((const uint64_t *)(const void *)((const unsigned char *)(t) + (t)->head_off))
#define WW_ICACHE_TX_CONST_OWNS(t)                                                                           \
    ((const uint64_t *)(const void *)((const unsigned char *)(t) + (t)->own_off))
#define WW_ICACHE_TX_CONST_ORDERS(t)                                                                         \
    ((const uint64_t *)(const void *)((const unsigned char *)(t) + (t)->order_off))
#define WW_ICACHE_TX_CONST_DATA(t)                                                                           \
    ((const uint64_t *)(const void *)((const unsigned char *)(t) + (t)->data_off))

static inline bool ww_icache_tx_packed(const struct ww_icache_tx *t)
{
    return t->each != 1;
}

static inline uint32_t ww_icache_tx_line_at(const struct ww_icache_tx *t, uint32_t set, uint32_t way)
{
    return way * t->sets + set;
}

static inline bool ww_icache_tx_is_tx(uint64_t head)
{
    return (head & WW_ICACHE_TX_MODE) != 0;
}

/* Returns the place of a way in its set's order of use. */
static inline uint32_t ww_icache_tx_place_in(uint64_t order, uint32_t way)
{
    return (uint32_t)(order >> (way * WW_ICACHE_TX_ORDER_BITS)) & WW_BITS64(WW_ICACHE_TX_ORDER_BITS - 1, 0);
}

static inline void ww_icache_tx_touch_line(struct ww_icache_tx *t, uint32_t line)
{
    uint64_t *order = &WW_ICACHE_TX_ORDERS(t)[line & (t->sets - 1)];
    const uint32_t own = line >> t->set_bits, before = ww_icache_tx_place_in(*order, own);
    uint64_t next = 0;
    for (uint32_t way = 0; way < t->cfg.ways; ++way) {
        const uint32_t place = ww_icache_tx_place_in(*order, way);
        next |= (uint64_t)(way == own ? 0 : place + (place < before)) << (way * WW_ICACHE_TX_ORDER_BITS);
    }
    *order = next;
}

static inline uint32_t ww_icache_tx_held_in(const struct ww_icache_tx *t, uint32_t line)
{
    uint32_t n = 0;
    if (!ww_icache_tx_packed(t))
        return ww_icache_tx_is_tx(WW_ICACHE_TX_CONST_HEADS(t)[line]);
    for (uint32_t i = 0; i < t->each; ++i)
        n += (ww_icache_tx_own(WW_ICACHE_TX_CONST_OWNS(t)[line], i) & WW_ICACHE_TX_OWN_VALID) != 0;
    return n;
}

/* Returns the line of a set with this head, or WW_ICACHE_TX_NONE. */
static inline uint32_t ww_icache_tx_find_head(const struct ww_icache_tx *t, uint32_t set, uint64_t head)
{
    for (uint32_t way = 0; way < t->cfg.ways; ++way)
        if (WW_ICACHE_TX_CONST_HEADS(t)[ww_icache_tx_line_at(t, set, way)] == head)
            return ww_icache_tx_line_at(t, set, way);
    return WW_ICACHE_TX_NONE;
}

/* Lines to choose from. */
enum ww_icache_tx_among { WW_ICACHE_TX_AMONG_IDLE, WW_ICACHE_TX_AMONG_TX, WW_ICACHE_TX_AMONG_ALL };

/* Returns the lowest idle line of a set, or the least recently used of the others; WW_ICACHE_TX_NONE if there
 * is none. */
static inline uint32_t ww_icache_tx_choose(const struct ww_icache_tx *t, uint32_t set,
                                           enum ww_icache_tx_among among)
{
    uint32_t chosen = WW_ICACHE_TX_NONE, oldest = 0;
    for (uint32_t way = 0; way < t->cfg.ways; ++way) {
        const uint32_t line = ww_icache_tx_line_at(t, set, way),
                       place = ww_icache_tx_place_in(WW_ICACHE_TX_CONST_ORDERS(t)[set], way);
        const uint64_t head = WW_ICACHE_TX_CONST_HEADS(t)[line];
        if (among == WW_ICACHE_TX_AMONG_IDLE && head == 0)
            return line;
        if (among == WW_ICACHE_TX_AMONG_IDLE ||
            (among == WW_ICACHE_TX_AMONG_TX && !ww_icache_tx_is_tx(head)) || place < oldest)
            continue;
        oldest = place;
        chosen = line;
    }
    return chosen;
}

/* Empties a line; its place in the order of use stays. Returns how many translations it held. */
static inline uint32_t ww_icache_tx_empty(struct ww_icache_tx *t, uint32_t line)
{
    const uint32_t held = ww_icache_tx_held_in(t, line);
    t->code -= ww_icache_tx_mode_of(t, line) == WW_ICACHE_TX_CODE;
    t->live -= held;
    WW_ICACHE_TX_HEADS(t)[line] = 0;
    WW_ICACHE_TX_OWNS(t)[line] = 0;
    return held;
}

WW_END_DECLS

#endif

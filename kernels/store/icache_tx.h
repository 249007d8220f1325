/* SPDX-License-Identifier: MIT */
/* kernels/store/icache_tx.h - an instruction cache whose lines hold instructions (IC-mode) or translations
 * (Tx-mode): the reconfigurable I-cache of [M21 section 4.3]. docs/model/icache-translations.md. Instructions
 * are set-associative. Translations lie eight to a line, direct-mapped by page number (line n is way n / sets
 * of set n mod sets), or one to a line in the set of their page number. Not modelled: contents, an
 * instruction prefetcher, VRF-IDs other than 0; lines of instructions are not invalidated (their addresses
 * are physical). Time: none. Allocation: none. */
#ifndef WW_KERNELS_ICACHE_TX_H
#define WW_KERNELS_ICACHE_TX_H

#include "kernels/base.h"
#include "kernels/store/icache_tx_format.h"
#include "kernels/store/index.h"
#include "kernels/store/store.h"

WW_BEGIN_DECLS

/* Designs: the bars of Figure 13a. */
#define WW_ICACHE_TX_DESIGN_LIST(X)                                                                          \
    X(WW_ICACHE_TX_ONE, "one")     /* one translation a line; instructions come first */                     \
    X(WW_ICACHE_TX_NAIVE, "naive") /* eight; a translation may also take a line from instructions */         \
    X(WW_ICACHE_TX_AWARE, "aware") /* eight; only instructions take lines of the other kind */               \
    X(WW_ICACHE_TX_FLUSH, "flush") /* as aware; a different kernel begins without instructions */

/* Treatment of a translation whose base is not its line's; the paper does not say. */
#define WW_ICACHE_TX_MISMATCH_LIST(X)                                                                        \
    X(WW_ICACHE_TX_COUNT, "count")   /* passed on; the last of N mismatches rebases instead */               \
    X(WW_ICACHE_TX_REBASE, "rebase") /* evicts the line's translations and takes the new base */             \
    X(WW_ICACHE_TX_BYPASS, "bypass") /* passed on */
#define WW_ICACHE_TX_ENUM(id, text) id,
enum ww_icache_tx_design { WW_ICACHE_TX_DESIGN_LIST(WW_ICACHE_TX_ENUM) };
enum ww_icache_tx_mismatch { WW_ICACHE_TX_MISMATCH_LIST(WW_ICACHE_TX_ENUM) };
#undef WW_ICACHE_TX_ENUM

enum ww_icache_tx_mode { WW_ICACHE_TX_IDLE, WW_ICACHE_TX_CODE, WW_ICACHE_TX_TX };

struct ww_icache_tx_cfg {
    uint32_t lines;      /* of 64 bytes; power of two, 32..4096 */
    uint32_t ways;       /* 1, 2, 4 or 8 */
    uint8_t design;      /* enum ww_icache_tx_design */
    uint8_t mismatch;    /* enum ww_icache_tx_mismatch; ignored by WW_ICACHE_TX_ONE */
    uint8_t limit;       /* of WW_ICACHE_TX_COUNT: mismatches of a base until one rebases; 1..255 */
    uint8_t index;       /* enum ww_index_kind, of translations */
    uint32_t page_sizes; /* bit n set: pages of 1 << n bytes may be held; n 12..30 */
};

/* Counted since init(). */
struct ww_icache_tx_counts {
    uint64_t hits, misses;  /* of fetches */
    uint64_t code_evicted;  /* instruction lines evicted by other instructions, */
    uint64_t code_lost;     /* by translations, */
    uint64_t code_flushed;  /* by the begin of another kernel */
    uint64_t opened;        /* idle lines that became Tx-mode */
    uint64_t claimed;       /* Tx-mode lines taken by instructions, */
    uint64_t dropped;       /* and the translations lost with them */
    uint64_t bypassed_mode; /* passed on: instructions hold the line, or the whole set */
    uint64_t bypassed_base; /* passed on: another base */
    uint64_t rebases;       /* rebases, and the translations evicted by them: */
    uint64_t rebased;
    uint64_t displaced; /* translations evicted from a place that another took */
};

struct ww_icache_tx {
    struct ww_icache_tx_cfg cfg;
    uint64_t bytes;
    uint32_t sets, set_bits, line_bits;
    uint32_t each;                         /* translations per line */
    uint32_t sizes;                        /* number of page sizes */
    uint64_t base;                         /* mask of a base, with as many address bits as there are */
    uint64_t head_off, own_off, order_off; /* offsets of state: a word per line, per line, per set */
    uint64_t data_off;                     /* offset of state: eight translations per line (xlat_word.h) */
    uint32_t live;                         /* translations held */
    uint32_t code;                         /* instruction lines held */
    uint64_t kernel_misses;                /* misses of fetches since the current kernel began */
    struct ww_icache_tx_counts counts;
};

/* Returns the bytes of storage, aligned to 64 bytes, or 0 if the configuration is illegal. */
size_t ww_icache_tx_bytes(const struct ww_icache_tx_cfg *cfg);
int ww_icache_tx_init(struct ww_icache_tx *t, size_t bytes, const struct ww_icache_tx_cfg *cfg);

/* True if the line of this address is held; fetch() makes it the most recently used. Required, here and
 * below: addr < 2^48, vmid < 4. */
bool ww_icache_tx_fetch(struct ww_icache_tx *t, uint64_t addr, uint16_t vmid);
bool ww_icache_tx_has(const struct ww_icache_tx *t, uint64_t addr, uint16_t vmid);
/* Enters the line. It takes an idle line of its set, else the least recently used line of translations, else
 * the least recently used one; with WW_ICACHE_TX_NAIVE the least recently used of either kind. Returns how
 * many translations are lost. */
uint32_t ww_icache_tx_fill(struct ww_icache_tx *t, uint64_t addr, uint16_t vmid);
/* Begins a kernel; `same` if it is the one before. Returns how many instruction lines are flushed. */
uint32_t ww_icache_tx_kernel(struct ww_icache_tx *t, bool same);
/* Returns the lines that the current kernel has used by Equation 1: its misses, at most all lines. */
uint32_t ww_icache_tx_used(const struct ww_icache_tx *t);

/* Returns the line of the page of 1 << page_shift bytes that holds va; with WW_ICACHE_TX_ONE, its set. */
uint32_t ww_icache_tx_line(const struct ww_icache_tx *t, uint64_t va, uint32_t page_shift);
enum ww_icache_tx_mode ww_icache_tx_mode_of(const struct ww_icache_tx *t, uint32_t line);
/* Return a line's head, and its translations' own bits, as packed. */
uint64_t ww_icache_tx_head(const struct ww_icache_tx *t, uint32_t line);
uint64_t ww_icache_tx_owns(const struct ww_icache_tx *t, uint32_t line);

/* Returns the bits of state in hardware: lines with tags, orders of use and counters. */
uint64_t ww_icache_tx_bits(const struct ww_icache_tx_cfg *cfg);
/* Returns those of them that an instruction cache without translations lacks. */
uint64_t ww_icache_tx_extra_bits(const struct ww_icache_tx_cfg *cfg);

const char *ww_icache_tx_design_name(enum ww_icache_tx_design design);
const char *ww_icache_tx_mismatch_name(enum ww_icache_tx_mismatch mismatch);

/* insert() is REFUSED for VM-IDs above 3 and addresses from 2^48 on, and PASSED if instructions hold the line
 * or it has another base. flush() and invalidate() keep instructions. claim() is NULL: instructions come by
 * ww_icache_tx_fill(). */
extern const struct ww_store_kind ww_icache_tx_store;

WW_END_DECLS

#endif

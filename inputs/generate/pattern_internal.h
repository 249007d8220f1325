/* SPDX-License-Identifier: MIT */
/* generate/pattern_internal.h - common parts of the patterns: the state derived from the parameters, a wave's
 * state, and random numbers. A pattern is one function that sets the offsets of an access's lanes in the
 * footprint. */
#ifndef WW_GENERATE_PATTERN_INTERNAL_H
#define WW_GENERATE_PATTERN_INTERNAL_H

#include "generate/generate.h"
#include "kernels/bits.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WW_GEN_PAGE_BYTES 4096u
#define WW_GEN_NBHD_BYTES (8u * WW_GEN_PAGE_BYTES)
#define WW_GEN_BASE_VA (UINT64_C(4) << 30) /* address of a capture's first buffer */

/* Rejection-inversion's constants, see zipf.c. */
struct ww_gen_zipf {
    double exponent, low, high, skip;
    uint64_t ranks;
};

struct ww_gen {
    struct ww_gen_cfg cfg;
    uint64_t footprint_bytes; /* whole pages */
    uint32_t bytes, lanes;    /* of an access */
    struct ww_gen_zipf zipf;
};

/* Accesses of a wave in a launch: storing ones, then the others. */
struct ww_gen_work {
    uint64_t warm, others;
    uint64_t beyond; /* distance in bytes from the first node to the begin of its chain */
};

struct ww_gen_wave {
    const struct ww_gen *gen;
    uint64_t number; /* in its kernel */
    struct ww_gen_work work;
    struct ww_rng rng;
};

static inline uint64_t ww_gen_value(const struct ww_gen *g, enum ww_gen_param_name p)
{
    return g->cfg.value[p];
}

/* Returns a number in [0, n); the bias is below n / 2^64. Required: n != 0. */
static inline uint64_t ww_gen_below(struct ww_rng *rng, uint64_t n)
{
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)(((wide)ww_rng_next(rng) * n) >> 64);
}

/* Return the footprint in whole pages, and the number of a chain's nodes in it. */
static inline uint64_t ww_gen_footprint(const struct ww_gen_cfg *cfg)
{
    const uint64_t page = WW_GEN_PAGE_BYTES;
    return (cfg->value[WW_GEN_P_footprint] + page - 1) / page * page;
}
static inline uint64_t ww_gen_nodes(const struct ww_gen_cfg *cfg)
{
    return ww_gen_footprint(cfg) / cfg->value[WW_GEN_P_node];
}

struct ww_gen_work ww_gen_work_of(const struct ww_gen *g, uint32_t launch, uint64_t number);

/* Returns the place of i among n, in a permutation of [0, n) chosen by the seed. Required: i < n, n <=
 * 2^40. */
uint64_t ww_gen_permuted(const struct ww_gen *g, uint64_t n, uint64_t i);

/* Draws any element of [start, start + bytes): one per lane, or one for adjacent lanes. Required: the range
 * is whole pages. */
void ww_gen_draw(struct ww_gen_wave *w, uint64_t start, uint64_t bytes, uint64_t *offset);

void ww_gen_zipf_init(struct ww_gen_zipf *z, uint64_t ranks, double exponent);
uint64_t ww_gen_zipf_rank(const struct ww_gen_zipf *z, struct ww_rng *rng); /* 1 ... ranks */

/* Set the offsets in the footprint of the lanes of access `i` of a wave. */
#define WW_GEN_DECLARE(name, text)                                                                           \
    void ww_gen_##name##_lanes(struct ww_gen_wave *w, uint32_t i, uint64_t *offset);
WW_GEN_PATTERN_LIST(WW_GEN_DECLARE)
#undef WW_GEN_DECLARE

#ifdef __cplusplus
}
#endif

#endif

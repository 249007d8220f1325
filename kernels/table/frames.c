/* SPDX-License-Identifier: MIT */
/* kernels/table/frames.c - the frame layouts. RANDOM and FRAGMENTED permute equal runs of frames; RANDOM has
 * runs of one unit. The permutation is a Feistel network on the next power of two with an even exponent,
 * applied again while its value is out of range (cycle walking), so it is a bijection for any count. Time:
 * none. Allocation: none. */
#include "kernels/table/frames.h"

#include "kernels/bits.h"

enum {
    FRAME_SHIFT = 12,
    UNIT_SHIFT_MAX = 30,
    FRAME_BITS_MAX = 40, /* a physical address has 52 bits */
    FEISTEL_ROUNDS = 4,
};

const char *ww_frame_policy_name(enum ww_frame_policy policy)
{
    switch (policy) {
#define WW_FRAME_POLICY_CASE(name)                                                                           \
    case WW_FRAMES_##name:                                                                                   \
        return #name;
        WW_FRAME_POLICY_LIST(WW_FRAME_POLICY_CASE)
#undef WW_FRAME_POLICY_CASE
    }
    return "?";
}

static uint64_t unit_frames(const struct ww_frames_cfg *cfg)
{
    return UINT64_C(1) << (cfg->unit_shift - FRAME_SHIFT);
}

const char *ww_frames_check(const struct ww_frames_cfg *cfg)
{
    const uint64_t end_max = UINT64_C(1) << FRAME_BITS_MAX;
    if (cfg->policy > WW_FRAMES_FRAGMENTED)
        return "the policy does not exist";
    if (cfg->unit_shift < FRAME_SHIFT || cfg->unit_shift > UNIT_SHIFT_MAX)
        return "the unit is not between 4 KiB and 1 GiB";
    const uint64_t in_unit = unit_frames(cfg) - 1;
    if (cfg->frames == 0 || (cfg->frames & in_unit) != 0)
        return "the number of frames is no multiple of the unit";
    if ((cfg->base_frame & in_unit) != 0)
        return "the first frame is no multiple of the unit";
    if (cfg->frames > end_max || cfg->base_frame > end_max - cfg->frames)
        return "the region ends above 52 bits of physical address";
    if (cfg->policy != WW_FRAMES_FRAGMENTED)
        return NULL;
    if (cfg->run_frames == 0 || (cfg->run_frames & in_unit) != 0)
        return "the run is no multiple of the unit";
    return NULL;
}

/* A seeded bijection of [0, n). Required: n is not 0. */
static uint64_t permute(uint64_t seed, uint64_t n, uint64_t x)
{
    const uint32_t bits = ww_log2_u64(2 * n - 1); /* ceil(log2(n)) */
    const uint32_t half_bits = (bits + 1) / 2;
    const uint64_t half_mask = (UINT64_C(1) << half_bits) - 1;
    do {
        uint64_t left = x >> half_bits;
        uint64_t right = x & half_mask;
        for (uint64_t round = 0; round < FEISTEL_ROUNDS; round++) {
            const uint64_t mixed = left ^ (ww_mix64(right ^ ww_mix64(seed + round)) & half_mask);
            left = right;
            right = mixed;
        }
        x = left << half_bits | right;
    } while (x >= n);
    return x;
}

uint64_t ww_frame_of(const struct ww_frames_cfg *cfg, uint64_t i)
{
    WW_ASSERT(i < cfg->frames);
    if (cfg->policy == WW_FRAMES_CONTIGUOUS)
        return cfg->base_frame + i;
    const uint64_t run_frames = cfg->policy == WW_FRAMES_RANDOM ? unit_frames(cfg) : cfg->run_frames;
    const uint64_t runs = cfg->frames / run_frames;
    const uint64_t run = i / run_frames;
    if (run >= runs)
        return cfg->base_frame + i;
    return cfg->base_frame + permute(cfg->seed, runs, run) * run_frames + i % run_frames;
}

uint64_t ww_frame_pa(const struct ww_frames_cfg *cfg, uint64_t i)
{
    return ww_frame_of(cfg, i) << FRAME_SHIFT;
}

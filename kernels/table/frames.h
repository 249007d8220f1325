/* SPDX-License-Identifier: MIT */
/* kernels/table/frames.h - where physical frames lie: a seeded bijection, known before time zero and without
 * state. Allocation i (in 4 KiB frames, in the order in which the program's buffers are laid out) gets frame
 * ww_frame_of(cfg, i). A unit of 2^unit_shift bytes always stays together and aligned, so a unit at least as
 * large as the largest page in use keeps every page mappable. MODEL: layout never depends on the order of
 * accesses. Not modelled: free lists, reclaim, NUMA. Time: none. Allocation: none. */
#ifndef WW_KERNELS_FRAMES_H
#define WW_KERNELS_FRAMES_H

#include "kernels/base.h"

WW_BEGIN_DECLS

/* CONTIGUOUS: frame i; RANDOM: every unit somewhere; FRAGMENTED: runs of run_frames, the runs in random
 * order. */
#define WW_FRAME_POLICY_LIST(X) X(CONTIGUOUS) X(RANDOM) X(FRAGMENTED)

enum ww_frame_policy {
#define WW_FRAME_POLICY_ENUM(name) WW_FRAMES_##name,
    WW_FRAME_POLICY_LIST(WW_FRAME_POLICY_ENUM)
#undef WW_FRAME_POLICY_ENUM
};

/* Returns the name in WW_FRAME_POLICY_LIST. */
const char *ww_frame_policy_name(enum ww_frame_policy policy);

struct ww_frames_cfg {
    uint8_t policy;      /* enum ww_frame_policy */
    uint8_t unit_shift;  /* log2 of the bytes that stay together: 12 .. 30 */
    uint32_t run_frames; /* FRAGMENTED: 4 KiB frames of a run, a multiple of the unit; otherwise ignored */
    uint64_t frames;     /* 4 KiB frames in all, a multiple of the unit, not 0 */
    uint64_t base_frame; /* first 4 KiB frame of the region, a multiple of the unit; the end <= 2^40 */
    uint64_t seed;
};

/* Returns NULL, or a text that names the illegal field of `cfg`. */
const char *ww_frames_check(const struct ww_frames_cfg *cfg);

/* Returns the frame number (physical address >> 12) of allocation i: injective onto [base_frame, base_frame +
 * frames). A last run that is not whole keeps its place. Required: i < cfg->frames; cfg is legal. */
uint64_t ww_frame_of(const struct ww_frames_cfg *cfg, uint64_t i);

/* Returns the physical address of that frame. */
uint64_t ww_frame_pa(const struct ww_frames_cfg *cfg, uint64_t i);

WW_END_DECLS

#endif

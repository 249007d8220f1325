/* SPDX-License-Identifier: MIT */
/* kernels/cam_energy.h - energy of the IOMMU's neighbourhood CAM, and the power that coalesced walks save.
 * PAPER[M18 section VI, Table III]: 0.041 nJ a read, 0.196 nJ a write, 0.048 mm2 for the 1.5 KB CAM
 * (FabScalar). Integers only: picojoules, picoseconds, microwatts. docs/model/energy.md. Not modelled:
 * leakage, dependence on the CAM's size or on how many bits toggle. Time: none. Allocation: none. */
#ifndef WW_KERNELS_CAM_ENERGY_H
#define WW_KERNELS_CAM_ENERGY_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_CAM_READ_PJ 41u
#define WW_CAM_WRITE_PJ 196u
#define WW_CAM_AREA_UM2 48000u

struct ww_cam_counts {
    uint64_t reads;  /* searches: one per completed PTE read, admission and change of a walk's level */
    uint64_t writes; /* writes of entries whose PL, PA or CL changed */
};

/* Returns the energy of the CAM's accesses in pJ. Asserts that it fits 64 bits. */
uint64_t ww_cam_energy_pj(const struct ww_cam_counts *counts);
/* Returns the power saved in microwatts, rounded towards zero; negative if the design costs more: (base_pj -
 * design_pj - cam_pj) / time_ps. base_pj and design_pj are the DRAM energy of page walks without and with
 * coalescing. Required: both are below 2^62, and time_ps is 1 ps to 18 s. */
int64_t ww_cam_saved_uw(uint64_t base_pj, uint64_t design_pj, uint64_t cam_pj, uint64_t time_ps);

WW_END_DECLS

#endif

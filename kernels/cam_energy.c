/* SPDX-License-Identifier: MIT */
/* kernels/cam_energy.c - see cam_energy.h. 1 pJ/ps = 1 W = 10^6 uW. */
#include "kernels/cam_energy.h"

#define UW_PER_W UINT64_C(1000000)

uint64_t ww_cam_energy_pj(const struct ww_cam_counts *counts)
{
    /* Each is at most half the range, so that the sum cannot wrap. */
    WW_ASSERT(counts->reads <= (UINT64_MAX / 2) / WW_CAM_READ_PJ);
    WW_ASSERT(counts->writes <= (UINT64_MAX / 2) / WW_CAM_WRITE_PJ);
    return counts->reads * WW_CAM_READ_PJ + counts->writes * WW_CAM_WRITE_PJ;
}

int64_t ww_cam_saved_uw(uint64_t base_pj, uint64_t design_pj, uint64_t cam_pj, uint64_t time_ps)
{
    const uint64_t energy_limit_pj = UINT64_C(1) << 62;
    WW_ASSERT(base_pj < energy_limit_pj && design_pj < energy_limit_pj && cam_pj < energy_limit_pj);
    WW_ASSERT(time_ps != 0 && time_ps <= UINT64_MAX / UW_PER_W);
    const uint64_t spent_pj = design_pj + cam_pj;
    const uint64_t saved_pj = base_pj >= spent_pj ? base_pj - spent_pj : spent_pj - base_pj;
    /* Converts whole watts and the rest separately: saved_pj * 10^6 would not fit. */
    const uint64_t watts = saved_pj / time_ps;
    WW_ASSERT(watts < (uint64_t)INT64_MAX / UW_PER_W);
    const uint64_t saved_uw = watts * UW_PER_W + saved_pj % time_ps * UW_PER_W / time_ps;
    return base_pj >= spent_pj ? (int64_t)saved_uw : -(int64_t)saved_uw;
}

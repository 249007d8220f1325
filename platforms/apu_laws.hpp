/* SPDX-License-Identifier: MIT */
/* platforms/apu_laws.hpp - laws of the apu that see time, and those that follow a read from level to level.
 * Functions of the statistics, so that a test can give them wrong ones. */
#ifndef WALKWAY_PLATFORMS_APU_LAWS_HPP
#define WALKWAY_PLATFORMS_APU_LAWS_HPP

#include "model/coalescer.hpp"
#include "model/data_cache.hpp"
#include "model/dram.hpp"
#include "model/iommu.hpp"

#include <vector>

namespace walkway
{

/* What the translations were charged is what the IOMMU measured by itself: walkers at work, requests in the
 * buffer, requests outside it. */
std::vector<law> time_laws(const coalescer_stats &coalescers, const iommu_stats &iommu, tick period);

/* What a level reads from below is what the level below was asked for; walkers read memory at once or
 * through the shared cache, as iommu.walk_path says, or not at all (zero_walk). */
std::vector<law> read_laws(const data_cache_stats &l1d, const data_cache_stats &l2d, const dram_stats &dram,
                           const iommu_stats &iommu, const iommu_params &p);

} // namespace walkway

#endif

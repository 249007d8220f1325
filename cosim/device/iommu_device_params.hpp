/* SPDX-License-Identifier: MIT */
/* device/iommu_device_params.hpp - the parameters of an IOMMU in a foreign platform. */
#ifndef WALKWAY_DEVICE_IOMMU_DEVICE_PARAMS_HPP
#define WALKWAY_DEVICE_IOMMU_DEVICE_PARAMS_HPP

#include "model/common/params.hpp"

namespace walkway
{

enum class dmi_policy : uint8_t { off, functional, always };

enum class transport_mode : uint8_t { lt, at };

struct iommu_device_params {
    uint8_t mode = 0; /* transport_mode */
    uint64_t clock_ps = 1000;
    uint32_t tlb_entries = 512, tlb_ways = 8, tlb_cycles = 4;
    uint32_t walk_cache_entries = 32, walk_cache_cycles = 2;
    uint32_t line_cache_bytes = 0, line_cache_cycles = 1;
    uint32_t contexts = 64, irte_entries = 64;
    uint32_t response_cycles = 1;
    uint32_t accesses_per_port = 64, request_cycles = 1;
    uint64_t invalidate_timeout_ns = 1000000;
    uint32_t walker_bytes = 64;
    uint8_t dmi = 0; /* dmi_policy */

    void visit(param_visitor &v);
    /* Returns "", or what is wrong with them: a value out of range, or values that do not go together. */
    std::string validate() const;
};

} // namespace walkway

#endif

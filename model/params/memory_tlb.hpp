/* SPDX-License-Identifier: MIT */
/* model/params/memory_tlb.hpp - the parameters of the table of translations in memory. */
#ifndef WALKWAY_MODEL_PARAMS_MEMORY_TLB_HPP
#define WALKWAY_MODEL_PARAMS_MEMORY_TLB_HPP

#include "kernels/table/slot_table.h"
#include "model/common/params.hpp"
#include "model/common/structure.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

struct memory_tlb_params {
    uint32_t entries = 0; /* 0: none */
    uint8_t index = WW_INDEX_MODULO;
    uint32_t ports = 0;
    uint32_t mshrs = 0;
    uint32_t merges = 0;
    uint32_t queue_entries = 0;
    uint32_t fills = 0;
    uint32_t read_cycles = 0;
    uint32_t compare_cycles = 0;
    uint32_t response_cycles = 1;
    uint32_t above_cycles = 0;
    /* Set by the platform, not parameters: the wire to the IOMMU, and the place of the table. */
    uint32_t down_cycles = 0;
    uint64_t table_pa = 0;
    uint32_t page_sizes = 1u << 12;
    uint8_t epoch_bits = WW_SLOT_EPOCH_BITS_MAX;

    bool present() const { return entries != 0; }
    ww_slot_cfg table() const;
    uint64_t table_bytes() const { return uint64_t{entries} * WW_SLOT_BYTES; }
    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
    uint64_t state_bytes() const; /* bytes of the host, without queues; the table is memory */
};

} // namespace walkway

#endif

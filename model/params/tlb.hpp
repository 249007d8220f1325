/* SPDX-License-Identifier: MIT */
/* model/params/tlb.hpp - the parameters of a TLB level. */
#ifndef WALKWAY_MODEL_PARAMS_TLB_HPP
#define WALKWAY_MODEL_PARAMS_TLB_HPP

#include "kernels/store/mshr.h"
#include "model/common/params.hpp"
#include "model/common/structure.hpp"
#include "translate/tlb_store_kind.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

struct tlb_params {
    uint32_t entries = 0;
    uint32_t ways = 0;
    uint8_t index = 0;   /* enum ww_index_kind */
    uint8_t replace = 0; /* enum ww_replace */
    uint32_t hit_cycles = 0;
    uint32_t ports = 0;
    uint32_t mshrs = 0;
    uint32_t merges = 0;
    uint32_t queue_entries = 0;
    uint32_t response_cycles = 1;
    uint32_t link_cycles = 0;
    uint32_t size_probe_cycles = 0;
    uint32_t page_sizes = 1u << 12; /* set by the platform from the address space, not a parameter */
    uint64_t seed = 1;
    uint8_t victims = 0; /* 0 drop, 1 pass */
    uint32_t fills = 0;  /* 0: takes no fills */
    store_choice store;
    /* Widths of addresses, on which a store may depend; set by the platform. */
    uint32_t va_bits = 48, pa_bits = 40;
    /* Set by the path: a level above may pass victims; a level below may take them. */
    bool may_take = true, may_pass = true;

    bool present() const { return entries != 0; }
    tlb_section section() const;
    ww_mshr_cfg pending() const;
    stage_policy policy() const { return {fills, victims != 0}; }
    stage_times times(const clock_domain &clock) const; /* of a lookup that probes each page size */
    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
    uint64_t state_bytes() const; /* bytes of the host, without queues */
};

} // namespace walkway

#endif

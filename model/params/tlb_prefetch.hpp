/* SPDX-License-Identifier: MIT */
/* model/params/tlb_prefetch.hpp - the parameters of a prefetcher below an L1 TLB. */
#ifndef WALKWAY_MODEL_PARAMS_TLB_PREFETCH_HPP
#define WALKWAY_MODEL_PARAMS_TLB_PREFETCH_HPP

#include "kernels/store/mshr.h"
#include "model/common/params.hpp"
#include "model/common/structure.hpp"
#include "translate/tlb_store_kind.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

struct tlb_prefetch_params {
    uint32_t entries = 0;   /* 0: no prefetcher */
    uint32_t in_flight = 0; /* most prefetches in flight */
    uint32_t hit_cycles = 0;
    uint32_t response_cycles = 1;
    /* Of the L1 TLB above; set by the platform, not parameters. */
    uint32_t ports = 1, queue_entries = 64, mshrs = 1;
    uint32_t page_sizes = 1u << 12, va_bits = 48;

    bool present() const { return entries != 0; }
    tlb_section store() const;
    ww_mshr_cfg pending() const;
    std::string validate() const { return ""; } /* its ranges suffice */
    void visit(param_visitor &v);
    void structures(structure_list &list) const;
    uint64_t state_bytes() const; /* bytes of the host, without queues */
};

} // namespace walkway

#endif

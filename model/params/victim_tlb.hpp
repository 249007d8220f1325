/* SPDX-License-Identifier: MIT */
/* model/params/victim_tlb.hpp - the parameters of victim TLBs. */
#ifndef WALKWAY_MODEL_PARAMS_VICTIM_TLB_HPP
#define WALKWAY_MODEL_PARAMS_VICTIM_TLB_HPP

#include "model/common/params.hpp"
#include "model/common/structure.hpp"
#include "translate/tlb_store_kind.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

/* Units, ranges and meanings: visit() in victim_tlb.cpp. hit_cycles, ports, queue_entries and fills have no
 * legal default: 0 is out of their range. ports: lookups that may start in a cycle; queue_entries: requests
 * that wait, of each requester; fills: victims of each requester that may be in flight to this TLB. */
struct victim_params {
    uint32_t entries = 0; /* 0: no victim TLB */
    uint32_t ways = 0;    /* 0: equal to entries */
    uint32_t hit_cycles = 0;
    uint32_t ports = 0;
    uint32_t queue_entries = 0;
    uint32_t fills = 0;
    uint32_t response_cycles = 1;
    uint32_t link_cycles = 0;
    uint8_t victims = 0;            /* victims of this TLB: 0 drop, 1 pass to the level below */
    uint32_t page_sizes = 1u << 12; /* set by the platform, no parameter */

    bool present() const { return entries != 0; }
    tlb_section store() const;
    /* Holds only victims from above, and only until a hit moves them up. */
    stage_policy policy() const;
    stage_times times(const clock_domain &clock) const;
    void visit(param_visitor &v);
    /* Returns what is wrong with entries and ways, by the names of keys, or an empty string. Does not check
     * ranges. */
    std::string validate() const;
    void structures(structure_list &list) const;
    uint64_t state_bytes() const; /* bytes of the host, without queues */
};

} // namespace walkway

#endif

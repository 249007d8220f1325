/* SPDX-License-Identifier: MIT */
/* model/params/walk_unit.hpp - the parameters of a walk unit. */
#ifndef WALKWAY_MODEL_PARAMS_WALK_UNIT_HPP
#define WALKWAY_MODEL_PARAMS_WALK_UNIT_HPP

#include "kernels/walk/march.h"
#include "kernels/walk/pwc.h"
#include "kernels/walk/pwst.h"
#include "model/common/params.hpp"
#include "model/common/structure.hpp"
#include "model/params/walk_scheduler.hpp"
#include "translate/walk_translator.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace walkway
{

struct walk_unit_params {
    uint32_t queue_entries = 0;
    uint32_t backlog_entries = 0;
    uint32_t buffer_entries = 0;
    uint32_t walkers = 0;
    uint32_t fault_entries = 0; /* 0, set by a platform without a pager: a fault is an answer */
    uint8_t coalesce = WW_COALESCE_OFF;
    scheduler_choice schedule;
    uint32_t march_walks = 0, march_reads = 0, march_issue_cycles = 0, march_group_bits = 0;
    uint8_t march_refill = 0; /* 0 batch, 1 walk */
    uint32_t pwc_l5 = 0, pwc_l4 = 0, pwc_l3 = 0, pwc_l2 = 0;
    uint32_t step_cache = 0;
    uint32_t pwc_ways = 0; /* of each walk cache; 0: fully associative */
    uint8_t pwc_index = 0; /* enum ww_index_kind */
    bool pwc_merge = false, pwc_ideal = false;
    uint32_t pwc_cycles = 0;
    uint32_t pte_cache_bytes = 0, pte_cache_ways = 0, pte_cache_cycles = 0;
    bool pte_cache_merge = false;
    uint8_t pte_cache_holds = 0; /* 0 all, 1 inner */
    uint32_t read_cycles = 0, reply_cycles = 0, ideal_read_cycles = 0;
    uint8_t line_reads = 0; /* 0 together, 1 in_turn */
    bool read_ahead = false;
    uint32_t match_cycles = 0;
    uint32_t response_cycles = 0;
    uint8_t walk_path = 0;  /* 0 dram, 1 l2d */
    bool zero_walk = false; /* ideal ladder; set by the platform, not a parameter */

    /* Returns the most walks in progress: a walker has one, or a batch. */
    uint32_t places() const { return walkers * std::max(march_walks, 1u); }
    ww_march_cfg march() const;
    ww_pwc_cfg walk_caches(const ww_table_kind *kind) const;
    struct walk_caches caches(const ww_table_kind *kind) const;
    walk_times times(const clock_domain &clock) const;
    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
    uint64_t state_bytes() const; /* bytes of the host, without queues */
    /* Returns the entries of a step's page-walk cache; null: the kind has none there. */
    const uint32_t *walk_cache(const ww_table_kind &kind, uint32_t step) const;
    /* True if a read may join another read of its line. cached: the cache of lines may hold it. */
    bool joins(bool last_step, bool cached) const
    {
        return (pte_cache_merge && cached) || (pwc_merge && !last_step);
    }

private:
    void add_coalescing(structure_list &list) const;
    void add_caches(structure_list &list) const;
};

} // namespace walkway

#endif

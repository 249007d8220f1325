/* SPDX-License-Identifier: MIT */
/* model/params/data_cache.hpp - the parameters of a data cache. */
#ifndef WALKWAY_MODEL_PARAMS_DATA_CACHE_HPP
#define WALKWAY_MODEL_PARAMS_DATA_CACHE_HPP

#include "kernels/dcache.h"
#include "kernels/store/mshr.h"
#include "model/common/params.hpp"
#include "model/common/structure.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

/* Statistics that count a data cache's accesses: lookups of the tags, reads and writes of the data, and
 * requests that took or joined an MSHR. */
struct cache_accesses {
    std::vector<std::string> looked_up, hits, entered, missed, joined;
};

struct data_cache_params {
    uint64_t bytes = 0;
    uint32_t ways = 0;
    uint8_t index = 0;      /* enum ww_index_kind */
    uint8_t write = 0;      /* enum ww_write_policy */
    uint8_t write_miss = 0; /* write-back: 0 validate, 1 fetch */
    uint32_t hit_cycles = 0;
    uint32_t ports = 0;
    uint32_t mshrs = 0;
    uint32_t merges = 0;
    uint32_t write_entries = 0;
    uint32_t queue_entries = 0;
    uint32_t response_cycles = 1;
    uint32_t link_cycles = 0;

    ww_dcache_cfg tags() const;
    ww_mshr_cfg pending() const;
    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
    /* The same with statistics of other names. */
    void structures(structure_list &list, const cache_accesses &of) const;
};

} // namespace walkway

#endif

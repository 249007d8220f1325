/* SPDX-License-Identifier: MIT */
/* model/params/icache.hpp - the parameters of an instruction cache, and of translations in it. */
#ifndef WALKWAY_MODEL_PARAMS_ICACHE_HPP
#define WALKWAY_MODEL_PARAMS_ICACHE_HPP

#include "kernels/store/icache_tx.h"
#include "model/params/data_cache.hpp"
#include "model/params/lent_stage.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

struct icache_params {
    uint32_t entries = 0; /* lines; 0: no instruction cache */
    uint32_t ways = 0;
    uint8_t index = 0; /* enum ww_index_kind */
    uint32_t hit_cycles = 0;
    uint32_t ports = 0;
    uint32_t mshrs = 0;
    uint32_t merges = 0;
    uint32_t queue_entries = 0;
    uint32_t response_cycles = 1;
    uint32_t link_cycles = 0;
    uint32_t shared_by = 0;
    uint64_t code_pa = 0;

    bool present() const { return entries != 0; }
    /* Return the number of caches for `units` compute units, and the units that the nth cache serves. */
    uint32_t caches(uint32_t units) const { return present() ? (units + shared_by - 1) / shared_by : 0; }
    uint32_t requesters(uint32_t nth, uint32_t units) const
    {
        return units - nth * shared_by < shared_by ? units - nth * shared_by : shared_by;
    }
    data_cache_params as_cache() const;
    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
};

/* Translations in its idle lines: docs/model/icache-translations.md. */
struct icache_tx_params {
    lent_params lent;
    uint8_t design = 0;              /* enum ww_icache_tx_design */
    uint8_t mismatch = 0;            /* enum ww_icache_tx_mismatch */
    uint32_t mismatch_limit = 0;     /* of WW_ICACHE_TX_COUNT */
    uint8_t index = WW_INDEX_MODULO; /* of translations, enum ww_index_kind */
    /* Of the instruction cache; set by the platform, not parameters. */
    uint32_t entries = 0, ways = 8, ports = 1;

    bool present() const { return lent.present(); }
    ww_icache_tx_cfg store() const;
    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
    uint64_t state_bytes() const; /* bytes of the host, without queues */
};

} // namespace walkway

#endif

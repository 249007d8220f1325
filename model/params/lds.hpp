/* SPDX-License-Identifier: MIT */
/* model/params/lds.hpp - the parameters of the controller of local memory, and of translations in it. */
#ifndef WALKWAY_MODEL_PARAMS_LDS_HPP
#define WALKWAY_MODEL_PARAMS_LDS_HPP

#include "kernels/lds.h"
#include "kernels/store/lds_tx.h"
#include "model/common/structure.hpp"
#include "model/params/lent_stage.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

struct lds_params {
    uint32_t banks = 0; /* 0: no controller */
    uint32_t word_bytes = 0;
    uint32_t ports = 0;
    uint32_t hit_cycles = 0;
    uint32_t queue_entries = 0;
    uint64_t bytes = 65536; /* of local memory: not a parameter of its own, cu.lds_bytes */

    bool present() const { return banks != 0; }
    ww_lds_cfg controller() const;
    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
};

/* Translations in its idle segments: docs/model/lds-translations.md. */
struct lds_tx_params {
    lent_params lent;
    uint32_t segment_bytes = 0;
    uint8_t segment_index = 0; /* enum ww_index_kind */
    uint8_t mismatch = 0;      /* enum ww_lds_tx_mismatch */
    uint8_t layout = 0;        /* enum ww_lds_tx_layout */
    /* Of the local memory; set by the platform, not parameters. */
    uint64_t bytes = 65536;
    uint32_t word_bytes = 4, banks = 0;

    bool present() const { return lent.present(); }
    ww_lds_tx_cfg store() const;
    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
    uint64_t state_bytes() const; /* bytes of the host, without queues */
};

} // namespace walkway

#endif

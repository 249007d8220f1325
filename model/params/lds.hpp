/* SPDX-License-Identifier: MIT */
/* model/params/lds.hpp - the parameters of the controller of local memory, and translations in it. */
#ifndef WALKWAY_MODEL_PARAMS_LDS_HPP
#define WALKWAY_MODEL_PARAMS_LDS_HPP

#include "kernels/lds.h"
#include "kernels/lds_tx.h"
#include "model/common/structure.hpp"
#include "model/params/lent_stage.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

struct lds_params {
    uint32_t banks = 0; /* 0: no controller */
    uint32_t word_bytes = 4;
    uint32_t ports = 1;
    uint32_t hit_cycles = 31;
    uint32_t queue_entries = 4;
    uint64_t bytes = 65536; /* of local memory: not a parameter of its own, cu.lds_bytes */

    bool may_lend = false; /* set by a platform that has a place for translations in it */
    /* Translations in what is idle of it: docs/lds-translations.md. */
    lent_params tx;
    uint32_t segment_bytes = 32;
    uint8_t segment_index = 0; /* enum ww_index_kind */
    uint8_t mismatch = 0;      /* enum ww_lds_tx_mismatch */
    uint8_t layout = 0;        /* enum ww_lds_tx_layout */

    bool present() const { return banks != 0; }
    bool lends() const { return may_lend && tx.present(); }
    ww_lds_tx_cfg tx_store() const;
    static bool of_translations(const std::string &parameter);
    uint64_t tx_state_bytes() const; /* of the host, without queues */
    ww_lds_cfg controller() const;
    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
};

} // namespace walkway

#endif

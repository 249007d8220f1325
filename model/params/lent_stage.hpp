/* SPDX-License-Identifier: MIT */
/* model/params/lent_stage.hpp - the parameters of translations in lent memory. */
#ifndef WALKWAY_MODEL_PARAMS_LENT_STAGE_HPP
#define WALKWAY_MODEL_PARAMS_LENT_STAGE_HPP

#include "model/common/params.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

/* Parameters of every kind of lent memory. */
struct lent_params {
    uint8_t translations = 0; /* 0 off, 1 on */
    uint32_t cycles = 0;
    uint32_t skip_cycles = 0;
    uint32_t wire_cycles = 0;
    uint32_t queue_entries = 0;
    uint32_t fills = 0;
    uint32_t hit_uses = 0;
    uint32_t fill_uses = 0;
    uint8_t promotion = 0;          /* 0 copy, 1 move */
    uint32_t page_sizes = 1u << 12; /* set by the platform, no parameter */

    bool present() const { return translations != 0; }
    void visit(param_visitor &v);
    /* Returns the requests that the wire and the pipeline before the level below hold; for the platform. */
    uint64_t holds() const { return uint64_t{cycles} + wire_cycles; }
};

} // namespace walkway

#endif

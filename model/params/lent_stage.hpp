/* SPDX-License-Identifier: MIT */
/* model/params/lent_stage.hpp - the parameters of translations in a memory that is lent. */
#ifndef WALKWAY_MODEL_PARAMS_LENT_STAGE_HPP
#define WALKWAY_MODEL_PARAMS_LENT_STAGE_HPP

#include "model/common/params.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

/* What every kind of lent memory has. */
struct lent_params {
    uint8_t translations = 0; /* off, on */
    uint32_t cycles = 0;
    uint32_t skip_cycles = 0;
    uint32_t wire_cycles = 0;
    uint32_t queue_entries = 0;
    uint32_t fills = 0;
    uint32_t hit_uses = 0;
    uint32_t fill_uses = 0;
    uint8_t promotion = 0;          /* copy, move */
    uint32_t page_sizes = 1u << 12; /* set by the platform, no parameter */

    bool present() const { return translations != 0; }
    void visit(param_visitor &v);
    /* Of the platform's: what the wire and the pipeline in front of the level below hold. */
    uint64_t holds() const { return uint64_t{cycles} + wire_cycles; }
};

} // namespace walkway

#endif

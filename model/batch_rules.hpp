/* SPDX-License-Identifier: MIT */
/* model/batch_rules.hpp - how many faults a pager handles together. No SystemC: policies of the driver set it
 * (model/driver_policy.hpp), and page plans pass it on (model/page_plan.hpp). */
#ifndef WALKWAY_MODEL_BATCH_RULES_HPP
#define WALKWAY_MODEL_BATCH_RULES_HPP

#include <cstdint>

namespace walkway
{

/* How faults are handled in batches. The defaults handle them one by one. */
struct batch_rules {
    /* Most faults in a batch, each fault of a page counted; all are answered when the last part is over. */
    uint32_t faults = 1;
    uint32_t part_cycles = 0;  /* wait before the pages of each part */
    uint32_t pause_cycles = 0; /* wait after the answers, before the next batch */
};

} // namespace walkway

#endif

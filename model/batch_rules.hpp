/* SPDX-License-Identifier: MIT */
/* model/batch_rules.hpp - how many faults a pager handles together. No SystemC: policies of the driver say it
 * (model/driver_policy.hpp), and page plans pass it on (model/page_plan.hpp). */
#ifndef WALKWAY_MODEL_BATCH_RULES_HPP
#define WALKWAY_MODEL_BATCH_RULES_HPP

#include <cstdint>

namespace walkway
{

/* How faults are handled, if not one by one. */
struct batch_rules {
    uint32_t faults = 1;       /* taken at a time, each of a page's faults counted; all are answered when the
                                  last part is over */
    uint32_t part_cycles = 0;  /* before the pages of each part */
    uint32_t pause_cycles = 0; /* after the answers, before the next batch */
};

} // namespace walkway

#endif

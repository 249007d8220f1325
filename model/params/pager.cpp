/* SPDX-License-Identifier: MIT */
/* model/params/pager.cpp - the parameters of the pager. */
#include "model/params/pager.hpp"

#include "kernels/walk/fault_table.h"

namespace walkway
{

void pager_params::visit(param_visitor &v)
{
    v.needs("address_space.map");
    v.number("entries", entries,
             {"faults", 1, WW_FAULTS_MAX_ENTRIES, "faults that wait in the pager, behind their queues"});
    v.number("queue_entries", queue_entries, {"faults", 1, 4096, "queue of the faults of each walk unit"});
    v.choice("latency", latency,
             {
#define X(name, text) text,
                 WW_LATENCY_LIST(X)
#undef X
             },
             {"", 0, 0, "how the time is distributed that the handling of a fault takes"});
    v.number("mean_cycles", mean_cycles,
             {"cycles", 0, WW_LATENCY_MEAN_MAX, "its mean, before the page's entries are written"});
    v.number("seed", seed, {"1", 0, UINT64_MAX, "seed of the distribution", neutral});
}

} // namespace walkway

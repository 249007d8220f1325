/* SPDX-License-Identifier: MIT */
/* model/params/host_link.cpp - the parameters of the link to host memory. */
#include "model/params/host_link.hpp"

namespace walkway
{

void host_link_params::visit(param_visitor &v)
{
    v.needs("driver.oversubscription");
    v.number("mbytes_per_s", mbytes_per_s, {"MB/s", 1, 1000000, "each direction of the link to host memory"});
    v.number("latency_ns", latency_ns,
             {"ns", 0, 1000000, "of a read over the idle link, until its line begins to arrive"});
    v.number("reads", reads, {"lines", 1, 65536, "reads of host memory that may be on their way"});
    v.number("queue_entries", queue_entries, {"lines", 1, 65536, "input queue of each requester"});
}

} // namespace walkway

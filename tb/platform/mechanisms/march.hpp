/* SPDX-License-Identifier: MIT */
/* Marching page walks, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_march()
{
    using s = stimulus;
    const std::string on = "walk_unit.march_walks=4", few = "walk_unit.walkers=2 " + on + " ";
    mechanism m;
    m.on = on;
    m.rows = {
        {"walk_unit.march_walks", "4", s::rows, ""},
        {"walk_unit.march_reads", "1", s::rows, few},
        {"walk_unit.march_issue_cycles", "30", s::rows, few},
        {"walk_unit.march_group_bits", "13", s::rows, few},
        {"walk_unit.march_refill", "walk", s::rows, few},
    };
    m.bounds = {
        {"walk_unit.march_walks", "1", "", "walk_unit.walkers=1 walk_unit.march_walks=64 ", "account.buffer"},
        {"walk_unit.march_reads", "", on,
         "walk_unit.walkers=1 walk_unit.march_walks=64 walk_unit.march_reads=64 ", "account.walk_issue"},
    };
    m.corners = {
        few + "walk_unit.march_reads=1 walk_unit.march_issue_cycles=9 walk_unit.buffer_entries=2 "
              "walk_unit.backlog_entries=1 walk_unit.coalesce=full",
        "walk_unit.walkers=1 walk_unit.march_walks=64 walk_unit.march_reads=2 walk_unit.march_refill=walk "
        "walk_unit.march_group_bits=21 walk_unit.coalesce=leaf walk_unit.schedule=sjf "
        "address_space.page=mixed address_space.spaces=2 dispatcher.space=group",
        few + "walk_unit.march_refill=walk walk_unit.march_group_bits=30 address_space.map=first_touch "
              "walk_unit.fault_entries=1 walk_unit.pte_cache_bytes=1024 walk_unit.pte_cache_merge=true",
        few + "address_space.table=hashed walk_unit.coalesce=full walk_unit.match_cycles=20 "
              "walk_unit.line_reads=in_turn walk_unit.walk_path=l2d",
    };
    return m;
}

} // namespace walkway::test

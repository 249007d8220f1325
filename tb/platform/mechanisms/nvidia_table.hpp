/* SPDX-License-Identifier: MIT */
/* NVIDIA's page tables, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_nvidia_table()
{
    using s = stimulus;
    const std::string v2 = "address_space.table=nvidia_v2 ", v3 = "address_space.table=nvidia_v3 ";
    mechanism m;
    m.on = "address_space.table=nvidia_v3";
    m.rows = {
        {"address_space.page_tables", "both", s::rows, v2},
        {"walk_unit.read_ahead", "true", s::rows, v2 + "address_space.page_tables=both "},
    };
    m.corners = {
        v2 + "walk_unit.coalesce=full walk_unit.buffer_entries=4 walk_unit.walkers=1 walk_unit.pwc_l2=1",
        v3 + "address_space.page=mixed walk_unit.coalesce=leaf walk_unit.schedule=sjf walk_unit.walkers=2",
        v3 + "address_space.page_tables=both walk_unit.read_ahead=true walk_unit.coalesce=full "
             "walk_unit.pte_cache_bytes=1024 walk_unit.pte_cache_merge=true walk_unit.walkers=2",
        v2 + "address_space.page_tables=both address_space.page=64k address_space.map=first_touch "
             "walk_unit.fault_entries=1 pager.entries=1 walk_unit.read_ahead=true walk_unit.match_cycles=3",
        v2 + "address_space.buffer_pages=0:64k address_space.page_tables=both walk_unit.line_reads=in_turn "
             "walk_unit.read_ahead=true walk_unit.pwc_merge=true walk_unit.coalesce=leaf",
    };
    return m;
}

} // namespace walkway::test

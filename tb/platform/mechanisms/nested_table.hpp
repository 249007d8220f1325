/* SPDX-License-Identifier: MIT */
/* Nested page tables, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_nested_table()
{
    using s = stimulus;
    const std::string nested = "address_space.table=nested ";
    mechanism m;
    m.on = "address_space.table=nested";
    m.rows = {
        {"address_space.paging", "host", s::rows, nested + "address_space.map=first_touch "},
    };
    m.corners = {
        nested + "walk_unit.coalesce=full walk_unit.buffer_entries=4 walk_unit.walkers=1 walk_unit.pwc_l2=1",
        nested +
            "address_space.page=mixed walk_unit.coalesce=leaf walk_unit.schedule=sjf walk_unit.walkers=2",
        nested + "address_space.paging=host address_space.map=first_touch walk_unit.fault_entries=1 "
                 "pager.entries=1 walk_unit.coalesce=full",
    };
    return m;
}

} // namespace walkway::test

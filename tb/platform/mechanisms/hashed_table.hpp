/* SPDX-License-Identifier: MIT */
/* Hashed page tables, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_hashed_table()
{
    using s = stimulus;
    const std::string hashed = "address_space.table=hashed ";
    mechanism m;
    m.on = "address_space.table=hashed";
    m.rows = {
        {"address_space.slots_percent", "1000", s::rows, hashed},
        {"address_space.slot_stride", "5", s::wide, hashed + "address_space.slots_percent=100 "},
        {"address_space.slot_moves", "false", s::wide, hashed + "address_space.slots_percent=100 "},
        {"address_space.step_entries", "1000", s::wide, hashed},
        {"walk_unit.step_cache", "0", s::wide, hashed},
    };
    m.capacities = {
        {"address_space.slots_percent", "", hashed, "", ""},
        {"address_space.step_entries", "", hashed, "", ""},
        {"walk_unit.step_cache", "", hashed, "", ""},
    };
    m.no_bounds = {{"address_space.slot_stride", "where an address lies"}};
    m.corners = {
        hashed + "address_space.slots_percent=100 address_space.step_entries=1 walk_unit.step_cache=1 "
                 "walk_unit.coalesce=full walk_unit.buffer_entries=4 walk_unit.walkers=1",
        "address_space.table=hashed_stepless address_space.slots_percent=100 address_space.page=mixed "
        "walk_unit.coalesce=leaf walk_unit.schedule=sjf walk_unit.walkers=2",
        hashed +
            "address_space.map=first_touch walk_unit.fault_entries=1 pager.entries=1 walk_unit.coalesce=full",
    };
    return m;
}

} // namespace walkway::test

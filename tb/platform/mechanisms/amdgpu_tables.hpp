/* SPDX-License-Identifier: MIT */
/* The page tables of AMD's GPUs, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_amdgpu_tables()
{
    using s = stimulus;
    const std::string amdgpu = "address_space.table=amdgpu ";
    mechanism m;
    m.on = "address_space.table=amdgpu";
    m.rows = {{"address_space.huge_pages", "block", s::wide, amdgpu + "address_space.page=2m"}};
    m.corners = {
        amdgpu + "address_space.levels=3 address_space.huge_pages=block address_space.page=mixed "
                 "walk_unit.coalesce=full walk_unit.buffer_entries=4 walk_unit.walkers=1 walk_unit.pwc_l2=1",
        "address_space.table=amdgpu_further address_space.page=mixed walk_unit.coalesce=leaf "
        "walk_unit.schedule=sjf walk_unit.walkers=2 address_space.frames=random walk_unit.pwc_l2=2 "
        "walk_unit.pwc_l3=1",
        "address_space.table=amdgpu_gfx12 address_space.page=64k address_space.map=first_touch "
        "walk_unit.fault_entries=1 pager.entries=1 walk_unit.coalesce=full",
        "address_space.table=amdgpu_gfx12 address_space.huge_pages=block address_space.page=2m "
        "address_space.map=first_touch pager.mean_cycles=50 walk_unit.fault_entries=2 "
        "walk_unit.coalesce=leaf",
    };
    return m;
}

} // namespace walkway::test

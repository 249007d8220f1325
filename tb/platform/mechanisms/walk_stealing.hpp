/* SPDX-License-Identifier: MIT */
/* Page-walk stealing, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_walk_stealing()
{
    using s = stimulus;
    const std::string on = "walk_unit.schedule=dws dispatcher.shares=2 ";
    const std::string thresholds = on + "walk_unit.dws_steal=thresholds walk_unit.dws_epoch=20 ";
    mechanism m;
    m.on = "walk_unit.schedule=dws walk_unit.dws_steal=thresholds walk_unit.dws_epoch=5 "
           "walk_unit.dws_even=1 walk_unit.dws_uneven=1";
    m.rows = {
        {"walk_unit.dws_owners", "1", s::together, on},
        {"walk_unit.dws_steal", "never", s::together, on},
        {"walk_unit.dws_epoch", "1", s::together,
         thresholds + "walk_unit.dws_even=1 walk_unit.dws_uneven=100"},
        {"walk_unit.dws_even", "1", s::together,
         on + "walk_unit.dws_steal=thresholds walk_unit.dws_epoch=65536"},
        {"walk_unit.dws_uneven", "1", s::together, thresholds},
        {"walk_unit.dws_own_most", "1", s::together,
         thresholds + "walk_unit.dws_even=1 walk_unit.dws_uneven=1"},
    };
    m.no_bounds = {
        {"walk_unit.dws_owners", "who shares what there is"},
        {"walk_unit.dws_epoch", "when something is compared"},
        {"walk_unit.dws_even", "a difference"},
        {"walk_unit.dws_uneven", "a difference"},
        {"walk_unit.dws_own_most", "a share from which on a choice falls otherwise"},
    };
    const std::string dws = "walk_unit.schedule=dws walk_unit.dws_steal=";
    m.corners = {
        dws + "never walk_unit.walkers=2 walk_unit.buffer_entries=2 walk_unit.backlog_entries=0",
        dws + "idle walk_unit.dws_owners=16 walk_unit.walkers=16 walk_unit.buffer_entries=17 "
              "walk_unit.coalesce=full address_space.spaces=2 dispatcher.space=group",
        dws + "thresholds walk_unit.dws_owners=3 walk_unit.walkers=4 walk_unit.dws_epoch=1 "
              "walk_unit.dws_even=1 "
              "walk_unit.dws_uneven=100 walk_unit.dws_own_most=100 walk_unit.coalesce=leaf "
              "address_space.map=first_touch address_space.spaces=4 dispatcher.space=group",
    };
    return m;
}

} // namespace walkway::test

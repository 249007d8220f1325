/* SPDX-License-Identifier: MIT */
/* Programs that are larger than device memory, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_driver()
{
    using s = stimulus;
    const std::string lazy = "address_space.map=first_touch pager.mean_cycles=50 ";
    const std::string driven = lazy + "driver.oversubscription=400 ";
    const std::string hashed = driven + "address_space.table=hashed driver.migrate_after=0 ";
    mechanism m;
    m.on = lazy + "driver.oversubscription=150 address_space.paging=host";
    m.asks = {"host_link.device_lines", "copy_engine.reads", "copy_engine.writes", "pager.lines_written",
              "pager.faults"};
    m.rows = {
        {"driver.oversubscription", "200", s::scatter, lazy},
        {"driver.m_percent", "1000", s::scatter, hashed + "driver.m_percent=50 "},
        {"driver.fetch_pages", "1", s::scatter, driven},
        {"driver.migrate_after", "4", s::scatter, driven},
        {"driver.flush", "off", s::scatter, driven + "l2d.bytes=16384 "},
        {"driver.start", "host", s::scatter,
         "address_space.map=all_paged pager.mean_cycles=50 driver.oversubscription=400 "},
        {"host_link.mbytes_per_s", "100", s::scatter, driven},
        {"host_link.latency_ns", "5000", s::scatter, driven},
        {"host_link.reads", "1", s::scatter, driven},
        {"host_link.queue_entries", "1", s::scatter, driven + "host_link.reads=1 "},
        {"copy_engine.lines", "1", s::scatter, driven},
    };
    m.bounds = {
        {"host_link.reads", "", "", driven, "host_link.stall_cycles"},
        {"host_link.queue_entries", "", "",
         lazy + "driver.oversubscription=1000 host_link.reads=1 l2d.hit_cycles=1 l2d.ports=1 "
                "driver.migrate_after=0 ",
         "l2d.stall_below_cycles"},
    };
    m.capacities = {
        {"driver.fetch_pages", "", "", "", ""},
        {"copy_engine.lines", "1", "", "", ""},
    };
    m.no_bounds = {
        {"driver.oversubscription", "how much memory there is"},
        {"driver.m_percent", "a share of slots, which is passed where nobody can leave"},
        {"driver.migrate_after", "when pages move"},
        {"host_link.mbytes_per_s", "a speed"},
        {"host_link.latency_ns", "a time"},
    };
    m.corners = {
        lazy + "driver.oversubscription=1000 driver.migrate_after=1 host_link.reads=1 copy_engine.lines=1 "
               "host_link.queue_entries=1 walk_unit.fault_entries=1 pager.entries=1 walk_unit.coalesce=full",
        hashed + "driver.oversubscription=1000 driver.m_percent=1 driver.migrate_after=2 "
                 "address_space.slots_percent=100 driver.fetch_pages=2 walk_unit.walkers=1",
        "address_space.map=all_paged driver.start=host driver.oversubscription=100 driver.migrate_after=4 "
        "pager.mean_cycles=50 address_space.table=hashed driver.m_percent=1",
        lazy + "driver.oversubscription=300 copy_engine.lines=0 pager.mean_cycles=0 pager.latency=constant "
               "address_space.table=hashed_stepless walk_unit.coalesce=leaf walk_unit.schedule=sjf",
    };
    return m;
}

} // namespace walkway::test

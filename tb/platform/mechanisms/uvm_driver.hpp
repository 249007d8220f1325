/* SPDX-License-Identifier: MIT */
/* NVIDIA's driver of unified memory, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_uvm_driver()
{
    using s = stimulus;
    const std::string lazy = "address_space.map=first_touch pager.mean_cycles=50 ";
    const std::string uvm = lazy + "driver.oversubscription=200 driver.policy=uvm ";
    mechanism m;
    /* Blocks of 2 MiB leave small programs no room for eviction, so all their pages fit. */
    m.on = lazy + "driver.oversubscription=100 driver.policy=uvm driver.uvm_pin_after=2 ";
    m.rows = {
        {"driver.policy", "uvm", s::scatter, lazy + "driver.oversubscription=200 "},
        {"driver.uvm_batch", "4", s::scatter, uvm},
        {"driver.uvm_block_cycles", "9000", s::scatter, uvm},
        {"driver.uvm_pause_cycles", "9000", s::scatter, uvm},
        {"driver.uvm_prefetch_percent", "0", s::scatter, uvm},
        {"driver.uvm_grow_pages", "1", s::scatter, uvm},
        {"driver.uvm_pin_after", "2", s::scatter, uvm},
        {"driver.uvm_lapse_us", "1", s::scatter, uvm + "driver.uvm_pin_after=2 "},
    };
    m.capacities = {{"driver.uvm_batch", "", "", "", ""}, {"driver.uvm_grow_pages", "", "", "", ""}};
    m.no_bounds = {
        {"driver.uvm_prefetch_percent", "a share, above which others come"},
        {"driver.uvm_pin_after", "when pages stay"},
        {"driver.uvm_lapse_us", "a time"},
    };
    /* Room for one of the two blocks that the program of these corners needs. */
    const std::string tight = lazy + "driver.oversubscription=140 driver.policy=uvm ";
    m.corners = {
        tight + "driver.uvm_batch=1 driver.uvm_grow_pages=1 driver.uvm_pause_cycles=1000 "
                "driver.uvm_block_cycles=0 walk_unit.fault_entries=1 pager.entries=1 host_link.reads=1 "
                "copy_engine.lines=1",
        tight + "driver.uvm_prefetch_percent=1 driver.uvm_pin_after=1 driver.migrate_after=2 "
                "address_space.table=hashed driver.m_percent=10 walk_unit.walkers=1",
    };
    return m;
}

} // namespace walkway::test

/* SPDX-License-Identifier: MIT */
/* The ring on which L1 TLBs probe each other, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_tlb_probe()
{
    using s = stimulus;
    const std::string there = "probe.hops=4 ", one_port = there + "l1_tlb.ports=1 ";
    const std::string filtered = there + "probe.filter_entries=2 probe.filter_shift=12 ";
    const std::string wide = there + "probe.waits=4096 probe.in_flight=4096 ";
    mechanism m;
    m.on = "probe.hops=4";
    m.between = "probe";
    m.rows = {
        {"probe.hops", "1", s::scatter, ""},
        {"probe.shared_by", "2", s::scatter, there},
        {"probe.order", "arrival", s::rows, there + "probe.shared_by=8"},
        {"probe.stops", "2", s::scatter, there},
        {"probe.hop_cycles", "40", s::rows, there},
        {"probe.lookup_cycles", "90", s::rows, there},
        {"probe.priority", "probes", s::scatter, one_port},
        {"probe.waits", "1", s::scatter, one_port},
        {"probe.in_flight", "1", s::rows, there},
        {"probe.when", "beside", s::rows, there},
        {"probe.filter_entries", "64", s::scatter, there},
        {"probe.filter_shift", "24", s::scatter, filtered},
        {"probe.entries", "32", s::scatter, there},
        {"probe.hit_cycles", "40", s::rows, there},
        {"probe.response_cycles", "9", s::rows, there},
    };
    m.bounds = {
        {"probe.waits", "", there, wide, "probe.turned_away"},
        {"probe.in_flight", "", there, wide, "probe.not_asked_room"},
    };
    m.capacities = {
        {"probe.filter_entries", "1", there, "", ""},
        {"probe.entries", "1", there, "", ""},
    };
    m.no_bounds = {{"probe.hops", "a distance"},
                   {"probe.shared_by", "how many there are of the whole"},
                   {"probe.stops", "how many there are of the whole"}};
    m.corners = {
        there + "probe.waits=1 probe.in_flight=1 probe.entries=1 probe.filter_entries=1 probe.when=beside "
                "l1_tlb.entries=4 l1_tlb.ways=4 l1_tlb.queue_entries=1 l1_tlb.ports=1 l1_tlb.mshrs=1 "
                "l1_tlb.merges=1 l2_tlb.queue_entries=1 address_space.page=mixed",
        there + "probe.stops=3 probe.priority=probes probe.entries=8 probe.hop_cycles=7 gpu.cus=5 "
                "l1_tlb.victims=pass l2_tlb.fills=1 l2_tlb.mshrs=2 l2_tlb.merges=2 l1_tlb.ports=1",
        there + "probe.when=beside probe.priority=probes probe.shared_by=2 gpu.cus=7 l1_tlb.entries=8 "
                "l1_tlb.ways=8 address_space.map=first_touch",
    };
    return m;
}

} // namespace walkway::test

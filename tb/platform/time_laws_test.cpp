/* SPDX-License-Identifier: MIT */
/* The laws that see time, and those of reads, can fail: each for a charge that was dropped, moved to another
 * cause, or counted twice, and for a read that got lost between two levels. */
#include "platforms/apu_laws.hpp"
#include "tb/platform/bounds.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

struct counted {
    coalescer_stats coalescers;
    iommu_stats iommu;
    data_cache_stats l1d, l2d;
    dram_stats dram;
    iommu_params params;
};

/* Divergent loads, stores and atomics, of two compute units, with every cause of a walk's time. */
const counted &machine(bool through_l2d)
{
    static std::map<bool, counted> known;
    const auto it = known.find(through_l2d);
    if (it != known.end())
        return it->second;
    const trace t(mixed_spec(6));
    apu_params p = configured(
        "gpu.cus=2 iommu.coalesce=leaf iommu.walkers=2 iommu.buffer_entries=8 "
        "iommu.pwc_cycles=3 l1d.write=back l1d.write_miss=fetch l2d.write_miss=fetch l2d.bytes=16384 "
        "l2d.ways=4");
    p.iommu.walk_path = through_l2d ? 1 : 0;
    simulation sim;
    apu m(p, t.reader());
    BOOST_REQUIRE((m.run({}) == run_end::complete));
    counted c;
    for (const auto &one : m.top().coalescer)
        c.coalescers.add(one->stats());
    for (const auto &one : m.top().l1d)
        c.l1d.add(one->stats());
    c.iommu = m.top().iommu.stats();
    c.l2d = m.top().l2d.stats();
    c.dram = m.top().dram.stats();
    c.params = p.iommu;
    return known[through_l2d] = c;
}

uint64_t broken(const counted &c)
{
    uint64_t n = 0;
    for (const law &l : time_laws(c.coalescers, c.iommu, period))
        n += !l.holds();
    for (const law &l : read_laws(c.l1d, c.l2d, c.dram, c.iommu, c.params))
        n += !l.holds();
    return n;
}

tick &charged(counted &c, cause which)
{
    return c.coalescers.account[static_cast<unsigned>(which)];
}

} // namespace

BOOST_AUTO_TEST_SUITE(laws_of_time_and_reads)

BOOST_DATA_TEST_CASE(they_hold_of_a_machine_that_has_every_term_of_them, data::make({false, true}),
                     through_l2d)
{
    counted c = machine(through_l2d);
    BOOST_TEST(broken(c) == 0u);
    for (const cause which : {cause::walk_cache, cause::walk_l4, cause::walk_l3, cause::walk_l2,
                              cause::walk_l1, cause::buffer, cause::held, cause::backlog})
        BOOST_TEST(charged(c, which) > 0u, cause_name(static_cast<unsigned>(which)));
    BOOST_TEST(c.l1d.write_fetches > 0u);
    BOOST_TEST(c.l2d.write_fetches > 0u);
    BOOST_TEST(c.iommu.pte_reads > 0u);
}

BOOST_AUTO_TEST_CASE(a_dropped_or_doubled_charge_breaks_one_and_a_moved_one_two)
{
    for (const cause which : {cause::walk_cache, cause::walk_l4, cause::walk_l3, cause::walk_l2,
                              cause::walk_l1, cause::buffer, cause::held, cause::backlog})
        for (const tick step : {period, tick{0} - period}) {
            counted c = machine(false);
            charged(c, which) += step;
            BOOST_TEST(broken(c) == 1u, cause_name(static_cast<unsigned>(which)));
        }
    counted c = machine(false);
    charged(c, cause::backlog) -= period;
    charged(c, cause::buffer) += period;
    BOOST_TEST(broken(c) == 2u);
    c = machine(false);
    charged(c, cause::buffer) -= period;
    charged(c, cause::walk_l1) += period;
    BOOST_TEST(broken(c) == 2u);
}

BOOST_AUTO_TEST_CASE(a_walker_or_a_buffer_that_measures_wrong_breaks_one)
{
    counted c = machine(false);
    c.iommu.walker_busy_ps += 1;
    BOOST_TEST(broken(c) == 1u);
    c = machine(false);
    c.iommu.buffer_occupancy.add(1);
    BOOST_TEST(broken(c) == 1u);
    c = machine(false);
    c.iommu.backlog_latency.add(1);
    BOOST_TEST(broken(c) == 1u);
}

BOOST_DATA_TEST_CASE(a_read_that_is_lost_or_counted_twice_breaks_its_level, data::make({false, true}),
                     through_l2d)
{
    using change = void (*)(counted &);
    const change changes[] = {
        [](counted &c) { ++c.l1d.read_misses; },   [](counted &c) { --c.l1d.write_fetches; },
        [](counted &c) { ++c.l2d.reads; },         [](counted &c) { --c.l2d.read_misses; },
        [](counted &c) { ++c.l2d.write_fetches; }, [](counted &c) { --c.iommu.pte_reads; },
        [](counted &c) { ++c.dram.reads; }};
    for (const change &make : changes) {
        counted c = machine(through_l2d);
        make(c);
        BOOST_TEST(broken(c) == 1u);
    }
}

BOOST_AUTO_TEST_CASE(walks_without_time_read_no_memory)
{
    counted c = machine(false);
    c.params.zero_walk = true;
    BOOST_TEST(broken(c) == 1u); /* this machine's walks did */
    c.dram.reads -= c.iommu.pte_reads;
    BOOST_TEST(broken(c) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

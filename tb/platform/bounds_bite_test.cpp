/* SPDX-License-Identifier: MIT */
/* A bound that takes effect shows in the statistics: on a machine with room everywhere else, its own
 * statistic is higher than with room there too. A tighter bound need not make a run longer: delayed waves may
 * leave rows of memory open for each other. It must for a lone wave whose loads wait for each other, where
 * nothing overtakes. */
#include "tb/platform/bounds.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

const outcome &base(const std::string &settings, const trace &t)
{
    static std::map<std::pair<const trace *, std::string>, outcome> known;
    const auto key = std::make_pair(&t, settings);
    const auto it = known.find(key);
    return it != known.end() ? it->second : known[key] = run_apu(configured(settings), t);
}

const trace &crowd()
{
    static const trace t(mixed_spec(12));
    return t;
}

/* One page per load, each load after the previous one. */
const trace &lone_wave()
{
    static const trace t(pointer_chase(1, 40, 2 << 20));
    return t;
}

} // namespace

BOOST_AUTO_TEST_SUITE(bounds_bite)

BOOST_DATA_TEST_CASE(a_bound_at_its_tightest_raises_its_statistic, data::make(bounds()), b)
{
    const std::string settings = "gpu.cus=3 " + generous + " " + b.stage;
    const outcome &loose = base(settings, crowd());
    const outcome tightened = run_apu(configured(settings + tight(b)), crowd());
    BOOST_REQUIRE((loose.end == run_end::complete));
    BOOST_REQUIRE((tightened.end == run_end::complete));
    BOOST_TEST(tightened.count(b.rises) > loose.count(b.rises), b.rises);
    for (const law &l : tightened.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
}

/* The row of bounds() shows the walkers' queue; here data accesses fill that of memory. */
BOOST_AUTO_TEST_CASE(a_full_queue_of_main_memory_stalls_the_data_cache_too)
{
    const std::string settings =
        "gpu.cus=3 " + generous + " address_space.page=2m " + "l2d.hit_cycles=1 l2d.ports=1 dram.ports=1 ";
    const trace data(scatter(8, 6, 8 << 20, 40));
    const outcome loose = run_apu(configured(settings), data);
    const outcome tightened = run_apu(configured(settings + "dram.queue_entries=1"), data);
    BOOST_TEST(loose.count("l2d.stall_below_cycles") == 0u);
    BOOST_TEST(tightened.count("l2d.stall_below_cycles") > 0u);
}

BOOST_DATA_TEST_CASE(a_lone_wave_is_never_faster_for_a_bound, data::make(bounds()), b)
{
    const std::string settings = generous + " " + b.stage;
    const outcome &loose = base(settings, lone_wave());
    const outcome tightened = run_apu(configured(settings + tight(b)), lone_wave());
    BOOST_REQUIRE((loose.end == run_end::complete));
    BOOST_REQUIRE((tightened.end == run_end::complete));
    BOOST_TEST(tightened.cycles >= loose.cycles);
}

BOOST_AUTO_TEST_SUITE_END()

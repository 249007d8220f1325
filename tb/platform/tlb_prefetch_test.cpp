/* SPDX-License-Identifier: MIT */
/* Prefetchers below the L1 TLBs of whole machines: what they spare, that they create no page, and that they
 * work with every design. */
#include "model/params/tlb_prefetch.hpp"
#include "tb/platform/machines.hpp"
#include "tb/platform/parameter_rows.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

/* One wave, pages in order, each load after the previous one has returned. */
const trace &pages_in_order()
{
    static const trace t([] {
        wave_spec wave;
        for (uint64_t n = 0; n < 48; ++n)
            wave.records.push_back(uniform(WKT_LOAD, buffer_va + n * 4096, 1));
        return one_launch({{wave}}, 64 * 4096);
    }());
    return t;
}

outcome of(const std::string &wiring, const std::string &settings, const trace &t = pages_in_order())
{
    outcome o = run_machine({wiring, settings}, t);
    BOOST_TEST((o.end == run_end::complete), o.stuck);
    for (const law &l : o.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
    return o;
}

const std::string on = " prefetch.entries=16";

} // namespace

BOOST_AUTO_TEST_SUITE(tlb_prefetchers)

BOOST_DATA_TEST_CASE(pages_in_order_are_found_or_under_way_but_for_the_first,
                     data::make({"apu-micro18", "mmu-hpca14", "mmu-hpca14-design2", "mmu-hpca14-design3",
                                 "mmu-hpca14-shared-l2-pwc"}),
                     wiring)
{
    const outcome without = of(wiring, "gpu.cus=16"), with = of(wiring, "gpu.cus=16" + on);
    BOOST_TEST(without.stats.count("prefetch.lookups") == 0u);
    BOOST_TEST(with.count("prefetch.lookups") == 48u);
    BOOST_TEST(with.count("prefetch.misses") == 1u);
    BOOST_TEST(with.count("prefetch.hits") + with.count("prefetch.merged") == 47u);
    BOOST_TEST(with.count("prefetch.prefetches") == 48u);
    BOOST_TEST(with.cycles < without.cycles);
}

/* Of 4 compute units, 3 share the first instance; of lists one instance may have nearly all. */
BOOST_AUTO_TEST_CASE(it_has_places_for_all_misses_above_its_largest_instance)
{
    const auto places = [](const std::string &groups) {
        const auto config =
            config_of({"apu-micro18", "gpu.cus=4 l1_tlb.mshrs=5" + on + " prefetch.shared_by=" + groups});
        const gpu_machine_params p = config->gpu()->resolved(1);
        return params_of<tlb_prefetch_params>(*p.path.find("prefetch")).mshrs;
    };
    BOOST_TEST(places("1") == 5u);
    BOOST_TEST(places("2") == 10u);
    BOOST_TEST(places("3") == 15u);
    BOOST_TEST(places("all") == 20u);
}

BOOST_DATA_TEST_CASE(no_page_is_mapped_for_a_prefetch,
                     data::make({"apu-micro18", "mmu-hpca14-design3", "mmu-hpca14-shared-l2-pwc"}), wiring)
{
    const std::string touched = "gpu.cus=16 address_space.map=first_touch";
    const outcome without = of(wiring, touched), with = of(wiring, touched + on);
    BOOST_TEST(with.count("pager.faults") == without.count("pager.faults"));
    BOOST_TEST(with.count("pager.pages_mapped") == 48u);
    BOOST_TEST(with.count("prefetch.absent") == 48u);
    BOOST_TEST(with.count("prefetch.hits") == 0u);
}

/* All units use the same pages: in the shared TLB, demands meet other units' prefetches that fault. */
BOOST_DATA_TEST_CASE(whom_a_prefetch_was_before_has_its_page_mapped_all_the_same,
                     data::make({"first_touch", "half"}) * data::make({true, false}), map, same)
{
    const stimulus s = same ? stimulus::same : stimulus::rows;
    const std::string settings = std::string("l1_tlb.entries=4 l1_tlb.ways=4 address_space.map=") + map;
    const outcome without = of("apu-micro18", settings, stimulus_trace(s)),
                  with = of("apu-micro18", settings + on, stimulus_trace(s));
    BOOST_TEST(with.count("pager.pages_mapped") == without.count("pager.pages_mapped"));
    BOOST_TEST(with.count("coalescer.faults") == 0u);
    BOOST_TEST(with.count("prefetch.absent") > 0u);
}

BOOST_AUTO_TEST_CASE(absent_its_other_parameters_have_no_effect_and_that_is_said)
{
    for (const char *wiring : {"apu-micro18", "mmu-hpca14"}) {
        const auto by = [wiring](const char *settings, const char *parameter) {
            return config_of({wiring, settings})->overruled_by(parameter);
        };
        BOOST_TEST(by("", "prefetch.in_flight") == "prefetch.entries");
        BOOST_TEST(by("", "prefetch.entries") == "");
        BOOST_TEST(by("prefetch.entries=4", "prefetch.in_flight") == "");
        BOOST_TEST(by("prefetch.entries=4 translation.ideal=none", "prefetch.in_flight") ==
                   "translation.ideal");
    }
}

BOOST_AUTO_TEST_CASE(there_is_none_where_no_L1_TLB_is)
{
    for (const char *rung : {"perfect_l1", "none"})
        BOOST_TEST(
            of("mmu-hpca14", std::string("translation.ideal=") + rung + on).stats.count("prefetch.lookups") ==
            0u);
}

BOOST_AUTO_TEST_SUITE_END()

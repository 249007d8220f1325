/* SPDX-License-Identifier: MIT */
/* Translations in local memory of the apu: what they spare the L2 TLB, what work-groups claim, several
 * address spaces. */
#include "tb/platform/parameter_rows.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

/* Each wave walks its rows twice: more pages than an L1 TLB of 16 holds. */
const trace &rows_twice()
{
    static const trace t([] {
        trace_spec spec = row_major(8, 4, 4, 16384);
        for (group_spec &g : spec.launches[0].groups) {
            const auto once = g[0].records;
            g[0].records.insert(g[0].records.end(), once.begin(), once.end());
        }
        return spec;
    }());
    return t;
}

const std::string lent = "l1_tlb.entries=16 l1_tlb.ways=16 lds.banks=32 cu.lds_bytes=16384 "
                         "lds_tx.translations=";

outcome of(const std::string &settings, const trace &t)
{
    const outcome o = run_apu(configured(lent + settings), t);
    BOOST_TEST((o.end == run_end::complete), o.stuck);
    for (const law &l : o.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
    return o;
}

} // namespace

BOOST_AUTO_TEST_SUITE(lds_translations_in_the_apu)

BOOST_AUTO_TEST_CASE(what_hits_in_them_is_spared_the_l2_tlb)
{
    const outcome without = of("off", rows_twice()), with = of("on", rows_twice());
    BOOST_TEST(with.count("lds_tx.hits") > 0u);
    BOOST_TEST(with.count("l2_tlb.lookups") == with.count("l1_tlb.misses") - with.count("lds_tx.hits"));
    BOOST_TEST(with.count("l2_tlb.lookups") < without.count("l2_tlb.lookups"));
    BOOST_TEST(with.count("coalescer.lines") == without.count("coalescer.lines"));
    BOOST_TEST(with.cycles < without.cycles);
    BOOST_TEST(without.stats.count("lds_tx.hits") == 0u);
}

BOOST_AUTO_TEST_CASE(local_accesses_take_segments_back)
{
    const outcome idle = of("on", rows_twice()), used = of("on", stimulus_trace(stimulus::lent));
    BOOST_TEST(idle.count("lds_tx.claimed") == 0u);
    BOOST_TEST(used.count("lds_tx.claimed") > 0u);
    BOOST_TEST(used.count("lds_tx.segments_claimed") > 0u);
}

BOOST_AUTO_TEST_CASE(a_full_local_memory_keeps_nothing_and_work_groups_that_end_give_it_back)
{
    const outcome full = of("on cu.lds_bytes=4096 gpu.cus=1", stimulus_trace(stimulus::lent));
    BOOST_TEST(full.count("lds_tx.bypassed_mode") > 0u);
    BOOST_TEST(full.count("lds_tx.opened") > 0u);
}

BOOST_AUTO_TEST_CASE(they_stand_in_front_of_a_victim_tlb)
{
    const outcome both = of("on victim.entries=64", rows_twice());
    BOOST_TEST(both.count("victim.lookups") == both.count("lds_tx.misses"));
    BOOST_TEST(both.count("victim.fills_received") == both.count("lds_tx.victims_passed"));
}

BOOST_AUTO_TEST_CASE(two_address_spaces_side_by_side_read_what_each_has)
{
    const std::string spaces = " address_space.spaces=2 dispatcher.space=group gpu.cus=1";
    const outcome off = of("off" + spaces, stimulus_trace(stimulus::lent)),
                  on = of("on" + spaces, stimulus_trace(stimulus::lent));
    BOOST_TEST(on.count("lds_tx.hits") > 0u);
    BOOST_TEST(on.count("coalescer.lines") == off.count("coalescer.lines"));
    BOOST_TEST(on.count("coalescer.faults") == 0u);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused_under_the_name_of_the_section)
{
    BOOST_TEST(configured("lds_tx.translations=on").validate() ==
               "lds_tx.translations: wants controllers of local memory: set lds.banks");
    BOOST_TEST(configured(lent + "on lds_tx.segment_bytes=64 cu.lds_granule=32").validate() ==
               "lds_tx: segment_bytes does not divide cu.lds_granule");
}

BOOST_AUTO_TEST_CASE(the_estimate_of_memory_counts_them)
{
    const auto bytes = [](const std::string &settings) {
        return configured(lent + settings).memory_bytes({});
    };
    BOOST_TEST(bytes("on lds_tx.queue_entries=1001") - bytes("on lds_tx.queue_entries=1") == 8u * 1000 * 16);
    BOOST_TEST(bytes("on lds_tx.queue_entries=1") > bytes("off") + 8 * 16384);
}

BOOST_AUTO_TEST_SUITE_END()

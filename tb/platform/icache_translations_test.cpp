/* SPDX-License-Identifier: MIT */
/* Translations in instruction caches of the apu: what they spare the L2 TLB, alone and below local memory,
 * what kernels drop when they begin, and compute units that share a cache. */
#include "tb/platform/parameter_rows.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

/* Two launches; each wave walks through its rows: more pages than an L1 TLB of 16 holds. */
const trace &twice(const char *second)
{
    static std::map<std::string, std::unique_ptr<trace>> all;
    std::unique_ptr<trace> &t = all[second];
    if (t == nullptr) {
        trace_spec spec = row_major(8, 4, 4, 16384);
        spec.launches[0].kernel = "first";
        spec.launches.push_back(spec.launches[0]);
        spec.launches[1].kernel = second;
        t = std::make_unique<trace>(spec);
    }
    return *t;
}

const std::string lent = "l1_tlb.entries=16 l1_tlb.ways=16 icache.entries=256 icache_tx.translations=";

outcome of(const std::string &settings, const char *second = "first")
{
    const outcome o = run_apu(configured(lent + settings), twice(second));
    BOOST_TEST((o.end == run_end::complete), o.stuck);
    for (const law &l : o.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
    return o;
}

} // namespace

BOOST_AUTO_TEST_SUITE(icache_translations_in_the_apu)

BOOST_AUTO_TEST_CASE(what_hits_in_them_is_spared_the_l2_tlb)
{
    const outcome without = of("off"), with = of("on");
    BOOST_TEST(with.count("icache_tx.hits") > 0u);
    BOOST_TEST(with.count("l2_tlb.lookups") == with.count("l1_tlb.misses") - with.count("icache_tx.hits"));
    BOOST_TEST(with.count("coalescer.lines") == without.count("coalescer.lines"));
    BOOST_TEST(with.count("icache.fetches") > 0u);
    BOOST_TEST(with.cycles < without.cycles);
    BOOST_TEST(without.stats.count("icache_tx.hits") == 0u);
}

BOOST_AUTO_TEST_CASE(they_stand_behind_local_memory_and_in_front_of_a_victim_tlb)
{
    const outcome all = of("on lds.banks=32 cu.lds_bytes=1024 cu.lds_granule=32 lds_tx.translations=on "
                           "victim.entries=64 victim.shared_by=8");
    BOOST_TEST(all.count("lds_tx.lookups") == all.count("l1_tlb.misses"));
    BOOST_TEST(all.count("icache_tx.lookups") == all.count("lds_tx.misses"));
    BOOST_TEST(all.count("victim.lookups") == all.count("icache_tx.misses"));
    BOOST_TEST(all.count("icache_tx.fills_received") == all.count("lds_tx.victims_passed"));
    BOOST_TEST(all.count("victim.fills_received") == all.count("icache_tx.victims_passed"));
    BOOST_TEST(all.count("victim.fills_received") > 0u);
}

BOOST_AUTO_TEST_CASE(another_kernel_takes_the_instructions_away_and_the_same_does_not)
{
    const outcome same = of("on"), other = of("on", "second"),
                  stay = of("on icache_tx.design=aware", "second");
    BOOST_TEST(same.count("icache_tx.kernels") == 2u * 2); /* in two caches */
    BOOST_TEST(same.count("icache_tx.code_flushed") == 0u);
    BOOST_TEST(other.count("icache_tx.code_flushed") > 0u);
    BOOST_TEST(other.count("icache_tx.kernels") == 2u * 2);
    BOOST_TEST(other.count("icache.misses") > same.count("icache.misses"));
    BOOST_TEST(stay.count("icache_tx.code_flushed") == 0u);
}

BOOST_AUTO_TEST_CASE(units_that_share_one_find_what_the_others_left)
{
    const std::string same = " gpu.cus=4 icache.entries=64 icache.shared_by=";
    const outcome own = of("on" + same + "1"), shared = of("on" + same + "4");
    BOOST_TEST(own.count("icache_tx.hits") != shared.count("icache_tx.hits"));
    BOOST_TEST(shared.count("icache_tx.lookups") == shared.count("l1_tlb.misses"));
}

BOOST_AUTO_TEST_CASE(what_does_not_go_together_is_refused)
{
    const auto refusal = [](const std::string &settings) { return configured(lent + settings).validate(); };
    BOOST_TEST(refusal("on") == "");
    BOOST_TEST(refusal("off icache.ways=3") ==
               "icache: entries / ways is not a power of two: entries = 192 or 384 would be");
    BOOST_TEST(refusal("on icache.entries=0") ==
               "icache_tx.translations: wants instruction caches: set icache.entries");
    BOOST_TEST(refusal("on icache.index=xor") ==
               "icache_tx.translations: lines of instructions are then found by modulo only: icache.index");
    BOOST_TEST(refusal("on icache.entries=16") ==
               "icache_tx: translations need 32 to 4096 lines (icache.entries) in 1, 2, 4 or 8 ways");
    BOOST_TEST(
        refusal("on victim.entries=64 victim.shared_by=2") ==
        "victim.shared_by = 2: compute units 0 and 2 share an instance above, and not here ('icache_tx')");
}

BOOST_AUTO_TEST_CASE(two_address_spaces_side_by_side_read_what_each_has)
{
    const std::string spaces = " address_space.spaces=2 dispatcher.space=group gpu.cus=1";
    const outcome off = of("off" + spaces), on = of("on" + spaces);
    BOOST_TEST(on.count("icache_tx.hits") > 0u);
    BOOST_TEST(on.count("coalescer.lines") == off.count("coalescer.lines"));
}

BOOST_AUTO_TEST_CASE(the_estimate_of_memory_counts_them)
{
    const auto bytes = [](const std::string &settings) {
        return configured(lent + settings).memory_bytes({});
    };
    BOOST_TEST(bytes("on icache_tx.queue_entries=1001") - bytes("on icache_tx.queue_entries=1") ==
               8u * 1000 * 16);
    BOOST_TEST(bytes("on icache_tx.queue_entries=1") > bytes("off") + 2 * 16384);
}

BOOST_AUTO_TEST_SUITE_END()

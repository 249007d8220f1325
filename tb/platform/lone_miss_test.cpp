/* SPDX-License-Identifier: MIT */
/* One wave, one load, everything cold: the latency is the sum of the parts, computed by hand in
 * docs/model/timing-model.md, "A lone cold miss". Here it follows from the parameters, with the document's
 * numbers beside it. */
#include "model/params/iommu_tlb.hpp"
#include "model/params/tlb.hpp"
#include "model/params/walk_unit.hpp"
#include "tb/platform/apu_rig.hpp"

#include <fstream>
#include <iterator>

using namespace walkway;
using namespace walkway::test;

namespace
{

struct by_hand {
    uint64_t translation, load, end;
    std::vector<uint64_t> reads; /* levels 4 to 1 */
};

uint64_t ceil_to(uint64_t t, uint64_t edge)
{
    return (t + edge - 1) / edge * edge;
}

/* Steps of the request, in picoseconds; the memory clock's edges round up on the way in, the GPU's on the way
 * out. The DRAM part of each access is 27 cycles to a closed bank, 16 to the open row, 38 past another row.
 */
by_hand expected(const gpu_machine_params &p)
{
    const uint64_t g = p.gpu.clock_ps, m = p.dram.tck_ps;
    const uint64_t closed = p.dram.overhead_cycles + p.dram.rcd + p.dram.cl + p.dram.burst;
    const uint64_t hit = p.dram.overhead_cycles + p.dram.cl + p.dram.burst;
    const uint64_t conflict = closed + p.dram.rp;
    by_hand h{0, 0, 0, {}};
    const auto &l1 = p.path.params<tlb_params>("l1_tlb"), &l2 = p.path.params<tlb_params>("l2_tlb");
    const auto &iommu = p.path.params<iommu_tlb_params>("iommu_tlb");
    const auto &walks = p.path.params<walk_unit_params>("walk_unit");
    const uint64_t issue = (p.dispatcher.launch_cycles + 1) * g;
    const uint64_t asked = issue + g; /* the coalescer has the instruction */
    uint64_t t = asked + g * (1 + l1.hit_cycles + l1.link_cycles + l2.hit_cycles + l2.link_cycles +
                              iommu.tlb2_cycles + walks.pwc_cycles);
    for (const uint64_t dram : {closed, closed, hit, hit}) {
        const uint64_t before = t;
        t = ceil_to(t + walks.read_cycles * g, m) + dram * m;
        t = ceil_to(t + walks.reply_cycles * g, g);
        h.reads.push_back((t - before) / g);
    }
    t += g * (iommu.response_cycles + l2.response_cycles + l1.response_cycles);
    h.translation = (t - asked) / g;
    t += g * (1 + p.l1d.hit_cycles + p.l1d.link_cycles + p.l2d.hit_cycles + p.l2d.link_cycles);
    t = ceil_to(ceil_to(t, m) + conflict * m, g);
    t += g * (p.l2d.response_cycles + p.l1d.response_cycles + p.coalescer.response_cycles);
    h.load = (t - issue) / g;
    h.end = t / g;
    return h;
}

outcome measured(const gpu_machine_params &p)
{
    return run_apu(p, trace(one_launch({{{{uniform(WKT_LOAD, buffer_va)}, 0}}}, 4096)));
}

void prove(const gpu_machine_params &p)
{
    const by_hand h = expected(p);
    const outcome o = measured(p);
    BOOST_TEST((o.end == run_end::complete), o.stuck);
    BOOST_TEST(o.count("account.translation_cycles") == h.translation);
    BOOST_TEST(o.count("account.l1_queue") == 1u);
    BOOST_TEST(o.count("account.l1_lookup") == p.path.params<tlb_params>("l1_tlb").hit_cycles);
    BOOST_TEST(o.count("account.l2_lookup") == p.path.params<tlb_params>("l2_tlb").hit_cycles);
    BOOST_TEST(o.count("account.iommu_queue") == p.path.params<tlb_params>("l2_tlb").link_cycles);
    BOOST_TEST(o.count("account.iommu_lookup") == p.path.params<iommu_tlb_params>("iommu_tlb").tlb2_cycles);
    BOOST_TEST(o.count("account.walk_l4") == h.reads[0]);
    BOOST_TEST(o.count("account.walk_l3") == h.reads[1]);
    BOOST_TEST(o.count("account.walk_l2") == h.reads[2]);
    BOOST_TEST(o.count("account.walk_l1") == h.reads[3]);
    BOOST_TEST(o.stats.at("gpu.load_latency").find("1 values, sum " + std::to_string(h.load) + ":") == 0u,
               o.stats.at("gpu.load_latency") << ", by hand " << h.load);
    BOOST_TEST(o.cycles == h.end);
}

} // namespace

BOOST_AUTO_TEST_SUITE(lone_miss)

BOOST_AUTO_TEST_CASE(a_lone_cold_miss_equals_the_sum_of_its_parts)
{
    prove(shipped<apu_machine>());
}

BOOST_AUTO_TEST_CASE(the_worked_example_in_the_docs_is_this_one)
{
    const by_hand h = expected(shipped<apu_machine>());
    std::ifstream in(WW_SOURCE_DIR "/docs/model/timing-model.md");
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::vector<std::string> wanted = {"= " + std::to_string(h.translation) + " cycles",
                                       "the load " + std::to_string(h.end) +
                                           " − 1001 = " + std::to_string(h.load)};
    for (unsigned i = 0; i < 4; ++i)
        wanted.push_back("walk_l" + std::to_string(4 - i) + " " + std::to_string(h.reads[i]) + " |");
    for (const std::string &w : wanted)
        BOOST_TEST(text.find(w) != std::string::npos,
                   "docs/model/timing-model.md does not say \"" << w << "\"");
}

BOOST_AUTO_TEST_CASE(the_sum_holds_with_other_latencies_and_clocks)
{
    prove(configured(
        "gpu.clock_ps=600 dram.tck_ps=938 l1_tlb.hit_cycles=7 l1_tlb.link_cycles=3 "
        "l2_tlb.hit_cycles=11 l2_tlb.link_cycles=13 iommu_tlb.tlb2_cycles=17 walk_unit.read_cycles=23 "
        "walk_unit.reply_cycles=29 l2_tlb.response_cycles=5 l1_tlb.response_cycles=4 "
        "iommu_tlb.response_cycles=6 l1d.hit_cycles=31 l1d.link_cycles=2 l2d.hit_cycles=37 "
        "l2d.link_cycles=8 l1d.response_cycles=9 l2d.response_cycles=10 dram.cl=14 dram.rcd=15 "
        "dram.rp=16 coalescer.response_cycles=12 dispatcher.launch_cycles=100"));
}

BOOST_AUTO_TEST_SUITE_END()

/* SPDX-License-Identifier: MIT */
/* Whole machines: the results of a clock cycle do not depend on the order in which SystemC runs its blocks.
 * Unrelated modules with events of their own change that order; the results must stay. */
#include "mechanisms.inc"
#include "tb/platform/apu_rig.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

/* Wakes every `gap` until `last` and does nothing. */
class bystander final : public block
{
public:
    bystander(const sc_core::sc_module_name &name, tick gap, tick last)
        : block(name, gpu_clock), gap_(gap), last_(last)
    {
    }
    std::string waiting() const override { return ""; }

private:
    void start_of_simulation() override { wake(gap_); }
    void step(tick now) override
    {
        if (now < last_)
            wake(now + gap_);
    }
    tick gap_, last_;
};

/* Wakes blocks that have no work, some in each cycle. */
class nudger final : public block
{
public:
    nudger(const sc_core::sc_module_name &name, const std::vector<block *> &all)
        : block(name, gpu_clock), all_(all)
    {
        ww_rng_init(&rng_, 7);
    }
    std::string waiting() const override { return ""; }

private:
    void start_of_simulation() override { wake(0); }
    void step(tick now) override
    {
        for (int i = 0; i < 4; ++i) {
            block &b = *all_[ww_rng_below(&rng_, static_cast<uint32_t>(all_.size()))];
            b.wake(b.clock().ceil(now + cycle(ww_rng_below(&rng_, 3))));
        }
        if (now < cycle(100000))
            wake(now + cycle(1));
    }
    const std::vector<block *> all_;
    ww_rng rng_;
};

std::map<std::string, std::string> results(const gpu_machine_params &p, const trace &t, unsigned bystanders,
                                           bool nudged = false)
{
    simulation sim;
    std::vector<std::unique_ptr<bystander>> crowd;
    for (unsigned i = 0; i < bystanders; ++i)
        crowd.push_back(std::make_unique<bystander>(("bystander_" + std::to_string(i)).c_str(),
                                                    cycle(1 + i % 3), cycle(200000)));
    gpu_machine machine(p, t.reader());
    std::unique_ptr<nudger> hand;
    if (nudged)
        hand = std::make_unique<nudger>("nudger", machine.top().blocks());
    BOOST_REQUIRE((machine.run({}) == run_end::complete));
    stat_text text;
    machine.visit(text);
    for (auto it = text.all.begin(); it != text.all.end();)
        it = it->first.compare(0, 6, "model.") == 0 || it->first.compare(0, 7, "energy.") == 0
                 ? text.all.erase(it)
                 : std::next(it);
    return text.all;
}

/* Each wave also works in local memory. */
trace_spec rows_and_local()
{
    trace_spec spec = row_major(16, 24, 4, 16384);
    for (group_spec &g : spec.launches[0].groups)
        for (uint64_t k = 0; k < 6; ++k)
            g[0].records.insert(g[0].records.begin(), stride(WKT_LOCAL_STORE, k * 4, 8u << k));
    return spec;
}

const std::vector<std::string> &corners()
{
    static const std::vector<std::string> all = [] {
        std::vector<std::string> list = {
            "",
            "walk_unit.coalesce=full",
            "l1_tlb.queue_entries=2 l2_tlb.queue_entries=2 l1d.queue_entries=2 l2d.queue_entries=2",
            "coalescer.queue_entries=1 l1_tlb.queue_entries=1 l2_tlb.queue_entries=1 "
            "iommu_tlb.queue_entries=1 "
            "l1d.queue_entries=1 l2d.queue_entries=1 dram.queue_entries=1 l1_tlb.mshrs=4 cu.outstanding=2",
            "walk_unit.walk_path=l2d walk_unit.coalesce=leaf dram.queue_entries=2",
            "walk_unit.pte_cache_bytes=512 walk_unit.pte_cache_cycles=40 walk_unit.pte_cache_merge=true "
            "walk_unit.pwc_l2=0 "
            "walk_unit.pwc_l3=0 "
            "walk_unit.reply_cycles=0",
            "lds.banks=4 lds.queue_entries=1 gpu.cus=2 cu.memory_issues=2",
            "address_space.map=first_touch pager.mean_cycles=200 walk_unit.fault_entries=4 "
            "walk_unit.coalesce=full",
            "icache.entries=8 icache.ways=2 icache.queue_entries=1 icache.mshrs=2 gpu.cus=3 "
            "icache.shared_by=2",
        };
        for (const mechanism &m : mechanisms())
            add_all(list, m.corners);
        return list;
    }();
    return all;
}

} // namespace

BOOST_DATA_TEST_CASE(bystanders_do_not_change_the_results, data::make(corners()), settings)
{
    static test_share some(12);
    if (!some.takes())
        return;
    const trace t(rows_and_local());
    const gpu_machine_params p = configured(settings);
    const auto alone = results(p, t, 0);
    BOOST_TEST(alone.size() > 100u);
    for (const unsigned crowd : {1u, 3u, 7u}) {
        const auto watched = results(p, t, crowd);
        for (const auto &stat : alone)
            BOOST_TEST(watched.at(stat.first) == stat.second,
                       stat.first << " with " << crowd << " bystanders");
    }
}

BOOST_DATA_TEST_CASE(a_step_without_need_changes_nothing, data::make(corners()), settings)
{
    static test_share some(12);
    if (!some.takes())
        return;
    const trace t(rows_and_local());
    const gpu_machine_params p = configured(settings);
    const auto alone = results(p, t, 0);
    const auto nudged = results(p, t, 0, true);
    for (const auto &stat : alone)
        BOOST_TEST(nudged.at(stat.first) == stat.second, stat.first << " with blocks woken at random");
}

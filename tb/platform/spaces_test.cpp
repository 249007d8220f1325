/* SPDX-License-Identifier: MIT */
/* Several address spaces on one machine: programs with the same virtual addresses side by side never see each
 * other's translations, whatever level, walk, coalesced neighbour or walk cache they come from. */
#include "tb/platform/apu_rig.hpp"

#include <boost/test/data/test_case.hpp>

#include <set>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

/* Divergent rows, then scattered accesses: 28 work-groups on the same pages. */
const trace &small_trace()
{
    static const trace t([] {
        trace_spec spec = row_major(8, 6, 4, 16384);
        const trace_spec more = scatter(20, 8, 2 << 20, 30);
        for (const group_spec &g : more.launches[0].groups)
            spec.launches[0].groups.push_back(g);
        spec.launches.push_back(spec.launches[0]);
        return spec;
    }());
    return t;
}

/* Compares every translation that ends with the page tables. */
struct auditor final : account_observer {
    const address_spaces *spaces = nullptr;
    uint64_t seen = 0, wrong = 0;
    std::map<uint64_t, std::set<uint16_t>> vms_of_page;

    void on_closed(const block &, const xlat_request &r, tick) override
    {
        ww_xlat expected{};
        const bool mapped = (*spaces)[r.vmid].translate(r.va, &expected);
        ++seen;
        wrong += !mapped || r.fault || r.result.page_pa != expected.page_pa ||
                 r.result.page_shift != expected.page_shift;
        vms_of_page[r.va >> 12].insert(r.vmid);
    }
};

struct audit {
    uint64_t seen = 0, wrong = 0, shared_pages = 0;
};

audit run(const std::string &settings)
{
    const apu_params p = configured(settings);
    BOOST_REQUIRE(p.validate().empty());
    simulation sim;
    auto world = std::make_shared<memory_world>(p.address_space, small_trace().reader(), p.memory_end());
    auto made =
        std::make_unique<apu_top>("top", p.resolved(world->spaces.pages()), *world, small_trace().reader());
    auditor all;
    all.spaces = &world->spaces;
    for (coalescer *c : made->coalescer)
        c->watch(&all);
    machine m({world, std::move(made)});
    BOOST_TEST((m.run({}) == run_end::complete));
    for (const law &l : m.laws())
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
    audit out{all.seen, all.wrong, 0};
    for (const auto &page : all.vms_of_page)
        out.shared_pages += page.second.size() == p.address_space.spaces;
    return out;
}

const char *const machines[] = {
    "iommu.coalesce=off",
    "iommu.coalesce=leaf iommu.schedule=sjf address_space.frames=random",
    "iommu.coalesce=full l1_tlb.entries=4 l1_tlb.ways=4 l2_tlb.entries=8 l2_tlb.ways=4 l2_tlb.replace=random",
    "iommu.coalesce=full iommu.walkers=2 iommu.buffer_entries=4 iommu.backlog_entries=1",
    "iommu.pte_cache_bytes=1024 iommu.pte_cache_merge=true",
    "address_space.page=mixed l1_tlb.size_probe_cycles=2",
    "address_space.table=amd_v1 iommu.coalesce=full",
    "translation.ideal=infinite_l2",
    "translation.ideal=perfect_l1",
};

} // namespace

BOOST_AUTO_TEST_SUITE(address_spaces_side_by_side)

BOOST_DATA_TEST_CASE(no_translation_is_another_spaces, data::make(machines), settings)
{
    for (const std::string by : {"group", "launch"}) {
        const audit a =
            run("gpu.cus=2 address_space.spaces=2 dispatcher.space=" + by + " " + std::string(settings));
        BOOST_TEST_CONTEXT(by)
        {
            BOOST_TEST(a.wrong == 0u);
            BOOST_TEST(a.seen > 1000u);
            BOOST_TEST(a.shared_pages > 100u);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

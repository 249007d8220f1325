/* SPDX-License-Identifier: MIT */
/* Several address spaces on one machine: programs with the same virtual addresses never see each other's
 * translations, whatever level, walk, coalesced neighbour or walk cache provides them. */
#include "tb/platform/auditor.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

/* Divergent rows, then scattered accesses: 28 work-groups on the same pages. */
const trace &small_trace()
{
    static const trace t(rows_and_scattered(2));
    return t;
}

struct audit {
    uint64_t seen = 0, wrong = 0, shared_pages = 0;
};

audit run(const std::string &settings)
{
    const gpu_machine_params p = configured(settings);
    BOOST_REQUIRE(p.validate().empty());
    simulation sim;
    auto world = std::make_shared<memory_world>(p.address_space, small_trace().reader(), p.memory_end());
    auto made =
        std::make_unique<gpu_top>("top", p.resolved(world->spaces.pages()), *world, small_trace().reader());
    auditor all(world->spaces);
    for (coalescer *c : made->coalescer)
        c->watch(&all);
    machine m({world, std::move(made)});
    BOOST_TEST((m.run({}) == run_end::complete));
    for (const law &l : m.laws())
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
    audit out{all.seen, all.wrong + all.absent, 0};
    for (const auto &page : all.frames)
        out.shared_pages += page.second.size() == p.address_space.spaces;
    return out;
}

const char *const machines[] = {
    "walk_unit.coalesce=off",
    "walk_unit.coalesce=leaf walk_unit.schedule=sjf address_space.frames=random",
    ("walk_unit.coalesce=full l1_tlb.entries=4 l1_tlb.ways=4 l2_tlb.entries=8 l2_tlb.ways=4 "
     "l2_tlb.replace=random"),
    "walk_unit.coalesce=full walk_unit.walkers=2 walk_unit.buffer_entries=4 walk_unit.backlog_entries=1",
    "walk_unit.pte_cache_bytes=1024 walk_unit.pte_cache_merge=true",
    "address_space.page=mixed l1_tlb.size_probe_cycles=2",
    "address_space.table=amd_v1 walk_unit.coalesce=full",
    "translation.ideal=infinite_tlb",
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

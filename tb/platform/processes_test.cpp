/* SPDX-License-Identifier: MIT */
/* Several programs on one machine, each with a trace, a VM-ID and a page table of its own: every translation
 * is from its program's table, every law holds, and programs slow each other down where they share. */
#include "tb/platform/auditor.hpp"
#include "tb/platform/machines.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

/* Both on pages of the same virtual addresses: rows and then scattered accesses; and scattered ones alone,
 * over more pages. */
const trace &rows()
{
    static const trace t(rows_and_scattered(2));
    return t;
}
const trace &scattered()
{
    static const trace t([] {
        trace_spec spec = scatter(24, 8, 16 << 20, 30);
        spec.launches.push_back(spec.launches[0]);
        spec.launches.push_back(spec.launches[0]);
        return spec;
    }());
    return t;
}

program_list both()
{
    return program_list({rows().reader(), scattered().reader()});
}

/* Pages that both programs have, in different frames. */
uint64_t pages_of_two(const auditor &all)
{
    uint64_t n = 0;
    for (const auto &page : all.frames)
        n += page.second.size() == 2 && page.second.begin()->second != page.second.rbegin()->second;
    return n;
}

struct audit {
    uint64_t seen = 0, wrong = 0, pages_of_two = 0;
};

audit run(const std::string &settings)
{
    gpu_machine_params p = configured(settings);
    BOOST_REQUIRE(p.validate().empty());
    p.set_programs(2);
    simulation sim;
    auto world = std::make_shared<memory_world>(p.address_space, both(), p.memory_end());
    auto made = std::make_unique<gpu_top>("top", p.resolved(world->spaces.pages()), *world, both());
    auditor all(world->spaces);
    for (coalescer *c : made->coalescer)
        c->watch(&all);
    machine m({world, std::move(made)});
    BOOST_TEST((m.run({}) == run_end::complete));
    for (const law &l : m.laws())
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
    return {all.seen, all.wrong + all.absent, pages_of_two(all)};
}

const char *const machines[] = {
    "walk_unit.coalesce=off",
    "walk_unit.coalesce=full l1_tlb.entries=4 l1_tlb.ways=4 l2_tlb.entries=8 l2_tlb.ways=4 "
    "l2_tlb.replace=random",
    "walk_unit.coalesce=full walk_unit.walkers=2 walk_unit.buffer_entries=4 walk_unit.backlog_entries=1",
    "walk_unit.pte_cache_bytes=1024 walk_unit.pte_cache_merge=true address_space.table=amd_v1",
    "address_space.page=mixed l1_tlb.size_probe_cycles=2 l2_tlb.store=compressed",
    "address_space.map=first_touch walk_unit.coalesce=leaf",
    "victim.entries=64 l1_tlb.entries=4 l1_tlb.ways=4",
    ("lds.banks=32 lds_tx.translations=on icache.entries=64 icache_tx.translations=on l1_tlb.entries=4 "
     "l1_tlb.ways=4"),
    "translation.ideal=infinite_tlb",
    "translation.ideal=perfect_l1",
};

outcome of(const std::string &settings, const program_list &all)
{
    gpu_machine_params p = configured("gpu.cus=4 " + settings);
    outcome o = run_apu(p, all);
    BOOST_TEST((o.end == run_end::complete), o.stuck);
    for (const law &l : o.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
    return o;
}

std::string refusal(const std::string &settings, const program_list &all)
{
    try {
        run_apu(configured(settings), all);
    } catch (const std::runtime_error &e) {
        return e.what();
    }
    return "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(processes)

BOOST_DATA_TEST_CASE(no_program_sees_anothers_translation, data::make(machines), settings)
{
    static test_share some(3);
    for (const std::string how :
         {"dispatcher.shares=2", "dispatcher.on_switch=keep", "dispatcher.on_switch=flush",
          "dispatcher.shares=2 dispatcher.again=false"}) {
        if (!some.takes())
            continue;
        const audit a = run("gpu.cus=4 " + how + " " + std::string(settings));
        BOOST_TEST_CONTEXT(how)
        {
            BOOST_TEST(a.wrong == 0u);
            BOOST_TEST(a.seen > 1000u);
            BOOST_TEST(a.pages_of_two > 100u);
        }
    }
}

/* The first program cannot use the second's units, and loses a part of TLBs, walks and memory to it. */
BOOST_AUTO_TEST_CASE(beside_another_a_program_takes_longer_than_alone_in_its_share)
{
    const std::string halves = "dispatcher.shares=2 ";
    const uint64_t first = of(halves, rows().reader()).cycles,
                   second = of(halves, scattered().reader()).cycles;
    const outcome together = of(halves + "dispatcher.again=false", both());
    BOOST_TEST(together.count("gpu.program_0.cycles") > first + first / 20);
    BOOST_TEST(together.count("gpu.program_1.cycles") > second + second / 20);
    BOOST_TEST(together.cycles ==
               std::max(together.count("gpu.program_0.cycles"), together.count("gpu.program_1.cycles")));
}

BOOST_AUTO_TEST_CASE(in_turns_kept_entries_are_found_again_and_flushed_ones_are_not)
{
    const std::string turns = "dispatcher.again=false l2_tlb.entries=8192 dispatcher.on_switch=";
    const outcome kept = of(turns + "keep", both()), flushed = of(turns + "flush", both());
    BOOST_TEST(kept.count("gpu.switches") == 3u);
    BOOST_TEST(flushed.count("gpu.flushes") == 3u);
    BOOST_TEST(kept.count("walk_unit.invalidates") == 0u);
    BOOST_TEST(flushed.count("walk_unit.invalidates") == 3u);
    for (const std::string vm : {"vm_0", "vm_1"})
        BOOST_TEST(flushed.count("l2_tlb." + vm + ".misses") >
                   3 * kept.count("l2_tlb." + vm + ".misses") / 2);
}

/* One program has no separate statistics. */
BOOST_AUTO_TEST_CASE(one_program_has_no_statistics_of_several)
{
    for (const auto &s : of("", rows().reader()).stats)
        BOOST_TEST(
            (s.first.find("vm_0") == std::string::npos && s.first.find("program_0") == std::string::npos),
            s.first);
}

BOOST_AUTO_TEST_CASE(equal_programs_in_equal_shares_fare_alike)
{
    const outcome o = of("dispatcher.shares=2", program_list({scattered().reader(), scattered().reader()}));
    const auto first = static_cast<double>(o.count("gpu.program_0.cycles"));
    BOOST_TEST(first == static_cast<double>(o.count("gpu.program_1.cycles")),
               boost::test_tools::tolerance(0.02));
    BOOST_TEST(o.count("coalescer.vm_0.translations") > o.count("coalescer.translations") / 3);
}

/* The same code twice has two places in physical memory. */
BOOST_AUTO_TEST_CASE(code_of_two_programs_lies_apart)
{
    trace_spec spec = row_major(4, 6, 4, 4096);
    for (uint32_t k = 0; k < 6; ++k)
        for (group_spec &g : spec.launches[0].groups)
            g[0].records[k].pc = k * 64;
    const trace file(spec);
    const std::string fetched = "icache.entries=1024 icache.shared_by=4 dispatcher.again=false";
    const outcome one = of(fetched, file.reader()),
                  two = of(fetched, program_list({file.reader(), file.reader()}));
    BOOST_TEST(one.count("icache.misses") > 5u);
    BOOST_TEST(two.count("icache.misses") == 2 * one.count("icache.misses"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused)
{
    BOOST_TEST(
        refusal("dispatcher.shares=2", program_list({rows().reader(), rows().reader(), rows().reader()})) ==
        "3 programs at a time: dispatcher.shares = 2 is neither 1, which is for taking turns, nor enough");
    BOOST_TEST(refusal("address_space.spaces=2", both()) ==
               "2 programs at a time: each has an address space of its own, and address_space.spaces = 2 is "
               "for one");
    BOOST_TEST(refusal("", program_list(std::vector<wkt_reader *>(17, rows().reader()))) ==
               "17 programs at a time: there are VM-IDs for 16");
    BOOST_TEST(run_apu(configured("dispatcher.shares=3"), both()).stats.at("refused") ==
               "dispatcher: shares = 3 does not divide gpu.cus = 8");
}

BOOST_DATA_TEST_CASE(every_machine_runs_two,
                     data::make({"mmu-hpca14", "mmu-hpca14-design2", "mmu-hpca14-shared-l2"}), machine)
{
    static test_share some(1);
    if (!some.takes())
        return;
    for (const std::string how : {"dispatcher.shares=2", "dispatcher.on_switch=flush"}) {
        const auto config = config_of({machine, how});
        simulation sim;
        const auto m = config->build(both());
        BOOST_TEST((m->run({}) == run_end::complete), m->stuck());
        for (const law &l : m->laws())
            BOOST_TEST(l.holds(), machine << ": " << l.name << ": " << l.left << " and " << l.right);
    }
}

BOOST_AUTO_TEST_SUITE_END()

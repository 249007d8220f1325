/* SPDX-License-Identifier: MIT */
/* Whole machines whose pages are not all mapped before time zero: each touched page is mapped once, to the
 * frame that was laid out for it, every translation ends with it, and the rest is unchanged. */
#include "platforms/gpu.hpp"
#include "tb/platform/auditor.hpp"
#include "tb/support/block_numbers.hpp"

#include <boost/test/data/test_case.hpp>

#include <set>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace platform_faults
{

const std::string brief = "pager.mean_cycles=300 ", tight_pager = "pager.entries=1 pager.queue_entries=1 ";

/* Divergent rows, then scattered accesses, in two launches. */
const trace &program()
{
    static const trace t(in_buffers(rows_and_scattered(2), {700000, 2621440, 5 << 20}));
    return t;
}

template <class M> gpu_machine_params with(const std::string &settings)
{
    gpu_machine_params p = shipped<M>();
    param_setter set(settings);
    p.visit(set);
    BOOST_REQUIRE(set.unused().empty());
    BOOST_TEST(p.validate() == "");
    return p;
}

/* One run, and which of the touched pages were absent before it. */
template <class M> struct run_of {
    std::map<std::string, std::string> stats;
    uint64_t absent = 0, touched = 0;

    explicit run_of(const std::string &settings)
    {
        const gpu_machine_params p = with<M>(settings);
        simulation sim;
        memory_store other;
        address_space_params whole = p.address_space;
        whole.map = 0;
        const address_spaces laid_out(whole, ranges_of(program().reader()), other);
        auto world =
            std::make_shared<memory_world>(p.address_space_of_run(), program().reader(), p.memory_end());
        auto made =
            std::make_unique<gpu_top>("top", p.resolved(world->spaces.pages()), *world, program().reader());
        auditor all(laid_out);
        for (coalescer *c : made->coalescer)
            c->watch(&all);
        const auto absences = absent_in(world->spaces, laid_out);
        machine m({world, std::move(made)});
        BOOST_TEST((m.run({}) == run_end::complete), m.stuck());
        for (const law &l : m.laws())
            BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
        BOOST_TEST(all.seen > 500u);
        BOOST_TEST(all.wrong == 0u);
        stat_text text;
        m.visit(text);
        stats = text.all;
        const pages used = pages_of(all);
        touched = used.size();
        for (const auto &page : used)
            absent += absences.count(page);
        same_tables(world->spaces, laid_out, used, absences);
    }
    uint64_t count(const std::string &name) const { return std::stoull(stats.at(name)); }

private:
    using pages = std::set<std::pair<uint16_t, uint64_t>>; /* VM-ID, frame */
    static pages pages_of(const auditor &a)
    {
        pages all;
        for (const auto &page : a.frames)
            all.insert(page.second.begin(), page.second.end());
        return all;
    }
    template <class F> static void each_page(const address_spaces &laid_out, F f)
    {
        for (uint16_t vm = 0; vm < laid_out.count(); ++vm)
            for (const va_range &r : ranges_of(program().reader()))
                for (uint64_t va = r.base_va; va < r.base_va + r.bytes; va += 4096) {
                    ww_xlat x{};
                    BOOST_REQUIRE(laid_out[vm].translate(va, &x));
                    f(vm, va, x.page_pa);
                }
    }
    static pages absent_in(const address_spaces &spaces, const address_spaces &laid_out)
    {
        pages all;
        each_page(laid_out, [&](uint16_t vm, uint64_t va, uint64_t page_pa) {
            ww_xlat x{};
            if (!spaces[vm].translate(va, &x))
                all.emplace(vm, page_pa);
        });
        return all;
    }
    /* At the end memory maps the pages of the start and the touched ones, and nothing else. */
    static void same_tables(const address_spaces &spaces, const address_spaces &laid_out,
                            const pages &touched, const pages &absences)
    {
        uint64_t wrong = 0;
        each_page(laid_out, [&](uint16_t vm, uint64_t va, uint64_t page_pa) {
            ww_xlat x{};
            const bool there = spaces[vm].translate(va, &x);
            const std::pair<uint16_t, uint64_t> page{vm, page_pa};
            wrong += there != (absences.count(page) == 0 || touched.count(page) != 0);
            wrong += there && x.page_pa != page_pa;
        });
        BOOST_TEST(wrong == 0u);
    }
};

using apu_run = run_of<apu_machine>;
using mmu_run = run_of<mmu_machine>;

template <class R> void maps_each_page_once(const R &run, const std::string &walks)
{
    BOOST_TEST(run.count("pager.pages_mapped") == run.absent);
    BOOST_TEST(run.count("pager.refused") == 0u);
    BOOST_TEST(run.count("gpu.page_faults") == 0u);
    BOOST_TEST(run.absent > 0u);
    BOOST_TEST(run.count("pager.lines_written") >= run.absent);
    BOOST_TEST(run.count(walks + ".faults_parked") >= run.absent);
    BOOST_TEST(run.count("account.fault_service") > 0u);
}

const char *const apu_settings[] = {
    "",
    "walk_unit.coalesce=leaf walk_unit.schedule=sjf",
    "walk_unit.coalesce=full address_space.spaces=2 dispatcher.space=group address_space.frames=random",
    "walk_unit.coalesce=full walk_unit.fault_entries=1 pager.entries=1 pager.queue_entries=1",
    "walk_unit.walkers=1 walk_unit.buffer_entries=1 walk_unit.backlog_entries=0 "
    "walk_unit.walk_queue_entries=1 "
    "walk_unit.fault_entries=1 pager.entries=1 pager.queue_entries=1 l2_tlb.mshrs=2 l1_tlb.mshrs=1",
    "walk_unit.fault_entries=4096 pager.mean_cycles=0 pager.latency=constant pager.entries=4096",
    "address_space.page=64k walk_unit.coalesce=full address_space.spaces=2",
    "address_space.page=mixed walk_unit.coalesce=leaf pager.latency=uniform",
    "address_space.buffer_pages=1:2m+2:64k walk_unit.coalesce=full",
    "address_space.page=64k address_space.buffer_pages=0:4k+3:mixed address_space.table=hashed",
    "address_space.buffer_pages=0-1:64k+3:2m address_space.table=nested address_space.spaces=2",
    "address_space.page=mixed address_space.table=amd_v1 walk_unit.coalesce=full",
    "address_space.table=amd_v1 address_space.levels=6 walk_unit.fault_entries=3",
    "address_space.table=nested walk_unit.coalesce=full address_space.spaces=2 walk_unit.fault_entries=3",
    "address_space.table=nested address_space.paging=host address_space.page=mixed walk_unit.coalesce=full",
    "address_space.table=nested address_space.paging=host address_space.page=64k "
    "walk_unit.pte_cache_bytes=1024",
    "address_space.levels=5 walk_unit.walk_path=l2d walk_unit.pte_cache_bytes=1024 "
    "walk_unit.pte_cache_merge=true",
    "walk_unit.pte_cache_bytes=4096 walk_unit.coalesce=full walk_unit.walkers=2 walk_unit.fault_entries=2",
    "iommu_tlb.tlb1_entries=0 iommu_tlb.tlb2_entries=0 l1_tlb.victims=pass",
    "translation.ideal=unlimited_walkers",
    "translation.ideal=zero_walk walk_unit.coalesce=full",
    "translation.ideal=infinite_tlb walk_unit.walk_path=l2d",
};

const char *const mmu_settings[] = {
    "",
    "gpu.cus=3 walk_unit.walkers=8 walk_unit.coalesce=full walk_unit.fault_entries=2 pager.entries=1",
    "gpu.cus=16 walk_unit.fault_entries=1 pager.entries=1 pager.queue_entries=1 walk_unit.buffer_entries=1",
    "address_space.spaces=3 dispatcher.space=group address_space.page=64k",
    "address_space.page=mixed walk_unit.pte_cache_bytes=1024 walk_unit.pwc_l2=8",
    "address_space.page=2m gpu.cus=8",
};

} // namespace platform_faults

using namespace platform_faults;

BOOST_AUTO_TEST_SUITE(faults)

BOOST_DATA_TEST_CASE(the_apu_maps_each_page_once_when_it_is_touched, data::make(apu_settings), settings)
{
    const apu_run r(brief + "address_space.map=first_touch " + settings);
    maps_each_page_once(r, "walk_unit");
    BOOST_TEST(r.absent == r.touched);
    BOOST_TEST(r.count("model.pages") == 0u);
}

BOOST_DATA_TEST_CASE(the_mmu_maps_each_page_once_whichever_unit_touches_it, data::make(mmu_settings),
                     settings)
{
    const mmu_run r(brief + "address_space.map=first_touch " + settings);
    maps_each_page_once(r, "walk_unit");
    BOOST_TEST(r.absent == r.touched);
}

BOOST_DATA_TEST_CASE(with_half_of_the_pages_mapped_the_other_half_is, data::make(apu_settings), settings)
{
    const apu_run r(brief + "address_space.map=half " + settings);
    if (r.touched < 8)
        return; /* large pages */
    maps_each_page_once(r, "walk_unit");
    BOOST_TEST(r.absent < r.touched);
}

/* Counts pages in the order of the buffers, in each space. */
BOOST_AUTO_TEST_CASE(half_is_the_first_page_the_third_and_so_on)
{
    memory_store store;
    address_space_params p = numbers_of<address_space_params>();
    p.map = static_cast<uint8_t>(map_mode::half);
    p.spaces = 2;
    const uint64_t a = uint64_t{1} << 32, b = uint64_t{3} << 33;
    const address_spaces spaces(p, {{a, 3 * 4096}, {b, 4 * 4096}}, store);
    for (uint16_t vm = 0; vm < 2; ++vm) {
        std::string there;
        for (uint64_t page = 0; page < 7; ++page) {
            ww_xlat x;
            there += spaces[vm].translate(page < 3 ? a + page * 4096 : b + (page - 3) * 4096, &x) ? '1' : '0';
        }
        BOOST_TEST(there == "1010101");
    }
    BOOST_TEST(spaces.pages() == 14u);
    BOOST_TEST(spaces.pages_at_start() == 8u);
}

/* Faults are handled one after the other: the machine takes at least that long. */
BOOST_AUTO_TEST_CASE(pages_are_handled_one_at_a_time)
{
    const auto run = [](const char *cycles) {
        return run_apu(configured(std::string("address_space.map=first_touch pager.latency=constant "
                                              "pager.mean_cycles=") +
                                  cycles),
                       program());
    };
    const outcome slow = run("5000"), fast = run("100");
    BOOST_TEST(slow.cycles >= slow.count("pager.pages_mapped") * 5000);
    BOOST_TEST(fast.cycles < slow.cycles);
    BOOST_TEST(slow.count("pager.busy_ps") >= slow.count("pager.pages_mapped") * cycle(5000));
    BOOST_TEST(slow.count("pager.busy_ps") <= slow.cycles * cycle(1));
}

/* 64 pages below the buffer, which no space has. */
BOOST_DATA_TEST_CASE(a_page_that_nobody_has_is_refused_and_the_program_goes_on,
                     data::make({"", "walk_unit.fault_entries=1 pager.entries=1", "walk_unit.coalesce=full"}),
                     settings)
{
    trace_spec spec = row_major(6, 4, 4, 16384);
    for (group_spec &g : spec.launches[0].groups)
        g[0].records.insert(g[0].records.begin() + 1, stride(WKT_LOAD, buffer_va - 64 * 4096, 4096));
    const trace t(spec);
    const outcome all = run_apu(configured(settings), t);
    const outcome lazy = run_apu(configured(brief + "address_space.map=first_touch " + settings), t);
    BOOST_TEST((lazy.end == run_end::complete), lazy.stuck);
    for (const law &l : lazy.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
    BOOST_TEST(all.count("gpu.page_faults") > 0u);
    BOOST_TEST(lazy.count("gpu.page_faults") == all.count("gpu.page_faults"));
    BOOST_TEST(lazy.count("pager.refused") > 0u);
    BOOST_TEST(lazy.count("walk_unit.faults_refused") >= lazy.count("pager.refused"));
}

/* The machines are shipped with all pages mapped. */
BOOST_AUTO_TEST_CASE(with_all_pages_mapped_there_is_no_pager_and_nothing_of_it_matters)
{
    const auto without_facts = [](outcome o) {
        for (auto it = o.stats.begin(); it != o.stats.end();)
            it = it->first.compare(0, 6, "model.") == 0 ? o.stats.erase(it) : std::next(it);
        return o.stats;
    };
    const outcome plain = run_apu(configured(""), program());
    BOOST_TEST(plain.stats.count("pager.faults") == 0u);
    BOOST_TEST(plain.stats.count("walk_unit.faults_parked") == 0u);
    const std::string other =
        "walk_unit.fault_entries=1 pager.entries=1 pager.queue_entries=1 pager.latency=constant "
        "pager.mean_cycles=9 pager.seed=9";
    const gpu_machine_params p = configured(other);
    BOOST_TEST((without_facts(run_apu(p, program())) == without_facts(plain)));
    param_setter all;
    gpu_machine_params(p).visit(all);
    for (const std::string &name : all.names)
        BOOST_TEST(((p.overruled_by(name) == "address_space.map") ==
                    ((" " + other).find(" " + name + "=") != std::string::npos)),
                   name);
    BOOST_TEST(configured("address_space.map=half").overruled_by("pager.seed") == "");
}

/* They send no request below. */
BOOST_DATA_TEST_CASE(on_the_ladders_upper_rungs_all_pages_are_mapped, data::make({"perfect_l1", "none"}),
                     rung)
{
    const std::string ideal = std::string("translation.ideal=") + rung;
    const outcome all = run_apu(configured(ideal), program());
    const outcome lazy = run_apu(configured(ideal + " address_space.map=first_touch"), program());
    BOOST_TEST((all.stats == lazy.stats));
    BOOST_TEST(configured(ideal).overruled_by("address_space.map") == "translation.ideal");
    BOOST_TEST(configured(ideal).overruled_by("pager.seed") == "translation.ideal");
    BOOST_TEST(configured("").overruled_by("address_space.map") == "");
}

BOOST_AUTO_TEST_CASE(another_seed_is_another_run_and_the_same_seed_the_same)
{
    const auto cycles = [](const char *seed) {
        return run_apu(configured(std::string("address_space.map=first_touch pager.seed=") + seed), program())
            .cycles;
    };
    BOOST_TEST(cycles("3") == cycles("3"));
    BOOST_TEST(cycles("3") != cycles("4"));
}

/* The estimate of host memory, which may refuse a run, includes plan and layout. */
BOOST_AUTO_TEST_CASE(the_estimate_of_the_hosts_memory_counts_the_plan)
{
    const std::vector<space_ranges> ranges = {{{buffer_va, uint64_t{1} << 30}}};
    const uint64_t tables = address_space::table_bytes(numbers_of<address_space_params>(), ranges);
    for (const char *map : {"first_touch", "half"})
        BOOST_TEST(configured(std::string("address_space.map=") + map).memory_bytes(ranges) >=
                   configured("").memory_bytes(ranges) + 2 * tables);
}

BOOST_AUTO_TEST_SUITE_END()

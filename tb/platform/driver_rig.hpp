/* SPDX-License-Identifier: MIT */
/* Whole machines with a driver, audited while pages are moved: every completed translation is where its page
 * is used at that moment, no two pages are used in one place, and none is lost. */
#ifndef WW_TB_PLATFORM_DRIVER_RIG_HPP
#define WW_TB_PLATFORM_DRIVER_RIG_HPP

#include "model/driver.hpp"
#include "model/os_event.hpp"
#include "platforms/gpu.hpp"
#include "tb/platform/apu_rig.hpp"

#include <map>
#include <string>
#include <vector>

namespace walkway::test
{

/* Rows, then accesses all over four regions of 2 MiB, three times. */
inline const trace &program()
{
    static const trace t([] {
        trace_spec spec = row_major(8, 6, 4, 16384);
        const trace_spec more = scatter(20, 8, 8 << 20, 30);
        for (const group_spec &g : more.launches[0].groups)
            spec.launches[0].groups.push_back(g);
        for (unsigned i = 0; i < 2; ++i)
            spec.launches.push_back(spec.launches[0]);
        spec.buffers = more.buffers;
        return spec;
    }());
    return t;
}

/* Regions of 2 MiB in this order, one kernel each: two lines of every page, other ones each time; the first
 * of the two is loaded or stored. */
inline trace phases(const std::vector<uint64_t> &regions, uint64_t bytes = 8 << 20, wkt_kind first = WKT_LOAD)
{
    trace_spec spec;
    for (size_t n = 0; n < regions.size(); ++n) {
        std::vector<group_spec> groups;
        for (uint64_t w = 0; w < 8; ++w) {
            const uint64_t va = buffer_va + regions[n] * (2 << 20) + w * 64 * 4096 + n * 128;
            wave_spec wave;
            wave.records = {stride(first, va, 4096), stride(WKT_LOAD, va + 64, 4096)};
            groups.push_back({wave});
        }
        const trace_spec one = one_launch(groups, bytes);
        spec.buffers = one.buffers;
        spec.launches.push_back(one.launches[0]);
    }
    return trace(spec);
}

/* Records where each page is used, as the driver reports it. */
struct places_audit final : account_observer, observer {
    std::map<uint64_t, uint64_t> used_at; /* by virtual address of a page: physical address */
    std::map<uint64_t, uint64_t> page_at; /* the reverse */
    uint64_t seen = 0, wrong = 0, twice = 0, moves = 0, remote = 0;
    uint64_t host_pa = 0;
    uint8_t page_shift = 12;

    void on_closed(const block &, const xlat_request &r, tick) override
    {
        ++seen;
        const auto page = used_at.find(r.va >> page_shift << page_shift);
        const bool right = !r.fault && page != used_at.end() && page->second == r.result.page_pa;
        wrong += right ? 0 : 1;
        remote += right && page->second >= host_pa ? 1 : 0;
    }
    void on_event(const observed_event &e) override
    {
        if (e.kind != &driver_events::lies)
            return;
        ++moves;
        if (used_at.count(e.a) != 0)
            page_at.erase(used_at.at(e.a));
        used_at.erase(e.a);
        if (e.b == 0)
            return;
        twice += page_at.count(e.b);
        used_at[e.a] = e.b;
        page_at[e.b] = e.a;
    }
};

template <class M> struct run_of {
    std::map<std::string, std::string> stats;
    uint64_t seen = 0, remote = 0, cycles = 0;

    explicit run_of(const std::string &settings, const std::vector<os_event> &events = {},
                    const trace &t = program())
    {
        gpu_machine_params p = shipped<M>();
        param_setter set("address_space.map=first_touch pager.mean_cycles=150 " + settings);
        p.visit(set);
        BOOST_REQUIRE(set.unused().empty());
        BOOST_REQUIRE(p.validate() == "");
        simulation sim;
        auto world = std::make_shared<memory_world>(p.address_space_of_run(), t.reader(), p.memory_end());
        auto made = std::make_unique<gpu_top>("top", p.resolved(world->spaces.pages()), *world,
                                              program_list({t.reader()}, events));
        gpu_top &top = *made;
        places_audit all;
        all.host_pa = p.memory_end();
        all.page_shift = p.address_space.page_shift();
        const uint64_t page_bytes = uint64_t{1} << all.page_shift;
        for (coalescer *each : top.coalescer)
            each->watch(&all);
        top.driver.at(0)->attach(&all);
        for (const va_range &r : ranges_of(t.reader())) /* pages that exist before time zero */
            for (uint64_t va = r.base_va; va < r.base_va + r.bytes; va += page_bytes) {
                ww_xlat x{};
                if (world->spaces[0].translate(va, &x))
                    all.on_event(
                        {0, nullptr, &driver_events::lies, va & ~(page_bytes - 1), x.page_pa, nullptr});
            }
        machine m({world, std::move(made)});
        BOOST_TEST((m.run({}) == run_end::complete), m.stuck());
        for (const law &l : m.laws())
            BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
        BOOST_TEST(all.seen > 0u);
        seen = all.seen;
        BOOST_TEST(all.wrong == 0u);
        BOOST_TEST(all.twice == 0u);
        remote = all.remote;
        cycles = m.cycles();
        stat_text text;
        m.visit(text);
        stats = text.all;
        /* At the end memory must agree with the driver on every page. */
        uint64_t lost = 0;
        for (const va_range &r : ranges_of(t.reader()))
            for (uint64_t va = r.base_va; va < r.base_va + r.bytes; va += page_bytes) {
                ww_xlat x{};
                const bool there = world->spaces[0].translate(va, &x);
                const auto page = all.used_at.find(va & ~(page_bytes - 1));
                lost += there != (page != all.used_at.end()) || (there && x.page_pa != page->second) ? 1 : 0;
            }
        BOOST_TEST(lost == 0u);
        BOOST_TEST(count("gpu.page_faults") == 0u);
    }
    uint64_t count(const std::string &name) const { return std::stoull(stats.at(name)); }
};

using apu_run = run_of<apu_machine>;
using mmu_run = run_of<mmu_machine>;

} // namespace walkway::test

#endif

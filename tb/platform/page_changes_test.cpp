/* SPDX-License-Identifier: MIT */
/* Whole machines whose pager unmaps pages, moves them and takes rights away while a program runs, one page or
 * many per invalidate, with flushes of a page, a range, an address space and everything in between: every
 * completed translation is the table's, or that of before an unacknowledged change; no line of frames that a
 * page has left is read; and faulting pages are mapped again. 20 seeds, 5 in short tests, or WALKWAY_SEEDS of
 * them, from 1 or WALKWAY_FIRST_SEED on. */
#include "model/data_cache.hpp"
#include "model/os_event.hpp"
#include "platforms/gpu.hpp"
#include "tb/model/invalidate_peers.hpp"
#include "tb/platform/auditor.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>

#include <array>
#include <cstdlib>
#include <set>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace page_changes
{

const trace &program()
{
    static const trace t(in_buffers(rows_and_scattered(4), {700000, 2621440, 5 << 20}));
    return t;
}

/* Up to four changes at a time, of pages without another open change. */
struct changer final : account_observer, observer {
    using page = std::pair<uint16_t, uint64_t>; /* VM-ID, first address */

    memory_world &world;
    pager &pages;
    std::function<bool()> running;
    uint64_t asked = 0, done = 0, changed = 0, exchanged = 0, seen = 0, old_used = 0, read_only = 0;
    uint64_t wrong = 0, late = 0; /* must stay 0 */

    changer(memory_world &w, pager &p, uint64_t seed) : world(w), pages(p)
    {
        ww_rng_init(&random_, seed);
        for (uint16_t vm = 0; vm < world.spaces.count(); ++vm)
            for (const va_range &r : ranges_of(program().reader()))
                for (uint64_t va = r.base_va; va < r.base_va + r.bytes; va += 4096)
                    names_.push_back({vm, first_of(vm, va)});
        for (unsigned i = 0; i < 4; ++i)
            clockwork_.at(cycle(700 + 31 * i), [this] { ask(); });
    }
    void on_closed(const block &, const xlat_request &r, tick) override
    {
        const page p{r.vmid, first_of(r.vmid, r.va)};
        ww_xlat there{};
        const bool mapped = world.spaces[r.vmid].translate(r.va, &there);
        const bool present = mapped && !r.fault && same(r.result, there);
        const auto open = open_.find(p);
        const bool before = open != open_.end() && !r.fault && same(r.result, open->second);
        ++seen;
        recent_[seen % recent_.size()] = p;
        old_used += !present && before;
        read_only += present && (there.perm & WW_PERM_W) == 0;
        wrong += !present && !before;
    }
    void on_event(const observed_event &e) override
    {
        const bool read = e.b == 0;
        if (e.kind == &cache_events::hit || e.kind == &cache_events::miss)
            late += read && freed_.count(e.a >> 12) != 0 && !taken_again(e.a >> 12);
    }

private:
    static bool same(const ww_xlat &a, const ww_xlat &b)
    {
        return a.page_pa == b.page_pa && a.page_shift == b.page_shift && a.perm == b.perm;
    }
    uint64_t first_of(uint16_t vm, uint64_t va) const
    {
        uint64_t first = va;
        BOOST_REQUIRE(world.spaces[vm].page_of(va, &first));
        return first;
    }
    /* Any page or, two times in three, one that has just been used. */
    page some_page()
    {
        const uint32_t n = ww_rng_below(&random_, 3 * static_cast<uint32_t>(recent_.size()));
        return n < 2 * recent_.size() && seen > recent_.size()
                   ? recent_[n / 2]
                   : names_[ww_rng_below(&random_, static_cast<uint32_t>(names_.size()))];
    }
    /* Returns whether a freed frame is another page's now; its accesses are then legal. */
    bool taken_again(uint64_t frame)
    {
        for (const page &p : names_) {
            const ww_xlat x = world.spaces[p.first].lies(p.second);
            if (frame - (x.page_pa >> 12) < uint64_t{1} << (x.page_shift - 12)) {
                freed_.erase(frame);
                return true;
            }
        }
        return false;
    }
    /* One page or, one time in four, up to forty. */
    page_span some_span()
    {
        const page p = some_page();
        const uint64_t bytes = ww_rng_below(&random_, 4) == 0 ? 4096 * (1 + ww_rng_below(&random_, 40)) : 1;
        return {p.second, bytes, p.first};
    }
    /* Exchanges the frames of all pages of two VM-IDs, if no other change is open. Returns whether it did. */
    bool exchange()
    {
        const auto n = static_cast<uint32_t>(world.spaces.count());
        if (n == 1 || !open_.empty() || ww_rng_below(&random_, 8) != 0)
            return false;
        const auto a = static_cast<uint16_t>(ww_rng_below(&random_, n));
        const auto b = static_cast<uint16_t>((a + 1 + ww_rng_below(&random_, n - 1)) % n);
        for (const page &p : names_)
            if (p.first == a || p.first == b) {
                const auto here = pages_in({p.second, 1, p.first});
                open_.insert(here.begin(), here.end());
            }
        ++asked;
        ++exchanged;
        pages.exchange(a, b, [this, a, b](tick, const change_result &) {
            ++done;
            for (const page &p : names_) /* changes of other pages may be open by now */
                if (p.first == a || p.first == b)
                    open_.erase(p);
            again(1 + ww_rng_below(&random_, 300));
        });
        return true;
    }
    void ask()
    {
        if (exchange())
            return;
        const page_span of = some_span();
        const std::map<page, ww_xlat> before = pages_in(of);
        for (const auto &[p, lies] : before)
            if (open_.count(p) != 0) {
                again(1);
                return;
            }
        open_.insert(before.begin(), before.end());
        const auto what = static_cast<page_change>(ww_rng_below(&random_, 5));
        ++asked;
        pages.change(what, of, [this, before](tick, const change_result &c) {
            BOOST_TEST(c.changed + c.same == before.size());
            ++done;
            changed += c.changed;
            for (const auto &[p, lies] : before) {
                open_.erase(p);
                if (world.spaces[p.first].lies(p.second).page_pa != lies.page_pa)
                    for (uint64_t frame = 0; frame < uint64_t{1} << (lies.page_shift - 12); ++frame)
                        freed_.insert((lies.page_pa >> 12) + frame);
            }
            again(1 + ww_rng_below(&random_, 300));
        });
    }
    /* The pages of a span with what the table has for them, or will have after a fault. */
    std::map<page, ww_xlat> pages_in(const page_span &of) const
    {
        std::map<page, ww_xlat> in;
        for (uint64_t va = of.va; va - of.va < of.bytes; va += 4096) {
            uint64_t first = va;
            if (!world.spaces[of.vmid].page_of(va, &first))
                continue;
            ww_xlat x = world.spaces[of.vmid].lies(first);
            world.spaces[of.vmid].translate(first, &x); /* its rights, if it is mapped */
            in.emplace(page{of.vmid, first}, x);
        }
        return in;
    }
    void again(uint64_t after)
    {
        if (running() && asked < 1500)
            clockwork_.at(gpu_clock.ceil(clockwork_.now()) + cycle(after), [this] { ask(); });
    }

    std::vector<page> names_;
    std::array<page, 32> recent_{};
    std::map<page, ww_xlat> open_; /* unacknowledged changes, and where the page was */
    std::set<uint64_t> freed_;
    ww_rng random_{};
    actor clockwork_{"changer"};
};

/* Flushes of a page, of up to forty, of an address space and of everything, at random cycles. Walks in scope
 * restart: if wide scopes were closer together than a walk is long, no walk would end. */
std::vector<os_event> flushes(uint64_t seed, uint32_t spaces)
{
    ww_rng random{};
    ww_rng_init(&random, ~seed);
    const std::vector<va_range> buffers = ranges_of(program().reader());
    std::vector<os_event> list(60);
    uint64_t cycle = 900;
    for (os_event &e : list) {
        const va_range &r = buffers[ww_rng_below(&random, static_cast<uint32_t>(buffers.size()))];
        const uint64_t va = r.base_va + ww_rng_below(&random, static_cast<uint32_t>(r.bytes));
        const auto vm = static_cast<uint16_t>(ww_rng_below(&random, spaces));
        const uint32_t n = ww_rng_below(&random, 16);
        e.where = "flushes";
        e.number = cycle;
        e.tables = n < 2;
        e.scope = n == 0   ? ww_inval_all()
                  : n == 1 ? ww_inval_space(vm)
                           : ww_inval_range(va, n < 9 ? 1 : 4096 * (n - 8) * 6, vm);
        cycle += (e.tables ? 6000 : 100) + ww_rng_below(&random, 600);
    }
    return list;
}

template <class M> struct run_of {
    std::map<std::string, std::string> stats;
    uint64_t seen, old_used, read_only, exchanged;

    run_of(const std::string &settings, uint64_t seed)
    {
        gpu_machine_params p = shipped<M>();
        param_setter set(
            settings + " pager.mean_cycles=150 address_space.map=" + (seed % 2 != 0 ? "half" : "all_paged"));
        p.visit(set);
        BOOST_REQUIRE(set.unused().empty());
        BOOST_REQUIRE(p.validate() == "");
        simulation sim;
        auto world = std::make_shared<memory_world>(p.address_space, program().reader(), p.memory_end());
        auto made = std::make_unique<gpu_top>(
            "top", p.resolved(world->spaces.pages()), *world,
            program_list({program().reader()}, flushes(seed, world->spaces.count())));
        gpu_top &top = *made;
        changer c(*world, *top.pager[0], seed);
        c.running = [&top] { return !top.dispatcher.done(); };
        for (coalescer *each : top.coalescer)
            each->watch(&c);
        for (block *b : top.blocks())
            if (dynamic_cast<data_cache *>(b) != nullptr)
                b->attach(&c);
        machine m({world, std::move(made)});
        BOOST_TEST((m.run({}) == run_end::complete), m.stuck());
        for (const law &l : m.laws())
            BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
        BOOST_TEST(c.wrong == 0u);
        BOOST_TEST(c.late == 0u);
        BOOST_TEST(c.done == c.asked);
        BOOST_TEST(c.done > 20u);
        seen = c.seen;
        old_used = c.old_used;
        read_only = c.read_only;
        exchanged = c.exchanged;
        stat_text text;
        m.visit(text);
        stats = text.all;
        for (const char *name : {"unmapped", "remapped", "protected", "invalidates"})
            BOOST_TEST(count(std::string("pager.") + name) > 0u, name);
        BOOST_TEST(c.changed > c.asked / 4);
        BOOST_TEST(count("os.acknowledged") > 0u);
        BOOST_TEST(count("coalescer.faults") == 0u);
        BOOST_TEST(count("gpu.page_faults") == count("coalescer.faults_denied"));
    }
    uint64_t count(const std::string &name) const { return std::stoull(stats.at(name)); }
};

using apu_run = run_of<apu_machine>;
using mmu_run = run_of<mmu_machine>;

const char *const apu_settings[] = {
    "",
    "walk_unit.coalesce=full address_space.spaces=2 dispatcher.space=group address_space.frames=random",
    "walk_unit.coalesce=leaf walk_unit.fault_entries=1 pager.entries=1 pager.queue_entries=1 "
    "walk_unit.walkers=1 "
    "walk_unit.buffer_entries=1 l2_tlb.mshrs=1 l1_tlb.mshrs=1 l1_tlb.merges=1",
    "walk_unit.pte_cache_bytes=1024 walk_unit.pte_cache_merge=true walk_unit.reply_cycles=600 "
    "walk_unit.coalesce=full",
    "address_space.page=64k walk_unit.coalesce=full walk_unit.walk_path=l2d",
    "address_space.table=amd_v1 walk_unit.coalesce=leaf",
    "address_space.buffer_pages=0:64k+2:2m walk_unit.coalesce=full",
    "address_space.page=64k address_space.buffer_pages=1:4k+3:mixed address_space.table=nested",
    "l1_tlb.entries=4 l1_tlb.ways=4 l1_tlb.victims=pass l1_tlb.link_cycles=800 l2_tlb.fills=256",
    "l2_tlb.store=compressed victim.entries=64",
    "lds.banks=32 lds_tx.translations=on l1_tlb.entries=4 l1_tlb.ways=4",
    "icache.entries=64 icache_tx.translations=on l1_tlb.entries=4 l1_tlb.ways=4",
    "lds.banks=32 lds_tx.translations=on icache.entries=64 icache_tx.translations=on l1_tlb.entries=4 "
    "l1_tlb.ways=4 address_space.spaces=2 dispatcher.space=group",
    "translation.ideal=infinite_tlb",
    "address_space.table=nested walk_unit.coalesce=full address_space.spaces=2 dispatcher.space=group",
    "address_space.table=nested address_space.paging=host address_space.page=mixed "
    "walk_unit.pte_cache_bytes=1024 walk_unit.pte_cache_merge=true",
};

const char *const mmu_settings[] = {
    "gpu.cus=4",
    "gpu.cus=3 walk_unit.walkers=8 walk_unit.coalesce=full walk_unit.fault_entries=2 pager.entries=1",
    "gpu.cus=8 address_space.spaces=3 dispatcher.space=group walk_unit.pte_cache_bytes=1024",
    ("gpu.cus=4 walk_unit.shared_by=2 walk_unit.coalesce=full lds.banks=32 lds_tx.translations=on "
     "icache.entries=64 "
     "icache_tx.translations=on icache.shared_by=2 l1_tlb.entries=4 l1_tlb.ways=4"),
    ("gpu.cus=4 walk_unit.shared_by=4 walk_unit.walkers=8 victim.entries=64 victim.shared_by=2 "
     "l1_tlb.entries=4 "
     "l1_tlb.ways=4 l2_tlb.entries=64 l2_tlb.store=compressed"),
};

const char *const gpu3_settings[] = {
    "",
    "l1_tlb.entries=4 l1_tlb.ways=4 l1_tlb.victims=pass l2_tlb.entries=16 l2_tlb.ways=4 l2_tlb.fills=16 "
    "l2_tlb.victims=pass l3_tlb.entries=64 l3_tlb.fills=64 walk_unit.coalesce=full",
};

const char *const two_victims_settings[] = {
    "gpu.cus=4",
    "gpu.cus=6 l1_tlb.entries=4 l1_tlb.ways=4 victim.entries=8 victim.victims=pass l2_tlb.entries=16 "
    "l2_tlb.ways=4 far_victim.entries=64 far_victim.ways=4 address_space.spaces=2 dispatcher.space=group",
};

} // namespace page_changes

using namespace page_changes;

BOOST_AUTO_TEST_SUITE(page_changes_while_traffic_runs)

uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *const text = std::getenv(name);
    return text == nullptr ? otherwise : std::stoull(text);
}

/* Each seed runs every fifth machine, so each machine has a fifth of the seeds. */
template <class R> void with_seeds(const char *settings, size_t machine)
{
    const uint64_t first = from_environment("WALKWAY_FIRST_SEED", 1);
    const uint64_t end = first + from_environment("WALKWAY_SEEDS", short_tests() ? 5 : 20);
    for (uint64_t seed = first + machine % 5; seed < end; seed += 5)
        BOOST_TEST_CONTEXT(settings << " seed " << seed)
        {
            BOOST_TEST(R(settings, seed).seen > 2000u);
        }
}

BOOST_DATA_TEST_CASE(no_translation_of_the_apu_is_stale,
                     data::xrange(std::size(apu_settings)) ^ data::make(apu_settings), machine, settings)
{
    with_seeds<apu_run>(settings, machine);
}

BOOST_DATA_TEST_CASE(no_translation_of_the_mmu_is_stale,
                     data::xrange(std::size(mmu_settings)) ^ data::make(mmu_settings), machine, settings)
{
    with_seeds<mmu_run>(settings, machine);
}

BOOST_DATA_TEST_CASE(no_translation_of_three_levels_of_tlbs_is_stale,
                     data::xrange(std::size(gpu3_settings)) ^ data::make(gpu3_settings), machine, settings)
{
    with_seeds<run_of<gpu3_machine>>(settings, machine);
}

BOOST_DATA_TEST_CASE(no_translation_of_two_victim_tlbs_is_stale,
                     data::xrange(std::size(two_victims_settings)) ^ data::make(two_victims_settings),
                     machine, settings)
{
    with_seeds<run_of<two_victims_machine>>(settings, machine);
}

BOOST_AUTO_TEST_CASE(tables_are_exchanged_under_the_eyes_of_who_uses_them)
{
    const apu_run r("walk_unit.coalesce=full address_space.spaces=2 dispatcher.space=group", 2);
    BOOST_TEST(r.exchanged > 1u);
    BOOST_TEST(r.count("pager.exchanged") == r.exchanged);
    BOOST_TEST(r.count("walk_unit.walks_restarted") > 0u);
}

/* Otherwise the cases above test less than they seem to. */
BOOST_AUTO_TEST_CASE(pages_are_changed_under_the_eyes_of_who_uses_them)
{
    const apu_run r("address_space.page=64k walk_unit.coalesce=full walk_unit.walk_path=l2d", 1);
    BOOST_TEST(r.old_used > 0u);
    BOOST_TEST(r.read_only > 0u);
    BOOST_TEST(r.count("coalescer.faults_denied") > 0u);
    BOOST_TEST(r.count("l2_tlb.invalidated") > 0u);
}

BOOST_AUTO_TEST_SUITE_END()

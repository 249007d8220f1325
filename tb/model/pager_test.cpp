/* SPDX-License-Identifier: MIT */
/* The pager below walk units, each with its own memory port to the same bytes. Memory and its timing are
 * those of iommu_rig.hpp: a walk of four reads takes 260 cycles; a write by the pager takes 1 down and 50. */
#include "model/address_space.hpp"
#include "model/pager.hpp"
#include "tb/model/iommu_rig.hpp"
#include "tb/support/block_numbers.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

constexpr uint64_t walk = 4 * read_time, page_bytes = 4096, mean = 1000, write_time = 51;

/* Tables of two VMs, at first only their roots; pages 0 to 39 of two regions exist. */
class plan final : public page_plan
{
public:
    static constexpr uint64_t arena_pa = uint64_t{256} << 20, nodes = 64, pages = 40;
    std::vector<uint64_t> words = std::vector<uint64_t>(2 * nodes * 512);
    std::vector<ww_table> tables;
    std::map<std::pair<uint16_t, uint64_t>, unsigned> times; /* number of mappings */
    batch_rules rules;

    explicit plan(const batch_rules &r = {}) : rules(r)
    {
        const space_ranges all = {{base_va, pages * page_bytes}, {far_va, pages * page_bytes}};
        const address_space_params space_params = numbers_of<address_space_params>();
        const table_room room = space_params.maker().room(space_params, {all});
        BOOST_REQUIRE(room.frames <= nodes);
        for (uint64_t vm = 0; vm < 2; ++vm) {
            radix_.push_back(room.build(arena_pa + vm * nodes * page_bytes, arena(vm)));
            tables.push_back(radix_[vm]->table());
        }
    }
    uint64_t *arena(uint64_t vm) { return words.data() + vm * nodes * 512; }
    uint8_t shift = 12;
    uint64_t first_of(uint64_t va) const { return va >> shift << shift; }
    static uint64_t frame_of(uint64_t va, uint16_t vm)
    {
        return (va & 0xfffffff000) | (uint64_t{vm} + 1) << 40;
    }
    bool page_of(uint16_t, uint64_t va, uint64_t *first_va) const override
    {
        *first_va = first_of(va);
        return va - base_va < pages * page_bytes || va - far_va < pages * page_bytes;
    }
    bool mapped(uint16_t vm, uint64_t va) const override { return times.count({vm, first_of(va)}); }
    void map(uint16_t vm, uint64_t va) override
    {
        va = first_of(va);
        ++times[{vm, va}];
        BOOST_TEST(radix_[vm]->map(va, frame_of(va, vm), shift) == WW_OK);
    }
    batch_rules batch() const override { return rules; }
    uint64_t part_of(uint16_t, uint64_t va) const override { return va >> 15; } /* eight pages */
    std::vector<std::vector<uint64_t>> parts; /* pages that faulted, by part */
    void add_company(uint16_t, std::vector<uint64_t> &faulted) override { parts.push_back(faulted); }
    void unmap(uint16_t vm, uint64_t va) override
    {
        times.erase({vm, first_of(va)});
        radix_[vm]->unmap(va);
    }
    void remap(uint16_t vm, uint64_t va) override
    {
        radix_[vm]->move(va, {elsewhere | frame_of(first_of(va), vm), shift, 0});
    }
    void protect(uint16_t vm, uint64_t va, bool writable) override { radix_[vm]->protect(va, writable); }
    uint64_t bytes_of(uint16_t, uint64_t) const override { return uint64_t{1} << shift; }
    static constexpr uint64_t elsewhere = uint64_t{1} << 44;
    const ww_table &table(uint16_t vm) const override { return tables[vm]; }
    bool nested = false;
    bool forgets_all(uint16_t, page_change what) const override
    {
        return nested && what == page_change::remap;
    }
    const memory_store *store = nullptr;
    uint64_t words_lacking() const override
    {
        uint64_t n = 0;
        for (size_t i = 0; i < words.size(); ++i)
            n += words[i] != store->dense()[i];
        return n;
    }
    const uint64_t *node(uint64_t pa) const override { return words.data() + (pa - arena_pa) / 8; }

private:
    std::vector<std::unique_ptr<table_builder>> radix_;
};

walk_unit_params unit()
{
    walk_unit_params p = quick().walk;
    p.response_cycles = 2;
    p.pwc_l4 = p.pwc_l3 = p.pwc_l2 = 0;
    p.walkers = 2;
    p.fault_entries = 16;
    return p;
}

pager_params constant()
{
    pager_params p = numbers_of<pager_params>();
    p.latency = WW_LATENCY_CONSTANT;
    p.mean_cycles = mean;
    return p;
}

struct pager_rig {
    simulation sim;
    memory_store store;
    plan pages;
    std::vector<std::unique_ptr<xlat_requester>> tops;
    std::vector<std::unique_ptr<translations>> asked;
    std::vector<std::unique_ptr<walk_unit>> units;
    std::vector<std::unique_ptr<mem_responder>> memories; /* the last one is the pager's */
    pager dut;
    std::vector<std::pair<uint64_t, tick>> written; /* lines, as reported to the walk units */

    uint64_t opened = 0, away = 0;
    ww_inval_scope last_scope{};
    bool last_tables = false;
    std::vector<uint64_t> last_entries;

    pager_rig(unsigned n, const walk_unit_params &u, const pager_params &p, bool invalidates = true,
              const batch_rules &rules = {})
        : pages(rules), dut("pager", gpu_clock, p, pages, n)
    {
        store.reserve(plan::arena_pa, pages.words.size());
        pages.store = &store;
        std::copy(pages.words.begin(), pages.words.end(), store.dense());
        for (unsigned i = 0; i <= n; ++i) {
            memories.push_back(std::make_unique<mem_responder>(("memory_" + std::to_string(i)).c_str()));
            memories[i]->latency = 50;
            memories[i]->answer = [this](tlm::tlm_generic_payload &l, tick) {
                store.apply(l);
                l.set_response_status(tlm::TLM_OK_RESPONSE);
            };
            memories[i]->on_debug = [this](tlm::tlm_generic_payload &l) {
                store.apply(l);
                return l.get_data_length();
            };
        }
        for (unsigned i = 0; i < n; ++i) {
            tops.push_back(std::make_unique<xlat_requester>(("top_" + std::to_string(i)).c_str()));
            asked.push_back(std::make_unique<translations>(*tops[i]));
            units.push_back(std::make_unique<walk_unit>(("unit_" + std::to_string(i)).c_str(), gpu_clock, u,
                                                        page_tables(pages.tables), 1u));
            tops[i]->down.bind(*units[i]->up[0]);
            tops[i]->lead = cycle(1);
            units[i]->mem.bind(memories[i]->up);
            units[i]->faults().bind(*dut.up[i]);
            dut.on_write([w = units[i].get()](uint64_t pa) { return w->table_written(pa); });
        }
        if (invalidates) {
            dut.invalidates_with([this](const invalidation &what, const acknowledged_fn &done) {
                ++opened;
                BOOST_TEST(away == 0u, "one is open at a time");
                away = units.size();
                last_scope = what.scope;
                last_tables = what.tables;
                last_entries = what.entries;
                for (const auto &each : units)
                    BOOST_TEST(each->invalidate(what, [this, done](tick at) {
                        if (--away == 0)
                            done(at, {});
                    }));
            });
        }
        dut.mem.bind(memories[n]->up);
        dut.on_write([this](uint64_t pa) {
            written.emplace_back(pa, dut.now());
            return 0;
        });
    }
    xlat_request &ask(unsigned n, uint64_t page, uint64_t at, uint16_t vm = 0, uint64_t first = base_va)
    {
        return asked[n]->ask(first + page * page_bytes, cycle(at), 0, 0, vm);
    }
    /* Makes one change, at the first answer from `from` on; records its acknowledgement. */
    struct change {
        tick asked = 0, acknowledged = 0;
        bool exists = false;
    };
    std::map<const change *, std::unique_ptr<change>> changes;
    const change &at_answer(unsigned n, tick from, page_change what, uint64_t va)
    {
        auto made = std::make_unique<change>();
        change *c = made.get();
        changes[c] = std::move(made);
        const auto before = tops[n]->on_answer;
        tops[n]->on_answer = [this, before, c, from, what, va](xlat_request &r, tick at) {
            if (before)
                before(r, at);
            if (at < from || c->asked != 0)
                return;
            c->asked = at;
            dut.change(what, va, 0, [c](tick t, bool there) {
                c->acknowledged = t;
                c->exists = there;
            });
        };
        return *c;
    }
    uint64_t back(unsigned n, const xlat_request &r) { return tops[n]->done.at(&r) / period; }
    const pager_stats &stats() const { return dut.stats(); }
    void holds(const block &b)
    {
        BOOST_TEST(b.waiting() == "");
        BOOST_TEST(b.live() == 0u);
        law_list laws(simulation_time(), false);
        b.laws(laws);
        for (const law &l : laws.all())
            BOOST_TEST(l.holds(), l.name);
    }
    /* Runs, and requires that memory equals the plan word by word. */
    void run()
    {
        sim.run();
        for (const auto &top : tops)
            BOOST_TEST(top->quiet());
        for (const auto &u : units)
            holds(*u);
        holds(dut);
        BOOST_TEST(std::equal(pages.words.begin(), pages.words.end(), store.dense()));
        for (const auto &page : pages.times)
            BOOST_TEST(page.second == 1u);
    }
    static void right(const xlat_request &r)
    {
        BOOST_TEST(!r.fault);
        BOOST_TEST(r.result.page_pa == plan::frame_of(r.va, r.vmid));
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(pager_maps_pages)

/* The root has no entry: one read finds that, three nodes are made, and four lines are written, the root's
 * last. */
BOOST_AUTO_TEST_CASE(a_fault_takes_its_latency_and_its_writes)
{
    pager_rig r(1, unit(), constant());
    const xlat_request &q = r.ask(0, 3, 10);
    r.sim.run_until(cycle(500));
    BOOST_TEST(r.dut.waiting() == "1 faults and pages asked for, one is being handled");
    r.sim.run_until(cycle(10 + read_time + 1 + mean + 10));
    BOOST_TEST(r.dut.waiting() == "1 faults and pages asked for, 4 lines of its table to be written");
    r.run();
    pager_rig::right(q);
    const uint64_t there = 10 + read_time + 1 + mean + 4 * write_time;
    BOOST_TEST(r.back(0, q) == there + 1 + walk + way_up);
    BOOST_TEST(spent(q, "fault_service") == cycle(mean + 4 * write_time + 1));
    BOOST_TEST(spent(q, "fault_queue") == cycle(1));
    BOOST_REQUIRE(r.written.size() == 4u);
    BOOST_TEST(r.written.front().first ==
               plan::arena_pa + 3 * page_bytes); /* the leaf's node is the one made last */
    BOOST_TEST(r.written.back().first / page_bytes == plan::arena_pa / page_bytes);
    BOOST_TEST(r.written.back().second == cycle(there));
    BOOST_TEST(r.stats().lines_written == 4u);
    BOOST_TEST(r.stats().latency.sum() == mean + 4 * write_time);
    BOOST_TEST(r.stats().busy_ps == cycle(mean + 4 * write_time));
}

BOOST_AUTO_TEST_CASE(a_neighbour_costs_one_line)
{
    pager_rig r(1, unit(), constant());
    r.ask(0, 3, 10);
    r.ask(0, 4, 3000);
    r.run();
    BOOST_TEST(r.stats().lines_written == 4u + 1);
    BOOST_TEST(r.stats().pages_mapped == 2u);
}

BOOST_AUTO_TEST_CASE(faults_are_handled_one_at_a_time_in_their_order)
{
    pager_rig r(2, unit(), constant());
    const xlat_request &a = r.ask(0, 0, 10), &b = r.ask(1, 8, 15), &c = r.ask(0, 16, 20);
    r.run();
    BOOST_TEST(r.back(0, a) < r.back(1, b));
    BOOST_TEST(r.back(1, b) < r.back(0, c));
    BOOST_TEST(spent(c, "fault_service") < cycle(mean + 100));
    BOOST_TEST(spent(c, "fault_queue") > cycle(2 * mean));
    BOOST_TEST(r.stats().busy_ps >= cycle(3 * mean));
}

BOOST_DATA_TEST_CASE(sixteen_walk_units_fault_on_one_page_and_it_is_mapped_once, data::make({1u, 4u, 64u}),
                     entries)
{
    pager_params p = constant();
    p.entries = entries;
    p.queue_entries = 1;
    pager_rig r(16, unit(), p);
    std::vector<const xlat_request *> all;
    for (unsigned n = 0; n < 16; ++n)
        all.push_back(&r.ask(n, 7, 10 + 3 * n));
    r.run();
    for (unsigned n = 0; n < 16; ++n) {
        pager_rig::right(*all[n]);
        BOOST_TEST(r.back(n, *all[n]) <
                   10 + walk + mean + 4 * write_time + 2 * walk); /* one latency for all */
    }
    BOOST_TEST(r.stats().faults == 16u);
    BOOST_TEST(r.stats().pages_mapped == 1u);
    if (entries == 64)
        BOOST_TEST(r.stats().joined == 15u);
    if (entries == 1)
        BOOST_TEST(r.stats().already > 0u);
}

/* Two faults 8 KiB apart are in one page of 64 KiB, but in two lines of leaves. */
BOOST_AUTO_TEST_CASE(faults_within_one_large_page_are_one_page)
{
    pager_rig r(2, unit(), constant());
    r.pages.shift = 16;
    const xlat_request &a = r.ask(0, 3, 10), &b = r.ask(1, 5, 10);
    r.run();
    for (const xlat_request *q : {&a, &b}) {
        BOOST_TEST(!q->fault);
        BOOST_TEST(ww_xlat_pa(&q->result, q->va) == plan::frame_of(q->va, 0));
    }
    BOOST_TEST(r.stats().pages_mapped == 1u);
    BOOST_TEST(r.stats().joined == 1u);
    BOOST_TEST(r.stats().lines_written == 3u + 2);
}

BOOST_AUTO_TEST_CASE(a_page_that_does_not_exist_is_refused)
{
    pager_rig r(1, unit(), constant());
    const xlat_request &q = r.ask(0, plan::pages, 10);
    r.run();
    BOOST_TEST(q.fault);
    BOOST_TEST(r.back(0, q) == 10 + read_time + 1 + mean + 1 + way_up);
    BOOST_TEST(r.stats().refused == 1u);
    BOOST_TEST(r.stats().pages_mapped == 0u);
}

/* A block of the test requests pages during the simulation, at a requester's answer. */
BOOST_AUTO_TEST_CASE(a_page_may_be_asked_for_and_is_acknowledged)
{
    pager_rig r(1, unit(), constant());
    const xlat_request &first = r.ask(0, 0, 10);
    std::map<uint64_t, std::pair<tick, bool>> answers;
    tick asked_at = 0;
    r.tops[0]->on_answer = [&](xlat_request &, tick at) {
        if (!answers.empty() || asked_at != 0)
            return;
        asked_at = at;
        for (const uint64_t page : {uint64_t{1}, uint64_t{0}, plan::pages})
            r.dut.map(base_va + page * page_bytes, 0, [&answers, page](tick t, bool there) {
                answers[page] = {t, there};
            });
    };
    const xlat_request &later = r.ask(0, 1, 5000);
    r.run();
    pager_rig::right(first);
    BOOST_TEST((answers.at(1) == std::pair<tick, bool>(asked_at + cycle(write_time), true)));
    BOOST_TEST(
        (answers.at(0) == std::pair<tick, bool>(asked_at + cycle(write_time), true))); /* already mapped */
    BOOST_TEST(!answers.at(plan::pages).second);
    pager_rig::right(later);
    BOOST_TEST(r.back(0, later) == 5000 + walk + way_up); /* no fault */
    BOOST_TEST(r.stats().asked == 3u);
    BOOST_TEST(r.stats().faults == 1u);
}

/* Its entry is one line; the walk unit, with no participant above it, acknowledges in a cycle. */
BOOST_AUTO_TEST_CASE(a_page_that_is_unmapped_costs_its_line_and_an_invalidate_and_faults_again)
{
    pager_rig r(1, unit(), constant());
    r.ask(0, 3, 10);
    const auto &c = r.at_answer(0, 1, page_change::unmap, base_va + 3 * page_bytes);
    const xlat_request &later = r.ask(0, 3, 10000);
    r.sim.run_until(cycle(9000));
    BOOST_TEST(c.exists);
    BOOST_TEST(c.acknowledged >= c.asked + cycle(write_time));
    BOOST_TEST(c.acknowledged <= c.asked + cycle(write_time + 4));
    BOOST_TEST(r.opened == 1u);
    BOOST_TEST(r.last_scope.first_va == base_va + 3 * page_bytes);
    BOOST_TEST(r.last_scope.last_va == base_va + 4 * page_bytes - 1);
    BOOST_TEST(!r.last_tables);
    BOOST_TEST_REQUIRE(r.last_entries.size() == 1u);
    BOOST_TEST(r.last_entries[0] == r.written.back().first);
    BOOST_TEST(!r.pages.mapped(0, base_va + 3 * page_bytes));
    r.run();
    pager_rig::right(later);
    BOOST_TEST(spent(later, "fault_service") >= cycle(mean));
    BOOST_TEST(r.stats().unmapped == 1u);
    BOOST_TEST(r.stats().pages_mapped == 2u);
    BOOST_TEST(r.stats().lines_written == 4u + 1 + 1);
    BOOST_TEST(r.stats().invalidates == 1u);
}

/* A host's entry does not tell which addresses it translates: all of the VM is invalidated, including the
 * walk caches. */
BOOST_AUTO_TEST_CASE(a_change_by_a_host_is_told_of_the_whole_space)
{
    pager_rig r(1, unit(), constant());
    r.pages.nested = true;
    r.ask(0, 3, 10);
    const auto &c = r.at_answer(0, 1, page_change::remap, base_va + 3 * page_bytes);
    const xlat_request &later = r.ask(0, 3, 10000);
    r.run();
    BOOST_TEST(c.exists);
    BOOST_TEST(r.last_scope.first_va == 0u);
    BOOST_TEST(r.last_scope.last_va == UINT64_MAX);
    BOOST_TEST(r.last_scope.vmid == 0u);
    BOOST_TEST(!r.last_scope.all_vms);
    BOOST_TEST(r.last_tables);
    BOOST_TEST(later.result.page_pa == (plan::elsewhere | plan::frame_of(later.va, 0)));
}

BOOST_DATA_TEST_CASE(a_page_that_moves_is_walked_to_anew, data::make({0u, 1024u}), cache)
{
    walk_unit_params u = unit();
    u.pte_cache_bytes = cache;
    u.pwc_l2 = 4;
    pager_rig r(2, u, constant());
    r.ask(0, 3, 10);
    const xlat_request &neighbour = r.ask(1, 4, 4000), &before = r.ask(1, 3, 4000);
    const auto &c = r.at_answer(0, 1, page_change::remap, base_va + 3 * page_bytes);
    const xlat_request &after = r.ask(1, 3, 8000), &beside = r.ask(0, 4, 8000);
    r.run();
    BOOST_TEST(c.exists);
    for (const xlat_request *q : {&before, &after})
        BOOST_TEST(q->result.page_pa == (plan::elsewhere | plan::frame_of(q->va, 0)));
    pager_rig::right(neighbour);
    pager_rig::right(beside);
    BOOST_TEST(r.stats().remapped == 1u);
    BOOST_TEST(r.stats().unmapped == 0u);
}

BOOST_AUTO_TEST_CASE(the_right_to_write_is_taken_and_given)
{
    pager_rig r(1, unit(), constant());
    const xlat_request &first = r.ask(0, 3, 10);
    const auto &taken = r.at_answer(0, 1, page_change::protect, base_va + 3 * page_bytes);
    const xlat_request &second = r.ask(0, 3, 4000);
    const auto &given = r.at_answer(0, cycle(4000), page_change::permit, base_va + 3 * page_bytes);
    const xlat_request &third = r.ask(0, 3, 8000);
    r.run();
    BOOST_TEST(first.result.perm == WW_PERM_ALL);
    BOOST_TEST(second.result.perm == (WW_PERM_R | WW_PERM_X));
    BOOST_TEST(third.result.perm == WW_PERM_ALL);
    BOOST_TEST(taken.exists);
    BOOST_TEST(given.exists);
    BOOST_TEST(r.stats().protected_ == 1u);
    BOOST_TEST(r.stats().permitted == 1u);
    BOOST_TEST(r.opened == 2u);
}

/* Nothing is written, so nothing is invalidated. */
BOOST_AUTO_TEST_CASE(a_change_that_changes_nothing_is_acknowledged_at_once)
{
    pager_rig r(1, unit(), constant());
    r.ask(0, 3, 10);
    const uint64_t there = base_va + 3 * page_bytes;
    const auto &absent = r.at_answer(0, 1, page_change::unmap, base_va + 5 * page_bytes);
    const auto &same = r.at_answer(0, 1, page_change::permit, there);
    const auto &nowhere = r.at_answer(0, 1, page_change::remap, base_va + plan::pages * page_bytes);
    r.run();
    BOOST_TEST(absent.acknowledged == absent.asked);
    BOOST_TEST(same.acknowledged == same.asked);
    BOOST_TEST(absent.exists);
    BOOST_TEST(!nowhere.exists);
    BOOST_TEST(r.stats().absent == 1u);
    BOOST_TEST(r.stats().refused == 1u);
    BOOST_TEST(r.opened == 0u);
}

BOOST_AUTO_TEST_CASE(a_page_of_16_entries_loses_all_of_them)
{
    pager_rig r(1, unit(), constant());
    r.pages.shift = 16;
    r.ask(0, 3, 10);
    const auto &c = r.at_answer(0, 1, page_change::unmap, base_va + 5 * page_bytes);
    r.run();
    BOOST_TEST(c.acknowledged >= c.asked + cycle(2 * write_time));
    BOOST_TEST(r.last_scope.last_va - r.last_scope.first_va == 65535u);
    BOOST_TEST(r.stats().lines_written == 3u + 2 + 2);
    BOOST_TEST(std::count(r.pages.words.begin(), r.pages.words.end(), 0u) ==
               static_cast<int64_t>(r.pages.words.size() - 3)); /* three entries lead to the page */
}

/* The unmapping does not answer a fault on its page: the fault has its own turn. */
BOOST_AUTO_TEST_CASE(a_fault_of_a_page_that_is_being_unmapped_is_handled_afterwards)
{
    pager_rig r(2, unit(), constant());
    r.ask(0, 3, 10);
    const auto &c = r.at_answer(0, 1, page_change::unmap, base_va + 3 * page_bytes);
    r.memories[2]->latency = 2000; /* the pager's memory: four lines, then one */
    const xlat_request &q = r.ask(1, 3, 10000);
    r.run();
    pager_rig::right(q);
    BOOST_TEST(c.asked < cycle(10000));
    BOOST_TEST(c.acknowledged > cycle(10000 + walk));
    BOOST_TEST(r.back(1, q) * period > c.acknowledged + cycle(mean));
    BOOST_TEST(r.units[1]->stats().fault_walks == 1u);
    BOOST_TEST(r.pages.times.size() == 1u);
}

BOOST_AUTO_TEST_CASE(without_an_invalidate_no_page_is_changed)
{
    pager_rig r(1, unit(), constant(), false);
    r.ask(0, 3, 10);
    r.at_answer(0, 1, page_change::unmap, base_va + 3 * page_bytes);
    BOOST_CHECK_EXCEPTION(r.sim.run(), sc_core::sc_report, [](const sc_core::sc_report &e) {
        return std::string(e.get_msg()).find("no block invalidates") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(a_memory_that_refuses_a_page_table_ends_the_run)
{
    pager_rig r(1, unit(), constant());
    r.memories[1]->answer = [](tlm::tlm_generic_payload &l, tick) {
        l.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    };
    r.ask(0, 0, 10);
    BOOST_CHECK_THROW(r.sim.run(), sc_core::sc_report);
}

/* Every bound at one or not, two VMs, caches of lines with absent entries: every page is mapped once. */
BOOST_DATA_TEST_CASE(storms_of_faults_of_several_units_end,
                     data::make({1u, 8u}) * data::make({WW_COALESCE_OFF, WW_COALESCE_FULL}) *
                         data::make({0u, 1024u}) * data::make({1u, 3u}),
                     bound, mode, cache, walk_units)
{
    walk_unit_params u = unit();
    u.fault_entries = u.walkers = u.buffer_entries = u.queue_entries = bound;
    u.backlog_entries = 0;
    u.coalesce = static_cast<uint8_t>(mode);
    u.pte_cache_bytes = cache;
    u.pwc_l4 = u.pwc_l3 = u.pwc_l2 = 4;
    pager_params p = numbers_of<pager_params>();
    p.entries = p.queue_entries = bound;
    p.mean_cycles = 200;
    pager_rig r(walk_units, u, p);
    ww_rng random;
    ww_rng_init(&random, bound + mode + cache + walk_units);
    std::vector<const xlat_request *> all;
    for (unsigned n = 0; n < 300; ++n)
        all.push_back(&r.ask(ww_rng_below(&random, walk_units), ww_rng_below(&random, plan::pages),
                             10 + n * 9, static_cast<uint16_t>(ww_rng_below(&random, 2)),
                             ww_rng_below(&random, 3) == 0 ? far_va : base_va));
    r.run();
    for (const xlat_request *q : all)
        pager_rig::right(*q);
    BOOST_TEST(r.stats().pages_mapped == r.pages.times.size());
    BOOST_TEST(r.pages.times.size() > 100u);
}

/* Two pages fault while a third is handled. The next batch maps both, one part after the other, and answers
 * both after the second. */
BOOST_AUTO_TEST_CASE(faults_are_handled_together_part_by_part_and_answered_at_the_end)
{
    const batch_rules rules = {8, 300, 0};
    pager_rig r(3, unit(), constant(), true, rules);
    const xlat_request &first = r.ask(0, 3, 10), &far = r.ask(1, 17, 100), &near = r.ask(2, 9, 200);
    r.run();
    BOOST_TEST((r.pages.parts == std::vector<std::vector<uint64_t>>{{base_va + 3 * page_bytes},
                                                                    {base_va + 9 * page_bytes},
                                                                    {base_va + 17 * page_bytes}}),
               "by address");
    const uint64_t there = 10 + read_time + 1 + 300 + mean + 4 * write_time;
    BOOST_TEST(r.back(0, first) == there + 1 + walk + way_up);
    const uint64_t both = there + mean + 2 * (300 + write_time);
    BOOST_TEST(r.back(1, far) == both + 1 + walk + way_up);
    BOOST_TEST(r.back(2, near) == both + 1 + walk + way_up);
    stat_text text;
    r.dut.visit(text, 0);
    BOOST_TEST(text.all.at("batches") == "2");
    BOOST_TEST(text.all.at("parts") == "3");
    BOOST_TEST(r.stats().latency.max() == both - there);
}

/* Pages of one part take its time once; a page of another VM is a separate part. */
BOOST_AUTO_TEST_CASE(pages_of_a_part_are_mapped_together)
{
    const batch_rules rules = {8, 300, 0};
    pager_rig r(4, unit(), constant(), true, rules);
    r.ask(0, 30, 10);
    const xlat_request &a = r.ask(1, 9, 100), &b = r.ask(2, 8, 200), &other = r.ask(3, 8, 300, 1);
    r.run();
    BOOST_TEST((r.pages.parts ==
                std::vector<std::vector<uint64_t>>{{base_va + 30 * page_bytes},
                                                   {base_va + 8 * page_bytes, base_va + 9 * page_bytes},
                                                   {base_va + 8 * page_bytes}}));
    BOOST_TEST(r.back(1, a) == r.back(2, b));
    BOOST_TEST(r.back(3, other) == r.back(2, b));
    BOOST_TEST(r.stats().joined == 0u);
}

/* Each fault of a page in the batch counts; later faults are handled after the pause. */
BOOST_AUTO_TEST_CASE(a_batch_is_bounded_and_a_pause_follows)
{
    const batch_rules rules = {2, 0, 700};
    pager_rig r(5, unit(), constant(), true, rules);
    const xlat_request &first = r.ask(0, 30, 10), &a = r.ask(1, 9, 100), &b = r.ask(2, 9, 200),
                       &behind = r.ask(3, 17, 300);
    r.run();
    const uint64_t there = 10 + read_time + 1 + mean + 4 * write_time;
    BOOST_TEST(r.back(0, first) == there + 1 + walk + way_up);
    const uint64_t two = there + 700 + mean + write_time;
    BOOST_TEST(r.back(1, a) == two + 1 + walk + way_up);
    BOOST_TEST(r.back(2, b) == two + 1 + walk + way_up);
    BOOST_TEST(r.back(3, behind) == two + 700 + mean + write_time + 1 + walk + way_up);
    BOOST_TEST(r.stats().joined == 1u);
    BOOST_TEST(r.stats().busy_ps == cycle(there - 10 - read_time - 1) + 2 * cycle(mean + write_time));
}

/* With a table of one fault, others wait outside during the pause. */
BOOST_AUTO_TEST_CASE(a_full_table_waits_for_the_pause)
{
    pager_params p = constant();
    p.entries = 1;
    const batch_rules rules = {2, 0, 700};
    pager_rig r(3, unit(), p, true, rules);
    const xlat_request &first = r.ask(0, 30, 10), &a = r.ask(1, 9, 100), &b = r.ask(2, 17, 200);
    r.run();
    const uint64_t there = 10 + read_time + 1 + mean + 4 * write_time, one = 700 + mean + write_time;
    BOOST_TEST(r.back(0, first) == there + 1 + walk + way_up);
    BOOST_TEST(r.back(1, a) == there + one + 1 + walk + way_up);
    BOOST_TEST(r.back(2, b) == there + 2 * one + 1 + walk + way_up);
}

/* A page that does not exist is a separate part, and is refused when the others are answered. */
BOOST_AUTO_TEST_CASE(a_page_of_a_batch_that_does_not_exist)
{
    const batch_rules rules = {8, 0, 0};
    pager_rig r(4, unit(), constant(), true, rules);
    r.ask(0, 3, 10);
    const xlat_request &there = r.ask(1, 39, 100), &none = r.ask(2, 40, 200), &more = r.ask(3, 41, 300);
    r.run();
    pager_rig::right(there);
    BOOST_TEST(none.fault);
    BOOST_TEST(more.fault);
    BOOST_TEST(r.stats().refused == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

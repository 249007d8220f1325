/* SPDX-License-Identifier: MIT */
/* What an operating system does while a program runs, from a list: each event at its moment, at its price,
 * and with its effect on later accesses. */
#include "model/os_script.hpp"
#include "tb/platform/machines.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

/* Two kernels that read and write rows of 4 KiB. */
const trace &program()
{
    static const trace t([] {
        trace_spec spec = row_major(8, 6, 4, 4096);
        for (group_spec &g : spec.launches[0].groups)
            g[0].records.push_back(stride(WKT_STORE, g[0].records[0].va[0], 4096));
        spec.launches.push_back(spec.launches[0]);
        return spec;
    }());
    return t;
}
constexpr uint64_t pages = 8 * 64; /* used by the program */
uint64_t pages_there()
{
    return (wkt_reader_buffer(program().reader(), 0)->bytes + 4095) / 4096;
}

os_event change(page_change what, uint64_t cycle, uint64_t first, uint64_t count)
{
    os_event e;
    e.where = "test:1";
    e.number = cycle;
    e.what = os_event::action::change;
    e.change = what;
    e.of = {buffer_va + first * 4096, (count - 1) * 4096 + 1, 0};
    return e;
}
os_event flush(const ww_inval_scope &scope, uint64_t cycle, bool tables = true)
{
    os_event e;
    e.where = "test:1";
    e.number = cycle;
    e.scope = scope;
    e.tables = tables;
    return e;
}
os_event at_launch(os_event e, uint64_t number)
{
    e.at = os_event::moment::launch;
    e.number = number;
    return e;
}

struct ended {
    outcome o;
    std::vector<os_event_result> events;
};

ended run(const machine_case &c, const std::vector<os_event> &events)
{
    simulation sim;
    const auto made = config_of(c)->build(program_list({program().reader()}, events));
    ended e;
    const run_end end = made->run({});
    BOOST_TEST((end == run_end::complete), made->stuck());
    e.o = outcome_of(*made);
    e.events = made->events();
    for (const law &l : e.o.laws)
        BOOST_TEST(l.holds(), c << ": " << l.name << ": " << l.left << " and " << l.right);
    return e;
}

const std::string paged =
    "gpu.cus=2 address_space.map=all_paged pager.mean_cycles=300 dispatcher.launch_cycles=2000 ";
const machine_case apu_paged = {"apu-micro18", paged};

std::string refusal(const std::string &settings, const std::vector<os_event> &events)
{
    simulation sim;
    try {
        config_of({"apu-micro18", settings})->build(program_list({program().reader()}, events));
    } catch (const std::runtime_error &e) {
        return e.what();
    }
    return "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(events)

BOOST_AUTO_TEST_CASE(an_event_is_at_its_cycle_and_is_acknowledged)
{
    const ended e = run(apu_paged, {change(page_change::remap, 5000, 3, 1)});
    BOOST_TEST(e.events[0].due);
    BOOST_TEST(e.events[0].acknowledged);
    BOOST_TEST(e.events[0].asked_cycle == 5000u);
    BOOST_TEST(e.events[0].acknowledged_cycle > 5000u);
    BOOST_TEST(e.events[0].pages.changed == 1u);
    BOOST_TEST(e.events[0].pages.lines == 1u);
    BOOST_TEST(e.o.count("os.acknowledged") == 1u);
    BOOST_TEST(e.o.count("walk_unit.invalidates") == 1u);
}

/* The cycle after the first work-group is dispatched. */
BOOST_AUTO_TEST_CASE(at_a_launch_it_is_the_cycle_after_the_kernel_begins)
{
    const ended e = run(apu_paged, {at_launch(change(page_change::remap, 0, 0, 1), 0),
                                    at_launch(change(page_change::remap, 0, 1, 1), 1),
                                    at_launch(change(page_change::remap, 0, 2, 1), 2)});
    BOOST_TEST(e.events[0].asked_cycle == 2001u);
    BOOST_TEST(e.events[1].asked_cycle > 4001u);
    BOOST_TEST(!e.events[2].due);
}

/* Also if the list has an event in the cycle of the dispatch, or begins with it. */
BOOST_AUTO_TEST_CASE(at_a_launch_it_is_never_the_cycle_of_the_dispatch_itself)
{
    const ended with = run(apu_paged, {at_launch(change(page_change::remap, 0, 0, 1), 0),
                                       change(page_change::remap, 2000, 1, 1)});
    BOOST_TEST(with.events[0].asked_cycle == 2001u);
    BOOST_TEST(with.events[1].asked_cycle == 2000u);
    const ended at_once = run({"apu-micro18", paged + "dispatcher.launch_cycles=0"},
                              {at_launch(change(page_change::remap, 0, 0, 1), 0)});
    BOOST_TEST(at_once.events[0].asked_cycle == 1u);
}

BOOST_AUTO_TEST_CASE(what_is_not_due_before_the_run_ends_is_not_done)
{
    const ended plain = run(apu_paged, {}), e = run(apu_paged, {flush(ww_inval_all(), 100000000)});
    BOOST_TEST(!e.events[0].due);
    BOOST_TEST(!e.events[0].acknowledged);
    BOOST_TEST(e.o.cycles == plain.o.cycles);
    BOOST_TEST(e.o.count("os.asked") == 0u);
    BOOST_TEST(e.o.count("os.events") == 1u);
}

/* All lines are written, then one invalidate covers them all: a line has eight entries. */
BOOST_AUTO_TEST_CASE(pages_of_one_event_are_invalidated_together)
{
    const ended e = run(apu_paged, {change(page_change::remap, 5000, 4, 64)});
    BOOST_TEST(e.events[0].pages.changed == 64u);
    BOOST_TEST(e.events[0].pages.lines == 9u); /* begins in the middle of one */
    BOOST_TEST(e.o.count("walk_unit.invalidates") == 1u);
    BOOST_TEST(e.o.count("pager.remapped") == 64u);
}

BOOST_AUTO_TEST_CASE(a_page_that_is_larger_counts_once)
{
    const ended e =
        run({"apu-micro18", paged + "address_space.page=64k"}, {change(page_change::remap, 5000, 15, 33)});
    BOOST_TEST(e.events[0].pages.changed == 3u); /* one byte of the first suffices */
    BOOST_TEST(e.o.count("pager.remapped") == 3u);
}

/* Between the kernels, so that the second finds no page mapped and faults on each. */
BOOST_AUTO_TEST_CASE(pages_that_were_unmapped_fault_and_come_back)
{
    const ended plain = run(apu_paged, {});
    const ended e = run(apu_paged, {at_launch(change(page_change::unmap, 0, 0, pages), 1)});
    BOOST_TEST(plain.o.count("pager.faults") == 0u);
    BOOST_TEST(e.events[0].pages.changed == pages);
    BOOST_TEST(e.o.count("pager.pages_mapped") > pages / 2);
    BOOST_TEST(e.o.count("coalescer.faults") == 0u);
    BOOST_TEST(e.o.cycles > plain.o.cycles + 300 * pages / 2);
}

BOOST_AUTO_TEST_CASE(stores_to_pages_without_the_right_are_denied_until_it_comes_back)
{
    const ended e = run(apu_paged, {change(page_change::protect, 10, 0, pages)});
    const ended back = run(
        apu_paged, {change(page_change::protect, 10, 0, pages), change(page_change::permit, 11, 0, pages)});
    BOOST_TEST(e.o.count("coalescer.faults_denied") > 0u);
    BOOST_TEST(back.o.count("coalescer.faults_denied") == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_as_asked_for_and_what_is_not_there_is_counted)
{
    const ended e =
        run(apu_paged,
            {change(page_change::map, 100, 0, 3), change(page_change::unmap, 200, 0, 2),
             change(page_change::unmap, 200, 0, 4), change(page_change::remap, 9000, pages_there() - 1, 5)});
    BOOST_TEST(e.events[0].pages.same == 3u);
    BOOST_TEST(e.events[0].pages.lines == 0u);
    BOOST_TEST(e.events[1].pages.changed == 2u);
    BOOST_TEST(e.events[2].pages.changed == 2u);
    BOOST_TEST(e.events[2].pages.same == 2u);
    BOOST_TEST(e.events[3].pages.changed + e.events[3].pages.same == 1u);
    BOOST_TEST(e.events[3].pages.absent == 4u);
}

/* Flushes need no pager. A wider scope drops more, so more is fetched again. */
BOOST_AUTO_TEST_CASE(a_flush_drops_what_its_scope_says)
{
    const machine_case apu = {"apu-micro18", "gpu.cus=2 l2_tlb.entries=4096"};
    const auto of = [&](const ww_inval_scope &scope) { return run(apu, {at_launch(flush(scope, 0), 1)}).o; };
    const outcome none = run(apu, {}).o, page = of(ww_inval_range(buffer_va, 1, 0)),
                  range = of(ww_inval_range(buffer_va, pages * 2048, 0)), space = of(ww_inval_space(0)),
                  all = of(ww_inval_all());
    BOOST_TEST(none.count("l2_tlb.invalidated") == 0u);
    BOOST_TEST(page.count("l2_tlb.invalidated") == 1u);
    BOOST_TEST(range.count("l2_tlb.invalidated") == pages / 2);
    BOOST_TEST(space.count("l2_tlb.invalidated") == pages);
    BOOST_TEST(all.count("l2_tlb.invalidated") == pages);
    BOOST_TEST(all.count("walk_unit.walk_requests") == 2 * none.count("walk_unit.walk_requests"));
}

/* Two address spaces of one program: after the first kernel each VM-ID has the other's frames, and neither
 * becomes faster by it. */
BOOST_AUTO_TEST_CASE(two_tables_are_exchanged_and_everything_is_found_again)
{
    os_event e;
    e.where = "test:1";
    e.what = os_event::action::exchange;
    e.of.vmid = 1;
    e.other = 0;
    const machine_case two = {"apu-micro18", paged + "address_space.spaces=2 dispatcher.space=group"};
    const ended none = run(two, {}), once = run(two, {at_launch(e, 1)}),
                all = run(two, {at_launch(flush(ww_inval_all(), 0), 1)});
    BOOST_TEST(once.events[0].acknowledged);
    BOOST_TEST(once.o.count("pager.exchanged") == 1u);
    BOOST_TEST(once.o.count("pager.lines_written") == 0u);
    BOOST_TEST(once.o.count("l2_tlb.invalidated") == all.o.count("l2_tlb.invalidated"));
    BOOST_TEST(once.o.count("walk_unit.walk_requests") == all.o.count("walk_unit.walk_requests"));
    BOOST_TEST(once.o.count("walk_unit.walk_requests") > none.o.count("walk_unit.walk_requests"));
    /* Lines have physical addresses: data caches hold the other's lines. */
    BOOST_TEST(once.o.count("l2d.read_misses") > all.o.count("l2d.read_misses"));
}

BOOST_AUTO_TEST_CASE(events_at_one_cycle_come_in_the_order_of_the_list)
{
    const ended e =
        run(apu_paged, {change(page_change::unmap, 5000, 0, 8), change(page_change::map, 5000, 0, 8),
                        flush(ww_inval_all(), 5000), flush(ww_inval_space(0), 4000)});
    BOOST_TEST(e.events[0].pages.changed == 8u);
    BOOST_TEST(e.events[1].pages.changed == 8u);
    BOOST_TEST(e.events[1].acknowledged_cycle > e.events[0].acknowledged_cycle);
    BOOST_TEST(e.events[3].asked_cycle == 4000u);
    BOOST_TEST(e.o.count("walk_unit.invalidates") == 3u); /* mapping a page needs no invalidate */
}

/* Every machine, and each example machine with its own units. */
std::vector<machine_case> paged_machines()
{
    std::vector<machine_case> all =
        every_machine({paged, "gpu.cus=4 address_space.map=half pager.mean_cycles=100"});
    for (const std::string &example : example_machines())
        for (const char *map : {"all_paged", "half"})
            all.push_back({example, std::string("pager.mean_cycles=200 dispatcher.launch_cycles=2000 "
                                                "address_space.map=") +
                                        map});
    return all;
}

BOOST_DATA_TEST_CASE(on_every_machine_all_is_acknowledged_and_every_law_holds, data::make(paged_machines()),
                     c)
{
    std::vector<os_event> list;
    for (uint64_t k = 0; k < 12; ++k) {
        list.push_back(change(static_cast<page_change>(k % 5), 2500 + 400 * k, 40 * k, 1 + 7 * k));
        list.push_back(
            flush(k % 3 == 0 ? ww_inval_all() : ww_inval_range(buffer_va + 50 * k * 4096, 90000, 0),
                  2500 + 401 * k));
    }
    const ended e = run(c, list);
    size_t due = 0;
    for (const os_event_result &r : e.events) {
        BOOST_TEST(r.due == r.acknowledged);
        due += r.due;
    }
    BOOST_TEST(due > list.size() / 2);
    BOOST_TEST(e.o.count("os.asked") == due);
}

/* Between the kernels every level of a user's path drops everything, which is then walked for again. */
BOOST_DATA_TEST_CASE(a_flush_reaches_every_level_of_a_path, data::make(example_machines()), example)
{
    const machine_case of = {example, ""};
    const ended none = run(of, {}), e = run(of, {at_launch(flush(ww_inval_all(), 0), 1)});
    BOOST_REQUIRE(e.events[0].acknowledged);
    uint64_t sum = 0;
    for (const auto &level : machine_params_of(example).path.all()) {
        if (level->ends_path())
            continue;
        const uint64_t dropped = e.o.count(level->section() + ".invalidated");
        BOOST_TEST(dropped > 0u, level->section());
        sum += dropped;
    }
    BOOST_TEST(sum == e.events[0].pages.dropped.tlb);
    BOOST_TEST(none.o.count("walk_unit.walks_started") < 2 * pages);
    BOOST_TEST(e.o.count("walk_unit.walks_started") >= 2 * pages);
}

/* For each kind of structure, event by event: the sums are what the structures themselves count. */
BOOST_DATA_TEST_CASE(an_event_says_what_was_dropped_for_it,
                     data::make({"lds.banks=32 lds_tx.translations=on",
                                 "icache.entries=64 icache_tx.translations=on"}),
                     lent)
{
    const bool lds = std::string(lent).front() == 'l';
    const machine_case all = {
        "apu-micro18", paged + "walk_unit.pte_cache_bytes=1024 l1_tlb.entries=4 l1_tlb.ways=4 " + lent};
    const ended e = run(all, {change(page_change::remap, 4000, 0, 64), flush(ww_inval_all(), 6000, false),
                              flush(ww_inval_all(), 8000), flush(ww_inval_all(), 8001)});
    drop_counts sum;
    for (const os_event_result &r : e.events) {
        BOOST_REQUIRE(r.acknowledged);
#define X(name, text) sum.name += r.pages.dropped.name;
        WALKWAY_DROPPED_LIST(X)
#undef X
    }
    BOOST_TEST(sum.tlb == e.o.count("l1_tlb.invalidated") + e.o.count("l2_tlb.invalidated") +
                              e.o.count("iommu_tlb.invalidated"));
    BOOST_TEST((lds ? sum.lds : sum.icache) ==
               e.o.count(lds ? "lds_tx.invalidated" : "icache_tx.invalidated"));
    BOOST_TEST((lds ? sum.icache : sum.lds) == 0u);
    for (const size_t flushed : {1u, 2u}) {
        const drop_counts &d = e.events[flushed].pages.dropped;
        BOOST_TEST(d.tlb > 0u);
        BOOST_TEST((lds ? d.lds : d.icache) > 0u);
        BOOST_TEST(d.table_lines > 0u);
        BOOST_TEST((d.walk_cache > 0) == (flushed == 2)); /* the first keeps the way to an entry */
    }
    BOOST_TEST(e.events[0].pages.dropped.tlb < e.events[1].pages.dropped.tlb);
    BOOST_TEST(e.events[0].pages.dropped.table_lines > 0u); /* because they were written */
    BOOST_TEST(e.events[0].pages.dropped.table_lines >= e.o.count("walk_unit.pte_cache_dropped"));
    BOOST_TEST(e.events[0].pages.dropped.walk_cache == 0u);
    BOOST_TEST(e.events[3].pages.dropped.tlb < e.events[2].pages.dropped.tlb / 4);
}

/* Not only the lines that the change before it wrote. */
BOOST_AUTO_TEST_CASE(when_tables_are_exchanged_every_line_of_them_is_dropped)
{
    os_event exchange = flush(ww_inval_all(), 6000);
    exchange.what = os_event::action::exchange;
    exchange.of = {0, 0, 0};
    exchange.other = 1;
    const machine_case two = {"apu-micro18", paged + "address_space.spaces=2 walk_unit.pte_cache_bytes=1024"};
    const ended e = run(two, {change(page_change::remap, 4000, 0, 1), exchange});
    BOOST_REQUIRE(e.events[1].acknowledged);
    BOOST_TEST(e.events[0].pages.dropped.table_lines <= 1u);
    BOOST_TEST(e.events[1].pages.dropped.table_lines > 4u);
}

/* Victims that an invalidate meets on the long way to the L2 TLB. */
BOOST_AUTO_TEST_CASE(an_event_says_which_fills_were_refused)
{
    const machine_case far = {"apu-micro18", paged + "l1_tlb.entries=4 l1_tlb.ways=4 l1_tlb.victims=pass "
                                                     "l1_tlb.link_cycles=800 l2_tlb.fills=256"};
    std::vector<os_event> list;
    for (uint64_t k = 0; k < 8; ++k)
        list.push_back(flush(ww_inval_all(), 4000 + 1500 * k));
    const ended e = run(far, list);
    uint64_t fills = 0;
    for (const os_event_result &r : e.events)
        fills += r.pages.dropped.fills;
    BOOST_TEST(fills > 0u);
    BOOST_TEST(fills == e.o.count("l2_tlb.fills_refused"));
}

BOOST_AUTO_TEST_CASE(an_event_says_which_walks_begin_again_and_which_forget_their_way)
{
    const machine_case slow = {"apu-micro18", paged + "walk_unit.walkers=2 walk_unit.coalesce=full"};
    const ended e = run(slow, {flush(ww_inval_all(), 4000)});
    const drop_counts &d = e.events[0].pages.dropped;
    BOOST_TEST(d.walks > 0u);
    BOOST_TEST(d.walks == e.o.count("walk_unit.walks_restarted"));
    BOOST_TEST(d.buffered > 0u);
    BOOST_TEST(d.buffered <= 256u); /* the buffer's entries */
    BOOST_TEST(d.lds + d.icache + d.table_lines == 0u);
}

/* Of a clock of 500 ps; of 2^15 ps, whose last cycle is below 2^48; and of a period that is no power of two.
 */
BOOST_AUTO_TEST_CASE(the_last_cycle_with_an_event_begins_before_2_63_ps)
{
    for (const uint64_t period : {500, 32768, 99999}) {
        const std::string clock = "gpu.clock_ps=" + std::to_string(period);
        const uint64_t last = INT64_MAX / period;
        const ended e = run({"apu-micro18", clock}, {flush(ww_inval_all(), last)});
        BOOST_TEST(!e.events[0].due); /* the run is over long before */
        BOOST_TEST(refusal(clock, {flush(ww_inval_all(), last + 1)}) ==
                   "test:1: cycle " + std::to_string(last + 1) + " is above " + std::to_string(last) +
                       ", the last one before 2^63 ps");
        BOOST_TEST(refusal(clock, {at_launch(flush(ww_inval_all(), 0), last + 1)}) == "");
    }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused_before_the_run)
{
    BOOST_TEST(
        refusal("", {change(page_change::unmap, 1, 0, 1)}).find("test:1: tables are changed by a pager") ==
        0u);
    BOOST_TEST(refusal(paged, {change(page_change::unmap, 1, pages_there(), 1)})
                   .find("test:1: no page of VM-ID 0 holds this address") == 0u);
    os_event e = change(page_change::unmap, 1, 0, 1);
    e.of.vmid = 2;
    BOOST_TEST(refusal(paged, {e}) == "test:1: VM-ID 2, and there is 0 only");
    BOOST_TEST(refusal(paged + "address_space.spaces=2", {e}) == "test:1: VM-ID 2, and there are 0 to 1");
    e.what = os_event::action::exchange;
    e.of.vmid = 0;
    e.other = 2;
    BOOST_TEST(refusal(paged + "address_space.spaces=2", {e}) == "test:1: VM-ID 2, and there are 0 to 1");
    BOOST_TEST(refusal("address_space.spaces=3", {e}).find("test:1: tables are changed by a pager") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

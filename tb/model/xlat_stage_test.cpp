/* SPDX-License-Identifier: MIT */
/* A translation stage with its policies, over a store that no block of the model uses: many victims of one
 * insert, pages that are passed on or refused, and claimed memory. */
#include "model/xlat_stage.hpp"
#include "tb/kernels/store_contract.hpp"
#include "tb/support/bunch_store.hpp"
#include "tb/support/requests.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr uint32_t hit_cycles = 10, below_cycles = 100;

miss_limits limits(uint32_t mshrs = 8)
{
    return {2, 64, mshrs, 8, hit_cycles, 1, 0};
}

stage_policy victims_pass()
{
    stage_policy p;
    p.passes_victims = true;
    return p;
}

/* Holds only what was passed on to it. */
stage_policy victim_store()
{
    stage_policy p = victims_pass();
    p.fills = 8;
    p.keeps_answers = false;
    return p;
}

/* A stage of three pages over a victim store of six over another of eight. */
struct chain {
    simulation sim;
    xlat_requester top{"top"};
    xlat_responder below{"below"};
    bunch *in_first = nullptr, *in_second = nullptr, *in_third = nullptr;
    xlat_stage first, second, third;
    translations asked{top};

    explicit chain(const stage_policy &of_first = victims_pass(),
                   const stage_policy &of_second = victim_store(), uint32_t mshrs_of_second = 8)
        : first("first", gpu_clock, make_bunch(3, in_first), {"l1", "L1 TLB"}, limits(), of_first, 12, 1),
          second("second", gpu_clock, make_bunch(6, in_second), {"v1", "first victim store"},
                 limits(mshrs_of_second), of_second, 12, 1),
          third("third", gpu_clock, make_bunch(8, in_third), {"v2", "second victim store"}, limits(),
                victim_store(), 12, 1)
    {
        top.down.bind(*first.up[0]);
        first.down.bind(*second.up[0]);
        second.down.bind(*third.up[0]);
        third.down.bind(below.up);
        invent(below);
        below.latency = below_cycles;
    }
    void ask(uint64_t page, uint16_t vmid = 0, uint64_t in_cycles = 1000)
    {
        asked.ask(page << 12, sim_now() + cycle(in_cycles), 0, 0, vmid);
    }
    tick sim_now() const { return first.now(); }
    /* Requests pages from..to, one after the other. */
    void look(uint64_t from, uint64_t to, uint16_t vmid = 0)
    {
        for (uint64_t page = from; page <= to; ++page) {
            ask(page, vmid);
            sim.run();
        }
        check_laws();
    }
    static std::vector<uint64_t> pages(const bunch &b)
    {
        std::vector<uint64_t> all;
        for (uint32_t i = 0; i < b.count; ++i)
            all.push_back(b.held[i].va >> 12);
        return all;
    }
    void check_laws() const
    {
        for (const xlat_stage *s : {&first, &second, &third}) {
            law_list list(0, false);
            s->laws(list);
            for (const law &l : list.all())
                BOOST_TEST(l.left == l.right, s->name() << ": " << l.name);
        }
    }
};

using numbers = std::vector<uint64_t>;

} // namespace

BOOST_AUTO_TEST_SUITE(stages)

BOOST_AUTO_TEST_CASE(the_store_of_these_tests_keeps_the_laws_of_a_store)
{
    bunch *b = nullptr;
    stage_store store = make_bunch(5, b);
    walkway_tb::store_contract laws(bunch_store, b, sizeof(bunch), {12}, 12, 2, 1);
    const walkway_tb::store_seen &seen = laws.run(2000);
    BOOST_TEST(seen.most_victims == 5u);
    BOOST_TEST(seen.results[WW_STORE_PASSED] > 0u);
    BOOST_TEST(seen.claimed > 0u);
}

BOOST_AUTO_TEST_CASE(all_victims_of_one_insert_go_down_in_order_one_in_a_cycle)
{
    chain c;
    c.look(1, 3);
    BOOST_TEST(chain::pages(*c.in_first) == (numbers{1, 2, 3}), boost::test_tools::per_element());
    c.asked.ask(4 << 12, cycle(100000));
    const tick filled =
        cycle(100000) + cycle(3 * hit_cycles + below_cycles + 2); /* three lookups, two ways up */
    for (uint64_t n = 0; n <= 3; ++n) {
        c.sim.run_until(filled + cycle(n) + 1);
        BOOST_TEST(c.second.stats().fills_received == n);
        BOOST_TEST(c.in_second->count == n);
    }
    c.sim.run();
    BOOST_TEST(c.first.stats().evictions == 3u);
    BOOST_TEST(c.first.stats().victims_passed == 3u);
    BOOST_TEST(c.second.stats().fills_kept == 3u);
    BOOST_TEST(chain::pages(*c.in_second) == (numbers{1, 2, 3}), boost::test_tools::per_element());
    c.check_laws();
}

BOOST_AUTO_TEST_CASE(victims_are_dropped_where_the_stage_does_not_pass_them)
{
    chain c{stage_policy{}};
    c.look(1, 4);
    BOOST_TEST(c.first.stats().evictions == 3u);
    BOOST_TEST(c.first.stats().victims_passed == 0u);
    BOOST_TEST(c.second.stats().fills_received == 0u);
}

BOOST_AUTO_TEST_CASE(a_victim_store_holds_what_was_handed_on_to_it_and_no_answers)
{
    chain c;
    c.look(1, 3);
    BOOST_TEST(c.in_second->count == 0u);
    BOOST_TEST(c.second.stats().fills == 0u);
    stage_policy keeps = victim_store();
    keeps.keeps_answers = true;
    chain k{victims_pass(), keeps};
    k.look(1, 3);
    BOOST_TEST(k.in_second->count == 3u);
    BOOST_TEST(k.second.stats().fills == 3u);
}

BOOST_AUTO_TEST_CASE(victims_of_a_victim_store_go_on_to_the_next)
{
    chain c;
    c.look(1, 10); /* the first evicts 1 to 9 by threes; the second holds six and evicts them for 7 */
    BOOST_TEST(chain::pages(*c.in_second) == (numbers{7, 8, 9}), boost::test_tools::per_element());
    BOOST_TEST(chain::pages(*c.in_third) == (numbers{1, 2, 3, 4, 5, 6}), boost::test_tools::per_element());
    BOOST_TEST(c.below.taken.size() == 10u);
    c.look(2, 2);
    BOOST_TEST(c.third.stats().hits == 1u);
    BOOST_TEST(c.below.taken.size() == 10u);
}

BOOST_AUTO_TEST_CASE(on_a_hit_below_the_page_is_copied_or_moves_up)
{
    chain copies;
    copies.look(1, 4);
    copies.look(2, 2);
    BOOST_TEST(copies.second.stats().hits == 1u);
    BOOST_TEST(copies.second.stats().moved == 0u);
    BOOST_TEST(chain::pages(*copies.in_second) == (numbers{1, 2, 3}), boost::test_tools::per_element());

    stage_policy moves = victim_store();
    moves.moves_hits = true;
    chain c{victims_pass(), moves};
    c.look(1, 4);
    c.look(2, 2);
    BOOST_TEST(c.second.stats().hits == 1u);
    BOOST_TEST(c.second.stats().moved == 1u);
    BOOST_TEST(chain::pages(*c.in_second) == (numbers{1, 3}), boost::test_tools::per_element());
    BOOST_TEST(chain::pages(*c.in_first) == (numbers{4, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_page_without_a_place_is_handed_on_and_one_that_is_refused_goes_nowhere)
{
    chain c;
    c.second.claim(0, 64);
    c.look(1, 4);
    BOOST_TEST(c.second.stats().fills_passed == 3u);
    BOOST_TEST(c.second.stats().victims_passed == 3u);
    BOOST_TEST(chain::pages(*c.in_third) == (numbers{1, 2, 3}), boost::test_tools::per_element());
    for (uint64_t page = 1; page <= 2; ++page)
        c.second.up[0]->posts()->fill(page << 12, bunch::unwanted_vm, invented(page << 12),
                                      c.sim_now() + cycle(10));
    c.sim.run();
    BOOST_TEST(c.second.stats().fills_refused == 2u);
    BOOST_TEST(c.third.stats().fills_received == 3u);
    c.check_laws();
}

BOOST_AUTO_TEST_CASE(an_answer_without_a_place_is_no_fill_and_is_not_handed_on)
{
    chain c;
    c.first.claim(0, 64);
    c.look(1, 4);
    c.look(5, 5, bunch::unwanted_vm);
    BOOST_TEST(c.first.stats().responses == 5u);
    BOOST_TEST(c.first.stats().fills == 0u);
    BOOST_TEST(c.second.stats().fills_received == 0u);
}

BOOST_AUTO_TEST_CASE(a_claim_drops_what_lies_there_until_it_is_released)
{
    chain c;
    c.look(1, 2);
    c.first.claim(0, 64);
    BOOST_TEST(c.first.stats().claimed == 2u);
    c.check_laws();
    c.look(3, 3);
    BOOST_TEST(c.in_first->count == 0u);
    c.first.release(0, 64);
    c.look(4, 4);
    BOOST_TEST(chain::pages(*c.in_first) == numbers{4}, boost::test_tools::per_element());
}

/* A stage with a number of MSHRs, or none, and two requesters, above a level whose queue has one place. */
struct lone {
    simulation sim;
    xlat_requester one{"one"}, other{"other"};
    xlat_responder below{"below", gpu_clock, 1};
    bunch *held = nullptr;
    xlat_stage stage;
    translations of_one{one}, of_other{other};

    explicit lone(uint32_t mshrs)
        : stage("stage", gpu_clock, make_bunch(4, held), {"l1", "L1 TLB"}, limits(mshrs), stage_policy{}, 12,
                2)
    {
        one.down.bind(*stage.up[0]);
        other.down.bind(*stage.up[1]);
        stage.down.bind(below.up);
        invent(below);
        below.latency = below_cycles;
    }
};

BOOST_AUTO_TEST_CASE(without_pending_misses_each_request_goes_down_by_itself)
{
    for (const uint32_t mshrs : {8u, 0u}) {
        lone l(mshrs);
        xlat_request &a = l.of_one.ask(1 << 12, cycle(100)), &b = l.of_other.ask(1 << 12, cycle(100));
        l.sim.run();
        BOOST_TEST(l.below.taken.size() == (mshrs == 0 ? 2u : 1u));
        BOOST_TEST(l.stage.stats().misses == l.below.taken.size());
        BOOST_TEST(l.one.done[&a] == cycle(100 + hit_cycles + below_cycles + 1));
        BOOST_TEST(l.other.done[&b] == cycle(100 + hit_cycles + below_cycles + 1 + (mshrs == 0 ? 1 : 0)));
        BOOST_TEST(l.stage.stats().fills == l.below.taken.size());
        BOOST_TEST(l.stage.stats().refreshed == l.below.taken.size() - 1);
        BOOST_TEST(l.stage.live() == 0u);
        xlat_request &again = l.of_one.ask(1 << 12, cycle(1000));
        l.sim.run();
        BOOST_TEST(l.one.done[&again] == cycle(1000 + hit_cycles));
    }
}

BOOST_AUTO_TEST_CASE(without_pending_misses_no_lookup_starts_while_the_level_below_has_no_room)
{
    lone l(0);
    l.below.closed_until = cycle(500);
    for (uint64_t page = 1; page <= 3; ++page)
        l.of_one.ask(page << 12, cycle(100));
    *l.held = bunch{4, 1, false, {ww_mapping{7 << 12, invented(7 << 12), 0}}};
    l.of_one.ask(7 << 12, cycle(100)); /* would hit */
    l.sim.run_until(cycle(499));
    BOOST_TEST(l.stage.stats().lookups == 2u); /* one is in the queue below, one waits outside it */
    BOOST_TEST(l.stage.stats().stall_mshr_cycles == 0u);
    l.sim.run();
    BOOST_TEST(l.stage.stats().responses == 4u);
    BOOST_TEST(l.stage.stats().stall_mshr_cycles == 0u);
    BOOST_TEST(l.stage.stats().stall_below_cycles > 300u);
}

BOOST_AUTO_TEST_SUITE_END()

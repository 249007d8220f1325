/* SPDX-License-Identifier: MIT */
/* Tests translation within a call, without SystemC: three stages and walks of real page tables. Every answer
 * is the table's; `look` changes no bit of any store; no stage holds what is invalidated. */
#include "tb/support/bunch_store.hpp"
#include "tb/translate/chain.hpp"

#include <boost/test/data/test_case.hpp>

#include <dlfcn.h>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

/* An address, mostly in a mapped page. */
uint64_t some_address(ww_rng *random)
{
    const uint64_t where[] = {base_va, base_va + (uint64_t{1} << 30), base_va << 1, base_va << 2};
    const uint32_t i = ww_rng_below(random, 61);
    return where[ww_rng_below(random, 4)] + i * uint64_t{4096} + (uint64_t{i} / 16 << 21) +
           ww_rng_below(random, 4096);
}

} // namespace

BOOST_AUTO_TEST_SUITE(translate_now)

BOOST_AUTO_TEST_CASE(no_simulation_is_part_of_this_program)
{
    BOOST_TEST(dlsym(RTLD_DEFAULT, "_ZN7sc_core18sc_curr_simcontextE") == nullptr);
    BOOST_TEST(dlsym(RTLD_DEFAULT, "dlsym") != nullptr);
}

BOOST_DATA_TEST_CASE(answers_are_the_tables_and_look_changes_no_bit, data::make({4, 5}) * data::make({0, 3}),
                     levels, seed)
{
    chain c(static_cast<uint8_t>(levels), static_cast<uint64_t>(seed));
    ww_rng random;
    ww_rng_init(&random, 1);
    uint64_t faults = 0;
    for (unsigned i = 0; i < 3000; ++i) {
        const now_request r = {some_address(&random), 0}, other = {some_address(&random), 0};
        const auto before = c.dump();
        for (translator *t : c.all)
            c.expect(t->translate_now(other, cycles(i), now_how::look), other.va);
        const now_answer looked = c.l1.translate_now(r, cycles(i), now_how::look);
        BOOST_REQUIRE(c.dump() == before);
        const now_answer a = c.l1.translate_now(r, cycles(i), now_how::commit);
        c.expect(a, r.va);
        BOOST_TEST(looked.at == a.at);
        BOOST_TEST(looked.fault == a.fault);
        faults += a.fault;
    }
    BOOST_TEST(faults > 100u);
    BOOST_TEST(faults < 1000u);
}

/* Cycles: L1 3; wire to L2 and its lookup 10; wire to the IOMMU 5, in it 20; walk cache 1; for each of four
 * reads 2 for the line cache, 16 to memory, 100 in it, 4 back; 1 on each of three ways up. */
BOOST_AUTO_TEST_CASE(an_answer_takes_the_time_of_the_stages_that_it_needs)
{
    chain c;
    const now_request r = {base_va + 4 * 4096, 0}, neighbour = {base_va + 5 * 4096, 0};
    const auto takes = [&](const now_request &what) {
        return c.l1.translate_now(what, cycles(7), now_how::commit).at - cycles(7);
    };
    BOOST_TEST(takes(r) == cycles(3 + 10 + 5 + 20 + 1 + 4 * 122 + 3));
    BOOST_TEST(takes(r) == cycles(3));
    BOOST_TEST(takes(neighbour) == cycles(3 + 10 + 5 + 20 + 1 + 2 + 3)); /* line and upper levels are hits */
    BOOST_TEST(c.memory.reads == 4u);
    BOOST_TEST(c.l1.translate_now(r, cycles(7) + 1, now_how::look).at ==
               cycles(8 + 3)); /* at the next clock edge */
    c.l1.forget_now(ww_inval_all());
    c.iommu.translate_now(r, 0, now_how::commit);
    BOOST_TEST(c.iommu.translate_now(r, 0, now_how::look).at == cycles(4 + 1));
    BOOST_TEST(takes(r) == cycles(3 + 10 + 5 + 4 + 3));
}

BOOST_AUTO_TEST_CASE(a_commit_uses_what_it_finds)
{
    chain c;
    const auto at = [](uint64_t i) { return now_request{base_va + i * 4096, 0}; };
    for (uint64_t i = 0; i < 8; ++i)
        c.l1.translate_now(at(i), 0, now_how::commit);
    c.l1.translate_now(at(0), 0, now_how::commit); /* now the oldest is the latest used */
    const auto held = [&](uint64_t i) {
        ww_xlat x;
        return c.l1.kind().probe(c.l1.store(), at(i).va, 0, &x);
    };
    c.l1.translate_now(at(9), 0, now_how::commit);
    BOOST_TEST(held(0));
    BOOST_TEST(!held(1));
}

BOOST_AUTO_TEST_CASE(a_victim_goes_to_the_stage_below_which_may_have_lost_it)
{
    chain c;
    const now_request first = {base_va, 0};
    c.l1.translate_now(first, 0, now_how::commit);
    const ww_inval_scope one = ww_inval_range(base_va, 4096, 0);
    c.l2.kind().invalidate(c.l2.store(), &one);
    ww_xlat x{};
    for (uint64_t i = 1; i <= 8; ++i) {
        BOOST_TEST(!c.l2.kind().probe(c.l2.store(), base_va, 0, &x));
        c.l1.translate_now({base_va + i * 4096, 0}, 0, now_how::commit);
    }
    BOOST_TEST(c.l2.kind().probe(c.l2.store(), base_va, 0, &x));
    c.expect({x, false, 0}, base_va);
    BOOST_TEST(!c.l1.fill_now({base_va, x, 0}));
    BOOST_TEST(!c.iommu.fill_now({base_va, x, 0}));
}

/* While the upper store's memory is claimed, it has no room for a page. */
BOOST_AUTO_TEST_CASE(a_page_without_a_place_goes_on_to_the_stage_below)
{
    chain c;
    bunch *upper = nullptr, *lower = nullptr;
    const stage_policy takes = {4, true, false, false}, last = {4, false, false, false};
    store_translator below(make_bunch(4, lower), last, gpu_clock, {}, c.walks);
    store_translator above(make_bunch(4, upper), takes, gpu_clock, {}, below);
    const ww_mapping page = {base_va, {0x1000, WW_PAGE_4K, WW_PERM_ALL}, 0},
                     other = {base_va << 1, page.xlat, 0};
    BOOST_TEST(above.fill_now(page));
    BOOST_TEST(upper->count == 1u);
    BOOST_TEST(lower->count == 0u);
    above.kind().claim(above.store(), 0, 64);
    BOOST_TEST(above.fill_now(other));
    BOOST_TEST(upper->count == 0u);
    BOOST_TEST(lower->count == 1u);
}

BOOST_AUTO_TEST_CASE(a_hit_in_the_second_array_is_a_use_of_it)
{
    chain c;
    array_pair_translator pair({stage_store(), 0}, {tlb_of(2, 2), cycles(1)}, gpu_clock, 0, c.walks);
    const auto at = [](uint64_t i) { return now_request{base_va + i * 4096, 0}; };
    for (const uint64_t i : {0, 1, 0, 2})
        pair.translate_now(at(i), 0, now_how::commit);
    ww_xlat x;
    BOOST_TEST(pair.find(at(0), &x) == array_pair_translator::second);
    BOOST_TEST(pair.find(at(1), &x) == array_pair_translator::miss);
}

BOOST_AUTO_TEST_CASE(of_two_spaces_the_one_in_scope_is_walked_from_its_registers_again)
{
    table_memory memory(4);
    walk_caches caches = caches_of(memory.registers().kind);
    caches.lines.bytes = 0;
    walk_translator walks(page_tables({memory.registers(), memory.registers()}), caches, gpu_clock, {},
                          memory);
    const auto reads_of = [&](uint16_t vmid) {
        const uint64_t before = memory.reads;
        BOOST_TEST(!walks.translate_now({base_va, vmid}, 0, now_how::commit).fault);
        return memory.reads - before;
    };
    for (const uint16_t vmid : {uint16_t{0}, uint16_t{1}}) {
        BOOST_TEST(reads_of(vmid) == 4u);
        BOOST_TEST(reads_of(vmid) == 1u);
    }
    walks.forget_now(ww_inval_range(base_va, 4096, 1));
    BOOST_TEST(reads_of(0) == 1u);
    BOOST_TEST(reads_of(1) == 4u);
    walks.forget_now(ww_inval_all());
    BOOST_TEST(reads_of(0) == 4u);
    BOOST_TEST(reads_of(1) == 4u);
}

BOOST_AUTO_TEST_CASE(what_is_forgotten_is_held_by_no_stage)
{
    chain c;
    ww_rng random;
    ww_rng_init(&random, 2);
    for (unsigned i = 0; i < 2000; ++i) {
        const uint64_t va = some_address(&random);
        c.expect(c.l1.translate_now({va, 0}, 0, now_how::commit), va);
        auto moved = std::next(c.memory.pages.begin(), ww_rng_below(&random, 150));
        BOOST_REQUIRE(ww_radix_unmap(&c.memory.table, c.memory.words.data(), moved->first) == WW_OK);
        const uint64_t pa = (uint64_t{1000} + i) << 12;
        c.memory.map(moved->first, pa, WW_PAGE_4K);
        c.l1.forget_now(ww_inval_range(moved->first, 4096, 0));
        for (translator *t : c.all)
            c.expect(t->translate_now({moved->first, 0}, 0, now_how::look), moved->first);
    }
    for (const ww_inval_scope &scope : {ww_inval_space(0), ww_inval_all()}) {
        c.memory.reads = 0;
        c.l1.translate_now({base_va, 0}, 0, now_how::commit);
        c.l1.forget_now(scope);
        c.memory.reads = 0;
        c.l1.translate_now({base_va, 0}, 0, now_how::commit);
        BOOST_TEST(c.memory.reads == 4u);
    }
}

BOOST_AUTO_TEST_CASE(an_error_of_memory_and_a_space_without_a_table_are_faults_and_enter_nothing)
{
    chain c;
    walk_translator by_vmid(page_tables(std::vector<ww_table>{c.memory.registers()}),
                            caches_of(c.memory.registers().kind), gpu_clock, {}, c.memory);
    BOOST_TEST(!by_vmid.translate_now({base_va, 0}, 0, now_how::commit).fault);
    BOOST_TEST(by_vmid.translate_now({base_va, 1}, 0, now_how::commit).fault);
    c.memory.refused = table_pa;
    const auto before = c.dump();
    const now_answer a = c.l1.translate_now({base_va, 0}, 0, now_how::commit);
    BOOST_TEST(a.fault);
    c.memory.refused = 0;
    BOOST_TEST((c.dump() == before));
    c.expect(c.l1.translate_now({base_va, 0}, 0, now_how::commit), base_va);
}

BOOST_AUTO_TEST_CASE(page_tables_of_two_kinds_and_an_illegal_walk_cache_are_refused)
{
    BOOST_CHECK_THROW(page_tables(std::vector<ww_table>{}), std::invalid_argument);
    BOOST_CHECK_THROW(page_tables({ww_radix_table(4, 0), ww_radix_table(5, 0)}), std::invalid_argument);
    table_memory memory(4);
    walk_caches none = caches_of(memory.registers().kind);
    none.lines.ways = 5;
    BOOST_TEST(!walk_translator(memory.registers(), none, gpu_clock, {}, memory).ok());
}

BOOST_AUTO_TEST_SUITE_END()

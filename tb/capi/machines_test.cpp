/* SPDX-License-Identifier: MIT */
/* tb/capi/machines_test.cpp - compares the C library with the machines: over the same page tables and with
 * the same .cfg values, the machine's own stages and the library translate each access. Answers and times are
 * equal. */
#include <boost/test/data/test_case.hpp>

#include "platforms/gpu.hpp"
#include "platforms/gpu_params.hpp"
#include "tb/platform/machines.hpp"
#include "translate/translator.hpp"

#include <walkway.h>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace capi_machines
{

struct pair_of {
    const char *machine, *settings; /* small, so that there are many evictions */
};

const pair_of pairs[] = {
    {"apu-micro18", ""},
    {"apu-micro18", "l1_tlb.entries=8 l1_tlb.ways=2 l2_tlb.entries=16 l2_tlb.ways=4 l1_tlb.index=xor "
                    "iommu_tlb.tlb2_entries=16 walk_unit.pte_cache_bytes=1024 walk_unit.pwc_l2=2"},
    {"apu-micro18",
     "l1_tlb.entries=4 l1_tlb.ways=4 victim.entries=8 victim.shared_by=2 victim.victims=pass l2_tlb.fills=8 "
     "l2_tlb.entries=16 l2_tlb.ways=4 iommu_tlb.tlb1_entries=0 iommu_tlb.tlb2_entries=0 "
     "walk_unit.pte_cache_bytes=512 "
     "walk_unit.pte_cache_holds=inner"},
    {"apu-micro18",
     "address_space.table=amd_v1 l2_tlb.entries=16 l2_tlb.ways=4 iommu_tlb.tlb1_entries=0 gpu.clock_ps=714 "
     "walk_unit.pwc_cycles=3"},
    {"apu-micro18", "address_space.levels=5 translation.ideal=zero_walk l2_tlb.entries=16 l2_tlb.ways=4"},
    {"apu-micro18", "l1_tlb.entries=4 l1_tlb.ways=4 l2_tlb.entries=16 l2_tlb.ways=8 l2_tlb.store=compressed "
                    "l2_tlb.compressed_ways=4"},
    {"mmu-hpca14", "walk_unit.shared_by=2 l1_tlb.entries=8 l1_tlb.ways=8 walk_unit.pwc_l2=4 victim.entries=8 "
                   "victim.shared_by=2"},
    {"dgpu-pact24",
     "gpu.cus=16 walk_unit.shared_by=16 l1_tlb.entries=8 l1_tlb.ways=8 l2_tlb.entries=32 l2_tlb.ways=4"},
    {"platforms/examples/gpu3", ""},
    {"platforms/examples/gpu3",
     "l1_tlb.entries=4 l1_tlb.ways=4 l1_tlb.victims=pass l2_tlb.entries=16 l2_tlb.ways=4 l2_tlb.fills=8 "
     "l2_tlb.victims=pass l3_tlb.fills=16 l3_tlb.entries=64 l3_tlb.store=compressed "
     "l3_tlb.compressed_ways=8 l3_tlb.rebase_after=16 walk_unit.pwc_l2=4"},
    {"platforms/examples/two-victims",
     "prefetch.entries=0 l1_tlb.entries=4 l1_tlb.ways=4 victim.entries=8 victim.victims=pass "
     "l2_tlb.entries=16 l2_tlb.ways=4 far_victim.entries=32"},
};
std::ostream &operator<<(std::ostream &out, const pair_of &p)
{
    return out << p.machine << " " << p.settings;
}

const trace &program()
{
    static const trace t(scatter(6, 6, 1 << 20, 30));
    return t;
}

std::unique_ptr<memory_world> world_of(const std::string &machine, const std::string &settings)
{
    gpu_machine_params p = machine_params_of(machine);
    param_setter set(settings);
    p.visit(set);
    return std::make_unique<memory_world>(p.address_space_of_run(), program().reader(), p.memory_end());
}

int read_line(void *user, uint64_t line_pa, uint64_t line[8], uint64_t *)
{
    static_cast<memory_world *>(user)->store.read(line_pa, reinterpret_cast<unsigned char *>(line), 64);
    return 0;
}

translator *stage_of_unit(const machine &m, unsigned unit)
{
    const std::string name = "top.coalescer_" + std::to_string(unit);
    for (const block *b : const_cast<machine &>(m).top().blocks())
        if (b->name() == name)
            for (const asking_end *end : b->asks())
                if (end->target()->translates() != nullptr)
                    return end->target()->translates();
    BOOST_FAIL("no " << name);
    return nullptr;
}

} // namespace capi_machines
using namespace capi_machines;

BOOST_AUTO_TEST_SUITE(capi_and_machines)

BOOST_DATA_TEST_CASE(answer_alike_at_equal_times, data::make(pairs), pair)
{
    const std::string machine = pair.machine, settings = pair.settings;
    built b({machine, settings}, program());
    BOOST_TEST((b.made->run({}) == run_end::complete)); /* before a run ports have no targets */
    const auto world = world_of(machine, settings);
    std::vector<std::string> words;
    std::istringstream in(settings);
    for (std::string word; in >> word;)
        words.push_back(word);
    std::vector<const char *> texts;
    for (const std::string &word : words)
        texts.push_back(word.c_str());
    walkway_options o = {};
    o.version = WALKWAY_VERSION;
    o.settings = texts.data();
    o.settings_count = static_cast<uint32_t>(texts.size());
    o.physical_bits = 34; /* as wide as main memory, for the compressed store */
    walkway_chain *w = nullptr;
    const std::string file = machine.find('/') == std::string::npos ? machine : path_of_machine(machine);
    BOOST_REQUIRE_MESSAGE(walkway_create(file.c_str(), &o, &w) == WALKWAY_OK, walkway_last_error());
    BOOST_REQUIRE_EQUAL(walkway_set_reader(w, read_line, world.get()), WALKWAY_OK);
    const ww_table &table = world->spaces[0].table();
    BOOST_REQUIRE_EQUAL(walkway_set_root(w, 0, table.regs.word[0] & 0xffffffffff000), WALKWAY_OK);

    ww_rng random;
    ww_rng_init(&random, 1);
    std::vector<translator *> stages;
    for (uint32_t unit = 0; unit < walkway_units(w); ++unit)
        stages.push_back(stage_of_unit(b.machine, unit));
    for (translator *stage : stages)
        stage->forget_now(ww_inval_all());
    uint64_t faults = 0, hits = 0;
    for (unsigned i = 0; i < 4000; ++i) {
        const uint32_t pages = i % 3 == 0 ? 300 : 12,
                       unit = ww_rng_below(&random, i % 2 == 0 ? 3 : walkway_units(w));
        const uint64_t va =
            buffer_va + ww_rng_below(&random, pages) * uint64_t{4096} + ww_rng_below(&random, 4096);
        const walkway_access a = {va, unit, 0, 0, 0};
        walkway_result r = {};
        walkway_advance(w, ww_rng_below(&random, 1000));
        const tick now = walkway_now(w);
        const now_answer expected = stages[unit]->translate_now({va, 0}, now, now_how::commit);
        walkway_translate(w, &a, &r);
        BOOST_REQUIRE_EQUAL(r.fault != WALKWAY_FAULT_NONE, expected.fault);
        BOOST_REQUIRE_EQUAL(r.done_ps, expected.at);
        BOOST_REQUIRE_EQUAL(r.pa, expected.fault ? 0 : ww_xlat_pa(&expected.xlat, va));
        BOOST_REQUIRE_EQUAL(r.rights, expected.fault ? 0 : expected.xlat.perm);
        faults += expected.fault;
        hits += r.done_ps - r.issued_ps < 100000;
        if (i % 500 == 499) {
            const ww_inval_scope scope = ww_inval_range(va & ~uint64_t{4095}, 8192, 0);
            for (translator *stage : stages)
                stage->forget_now(scope);
            walkway_invalidate_range(w, 0, va | 1, 4096);
        }
    }
    BOOST_TEST(faults > 20u);
    BOOST_TEST(hits > 500u);
    walkway_destroy(w);
}

BOOST_AUTO_TEST_CASE(a_level_that_cannot_answer_within_a_call_is_refused_with_the_reason)
{
    walkway_options o = {};
    o.version = WALKWAY_VERSION;
    walkway_chain *w = nullptr;
    BOOST_TEST(walkway_create(path_of_machine("platforms/examples/two-victims").c_str(), &o, &w) ==
               WALKWAY_E_CONFIG);
    const std::string why = walkway_last_error();
    BOOST_TEST(why.find("prefetch.entries = 16: a prefetcher needs time to pass between requests") !=
                   std::string::npos,
               why);
}

BOOST_AUTO_TEST_SUITE_END()

/* SPDX-License-Identifier: MIT */
/* Every machine translates within a call, at every link that carries translations: every stage gives the same
 * answer, and none leaves a trace. */
#include "tb/platform/machines.hpp"
#include "translate/translator.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

/* Not anonymous: test cases with rows are templates with these types as arguments. */
namespace platform_translate_now
{

const trace &small_trace()
{
    static const trace t(scatter(6, 6, 1 << 20, 30));
    return t;
}

/* The ports through which translations enter blocks, by block and port: those of links that carry them, and
 * the coalescers' ports, which pass them on. */
std::map<std::string, translator *> entrances(const machine &m, uint64_t *links)
{
    std::map<std::string, translator *> all;
    for (const block *b : const_cast<machine &>(m).top().blocks()) {
        for (const serving_end *end : b->serves())
            if (end->translates() != nullptr)
                all[std::string(b->name()) + "." + end->port()] = end->translates();
        for (const asking_end *end : b->asks())
            if (std::string(end->protocol()) == "translation") {
                BOOST_TEST(end->target()->translates() != nullptr,
                           end->target()->owner().name() << " does not translate within a call");
                ++*links;
            }
    }
    return all;
}

std::map<std::string, std::string> dump(const std::map<std::string, translator *> &all)
{
    std::map<std::string, std::string> d;
    for (const auto &each : all) {
        BOOST_TEST(each.second->check() == nullptr);
        each.second->states([&](const char *store, const void *bytes, size_t size) {
            d[each.first + " " + store].assign(static_cast<const char *>(bytes), size);
        });
    }
    return d;
}

std::vector<machine_case> cases()
{
    std::vector<machine_case> all = every_machine(
        {"gpu.cus=2", "gpu.cus=2 translation.ideal=perfect_l1", "gpu.cus=2 address_space.table=amd_v1",
         "gpu.cus=2 address_space.levels=5 address_space.page=mixed",
         "gpu.cus=2 address_space.table=nested address_space.page=mixed"});
    const std::string small = "gpu.cus=2 l1_tlb.entries=4 l1_tlb.ways=4 l2_tlb.fills=64 ";
    for (const char *between :
         {"lds.banks=32 lds_tx.translations=on lds_tx.fills=64",
          "l1_tlb.victims=pass victim.entries=32 l2_tlb.store=compressed", "prefetch.entries=8"})
        all.push_back({"apu-micro18", small + between});
    return all;
}

} // namespace platform_translate_now
using namespace platform_translate_now;

BOOST_AUTO_TEST_SUITE(translate_now_on_machines)

BOOST_DATA_TEST_CASE(every_stage_of_every_machine_answers_alike_after_a_run, data::make(cases()), how)
{
    built b(how, small_trace());
    BOOST_TEST((b.made->run({}) == run_end::complete));
    uint64_t links = 0;
    const auto all = entrances(b.machine, &links);
    BOOST_TEST(links > 1u);
    BOOST_TEST(all.size() > links);
    const auto before = dump(all);
    for (uint64_t va = buffer_va; va < buffer_va + (1 << 20); va += 4096 * 5) {
        const now_answer first = all.begin()->second->translate_now({va + 40, 0}, 0, now_how::look);
        for (const auto &[name, t] : all) {
            const now_answer a = t->translate_now({va + 40, 0}, 0, now_how::look);
            BOOST_TEST(!a.fault, name);
            BOOST_TEST(ww_xlat_same(&a.xlat, &first.xlat), name);
        }
    }
    for (const auto &[name, t] : all)
        BOOST_TEST(t->translate_now({uint64_t{1} << 45, 0}, 0, now_how::look).fault, name);
    BOOST_TEST((dump(all) == before));
}

BOOST_AUTO_TEST_SUITE_END()

/* SPDX-License-Identifier: MIT */
/* Whole machines on each kind of page table: a pairwise covering array of tables and what works on them, in
 * every row of which the laws hold and each translation is the one of a radix table with the same pages. */
#include "tb/platform/auditor.hpp"
#include "tb/platform/lawful.hpp"

#include <boost/test/data/test_case.hpp>

#include <map>
#include <set>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace platform_hashed_table
{

/* Divergent rows, scattered accesses and a buffer so far away that no region of it is of the others' group.
 */
const trace &program()
{
    static const trace t([] {
        trace_spec spec = rows_and_scattered(2, 16, 4 << 20);
        spec.buffers[0].bytes += 4 << 20;
        return spec;
    }());
    return t;
}

struct factor {
    const char *name;
    std::vector<std::string> values; /* settings; the first one is the machine as it is */
};

const std::vector<factor> &factors()
{
    static const std::string t = "address_space.table=";
    static const std::vector<factor> all = {
        {"table",
         {"", "address_space.levels=5", t + "amd_v1", t + "hashed", t + "hashed_stepless",
          t + "hashed address_space.slots_percent=100 iommu.step_cache=1 address_space.step_entries=1",
          t + "hashed_stepless address_space.slots_percent=100 address_space.slot_stride=3", t + "nested",
          t + "nested address_space.paging=host iommu.pwc_l2=1"}},
        {"page", {"", "address_space.page=64k", "address_space.page=2m", "address_space.page=mixed"}},
        {"map", {"", "address_space.map=first_touch pager.mean_cycles=200", "address_space.map=half"}},
        {"coalesce", {"", "iommu.coalesce=leaf", "iommu.coalesce=full"}},
        {"schedule", {"", "iommu.schedule=sjf", "iommu.schedule=batch", "iommu.schedule=rr_cu"}},
        {"walkers", {"", "iommu.walkers=1 iommu.buffer_entries=4 iommu.backlog_entries=0"}},
        {"lines",
         {"", "iommu.pte_cache_bytes=1024 iommu.pte_cache_merge=true",
          "iommu.pte_cache_bytes=1024 iommu.pte_cache_holds=inner"}},
        {"victims",
         {"", "victim.entries=16 l1_tlb.entries=4 l1_tlb.ways=4",
          "lds.banks=8 lds.translations=on l1_tlb.entries=4 l1_tlb.ways=4", "memory_tlb.entries=4096",
          "l2_tlb.store=compressed l2_tlb.entries=128 l2_tlb.ways=16"}},
        {"ideal",
         {"", "translation.ideal=unlimited_walkers", "translation.ideal=zero_walk",
          "translation.ideal=infinite_l2"}},
        {"path", {"", "iommu.walk_path=l2d"}},
        {"spaces", {"", "address_space.spaces=2 dispatcher.space=group"}},
    };
    return all;
}

using row = std::vector<size_t>;    /* a value of each factor */
using pair = std::array<size_t, 4>; /* two factors and their values */

std::string settings_of(const row &r)
{
    std::string all;
    for (size_t f = 0; f < r.size(); ++f)
        all += factors()[f].values[r[f]] + " ";
    return all;
}

bool legal(const row &r)
{
    try {
        return configured(settings_of(r)).validate().empty();
    } catch (const std::exception &) {
        return false;
    }
}

void each_pair(const row &r, std::set<pair> &of)
{
    for (size_t a = 0; a < r.size(); ++a)
        for (size_t b = a + 1; b < r.size(); ++b)
            of.insert({a, b, r[a], r[b]});
}

struct covering {
    std::vector<row> rows;
    unsigned impossible = 0; /* pairs that no legal machine has */
};

/* Greedy: each row is the one of many random legal rows that has most of the pairs that none has yet. */
const covering &covering_array()
{
    static const covering all = [] {
        covering made;
        std::set<pair> left;
        for (size_t a = 0; a < factors().size(); ++a)
            for (size_t b = a + 1; b < factors().size(); ++b)
                for (size_t va = 0; va < factors()[a].values.size(); ++va)
                    for (size_t vb = 0; vb < factors()[b].values.size(); ++vb)
                        left.insert({a, b, va, vb});
        ww_rng rng;
        ww_rng_init(&rng, 24);
        while (!left.empty()) {
            row best;
            size_t most = 0;
            const pair wanted = *left.begin();
            for (unsigned candidate = 0; candidate < 60; ++candidate) {
                row r;
                for (const factor &f : factors())
                    r.push_back(ww_rng_below(&rng, static_cast<uint32_t>(f.values.size())));
                r[wanted[0]] = wanted[2];
                r[wanted[1]] = wanted[3];
                if (!legal(r))
                    continue;
                std::set<pair> has;
                each_pair(r, has);
                size_t fresh = 0;
                for (const pair &p : has)
                    fresh += left.count(p);
                if (fresh > most) {
                    most = fresh;
                    best = r;
                }
            }
            if (most == 0) {
                left.erase(wanted);
                ++made.impossible;
                continue;
            }
            std::set<pair> has;
            each_pair(best, has);
            for (const pair &p : has)
                left.erase(p);
            made.rows.push_back(best);
        }
        return made;
    }();
    return all;
}

std::map<std::string, std::string> audited(const std::string &settings)
{
    const apu_params p = configured(settings);
    BOOST_TEST(p.validate() == "");
    simulation sim;
    memory_store other;
    address_space_params radix = p.address_space;
    radix.map = radix.table = 0;
    radix.levels = 4;
    const address_spaces laid_out(radix, ranges_of(program().reader()), other);
    auto world = std::make_shared<memory_world>(p.address_space_of_run(), program().reader(), p.memory_end());
    auto made =
        std::make_unique<apu_top>("top", p.resolved(world->spaces.pages()), *world, program().reader());
    auditor all(laid_out);
    for (coalescer *c : made->coalescer)
        c->watch(&all);
    machine m({world, std::move(made)});
    BOOST_TEST((m.run({}) == run_end::complete), m.stuck());
    for (const law &l : m.laws())
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
    BOOST_TEST(all.seen > 300u);
    BOOST_TEST(all.wrong + all.absent == 0u);
    stat_text text;
    m.visit(text);
    return text.all;
}

BOOST_AUTO_TEST_SUITE(hashed_tables)

BOOST_AUTO_TEST_CASE(every_pair_of_values_runs_to_the_same_translations)
{
    BOOST_TEST(covering_array().impossible == 0u);
    BOOST_TEST(covering_array().rows.size() >= 45u); /* nine tables, five kinds of victims */
    for (const row &r : covering_array().rows)
        BOOST_TEST_CONTEXT(settings_of(r))
    audited(settings_of(r));
}

/* Every machine that there is, on settings that all have. */
BOOST_DATA_TEST_CASE(
    every_machine_runs_on_a_hashed_table,
    data::make(every_machine({"address_space.table=hashed",
                              "address_space.table=hashed_stepless address_space.page=mixed",
                              "address_space.table=hashed address_space.map=first_touch",
                              "address_space.table=hashed address_space.slots_percent=100"})),
    of)
{
    runs_lawfully(of, program());
}

uint64_t number(const std::map<std::string, std::string> &stats, const std::string &name)
{
    return std::stoull(stats.at(name));
}

/* Cold, a radix walk reads four lines; a hashed one two, and one once its group's steps are known. */
BOOST_AUTO_TEST_CASE(walks_read_one_line_with_the_steps_and_two_without)
{
    const std::string off = " iommu.pwc_l2=0 iommu.pwc_l3=0 iommu.pwc_l4=0";
    const auto radix = audited(off);
    const auto hashed = audited("address_space.table=hashed");
    const auto cold = audited("address_space.table=hashed iommu.step_cache=0");
    const auto stepless = audited("address_space.table=hashed_stepless address_space.slots_percent=5000");
    BOOST_TEST(number(radix, "iommu.pte_reads") == 4 * number(radix, "iommu.walks_started"));
    BOOST_TEST(number(cold, "iommu.pte_reads") == 2 * number(cold, "iommu.walks_started"));
    BOOST_TEST(number(hashed, "iommu.pte_reads") ==
               2 * number(hashed, "iommu.walks_started") - number(hashed, "iommu.pwc_hits_steps"));
    BOOST_TEST(number(hashed, "iommu.pwc_hits_steps") > number(hashed, "iommu.walks_started") * 9 / 10);
    BOOST_TEST(number(hashed, "iommu.pte_reads_hpt") == number(hashed, "iommu.walks_started"));
    BOOST_TEST(number(stepless, "iommu.pte_reads") == number(stepless, "iommu.walks_started"));
    BOOST_TEST(number(stepless, "iommu.pte_reads_home") == number(stepless, "iommu.walks_started"));
    const auto walk_caches = [](const auto &stats) {
        std::string names;
        for (const auto &s : stats)
            if (s.first.rfind("iommu.pwc_hits_", 0) == 0)
                names += s.first.substr(15) + " ";
        return names;
    };
    BOOST_TEST(walk_caches(radix) == "l2 l3 l4 l5 ");
    BOOST_TEST(walk_caches(hashed) == "steps ");
    BOOST_TEST(walk_caches(stepless) == "");
}

/* The lines of a slot are neighbourhoods as those of a radix table's leaves are. */
BOOST_AUTO_TEST_CASE(coalescing_serves_requests_on_a_hashed_table)
{
    for (const std::string table : {"hashed", "hashed_stepless"}) {
        const auto leaf = audited("address_space.table=" + table + " iommu.coalesce=leaf");
        BOOST_TEST(number(leaf, "iommu.walks_coalesced") > 0u);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace platform_hashed_table

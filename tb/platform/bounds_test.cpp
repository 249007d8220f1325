/* SPDX-License-Identifier: MIT */
/* Deadlock freedom under back-pressure: with every bound of the machine at its tightest, alone, together, by
 * level, by pairs of neighbours and at random, a small divergent program still completes: every law holds,
 * and what does not depend on time is the same as with room everywhere. */
#include "tb/platform/bounds.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

constexpr uint32_t waves = 6;

const trace &program()
{
    static const trace t(mixed_spec(waves));
    return t;
}

/* The same with two accesses to absent pages, equal for all waves, so that faults merge. */
const trace &faulty_program()
{
    static const trace t([] {
        trace_spec spec = mixed_spec(waves);
        for (group_spec &g : spec.launches[0].groups)
            for (const unsigned at : {1u, 4u})
                g[0].records.insert(g[0].records.begin() + at,
                                    stride(at == 1 ? WKT_LOAD : WKT_STORE, buffer_va - 16 * 4096, 4096));
        return spec;
    }());
    return t;
}

/* An L2D that must write back. */
const std::string small_machine = "gpu.cus=2 l2d.bytes=16384 l2d.ways=4 ";

/* Counts of work, not time. */
const char *const invariant[] = {"gpu.instructions", "gpu.waves",       "gpu.groups",      "gpu.memory",
                                 "gpu.barriers",     "coalescer.lanes", "coalescer.lines", "gpu.page_faults",
                                 "l1d.reads",        "l1d.writes"};

const outcome &relaxed(const trace &t)
{
    static std::map<const trace *, outcome> known;
    const auto it = known.find(&t);
    return it != known.end() ? it->second : known[&t] = run_apu(configured(small_machine + generous), t);
}

void completes(const std::string &settings, const trace &t = program())
{
    static test_share some(5);
    BOOST_TEST(!settings.empty());
    if (!some.takes())
        return;
    const outcome o = run_apu(configured(small_machine + settings), t);
    BOOST_TEST_CONTEXT(settings)
    {
        BOOST_TEST((o.end == run_end::complete), (o.stuck + o.stats.begin()->second));
        for (const law &l : o.laws)
            BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
        BOOST_TEST(o.laws.size() > 20u);
        if (o.end == run_end::complete)
            for (const char *name : invariant)
                BOOST_TEST(o.count(name) == relaxed(t).count(name), name);
    }
}

/* Coalescing and the L2D's write-miss policies, and faults. */
const std::vector<std::string> &corners()
{
    static const std::vector<std::string> all = [] {
        std::vector<std::string> list;
        for (const char *mode : {"off", "leaf", "full"})
            for (const char *miss : {"validate", "fetch"})
                list.push_back(std::string(" walk_unit.coalesce=") + mode + " l2d.write_miss=" + miss);
        for (const char *mode : {"off", "full"})
            list.push_back(std::string(" walk_unit.coalesce=") + mode +
                           " address_space.map=first_touch pager.mean_cycles=50");
        return list;
    }();
    return all;
}

std::string all_tight()
{
    std::string text;
    for (const bound &b : bounds())
        text += tight(b);
    return text;
}

std::string level_tight(const std::string &section)
{
    std::string text;
    for (const bound &b : bounds())
        if (section_of(b.name) == section)
            text += tight(b);
    return text;
}

const std::vector<neighbours> &pairs_of_levels()
{
    static const std::vector<neighbours> all = [] {
        std::vector<neighbours> list = {
            {"cu", "coalescer", ""},
            {"coalescer", "l1_tlb", ""},
            {"coalescer", "l1d", ""},
            {"l1_tlb", "l2_tlb", ""},
            {"l2_tlb", "iommu_tlb", ""},
            {"walk_unit", "dram", ""},
            {"walk_unit", "l2d", " walk_unit.walk_path=l2d"},
            {"l1d", "l2d", ""},
            {"l2d", "dram", ""},
        };
        for (const mechanism &m : mechanisms())
            add_all(list, m.levels);
        return list;
    }();
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(bounds_sweep)

BOOST_AUTO_TEST_CASE(every_parameter_is_a_bound_or_a_capacity_or_known_to_be_neither)
{
    const parameter_list parameters;
    std::map<std::string, unsigned> named;
    for (const bound &b : bounds())
        ++named[b.name];
    for (const bound &c : capacities())
        ++named[c.name];
    for (const auto &other : no_bounds())
        ++named[other.first];
    for (const auto &entry : parameters.all) {
        const declared_parameter &p = entry.second;
        const bool counts = p.number && harmless_units().count(p.unit) == 0;
        BOOST_TEST(named[p.name] == (counts ? 1u : 0u), p.name << " counts '" << p.unit << "' and is named "
                                                               << named[p.name]
                                                               << " times in tb/platform/bounds.hpp");
    }
    for (const auto &name : named)
        BOOST_TEST(parameters.all.count(name.first) == 1u, name.first << " is no parameter");
    BOOST_TEST(bounds().size() > 30u);
}

BOOST_AUTO_TEST_CASE(the_program_works_every_part_of_the_machine)
{
    const outcome &o = relaxed(program());
    BOOST_REQUIRE((o.end == run_end::complete));
    BOOST_TEST(o.count("gpu.memory") == waves * 5u);
    BOOST_TEST(o.count("gpu.local") == waves);
    for (const char *name :
         {"l1_tlb.merged", "l2_tlb.merged", "l1d.atomics", "l1d.read_merged", "l2d.write_backs",
          "l2d.read_misses", "l2d.write_misses", "dram.writes", "walk_unit.walks_finished"})
        BOOST_TEST(o.count(name) > 0u, name);
    const outcome full = run_apu(configured(small_machine + "walk_unit.coalesce=full"), program());
    for (const char *name : {"walk_unit.walks_coalesced", "walk_unit.partial_coalesced"})
        BOOST_TEST(full.count(name) > 0u, name);
}

BOOST_DATA_TEST_CASE(one_bound_at_its_tightest, data::make(bounds()) * data::make(corners()), b, corner)
{
    completes(corner + tight(b));
}

BOOST_DATA_TEST_CASE(one_capacity_at_its_least, data::make(capacities()), c)
{
    completes(corners()[static_cast<size_t>(&c - capacities().data()) % corners().size()] + tight(c));
}

BOOST_DATA_TEST_CASE(all_bounds_at_their_tightest,
                     data::make(corners()) * data::make({"", " walk_unit.walk_path=l2d"}) *
                         data::make({"", " l1d.write=back l1d.bytes=2048 l1d.ways=4"}),
                     corner, path, write)
{
    completes(corner + path + write + all_tight());
}

BOOST_AUTO_TEST_CASE(all_bounds_and_capacities_at_their_least)
{
    std::string least;
    std::map<std::string, std::string> of_store; /* a section has one store: each kind with its own keys */
    for (const bound &c : capacities()) {
        const size_t store = c.needs.find(".store=");
        if (store == std::string::npos)
            least += tight(c);
        else
            of_store[c.needs.substr(store, c.needs.find(' ', store) - store)] += tight(c);
    }
    BOOST_TEST(of_store.size() >= 2u);
    for (const auto &store : of_store)
        for (const std::string &corner : corners())
            completes(corner + all_tight() + least + store.second);
}

BOOST_AUTO_TEST_CASE(faults_come_back_through_the_tightest_machine_too)
{
    BOOST_TEST(relaxed(faulty_program()).count("gpu.page_faults") == waves * 2u * 16);
    for (const std::string &corner : corners())
        completes(corner + all_tight(), faulty_program());
}

BOOST_DATA_TEST_CASE(neighbouring_levels_at_their_tightest,
                     data::make(pairs_of_levels()) * data::make(corners()), n, corner)
{
    completes(corner + n.needs + level_tight(n.above) + level_tight(n.below));
}

/* Each pair in one of the corners. */
BOOST_DATA_TEST_CASE(two_bounds_of_neighbours_at_their_tightest, data::make(pairs_of_levels()), n)
{
    size_t turn = 0;
    for (const bound &a : bounds())
        for (const bound &b : bounds())
            if (section_of(a.name) == n.above && section_of(b.name) == n.below)
                completes(corners()[turn++ % corners().size()] + n.needs + tight(a) + tight(b));
    BOOST_TEST(turn > 0u);
}

BOOST_DATA_TEST_CASE(bounds_at_random, data::xrange(48), seed)
{
    const parameter_list parameters;
    ww_rng random;
    ww_rng_init(&random, static_cast<uint64_t>(seed) + 1);
    const auto one_of = [&random](std::initializer_list<const char *> all) {
        return std::string(" ") + all.begin()[ww_rng_below(&random, static_cast<uint32_t>(all.size()))];
    };
    std::string settings = corners()[ww_rng_below(&random, static_cast<uint32_t>(corners().size()))];
    settings +=
        one_of({"", "walk_unit.walk_path=l2d"}) + one_of({"", "l1d.write=back l1d.bytes=2048 l1d.ways=4"});
    settings += one_of({"walk_unit.schedule=fcfs", "walk_unit.schedule=sjf", "walk_unit.schedule=batch",
                        "walk_unit.schedule=rr_cu"});
    settings += one_of({"", "address_space.page=64k", "address_space.page=mixed", "address_space.levels=5"});
    settings += one_of({"", "walk_unit.pte_cache_bytes=256", "l2d.write=through"});
    for (const bound &b : bounds()) {
        if (ww_rng_below(&random, 2) == 0)
            continue;
        settings += tight(b);
        if (b.needs.empty() && b.tightest.empty()) /* or a little more */
            settings += " " + b.name + "=" +
                        std::to_string(parameters.all.at(b.name).least + ww_rng_below(&random, 3));
    }
    for (const bound &c : capacities())
        if (ww_rng_below(&random, 8) == 0)
            settings += tight(c);
    completes(settings);
}

BOOST_AUTO_TEST_SUITE_END()

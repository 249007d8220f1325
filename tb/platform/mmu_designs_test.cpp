/* SPDX-License-Identifier: MIT */
/* The designs of [H14 Table 2]: walk units that several compute units share, a TLB in front of one for all, a
 * page-walk cache with or without lines of the last level; and each design compared with the first. */
#include "platforms/gpu_params.hpp"
#include "tb/platform/machines.hpp"
#include "tb/platform/parameter_rows.hpp"

#include <boost/test/data/test_case.hpp>

#include <map>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

outcome run_mmu(const std::string &settings, stimulus s, const char *wiring = "mmu-hpca14")
{
    outcome o = run_machine({wiring, settings}, stimulus_trace(s));
    BOOST_TEST((o.end == run_end::complete), o.stuck);
    for (const law &l : o.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
    return o;
}

const std::string shared = "gpu.cus=2 walk_unit.shared_by=2 ";
const std::string second = shared + "l2_tlb.entries=1024 ";

/* A machine's parameters as text. */
class values final : public param_visitor
{
public:
    using param_visitor::number;
    std::map<std::string, std::string> all;
    explicit values(const std::string &machine) { config_of({machine, ""})->visit(*this); }
    void begin(const char *section, const char *) override { section_ = std::string(section) + "."; }
    void end() override {}
    void number(const char *key, uint64_t &v, const param_info &) override
    {
        all[section_ + key] = std::to_string(v);
    }
    void choice(const char *key, uint8_t &v, const choice_names &names, const param_info &) override
    {
        all[section_ + key] = names.begin()[v];
    }
    void flag(const char *key, bool &v, const param_info &) override
    {
        all[section_ + key] = v ? "true" : "false";
    }
    void groups(const char *key, unit_groups &v, const param_info &) override
    {
        all[section_ + key] = v.text();
    }
    void pages(const char *key, pages_of_buffers &v, const param_info &) override
    {
        all[section_ + key] = v.text();
    }

private:
    std::string section_;
};

struct design {
    const char *machine;
    std::map<std::string, std::string> table; /* [H14 Table 2] */
};
std::ostream &operator<<(std::ostream &out, const design &d)
{
    return out << d.machine;
}
const design designs[] = {
    {"mmu-hpca14",
     {{"l1_tlb.entries", "128"},
      {"walk_unit.shared_by", "1"},
      {"walk_unit.walkers", "1"},
      {"l2_tlb.entries", "0"},
      {"walk_unit.pte_cache_bytes", "0"}}},
    {"mmu-hpca14-design2",
     {{"l1_tlb.entries", "128"},
      {"walk_unit.shared_by", "16"},
      {"walk_unit.walkers", "32"},
      {"l2_tlb.entries", "0"},
      {"walk_unit.pte_cache_bytes", "0"}}},
    {"mmu-hpca14-design3",
     {{"l1_tlb.entries", "64"},
      {"walk_unit.shared_by", "16"},
      {"walk_unit.walkers", "32"},
      {"l2_tlb.entries", "0"},
      {"walk_unit.pte_cache_bytes", "8192"},
      {"walk_unit.pte_cache_cycles", "8"}}},
    {"mmu-hpca14-shared-l2",
     {{"l1_tlb.entries", "64"},
      {"walk_unit.shared_by", "16"},
      {"walk_unit.walkers", "32"},
      {"l2_tlb.entries", "1024"},
      {"l2_tlb.hit_cycles", "20"},
      {"walk_unit.pte_cache_bytes", "0"}}},
    {"mmu-hpca14-shared-l2-pwc",
     {{"l1_tlb.entries", "32"},
      {"walk_unit.shared_by", "16"},
      {"walk_unit.walkers", "32"},
      {"l2_tlb.entries", "512"},
      {"walk_unit.pte_cache_bytes", "8192"}}},
};

/* Storage of TLBs and page-walk cache, with 8 bytes per translation or table entry. */
uint64_t table_bytes(const std::map<std::string, std::string> &of)
{
    const auto number = [&of](const char *key) { return std::stoull(of.at(key)); };
    return number("gpu.cus") * number("l1_tlb.entries") * 8 + number("l2_tlb.entries") * 8 +
           number("walk_unit.pte_cache_bytes");
}

} // namespace

BOOST_AUTO_TEST_SUITE(designs_of_the_mmu)

BOOST_DATA_TEST_CASE(are_those_of_the_papers_table, data::make(designs), d)
{
    const values is(d.machine);
    for (const auto &[name, value] : d.table)
        BOOST_TEST(is.all.at(name) == value, name << " is " << is.all.at(name));
    BOOST_TEST(table_bytes(is.all) == 16384u); /* each uses 16 KB */
}

BOOST_AUTO_TEST_CASE(walkers_that_are_shared_serve_a_unit_that_is_alone)
{
    /* two of four units have work */
    const outcome own = run_mmu("gpu.cus=4", stimulus::reuse),
                  all = run_mmu("gpu.cus=4 walk_unit.shared_by=4 walk_unit.walkers=4", stimulus::reuse);
    BOOST_TEST(own.count("walk_unit.walks_started") == all.count("walk_unit.walks_started"));
    BOOST_TEST(all.cycles < own.cycles * 3 / 4);
}

BOOST_AUTO_TEST_CASE(a_second_TLB_walks_once_for_a_page_that_both_units_want)
{
    const outcome o = run_mmu(second, stimulus::same), alone = run_mmu("gpu.cus=1", stimulus::same),
                  without = run_mmu(shared, stimulus::same);
    BOOST_TEST(without.count("walk_unit.walks_started") == 2 * alone.count("walk_unit.walks_started"));
    BOOST_TEST(o.count("walk_unit.walks_started") == alone.count("walk_unit.walks_started"));
}

BOOST_AUTO_TEST_CASE(a_second_TLB_wants_one_walk_unit)
{
    const std::string refusal =
        config_of({"mmu-hpca14", "l2_tlb.entries=1024 walk_unit.shared_by=8"})->validate();
    BOOST_TEST(refusal ==
               "walk_unit.shared_by = 8: compute units 0 and 8 share an instance above, and not here "
               "('l2_tlb')");
    BOOST_TEST(config_of({"mmu-hpca14", "l2_tlb.entries=1024 walk_unit.shared_by=16"})->validate() == "");
    BOOST_TEST(config_of({"mmu-hpca14", "l2_tlb.entries=1000 walk_unit.shared_by=16"})->validate() ==
               "l2_tlb: entries / ways is not a power of two: entries = 512 or 1024 would be");
}

BOOST_AUTO_TEST_CASE(without_a_second_TLB_its_other_parameters_have_no_effect_and_that_is_said)
{
    const auto by = [](const char *settings, const char *parameter) {
        return config_of({"mmu-hpca14", settings})->overruled_by(parameter);
    };
    BOOST_TEST(by("", "l2_tlb.ways") == "l2_tlb.entries");
    BOOST_TEST(by("", "l2_tlb.entries") == "");
    BOOST_TEST(by("l2_tlb.entries=1024 walk_unit.shared_by=16", "l2_tlb.ways") == "");
    BOOST_TEST(by("l2_tlb.entries=1024 walk_unit.shared_by=16 translation.ideal=none", "l2_tlb.ways") ==
               "translation.ideal");
}

/* The last of a walk's four lines is its own: it is read whether the cache is warm or not. */
BOOST_AUTO_TEST_CASE(a_cache_of_inner_lines_spares_all_reads_but_the_last)
{
    const std::string cache =
        shared + "walk_unit.walkers=8 walk_unit.pte_cache_bytes=8192 walk_unit.pte_cache_holds=";
    const outcome inner = run_mmu(cache + "inner", stimulus::scatter),
                  all = run_mmu(cache + "all", stimulus::scatter);
    BOOST_TEST(inner.count("walk_unit.pte_reads_l1") == inner.count("walk_unit.walks_started"));
    BOOST_TEST(inner.count("walk_unit.pte_reads") > inner.count("walk_unit.walks_started"));
    BOOST_TEST(inner.count("walk_unit.pte_cache_hits") > inner.count("walk_unit.walks_started"));
    BOOST_TEST(inner.count("walk_unit.pte_cache_hits") + inner.count("walk_unit.pte_reads") ==
               4 * inner.count("walk_unit.walks_started"));
    BOOST_TEST(all.count("walk_unit.pte_reads") < inner.count("walk_unit.pte_reads"));
}

BOOST_AUTO_TEST_CASE(stand_in_the_order_of_Figures_6_and_11)
{
    std::map<std::string, uint64_t> cycles;
    for (const char *wiring : {"mmu-hpca14", "mmu-hpca14-design2", "mmu-hpca14-design3",
                               "mmu-hpca14-shared-l2-pwc", "mmu-hpca14-ideal-pwc"})
        cycles[wiring] = run_mmu("", stimulus::rows, wiring).cycles;
    cycles["ideal"] = run_mmu("translation.ideal=infinite_tlb", stimulus::rows).cycles;
    for (const auto &[wiring, n] : cycles)
        BOOST_TEST_MESSAGE(wiring << " " << n);
    BOOST_TEST(cycles["mmu-hpca14-design2"] < cycles["mmu-hpca14"]);
    BOOST_TEST(cycles["mmu-hpca14-design3"] < cycles["mmu-hpca14-design2"]);
    BOOST_TEST(cycles["mmu-hpca14-ideal-pwc"] <= cycles["mmu-hpca14-design3"]);
    BOOST_TEST(cycles["ideal"] <= cycles["mmu-hpca14-ideal-pwc"]);
    BOOST_TEST(cycles["mmu-hpca14-shared-l2-pwc"] < cycles["mmu-hpca14-design2"]);
}

BOOST_AUTO_TEST_SUITE_END()

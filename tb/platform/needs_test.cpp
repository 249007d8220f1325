/* SPDX-License-Identifier: MIT */
/* A parameter of something absent has no effect, and the machine says which one would have to be set. */
#include "model/common/needs.hpp"
#include "model/params/tlb.hpp"
#include "tb/platform/machines.hpp"
#include "tb/support/machine_files.hpp"

#include <boost/test/data/test_case.hpp>

#include <set>

using namespace walkway;
using namespace walkway::test;

namespace
{

struct need {
    const char *parameter, *needed, *value; /* the value that makes it present */
};
std::ostream &operator<<(std::ostream &out, const need &n)
{
    return out << n.parameter;
}
const need needs[] = {
    {"prefetch.in_flight", "prefetch.entries", "16"},
    {"victim.shared_by", "victim.entries", "16"},
    {"memory_tlb.fills", "memory_tlb.entries", "65536"},
    {"lds.hit_cycles", "lds.banks", "32"},
    {"lds_tx.cycles", "lds.banks", "32"}, /* whether it lends or not: studies set it together with off */
    {"icache.code_pa", "icache.entries", "64"},
    {"pager.entries", "address_space.map", "first_touch"},
    {"walk_unit.fault_entries", "address_space.map", "half"},
    {"driver.m_percent", "driver.oversubscription", "150"},
    {"host_link.latency_ns", "driver.oversubscription", "150"},
    {"copy_engine.lines", "driver.oversubscription", "150"},
    {"l1_tlb.rebase_after", "l1_tlb.store", "compressed"},
    {"l2_tlb.compressed_ways", "l2_tlb.store", "compressed"},
};

} // namespace

BOOST_AUTO_TEST_SUITE(parameters_of_what_is_not_there)

BOOST_DATA_TEST_CASE(say_what_they_need, boost::unit_test::data::make(needs), n)
{
    BOOST_TEST(config_of({"apu-micro18", ""})->overruled_by(n.parameter) == n.needed);
    const std::string there = std::string(n.needed) + "=" + n.value;
    BOOST_TEST(config_of({"apu-micro18", there})->overruled_by(n.parameter) == "");
    BOOST_TEST(config_of({"apu-micro18", ""})->overruled_by(n.needed) == "");
}

BOOST_AUTO_TEST_CASE(a_need_ends_with_its_section_or_where_it_is_taken_back)
{
    for (const char *name :
         {"walk_unit.coalesce", "walk_unit.walkers", "l1d.bytes", "coalescer.window", "l2_tlb.ways"})
        BOOST_TEST(config_of({"apu-micro18", ""})->overruled_by(name) == "", name);
    BOOST_TEST(config_of({"mmu-hpca14", ""})->overruled_by("l2_tlb.ways") == "l2_tlb.entries");
}

BOOST_AUTO_TEST_CASE(how_walks_read_counts_on_the_rungs_where_they_read_so)
{
    const auto by = [](const std::string &rung, const char *key) {
        return config_of({"apu-micro18", "translation.ideal=" + rung})
            ->overruled_by("walk_unit." + std::string(key));
    };
    BOOST_TEST(by("unlimited_walkers", "ideal_read_cycles") == "translation.ideal");
    BOOST_TEST(by("zero_walk", "ideal_read_cycles") == "");
    for (const char *key : {"pwc_merge", "pte_cache_merge", "line_reads", "match_cycles"}) {
        BOOST_TEST(by("unlimited_walkers", key) == "", key);
        BOOST_TEST(by("zero_walk", key) == "translation.ideal", key);
    }
}

/* In other tables an empty entry ends the walk. */
BOOST_AUTO_TEST_CASE(a_walker_reads_ahead_where_something_follows_an_entry_that_says_nothing)
{
    const auto by = [](const std::string &table) {
        return config_of({"apu-micro18", "address_space.table=" + table})
            ->overruled_by("walk_unit.read_ahead");
    };
    for (const char *table : {"radix", "amd_v1", "nested"})
        BOOST_TEST(by(table) == "address_space.table", table);
    for (const char *table : {"nvidia_v2", "nvidia_v3", "hashed", "hashed_stepless"})
        BOOST_TEST(by(table) == "", table);
}

BOOST_AUTO_TEST_CASE(a_choice_that_is_needed_is_that_one_and_no_other)
{
    const auto unmet = [](uint8_t chosen) {
        return unmet_need(
            [chosen](param_visitor &v) {
                uint8_t mode = chosen;
                uint32_t depth = 1;
                v.begin("part", "a part");
                v.choice("mode", mode, {"off", "one", "other"}, {"", 0, 0, "which"});
                v.needs("mode=one");
                v.number("depth", depth, {"1", 0, 9, "of one"});
                v.end();
            },
            "part.depth");
    };
    BOOST_TEST(unmet(0) == "part.mode");
    BOOST_TEST(unmet(1) == "");
    BOOST_TEST(unmet(2) == "part.mode");
}

/* Names the absent level, not the store that it would have. */
BOOST_AUTO_TEST_CASE(what_is_needed_may_need_something_itself)
{
    const auto without = config_of({"mmu-hpca14", "l2_tlb.store=compressed"});
    BOOST_TEST(without->overruled_by("l2_tlb.rebase_after") == "l2_tlb.entries");
    BOOST_TEST(config_of({"mmu-hpca14", ""})->overruled_by("l2_tlb.rebase_after") == "l2_tlb.entries");
    BOOST_TEST(config_of({"mmu-hpca14", "l2_tlb.entries=64"})->overruled_by("l2_tlb.rebase_after") ==
               "l2_tlb.store");
}

/* Either of its two arrays makes the level present. */
BOOST_AUTO_TEST_CASE(a_level_that_one_of_two_parameters_makes_needs_neither)
{
    const auto config = config_of({"apu-micro18", "iommu_tlb.tlb2_entries=0"});
    BOOST_TEST(config->overruled_by("iommu_tlb.shared_by") == "");
    BOOST_TEST(config->overruled_by("iommu_tlb.tlb1_cycles") == "");
}

/* A store that holds everything is a plain one, whatever the section says. */
BOOST_AUTO_TEST_CASE(keys_of_a_store_have_none_where_the_ladder_takes_another)
{
    const auto config = config_of(
        {"apu-micro18", "l1_tlb.store=compressed l2_tlb.store=compressed translation.ideal=infinite_tlb"});
    BOOST_TEST(config->overruled_by("l2_tlb.rebase_after") == "translation.ideal");
    BOOST_TEST(config->overruled_by("l1_tlb.rebase_after") == "");
}

/* It has eight entries for each page. */
BOOST_AUTO_TEST_CASE(a_tlb_that_holds_everything_has_a_bound)
{
    const auto config = config_of({"apu-micro18", "translation.ideal=infinite_tlb"});
    const uint64_t most = uint64_t{1} << 23;
    const auto refusal = [&config](uint64_t pages) -> std::string {
        try {
            config->gpu()->resolved(pages);
        } catch (const std::runtime_error &e) {
            return e.what();
        }
        return "";
    };
    BOOST_TEST(refusal(most) == "");
    for (const uint64_t pages : {most + 1, uint64_t{1} << 29, uint64_t{1} << 61})
        BOOST_TEST(refusal(pages).find(": an infinite TLB holds up to 8388608 pages, and there are " +
                                       std::to_string(pages)) != std::string::npos);
    BOOST_CHECK_NO_THROW(
        config_of({"apu-micro18", "translation.ideal=perfect_l1"})->gpu()->resolved(most + 1));
}

/* If both leave it without effect, the ladder's rung is named. */
BOOST_AUTO_TEST_CASE(on_the_upper_rungs_it_is_the_ladder)
{
    const auto config =
        config_of({"apu-micro18", "translation.ideal=perfect_l1 driver.oversubscription=150"});
    for (const char *name :
         {"driver.m_percent", "host_link.latency_ns", "copy_engine.lines", "pager.entries", "victim.entries"})
        BOOST_TEST(config->overruled_by(name) == "translation.ideal", name);
}

/* Collects the parameters of blocks without a machine's file. */
struct beginnings final : param_visitor {
    std::string section;
    std::set<std::string> wanted, neutrals, numbers; /* numbers: wanted, but with a value */
    using param_visitor::number;
    void begin(const char *name, const char *) override { section = std::string(name) + "."; }
    void end() override {}
    void number(const char *key, uint64_t &value, const param_info &info) override
    {
        const bool neutral_one = info.missing == if_missing::neutral;
        (neutral_one ? neutrals : wanted).insert(section + key);
        if (!neutral_one && value != 0)
            numbers.insert(section + key);
        BOOST_TEST((!neutral_one || (value >= info.min && value <= info.max)), section + key);
    }
    void choice(const char *key, uint8_t &value, const choice_names &names, const param_info &info) override
    {
        uint64_t wide = value;
        number(key, wide, {"", 0, names.size() - 1, "", info.missing});
    }
    void flag(const char *key, bool &value, const param_info &info) override
    {
        uint64_t wide = value;
        number(key, wide, {"", 0, 1, "", info.missing});
    }
    void groups(const char *key, unit_groups &, const param_info &) override { wanted.insert(section + key); }
    void pages(const char *key, pages_of_buffers &, const param_info &info) override
    {
        (info.missing == if_missing::neutral ? neutrals : wanted).insert(section + key);
    }
};

BOOST_AUTO_TEST_CASE(a_block_has_neutral_values_and_no_paper_s_numbers)
{
    beginnings all;
    gpu_machine_params(chain_of("apu-micro18").levels).visit(all);
    BOOST_TEST(all.numbers == std::set<std::string>(), boost::test_tools::per_element());
    for (const char *name : {"l2_tlb.link_cycles", "driver.oversubscription", "address_space.map"})
        BOOST_TEST(all.neutrals.count(name) == 1u, name);
    for (const char *name : {"l1_tlb.hit_cycles", "dram.cl", "gpu.cus", "l1_tlb.shared_by"})
        BOOST_TEST(all.wanted.count(name) == 1u, name);
}

/* Set in C++, whether a machine's file must give it or not. */
BOOST_AUTO_TEST_CASE(zeros_below_their_minimum_are_named)
{
    gpu_machine_params p = machine_params_of("apu-micro18");
    BOOST_TEST(p.validate() == "");
    p.dram.groups = 0;
    BOOST_TEST(p.validate() == "dram.groups = 0: at least 1");
    BOOST_TEST(p.dram.validate() == "groups does not divide banks");
    p.dram.row_bits = 0;
    BOOST_TEST(p.validate() == "dram.groups = 0: at least 1; dram.row_bits = 0: at least 10");
    p.lds.banks = 0; /* what it would need is not wanted */
    p.lds.ports = 0;
    BOOST_TEST(p.validate() == "dram.groups = 0: at least 1; dram.row_bits = 0: at least 10");
}

/* The levels are not there on these rungs; all else is. */
BOOST_AUTO_TEST_CASE(on_the_upper_rungs_zeros_are_named_where_they_have_an_effect)
{
    for (const ideal rung : {ideal::perfect_l1, ideal::none}) {
        gpu_machine_params p = machine_params_of("apu-micro18");
        p.translation.ideal = static_cast<uint8_t>(rung);
        p.pager.entries = 0;
        p.path.params<tlb_params>("l2_tlb").hit_cycles = 0;
        BOOST_TEST(p.validate() == "");
        p.dispatcher.shares = 0;
        BOOST_TEST(p.validate() == "dispatcher.shares = 0: at least 1");
    }
}

/* Without its line a machine is refused, or has a neutral value. */
BOOST_AUTO_TEST_CASE(a_machine_gives_whatever_has_no_neutral_value)
{
    beginnings all;
    gpu_machine_params shipped = machine_params_of("apu-micro18");
    shipped.visit(all);
    const auto visit = [&shipped](param_visitor &v) { shipped.visit(v); };
    std::set<std::string> given = all.wanted;
    BOOST_TEST(text_of_missing(visit, given, "m.cfg") == "");
    unsigned refused = 0;
    for (const std::string &name : all.wanted) {
        given.erase(name);
        const std::string wrong = text_of_missing(visit, given, "m.cfg");
        if (unmet_need(visit, name).empty())
            BOOST_TEST(wrong == "m.cfg: has no value for " + name +
                                    ", and none is neutral: give it, or extend a machine that has");
        else
            BOOST_TEST(wrong == "");
        refused += !wrong.empty();
        given.insert(name);
    }
    BOOST_TEST(refused > 100u);
}

BOOST_AUTO_TEST_SUITE_END()

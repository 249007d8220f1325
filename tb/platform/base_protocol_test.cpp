/* SPDX-License-Identifier: MIT */
/* Machines with a checker of the base protocol in every memory link: no rule is broken, every link that
 * can be used is used, and stats.json is byte for byte the same without checkers. As shipped, with as many
 * mechanisms as are compatible, with little of everything of each, and with changes by an operating
 * system. */
#include "mechanisms.inc"
#include "run/simulate.hpp"
#include "tb/platform/machines.hpp"
#include "tb/platform/wrong_links.hpp"
#include "tb/support/machine_files.hpp"
#include "tb/support/simulation.hpp"
#include "tb/support/test_share.hpp"
#include "tb/support/traces.hpp"

#include <boost/test/data/test_case.hpp>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace platform_base_protocol
{

using names = std::set<std::string>;

std::vector<std::string> shipped()
{
    std::vector<std::string> all;
    for (const auto &file : std::filesystem::directory_iterator(WW_SOURCE_DIR "/platforms"))
        if (file.path().extension() == ".cfg")
            all.push_back(file.path().stem());
    std::sort(all.begin(), all.end());
    return all;
}

/* A shipped machine, or "apu-micro18: l1_tlb walk_unit": that machine with another path, as in a file. */
platform_spec load(const std::string &machine)
{
    const size_t path = machine.find(':');
    if (path == std::string::npos)
        return load_platform(path_of_machine(machine));
    const std::string file = "path.cfg";
    std::ofstream(file) << "[machine]\nextends = " << machine.substr(0, path)
                        << "\npath = " << machine.substr(path + 1) << "\n";
    platform_spec spec = load_platform(file);
    std::filesystem::remove(file);
    return spec;
}

platform_spec machine_of(const std::string &name, const std::string &settings)
{
    const machine_settings of = with_levels(name, settings);
    platform_spec spec = load(of.machine);
    std::istringstream words(of.settings);
    for (std::string word; words >> word;)
        spec.set(split_setting(word, "the test"));
    return spec;
}

bool legal(const std::string &name, const std::string &settings)
{
    try {
        return machine_of(name, settings).config->validate().empty();
    } catch (const std::runtime_error &) {
        return false; /* it has no such parameter, or no such level */
    }
}

/* "l1d.down > l2d.up", for all links of that kind. */
std::string kind_of(const base_protocol::place &link)
{
    static const std::regex which("_[0-9]+|^top\\.| top\\.");
    return std::regex_replace(link.from + " >", which, "") + " " + std::regex_replace(link.to, which, "");
}

/* Kinds of links that carried a transaction in any of the cases. */
names &used()
{
    static names all;
    return all;
}

struct checked_run {
    unsigned all = 0;
    names silent, silent_kinds; /* single links; kinds whose links are all silent */
    json stats;
};

/* Runs with and without checkers. */
checked_run by_the_rules(const std::string &name, const std::string &settings, const trace &program,
                         const company &with = {}, const run_scope &scope = {})
{
    BOOST_TEST_INFO_SCOPE(name << " " << settings << " " << with.event_list);
    std::string alone;
    {
        walkway::test::simulation sim;
        platform_spec spec = machine_of(name, settings);
        const walkway::simulation result = simulate(spec, program.path(), {}, {}, {}, scope, with);
        BOOST_TEST(result.code == exit_ok, result.story);
        alone = dump(result.stats);
    }
    walkway::test::simulation sim;
    checked_links checked;
    platform_spec spec = machine_of(name, settings);
    checked_run links;
    links.stats = simulate(spec, program.path(), {}, {}, {}, scope, with).stats;
    BOOST_TEST((dump(links.stats) == alone), "stats.json is another one");
    for (const auto &v : checked.rules.violations())
        BOOST_ERROR("rule " << v.rule << ": " << v.what);
    checked.rules.forget();
    names spoken;
    for (const auto &link : checked.rules.places()) {
        ++links.all;
        if (link.transactions != 0)
            spoken.insert(kind_of(link));
        else
            links.silent.insert(link.from + " > " + link.to);
    }
    for (const auto &link : checked.rules.places())
        if (spoken.count(kind_of(link)) == 0)
            links.silent_kinds.insert(kind_of(link));
    used().insert(spoken.begin(), spoken.end());
    return links;
}

/* Uses some lanes of each instruction: pages and lines are shared, and few. */
trace_spec small(uint32_t waves)
{
    trace_spec spec = mixed_spec(waves);
    spec.launches[0].lds_bytes = 512;
    for (group_spec &group : spec.launches[0].groups)
        for (wkt_record &r : group[0].records)
            r.mask = r.kind == WKT_BARRIER ? UINT64_MAX : 0x8421084210842108;
    return spec;
}

const trace &program()
{
    static const trace t(small(8));
    return t;
}

/* Returns whether no parameter has different values in the two. */
bool compatible(const std::string &row, const std::string &more)
{
    std::map<std::string, std::string> values;
    std::istringstream words(row + " " + more);
    for (std::string word; words >> word;) {
        const setting s = split_setting(word, "the test");
        if (values.emplace(s.name, s.value).first->second != s.value)
            return false;
    }
    return true;
}

/* Settings of a machine; each has as many compatible mechanisms on as possible, and every mechanism that the
 * machine can have is on in one. */
std::vector<std::string> together(const std::string &machine, unsigned *mechanisms_on)
{
    const std::string two = regrouped(machine, "gpu.cus=2");
    std::vector<std::string> rows;
    for (const mechanism &m : mechanisms()) {
        const auto goes_with = [&](const std::string &row) {
            return compatible(row, m.on) && legal(machine, row + " " + m.on);
        };
        if (!goes_with(two))
            continue;
        ++*mechanisms_on;
        const auto row = std::find_if(rows.begin(), rows.end(), goes_with);
        if (row == rows.end())
            rows.push_back(two + " " + m.on);
        else
            *row += " " + m.on;
    }
    return rows;
}

/* Not covered by mechanisms: ways of memory, bounds, clocks, rungs, and events during a run. */
struct special {
    const char *machine, *settings, *events;
    names silent = {};
};

const char *const changes = "at cycle 500 unmap buffer:0 pages 16\nat cycle 700 remap buffer:0+64Ki pages 4\n"
                            "at cycle 900 protect buffer:0+1Mi pages 4\nat cycle 1000 flush all\n"
                            "at cycle 1100 flush page buffer:0\nat launch 0 root 0\n";

const special specials[] = {
    {"apu-micro18", "walk_unit.walk_path=l2d walk_unit.coalesce=full", ""},
    {"apu-micro18", "walk_unit.walk_path=l2d address_space.map=first_touch pager.mean_cycles=100", ""},
    {"apu-micro18", "l1d.write=back l1d.write_miss=fetch l2d.write_miss=fetch l2d.bytes=16384 l2d.ways=4",
     ""},
    {"apu-micro18", "l2d.write=through l2d.write_entries=1 l1d.bytes=1024 l1d.ways=2", ""},
    {"apu-micro18",
     "l1_tlb.queue_entries=1 l1_tlb.mshrs=1 l1_tlb.merges=1 l2_tlb.queue_entries=1 l2_tlb.mshrs=1 "
     "iommu_tlb.queue_entries=1 iommu_tlb.ports=1 walk_unit.backlog_entries=1 walk_unit.buffer_entries=1 "
     "walk_unit.walkers=1 "
     "coalescer.instructions=1 coalescer.queue_entries=1 coalescer.lines_per_cycle=64 l1d.queue_entries=1 "
     "l1d.mshrs=1 l1d.merges=1 l1d.write_entries=1 l1d.hit_cycles=1 l2d.queue_entries=1 l2d.ports=1 "
     "l2d.hit_cycles=1 l2d.mshrs=1 l2d.merges=1 dram.queue_entries=1 dram.ports=1 dram.read_entries=1 "
     "dram.write_entries=1 dram.write_high=1 dram.write_low=0 walk_unit.walk_path=l2d",
     ""},
    {"apu-micro18", "gpu.clock_ps=700 dram.tck_ps=937 walk_unit.coalesce=leaf", ""},
    {"apu-micro18", "translation.ideal=zero_walk", "", {"walk_unit.mem > dram.up"}},
    {"apu-micro18", "translation.ideal=perfect_l1", "", {"walk_unit.mem > dram.up"}},
    {"mmu-hpca14", "translation.ideal=infinite_tlb", "", {"walk_unit.mem > l2d.up"}},
    {"apu-micro18", "address_space.map=all_paged", changes},
    {"apu-micro18",
     "address_space.map=all_paged address_space.table=hashed lds.banks=8 lds_tx.translations=on "
     "memory_tlb.entries=65536",
     changes},
    {"mmu-hpca14", "address_space.map=all_paged walk_unit.coalesce=full", changes},
    {"dgpu-pact24", "address_space.map=first_touch icache.entries=256 icache_tx.translations=on", changes},
    {"apu-micro21", "address_space.map=first_touch driver.oversubscription=400 driver.migrate_after=1",
     "at cycle 2000 fetch buffer:0 pages 8\n"},
};

struct meddling {
    wrong what;
    unsigned rule;
};

std::ostream &operator<<(std::ostream &out, const meddling &m)
{
    return out << "rule " << m.rule;
}

const meddling meddlings[] = {{wrong::granted_twice, 1},
                              {wrong::without_status, 9},
                              {wrong::at_another_address, 12},
                              {wrong::turned_into_a_write, 11}};

} // namespace platform_base_protocol

using namespace platform_base_protocol;

BOOST_AUTO_TEST_SUITE(base_protocol_on_every_machine)

/* The links of `walkway list links`, with the same number of slots for what is on the wire. */
BOOST_DATA_TEST_CASE(a_checker_is_in_every_memory_link, data::make(shipped()))
{
    using slots = std::map<std::string, uint64_t>;
    const auto memory_links = [](platform &made) {
        BOOST_TEST((made.run({}) == run_end::complete));
        slots all;
        for (const link_info &l : made.links())
            if (std::string(l.protocol) == "memory")
                all["top." + l.from + " > top." + l.to] = l.wire_slots;
        return all;
    };
    slots alone;
    {
        walkway::test::simulation sim;
        alone = memory_links(*machine_of(sample, "").config->build(program().reader()));
    }
    walkway::test::simulation sim;
    checked_links checked;
    const auto made = machine_of(sample, "").config->build(program().reader());
    BOOST_TEST((memory_links(*made) == alone));
    names places, known;
    for (const auto &link : checked.rules.places())
        places.insert(link.from + " > " + link.to);
    for (const auto &link : alone)
        known.insert(link.first);
    BOOST_TEST(places == known, boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(as_shipped_every_link_is_used, data::make(shipped()))
{
    static test_share some(1);
    if (!some.takes())
        return;
    static const trace for_all_units(small(132));
    const checked_run run = by_the_rules(sample, "", for_all_units);
    BOOST_TEST(run.all >= 2u * 8 + 2);
    BOOST_TEST(run.silent == names(), boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(with_every_mechanism_on_every_machine, data::make(shipped()))
{
    static test_share some(5);
    unsigned mechanisms_on = 0;
    for (const std::string &settings : together(sample, &mechanisms_on)) {
        if (!some.takes())
            continue;
        const checked_run run = by_the_rules(sample, settings, program());
        BOOST_TEST(run.silent_kinds == names(), boost::test_tools::per_element());
    }
    /* Two of the mechanisms are levels of their own. */
    const bool all_levels = chain_of(sample).levels.find("lds_tx") != std::string::npos;
    BOOST_TEST(mechanisms_on >= (all_levels ? 6u : 4u));
}

BOOST_AUTO_TEST_CASE(with_little_of_every_mechanism)
{
    test_share some(8);
    for (const mechanism &m : mechanisms())
        for (const std::string &corner : m.corners) {
            if (!some.takes())
                continue;
            BOOST_TEST_CONTEXT(corner)
            {
                const checked_run run = by_the_rules("apu-micro18", "gpu.cus=2 " + corner, program());
                BOOST_TEST(run.silent_kinds == names(), boost::test_tools::per_element());
            }
        }
}

BOOST_AUTO_TEST_CASE(with_what_happens_during_a_run)
{
    for (const special &s : specials) {
        company with;
        with.event_list = s.events;
        const checked_run run =
            by_the_rules(s.machine, std::string("gpu.cus=2 ") + s.settings, program(), with);
        BOOST_TEST(run.silent_kinds == s.silent, boost::test_tools::per_element());
        if (!with.event_list.empty())
            for (const json &e : run.stats.at("events"))
                BOOST_TEST(e.at("due").get<bool>(), s.settings << ": " << e.dump());
    }
}

BOOST_AUTO_TEST_CASE(with_several_programs_and_in_a_window)
{
    static const trace other(row_major(4, 2, 4, 8192));
    company with;
    with.beside = {other.path()};
    for (const char *turns : {"dispatcher.shares=2 dispatcher.again=false", "dispatcher.on_switch=flush"}) {
        const checked_run run =
            by_the_rules("apu-micro18", std::string("gpu.cus=2 ") + turns, program(), with);
        BOOST_TEST(run.silent == names(), boost::test_tools::per_element());
    }
    run_scope scope;
    scope.window.warm_up = {window_unit::instructions, 8};
    scope.window.measure = {window_unit::instructions, 16};
    const checked_run run = by_the_rules("apu-micro18", "gpu.cus=2", program(), {}, scope);
    BOOST_TEST(run.stats.at("end") == "measured");
}

/* Every checker works: a broken rule is reported with its link. */
BOOST_DATA_TEST_CASE(a_broken_rule_is_named_in_whichever_link_it_is_broken, data::make(meddlings))
{
    static test_share some(1);
    if (!some.takes())
        return;
    const std::pair<const char *, const char *> machines[] = {
        {"apu-micro21", "address_space.map=first_touch driver.oversubscription=400 driver.migrate_after=1 "
                        "walk_unit.walk_path=l2d memory_tlb.entries=65536"},
        {"apu-micro18", "address_space.map=first_touch pager.mean_cycles=50"},
        {"mmu-hpca14", ""}};
    for (const auto &[machine, settings] : machines) {
        walkway::test::simulation sim;
        wrong_links links(sample.what);
        base_protocol &rules = links.checked.rules;
        platform_spec spec = machine_of(machine, std::string("gpu.cus=2 ") + settings);
        BOOST_TEST(simulate(spec, program().path(), {}).code == exit_ok);
        for (size_t i = 0; i < links.links().size(); ++i) {
            const base_protocol::place place = rules.places()[i];
            const auto here = [&](const auto &v) { return v.what.find(place.from + " to ") == 0; };
            const auto named = std::count_if(rules.violations().begin(), rules.violations().end(), here);
            BOOST_TEST((named != 0 || place.transactions < 10), links.links()[i]);
        }
        for (const auto &v : rules.violations())
            BOOST_TEST(v.rule == sample.rule, v.what);
        rules.forget();
    }
}

/* All links that the cases before have used, on any machine. */
BOOST_AUTO_TEST_CASE(every_kind_of_link_was_used)
{
    const names all = {"coalescer.mem > l1d.up",  "copy_engine.mem > host_link.up",
                       "cu.code > icache.up",     "host_link.down > dram.up",
                       "icache.down > l2d.up",    "walk_unit.mem > dram.up",
                       "walk_unit.mem > l2d.up",  "l1d.down > l2d.up",
                       "l2d.down > dram.up",      "l2d.down > host_link.up",
                       "memory_tlb.mem > l2d.up", "pager.mem > dram.up",
                       "pager.mem > l2d.up",      "walk_unit.mem > l2d.up"};
    BOOST_TEST(used() == all, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

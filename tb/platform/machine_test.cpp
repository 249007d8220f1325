/* SPDX-License-Identifier: MIT */
/* A machine is its list of blocks: if any one is left out, the machine is refused; and every link is between
 * blocks of the list. */
#include "model/perfect_tlb.hpp"
#include "tb/platform/bounds.hpp"
#include "tb/platform/machines.hpp"

#include <boost/test/data/test_case.hpp>

#include <filesystem>
#include <set>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

const trace &small()
{
    static const trace t(mixed_spec(3));
    return t;
}

/* Every machine, and what only the apu has. */
std::vector<machine_case> machines()
{
    std::vector<machine_case> all = every_machine(
        {"gpu.cus=2", "gpu.cus=2 translation.ideal=perfect_l1", "gpu.cus=2 lds.banks=32 icache.entries=32"});
    all.push_back({"apu-micro18", "gpu.cus=2 walk_unit.walk_path=l2d"});
    for (const mechanism &m : mechanisms())
        all.push_back({"apu-micro18", "gpu.cus=2 " + m.on});
    return all;
}

/* The statistics of a level's requests to the level below, with '+' between. */
std::string asked_by(const std::string &section)
{
    std::string all;
    for (const std::string &by : make_level(kind_of_section(section), section)->asks())
        all += (all.empty() ? "" : "+") + section + "." + by;
    return all;
}

/* Sends nothing and waits for nothing. */
class idler final : public block
{
public:
    explicit idler(const sc_core::sc_module_name &name) : block(name, gpu_clock) {}
    std::string waiting() const override { return ""; }

private:
    void step(tick) override {}
};

/* The apu with a mistake that a change of it may make. */
struct careless final : gpu_top {
    enum class mistake { none, unlisted, unlisted_at_a_link, listed_twice };
    careless(const sc_core::sc_module_name &name, const gpu_machine_params &p, memory_world &world,
             wkt_reader *trace, mistake m)
        : gpu_top(name, p.resolved(world.spaces.pages()), world, trace)
    {
        if (m == mistake::unlisted)
            make<idler>("forgotten");
        if (m == mistake::unlisted_at_a_link)
            groups_.erase(
                std::find_if(groups_.begin(), groups_.end(), [](const group &g) { return g.name == "l2d"; }));
        if (m == mistake::listed_twice)
            list("again", "a block twice", "one", dram);
    }
};

std::string refused(careless::mistake m)
{
    simulation sim;
    const gpu_machine_params p = configured("gpu.cus=2");
    auto world = std::make_shared<memory_world>(p.address_space, small().reader(), p.memory_end());
    machine one({world, std::make_unique<careless>("top", p, *world, small().reader(), m)});
    try {
        one.run({});
    } catch (const sc_core::sc_report &r) {
        return r.get_msg();
    }
    return "";
}

/* Sums the statistics of "a.b+c.d". */
uint64_t sum_of(const stat_values &v, const std::string &names)
{
    std::istringstream each(names);
    uint64_t sum = 0;
    for (std::string name; std::getline(each, name, '+');)
        sum += v.all.at(name);
    return sum;
}

bool starts(const std::string &text, const std::string &with)
{
    return text.compare(0, with.size(), with) == 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_machine_of_blocks)

BOOST_DATA_TEST_CASE(no_block_can_be_left_out_of_the_list, data::make(machines()))
{
    built it(sample, small());
    machine &machine = it.machine;
    const std::vector<block *> all = machine.top().blocks();
    BOOST_TEST(all.size() >= 1u + 2 * 4 + 2); /* dispatcher, units, L2D, memory, and translating blocks */
    BOOST_TEST(unlisted_block(all, machine.top()) == "");
    for (const block *out : all) {
        std::vector<block *> rest;
        std::copy_if(all.begin(), all.end(), std::back_inserter(rest),
                     [out](const block *b) { return b != out; });
        const std::string wrong = unlisted_block(rest, machine.top());
        BOOST_TEST(starts(wrong, out->name() + std::string(": ")), wrong);
    }
}

/* Checks links only: a missing block without links is not found. */
BOOST_DATA_TEST_CASE(no_link_can_lead_out_of_the_list, data::make(machines()))
{
    built it(sample, small());
    machine &machine = it.machine;
    BOOST_REQUIRE((machine.run({}) == run_end::complete));
    const std::vector<block *> all = machine.top().blocks();
    BOOST_TEST(unlisted_link(all) == "");
    for (const block *out : all) {
        std::vector<block *> rest;
        std::copy_if(all.begin(), all.end(), std::back_inserter(rest),
                     [out](const block *b) { return b != out; });
        const std::string wrong = unlisted_link(rest);
        const bool linked = !out->asks().empty() || !out->serves().empty();
        BOOST_TEST((wrong.find(out->name()) != std::string::npos) == linked, out->name() << ": " << wrong);
    }
}

BOOST_AUTO_TEST_CASE(a_machine_with_an_unlisted_block_or_link_is_not_elaborated)
{
    BOOST_TEST(refused(careless::mistake::none) == "");
    BOOST_TEST(starts(refused(careless::mistake::unlisted), "top.forgotten: is on no list"));
    BOOST_TEST(starts(refused(careless::mistake::unlisted_at_a_link), "top.l2d: is on no list"));
    BOOST_TEST(starts(refused(careless::mistake::listed_twice), "top.dram: is listed twice"));
}

BOOST_DATA_TEST_CASE(activations_and_calls_are_those_of_all_blocks_and_links, data::make(machines()))
{
    built it(sample, small());
    machine &machine = it.machine;
    BOOST_REQUIRE((machine.run({}) == run_end::complete));
    stat_values v;
    machine.visit(v);
    uint64_t woken = 0, groups = 0;
    for (const block *b : scheduler::here()->blocks())
        woken += b == nullptr ? 0 : b->activations();
    for (const auto &stat : v.all)
        groups += starts(stat.first, "model.activations_") ? stat.second : 0;
    BOOST_TEST(v.all.at("model.activations") == woken);
    BOOST_TEST(groups == woken);
    const bool perfect = sample.settings.find("perfect") != std::string::npos;
    uint64_t sent = 0;
    for (const char *by : {"gpu.memory", "coalescer.translations", "coalescer.lines", "l2_tlb.misses",
                           "l3_tlb.misses", "iommu_tlb.tlb_misses", "walk_unit.pte_reads", "l1d.read_misses",
                           "l1d.writes", "l2d.read_misses", "l2d.write_fetches", "l2d.write_backs",
                           "lds.accesses", "gpu.fetches", "icache.misses", perfect ? "" : "l1_tlb.misses"})
        sent += v.all.count(by) != 0 ? v.all.at(by) : 0;
    const auto add = [&](const std::string &by) { sent += v.all.count(by) != 0 ? v.all.at(by) : 0; };
    for (const mechanism &m : mechanisms()) {
        add(m.between + ".misses");
        add(m.below + ".misses");
        for (const std::string &by : m.asks)
            add(by);
    }
    BOOST_TEST(v.all.at("model.requests_sent") == sent);
}

/* Every law of a link and of a block, with its sums. */
BOOST_DATA_TEST_CASE(every_link_has_its_laws, data::make(machines()))
{
    built it(sample, small());
    machine &machine = it.machine;
    BOOST_REQUIRE((machine.run({}) == run_end::complete));
    std::map<std::string, law> laws;
    for (const law &l : machine.laws()) {
        BOOST_TEST(l.holds(), l.name);
        BOOST_TEST(laws.emplace(l.name, l).second, l.name << " is there twice");
    }
    stat_values v;
    machine.visit(v);
    const bool perfect = sample.settings.find("perfect") != std::string::npos;
    const bool through = sample.settings.find("l2d") != std::string::npos;
    std::vector<std::pair<std::string, std::string>> links = {
        {"cu.mem -> coalescer.up", "gpu.memory"},
        {perfect ? "coalescer.xlat -> perfect_l1.up" : "coalescer.xlat -> l1_tlb.up",
         "coalescer.translations"},
        {"coalescer.mem -> l1d.up", "coalescer.lines"}};
    if (sample.machine == "apu-micro18") {
        links.insert(links.end(), {{through ? "walk_unit.mem -> l2d.up" : "walk_unit.mem -> dram.up",
                                    "walk_unit.pte_reads"}});
        if (!perfect)
            links.push_back({"iommu_tlb.down -> walk_unit.up", "iommu_tlb.tlb_misses"});
        std::string last = "l2_tlb", above = "l1_tlb", asked = "l1_tlb.misses";
        for (const mechanism &m : mechanisms())
            if (!m.below.empty() && sample.settings == "gpu.cus=2 " + m.on) {
                links.push_back({last + ".down -> " + m.below + ".up", asked_by(last)});
                last = m.below;
            }
        if (!perfect)
            links.push_back({last + ".down -> iommu_tlb.up", asked_by(last)});
        for (const mechanism &m : mechanisms())
            if (!m.between.empty() && sample.settings == "gpu.cus=2 " + m.on) {
                links.push_back({above + ".down -> " + m.between + ".up", asked});
                above = m.between;
                asked = m.asked();
            }
        if (!perfect)
            links.push_back({above + ".down -> l2_tlb.up", asked});
    }
    if (sample.machine == "mmu-hpca14") {
        links.push_back({"walk_unit.mem -> l2d.up", "walk_unit.pte_reads"});
        if (!perfect)
            links.push_back({"l1_tlb.down -> walk_unit.up", "l1_tlb.misses"});
    }
    const auto translates = [](const std::pair<const std::string, law> &l) {
        return starts(l.first, "l1_tlb.down -> ") && l.first.find(": requests") != std::string::npos;
    };
    BOOST_TEST(std::count_if(laws.begin(), laws.end(), translates) == (perfect ? 0 : 2));
    for (const auto &[link, statistic] : links)
        for (const char *what : {": requests sent = received", ": requests sent = answered"}) {
            BOOST_TEST(laws.count(link + what) == 1u, link << what);
            BOOST_TEST(laws[link + what].left == sum_of(v, statistic), link << what);
        }
    const std::string below = v.all.count("host_link.device_lines") != 0 ? "host_link" : "dram";
    BOOST_TEST(laws.count("l2d.down -> " + below + ".up: requests sent = answered") == 1u);
}

BOOST_AUTO_TEST_CASE(a_law_that_one_of_equal_blocks_breaks_is_not_saved_by_another)
{
    law_list list(0, false);
    list.of("x", "top.x_0");
    list.add("in = out", 3, 3);
    list.of("x", "top.x_1");
    list.add("in = out", 5, 4);
    list.of("x", "top.x_2");
    list.add("in = out", 4, 5);
    list.add_to("y", "told", 1, 2, "a story");
    const std::vector<law> laws = list.all();
    BOOST_TEST(laws.size() == 2u);
    BOOST_TEST(laws[0].name == "x: in = out");
    BOOST_TEST(laws[0].left == 5u);
    BOOST_TEST(laws[0].right == 4u);
    BOOST_TEST(laws[0].story == "in top.x_1");
    BOOST_TEST(laws[1].story == "a story");
}

BOOST_AUTO_TEST_CASE(names_of_equal_blocks_and_ports_are_one)
{
    BOOST_TEST(family_of("top.l1_tlb_13") == "l1_tlb");
    BOOST_TEST(family_of("up_0") == "up");
    BOOST_TEST(family_of("top.l1_tlb") == "l1_tlb");
    BOOST_TEST(family_of("top.l2") == "l2");
    BOOST_TEST(family_of("7") == "7");
}

/* A kind of level needs no list: its two files are enough, and the linker keeps them. */
BOOST_AUTO_TEST_CASE(every_kind_of_level_has_its_two_files)
{
    std::map<std::string, std::set<std::string>> files; /* by suffix */
    for (const auto &entry : std::filesystem::directory_iterator(WW_SOURCE_DIR "/platforms/levels")) {
        const std::string name = entry.path().stem();
        files[name.substr(name.rfind('_'))].insert(name.substr(0, name.rfind('_')));
    }
    const std::vector<std::string> kinds = level_kinds();
    const std::set<std::string> all(kinds.begin(), kinds.end());
    BOOST_TEST((files["_level"] == all));
    BOOST_TEST((files["_blocks"] == all));
    BOOST_TEST(files.size() == 2u);
    BOOST_TEST(all.count("walk_unit") == 1u);
    for (const std::string &kind : kinds)
        BOOST_TEST(make_level(kind, kind)->kind() == kind);
}

BOOST_AUTO_TEST_SUITE_END()

/* SPDX-License-Identifier: MIT */
/* Whole machines with every signal of every block recorded: the results are those of an unobserved run, the
 * dump declares each signal, and the signals of every block that works change in it. What a block leaves out
 * because no step touched it has not changed. */
#include "tb/platform/bounds.hpp"
#include "tb/support/doubter.hpp"

#include <boost/test/data/test_case.hpp>

#include <fstream>
#include <sstream>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

/* The observer's work in the simulator is not a result. */
std::map<std::string, std::string> results(const outcome &o)
{
    std::map<std::string, std::string> stats = o.stats;
    for (auto it = stats.begin(); it != stats.end();)
        it = it->first.compare(0, 6, "model.") == 0 ? stats.erase(it) : std::next(it);
    return stats;
}

/* Changes of each signal in a dump, by block and name. */
std::map<std::string, uint64_t> changes_in(const std::string &file)
{
    std::ifstream in(file);
    std::map<std::string, std::vector<std::string>> names; /* by code */
    std::map<std::string, uint64_t> changes;
    std::string scope;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string first, kind, bits, code, name;
        words >> first;
        if (first == "$scope") {
            words >> kind >> name;
            scope += name + ".";
        } else if (first == "$upscope") {
            scope.erase(scope.rfind('.', scope.size() - 2) + 1);
        } else if (first == "$var") {
            words >> kind >> bits >> code >> name;
            names[code].push_back(scope + name);
            changes[scope + name] = 0;
        } else if (!first.empty() && first[0] != '$' && first[0] != '#') {
            if (first[0] == 'b' || first[0] == 'r')
                words >> code;
            else
                code = first.substr(1);
            for (const std::string &of : names[code])
                ++changes[of];
        }
    }
    return changes;
}

std::string everything_on()
{
    std::string all;
    for (const mechanism &m : mechanisms())
        all += " " + m.on;
    return all;
}

} // namespace

BOOST_DATA_TEST_CASE(
    what_no_step_touched_has_not_changed,
    data::make(std::vector<std::string>{
        "walk_unit.coalesce=full", "dram.refi=600 dram.row_policy=closed dram.ranks=1",
        "walk_unit.walkers=70 dram.queue_entries=1 dram.read_entries=1 l2_tlb.entries=16",
        "walk_unit.pte_cache_bytes=4096 walk_unit.coalesce=leaf dram.banks=32 dram.refi=2000 lds.banks=8 "
        "icache.entries=8 " +
            everything_on(),
        "walk_unit.walk_path=l2d l1d.write=back l1d.bytes=2048 l1d.ways=4 "
        "dram.write_entries=4 dram.write_high=2 dram.write_low=1"}),
    settings)
{
    const trace t(mixed_spec(4));
    simulation sim;
    gpu_machine machine(configured("gpu.cus=2 l2d.bytes=16384 l2d.ways=4 " + settings), t.reader());
    std::vector<std::unique_ptr<doubter>> doubters;
    for (block *b : machine.top().blocks())
        doubters.push_back(std::make_unique<doubter>(*b));
    BOOST_TEST((machine.run({}) == run_end::complete));
    uint64_t found = 0;
    for (const auto &d : doubters)
        found += d->found();
    BOOST_TEST(found > 1000u);
}

BOOST_DATA_TEST_CASE(
    recording_every_signal_changes_no_result,
    data::make(std::vector<std::string>{
        "walk_unit.coalesce=full", "walk_unit.coalesce=off walk_unit.walkers=2 dram.refi=1000",
        "translation.ideal=perfect_l1", "l1d.write=back l1d.bytes=2048 l1d.ways=4",
        "walk_unit.walk_path=l2d l2d.hit_cycles=5 walk_unit.coalesce=full l1d.ways=1 l1d.bytes=1024",
        "walk_unit.pte_cache_bytes=4096 walk_unit.pte_cache_ways=4 walk_unit.coalesce=leaf "
        "walk_unit.reply_cycles=1",
        "gpu.clock_ps=2000 dram.tck_ps=500 dram.channels=4 dram.cl=1 dram.burst=1",
        "dram.read_entries=1 dram.queue_entries=1 dram.write_entries=2 dram.write_high=2 dram.write_low=1",
        "lds.banks=16 icache.entries=8 " + everything_on()}),
    settings)
{
    const trace t(mixed_spec(4));
    const gpu_machine_params p = configured("gpu.cus=2 l2d.bytes=16384 l2d.ways=4 " + settings);
    const outcome alone = run_apu(p, t);

    wave_plan plan;
    plan.file = "signals.vcd";
    plan.title = "test";
    outcome watched;
    std::set<std::string> blocks;
    {
        simulation sim;
        gpu_machine machine(p, t.reader());
        for (const signal_info &s : machine.signals()) {
            if (blocks.insert(s.block).second)
                plan.blocks.push_back(s.block);
            BOOST_TEST(std::string(s.text) != "", s.name);
        }
        machine.record(plan);
        watched.end = machine.run({});
        machine.finish_record();
        stat_text text;
        machine.visit(text);
        watched.stats = text.all;
    }
    BOOST_TEST((watched.end == run_end::complete));
    BOOST_TEST((results(watched) == results(alone)));

    const auto changes = changes_in(plan.file);
    unlink(plan.file.c_str());
    BOOST_TEST(changes.size() > 100u);
    for (const std::string &block : blocks) {
        uint64_t of_block = 0;
        unsigned declared = 0;
        for (const auto &c : changes)
            if (c.first.find(block + ".") != std::string::npos) {
                of_block += c.second;
                ++declared;
            }
        BOOST_TEST(declared > 0u, block);
        const bool idle = settings.find("perfect_l1") != std::string::npos &&
                          (block == "l2_tlb" || block == "iommu_tlb" || block == "walk_unit");
        BOOST_TEST((idle || of_block > declared), block << " changes " << of_block << " times");
    }
}

/* SPDX-License-Identifier: MIT */
/* A machine with a foreign main memory: it completes over any, however that answers, reads its page tables
 * there, and takes the memory's time. */
#include "image/image_space.hpp"
#include "kernels/table/table_x86.h"
#include "tb/platform/bounds.hpp"
#include "tb/platform/machines.hpp"
#include "tb/support/foreign_memory.hpp"

#include <cstdio>
#include <fstream>
#include <set>

using namespace walkway;
using namespace walkway::test;

namespace
{

const trace &small()
{
    static const trace t(mixed_spec(3));
    return t;
}

/* Sockets, each of a foreign memory, over the same bytes. */
struct outside {
    memory_store bytes;
    std::vector<std::unique_ptr<foreign_memory>> ways;
    uint64_t walks = 0, last_line = UINT64_MAX;
    unsigned taken_beyond = 0;  /* bytes that it takes of a line there */
    std::set<uint64_t> written; /* lines, by debug access */

    program_list programs(uint64_t latency, foreign_memory::way how = foreign_memory::ways)
    {
        program_list all(small().reader());
        all.use_memory(std::make_shared<memory_ways>([this, latency, how](unsigned way) -> memory_socket & {
            BOOST_REQUIRE(way == ways.size());
            ways.push_back(std::make_unique<foreign_memory>(("ram_" + std::to_string(way)).c_str()));
            foreign_memory &m = *ways.back();
            m.latency = latency;
            m.only = how;
            serve(m, bytes);
            m.answer = [this](gp &p) {
                walks += is_walk(p);
                bytes.apply(p);
                p.set_response_status(tlm::TLM_OK_RESPONSE);
            };
            m.on_debug = [this, served = m.on_debug](gp &p) {
                if (p.is_write())
                    written.insert(p.get_address());
                return p.get_address() > last_line ? taken_beyond : served(p);
            };
            return m.up;
        }));
        return all;
    }
    using gp = tlm::tlm_generic_payload;
};

outcome run_on(const machine_case &c, const program_list &all)
{
    const std::unique_ptr<platform> made = config_of(c)->build(all);
    const run_end end = made->run({});
    outcome out = outcome_of(*made);
    out.end = end;
    out.stuck = end == run_end::deadlock ? made->stuck() : "";
    return out;
}

void lawful(const outcome &out)
{
    BOOST_TEST((out.end == run_end::complete), out.stuck);
    for (const law &l : out.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " is not " << l.right);
}

uint64_t number(const outcome &out, const std::string &statistic)
{
    const auto it = out.stats.find(statistic);
    BOOST_REQUIRE_MESSAGE(it != out.stats.end(), statistic);
    return std::stoull(it->second);
}

} // namespace

BOOST_AUTO_TEST_SUITE(memory_of_somebody_elses)

BOOST_AUTO_TEST_CASE(it_runs_over_memory_that_answers_in_any_way_and_walks_read_their_tables_there)
{
    const outcome own = run_machine({"apu-micro18", "gpu.cus=2"}, small());
    for (unsigned how = 0; how <= foreign_memory::ways; ++how) {
        simulation sim;
        outside memory;
        const program_list all = memory.programs(20, static_cast<foreign_memory::way>(how));
        const outcome out = run_on({"apu-micro18", "gpu.cus=2"}, all);
        lawful(out);
        BOOST_TEST(memory.walks == number(out, "walk_unit.pte_reads"));
        BOOST_TEST(memory.walks != 0u);
        BOOST_TEST(out.stats.count("dram.reads") == 0u);
        BOOST_TEST(number(out, "coalescer.lines") == number(own, "coalescer.lines"));
        BOOST_TEST(number(out, "coalescer.faults") == 0u); /* the tables are there */
        BOOST_TEST(memory.ways[0]->taken[how % foreign_memory::ways] != 0u);
    }
}

BOOST_AUTO_TEST_CASE(every_machine_runs_over_it)
{
    for (const std::string &machine : shipped_machines())
        for (const char *more : {"", " address_space.map=first_touch"}) {
            simulation sim;
            outside memory;
            const program_list all = memory.programs(20);
            const machine_case c{machine, regrouped(machine, std::string("gpu.cus=2") + more)};
            BOOST_TEST_CONTEXT(c)
            {
                const outcome out = run_on(c, all);
                lawful(out);
                BOOST_TEST(out.cycles != 0u);
            }
        }
}

BOOST_AUTO_TEST_CASE(the_machine_takes_the_time_that_the_memory_takes)
{
    uint64_t before = 0;
    for (const uint64_t latency : {10u, 200u, 4000u}) {
        simulation sim;
        outside memory;
        const program_list all = memory.programs(latency);
        const outcome out = run_on({"apu-micro18", "gpu.cus=2"}, all);
        BOOST_TEST(out.cycles > before + latency);
        before = out.cycles;
    }
}

BOOST_AUTO_TEST_CASE(blocks_do_not_run_ahead_of_the_time_of_somebody_elses_processes)
{
    simulation sim;
    outside memory;
    const program_list all = memory.programs(200);
    lawful(run_on({"apu-micro18", "gpu.cus=2"}, all));
    for (const auto &way : memory.ways)
        BOOST_TEST(way->ahead == 0u);
}

BOOST_AUTO_TEST_CASE(page_tables_are_written_there_whole)
{
    simulation sim;
    outside memory;
    const program_list all = memory.programs(20);
    lawful(run_on({"apu-micro18", "gpu.cus=2"}, all));
    BOOST_REQUIRE(!memory.written.empty());
    const uint64_t first = *memory.written.begin(), end = *memory.written.rbegin() + line_bytes;
    BOOST_TEST(first % 4096 == 0u); /* nodes, from the first line of the first to the last of the last */
    BOOST_TEST(end % 4096 == 0u);
    BOOST_TEST(memory.written.size() == (end - first) / line_bytes);
}

BOOST_AUTO_TEST_CASE(memory_too_small_for_the_page_tables_is_said_before_anything_runs)
{
    for (const unsigned taken : {0u, 32u}) { /* takes nothing of a line beyond the end, or a part of it */
        simulation sim;
        outside memory;
        memory.last_line = 0x1000;
        memory.taken_beyond = taken;
        const program_list all = memory.programs(20);
        const std::unique_ptr<platform> made = config_of({"apu-micro18", "gpu.cus=2"})->build(all);
        const auto says = [](const std::exception &e) {
            return std::string(e.what()).find("takes no page table at 268435456 by debug access") !=
                   std::string::npos;
        };
        BOOST_CHECK_EXCEPTION(made->run({}), std::exception, says);
    }
}

BOOST_AUTO_TEST_CASE(an_image_of_memory_is_the_machines_own_and_goes_with_no_other)
{
    const std::string path = "memory.image";
    std::ofstream(path, std::ios::binary) << std::string(1 << 16, '\0');
    const auto image = std::make_shared<memory_image>(path, memory_image::format::raw);
    std::remove(path.c_str());
    simulation sim;
    outside memory;
    program_list all = memory.programs(20);
    all.run_in(std::make_shared<image_space>(image, std::vector<ww_table>{{&ww_x86_4, {{0x1000}}}}));
    const auto says = [](const std::exception &e) {
        return std::string(e.what()).find("an image of memory is the machine's own") != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(config_of({"apu-micro18", "gpu.cus=2"})->build(all), std::exception, says);
}

BOOST_AUTO_TEST_SUITE_END()

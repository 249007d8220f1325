/* SPDX-License-Identifier: MIT */
/* A GPU program's trace (argv[1]) on a Walkway machine (argv[3], its file) with an external main memory: the
 * target below, which is unaware of the machine and also holds its page tables. argv[2] is the latency of the
 * memory, such as 50 or 500 ns. Prints the program's cycles and the accesses that reach the memory. */
#include "walkway/device/test_memory.hpp"
#include "walkway/model/params/tlb.hpp"
#include "walkway/platforms/gpu.hpp"
#include "walkway/support/parameters.hpp"
#include "walkway/support/platform_file.hpp"

#include <cstdio>
#include <cstdlib>

/* Counts accesses. Any memory with base-protocol sockets can replace it. */
struct memory : walkway::test_memory<32> {
    uint64_t tables = 0, reads = 0, writes = 0;
    memory(double ns, unsigned ways)
        : test_memory<32>("ram", 64 << 20, sc_core::sc_time(ns, sc_core::SC_NS), ways)
    {
    }
    void block(payload &p, sc_core::sc_time &delay) override
    {
        tables += walkway::is_walk(p); /* the machine marks its page-table reads */
        ++(p.is_read() ? reads : writes);
        test_memory::block(p, delay);
    }
};

/* Also reads the files that the file extends. */
walkway::gpu_machine_params read_machine(const std::string &path)
{
    const auto visit = [](walkway::gpu_machine_params &p) {
        return [&p](walkway::param_visitor &v) { p.visit(v); };
    };
    const walkway::platform_chain chain = walkway::read_platform_chain(path);
    walkway::gpu_machine_params p(chain.levels);
    const auto values = walkway::values_of_chain(chain, [&visit](const std::string &levels) {
        walkway::gpu_machine_params of(levels);
        return walkway::parameter_names(visit(of));
    });
    walkway::set_parameters(visit(p), values.now, "");
    return p;
}

int run(int argc, char **argv)
{
    wkt_reader *trace = nullptr;
    wkt_error error;
    if (argc < 4 || wkt_open(argv[1], &trace, &error) != 0) {
        std::fprintf(stderr, "gpu_trace TRACE NANOSECONDS MACHINE.cfg: %s\n",
                     argc < 4 ? "three arguments" : error.text);
        return 2;
    }
    walkway::gpu_machine_params p = read_machine(argv[3]);
    p.path.params<walkway::tlb_params>("l1_tlb").entries = 64;
    p.path.params<walkway::tlb_params>("l1_tlb").ways = 64;
    p.address_space.table_pa = 16 << 20; /* all within 64 MiB */
    p.address_space.data_pa = 32 << 20;
    p.address_space.memory_bytes = 32 << 20;
    if (!p.validate().empty()) {
        std::fprintf(stderr, "%s\n", p.validate().c_str());
        return 2;
    }
    memory ram(std::atof(argv[2]), 2);
    walkway::program_list programs(trace);
    programs.use_memory(std::make_shared<walkway::memory_ways>(
        [&ram](unsigned way) -> walkway::memory_socket & { return ram.up[way]; }));
    walkway::gpu_machine gpu(p, programs);
    const bool complete = gpu.run({}) == walkway::run_end::complete;
    unsigned broken = 0;
    for (const walkway::law &l : gpu.laws())
        broken += !l.holds();
    std::printf("%llu cycles; memory: %llu reads, %llu of them of page tables, %llu writes; %s, %u laws "
                "broken\n",
                static_cast<unsigned long long>(gpu.cycles()), static_cast<unsigned long long>(ram.reads),
                static_cast<unsigned long long>(ram.tables), static_cast<unsigned long long>(ram.writes),
                complete ? "complete" : "not complete", broken);
    wkt_close(trace);
    return complete && broken == 0 && ram.tables != 0 &&
                   ram.tables == gpu.top().walk_units[0]->stats().pte_reads
               ? 0
               : 1;
}

int sc_main(int argc, char **argv)
{
    try {
        return run(argc, argv);
    } catch (const std::exception &e) { /* such as a machine file with a fault */
        std::fprintf(stderr, "%s\n", e.what());
        return 2;
    }
}

/* SPDX-License-Identifier: MIT */
/* tb/bench/kernels.cpp - yardstick: a trace's requests through the bare C kernels. Prints counts, processor
 * time of the replay (including the trace's decoding, excluding the page table's building) and the sizes
 * used, as JSON. Usage: bench_kernels TRACE [COMPUTE-UNITS [ACCESSES-OF-A-WAVE-IN-A-ROW]] */
#include "tb/bench/machine.hpp"
#include "tb/bench/waves.hpp"

#include <cinttypes>

extern "C" void ww_assert_fail(const char *expr, const char *file, int line)
{
    std::fprintf(stderr, "%s:%d: %s\n", file, line, expr);
    std::abort();
}

static void print(const bench::counts &n, unsigned units, double seconds)
{
    std::printf("{\n  \"seconds\": %.6f,\n  \"peak_memory_bytes\": %lu,\n  \"counts\": {\n", seconds,
                bench::peak_memory_bytes());
#define X(section, key) std::printf("    \"" #section "." #key "\": %" PRIu64 ",\n", n.section##_##key);
    WALKWAY_BENCH_COUNTS(X)
#undef X
    std::printf("    \"dram.cycles\": %" PRIu64 "\n  },\n  \"configuration\": {\n", n.dram_cycles);
#define X(section, key, value) std::printf("    \"" #section "." #key "\": %" PRIu64 ",\n", uint64_t{value});
    WALKWAY_BENCH_SIZES(X)
#undef X
    std::printf("    \"cu.lds_bytes\": %u,\n    \"gpu.cus\": %u\n  }\n}\n", bench::waves::lds_bytes, units);
}

int main(int argc, char **argv)
{
    const int units = argc > 2 ? std::atoi(argv[2]) : 8;
    const int in_a_row = argc > 3 ? std::atoi(argv[3]) : 1;
    if (argc < 2 || argc > 4 || units < 1 || units > 250 || in_a_row < 1)
        bench::give_up("usage: bench_kernels TRACE [COMPUTE-UNITS [ACCESSES-OF-A-WAVE-IN-A-ROW]]");
    wkt_reader *trace = nullptr;
    wkt_error error;
    if (wkt_open(argv[1], &trace, &error) != WKT_OK)
        bench::give_up(error.text);
    {
        bench::machine m(static_cast<unsigned>(units), trace);
        bench::waves w(trace, static_cast<unsigned>(units), static_cast<uint32_t>(in_a_row));
        const double start = bench::processor_seconds();
        const bool whole = w.each([&m](unsigned unit, const wkt_record &r) { m.access(unit, r); });
        m.drain();
        const double seconds = bench::processor_seconds() - start;
        if (!whole)
            bench::give_up("the trace is damaged");
        print(m.count(), static_cast<unsigned>(units), seconds);
    }
    wkt_close(trace);
    return 0;
}

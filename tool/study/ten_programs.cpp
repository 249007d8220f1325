/* SPDX-License-Identifier: MIT */
/* study/ten_programs.cpp - their sizes. [M21] publishes none: full is what its numbers of launches allow
 * (docs/workloads.md), quarter half of each dimension or a quarter of the graph, demo a few megabytes. */
#include "study/ten_programs.hpp"

namespace walkway
{

std::vector<study_scale> ten_program_scales()
{
    return {{"demo", "some minutes, to see that everything works; near the reach of the TLBs"},
            {"quarter", "half of each dimension, a quarter of each graph"},
            {"full", "the suites' sizes, as far as Table 2's numbers of launches tell them"}};
}

const char *const ten_program_notes =
    "Matrices in float, but where demo says double. The search of shortest paths is cut off after four "
    "rounds of some thousand, ranks after four of 20.";

const std::vector<std::string> &all_ten()
{
    static const std::vector<std::string> groups = {"H", "M", "L"};
    return groups;
}

const std::vector<std::string> &those_seven()
{
    static const std::vector<std::string> groups = {"H", "M"};
    return groups;
}

std::vector<study_program> ten_programs()
{
    return {
        {"ATX",
         "atax",
         "H",
         {{"full", {"4096"}}, {"quarter", {"2048"}}, {"demo", {"--type", "double", "1536", "512"}}}},
        {"GEV",
         "gesummv",
         "H",
         {{"full", {"4096"}}, {"quarter", {"2048"}}, {"demo", {"--type", "double", "512"}}}},
        {"MVT",
         "mvt",
         "H",
         {{"full", {"--type", "float", "4096"}},
          {"quarter", {"--type", "float", "2048"}},
          {"demo", {"--type", "float", "1024"}}}},
        {"BIC",
         "bicg",
         "H",
         {{"full", {"4096"}}, {"quarter", {"2048"}}, {"demo", {"--type", "double", "1536", "512"}}}},
        {"GUPS",
         "gups",
         "H",
         {{"full", {"--preset", "micro21"}},
          {"quarter", {"24", "--threads", "20480", "--updates", "32"}},
          {"demo", {"20", "--threads", "4096", "--updates", "16"}}}},
        {"NW", "nw", "M", {{"full", {"2048"}}, {"quarter", {"1024"}}, {"demo", {"512"}}}},
        {"BFS",
         "bfs",
         "M",
         {{"full", {"--graph", "rodinia:1000000"}},
          {"quarter", {"--graph", "rodinia:250000"}},
          {"demo", {"--graph", "rodinia:65536"}}}},
        {"SRAD",
         "srad",
         "L",
         {{"full", {"502", "458", "--iterations", "1"}},
          {"quarter", {"251", "229", "--iterations", "1"}},
          {"demo", {"128", "128", "--iterations", "1"}}}},
        {"SSSP",
         "sssp",
         "L",
         {{"full", {"--preset", "micro21", "--iterations", "4"}},
          {"quarter", {"--graph", "road:n=301986,aspect=4", "--iterations", "4"}},
          {"demo", {"--graph", "road:n=20000,aspect=4", "--iterations", "4"}}}},
        {"PRK",
         "pagerank",
         "L",
         {{"full", {"--preset", "micro21", "--iterations", "4"}},
          {"quarter", {"--graph", "power:n=74767,arcs=488838", "--iterations", "4"}},
          {"demo", {"--graph", "power:n=20000,arcs=130000", "--iterations", "2"}}}},
    };
}

} // namespace walkway

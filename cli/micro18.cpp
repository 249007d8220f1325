/* SPDX-License-Identifier: MIT */
/* cli/micro18.cpp - the study of MICRO'18 "Neighborhood-aware address translation": programs, sizes,
 * configurations. PAPER[M18 Table II, section V]. Its five regular programs are not here: the paper says only
 * that nothing happens to them. */
#include "cli/micro18_figures.hpp"

namespace walkway
{

/* full: Table II, as its footprints decode (float, MVT double, BICG 8192 x 4096). quarter: half of each
 * dimension, a quarter of the memory. demo: somewhat more than the TLBs hold, with rows of 4 to 8 KiB: leaves
 * coalesce far better than at full size, upper levels hardly miss the walk caches. */
static std::vector<study_program> programs()
{
    return {
        {"MVT", "mvt", {{"full", {"4096"}}, {"quarter", {"2048"}}, {"demo", {"1024"}}}},
        {"ATX",
         "atax",
         {{"full", {"4096"}}, {"quarter", {"2048"}}, {"demo", {"--type", "double", "1536", "512"}}}},
        {"NW", "nw", {{"full", {"8192"}}, {"quarter", {"4096"}}, {"demo", {"768"}}}},
        {"BIC",
         "bicg",
         {{"full", {"8192", "4096"}},
          {"quarter", {"4096", "2048"}},
          {"demo", {"--type", "double", "1536", "512"}}}},
        {"GEV",
         "gesummv",
         {{"full", {"4096"}}, {"quarter", {"2048"}}, {"demo", {"--type", "double", "512"}}}},
    };
}

static std::vector<study_configuration> configurations()
{
    const std::string full = "iommu.coalesce=full", off = "iommu.coalesce=off";
    std::vector<study_configuration> list = {
        {"off", {off}},
        {"leaf", {"iommu.coalesce=leaf"}},
        {"full", {full}},
        {"ideal", {off, "translation.ideal=perfect_l1"}},
    };
    for (const char *walkers : {"4", "16", "32"}) {
        const std::string change = std::string("iommu.walkers=") + walkers;
        list.push_back({std::string("walkers-") + walkers + "-off", {off, change}});
        list.push_back({std::string("walkers-") + walkers + "-full", {full, change}});
    }
    for (const char *entries : {"128", "512"}) {
        const std::string change = std::string("iommu.buffer_entries=") + entries;
        list.push_back({std::string("buffer-") + entries + "-off", {off, change}});
        list.push_back({std::string("buffer-") + entries + "-full", {full, change}});
    }
    for (const char *bytes : {"1536", "4096", "8192", "16384"})
        list.push_back(
            {std::string("pte-cache-") + bytes, {off, std::string("iommu.pte_cache_bytes=") + bytes}});
    return list;
}

const study &micro18_study()
{
    static const study s = {
        "micro18",
        "MICRO'18, Neighborhood-aware address translation for irregular GPU applications",
        "apu-micro18",
        {{"demo", "a minute or two: shows that everything works"},
         {"quarter", "half of each dimension"},
         {"full", "the paper's sizes"}},
        "full",
        programs(),
        configurations(),
        {{"5", {"off"}, figure_5},
         {"6", {"off"}, figure_6},
         {"9", {"off", "leaf", "full", "ideal"}, figure_9},
         {"10", {"off", "leaf", "full"}, figure_10},
         {"11", {"off", "leaf", "full"}, figure_11},
         {"12",
          {"off", "full", "walkers-4-off", "walkers-4-full", "walkers-16-off", "walkers-16-full",
           "walkers-32-off", "walkers-32-full"},
          figure_12},
         {"13",
          {"off", "full", "buffer-128-off", "buffer-128-full", "buffer-512-off", "buffer-512-full"},
          figure_13},
         {"14",
          {"off", "full", "pte-cache-1536", "pte-cache-4096", "pte-cache-8192", "pte-cache-16384"},
          figure_14},
         {"III", {"off", "full"}, table_3}},
    };
    return s;
}

} // namespace walkway

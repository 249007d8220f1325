/* SPDX-License-Identifier: MIT */
/* study/micro18_study.cpp - the study of MICRO'18 "Neighborhood-aware address translation": programs, sizes,
 * configurations. PAPER[M18 Table II, section V]. Its five regular programs are in Figure 9 and Table II
 * only: there is little to gain for them, and nothing may be lost. */
#include "study/micro18_figures.hpp"

namespace walkway
{

const char *const irregular = "irregular";
const char *const regular = "regular";

/* full: Table II, as its footprints decode (float, MVT double, BICG 8192 x 4096; the regular ones as in
 * docs/workloads.md, the search of shortest paths cut off after four rounds of some thousand). quarter: half
 * of each dimension, a quarter of the memory. demo: somewhat more than the TLBs hold, with rows of 4 to 8
 * KiB: leaves coalesce far better than at full size, upper levels hardly miss the walk caches. */
static std::vector<study_program> programs()
{
    return {
        {"MVT", "mvt", irregular, {{"full", {"4096"}}, {"quarter", {"2048"}}, {"demo", {"1024"}}}},
        {"ATX",
         "atax",
         irregular,
         {{"full", {"4096"}}, {"quarter", {"2048"}}, {"demo", {"--type", "double", "1536", "512"}}}},
        {"NW", "nw", irregular, {{"full", {"8192"}}, {"quarter", {"4096"}}, {"demo", {"768"}}}},
        {"BIC",
         "bicg",
         irregular,
         {{"full", {"8192", "4096"}},
          {"quarter", {"4096", "2048"}},
          {"demo", {"--type", "double", "1536", "512"}}}},
        {"GEV",
         "gesummv",
         irregular,
         {{"full", {"4096"}}, {"quarter", {"2048"}}, {"demo", {"--type", "double", "512"}}}},
        {"SSP",
         "sssp",
         regular,
         {{"full", {"--preset", "micro18", "--iterations", "4"}},
          {"quarter", {"--graph", "road:900000", "--iterations", "4"}},
          {"demo", {"--graph", "road:40000", "--iterations", "4"}}}},
        {"LUD", "lud", regular, {{"full", {"512"}}, {"quarter", {"256"}}, {"demo", {"128"}}}},
        {"CLR",
         "color",
         regular,
         {{"full", {"--preset", "micro18"}},
          {"quarter", {"--graph", "grid:500x500"}},
          {"demo", {"--graph", "grid:200x200"}}}},
        {"BCK", "backprop", regular, {{"full", {"786432"}}, {"quarter", {"196608"}}, {"demo", {"16384"}}}},
        {"HOT",
         "hotspot",
         regular,
         {{"full", {"1024", "--iterations", "8"}},
          {"quarter", {"512", "--iterations", "8"}},
          {"demo", {"256", "--iterations", "4"}}}},
    };
}

static std::vector<study_configuration> configurations()
{
    const std::string full = "walk_unit.coalesce=full", off = "walk_unit.coalesce=off";
    std::vector<study_configuration> list = {
        {"off", {off}},
        {"leaf", {"walk_unit.coalesce=leaf"}},
        {"full", {full}},
        {"ideal", {"translation.ideal=perfect_l1"}},
    };
    for (const char *walkers : {"4", "16", "32"}) {
        const std::string change = std::string("walk_unit.walkers=") + walkers;
        list.push_back({std::string("walkers-") + walkers + "-off", {off, change}});
        list.push_back({std::string("walkers-") + walkers + "-full", {full, change}});
    }
    for (const char *entries : {"128", "512"}) {
        const std::string change = std::string("walk_unit.buffer_entries=") + entries;
        list.push_back({std::string("buffer-") + entries + "-off", {off, change}});
        list.push_back({std::string("buffer-") + entries + "-full", {full, change}});
    }
    for (const char *bytes : {"1536", "4096", "8192", "16384"}) {
        const std::string change = std::string("walk_unit.pte_cache_bytes=") + bytes;
        list.push_back({std::string("pte-cache-") + bytes, {off, change}});
        list.push_back(
            {std::string("pte-cache-merge-") + bytes, {off, change, "walk_unit.pte_cache_merge=true"}});
    }
    for (const study_configuration &c : sensitivity_configurations())
        list.push_back(c);
    return list;
}

static std::vector<std::string> sensitivity_keys()
{
    std::vector<std::string> keys;
    for (const sensitivity_variant &v : sensitivity_variants())
        for (const char *design : {"off", "leaf", "full", "ideal"})
            keys.push_back(v.key(design));
    return keys;
}

const study &micro18_study(); /* declared for all by studies.inc */

const study &micro18_study()
{
    static const study s = {
        "micro18",
        "MICRO'18, Neighborhood-aware address translation for irregular GPU applications",
        "apu-micro18",
        {{"demo",
          "a few minutes, to see that everything works; rows are short, so leaves coalesce far better "
          "than at full size"},
         {"quarter", "half of each dimension"},
         {"full", "the paper's sizes, Table II"}},
        "full",
        programs(),
        configurations(),
        {{"II", {irregular}, {"off"}, table_2},
         {"II-regular", {regular}, {"off"}, table_2},
         {"5", {irregular}, {"off"}, figure_5},
         {"6", {irregular}, {"off"}, figure_6},
         {"9", {irregular}, {"off", "leaf", "full", "ideal"}, figure_9},
         {"9-regular", {regular}, {"off", "leaf", "full", "ideal"}, figure_9_regular},
         {"10", {irregular}, {"off", "leaf", "full"}, figure_10},
         {"11", {irregular}, {"off", "leaf", "full"}, figure_11},
         {"12",
          {irregular},
          {"off", "full", "walkers-4-off", "walkers-4-full", "walkers-16-off", "walkers-16-full",
           "walkers-32-off", "walkers-32-full"},
          figure_12},
         {"13",
          {irregular},
          {"off", "full", "buffer-128-off", "buffer-128-full", "buffer-512-off", "buffer-512-full"},
          figure_13},
         {"14",
          {irregular},
          {"off", "full", "pte-cache-1536", "pte-cache-4096", "pte-cache-8192", "pte-cache-16384",
           "pte-cache-merge-1536", "pte-cache-merge-4096", "pte-cache-merge-8192", "pte-cache-merge-16384"},
          figure_14},
         {"III", {irregular}, {"off", "full"}, table_3},
         {"9-sensitivity", {irregular}, sensitivity_keys(), sensitivity, true}},
        "9-regular and II-regular: the same for the regular programs. 9-sensitivity: Figure 9 under other "
        "values of what the paper does not give (walk caches, latencies, MSHRs, indexing, frames).",
    };
    return s;
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* study/faults_study.cpp - every workload with its pages mapped before it begins, at their first touch, and
 * half and half: what page faults cost where they are handled one at a time. PAPER[H14 section 5.1] has their
 * time and no result. docs/page-faults.md. */
#include "study/bars.hpp"

namespace walkway
{

namespace
{

const struct {
    const char *code, *program;
} workloads[] = {
    {"2DC", "2dconv"},     {"ATX", "atax"},       {"BP", "backprop"},      {"BFS", "bfs"},
    {"BIC", "bicg"},       {"CLR", "color"},      {"COR", "corr"},         {"GAU", "gaussian"},
    {"GEV", "gesummv"},    {"BC", "graphbig_bc"}, {"GBF", "graphbig_bfs"}, {"CC", "graphbig_cc"},
    {"KC", "graphbig_kc"}, {"SP", "graphbig_sp"}, {"GUPS", "gups"},        {"HOT", "hotspot"},
    {"LU", "lu"},          {"LUD", "lud"},        {"MVT", "mvt"},          {"NN", "nn"},
    {"NW", "nw"},          {"PRK", "pagerank"},   {"PF", "pathfinder"},    {"SORT", "sort"},
    {"SRAD", "srad"},      {"SSSP", "sssp"},      {"SYRK", "syrk"},
};

const std::vector<std::string> &every_one()
{
    static const std::vector<std::string> groups = {"all"};
    return groups;
}

std::vector<study_program> programs()
{
    std::vector<study_program> all;
    for (const auto &w : workloads)
        all.push_back({w.code,
                       w.program,
                       "all",
                       {{"demo", std::string(w.code) == "NW" /* its full waves want 33 KiB of local memory */
                                     ? std::vector<std::string>{"256"}
                                     : std::vector<std::string>{"--preset", "demo"}}}});
    return all;
}

figure_bar of_first_touch(const study_results &results, programs_ref programs, const char *name,
                          double (*value)(const json &))
{
    return bar_of(results, programs, name, "first_touch", value);
}

figure slower(const study_results &results, programs_ref programs)
{
    figure f = {"cycles", "cycles, all pages mapped before the program begins = 1", 2, {}, {}, {}};
    for (const char *key : {"half", "first_touch"})
        f.bars.push_back(
            ratio_bar(results, programs, key, "all", key, [](const json &all, const json &touched) {
                return stat_of(touched, "gpu.cycles") / stat_of(all, "gpu.cycles");
            }));
    f.beside = {of_first_touch(results, programs, "pages mapped",
                               [](const json &s) { return stat_of(s, "pager.pages_mapped"); }),
                of_first_touch(results, programs, "faults at the pager",
                               [](const json &s) { return stat_of(s, "pager.faults"); }),
                of_first_touch(results, programs, "most in a fault table",
                               [](const json &s) { return stat_of(s, "walk_unit.fault_table_peak"); }),
                of_first_touch(results, programs, "cycles for each page mapped", [](const json &s) {
                    return stat_of(s, "gpu.cycles") / stat_of(s, "pager.pages_mapped");
                })};
    f.beside_title = "with first_touch";
    return f;
}

} // namespace

const study &faults_study(); /* declared for all by studies.inc */

const study &faults_study()
{
    static const study s = {
        "faults",
        "page faults on first touch in every workload",
        "mmu-hpca14",
        {{"demo", "the workloads' smallest sizes"}},
        "",
        programs(),
        {{"all", {}},
         {"half", {"address_space.map=half"}},
         {"first_touch", {"address_space.map=first_touch"}}},
        {{"cycles", every_one(), {"all", "half", "first_touch"}, slower}},
        "Every law holds in every run, or the study ends with the law that does not.",
    };
    return s;
}

} // namespace walkway

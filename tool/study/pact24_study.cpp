/* SPDX-License-Identifier: MIT */
/* study/pact24_study.cpp - the study of PACT'24 "Rethinking Page Table Structure for Fast Address Translation
 * in GPUs: A Fixed-Size Hashed Page Table": programs, configurations, figures. PAPER[P24 section 5].
 * docs/reproduction-pact24.md. */
#include "study/pact24_figures.hpp"

namespace walkway
{

namespace
{

/* What the paper compares; and under what else. Keys are "design" and "design/surroundings". */
const std::vector<study_configuration> &designs()
{
    static const std::vector<study_configuration> all = {
        {"rpt", {}},
        {"hpt", {"address_space.table=hashed"}},
        {"ideal", {"walk_unit.pwc_l2=4096"}}, /* all of 8 GB */
    };
    return all;
}

const std::vector<study_configuration> &surroundings()
{
    static const std::vector<study_configuration> all = {
        {"", {}},
        {"/64k", {"address_space.page=64k"}},
        {"/nha", {"walk_unit.coalesce=full"}},
    };
    return all;
}

/* Section 5.3: memory for two thirds of the pages, the last ones in the order of the buffers at the start;
 * section 5.1: demand paging costs nothing. */
const std::vector<std::string> &oversubscribed()
{
    static const std::vector<std::string> changes = {
        "address_space.map=all_paged", "driver.oversubscription=150", "pager.latency=constant",
        "pager.mean_cycles=0",         "copy_engine.lines=0",         "driver.flush=false"};
    return changes;
}

std::vector<study_configuration> configurations()
{
    std::vector<study_configuration> list;
    for (const study_configuration &s : surroundings())
        for (const study_configuration &d : designs()) {
            list.push_back({d.key + s.key, d.changes});
            list.back().changes.insert(list.back().changes.end(), s.changes.begin(), s.changes.end());
        }
    for (const pact24::table_size &size : pact24::table_sizes())
        list.push_back({size.key,
                        {"address_space.table=hashed_stepless",
                         std::string("address_space.slots_percent=") + size.slots_percent}});
    list.push_back({"rpt/150", oversubscribed()});
    for (const pact24::threshold &m : pact24::thresholds()) {
        list.push_back({m.key, oversubscribed()});
        list.back().changes.insert(
            list.back().changes.end(),
            {"address_space.table=hashed", std::string("driver.m_percent=") + m.m_percent});
    }
    list.push_back({"rpt/levels-5", {"address_space.levels=5"}});
    return list;
}

std::vector<std::string> stepless_keys()
{
    std::vector<std::string> keys = {"rpt"};
    for (const pact24::table_size &size : pact24::table_sizes())
        keys.emplace_back(size.key);
    return keys;
}

std::vector<std::string> oversubscribed_keys()
{
    std::vector<std::string> keys = {"rpt", "hpt", "rpt/150"};
    for (const pact24::threshold &m : pact24::thresholds())
        keys.emplace_back(m.key);
    return keys;
}

std::vector<std::string> graph(uint32_t vertices)
{
    /* as many arcs for each as LDBC-1000k has, docs/workloads.md */
    return {"--graph", "power:n=" + std::to_string(vertices) +
                           ",arcs=" + std::to_string(uint64_t{vertices} * 2882 / 100) + ",uniform=80"};
}

/* A window of the full size, in these launches; empty: in all. */
scope_texts window(const char *kernels)
{
    return {kernels, "", "", "50000translations", "300000translations"};
}

/* The same program at its full size and as a window of it. */
study_program sized(const char *code, const char *workload, const char *group,
                    std::map<std::string, std::vector<std::string>> arguments, const char *kernels = "")
{
    arguments["windows"] = arguments.at("full");
    return {code, workload, group, std::move(arguments), {}, {{"windows", window(kernels)}}};
}

study_program of_a_graph(const char *code, const char *workload, const char *group, const char *widest)
{
    return sized(code, workload, group,
                 {{"full", {"--preset", "pact24"}}, {"quarter", graph(250000)}, {"demo", graph(20000)}},
                 widest);
}

/* It ends before any window. */
study_program kc()
{
    study_program p = of_a_graph("KC", "graphbig_kc", "R", "");
    p.windows.clear();
    return p;
}

/* full: sizes within the paper's 214 to 1024 MB; each program's is not published. */
std::vector<study_program> programs()
{
    const std::vector<std::string> pact24 = {"--preset", "pact24"};
    return {
        of_a_graph("BC", "graphbig_bc", "I", "5"),
        of_a_graph("BFS", "graphbig_bfs", "I", "9"),
        of_a_graph("SP", "graphbig_sp", "I", "9"),
        sized("ATX", "atax", "I",
              {{"full", pact24}, {"quarter", {"4096"}}, {"demo", {"--type", "double", "4096", "512"}}}),
        sized("GEV", "gesummv", "I",
              {{"full", pact24}, {"quarter", {"4096"}}, {"demo", {"--type", "double", "1024"}}}),
        sized("MVT", "mvt", "I",
              {{"full", pact24},
               {"quarter", {"--type", "float", "4096"}},
               {"demo", {"--type", "double", "1024"}}}),
        sized("NW", "nw", "I", {{"full", pact24}, {"quarter", {"4096"}}, {"demo", {"1024"}}}, "480-511"),
        of_a_graph("CC", "graphbig_cc", "R", "1"),
        kc(),
        sized("HOT", "hotspot", "R",
              {{"full", pact24},
               {"quarter", {"4096", "--iterations", "8"}},
               {"demo", {"256", "--iterations", "4"}}}),
        sized("PF", "pathfinder", "R",
              {{"full", pact24}, {"quarter", {"250000", "100"}}, {"demo", {"62500", "40"}}}),
        sized("2DC", "2dconv", "R", {{"full", pact24}, {"quarter", {"4096"}}, {"demo", {"1024"}}}),
        sized("BIC", "bicg", "U",
              {{"full", pact24}, {"quarter", {"4096"}}, {"demo", {"--type", "double", "512", "4096"}}}),
        /* Of order N^3: the matrix of the paper's size, and the first of the work. */
        sized("SYK", "syrk", "U",
              {{"full", {"8192", "2"}},
               {"quarter", {"4096", "2"}},
               {"demo", {"--type", "double", "512", "4"}}}),
        sized("COR", "corr", "U",
              {{"full", {"8192", "2"}},
               {"quarter", {"4096", "2"}},
               {"demo", {"--type", "double", "512", "2"}}}),
        sized("LU", "lu", "U",
              {{"full", {"8192", "--steps", "1"}},
               {"quarter", {"4096", "--steps", "1"}},
               {"demo", {"--type", "double", "512", "--steps", "2"}}}),
    };
}

} // namespace

const study &pact24_study(); /* declared for all by studies.inc */

const study &pact24_study()
{
    using namespace pact24;
    static const std::vector<std::string> all = {"I", "R", "U"};
    static const study s = {
        "pact24",
        "PACT'24, Rethinking Page Table Structure for Fast Address Translation in GPUs: A Fixed-Size Hashed "
        "Page Table",
        "dgpu-pact24",
        {{"demo",
          "some minutes, to see that everything works: a sixteenth of each dimension or less, and walk and "
          "step caches of a sixteenth, 2 entries",
          {"walk_unit.pwc_l2=2", "walk_unit.step_cache=2"}},
         {"quarter",
          "half of each dimension, a quarter of each graph, and walk and step caches of a quarter, 8 entries",
          {"walk_unit.pwc_l2=8", "walk_unit.step_cache=8"}},
         {"windows",
          "as full, and of each program a window of 300,000 translations after the first 50,000, of graphs "
          "and NW in their widest launches, KC whole; captures take hours, the runs minutes; PARTIAL"},
         {"full", "within the paper's 214 to 1024 MB, the machine as it is; many hours"}},
        "full",
        programs(),
        configurations(),
        {{"4", all, {"rpt"}, figure_4},
         {"5", all, {"rpt", "ideal"}, figure_5},
         {"6", all, {"rpt/150"}, figure_6},
         {"7", all, {"rpt/150"}, figure_7},
         {"13", all, {"rpt", "hpt", "ideal"}, figure_13},
         {"14", all, {"rpt", "hpt", "ideal"}, figure_14},
         {"15", all, {"rpt", "hpt", "ideal"}, figure_15},
         {"16", all, oversubscribed_keys(), figure_16},
         {"17", all, stepless_keys(), figure_17},
         {"18", all, {"rpt", "rpt/64k", "hpt/64k", "ideal/64k"}, figure_18},
         {"19", all, {"rpt", "hpt", "rpt/nha", "hpt/nha", "ideal/nha"}, figure_19},
         {"levels", all, {"rpt", "hpt", "rpt/levels-5"}, five_levels}},
        "SYK, COR and LU are the first part of their work, which is of order N^3: captures of all of it take "
        "days at such sizes.",
    };
    return s;
}

} // namespace walkway

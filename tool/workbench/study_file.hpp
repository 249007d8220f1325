/* SPDX-License-Identifier: MIT */
/* workbench/study_file.hpp - study.cfg: which programs run on which machines, which parameters take which
 * values, and what is recorded. The syntax is that of machine files (support/ini_file.hpp);
 * docs/use/workbench.md has the keys. A study of a paper is one with figures. */
#ifndef WALKWAY_WORKBENCH_STUDY_FILE_HPP
#define WALKWAY_WORKBENCH_STUDY_FILE_HPP

#include "run/scope.hpp"
#include "support/ini_file.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace walkway
{

/* A trace, a generator, or a program that is captured first. */
struct study_workload {
    std::string name;
    std::string trace;                /* file or gen:...; empty: a program */
    std::vector<std::string> program; /* and its arguments */
    std::string origin;
    /* Indices of the workloads whose programs run at the same time, each in an address space of its own;
     * empty: only this one's. Otherwise this one has neither trace nor program. */
    std::vector<size_t> together = {};
    scope_texts window = {};  /* which part runs and counts; empty: all */
    std::string text() const; /* as in the study */
};

struct study_machine {
    std::string name, specification, origin;
    std::vector<std::string> changes = {}; /* section.key=value, in addition to those of the specification */
    std::string events = {};               /* actions of an operating system, as for --events */
};

/* The sources of a figure's numbers; a Python file beside the study computes them. */
struct study_figure {
    std::string id, origin;
    std::vector<size_t> shown, needed; /* workloads with a value in it; without one */
    std::vector<size_t> machines;
    bool on_demand; /* only on request */
};

/* One parameter, or several that move together: each point of the axis has a value of each. */
struct study_axis {
    std::vector<std::string> parameters;          /* section.key */
    std::vector<std::vector<std::string>> values; /* by point, then parameter */
    std::string origin;
    std::string name() const; /* "l2_tlb.entries,l2_tlb.ways" */
};

/* Points that do not satisfy it are left out (workbench/constraint.hpp). */
struct study_constraint {
    std::string name, expression, origin;
};

struct study_file {
    std::string path, name; /* its file without folder and .cfg */
    std::string text;       /* the question */
    std::vector<study_workload> workloads;
    std::vector<study_machine> platforms;
    std::vector<study_axis> axes;
    std::vector<study_constraint> constraints;
    unsigned repeats = 0;            /* perturbed runs of each point, besides the unperturbed one */
    std::vector<std::string> record; /* patterns of statistics; empty: all */
    std::set<std::string> by;        /* of program_parts: those whose costs each run keeps, too */
    std::string by_origin;           /* the line that says so */
    sample_options sample;           /* requested: runs are by windows */
    std::string contents;            /* of the file, or of the text at its scale, for the results */

    /* Of a study with scales: */
    std::vector<setting> scales; /* names, and their purposes; the first is the default */
    std::string scale;
    std::vector<std::string> settings; /* section.key=value at this scale, of machines without another */
    /* Of a study with figures: */
    std::string platform;     /* the machine under study */
    std::string judged_scale; /* scales of the paper's values, separated by spaces */
    std::string notes;
    std::map<std::string, std::vector<std::string>> groups; /* of workloads' names */
    std::vector<study_figure> figures, chosen;              /* all; those of choose() */
    std::vector<std::vector<bool>> wanted;                  /* by workload, machine; empty: all */
    size_t left_out = 0;                                    /* workloads left out by choose() */

    bool wants_workload(size_t workload) const; /* on any machine */
    bool wants(size_t workload, size_t machine) const { return wanted.empty() || wanted[workload][machine]; }
    bool wants_machine(size_t machine) const;    /* with any workload */
    std::vector<size_t> machines_wanted() const; /* all of them, in order */
    /* True if the workload is needed by itself, or beside others. */
    bool wants_trace(size_t workload) const;
};

constexpr uint64_t most_points = 1000000; /* of one study */

/* Choices of a command line; empty: the file's own. */
struct study_choice {
    std::string scale = {}, platform = {};
    std::vector<std::string> changes = {}; /* further settings that change its runs: "--set dram.cl=40" */
    sample_options sample = {};            /* replaces the file's, if wanted */
};
/* Throws failure(exit_usage) with file and line. */
study_file read_study_file(const std::string &path, const study_choice &choice = {});
/* Parses the text of a study, as kept in a file of results; `path` is for messages. */
study_file study_of_text(const std::string &contents, const std::string &path);

/* Restricts a study to these figures and workloads, by comma-separated names (empty: all not on demand; all),
 * and the runs that they need. Throws failure(exit_usage) that names the nearest. */
void choose(study_file &study, const std::string &figures, const std::string &workloads, bool on_demand);

/* Returns workloads x platforms x axes x repeats, before constraints. Throws failure(exit_usage) if it is 0
 * or more than most_points. */
uint64_t size_of(const study_file &study);

/* Returns the values of one entry of an axis: "4", "off", "4..64*2", "4..16+4", "4..8". Throws
 * failure(exit_usage). */
std::vector<std::string> values_of_range(const std::string &text, const std::string &origin);

} // namespace walkway

#endif

/* SPDX-License-Identifier: MIT */
/* workbench/study_file.hpp - study.cfg: what is run on which machines, which parameters take which values,
 * and what is kept of it. The syntax is that of machine files (support/ini_file.hpp); docs/workbench.md has
 * the keys. */
#ifndef WALKWAY_WORKBENCH_STUDY_FILE_HPP
#define WALKWAY_WORKBENCH_STUDY_FILE_HPP

#include "run/sample.hpp"
#include "support/ini_file.hpp"

#include <cstdint>
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
    std::string text() const; /* as the study has it */
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
    std::vector<setting> platforms; /* value: the specification */
    std::vector<study_axis> axes;
    std::vector<study_constraint> constraints;
    unsigned repeats = 0;            /* perturbed runs of each point beside the unperturbed one */
    std::vector<std::string> record; /* patterns of statistics; empty: all */
    sample_options sample;           /* runs are by windows where it is wanted */
    std::string contents;            /* of the file, for the results */
};

constexpr uint64_t most_points = 1000000; /* of one study */

/* Throws failure(exit_usage) with file and line. */
study_file read_study_file(const std::string &path);
/* The same of its text, as a file of results keeps it; `path` is for messages. */
study_file study_of_text(const std::string &contents, const std::string &path);

/* Workloads x platforms x axes x repeats, before constraints. Throws failure(exit_usage) where it is nought
 * or more than most_points. */
uint64_t size_of(const study_file &study);

/* "4", "4..64*2", "4..16+4", "4..8": the values of one entry of an axis. Throws failure(exit_usage). */
std::vector<std::string> values_of_range(const std::string &text, const std::string &origin);

} // namespace walkway

#endif

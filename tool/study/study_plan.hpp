/* SPDX-License-Identifier: MIT */
/* study/study_plan.hpp - the runs of a study: which there are, making those that are missing, and figures of
 * what is there. Traces and results are kept in a folder and used again while model, configuration and trace
 * are the same. */
#ifndef WALKWAY_STUDY_STUDY_PLAN_HPP
#define WALKWAY_STUDY_STUDY_PLAN_HPP

#include "run/jobs.hpp"
#include "run/machine.hpp"
#include "study/perturbation.hpp"
#include "study/study.hpp"
#include "support/errors.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* What the command line asks for. */
struct study_order {
    const study_scale *scale;
    std::vector<const figure_def *> figures;
    std::string platform;
    machine_changes changes;                       /* --set */
    std::vector<std::vector<nudge>> perturbations; /* the first is none */
    std::string folder;
    unsigned parallel;
    bool quiet;
    scope_texts window = {}; /* of every program, instead of the scale's */
};

/* --set changes the machine under study, a configuration's own changes stay what they are; the scale's count
 * where neither names the parameter. */
machine_changes changes_of(const study_order &o, const study_configuration &c);
/* "walk_unit.pwc_l2=2, by --scale demo": what is changed on all machines, for the report's head. */
std::vector<std::string> changes_of(const study_order &o);

/* What of the program runs and counts: the window of its scale with what the order says instead; empty: all.
 */
scope_texts window_of(const study_order &o, const study_program &p);

struct planned_run {
    const study_program *program;
    const study_configuration *configuration;
    size_t perturbation; /* 0: the machine as it is */
    platform_spec spec;
    std::string trace, checksum;     /* of the trace */
    std::vector<std::string> beside; /* traces of programs that run at the same time */
    std::string folder;
    run_scope scope = {};
};

/* What --ranges changes: of every machine that a figure needs, alike. Throws as nudges_for(). */
void perturb(const study &s, unsigned ranges, study_order *o);

/* Refuses what cannot be a machine, or a window, before hours of captures. */
void check_machines(const study &s, const study_order &o);

/* The trace of a program: `path` is empty where no figure needs it. Its name tells program, size and the
 * executable's content. */
struct study_capture {
    std::string name;                 /* "atax-4096" */
    std::string path;                 /* in the folder of the order */
    std::vector<std::string> command; /* that makes it */
    bool there;                       /* whole, not what an interrupted capture left */
};
/* By program. Where a program is not built: throws failure(exit_input), or, `forgiving`, an empty path. */
std::vector<study_capture> captures_of(const study &s, const study_order &o, bool forgiving);

/* One trace for each program; an empty name for those that no figure needs, or that would have to be captured
 * where that is not wanted. */
std::vector<std::string> capture_all(const study &s, const study_order &o, bool missing_ones);

/* One perturbation after the other, so that what is there when it is stopped are whole comparisons. */
std::vector<planned_run> plan(const study &s, const study_order &o, const std::vector<std::string> &traces);

/* Whether its result is there, and whole. */
bool is_kept(const planned_run &run);
/* Those of the plan that are not there yet, each once: configurations of two names may be one machine. */
std::vector<planned_run *> missing_of(std::vector<planned_run> &runs);
job job_of(planned_run &run);

/* "20 runs, 4 of them kept from before" on stderr. */
void say_missing(const std::vector<planned_run> &runs, size_t missing, const study_order &o);

/* Runs what is missing. The first exit code that is not exit_ok. Throws failure(exit_interrupted). */
exit_code run_missing(std::vector<planned_run> &runs, const study_order &o);

/* Every figure once under each perturbation; counts runs without result. */
std::vector<figure_samples> samples_of(const study &s, const study_order &o,
                                       const std::vector<planned_run> &runs, size_t *missing);

/* Which folder has which run. */
json runs_json(const std::vector<planned_run> &runs);

} // namespace walkway

#endif

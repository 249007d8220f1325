/* SPDX-License-Identifier: MIT */
/* workbench/speedups.hpp - the points of a file of results over a baseline: speed-ups by program with their
 * geometric mean and ranges, and where the time of a translation goes. What has no result is named, and
 * stands in no mean. */
#ifndef WALKWAY_WORKBENCH_SPEEDUPS_HPP
#define WALKWAY_WORKBENCH_SPEEDUPS_HPP

#include "report/spread.hpp"
#include "report/table.hpp"
#include "workbench/results_file.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace walkway
{

/* One program at one point. */
struct speedup_cell {
    std::map<int64_t, double> seconds;       /* by repetition, of the runs that are done */
    std::map<int64_t, double> ratios;        /* the baseline's over these, of the same repetition each */
    std::string status = "not in the study"; /* or done, missing, failed: REASON */
    int64_t run = 0;                         /* the one that is not perturbed; 0: none */
    double cost = 0;                         /* of it; not a number without one, or without a formula */
    spread speedup() const;
};

/* A machine with a value of each axis. */
struct speedup_point {
    std::string machine;
    std::vector<std::string> at; /* of each axis; empty where its study does not have it */
    std::string label;           /* "apu-micro18:walk_unit.walkers=4", as -p takes it */
    bool shown;
    std::optional<size_t> base;   /* what it is compared with: a point */
    std::vector<speedup_cell> of; /* by program */
    spread mean;                  /* geometric, over the programs in the mean */
    double cost;                  /* mean over the programs in the mean */
};

struct speedups {
    std::string baseline;
    std::vector<std::string> axes; /* parameters */
    std::vector<std::string> programs;
    std::vector<bool> in_mean; /* has a speed-up at every point that is shown */
    std::vector<speedup_point> points;
    std::vector<std::string> notes; /* "PARTIAL: ...": what is missing, and what the mean is of */
    std::string cost;               /* the formula */
    /* Over its baseline's: of the means; of one program. */
    double cost_ratio(const speedup_point &p) const;
    double cost_ratio(const speedup_point &p, size_t program) const;
};

/* `baseline` is a machine, each point compared with that one's of the same values, and with settings of axes
 * behind it, with the one that has those values. `where`: NAME=VALUE of what is shown: workload, machine, or
 * an axis. `cost`: a formula (workbench/formula.hpp), or none. Throws failure(exit_usage) with the nearest
 * name. */
speedups speedups_of(results_file &results, const std::string &baseline,
                     const std::vector<std::string> &where, const std::string &cost);

/* A row for each program and point, and for each mean. */
table table_of(const speedups &all);
/* A row for each program, point and cause: cycles per translation. */
table accounts_of(results_file &results, const speedups &all);

/* For people: a row for each point, a column for each program. */
void print_speedups(std::ostream &out, const speedups &all);
/* A row for each program and point, a column for each cause. */
void print_accounts(std::ostream &out, results_file &results, const speedups &all);

} // namespace walkway

#endif

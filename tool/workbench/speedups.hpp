/* SPDX-License-Identifier: MIT */
/* workbench/speedups.hpp - the points of a file of results over a baseline: speed-ups by program with their
 * geometric mean and ranges, and where the time of a translation goes. Points without a result are named, and
 * are in no mean. */
#ifndef WALKWAY_WORKBENCH_SPEEDUPS_HPP
#define WALKWAY_WORKBENCH_SPEEDUPS_HPP

#include "report/sampled.hpp"
#include "report/spread.hpp"
#include "report/table.hpp"
#include "workbench/results_file.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace walkway
{

/* One program at one point. */
struct speedup_cell {
    std::map<int64_t, double> seconds;       /* by repetition, of completed runs */
    std::map<int64_t, double> ratios;        /* the baseline's time over these, each of the same repetition */
    std::string status = "not in the study"; /* or done, missing, failed: REASON */
    int64_t run = 0;                         /* the unperturbed one; 0: none */
    sample_error error = {};                 /* of that run; of none if it is exact */
    double half_width = 0;                   /* of its speed-up, as a share of it; 0: exact */
    double cost = std::nan("");              /* of that run; NaN without one, or without a formula */
    spread speedup() const;
};

/* A machine with a value of each axis. */
struct speedup_point {
    std::string machine;
    std::vector<std::string> at; /* of each axis; empty if its study does not have it */
    std::string label;           /* "apu-micro18:walk_unit.walkers=4", as -p takes it */
    bool shown = true;
    std::optional<size_t> base = {};   /* the point it is compared with */
    std::vector<speedup_cell> of = {}; /* by program */
    spread mean = {};                  /* geometric, over the programs in the mean */
    double half_width = 0; /* of the mean, whose programs err independently, as a share; 0: exact */
    double cost = 0;       /* mean over the programs in the mean */
};

struct speedups {
    std::string baseline;
    std::vector<std::string> axes; /* parameters */
    std::vector<std::string> programs;
    std::vector<bool> in_mean; /* it has a speed-up at every shown point */
    std::vector<speedup_point> points;
    std::vector<std::string> notes; /* "PARTIAL: ...": what is missing, and the programs in the mean */
    std::string cost;               /* the formula */
    /* Return the cost less its baseline's, and over it: of the means; of one program. NaN without a baseline.
     */
    double cost_more(const speedup_point &p) const;
    double cost_ratio(const speedup_point &p) const;
    double cost_ratio(const speedup_point &p, size_t program) const;
};

/* baseline: a machine, with each point compared with that machine's point of the same values; or a machine
 * with settings of axes after it, compared with the point of those values. `where`: NAME=VALUE of the shown
 * points: workload, machine, or an axis. `cost`: a formula as in read_rows(), or empty. Throws
 * failure(exit_usage) with the nearest name. */
speedups speedups_of(results_file &results, const std::string &baseline,
                     const std::vector<std::string> &where, const std::string &cost);

/* Returns a row for each program and point, and for each mean. */
table table_of(const speedups &all);
/* Returns a row for each program, point and cause: cycles per translation. */
table accounts_of(results_file &results, const speedups &all);

/* Prints, for people, a row for each point, a column for each program. */
void print_speedups(std::ostream &out, const speedups &all);
/* Prints a row for each program and point, a column for each cause. */
void print_accounts(std::ostream &out, results_file &results, const speedups &all);

} // namespace walkway

#endif

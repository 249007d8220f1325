/* SPDX-License-Identifier: MIT */
/* cli/study.hpp - what reproducing a paper needs: programs with their sizes, configurations, and the figures
 * made of their results. A paper is one study; `walkway reproduce` runs any. */
#ifndef WALKWAY_CLI_STUDY_HPP
#define WALKWAY_CLI_STUDY_HPP

#include "cli/statistics.hpp"

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace walkway
{

struct study_scale {
    std::string name; /* "demo", "quarter", "full" */
    std::string text;
};

struct study_program {
    std::string code;                                          /* as the paper abbreviates it: "ATX" */
    std::string workload;                                      /* as we name it: "atax" */
    std::string group;                                         /* of programs that share figures */
    std::map<std::string, std::vector<std::string>> arguments; /* by scale */
};

struct study_configuration {
    std::string key;                  /* "walkers-4-full" */
    std::vector<std::string> changes; /* section.key=value, to the study's platform */
};

/* Results by program's code, then configuration's key. Missing ones are not there. */
using study_results = std::map<std::string, std::map<std::string, json>>;

struct figure_bar {
    std::string name;
    std::vector<double> values; /* one a program; not a number where a result is missing */
};

/* A value stated in the paper's text, beside ours. */
struct figure_claim {
    std::string text;
    std::string paper; /* as stated; empty when only the band is known */
    double ours;
    double low, high; /* acceptance band; low > high: none */
    bool has_band() const { return low <= high; }
    bool in_band() const { return ours >= low && ours <= high; }
};

struct figure {
    std::string id; /* "9", "III" */
    std::string title;
    int decimals;
    bool ratio; /* of ratios the geometric mean has a meaning too */
    std::vector<figure_bar> bars;
    std::vector<figure_claim> claims;
    std::vector<std::string> programs = {}; /* codes: whose values the bars have; by make_figure() */
};

struct figure_def {
    std::string id;
    std::string group;                       /* its programs */
    std::vector<std::string> configurations; /* keys */
    figure (*make)(const study_results &, const std::vector<study_program> &);
};

struct study {
    std::string name;     /* "micro18" */
    std::string paper;    /* how it is cited */
    std::string platform; /* the machine */
    std::vector<study_scale> scales;
    std::string band_scale; /* the scale that the acceptance bands speak of */
    std::vector<study_program> programs;
    std::vector<study_configuration> configurations;
    std::vector<figure_def> figures;
};

const study &micro18_study();

/* The figure from the results of its programs. */
figure make_figure(const study &s, const figure_def &f, const study_results &results);

double arithmetic_mean(const std::vector<double> &values);
double geometric_mean(const std::vector<double> &values);

struct report_head {
    std::string scale;
    std::vector<std::string> changes; /* --set */
    size_t runs, missing;
};
void print_report(std::ostream &out, const study &s, const report_head &head,
                  const std::vector<figure> &figures, bool markdown);
json report_json(const study &s, const report_head &head, const std::vector<figure> &figures);

} // namespace walkway

#endif

/* SPDX-License-Identifier: MIT */
/* study/study.hpp - what reproducing a paper needs: programs with their sizes, configurations, and the
 * figures made of their results. A paper is one study; `walkway reproduce` runs any. Each
 * study/NAME_study.cpp defines NAME_study(), and no list is edited for it. */
#ifndef WALKWAY_STUDY_STUDY_HPP
#define WALKWAY_STUDY_STUDY_HPP

#include "report/spread.hpp"
#include "report/table.hpp"
#include "run/scope.hpp"
#include "run/statistics.hpp"

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace walkway
{

struct study_scale {
    std::string name; /* "demo", "quarter", "full" */
    std::string text;
    std::vector<std::string> changes = {}; /* section.key=value, of the machines: smaller with the programs */
};

struct study_program {
    std::string code;                                          /* as the paper abbreviates it: "ATX" */
    std::string workload;                                      /* as we name it: "atax" */
    std::string group;                                         /* of programs that share figures */
    std::map<std::string, std::vector<std::string>> arguments; /* by scale */
    std::vector<std::string> beside = {};                      /* codes of others that run at the same time */
    std::map<std::string, scope_texts> windows = {};           /* by scale, where runs are not whole */
};

struct study_configuration {
    std::string key;                  /* "walkers-4-full" */
    std::vector<std::string> changes; /* section.key=value, to its platform */
    std::string platform = {};        /* empty: the study's */
    std::string events = {};          /* what an operating system does meanwhile, as --events has it */
};

/* Does some configuration name a machine of its own? Then -p has no one machine to replace. */
struct study;
bool names_machines(const study &s);

/* Results by program's code, then configuration's key. Missing ones are not there. */
using study_results = std::map<std::string, std::map<std::string, json>>;

struct figure_bar {
    std::string name;
    std::vector<double> values; /* one a program; not a number where a result is missing */
    bool ratio = false;         /* of ratios the geometric mean has a meaning too */
    bool speedup = false;       /* of speed-ups that of the gains in percent too: some papers print it */
};

/* What the paper's text states, as an interval, and when ours counts as the same. */
struct stated {
    std::string text; /* as stated: "around 1.7" */
    double low, high;
    double tolerance;  /* ours may lie that share outside; 0 for "over", "under" */
    bool soft = false; /* hangs on what the paper does not give: outside, it is not counted as missed */
    static stated about(const std::string &text, double value, double tolerance = 0.1);
    static stated between(const std::string &text, double low, double high, double tolerance = 0.1);
    static stated over(const std::string &text, double value);
    static stated under(const std::string &text, double value);
    stated softly() const;
    std::string rule() const; /* "within 10 %", "over 1.00" */
};

/* A value stated in the paper's text, beside ours. */
struct figure_claim {
    std::string text;
    stated paper;
    double ours;
};

/* A band that a model of our own once gave, before this one: it guards against defects and is no evidence. */
struct figure_guard {
    std::string text;
    double ours;
    double low, high;
};

struct figure {
    std::string id; /* "9", "III", "table-2" */
    std::string title;
    int decimals;
    std::vector<figure_bar> bars;
    std::vector<figure_bar> beside; /* what explains them: hit rates, where the time went */
    std::vector<figure_claim> claims;
    std::vector<figure_guard> guards = {};
    std::vector<std::string> programs = {}; /* codes: whose values the bars have; by make_figure() */
    bool bars_are_rows = false;             /* where there are many */
    std::string beside_title = {};
    bool gains = false; /* with the mean of the gains, of the bars that are speed-ups */
};

struct figure_def {
    std::string id;
    std::vector<std::string> groups;         /* its programs */
    std::vector<std::string> configurations; /* keys */
    figure (*make)(const study_results &, const std::vector<study_program> &);
    bool on_demand = false; /* only where --figures names it, or with --sensitivity */
    std::vector<std::string> also =
        {}; /* groups of programs whose results it needs without a column of theirs */
    bool shows(const study_program &p) const;
    bool needs(const study_program &p) const;
};

struct study {
    std::string name;     /* "micro18" */
    std::string paper;    /* how it is cited */
    std::string platform; /* the machine */
    std::vector<study_scale> scales;
    std::string band_scale; /* the scale that the paper's values and the guards speak of; "": no paper's */
    std::vector<study_program> programs;
    std::vector<study_configuration> configurations;
    std::vector<figure_def> figures;
    std::string notes = {}; /* for --help: what one has to know of sizes and figures */
};

const std::vector<const study *> &studies();
/* Throws failure(exit_usage) that names the nearest. */
const study &find_study(const std::string &name);

/* The figure from the results of its programs. */
figure make_figure(const study &s, const figure_def &f, const study_results &results);

double arithmetic_mean(const std::vector<double> &values);
double geometric_mean(const std::vector<double> &values);
/* Of speed-ups the geometric mean of their gains in percent, as [M21] averages. A gain under a tenth of a
 * percent, a loss too, counts as a tenth: the mean has no meaning without. */
double gain_mean(const std::vector<double> &speedups);

/* The same figure once under each perturbation, the unperturbed one first: each of its numbers is a spread.
 * Means are of one perturbation's runs, their spread is that of the means. */
using figure_samples = std::vector<figure>;

/* A verdict on what the paper states: "matched" where it lies in the range of our runs, or our median
 * satisfies the rule; else "missed", or "soft"; empty where there is no value. */
std::string verdict_of(const stated &paper, const spread &ours);

struct report_head {
    std::string scale;
    std::vector<std::string> changes; /* --set */
    size_t runs, missing;
    std::vector<std::string> perturbations = {};     /* what each of them changes; empty: single runs */
    size_t programs_left_out = 0;                    /* --programs: means are not of all */
    std::map<std::string, std::string> windows = {}; /* by code: what of it runs and counts, where not all */
    std::string platform = {};                       /* of --platform; empty: the study's */
};
inline const std::string &platform_of(const study &s, const report_head &head)
{
    return head.platform.empty() ? s.platform : head.platform;
}
/* Are its numbers held against the paper's? Of whole runs of the scale that the paper's bands are of. */
inline bool is_judged(const study &s, const report_head &head)
{
    return head.scale == s.band_scale && head.windows.empty();
}
void print_report(std::ostream &out, const study &s, const report_head &head,
                  const std::vector<figure_samples> &figures, bool markdown);
json report_json(const study &s, const report_head &head, const std::vector<figure_samples> &figures);
/* The report's numbers, one per row; of perturbed runs the median, "low" and "high". */
table report_table(const json &report);
/* A picture, SVG: each figure's means as bars and its programs as marks, PARTIAL where runs are missing. */
std::string report_picture(const json &report);

} // namespace walkway

#endif

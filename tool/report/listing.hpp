/* SPDX-License-Identifier: MIT */
/* report/listing.hpp - parameters as a table, as JSON and as a complete machine file; statistics before any
 * run. */
#ifndef WALKWAY_REPORT_LISTING_HPP
#define WALKWAY_REPORT_LISTING_HPP

#include "report/table.hpp"
#include "run/config.hpp"
#include "run/parameters.hpp"
#include "run/statistics.hpp"

#include <functional>
#include <iosfwd>

namespace walkway
{

/* A parameter of a machine beside the default. */
struct listed_parameter {
    parameter now, fresh;
    std::string set_by; /* empty when nothing set it */

    bool changed() const { return now.number != fresh.number; }
    /* Where the value comes from: the default's provenance only while it has the default's value. */
    std::string provenance() const;
};

std::vector<listed_parameter> parameters_of(const platform_spec &spec);
/* Two lines or more each: value, unit and range; what it is and where the number comes from. */
void print_parameters(std::ostream &out, const std::vector<listed_parameter> &list);
table parameters_table(const std::vector<listed_parameter> &list);
json parameters_json(const std::vector<listed_parameter> &list);
void print_cfg(std::ostream &out, const platform_spec &spec);

/* "entries = 64  entries  [0 ... 4096]" */
std::string parameter_line(const parameter &p, const std::string &name, const std::string &value);
/* Without where it comes from. */
json parameter_json(const parameter &p);

/* A kind of level that a path may name. */
struct listed_kind {
    std::string name, text;
    std::vector<std::string> needs;    /* of the machine and of the levels around it */
    std::string not_now;               /* why it has no answer without time; "": it has one */
    std::vector<parameter> parameters; /* of a section of that name, with neutral values */
};
std::vector<listed_kind> kinds_of_levels();
table kinds_table(const std::vector<listed_kind> &kinds);
/* A table; with_parameters: and those of each. */
void print_kinds(std::ostream &out, const std::vector<listed_kind> &kinds, bool with_parameters);
json kinds_json(const std::vector<listed_kind> &kinds);

/* Builds the machine on a trace of one load and asks it, without running. A process can have one machine. */
void ask_idle_machine(const platform_spec &spec, const std::function<void(const platform &)> &ask);
/* The signals of the machine. Numbered instances of the same signal are one row: "cu_0..7.waves". */
std::vector<signal_info> signals_of_idle_machine(const platform_spec &spec);
void print_signals(std::ostream &out, const std::vector<signal_info> &signals);
table signals_table(const std::vector<signal_info> &signals);
json signals_json(const std::vector<signal_info> &signals);
/* What is bound to what. Links that differ in numbers only are one row, but one each in JSON. */
std::vector<link_info> links_of_idle_machine(const platform_spec &spec);
table links_table(const std::vector<link_info> &links);
void print_links(std::ostream &out, const std::vector<link_info> &links);
void print_links_dot(std::ostream &out, const std::vector<link_info> &links);
json links_json(const std::vector<link_info> &links);
/* For every kind of state, FOLDER/filters/NAME.txt (GTKWave) and FOLDER/surfer/NAME.txt (a mapping of
 * Surfer): code to name. */
void write_state_filters(const std::string &folder, const std::vector<signal_info> &signals);

json statistics_of_idle_machine(const platform_spec &spec);

} // namespace walkway

#endif

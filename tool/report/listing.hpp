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

/* A parameter of a machine and the default's value. */
struct listed_parameter {
    parameter now, fresh;
    std::string set_by; /* empty if it was not set */

    bool changed() const { return now.number != fresh.number; }
    /* Returns the origin of the value; the default's only while it has the default's value. */
    std::string provenance() const;
};

std::vector<listed_parameter> parameters_of(const platform_spec &spec);
/* Prints two lines or more each: value, unit and range; description and origin. */
void print_parameters(std::ostream &out, const std::vector<listed_parameter> &list);
table parameters_table(const std::vector<listed_parameter> &list);
json parameters_json(const std::vector<listed_parameter> &list);
void print_cfg(std::ostream &out, const platform_spec &spec);

/* Returns "entries = 64  entries  [0 ... 4096]". */
std::string parameter_line(const parameter &p, const std::string &name, const std::string &value);
/* Returns the parameter without its origin. */
json parameter_json(const parameter &p);

/* A kind of level that a path may name. */
struct listed_kind {
    std::string name, text;
    std::vector<std::string> needs;    /* needs of the machine and of the levels around it */
    std::string not_now;               /* why it does not translate without time; "": it does */
    std::vector<parameter> parameters; /* those of a section of that name, with neutral values */
};
std::vector<listed_kind> kinds_of_levels();
table kinds_table(const std::vector<listed_kind> &kinds);
/* Prints a table; with_parameters: and the parameters of each. */
void print_kinds(std::ostream &out, const std::vector<listed_kind> &kinds, bool with_parameters);
json kinds_json(const std::vector<listed_kind> &kinds);

/* Builds the machine on a trace of one load and calls `ask`, without running. A process can have one
 * machine. */
void ask_idle_machine(const platform_spec &spec, const std::function<void(const platform &)> &ask);
/* Returns the signals of the machine. In tables, numbered instances of one signal are one row:
 * "cu_0..7.waves". */
std::vector<signal_info> signals_of_idle_machine(const platform_spec &spec);
void print_signals(std::ostream &out, const std::vector<signal_info> &signals);
table signals_table(const std::vector<signal_info> &signals);
json signals_json(const std::vector<signal_info> &signals);
/* Returns every link. In tables, links that differ only in numbers are one row. */
std::vector<link_info> links_of_idle_machine(const platform_spec &spec);
table links_table(const std::vector<link_info> &links);
void print_links(std::ostream &out, const std::vector<link_info> &links);
void print_links_dot(std::ostream &out, const std::vector<link_info> &links);
json links_json(const std::vector<link_info> &links);
/* Writes, for every kind of state, FOLDER/filters/NAME.txt (GTKWave) and FOLDER/surfer/NAME.txt (a mapping of
 * Surfer): code to name. */
void write_state_filters(const std::string &folder, const std::vector<signal_info> &signals);

json statistics_of_idle_machine(const platform_spec &spec);

} // namespace walkway

#endif

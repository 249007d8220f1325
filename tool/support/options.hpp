/* SPDX-License-Identifier: MIT */
/* support/options.hpp - command lines. A command describes itself once (the question it answers, options,
 * exit codes, example); parsing, --help and the refusal of unknown options all read that description. */
#ifndef WALKWAY_SUPPORT_OPTIONS_HPP
#define WALKWAY_SUPPORT_OPTIONS_HPP

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace walkway
{

struct option_def {
    const char *name;     /* without the dashes */
    char letter;          /* 0: none */
    const char *argument; /* name in the help; null for a switch; "[=N]": only with '=', or omitted */
    const char *text;
    bool repeats = false;        /* may be given several times; else a second one is refused */
    const char *group = nullptr; /* the help's heading above it; options of one group must be adjacent */
};

/* --csv FILE, of every command that prints tables. */
constexpr option_def csv_option = {
    "csv", 0, "FILE", "the table as comma-separated values; -: to standard output, instead of the text"};

class arguments
{
public:
    bool has(const std::string &name) const { return values_.count(name) != 0; }
    /* Of an option that repeats, the last value. */
    std::string value(const std::string &name, const std::string &fallback = "") const;
    std::vector<std::string> values(const std::string &name) const;
    /* Throws failure(exit_usage) if it is not a number within the range. */
    uint64_t number(const std::string &name, uint64_t fallback, uint64_t min, uint64_t max) const;

    std::vector<std::string> words; /* all, as given */
    std::vector<std::string> positional;
    std::vector<std::string> program; /* words after "--" */
    bool has_program = false;         /* "--" was given */

private:
    friend arguments parse_arguments(const struct command_def &, const std::vector<std::string> &);
    std::map<std::string, std::vector<std::string>> values_;
};

struct command_def {
    const char *name;
    const char *synopsis; /* one line per form, without the program's name */
    const char *answers;  /* the question this command answers, one or two sentences */
    const char *details;  /* paragraphs after the options; may be empty */
    std::vector<option_def> options;
    const char *example;
    int (*main)(const arguments &);
    std::string (*listed)() = nullptr; /* more details, from the contents of this build */
};

/* Throws failure(exit_usage) that names the nearest valid option. */
arguments parse_arguments(const command_def &command, const std::vector<std::string> &words);

/* Returns the declared options, and --help. */
std::vector<option_def> options_of(const command_def &command);
/* Returns the options under one heading. */
std::vector<option_def> in_group(const char *group, std::vector<option_def> options);
/* Returns the lists, one after the other. */
std::vector<option_def> joined(const std::vector<std::vector<option_def>> &lists);

void print_help(std::ostream &out, const command_def &command);

/* A non-negative whole number, decimal or 0x..., with an optional Ki, Mi or Gi. */
enum class number_kind { none, too_large /* for 64 bits */, whole };
number_kind read_number(const std::string &text, uint64_t &value);
bool parse_number(const std::string &text, uint64_t &value); /* true if it is whole */
/* Returns " (did you mean '1Ki', which is 1024?)" for "1K", "1 KiB" or "1kb", " (did you mean '64'?)" for "64
 * bytes"; "" if nothing is likely. */
std::string did_you_mean_number(const std::string &text);

/* Returns the parts between the separators; an empty text is one empty part. */
std::vector<std::string> split(const std::string &text, char at);

} // namespace walkway

#endif

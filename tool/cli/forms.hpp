/* SPDX-License-Identifier: MIT */
/* cli/forms.hpp - a command's result as text for people or as a table for programs: --csv and --json of every
 * command that prints a table. */
#ifndef WALKWAY_CLI_FORMS_HPP
#define WALKWAY_CLI_FORMS_HPP

#include "report/table.hpp"
#include "support/options.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace walkway
{

constexpr option_def quiet_option = {"quiet", 'q', nullptr, "no progress line"};
constexpr option_def json_option = {"json", 0, nullptr, "as JSON on standard output, instead of the text"};

struct output_form {
    std::string csv; /* a file; "-": standard output; empty: none */
    bool json;       /* on standard output */
    bool text() const { return csv != "-" && !json; }
    bool wanted() const { return !csv.empty() || json; } /* any form but the text */
};

/* Throws failure(exit_usage) if two forms need standard output. */
output_form form_of(const arguments &args);

/* Writes the table in the requested forms. */
void write_forms(const output_form &form, const table &t);
/* The same, with `all` as JSON instead of the table's rows. */
void write_forms(const output_form &form, const table &t, const nlohmann::ordered_json &all);

} // namespace walkway

#endif

/* SPDX-License-Identifier: MIT */
/* cli/forms.hpp - what a command found, as text for people or as a table for programs: --csv and --json of
 * every command that prints a table. */
#ifndef WALKWAY_CLI_FORMS_HPP
#define WALKWAY_CLI_FORMS_HPP

#include "report/table.hpp"
#include "support/options.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace walkway
{

constexpr option_def json_option = {"json", 0, nullptr, "as JSON on standard output, instead of the text"};

struct output_form {
    std::string csv; /* a file, "-": standard output; empty: none */
    bool json;       /* on standard output */
    bool text() const { return csv != "-" && !json; }
    bool wanted() const { return !csv.empty() || json; } /* anything but the text */
};

/* Throws failure(exit_usage) where two want standard output. */
output_form form_of(const arguments &args);

/* The table in the forms that are wanted. */
void write_forms(const output_form &form, const table &t);
/* As JSON `all` instead of the table's rows. */
void write_forms(const output_form &form, const table &t, const nlohmann::ordered_json &all);

} // namespace walkway

#endif

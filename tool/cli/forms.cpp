/* SPDX-License-Identifier: MIT */
/* cli/forms.cpp - see forms.hpp. */
#include "cli/forms.hpp"

#include "run/simulate.hpp"
#include "support/errors.hpp"

#include <iostream>

namespace walkway
{

output_form form_of(const arguments &args)
{
    const output_form form{args.value("csv"), args.has("json")};
    if (form.json && form.csv == "-")
        throw failure(exit_usage, "--json and --csv -: one of them on standard output");
    return form;
}

void write_forms(const output_form &form, const table &t)
{
    if (form.json)
        t.print_json(std::cout);
    if (!form.csv.empty())
        write_csv(form.csv, t);
}

void write_forms(const output_form &form, const table &t, const nlohmann::ordered_json &all)
{
    if (form.json)
        std::cout << dump(all);
    if (!form.csv.empty())
        write_csv(form.csv, t);
}

} // namespace walkway

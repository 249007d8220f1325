/* SPDX-License-Identifier: MIT */
/* workbench/formula.cpp - see formula.hpp. */
#include "workbench/formula.hpp"

#include "support/errors.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace walkway
{

/* Returns the formula as SQL: names become parameters, whole numbers reals, to avoid integer division. */
static std::string sql_of(const std::string &text, std::vector<std::string> &names)
{
    const auto is = [](int (*kind)(int), char c) { return kind(static_cast<unsigned char>(c)) != 0; };
    std::string sql = "SELECT ";
    for (size_t i = 0, end = 0; i < text.size(); i = end) {
        end = i + 1;
        if (is(std::isalnum, text[i]))
            while (end < text.size() && (is(std::isalnum, text[end]) || text[end] == '_' || text[end] == '.'))
                ++end;
        const std::string word = text.substr(i, end - i);
        if (is(std::isalpha, text[i])) {
            const auto known = std::find(names.begin(), names.end(), word);
            sql += "?" + std::to_string(known - names.begin() + 1);
            if (known == names.end())
                names.push_back(word);
        } else if (is(std::isdigit, text[i])) {
            if (word.find_first_not_of("0123456789.eE") != std::string::npos)
                throw failure(exit_usage,
                              "'" + as_written(text) + "': '" + as_written(word) + "' is no number");
            sql += word + (word.find_first_not_of("0123456789") == std::string::npos ? ".0" : "");
        } else if (std::string(" +-*/()").find(text[i]) != std::string::npos) {
            sql += word;
        } else {
            throw failure(exit_usage,
                          "'" + as_written(text) + "': '" + as_written(word) +
                              "' is not expected there; a formula has names, numbers, + - * / and "
                              "parentheses");
        }
    }
    return sql;
}

formula::formula(database &db, const std::string &text)
{
    const std::string none = "'" + as_written(text) + "': is no formula";
    if (text.find("--") != std::string::npos || text.find("/*") != std::string::npos) /* SQLite's comments */
        throw failure(exit_usage, none);
    const std::string sql = sql_of(text, names_);
    try {
        ask_ = std::make_unique<statement>(db, sql);
    } catch (const failure &) {
        throw failure(exit_usage, none);
    }
    if (ask_->columns() != 1)
        throw failure(exit_usage, none);
}

double formula::of(const std::vector<double> &values) const
{
    if (std::any_of(values.begin(), values.end(), [](double v) { return !std::isfinite(v); }))
        return std::nan("");
    ask_->with_each(values).step();
    return ask_->null(0) ? std::nan("") : ask_->real(0);
}

} // namespace walkway

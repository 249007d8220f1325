/* SPDX-License-Identifier: MIT */
/* workbench/formula.cpp - see formula.hpp. */
#include "workbench/formula.hpp"

#include "support/errors.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace walkway
{

formula::formula(database &db, std::string text) : db_(db), text_(std::move(text))
{
    if (text_.find("--") != std::string::npos ||
        text_.find("/*") != std::string::npos) /* SQLite's comments */
        throw failure(exit_usage, "'" + as_written(text_) + "': is no formula");
    const auto in_name = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    for (size_t i = 0; i < text_.size();) {
        const char c = text_[i];
        size_t end = i + 1;
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            while (end < text_.size() && in_name(text_[end]))
                ++end;
        else if (std::string(" +-*/()").find(c) == std::string::npos)
            throw failure(
                exit_usage,
                "'" + as_written(text_) + "': '" + as_written(std::string(1, c)) +
                    "' is not expected there; a formula has names, numbers, + - * / and parentheses");
        const std::string word = text_.substr(i, end - i);
        i = end;
        if (std::isalpha(static_cast<unsigned char>(c)) == 0) {
            if (word.find_first_not_of("0123456789.eE") != std::string::npos &&
                std::isdigit(static_cast<unsigned char>(c)) != 0)
                throw failure(exit_usage,
                              "'" + as_written(text_) + "': '" + as_written(word) + "' is no number");
            const bool whole = word.find_first_not_of("0123456789") == std::string::npos;
            parts_.push_back({whole ? word + ".0" : word, 0});
            continue;
        }
        const auto known = std::find(names_.begin(), names_.end(), word);
        parts_.push_back({"", static_cast<size_t>(known - names_.begin())});
        if (known == names_.end())
            names_.push_back(word);
    }
    of(std::vector<double>(names_.size(), 1)); /* whether it is one */
}

double formula::of(const std::vector<double> &values) const
{
    if (std::any_of(values.begin(), values.end(), [](double v) { return !std::isfinite(v); }))
        return std::nan("");
    std::string sql = "SELECT ";
    for (const part &p : parts_) {
        char number[40];
        std::snprintf(number, sizeof number, "(%.17e)", p.text.empty() ? values[p.name] : 0);
        sql += p.text.empty() ? number : p.text;
    }
    try {
        statement ask(db_, sql);
        if (!ask.step() || ask.columns() != 1)
            throw failure(exit_usage, "");
        return ask.null(0) ? std::nan("") : ask.real(0);
    } catch (const failure &) {
        throw failure(exit_usage, "'" + as_written(text_) + "': is no formula");
    }
}

} // namespace walkway

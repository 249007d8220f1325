/* SPDX-License-Identifier: MIT */
/* support/value_origin.cpp - see value_origin.hpp. */
#include "support/value_origin.hpp"

#include "support/errors.hpp"
#include "support/ini_file.hpp"
#include "support/nearest.hpp"

#include <algorithm>
#include <vector>

namespace walkway
{

struct kind_words {
    const char *written, *shown;
};
static const kind_words words_of[] = {
    {"paper", "PAPER"}, {"derived", "DERIVED"}, {"assumed", "ASSUMED"}, {"chosen", "CHOSEN"}};

const char *name_of(origin_kind kind)
{
    return words_of[static_cast<unsigned>(kind)].shown;
}

std::string provenance_of(const value_origin &origin)
{
    const std::string kind = name_of(origin.kind);
    if (origin.whose.empty())
        return kind + (origin.text.empty() ? "" : " " + origin.text);
    return kind + " (" + origin.whose + ")" + (origin.text.empty() ? "" : ": " + origin.text);
}

static origin_kind kind_named(const std::string &word, const std::string &place)
{
    std::vector<std::string> valid;
    for (const kind_words &w : words_of) {
        if (word == w.written)
            return static_cast<origin_kind>(&w - words_of);
        valid.emplace_back(w.written);
    }
    throw failure(exit_usage, place + ": '@ " + as_written(word) + "': a value's origin is of no such kind" +
                                  did_you_mean(word, valid) +
                                  "; valid: paper | derived | assumed | chosen, and a text behind it");
}

value_origin parse_origin(const std::string &text, const std::string &place)
{
    const size_t end = std::min(text.find(' '), text.size());
    value_origin origin;
    origin.kind = kind_named(text.substr(0, end), place);
    origin.text = trimmed(text.substr(end));
    const size_t close = origin.text.find(')');
    if (!origin.text.empty() && origin.text.front() == '(' && close != std::string::npos) {
        origin.whose = origin.text.substr(1, close - 1);
        origin.text = trimmed(origin.text.substr(close + 1));
    }
    return origin;
}

std::string text_of_origin(const value_origin &origin)
{
    return std::string(words_of[static_cast<unsigned>(origin.kind)].written) +
           (origin.whose.empty() ? "" : " (" + origin.whose + ")") +
           (origin.text.empty() ? "" : " " + origin.text);
}

} // namespace walkway

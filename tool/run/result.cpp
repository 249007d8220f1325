/* SPDX-License-Identifier: MIT */
/* run/result.cpp - reads a stats.json. */
#include "run/result.hpp"

#include "support/errors.hpp"
#include "support/renames.hpp"

#include <fstream>

namespace walkway
{

/* Replaces older names of members by the present ones; their order stays. */
static void take_names_now(json &named)
{
    json now = json::object();
    for (auto &[name, value] : named.items())
        now[name_now(name)] = std::move(value);
    named = std::move(now);
}

json read_result(const std::string &path)
{
    std::ifstream in(path);
    if (!in)
        return nullptr;
    json result = json::parse(in, nullptr, false);
    const bool whole = !result.is_discarded() && result.is_object() && result.contains("partial") &&
                       result["partial"].is_boolean() && result.contains("headline") &&
                       result["headline"].is_object() && result.contains("statistics") &&
                       result["statistics"].is_object();
    if (!whole)
        throw failure(exit_input, path + ": is no result of walkway");
    for (const char *part : {"statistics", "configuration"})
        if (result.contains(part) && result[part].is_object())
            take_names_now(result[part]);
    return result;
}

} // namespace walkway

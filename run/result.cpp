/* SPDX-License-Identifier: MIT */
/* run/result.cpp - reading a stats.json. */
#include "run/result.hpp"

#include "support/errors.hpp"

#include <fstream>

namespace walkway
{

json read_result(const std::string &path)
{
    std::ifstream in(path);
    if (!in)
        return nullptr;
    json result = json::parse(in, nullptr, false);
    const bool whole = !result.is_discarded() && result.is_object() && result.contains("partial") &&
                       result["partial"].is_boolean() && result.contains("headline") &&
                       result.contains("statistics");
    if (!whole)
        throw failure(exit_input, path + ": is no result of walkway");
    return result;
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* capi/shipped.cpp - see shipped.hpp; CMake generates shipped.inc from the files in platforms/. */
#include "capi/shipped.hpp"

namespace walkway
{

const std::vector<shipped_platform> &shipped_platforms()
{
    static const std::vector<shipped_platform> all = {
#include "shipped.inc"
    };
    return all;
}

std::vector<std::string> shipped_names()
{
    std::vector<std::string> names;
    for (const shipped_platform &p : shipped_platforms())
        names.emplace_back(p.name);
    return names;
}

const shipped_platform *find_shipped(const std::string &name)
{
    for (const shipped_platform &p : shipped_platforms())
        if (name == p.name)
            return &p;
    return nullptr;
}

} // namespace walkway

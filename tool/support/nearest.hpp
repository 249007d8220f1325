/* SPDX-License-Identifier: MIT */
/* support/nearest.hpp - the valid name that a mistyped one most resembles, by edit distance (insert, delete,
 * replace, swap of neighbours). */
#ifndef WALKWAY_SUPPORT_NEAREST_HPP
#define WALKWAY_SUPPORT_NEAREST_HPP

#include <cstddef>
#include <string>
#include <vector>

namespace walkway
{

size_t edit_distance(const std::string &a, const std::string &b);

/* Returns the nearest name; empty if the name itself is valid, or none is near enough (more than half of the
 * letters differ). Ties: the first. */
std::string nearest_name(const std::string &wrong, const std::vector<std::string> &valid);

/* Returns "bfs(int*)" for "_Z3bfsPi": a C++ kernel's name as in its source. */
std::string readable_name(const std::string &name);
/* The same for every word of a message. */
std::string readable_names(const std::string &text);

/* Suggests the choice written in another way: "64KiB" or "64K" for "64k", "Full" for "full"; else the
 * nearest. */
std::string did_you_mean_choice(const std::string &wrong, const std::vector<std::string> &valid);
/* Returns " (did you mean 'x'?)", or " (it is called 'x' now)" for a former name, or an empty string. */
std::string did_you_mean(const std::string &wrong, const std::vector<std::string> &valid);

/* Returns, per name, true if a pattern matches it: a glob if it has one of *?[, else a part of the name.
 * Without patterns all match. Throws failure(exit_usage), with the nearest name, for a pattern without a
 * match; `what` is "list parameters: no parameter". */
std::vector<bool> meant(const std::vector<std::string> &patterns, const std::vector<std::string> &names,
                        const std::string &what);

} // namespace walkway

#endif

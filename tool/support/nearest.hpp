/* SPDX-License-Identifier: MIT */
/* support/nearest.hpp - the valid name a mistyped one most resembles, by edit distance (insert, delete,
 * replace, swap of neighbours). */
#ifndef WALKWAY_SUPPORT_NEAREST_HPP
#define WALKWAY_SUPPORT_NEAREST_HPP

#include <cstddef>
#include <string>
#include <vector>

namespace walkway
{

size_t edit_distance(const std::string &a, const std::string &b);

/* Empty when the name itself is valid, and when nothing is near enough to be what was meant (more than half
 * of the letters differ). Ties: the first. */
std::string nearest_name(const std::string &wrong, const std::vector<std::string> &valid);

/* "bfs(int*)" for "_Z3bfsPi": a kernel's name in C++ as its source has it. */
std::string readable_name(const std::string &name);
/* The same of every word of a message. */
std::string readable_names(const std::string &text);

/* The choice that is written otherwise: "64KiB" or "64K" for "64k", "Full" for "full"; else the nearest. */
std::string did_you_mean_choice(const std::string &wrong, const std::vector<std::string> &valid);
/* " (did you mean 'x'?)", or " (it is called 'x' now)" of a name that was, or empty. */
std::string did_you_mean(const std::string &wrong, const std::vector<std::string> &valid);

/* Of each name whether a pattern means it: a glob where it has one of *?[, else a part of the name. Without
 * patterns all. Throws failure(exit_usage), with the nearest name, for a pattern that means none; `what` is
 * "list parameters: no parameter". */
std::vector<bool> meant(const std::vector<std::string> &patterns, const std::vector<std::string> &names,
                        const std::string &what);

} // namespace walkway

#endif

/* SPDX-License-Identifier: MIT */
/* model/common/needs.hpp - which parameters have an effect, and which a machine has to give, from what their
 * declarations say that they need. */
#ifndef WALKWAY_MODEL_COMMON_NEEDS_HPP
#define WALKWAY_MODEL_COMMON_NEEDS_HPP

#include "model/common/params.hpp"

#include <functional>
#include <set>
#include <string>

namespace walkway
{

/* The parameter that this one needs, and that is 0, off or false, or another choice than the one needed; "":
 * it needs none such. */
std::string unmet_need(const std::function<void(param_visitor &)> &visit, const std::string &parameter);
/* A sentence that names the parameters without a neutral value that have not been given, though what they
 * need is there; empty: all that a machine has to give is given. */
std::string text_of_missing(const std::function<void(param_visitor &)> &visit,
                            const std::set<std::string> &given, const std::string &file);

/* The same for parameters given in C++: those whose value is below their minimum; empty if none is. */
std::string text_of_too_small(const std::function<void(param_visitor &)> &visit);

} // namespace walkway

#endif

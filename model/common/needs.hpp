/* SPDX-License-Identifier: MIT */
/* model/common/needs.hpp - which parameters have an effect, and which a machine must give, from the needs in
 * their declarations. */
#ifndef WALKWAY_MODEL_COMMON_NEEDS_HPP
#define WALKWAY_MODEL_COMMON_NEEDS_HPP

#include "model/common/params.hpp"

#include <functional>
#include <set>
#include <string>

namespace walkway
{

/* Returns the parameter that this one needs, if that is 0, off or false, or another choice than the one
 * needed; "" if its needs are met. */
std::string unmet_need(const std::function<void(param_visitor &)> &visit, const std::string &parameter);
/* Returns a sentence that names the missing parameters: without a neutral value and not given, though their
 * needs are met. Empty if none is missing. */
std::string text_of_missing(const std::function<void(param_visitor &)> &visit,
                            const std::set<std::string> &given, const std::string &file);

/* The same for parameters set in C++: names those that are 0 though their minimum is higher, neutral ones
 * too, unless they have no effect. Other values below a minimum are the caller's: a platform of its own may
 * have less memory than a GPU.
 */
std::string text_of_too_small(const std::function<void(param_visitor &)> &visit,
                              const std::function<bool(const std::string &)> &has_effect);

} // namespace walkway

#endif

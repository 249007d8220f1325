/* SPDX-License-Identifier: MIT */
/* platforms/needs.hpp - which parameters have an effect, from what their declarations say that they need. */
#ifndef WALKWAY_PLATFORMS_NEEDS_HPP
#define WALKWAY_PLATFORMS_NEEDS_HPP

#include "model/common/params.hpp"

#include <functional>
#include <string>

namespace walkway
{

/* The parameter that this one needs, and that is 0, off or false, or another choice than the one needed; "":
 * it needs none such. */
std::string unmet_need(const std::function<void(param_visitor &)> &visit, const std::string &parameter);

} // namespace walkway

#endif

/* SPDX-License-Identifier: MIT */
/* run/parameters.hpp - the parameters of a platform_config: support/parameters.hpp. */
#ifndef WALKWAY_RUN_PARAMETERS_HPP
#define WALKWAY_RUN_PARAMETERS_HPP

#include "platforms/platform.hpp"
#include "support/parameters.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace walkway
{

nlohmann::ordered_json json_of(const parameter &p); /* its value */

std::vector<parameter> list_parameters(platform_config &config);
std::vector<std::string> parameter_names(platform_config &config);

/* Throw failure(exit_usage) that names every fault; settings without a fault are set all the same. Of
 * settings with the same name only the first counts. machine: the words for `walkway list parameters` to list
 * this one, for the message: " -p NAME", or empty. origin: "file:line" or "--set", for the message. */
void set_parameters(platform_config &config, const std::vector<setting> &settings,
                    const std::string &machine = "");
void set_parameter(platform_config &config, const std::string &name, const std::string &value,
                   const std::string &origin, const std::string &machine = "");

} // namespace walkway

#endif

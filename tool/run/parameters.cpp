/* SPDX-License-Identifier: MIT */
/* run/parameters.cpp - the parameters of a platform_config. */
#include "run/parameters.hpp"

namespace walkway
{

static visit_fn visit_of(platform_config &config)
{
    return [&config](param_visitor &v) { config.visit(v); };
}

nlohmann::ordered_json json_of(const parameter &p)
{
    switch (p.what) {
    case parameter::kind::number:
        return p.number;
    case parameter::kind::flag:
        return p.number != 0;
    case parameter::kind::groups:
        return p.number != 0 ? nlohmann::ordered_json(p.number) : nlohmann::ordered_json(p.value);
    case parameter::kind::pages:
    case parameter::kind::choice:
        break;
    }
    return p.value;
}

std::vector<parameter> list_parameters(platform_config &config)
{
    return list_parameters(visit_of(config));
}

std::vector<std::string> parameter_names(platform_config &config)
{
    return parameter_names(visit_of(config));
}

void set_parameters(platform_config &config, const std::vector<setting> &settings, const std::string &machine)
{
    set_parameters(visit_of(config), settings, "; 'walkway list parameters" + machine + "' has them all");
}

void set_parameter(platform_config &config, const std::string &name, const std::string &value,
                   const std::string &origin, const std::string &machine)
{
    set_parameters(config, {{name, value, origin}}, machine);
}

} // namespace walkway

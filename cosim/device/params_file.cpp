/* SPDX-License-Identifier: MIT */
/* device/params_file.cpp - see params_file.hpp. */
#include "device/params_file.hpp"

#include "support/errors.hpp"
#include "support/parameters.hpp"

#include <sstream>

namespace walkway
{

/* Returns the text with blank lines for other sections, which are not checked; "": no such section. */
static std::string section_of(const std::string &text, const std::string &section)
{
    std::string own, line;
    bool there = false, inside = false;
    for (std::istringstream in(text); std::getline(in, line); own += '\n') {
        const std::string code = trimmed(line.substr(0, line.find('#')));
        const bool head = !code.empty() && code.front() == '[' && code.back() == ']';
        if (head)
            inside = trimmed(code.substr(1, code.size() - 2)) == section;
        there = there || inside;
        own += inside && !head ? line : "";
    }
    return there ? own : "";
}

iommu_device_params read_iommu_params(const std::string &path, const std::string &section)
{
    const std::string own = section_of(text_of_ini(path, "file of numbers"), section);
    if (own.empty())
        throw failure(exit_usage, path + ": has no section [" + section + "]");
    iommu_device_params p;
    set_parameters([&p](param_visitor &v) { p.visit(v); }, parse_ini(own, path), "");
    const std::string together = p.validate();
    if (!together.empty())
        throw failure(exit_usage, path + ": [" + section + "]: " + together);
    return p;
}

} // namespace walkway

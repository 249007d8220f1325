/* SPDX-License-Identifier: MIT */
/* workbench/study_sections.hpp - the sections of a study that depend on its scale, and its machines and
 * figures: [scales], [settings SCALE], [workloads SCALE], [windows SCALE], [beside], [groups], [changes],
 * [machines], [events], [figures], [figures on demand]. docs/use/workbench.md has an example of each. */
#ifndef WALKWAY_WORKBENCH_STUDY_SECTIONS_HPP
#define WALKWAY_WORKBENCH_STUDY_SECTIONS_HPP

#include "support/errors.hpp"
#include "workbench/study_file.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* Sets the study's scales, and the chosen one. */
void read_scales(const std::vector<setting> &settings, study_file &study);
/* Throws failure(exit_usage) for an unknown section or scale. */
void check_section(const std::string &section, const std::string &origin, const study_file &study);
/* Reads workloads, machines and figures. Required: scales and the keys of [study] have been read. */
void read_sections(const std::vector<setting> &settings, study_file &study);

std::vector<std::string> words_of(const std::string &text); /* at spaces */

constexpr size_t most_listed = 40; /* most workloads named in a message or a report's text */

/* Throws failure(exit_usage) with the wrong line. */
[[noreturn]] void refuse(const std::string &origin, const std::string &why);

/* Returns the result of `read`; adds the line to a failure that it throws. */
template <class Read> auto at_line(const std::string &origin, const Read &read)
{
    try {
        return read();
    } catch (const failure &e) {
        throw failure(e.code(), origin + ": " + e.what());
    }
}

} // namespace walkway

#endif

/* SPDX-License-Identifier: MIT */
/* support/ini_file.hpp - files of sections, `key = value` and # comments: platforms, and studies of many
 * runs. */
#ifndef WALKWAY_SUPPORT_INI_FILE_HPP
#define WALKWAY_SUPPORT_INI_FILE_HPP

#include "support/value_origin.hpp"

#include <optional>
#include <string>
#include <vector>

namespace walkway
{

struct setting {
    std::string name, value;
    std::string origin;                              /* "file:line" or the option it came from */
    std::optional<value_origin> from = std::nullopt; /* of a machine file: where the value comes from */
};

/* Both throw failure(exit_usage) with file and line for what is no text, is neither section nor key = value,
 * or is there a second time. `what` as messages have it: "machine file". */
std::string text_of_ini(const std::string &path, const std::string &what); /* without a byte-order mark */
/* "section.key", in the order of the file. */
std::vector<setting> parse_ini(const std::string &text, const std::string &path);

/* Without spaces before and behind. */
std::string trimmed(const std::string &text);

} // namespace walkway

#endif

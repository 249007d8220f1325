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
    std::string origin;                              /* "file:line", or the option */
    std::optional<value_origin> from = std::nullopt; /* of a machine file: the origin of the value */
};

/* Both throw failure(exit_usage) with file and line for a file that is no text, and a line that is neither
 * section nor key = value, or repeated. `what`: name in messages, "machine file". */
std::string text_of_ini(const std::string &path, const std::string &what); /* without a byte-order mark */
/* Returns the settings, "section.key", in the order of the file. */
std::vector<setting> parse_ini(const std::string &text, const std::string &path);

/* Returns the text without spaces at its ends. */
std::string trimmed(const std::string &text);

} // namespace walkway

#endif

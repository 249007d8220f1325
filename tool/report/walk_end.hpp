/* SPDX-License-Identifier: MIT */
/* report/walk_end.hpp - the end of a walk through page tables of any format in an image: as text, as JSON, as
 * a row. */
#ifndef WALKWAY_REPORT_WALK_END_HPP
#define WALKWAY_REPORT_WALK_END_HPP

#include "image/memory_image.hpp"
#include "kernels/xlat.h"
#include "report/table.hpp"

#include <nlohmann/json.hpp>

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace walkway
{

struct walk_fault {
    const char *why;               /* a word */
    std::string text;              /* a sentence */
    std::optional<uint32_t> level; /* of the last entry; none: no entry was read */
    std::string step;              /* its name in rows; empty likewise */
};

struct walk_end {
    uint64_t va;
    std::optional<ww_xlat> page;
    std::string rights;              /* of the page */
    std::optional<walk_fault> fault; /* present if there is no page */
};

void print_end(std::ostream &out, const memory_image &image, const walk_end &end);
/* Returns the walk with its steps. */
nlohmann::ordered_json end_json(const walk_end &end, nlohmann::ordered_json steps);
/* last_column: name of the column with the step of a fault. */
table ends_table(const std::string &last_column, const std::vector<walk_end> &ends);

} // namespace walkway

#endif

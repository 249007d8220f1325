/* SPDX-License-Identifier: MIT */
/* report/image_formats.hpp - walks through tables of an image_format in an image (image/image_format.hpp),
 * for people, as JSON and as rows. */
#ifndef WALKWAY_REPORT_IMAGE_FORMATS_HPP
#define WALKWAY_REPORT_IMAGE_FORMATS_HPP

#include "image/image_format.hpp"
#include "report/table.hpp"

#include <nlohmann/json.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace walkway
{

/* Returns "a table of kind nvidia_v2 from 0x1000: 6 steps, virtual addresses of 49 bits". */
std::string text_of_table(const format_table &t);
nlohmann::ordered_json table_json(const format_table &t);
void print_walk(std::ostream &out, const format_table &t, const format_walk &w);
nlohmann::ordered_json walk_json(const format_table &t, const format_walk &w);
table walks_table(const format_table &t, const std::vector<format_walk> &walks);

} // namespace walkway

#endif

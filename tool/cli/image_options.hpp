/* SPDX-License-Identifier: MIT */
/* cli/image_options.hpp - options for an image of a real machine's memory. */
#ifndef WALKWAY_CLI_IMAGE_OPTIONS_HPP
#define WALKWAY_CLI_IMAGE_OPTIONS_HPP

#include "image/table_walk.hpp"
#include "report/image_formats.hpp"
#include "run/simulate.hpp"
#include "support/options.hpp"

#include <memory>

namespace walkway
{

/* --memory, --base, --map, --raw, --root, --kind, --phys-bits, --encryption-bits. */
std::vector<option_def> image_option_defs();
/* Opens the file of --memory. Throws failure(exit_input); ends the program if the file shrinks later. */
std::shared_ptr<const memory_image> open_image(const arguments &args);
/* Returns the table of --root and --kind, or of the core's first processor, which is then printed. Throws
 * failure(exit_usage). */
image_table table_in_image(const arguments &args, const memory_image &image);

/* Returns the format of --kind; null: x86-64's. Throws failure(exit_usage). */
const image_format *format_in_image(const arguments &args);
/* Returns that format's table of --root, likewise. */
format_table format_table_in_image(const arguments &args, const memory_image &image,
                                   const image_format &format);

/* The same options for a run, and --at. */
std::vector<option_def> run_image_option_defs();
/* Returns the machine's memory and pages, with --memory; else empty. A trace recorded in a machine's memory
 * (the one of `args`, this part of it) has its own roots. */
company in_image(const arguments &args, const trace_part &part);

} // namespace walkway

#endif

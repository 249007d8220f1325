/* SPDX-License-Identifier: MIT */
/* cli/image_layout.hpp - options for the layout of a raw image and of its table's entries. */
#ifndef WALKWAY_CLI_IMAGE_LAYOUT_HPP
#define WALKWAY_CLI_IMAGE_LAYOUT_HPP

#include "image/memory_image.hpp"
#include "support/options.hpp"

namespace walkway
{

/* Returns the layout of --base or --map. Throws failure(exit_usage). */
raw_layout raw_layout_of(const arguments &args);
/* Returns --encryption-bits as a mask of entries; 0 without it. Throws failure(exit_usage). */
uint64_t encryption_bits_of(const arguments &args);

} // namespace walkway

#endif

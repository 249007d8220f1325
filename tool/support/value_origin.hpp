/* SPDX-License-Identifier: MIT */
/* support/value_origin.hpp - where a number comes from, as a machine file says it behind the value:
 *
 *   entries = 512  @ paper [M18] Table I
 *
 * Of four kinds: `paper`, it stands there, and the text says where; `derived` follows from such numbers or a
 * standard; `assumed`: no source states it; `chosen`, assumed too, and fixed after results had been seen, so
 * that no result is evidence for it. A machine that inherits the value keeps its kind and names the owner:
 * `chosen (apu-micro18) raised after seeing BICG wait`. */
#ifndef WALKWAY_SUPPORT_VALUE_ORIGIN_HPP
#define WALKWAY_SUPPORT_VALUE_ORIGIN_HPP

#include <cstdint>
#include <string>

namespace walkway
{

enum class origin_kind : uint8_t { paper, derived, assumed, chosen };

struct value_origin {
    origin_kind kind = origin_kind::assumed;
    std::string whose; /* the machine that set it; empty: this one */
    std::string text;  /* table, section, reason; may be empty */
};

/* Return "PAPER", and a whole origin, "CHOSEN (apu-micro18): raised after seeing BICG wait". */
const char *name_of(origin_kind kind);
std::string provenance_of(const value_origin &origin);

/* Parses the text after the '@'. Throws failure(exit_usage) that begins with `place` for an unknown kind. */
value_origin parse_origin(const std::string &text, const std::string &place);
std::string text_of_origin(const value_origin &origin);

} // namespace walkway

#endif

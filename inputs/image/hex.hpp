/* SPDX-License-Identifier: MIT */
/* image/hex.hpp - hexadecimal numbers in texts about memory images and page tables. */
#ifndef WALKWAY_IMAGE_HEX_HPP
#define WALKWAY_IMAGE_HEX_HPP

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>

namespace walkway
{

/* Returns "0x7f" with at least `digits` digits. Required: digits is 1 to 16. */
inline std::string hex(uint64_t value, int digits = 1)
{
    char text[24];
    std::snprintf(text, sizeof(text), "0x%0*" PRIx64, digits, value);
    return text;
}

} // namespace walkway

#endif

/* SPDX-License-Identifier: MIT */
/* image/hex.hpp - numbers in texts of memory images and page tables. */
#ifndef WALKWAY_IMAGE_HEX_HPP
#define WALKWAY_IMAGE_HEX_HPP

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>

namespace walkway
{

/* "0x7f": at least `digits` digits, 1 to 16. */
inline std::string hex(uint64_t value, int digits = 1)
{
    char text[24];
    std::snprintf(text, sizeof(text), "0x%0*" PRIx64, digits, value);
    return text;
}

} // namespace walkway

#endif

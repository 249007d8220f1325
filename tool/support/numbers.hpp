/* SPDX-License-Identifier: MIT */
/* support/numbers.hpp - numbers as text for people. */
#ifndef WALKWAY_SUPPORT_NUMBERS_HPP
#define WALKWAY_SUPPORT_NUMBERS_HPP

#include <cstdint>
#include <string>

namespace walkway
{

std::string text_of_count(uint64_t value);            /* 12,345,678 */
std::string text_of_hex(uint64_t value);              /* 0x1000 */
std::string text_of_real(double value, int decimals); /* 1,234.50; "-" for NaN */
/* Returns any number without an exponent: 755,395; 757,213.4; 3.142; 0.0001235; "-" for NaN. */
std::string text_of_number(double value);
std::string text_of_share(double value);      /* 41.3 % */
std::string text_of_seconds(double seconds);  /* "1.234 ms" */
std::string text_of_bytes(uint64_t bytes);    /* "64.1 MiB" */
std::string text_of_rate(double per_second);  /* "1.25 M" */
std::string text_of_duration(double seconds); /* "0.2 s", "1:05", "2:03:10" */

} // namespace walkway

#endif

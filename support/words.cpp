/* SPDX-License-Identifier: MIT */
/* support/words.cpp - numbers and lists as they are written on command lines and in files. */
#include "support/options.hpp"

#include <limits>

namespace walkway
{

std::vector<std::string> split(const std::string &text, char at)
{
    std::vector<std::string> parts;
    for (size_t begin = 0;;) {
        const size_t end = text.find(at, begin);
        parts.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
        if (end == std::string::npos)
            return parts;
        begin = end + 1;
    }
}

bool parse_number(const std::string &text, uint64_t &value)
{
    return read_number(text, value) == number_kind::whole;
}

number_kind read_number(const std::string &text, uint64_t &value)
{
    static const struct {
        const char *suffix;
        unsigned shift;
    } units[] = {{"Ki", 10}, {"Mi", 20}, {"Gi", 30}};
    std::string digits = text;
    unsigned shift = 0;
    for (const auto &unit : units) {
        if (digits.size() > 2 && digits.compare(digits.size() - 2, 2, unit.suffix) == 0) {
            digits.resize(digits.size() - 2);
            shift = unit.shift;
            break;
        }
    }
    uint64_t base = 10;
    if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
        base = 16;
        digits.erase(0, 2);
    }
    if (digits.empty())
        return number_kind::none;
    constexpr uint64_t limit = std::numeric_limits<uint64_t>::max();
    uint64_t result = 0;
    bool too_large = false;
    for (const char c : digits) {
        uint64_t digit = base;
        if (c >= '0' && c <= '9')
            digit = static_cast<uint64_t>(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = static_cast<uint64_t>(c - 'a') + 10;
        else if (c >= 'A' && c <= 'F')
            digit = static_cast<uint64_t>(c - 'A') + 10;
        if (digit >= base)
            return number_kind::none;
        too_large = too_large || result > (limit - digit) / base;
        result = result * base + digit;
    }
    if (too_large || result > (limit >> shift))
        return number_kind::too_large;
    value = result << shift;
    return number_kind::whole;
}

} // namespace walkway

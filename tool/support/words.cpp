/* SPDX-License-Identifier: MIT */
/* support/words.cpp - parses numbers and lists of command lines and files. */
#include "support/options.hpp"

#include "support/names.hpp"

#include <algorithm>
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

/* Splits "1 KiB" into "1" and "KiB". */
static std::pair<std::string, std::string> number_and_unit(const std::string &text)
{
    size_t end = 0;
    while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || text[end] == '_'))
        ++end;
    std::string number = text.substr(0, end), unit;
    number.erase(std::remove(number.begin(), number.end(), '_'), number.end());
    for (const char c : text.substr(end))
        if (c != ' ' && c != '\t')
            unit += c;
    return {number, unit};
}

std::string did_you_mean_number(const std::string &text)
{
    const auto [number, unit] = number_and_unit(text);
    if (number.empty() || number.size() > 19)
        return "";
    std::string letter = unit;
    for (const char *const tail : {"bytes", "B", "b", "i"}) {
        const size_t size = std::string(tail).size();
        if (letter.size() > size && ends_with(letter, tail))
            letter.resize(letter.size() - size);
    }
    for (const auto &[letters, suffix] :
         {std::pair("kK", "Ki"), std::pair("mM", "Mi"), std::pair("gG", "Gi")}) {
        uint64_t value = 0;
        if (letter.size() == 1 && std::string(letters).find(letter) != std::string::npos &&
            read_number(number + suffix, value) == number_kind::whole)
            return " (did you mean '" + number + suffix + "', which is " + std::to_string(value) + "?)";
    }
    const bool word = !unit.empty() && std::all_of(unit.begin(), unit.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%';
    });
    return word || (unit.empty() && number != text) ? " (did you mean '" + number + "'?)" : "";
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
        if (digits.size() > 2 && ends_with(digits, unit.suffix)) {
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

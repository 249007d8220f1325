/* SPDX-License-Identifier: MIT */
/* support/numbers.cpp - formats numbers for people. */
#include "support/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace walkway
{

__attribute__((format(printf, 1, 2))) static std::string formatted(const char *format, ...)
{
    char text[128];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return text;
}

/* Inserts commas into digits, which may have a sign and a fraction. */
static std::string grouped(std::string text)
{
    const size_t first = text.find_first_not_of('-');
    for (size_t i = std::min(text.find('.'), text.size()); i > first + 3; i -= 3)
        text.insert(i - 3, ",");
    return text;
}

static std::string fixed(double value, int decimals)
{
    char text[400]; /* the largest double has 309 digits */
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string text_of_count(uint64_t value)
{
    return grouped(std::to_string(value));
}

std::string text_of_real(double value, int decimals)
{
    return std::isfinite(value) ? grouped(fixed(value, decimals)) : "-";
}

std::string text_of_number(double value)
{
    const double size = std::fabs(value);
    if (!std::isfinite(value) || value == std::floor(value) || size >= 1000)
        return text_of_real(value, std::isfinite(value) && value == std::floor(value) ? 0 : 1);
    const int significant = 3 - static_cast<int>(std::floor(std::log10(size)));
    std::string text = fixed(value, std::min(significant, 300));
    text.erase(text.find_last_not_of('0') + 1);
    return text.back() == '.' ? text.substr(0, text.size() - 1) : text;
}

std::string text_of_share(double value)
{
    return std::isfinite(value) ? text_of_real(100.0 * value, 1) + " %" : "-";
}

std::string text_of_seconds(double seconds)
{
    if (seconds >= 1.0)
        return formatted("%.3f s", seconds);
    if (seconds >= 1e-3)
        return formatted("%.3f ms", seconds * 1e3);
    return formatted("%.3f us", seconds * 1e6);
}

std::string text_of_bytes(uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    size_t unit = 0;
    while (value >= 1024.0 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1024.0;
        ++unit;
    }
    return formatted(unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

std::string text_of_hex(uint64_t value)
{
    return formatted("0x%llx", static_cast<unsigned long long>(value));
}

std::string text_of_rate(double per_second)
{
    if (per_second >= 1e6)
        return formatted("%.2f M", per_second * 1e-6);
    if (per_second >= 1e3)
        return formatted("%.1f k", per_second * 1e-3);
    return formatted("%.0f", per_second);
}

std::string text_of_duration(double seconds)
{
    const auto total = static_cast<uint64_t>(std::max(0.0, std::min(seconds, 1e9)));
    if (total < 10)
        return formatted("%.1f s", std::max(0.0, seconds));
    if (total >= 3600)
        return formatted("%llu:%02llu:%02llu", static_cast<unsigned long long>(total / 3600),
                         static_cast<unsigned long long>(total / 60 % 60),
                         static_cast<unsigned long long>(total % 60));
    return formatted("%llu:%02llu", static_cast<unsigned long long>(total / 60),
                     static_cast<unsigned long long>(total % 60));
}

} // namespace walkway

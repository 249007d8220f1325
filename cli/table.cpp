/* SPDX-License-Identifier: MIT */
/* cli/table.cpp - columns and numbers. */
#include "cli/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <ostream>

namespace walkway
{

void table::print(std::ostream &out) const
{
    std::vector<size_t> widths;
    for (const auto &cells : rows_) {
        widths.resize(std::max(widths.size(), cells.size()));
        for (size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], cells[i].size());
    }
    for (size_t r = 0; r < rows_.size(); ++r) {
        std::string line;
        for (size_t i = 0; i < rows_[r].size(); ++i) {
            const std::string &cell = rows_[r][i];
            const std::string pad(widths[i] - cell.size(), ' ');
            line += i == 0 ? "" : "  ";
            line += i == 0 || left_ || (last_left_ && i + 1 == widths.size()) ? cell + pad : pad + cell;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
        if (r == 0) {
            size_t total = 0;
            for (size_t i = 0; i < widths.size(); ++i)
                total += widths[i] + (i == 0 ? 0 : 2);
            out << std::string(total, '-') << '\n';
        }
    }
}

void table::print_markdown(std::ostream &out) const
{
    for (size_t r = 0; r < rows_.size(); ++r) {
        out << '|';
        for (const std::string &cell : rows_[r])
            out << ' ' << cell << " |";
        out << '\n';
        if (r == 0) {
            out << '|';
            for (size_t i = 0; i < rows_[r].size(); ++i)
                out << (i == 0 ? "---|" : "--:|");
            out << '\n';
        }
    }
}

std::string wrapped(const std::string &text)
{
    constexpr size_t width = 110;
    std::string lines = text;
    size_t start = 0;
    while (lines.size() - start > width) {
        const size_t space = lines.rfind(' ', start + width);
        if (space == std::string::npos || space <= start)
            break;
        lines[space] = '\n';
        start = space + 1;
    }
    return lines;
}

__attribute__((format(printf, 1, 2))) static std::string formatted(const char *format, ...)
{
    char text[128];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return text;
}

std::string text_of_count(uint64_t value)
{
    std::string text = std::to_string(value);
    for (size_t i = text.size(); i > 3; i -= 3)
        text.insert(i - 3, ",");
    return text;
}

std::string text_of_real(double value, int decimals)
{
    return std::isfinite(value) ? formatted("%.*f", decimals, value) : "-";
}

std::string text_of_share(double value)
{
    return std::isfinite(value) ? formatted("%.1f %%", 100.0 * value) : "-";
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
    if (total >= 3600)
        return formatted("%llu:%02llu:%02llu", static_cast<unsigned long long>(total / 3600),
                         static_cast<unsigned long long>(total / 60 % 60),
                         static_cast<unsigned long long>(total % 60));
    return formatted("%llu:%02llu", static_cast<unsigned long long>(total / 60),
                     static_cast<unsigned long long>(total % 60));
}

} // namespace walkway

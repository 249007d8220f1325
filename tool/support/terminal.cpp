/* SPDX-License-Identifier: MIT */
/* support/terminal.cpp - measures and breaks lines. */
#include "support/terminal.hpp"

#include "support/options.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace walkway
{

size_t line_width()
{
    constexpr size_t usual = 100, least = 40;
    uint64_t stated = 0;
    if (parse_number(environment("COLUMNS"), stated) && stated > 0)
        return std::max<size_t>(stated, least);
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return std::max<size_t>(size.ws_col, least);
    return usual;
}

static bool begins_character(char c)
{
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

size_t columns_of(const std::string &text)
{
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

/* Returns the number of bytes of the first `columns` characters. */
static size_t bytes_of(const std::string &text, size_t columns)
{
    size_t at = 0;
    while (at < text.size()) {
        if (begins_character(text[at]) && columns-- == 0)
            break;
        ++at;
    }
    return at;
}

/* Returns where the first line of a too wide text ends: at its last space. If that leaves most of the line
 * empty: behind a mark that does not, between a name and a value rather than within a name. */
static size_t break_of(const std::string &text, size_t width)
{
    const size_t end = bytes_of(text, width);
    const size_t first = text.find_first_not_of(' ');
    size_t space = text.rfind(' ', end);
    if (space == std::string::npos || space < first)
        space = 0;
    if (space > width / 3)
        return space;
    for (const char *marks : {",:=/|", ".-_"}) {
        const size_t mark = text.find_last_of(marks, end - 1);
        if (mark != std::string::npos && mark > first && mark > space && mark >= width / 3)
            return mark + 1;
    }
    return space > 0 ? space : end;
}

std::vector<std::string> lines_of(const std::string &text, size_t width)
{
    std::vector<std::string> lines;
    std::string rest = text;
    width = std::max<size_t>(width, 1);
    while (columns_of(rest) > width) {
        const size_t end = break_of(rest, width);
        lines.push_back(rest.substr(0, rest.find_last_not_of(' ', end - 1) + 1));
        rest.erase(0, std::min(rest.find_first_not_of(' ', end), rest.size()));
    }
    if (!rest.empty() || lines.empty())
        lines.push_back(rest);
    return lines;
}

std::string wrapped(const std::string &text, size_t width, size_t indent)
{
    std::string all;
    for (const std::string &line : lines_of(text, width > indent ? width - indent : 1))
        all += (all.empty() ? "" : "\n") + std::string(indent, ' ') + line;
    return all;
}

/* Returns where a line's text begins, after an indented word and a gap, if any: "  demo     mvt 1024". */
static size_t hang_of(const std::string &line)
{
    const size_t word = line.find_first_not_of(' ');
    const size_t gap = line.find("  ", word);
    const size_t text = gap == std::string::npos ? gap : line.find_first_not_of(' ', gap);
    return text == std::string::npos || text > 30 ? word : text;
}

/* Wraps an indented line; continuation lines begin below its text. */
static std::string hanging(const std::string &line, size_t width)
{
    if (columns_of(line) <= width || line.find_first_not_of(' ') == std::string::npos)
        return line;
    const size_t hang = hang_of(line);
    const std::string rest = wrapped(line.substr(hang), width, hang);
    return line.substr(0, hang) + rest.substr(hang);
}

std::string flowed(const std::string &text, size_t width)
{
    std::string all, paragraph;
    const auto finish = [&]() {
        if (!paragraph.empty())
            all += wrapped(paragraph, width) + "\n";
        paragraph.clear();
    };
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.front() != ' ') {
            paragraph += (paragraph.empty() ? "" : " ") + line;
            continue;
        }
        finish();
        all += hanging(line, width) + "\n";
    }
    finish();
    return all;
}

} // namespace walkway

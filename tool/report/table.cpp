/* SPDX-License-Identifier: MIT */
/* report/table.cpp - prints tables. */
#include "report/table.hpp"

#include "support/paths.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace walkway
{

using json = nlohmann::ordered_json;

size_t table::columns() const
{
    size_t most = 0;
    for (const auto &cells : rows_)
        most = std::max(most, cells.size());
    return most;
}

bool table::has_head() const
{
    const auto &head = rows_.front();
    return std::any_of(head.begin(), head.end(), [](const std::string &cell) { return !cell.empty(); });
}

bool table::is_text(size_t column) const
{
    return column == 0 || left_ || (last_left_ && column + 1 == columns());
}

std::vector<size_t> table::widths(size_t (*of)(const std::string &), size_t from_row) const
{
    std::vector<size_t> all(columns(), 1);
    for (size_t r = from_row; r < rows_.size(); ++r)
        for (size_t i = 0; i < rows_[r].size(); ++i)
            all[i] = std::max(all[i], of(rows_[r][i]));
    return all;
}

static size_t widest_word(const std::string &cell)
{
    size_t widest = 0;
    std::istringstream in(cell);
    for (std::string word; in >> word;)
        widest = std::max(widest, columns_of(word));
    return widest;
}

static size_t line_of(const std::vector<size_t> &widths)
{
    size_t total = 0;
    for (const size_t w : widths)
        total += w + 2;
    return total - 2;
}

/* Narrows the widest column that is wider than it needs, until the line fits. Returns false if it cannot. */
static bool shrink(std::vector<size_t> &widths, const std::vector<size_t> &needed, size_t line)
{
    for (size_t total = line_of(widths); total > line; --total) {
        size_t *widest = nullptr;
        for (size_t i = 0; i < widths.size(); ++i)
            if (widths[i] > needed[i] && (widest == nullptr || widths[i] > *widest))
                widest = &widths[i];
        if (widest == nullptr)
            return false;
        --*widest;
    }
    return true;
}

void table::number_columns(size_t first, size_t count)
{
    numbers_.resize(std::max(numbers_.size(), first + count));
    std::fill_n(numbers_.begin() + static_cast<std::ptrdiff_t>(first), count, true);
}

table table::for_people() const
{
    table t = *this;
    t.numbers_.clear();
    for (size_t r = 1; r < t.rows_.size(); ++r)
        for (size_t i = 0; i < t.rows_[r].size(); ++i)
            if (is_number(i)) {
                std::string &cell = t.rows_[r][i];
                const bool whole = cell.find_first_not_of("0123456789") == std::string::npos;
                cell = cell.empty()                ? "-"
                       : whole && cell.size() < 20 ? text_of_count(std::stoull(cell))
                                                   : text_of_number(std::strtod(cell.c_str(), nullptr));
            }
    return t;
}

void table::print(std::ostream &out, size_t width) const
{
    if (!numbers_.empty())
        return for_people().print(out, width);
    std::vector<size_t> now = widths(columns_of), needed = widths(widest_word);
    std::vector<size_t> whole_cells = widths(columns_of, 1); /* heads wrap before cells do */
    for (size_t i = 0; i < needed.size(); ++i)
        whole_cells[i] = std::max(whole_cells[i], needed[i]);
    for (size_t i = 0; i < needed.size(); ++i)
        if (!is_text(i)) /* "40.6 %" must not wrap */
            needed[i] = whole_cells[i];
    bool fits = shrink(now, whole_cells, width) || shrink(now, needed, width);
    for (const size_t part_of_word : {size_t{16}, size_t{8}}) {
        for (size_t i = 0; i < needed.size(); ++i)
            if (is_text(i))
                needed[i] = std::min(needed[i], part_of_word);
        fits = fits || shrink(now, needed, width);
        if (!fits && now.size() > 2 && !left_)
            return print_in_parts(out, now, width);
    }
    print_columns(out, now);
}

void table::print_columns(std::ostream &out, const std::vector<size_t> &widths) const
{
    for (size_t r = has_head() ? 0 : 1; r < rows_.size(); ++r) {
        std::vector<std::vector<std::string>> cells;
        size_t height = 1;
        for (size_t i = 0; i < rows_[r].size(); ++i) {
            cells.push_back(lines_of(rows_[r][i], widths[i]));
            height = std::max(height, cells.back().size());
        }
        for (size_t l = 0; l < height; ++l) {
            std::string line;
            for (size_t i = 0; i < cells.size(); ++i) {
                /* heads are aligned to the rule below them */
                const size_t above = r == 0 ? height - cells[i].size() : 0;
                const std::string text = l >= above && l - above < cells[i].size() ? cells[i][l - above] : "";
                const std::string pad(widths[i] - std::min(widths[i], columns_of(text)), ' ');
                line += (i == 0 ? "" : "  ") + (is_text(i) ? text + pad : pad + text);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out << line << '\n';
        }
        if (r == 0)
            out << std::string(line_of(widths), '-') << '\n';
    }
}

void table::print_in_parts(std::ostream &out, const std::vector<size_t> &narrow, size_t width) const
{
    for (size_t next = 1; next < narrow.size();) {
        const size_t from = next;
        size_t line = narrow[0];
        while (next < narrow.size() && (next == from || line + 2 + narrow[next] <= width))
            line += 2 + narrow[next++];
        table part(std::vector<std::string>{});
        part.rows_.clear();
        part.last_left_ = last_left_ && next == narrow.size();
        for (const auto &cells : rows_) {
            std::vector<std::string> some = {cells.front()};
            for (size_t i = from; i < next; ++i)
                some.push_back(i < cells.size() ? cells[i] : "");
            part.rows_.push_back(some);
        }
        std::vector<size_t> widths = {narrow[0]};
        widths.insert(widths.end(), narrow.begin() + static_cast<long>(from),
                      narrow.begin() + static_cast<long>(next));
        out << (from == 1 ? "" : "\n");
        part.print_columns(out, widths);
    }
}

void table::print_csv(std::ostream &out) const
{
    for (const auto &cells : rows_) {
        for (size_t i = 0; i < cells.size(); ++i) {
            out << (i == 0 ? "" : ",");
            if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
                out << cells[i];
                continue;
            }
            out << '"';
            for (const char c : cells[i])
                out << (c == '"' ? "\"" : "") << c;
            out << '"';
        }
        out << '\n';
    }
}

void table::print_json(std::ostream &out) const
{
    json rows = json::array();
    for (size_t r = 1; r < rows_.size(); ++r) {
        json row = json::object();
        for (size_t i = 0; i < rows_.front().size(); ++i) {
            const std::string cell = i < rows_[r].size() ? rows_[r][i] : "";
            row[rows_.front()[i]] = !is_number(i)        ? json(cell)
                                    : json::accept(cell) ? json::parse(cell)
                                                         : json();
        }
        rows.push_back(row);
    }
    out << json{{"schema_version", 1}, {"rows", rows}}.dump(2, ' ', false, json::error_handler_t::replace)
        << '\n';
}

void write_csv(const std::string &file, const table &t)
{
    std::ostringstream text;
    t.print_csv(text);
    if (file == "-")
        std::cout << text.str();
    else
        write_file(file, text.str());
}

void table::print_markdown(std::ostream &out) const
{
    if (!numbers_.empty())
        return for_people().print_markdown(out);
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

} // namespace walkway

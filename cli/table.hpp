/* SPDX-License-Identifier: MIT */
/* cli/table.hpp - columns that line up and fit the line, or as comma-separated values; numbers as people read
 * them. */
#ifndef WALKWAY_CLI_TABLE_HPP
#define WALKWAY_CLI_TABLE_HPP

#include "cli/terminal.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace walkway
{

class table
{
public:
    explicit table(std::vector<std::string> head) : rows_{std::move(head)} {}
    void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    /* Text in every column: all to the left. Else numbers: the first column to the left, the others to the
     * right. */
    void align_left() { left_ = true; }
    void align_last_left() { last_left_ = true; }
    /* Two spaces between columns, a rule under the head (neither where all of the head is empty). Where that
     * is wider than the line, cells are broken at spaces, then words of text; columns of numbers that do not
     * fit follow below, behind the first column again.
     */
    void print(std::ostream &out, size_t width = line_width()) const;
    /* The same as a Markdown table. */
    void print_markdown(std::ostream &out) const;
    /* RFC 4180 with plain newlines. */
    void print_csv(std::ostream &out) const;

private:
    size_t columns() const;
    bool has_head() const;
    bool is_text(size_t column) const;
    std::vector<size_t> widths(size_t (*of)(const std::string &), size_t from_row = 0) const;
    void print_columns(std::ostream &out, const std::vector<size_t> &widths) const;
    void print_in_parts(std::ostream &out, const std::vector<size_t> &narrow, size_t width) const;

    std::vector<std::vector<std::string>> rows_;
    bool left_ = false, last_left_ = false;
};

/* To the file, whole or not at all; "-" is standard output. Throws failure(exit_output). */
void write_csv(const std::string &file, const table &t);

std::string text_of_count(uint64_t value);            /* 12,345,678 */
std::string text_of_real(double value, int decimals); /* 3.14; "-" when it is no number */
std::string text_of_share(double value);              /* 41.3 % */
std::string text_of_seconds(double seconds);          /* "1.234 ms" */
std::string text_of_bytes(uint64_t bytes);            /* "64.1 MiB" */
std::string text_of_rate(double per_second);          /* "1.25 M" */
std::string text_of_duration(double seconds);         /* "1:05", "2:03:10" */

} // namespace walkway

#endif

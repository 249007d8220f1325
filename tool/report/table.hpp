/* SPDX-License-Identifier: MIT */
/* report/table.hpp - aligned columns that fit the line, or comma-separated values. */
#ifndef WALKWAY_REPORT_TABLE_HPP
#define WALKWAY_REPORT_TABLE_HPP

#include "support/numbers.hpp"
#include "support/terminal.hpp"

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
    /* Aligns every column to the left, for text. By default the first column is, and the others, numbers, are
     * aligned to the right. */
    void align_left() { left_ = true; }
    void align_last_left() { last_left_ = true; }
    /* Marks columns of plain numbers, empty if there is none. For people text_of_number() formats them; for
     * programs they are unformatted. */
    void number_columns(size_t first, size_t count = 1);
    /* Prints two spaces between columns and a rule under the head (neither if all of the head is empty). If
     * that is wider than the line, cells are broken at spaces, then words of text; columns of numbers that do
     * not fit follow below, after the first column again. */
    void print(std::ostream &out, size_t width = line_width()) const;
    /* Prints the same as a Markdown table. */
    void print_markdown(std::ostream &out) const;
    /* Prints RFC 4180 with plain newlines. */
    void print_csv(std::ostream &out) const;
    /* Prints a list of objects whose members have the columns' names; docs/develop/table.schema.json. */
    void print_json(std::ostream &out) const;

private:
    table for_people() const;
    bool is_number(size_t column) const { return column < numbers_.size() && numbers_[column]; }
    size_t columns() const;
    bool has_head() const;
    bool is_text(size_t column) const;
    std::vector<size_t> widths(size_t (*of)(const std::string &), size_t from_row = 0) const;
    void print_columns(std::ostream &out, const std::vector<size_t> &widths) const;
    void print_in_parts(std::ostream &out, const std::vector<size_t> &narrow, size_t width) const;

    std::vector<std::vector<std::string>> rows_;
    std::vector<bool> numbers_; /* by column */
    bool left_ = false, last_left_ = false;
};

/* Writes to the file, whole or not at all; "-" is standard output. Throws failure(exit_output). */
void write_csv(const std::string &file, const table &t);

} // namespace walkway

#endif

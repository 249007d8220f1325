/* SPDX-License-Identifier: MIT */
/* cli/table.hpp - columns that line up, and numbers as people read them. */
#ifndef WALKWAY_CLI_TABLE_HPP
#define WALKWAY_CLI_TABLE_HPP

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
    /* Two spaces between columns, a rule under the head. */
    void print(std::ostream &out) const;
    /* The same as a Markdown table. */
    void print_markdown(std::ostream &out) const;

private:
    std::vector<std::vector<std::string>> rows_;
    bool left_ = false, last_left_ = false;
};

/* Lines of at most 110 columns, broken at spaces. */
std::string wrapped(const std::string &text);

std::string text_of_count(uint64_t value);            /* 12,345,678 */
std::string text_of_real(double value, int decimals); /* 3.14; "-" when it is no number */
std::string text_of_share(double value);              /* 41.3 % */
std::string text_of_seconds(double seconds);          /* "1.234 ms" */
std::string text_of_bytes(uint64_t bytes);            /* "64.1 MiB" */
std::string text_of_rate(double per_second);          /* "1.25 M" */
std::string text_of_duration(double seconds);         /* "1:05", "2:03:10" */

} // namespace walkway

#endif

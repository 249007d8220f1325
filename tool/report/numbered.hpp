/* SPDX-License-Identifier: MIT */
/* report/numbered.hpp - merges names that differ only in numbers: "cu_0..7.waves". */
#ifndef WALKWAY_REPORT_NUMBERED_HPP
#define WALKWAY_REPORT_NUMBERED_HPP

#include <string>
#include <vector>

namespace walkway
{

/* "rank_1.bank_7.row" as "rank_*.bank_*.row" with the numbers 1 and 7. */
struct numbered_name {
    std::string text;
    std::vector<unsigned> numbers;
    explicit numbered_name(const std::string &name);
};

/* A range of names with one text. */
class name_range
{
public:
    explicit name_range(const numbered_name &first)
        : text_(first.text), low_(first.numbers), high_(first.numbers)
    {
    }
    void add(const numbered_name &name);
    std::string name() const; /* "rank_0..1.bank_0..7.row" */

private:
    std::string text_;
    std::vector<unsigned> low_, high_;
};

} // namespace walkway

#endif

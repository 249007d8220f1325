/* SPDX-License-Identifier: MIT */
/* report/hit_columns.cpp - see hit_columns.hpp. */
#include "report/hit_columns.hpp"

#include "run/headline.hpp"
#include "run/result_levels.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

#include <limits>

namespace walkway
{

hit_columns::hit_columns(const std::vector<named_result> &results)
{
    for (const named_result &r : results) {
        if (r.stats.is_null())
            continue;
        const result_levels levels = result_levels::of(r.stats);
        std::vector<std::pair<std::string, std::string>> columns;
        for (const level *tlb : levels.tlbs())
            columns.emplace_back(tlb->section() + "_hit_rate", tlb->title());
        add_in_order(columns_, columns);
    }
}

hit_columns::cells hit_columns::heads(cells before, const cells &behind) const
{
    for (const auto &column : columns_)
        before.push_back(column.second);
    before.insert(before.end(), behind.begin(), behind.end());
    return before;
}

hit_columns::cells hit_columns::row(cells before, const json &stats, const cells &behind) const
{
    for (const auto &column : columns_)
        before.push_back(
            text_of_share(headline_value(stats, column.first, std::numeric_limits<double>::quiet_NaN())));
    before.insert(before.end(), behind.begin(), behind.end());
    return before;
}

} // namespace walkway

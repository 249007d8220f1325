/* SPDX-License-Identifier: MIT */
/* study/study_table.cpp - a study's report as one table of plain numbers: a row for each value. */
#include "study/study.hpp"

namespace walkway
{

namespace
{

/* Of a single run a number; of several their median, and the range beside it. */
std::vector<std::string> cells_of(const json &value)
{
    const auto text = [](const json &v) { return v.is_null() ? std::string() : v.dump(); };
    if (!value.is_object())
        return {text(value), "", ""};
    return {text(value.at("median")), text(value.at("low")), text(value.at("high"))};
}

void add(table &t, std::vector<std::string> cells, const json &value)
{
    const std::vector<std::string> numbers = cells_of(value);
    cells.insert(cells.end(), numbers.begin(), numbers.end());
    t.row(cells);
}

void add_bars(table &t, const std::string &figure, const char *kind, const json &bars)
{
    for (const json &bar : bars) {
        const auto name = bar.at("name").get<std::string>();
        for (const auto &value : bar.at("values").items())
            add(t, {figure, kind, name, value.key()}, value.value());
        for (const char *mean : {"arithmetic_mean", "geometric_mean", "gain_mean_percent"})
            if (bar.contains(mean))
                add(t, {figure, kind, name, mean}, bar.at(mean));
    }
}

} // namespace

table report_table(const json &report)
{
    table t({"figure", "kind", "name", "program", "value", "low", "high"});
    for (const json &f : report.at("figures")) {
        const auto id = f.at("id").get<std::string>();
        add_bars(t, id, "value", f.at("bars"));
        add_bars(t, id, "beside", f.at("beside"));
        for (const json &claim : f.at("claims")) {
            const auto name = claim.at("text").get<std::string>();
            add(t, {id, "ours", name, ""}, claim.at("ours"));
            t.row({id, "paper", name, "", claim.at("paper").get<std::string>(), "", ""});
        }
    }
    return t;
}

} // namespace walkway

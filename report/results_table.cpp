/* SPDX-License-Identifier: MIT */
/* report/results_table.cpp - results as one table of plain numbers, for programs. */
#include "report/energy.hpp"
#include "report/explain.hpp"
#include "report/summary.hpp"

#include <algorithm>

namespace walkway
{

namespace
{

/* Columns in the order in which they are first met; a row may lack some. */
class sparse_rows
{
public:
    void add_row() { rows_.emplace_back(); }
    void set(const std::string &column, const std::string &value)
    {
        if (std::find(columns_.begin(), columns_.end(), column) == columns_.end())
            columns_.push_back(column);
        rows_.back()[column] = value;
    }
    table made() const
    {
        table t(columns_);
        for (const auto &row : rows_) {
            std::vector<std::string> cells;
            for (const std::string &column : columns_)
                cells.push_back(row.count(column) == 0 ? "" : row.at(column));
            t.row(cells);
        }
        return t;
    }

private:
    std::vector<std::string> columns_;
    std::vector<std::map<std::string, std::string>> rows_;
};

/* In pJ and um2, under the names of the statistics. */
void set_energy(sparse_rows &rows, const json &statistics)
{
    std::vector<std::string> names = {"energy.dram", "arrays.energy", "arrays.area"};
    for (const std::string &array : arrays_of(statistics))
        names.push_back("arrays." + array + ".energy");
    for (const std::string &name : names)
        if (statistics.contains(name))
            rows.set(name, statistics.at(name).at("value").dump());
}

} // namespace

table results_table(const std::vector<named_result> &runs, bool relative, const std::vector<json> &ranges)
{
    sparse_rows rows;
    const json &base = runs.front().stats;
    for (size_t i = 0; i < runs.size(); ++i) {
        const named_result &run = runs[i];
        rows.add_row();
        rows.set("run", run.label);
        rows.set("end", run.stats.is_null() ? "failed" : run.stats.at("end").get<std::string>());
        if (run.stats.is_null())
            continue;
        rows.set("trace", run.stats.at("trace").at("file").get<std::string>());
        if (relative) {
            rows.set("speedup", json(speedup_of(base, run.stats)).dump());
            for (const char *name : {"pte_reads", "walk_latency_mean"})
                rows.set(std::string(name) + "_ratio", json(ratio_of(base, run.stats, name)).dump());
        }
        if (!ranges.empty())
            for (const auto &ratio : ranges[i].items())
                for (const char *what : {"median", "low", "high", "runs"})
                    rows.set(ratio.key() + "_" + what,
                             ratio.value().is_null() ? "" : ratio.value().at(what).dump());
        for (const auto &item : run.stats.at("headline").items())
            rows.set(item.key(), item.value().at("value").dump());
        for (const cause_share &c : translation_causes(run.stats))
            rows.set("cycles_per_translation." + c.name, json(c.mean).dump());
        for (const cause_share &c : stall_causes(run.stats))
            rows.set("wave_cycles_per_memory_instruction." + c.name, json(c.mean).dump());
        set_energy(rows, run.stats.at("statistics"));
        const json &laws = run.stats.at("laws");
        rows.set("laws", std::to_string(laws.size()));
        rows.set("laws_that_hold", std::to_string(laws_that_hold(laws)));
    }
    return rows.made();
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* report/results_table.cpp - results as one table of plain numbers, for programs. */
#include "report/energy.hpp"
#include "report/explain.hpp"
#include "report/sampled.hpp"
#include "report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace walkway
{

namespace
{

/* Rows that may lack columns; columns are in the order of their first use. */
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
        for (size_t i = 0; i < columns_.size(); ++i)
            if (texts_.count(columns_[i]) == 0)
                t.number_columns(i);
        return t;
    }

    void set_text(const std::string &column, const std::string &value)
    {
        texts_.insert(column);
        set(column, value);
    }

private:
    std::set<std::string> texts_; /* columns of text */
    std::vector<std::string> columns_;
    std::vector<std::map<std::string, std::string>> rows_;
};

/* Returns "" for null and for a number that is not finite. */
std::string plain(const json &value)
{
    return value.is_null() || (value.is_number_float() && !std::isfinite(value.get<double>())) ? ""
                                                                                               : value.dump();
}

/* Sets energies in pJ and area in um2, under the names of the statistics. */
void set_energy(sparse_rows &rows, const json &statistics)
{
    std::vector<std::string> names = {"energy.dram", "arrays.energy", "arrays.area"};
    for (const std::string &array : arrays_of(statistics))
        names.push_back("arrays." + array + ".energy");
    for (const std::string &name : names)
        if (statistics.contains(name))
            rows.set(name, plain(statistics.at(name).at("value")));
}

} // namespace

table results_table(const std::vector<named_result> &runs, bool relative, const std::vector<json> &ranges)
{
    sparse_rows rows;
    const json &base = runs.front().stats;
    for (size_t i = 0; i < runs.size(); ++i) {
        const named_result &run = runs[i];
        rows.add_row();
        rows.set_text("run", run.label);
        rows.set_text("end", run.stats.is_null() ? "failed" : run.stats.at("end").get<std::string>());
        if (run.stats.is_null())
            continue;
        rows.set_text("trace", run.stats.at("trace").at("file").get<std::string>());
        if (is_sampled(run.stats))
            rows.set("cycles_half_width", plain(run.stats.at("sampled").at("cycles").at("half_width")));
        if (relative) {
            rows.set("speedup", plain(speedup_of(base, run.stats)));
            if (is_sampled(base) || is_sampled(run.stats))
                rows.set("speedup_half_width", plain(sampled_speedup(base, run.stats).half_width));
            for (const char *name : {"pte_reads", "walk_latency_mean"})
                rows.set(std::string(name) + "_ratio", plain(ratio_of(base, run.stats, name)));
        }
        if (!ranges.empty())
            for (const auto &ratio : ranges[i].items())
                for (const char *what : {"median", "low", "high", "runs"})
                    rows.set(ratio.key() + "_" + what,
                             ratio.value().is_null() ? "" : plain(ratio.value().at(what)));
        for (const auto &item : run.stats.at("headline").items())
            rows.set(item.key(), plain(item.value().at("value")));
        for (const cause_share &c : translation_causes(run.stats))
            rows.set("cycles_per_translation." + c.name, plain(c.mean));
        for (const cause_share &c : stall_causes(run.stats))
            rows.set("wave_cycles_per_memory_instruction." + c.name, plain(c.mean));
        set_energy(rows, run.stats.at("statistics"));
        const json &laws = run.stats.at("laws");
        rows.set("laws", std::to_string(laws.size()));
        rows.set("laws_that_hold", std::to_string(laws_that_hold(laws)));
    }
    return rows.made();
}

} // namespace walkway

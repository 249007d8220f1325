/* SPDX-License-Identifier: MIT */
/* run/statistics.hpp - statistics of a machine as JSON, and reading them back by path
 * ("walk_unit.pte_reads"). The same reader serves the present run and the results of child processes in
 * files. */
#ifndef WALKWAY_RUN_STATISTICS_HPP
#define WALKWAY_RUN_STATISTICS_HPP

#include "platforms/platform.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace walkway
{

using json = nlohmann::ordered_json;

/* Returns {"group.name": {value, unit, description} or {count, sum, min, max, mean, p50, p99, buckets, unit,
 * description}}. */
json statistics_json(const platform &machine);
/* Returns the statistics of any visitor function. */
json statistics_json(const std::function<void(stat_visitor &)> &visit);
json laws_json(const std::vector<law> &laws);

class stat_view
{
public:
    explicit stat_view(const json &statistics) : statistics_(statistics) {}

    bool has(const std::string &path) const { return statistics_.contains(path); }
    bool has_group(const std::string &group) const; /* true if a path starts with "group." */
    /* Throw failure(exit_usage) that names the nearest statistic if there is none of that path or kind. */
    double value(const std::string &path) const;
    uint64_t count(const std::string &path) const;
    const json &histogram(const std::string &path) const;
    /* Returns "mean", "p50", "p99" ... of a histogram. */
    double of_histogram(const std::string &path, const char *field) const;

    struct number {
        std::string name; /* without the prefix */
        double value;
        std::string text;
    };
    /* Returns the plain statistics under "prefix." with this unit, in order of declaration. */
    std::vector<number> under(const std::string &prefix, const std::string &unit) const;

private:
    const json &find(const std::string &path) const;
    const json &statistics_;
};

} // namespace walkway

#endif

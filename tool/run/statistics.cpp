/* SPDX-License-Identifier: MIT */
/* run/statistics.cpp - the visitor that writes statistics as JSON, and the reader of that JSON. */
#include "run/statistics.hpp"

#include "support/errors.hpp"
#include "support/nearest.hpp"

namespace walkway
{

namespace
{

class json_writer final : public stat_visitor
{
public:
    void begin(const std::string &group, const char *) override
    {
        lengths_.push_back(prefix_.size());
        prefix_ += group + ".";
    }
    void end() override
    {
        prefix_.resize(lengths_.back());
        lengths_.pop_back();
    }
    void count(const char *name, uint64_t value, const char *unit, const char *text) override
    {
        add(name, {{"value", value}, {"unit", unit}, {"description", text}});
    }
    void real(const char *name, double value, const char *unit, const char *text) override
    {
        add(name, {{"value", value}, {"unit", unit}, {"description", text}});
    }
    void hist(const char *name, const walkway::histogram &value, const char *unit, const char *text) override
    {
        json buckets = json::array();
        for (unsigned i = 0; i < walkway::histogram::buckets; ++i)
            if (value.bucket(i) != 0)
                buckets.push_back({walkway::histogram::bucket_low(i), value.bucket(i)});
        add(name, {{"count", value.count()},
                   {"sum", value.sum()},
                   {"min", value.min()},
                   {"max", value.max()},
                   {"mean", value.mean()},
                   {"p50", value.quantile(0.50)},
                   {"p99", value.quantile(0.99)},
                   {"buckets", buckets},
                   {"unit", unit},
                   {"description", text}});
    }

    json all = json::object();

private:
    void add(const char *name, json &&value)
    {
        const std::string path = prefix_ + name;
        if (all.contains(path))
            throw std::logic_error("statistic '" + path + "' is declared twice");
        all[path] = std::move(value);
    }

    std::string prefix_;
    std::vector<size_t> lengths_;
};

} // namespace

json statistics_json(const std::function<void(stat_visitor &)> &visit)
{
    json_writer writer;
    visit(writer);
    return writer.all;
}

json statistics_json(const platform &machine)
{
    return statistics_json([&](stat_visitor &v) { machine.visit(v); });
}

json laws_json(const std::vector<law> &laws)
{
    json list = json::array();
    for (const law &l : laws) {
        json entry = {{"name", l.name}, {"left", l.left}, {"right", l.right}, {"holds", l.holds()}};
        if (!l.applies)
            entry["applies"] = false;
        if (!l.holds() && !l.story.empty())
            entry["story"] = l.story;
        list.push_back(entry);
    }
    return list;
}

bool stat_view::has_group(const std::string &group) const
{
    const std::string prefix = group + ".";
    for (const auto &item : statistics_.items())
        if (item.key().compare(0, prefix.size(), prefix) == 0)
            return true;
    return false;
}

const json &stat_view::find(const std::string &path) const
{
    const auto found = statistics_.find(path);
    if (found != statistics_.end())
        return *found;
    std::vector<std::string> names;
    for (const auto &item : statistics_.items())
        names.push_back(item.key());
    throw failure(exit_usage, "this machine has no statistic '" + path + "'" + did_you_mean(path, names) +
                                  "; 'walkway list stats' has them all");
}

double stat_view::value(const std::string &path) const
{
    const json &entry = find(path);
    if (!entry.contains("value"))
        throw failure(exit_usage, "statistic '" + path + "' is a histogram, not a number");
    return entry["value"].get<double>();
}

uint64_t stat_view::count(const std::string &path) const
{
    const json &entry = find(path);
    if (!entry.contains("value"))
        throw failure(exit_usage, "statistic '" + path + "' is a histogram, not a number");
    return entry["value"].get<uint64_t>();
}

const json &stat_view::histogram(const std::string &path) const
{
    const json &entry = find(path);
    if (!entry.contains("buckets"))
        throw failure(exit_usage, "statistic '" + path + "' is a number, not a histogram");
    return entry;
}

double stat_view::of_histogram(const std::string &path, const char *field) const
{
    return histogram(path).at(field).get<double>();
}

std::vector<stat_view::number> stat_view::under(const std::string &prefix, const std::string &unit) const
{
    const std::string start = prefix + ".";
    std::vector<number> list;
    for (const auto &item : statistics_.items())
        if (item.key().compare(0, start.size(), start) == 0 && item.value().contains("value") &&
            item.value()["unit"] == unit)
            list.push_back({item.key().substr(start.size()), item.value()["value"].get<double>(),
                            item.value()["description"].get<std::string>()});
    return list;
}

} // namespace walkway

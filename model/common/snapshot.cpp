/* SPDX-License-Identifier: MIT */
/* model/common/snapshot.cpp - keeps statistics and subtracts them. */
#include "model/common/snapshot.hpp"

#include <stdexcept>

namespace walkway
{

void stat_snapshot::begin(const std::string &group, const char *text)
{
    entries_.push_back({kind::begin, group, "", text, 0, 0});
}

void stat_snapshot::end()
{
    entries_.push_back({kind::end, "", "", "", 0, 0});
}

void stat_snapshot::count(const char *name, uint64_t value, const char *unit, const char *text)
{
    entries_.push_back({kind::count, name, unit, text, value, 0});
}

void stat_snapshot::level(const char *name, uint64_t value, const char *unit, const char *text)
{
    entries_.push_back({kind::level, name, unit, text, value, 0});
}

void stat_snapshot::real(const char *name, double value, const char *unit, const char *text)
{
    entries_.push_back({kind::real, name, unit, text, 0, value});
}

void stat_snapshot::hist(const char *name, const histogram &value, const char *unit, const char *text)
{
    entries_.push_back({kind::hist, name, unit, text, histograms_.size(), 0});
    histograms_.push_back(value);
}

void stat_snapshot::since(const stat_snapshot &start, stat_visitor &v) const
{
    if (entries_.size() != start.entries_.size())
        throw std::logic_error("snapshots of two machines");
    for (size_t i = 0; i < entries_.size(); ++i) {
        const entry &now = entries_[i], &then = start.entries_[i];
        if (now.what != then.what || now.name != then.name)
            throw std::logic_error("snapshots of two machines: " + now.name);
        switch (now.what) {
        case kind::begin:
            v.begin(now.name, now.text);
            break;
        case kind::end:
            v.end();
            break;
        case kind::count:
            if (now.value < then.value)
                throw std::logic_error("statistic '" + now.name + "' went backwards");
            v.count(now.name.c_str(), now.value - then.value, now.unit, now.text);
            break;
        case kind::level:
            v.level(now.name.c_str(), now.value, now.unit, now.text);
            break;
        case kind::real:
            v.real(now.name.c_str(), now.number, now.unit, now.text);
            break;
        case kind::hist:
            v.hist(now.name.c_str(), histograms_[now.value].since(start.histograms_[then.value]), now.unit,
                   now.text);
            break;
        }
    }
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* model/common/stats.hpp - a statistic is declared once, in its block's visit(): name, unit and definition.
 * The summary, stats.json, `walkway list stats` and the docs are visitors of that declaration. They compute
 * ratios from the counters when they are used; no derived value is stored. */
#ifndef WALKWAY_MODEL_COMMON_STATS_HPP
#define WALKWAY_MODEL_COMMON_STATS_HPP

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace walkway
{

/* bench/run builds without these to measure their cost; their contents are then wrong. */
#ifdef WALKWAY_WITHOUT_HISTOGRAMS
constexpr bool with_histograms = false;
#else
constexpr bool with_histograms = true;
#endif
#ifdef WALKWAY_WITHOUT_ACCOUNT
constexpr bool with_account = false;
#else
constexpr bool with_account = true;
#endif

/* Counts of values in buckets: exact below 16, then 8 buckets per octave (12.5 % wide). Never allocates. */
class histogram
{
public:
    static constexpr unsigned buckets = 16 + 60 * 8;

    void add(uint64_t value, uint64_t weight = 1)
    {
        if (!with_histograms)
            return;
        counts_[bucket_of(value)] += weight;
        count_ += weight;
        sum_ += value * weight;
        if (value > max_)
            max_ = value;
        if (value < min_)
            min_ = value;
    }
    void add(const histogram &o);
    /* Adds this share of each of its counts, rounded to the nearest whole; least and largest value are taken
     * as they are. */
    void add_share(const histogram &o, double share);
    /* Returns the values added after `start`, an earlier copy of this. Least and largest are exact if they
     * are new extremes, else edges of their buckets. */
    histogram since(const histogram &start) const;
    uint64_t count() const { return count_; }
    uint64_t sum() const { return sum_; }
    uint64_t min() const { return count_ == 0 ? 0 : min_; }
    uint64_t max() const { return max_; }
    double mean() const
    {
        return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
    }
    /* Returns the upper edge of the bucket that holds this share of the values, never above max(). Required:
     * q is in [0, 1]. */
    uint64_t quantile(double q) const;
    uint64_t bucket(unsigned i) const { return counts_[i]; }
    static uint64_t bucket_low(unsigned i);
    static unsigned bucket_of(uint64_t value)
    {
        if (value < 16)
            return static_cast<unsigned>(value);
        const unsigned octave = 63U - static_cast<unsigned>(__builtin_clzll(value));
        return 16 + (octave - 4) * 8 + static_cast<unsigned>((value >> (octave - 3)) & 7);
    }

private:
    std::array<uint64_t, buckets> counts_{};
    uint64_t count_ = 0;
    uint64_t sum_ = 0;
    uint64_t min_ = UINT64_MAX;
    uint64_t max_ = 0;
};

class stat_visitor
{
public:
    virtual ~stat_visitor() = default;
    /* Groups nest: "cu", then "0". A group's statistics have the full name "cu.0.waves". */
    virtual void begin(const std::string &group, const char *text) = 0;
    virtual void end() = 0;
    virtual void count(const char *name, uint64_t value, const char *unit, const char *text) = 0;
    /* Shows a fact, or the maximum of a value: not a count, of which a part of the run would have a share. */
    virtual void level(const char *name, uint64_t value, const char *unit, const char *text)
    {
        count(name, value, unit, text);
    }
    virtual void real(const char *name, double value, const char *unit, const char *text) = 0;
    virtual void hist(const char *name, const histogram &value, const char *unit, const char *text) = 0;

    template <class S> void group(const std::string &name, const char *text, const S &stats)
    {
        begin(name, text);
        stats.visit(*this);
        end();
    }
};

/* A conservation law checked at the end of a run: left == right, or the run is wrong (exit code 3). It does
 * not apply to an interrupted run, which has requests in flight. */
struct law {
    std::string name; /* "l2_tlb: lookups = hits + misses + merged" */
    uint64_t left;
    uint64_t right;
    std::string story; /* of the first offender, if known */
    bool applies = true;
    bool holds() const { return !applies || left == right; }
};

} // namespace walkway

#endif

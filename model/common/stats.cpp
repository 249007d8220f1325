/* SPDX-License-Identifier: MIT */
/* model/common/stats.cpp - sums, differences and quantiles of histograms. */
#include "model/common/stats.hpp"

#include <cmath>

namespace walkway
{

uint64_t histogram::bucket_low(unsigned i)
{
    if (i < 16)
        return i;
    const unsigned octave = 4 + (i - 16) / 8;
    return (uint64_t{8} + (i - 16) % 8) << (octave - 3);
}

void histogram::add(const histogram &o)
{
    for (unsigned i = 0; i < buckets; ++i)
        counts_[i] += o.counts_[i];
    count_ += o.count_;
    sum_ += o.sum_;
    max_ = o.max_ > max_ ? o.max_ : max_;
    min_ = o.min_ < min_ ? o.min_ : min_;
}

void histogram::add_share(const histogram &o, double share)
{
    const auto part = [share](uint64_t n) {
        return static_cast<uint64_t>(std::llround(static_cast<double>(n) * share));
    };
    for (unsigned i = 0; i < buckets; ++i) {
        counts_[i] += part(o.counts_[i]);
        count_ += part(o.counts_[i]);
    }
    sum_ += part(o.sum_);
    max_ = o.max_ > max_ ? o.max_ : max_;
    min_ = o.min_ < min_ ? o.min_ : min_;
}

histogram histogram::since(const histogram &start) const
{
    if (start.count_ == 0)
        return *this;
    histogram rest;
    unsigned first = buckets, last = 0;
    for (unsigned i = 0; i < buckets; ++i) {
        rest.counts_[i] = counts_[i] - start.counts_[i];
        if (rest.counts_[i] == 0)
            continue;
        first = first == buckets ? i : first;
        last = i;
    }
    rest.count_ = count_ - start.count_;
    rest.sum_ = sum_ - start.sum_;
    if (rest.count_ == 0)
        return rest;
    const uint64_t low = bucket_low(first), high = last + 1 < buckets ? bucket_low(last + 1) - 1 : max_;
    rest.min_ = min_ < start.min_ ? min_ : low > min_ ? low : min_;
    rest.max_ = max_ > start.max_ ? max_ : high < max_ ? high : max_;
    return rest;
}

uint64_t histogram::quantile(double q) const
{
    if (count_ == 0)
        return 0;
    const double wanted = q * static_cast<double>(count_);
    uint64_t seen = 0;
    for (unsigned i = 0; i < buckets; ++i) {
        seen += counts_[i];
        if (counts_[i] != 0 && static_cast<double>(seen) >= wanted) {
            const uint64_t high = i + 1 < buckets ? bucket_low(i + 1) - 1 : max_;
            return high < max_ ? high : max_;
        }
    }
    return max_;
}

} // namespace walkway

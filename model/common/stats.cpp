/* SPDX-License-Identifier: MIT */
/* model/common/stats.cpp - quantiles of a histogram. */
#include "model/common/stats.hpp"

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

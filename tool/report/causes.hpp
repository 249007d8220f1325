/* SPDX-License-Identifier: MIT */
/* report/causes.hpp - what two machines did differently with the same program: the factors of a run's time on
 * the way through the TLBs to the walkers, the factors of memory's work for data, and the bounds that were
 * met. Every figure is defined in docs/use/compare.md. */
#ifndef WALKWAY_REPORT_CAUSES_HPP
#define WALKWAY_REPORT_CAUSES_HPP

#include "run/statistics.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* A rate of both runs, and by how much its change alone makes the whole longer. */
struct cause_factor {
    std::string name; /* "misses of the L2 TLB per lookup" */
    double before, after;
    double times; /* the product of all times is the ratio of the wholes; infinite or nought where a rate is
                     nought */
    std::string note; /* hit rates, the parameter that bounds it */
};

/* Translations, misses at each level, walks, lines per walk, cycles per line, walkers busy at a time: their
 * product is the run's time. Empty where a machine has no such statistics. Where nothing gets as far as a
 * level in one of the runs, the list ends there. */
std::vector<cause_factor> walk_factors(const json &base, const json &other);

/* Reads of the L1 data caches, misses at each level, time of a read of main memory: their product is the time
 * that reads of data spent in main memory, added up. */
std::vector<cause_factor> data_factors(const json &base, const json &other);

/* A bound (an MSHR file, a queue, a buffer) that held requests up. */
struct bound_met {
    std::string name;     /* of its statistic */
    double before, after; /* share of the run's time, of the units' mean */
    std::string text;
};

/* Those whose share changed by at least a hundredth of the time, the largest change first. */
std::vector<bound_met> bounds_changed(const json &base, const json &other);

/* Shares of a change of the waves' time per memory instruction: waiting for translations, for data, and where
 * one cannot tell for which of the two (the coalescer takes nothing, too many operations in flight, the last
 * ones of a wave). Without such an account it is all translation. */
struct wave_change {
    double translation, data, either;
};
wave_change waves_changed(const json &base, const json &other);

} // namespace walkway

#endif

/* SPDX-License-Identifier: MIT */
/* report/causes.hpp - why two machines differ on the same program: the factors of a run's time from the TLBs
 * to the walkers, the factors of memory's work for data, and the bounds that were met. docs/use/compare.md
 * defines every figure. */
#ifndef WALKWAY_REPORT_CAUSES_HPP
#define WALKWAY_REPORT_CAUSES_HPP

#include "run/statistics.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* A rate of both runs, and the ratio by which its change alone lengthens the whole. */
struct cause_factor {
    std::string name; /* "misses of the L2 TLB per lookup" */
    double before, after;
    double times;     /* their product is the ratio of the wholes; infinite, 0 or NaN if rates are 0 */
    std::string note; /* hit rates, or the parameter that bounds it */
};

/* True if a factor, or a product of some, has a logarithm. */
bool usable(double times);

/* Returns translations, misses at each level, walks, lines per walk, cycles per line, busy walkers: their
 * product is the run's time. Empty if a machine has no such statistics. If no request reaches a level in one
 * of the runs or in both, the list ends there, and has no product. */
std::vector<cause_factor> walk_factors(const json &base, const json &other);

/* Returns reads of the L1 data caches, misses at each level, time of a read of main memory: their product is
 * the total time that reads of data spent in main memory. */
std::vector<cause_factor> data_factors(const json &base, const json &other);

/* A bound (an MSHR file, a queue, a buffer) that stalled requests. */
struct bound_met {
    std::string name;     /* of its statistic */
    double before, after; /* share of the run's time, mean over units */
    std::string text;
};

/* Returns the bounds whose share changed by at least a hundredth of the time, the largest change first. */
std::vector<bound_met> bounds_changed(const json &base, const json &other);

/* Shares of a change of the waves' time per memory instruction: waiting for translations, for data, and for
 * either (the coalescer takes nothing, too many operations in flight, the last ones of a wave). Without such
 * an account it is all translation. */
struct wave_change {
    double translation, data, either;
};
wave_change waves_changed(const json &base, const json &other);

} // namespace walkway

#endif

/* SPDX-License-Identifier: MIT */
/* sample/sample_plan.hpp - the windows of a program that are measured. A place in a program is the mean of
 * two shares, 0 to 1: of its pages and of its instructions that are done. All windows have one length by this
 * measure. A kernel is a stratum, and the last window's length of each of its launches is another: the
 * windows of a stratum begin at equal distances within it, the first at random; kernels too small for that
 * are one stratum. Then the sum over strata of (its length / a window's length * the mean over its windows)
 * is unbiased for every count in a window, also if a window ends in another kernel. docs/use/sampling.md. */
#ifndef WALKWAY_SAMPLE_SAMPLE_PLAN_HPP
#define WALKWAY_SAMPLE_SAMPLE_PLAN_HPP

#include "sample/sample_request.hpp"
#include "sample/wave_schedule.hpp"

#include <string>
#include <vector>

namespace walkway
{

constexpr unsigned wave_orders = 2; /* windows alternate between them */

struct sample_window {
    uint32_t stratum, order;
    double from, open, close; /* begins of warm-up and measured part, end; `close` may exceed 1 */
};

struct sample_stratum {
    std::string name; /* of its kernel, with " (ends)" for the ends of its launches */
    double length;
};

struct sample_plan {
    work_done work; /* of the program */
    uint64_t warm_up = 0;
    double length = 0; /* of a window */
    std::vector<sample_stratum> strata;
    std::vector<sample_window> windows; /* by stratum, then place */
    double place(const work_done &done) const
    {
        return (static_cast<double>(done.pages) / static_cast<double>(work.pages) +
                static_cast<double>(done.instructions) / static_cast<double>(work.instructions)) /
               2;
    }
    /* Returns the share of the program's pages that is simulated for the sample. */
    double detail() const;
};

/* Plans a sample; `launches` is from work_of_launches(). A plan without windows: the program uses no
 * pages. */
sample_plan plan_sample(const wkt_reader *trace, const std::vector<work_done> &launches, const residency &on,
                        const sample_request &asked);

} // namespace walkway

#endif

/* SPDX-License-Identifier: MIT */
/* sample/live_points.hpp - the begin of each window of a plan, and the uses before it, found in one pass per
 * order of waves; kept in a file, since it depends on the trace, on the resident waves and on the plan, but
 * on nothing else of a machine. The file is this program's own (no format for others). */
#ifndef WALKWAY_SAMPLE_LIVE_POINTS_HPP
#define WALKWAY_SAMPLE_LIVE_POINTS_HPP

#include "sample/recent_uses.hpp"
#include "sample/sample_plan.hpp"

#include <cstdio>
#include <memory>

namespace walkway
{

struct live_point {
    start_point at;
    uint64_t warm_up = 0; /* instructions of the machine before the window opens */
    work_done measured;   /* in the window, by the schedule */
    bool to_end = false;  /* the window closes with the program */
};

class live_points
{
public:
    /* Throws std::runtime_error if the file cannot be written. */
    static void write(const std::string &path, wkt_reader *trace, const residency &on,
                      const sample_request &asked, const recent_limits &limits);
    /* Throws std::runtime_error if the file is not whole. */
    explicit live_points(const std::string &path);
    const sample_plan &plan() const { return plan_; }
    live_point read(size_t window) const;

private:
    struct place {
        uint64_t at, stored, bytes;
    };
    std::unique_ptr<std::FILE, int (*)(std::FILE *)> file_;
    std::string path_;
    sample_plan plan_;
    std::vector<place> places_;
};

} // namespace walkway

#endif

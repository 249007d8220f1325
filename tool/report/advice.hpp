/* SPDX-License-Identifier: MIT */
/* report/advice.hpp - changes that would help a program: pages of its buffers, the order of its work-groups.
 * Which runs show it, and their results, without running any (docs/use/advise.md). */
#ifndef WALKWAY_REPORT_ADVICE_HPP
#define WALKWAY_REPORT_ADVICE_HPP

#include "model/common/page_areas.hpp"
#include "report/row_pitch.hpp"
#include "report/table.hpp"
#include "run/statistics.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace walkway
{

/* A speed-up below this counts as none: it chooses no page size. */
constexpr double least_gain = 1.005;

/* A buffer of the program, with pages of 4 KiB. */
struct advised_buffer {
    uint32_t number;
    uint64_t bytes, misses; /* misses: of a small LRU TLB, in one order of the accesses */
    std::string left_out;   /* why no run is about it; empty: there are some */
};

enum class advice { baseline, pages, together, order, padding };

/* A run that shows an advice, or the run it is compared with. */
struct advised_run {
    advice what;
    uint32_t buffer;                   /* of pages, of padding */
    std::vector<std::string> settings; /* "section.key=value", in addition to the baseline's */
    uint64_t wasted;                   /* bytes beyond those with pages of 4 KiB; of padding, the buffer's */
    json stats;                        /* its result; null: none */
    uint64_t pitch = 0, pad = 0;       /* of padding: bytes of its rows, and bytes added to each */

    std::string text() const; /* the settings as words of a command line; or its rows */
};

/* Leaves out buffers with little to gain: those that are not touched, those with less than `percent` of the
 * misses, and all but the `most` with most of them. */
void leave_out(std::vector<advised_buffer> &buffers, uint64_t percent, uint64_t most);

/* Returns the bytes of the pages that hold the buffers, beyond those with pages of 4 KiB, if some have pages
 * of their own. */
uint64_t wasted_bytes(const space_ranges &buffers, const std::string &buffer_pages);

/* Returns, ascending, at most one gaining run of pages per buffer: those that save most cycles, each alone,
 * of all choices that waste at most most_wasted bytes. */
std::vector<size_t> best_together(const std::vector<advised_run> &runs, uint64_t most_wasted);
/* Returns such a choice as one run. */
advised_run together(const std::vector<advised_run> &runs, const std::vector<size_t> &chosen,
                     const space_ranges &buffers);

/* Returns why no run pads the rows of such a buffer; empty: its rows all begin at few places of a cache or a
 * TLB, since their pitch is a multiple of 2 KiB. */
std::string why_not_padded(const row_pitch &p);

/* The findings. runs[0] is the baseline and has a result. */
struct advice_report {
    std::string program, machine;
    std::vector<advised_buffer> buffers;
    std::vector<advised_run> runs;
    std::vector<size_t> chosen; /* of the runs of pages */
    uint64_t most_wasted;
    std::vector<row_pitch> pitches; /* by buffer */
};
double gain_of(const advice_report &r, const advised_run &run); /* NaN without a result */
void print_advice(std::ostream &out, const advice_report &r);
/* Returns a row for each run, the largest gains first, then for each buffer that was left out. */
table advice_table(const advice_report &r);

} // namespace walkway

#endif

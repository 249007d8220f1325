/* SPDX-License-Identifier: MIT */
/* report/trace_pages.hpp - the analysis of a trace's pages (analysis/trace_pages.h) for people and for
 * programs; tool/python/walkway/figure.py draws it. docs/use/trace-info.md defines the numbers. */
#ifndef WALKWAY_REPORT_TRACE_PAGES_HPP
#define WALKWAY_REPORT_TRACE_PAGES_HPP

#include "analysis/trace_pages.h"
#include "run/statistics.hpp"
#include "run/trace_file.hpp"
#include "support/options.hpp"

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace walkway
{

struct pages_closer {
    void operator()(ww_pages *p) const { ww_pages_close(p); }
};

/* A finished analysis and its trace, which must stay open. */
struct page_analysis {
    const wkt_reader *trace;
    ww_pages_cfg cfg;
    std::unique_ptr<ww_pages, pages_closer> pages;
};

/* Returns the configuration by --page, --windows, --resident-waves and --resident-groups. Throws
 * failure(exit_usage). */
ww_pages_cfg pages_configuration(const arguments &args);

/* Analyses a trace. Throws failure(exit_input) for damaged groups, failure(exit_interrupted). */
page_analysis analyse_pages(const std::string &path, wkt_reader *trace, const ww_pages_cfg &cfg);

json pages_json(const page_analysis &a);
/* Adds the analysis and what stands above the picture to a trace's `info` (trace_info_json()), with kernels'
 * names as people read them: what python/walkway/figure.py draws. */
json drawn_json(json info, const page_analysis &a, const std::string &title);
void print_pages(std::ostream &out, const page_analysis &a);

/* ---- numbers of the reports ---- */

/* Returns the TLB sizes to show, as log2 of entries: from 16 entries to the first with cold misses only. */
std::vector<uint32_t> tlb_sizes_log2(const page_analysis &a);
double miss_ratio(const ww_pages_part &part, uint32_t entries_log2);

/* A group of a histogram of small numbers; groups grow: 1, 2, 3 to 4, 5 to 8, ... */
struct number_group {
    uint32_t from, to;
};
extern const std::vector<number_group> number_groups;
/* Returns the share of the instructions within a group. */
double share_of(const uint64_t *histogram, uint32_t size, const number_group &group);
double mean_of(const uint64_t *histogram, uint32_t size);

/* Returns the share of the buffer's pages that the part touched; NaN for an empty buffer. */
double touched_share(const page_analysis &a, const ww_pages_part &part, uint32_t buffer);
uint64_t neighbourhood_bytes(const page_analysis &a);
std::string text_of_page(uint8_t page_shift); /* "4 KiB" */
/* Returns page size and order of accesses, as in every report. */
std::string text_of_setting(const page_analysis &a);
/* Returns the kernel of the page access of this number. */
const char *kernel_at(const page_analysis &a, uint64_t access);

} // namespace walkway

#endif

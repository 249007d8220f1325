/* SPDX-License-Identifier: MIT */
/* report/trace_pages_print.cpp - the analysis of a trace's pages as text. */
#include "report/trace_pages.hpp"

#include "kernels/addr.h"
#include "report/table.hpp"
#include "support/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace walkway
{

/* Returns a bar of constant width, so that the next column is aligned. */
static std::string bar(double share, size_t width)
{
    const double length = std::isfinite(share) ? share * static_cast<double>(width) : 0.0;
    const size_t filled = std::min(width, static_cast<size_t>(std::lround(length)));
    return std::string(filled, '#') + std::string(width - filled, ' ');
}

static std::string text_of_range(uint64_t from, uint64_t to)
{
    return from == to ? text_of_count(from) : text_of_count(from) + " to " + text_of_count(to);
}

static double ratio(uint64_t part, uint64_t whole)
{
    return static_cast<double>(part) / static_cast<double>(whole);
}

static void print_kinds(std::ostream &out, const ww_pages_part &part)
{
    table t({"kind", "instructions", "lanes", "bytes"});
    for (const uint8_t kind : {WKT_LOAD, WKT_STORE, WKT_ATOMIC}) {
        const ww_pages_kind &k = part.kinds[kind];
        if (k.instructions != 0)
            t.row({wkt_kind_name(kind), text_of_count(k.instructions), text_of_count(k.lanes),
                   text_of_count(k.bytes)});
    }
    t.print(out);
}

static void print_instructions(std::ostream &out, const ww_pages_part &part)
{
    const auto share = [](double value) { return value > 0.0 ? text_of_share(value) : std::string(); };
    table t({"of an instruction", "pages", "", "neighbourhoods", "", "active lanes", ""});
    for (const number_group &g : number_groups) {
        const double pages = share_of(part.pages, WW_COAL_MAX + 1, g);
        const double nbhds = share_of(part.nbhds, WW_COAL_MAX + 1, g);
        const double lanes = share_of(part.lanes, WKT_WAVE_LANES + 1, g);
        if (pages > 0.0 || nbhds > 0.0 || lanes > 0.0)
            t.row({g.to > WKT_WAVE_LANES ? "more" : text_of_range(g.from, g.to), share(pages), bar(pages, 12),
                   share(nbhds), bar(nbhds, 12), share(lanes), bar(lanes, 12)});
    }
    t.row({"mean", text_of_real(mean_of(part.pages, WW_COAL_MAX + 1), 2), "",
           text_of_real(mean_of(part.nbhds, WW_COAL_MAX + 1), 2), "",
           text_of_real(mean_of(part.lanes, WKT_WAVE_LANES + 1), 2), ""});
    t.print(out);
}

static void print_footprint(std::ostream &out, const page_analysis &a, const ww_pages_part &part)
{
    table sizes({"footprint", "pages", "bytes"});
    for (uint32_t i = 0; i < WW_FOOTPRINTS; ++i) {
        const uint8_t shift = ww_footprint_shift(i);
        sizes.row({text_of_page(shift), text_of_count(part.footprint[i]),
                   text_of_bytes(part.footprint[i] << shift)});
    }
    sizes.print(out);
    out << '\n';
    table buffers({"buffer", "size", "4 KiB pages", "touched", "", "page accesses"});
    for (uint32_t i = 0; part.buffers != nullptr && i < wkt_reader_info(a.trace)->buffers; ++i) {
        const ww_pages_buffer &b = part.buffers[i];
        const double share = touched_share(a, part, i);
        if (b.pages != 0)
            buffers.row({std::to_string(i), text_of_bytes(wkt_reader_buffer(a.trace, i)->bytes),
                         text_of_count(b.pages), text_of_share(share), bar(share, 12),
                         text_of_count(b.accesses)});
    }
    if (part.outside != 0)
        buffers.row({"none", "", text_of_count(part.outside), "", bar(0.0, 12), ""});
    buffers.print(out);
}

static void print_reuse(std::ostream &out, const page_analysis &a, const ww_pages_part &part)
{
    table t({"reuse distance", "page accesses", "share", "", "LRU TLB of", "misses", ""});
    const uint32_t last = tlb_sizes_log2(a).back();
    for (uint32_t b = 0; b <= last; ++b) {
        const double share = ratio(part.reuse[b], part.accesses), misses = miss_ratio(part, b);
        t.row({text_of_range(b == 0 ? 0 : uint64_t{1} << (b - 1), (uint64_t{1} << b) - 1),
               text_of_count(part.reuse[b]), text_of_share(share), bar(share, 12),
               b < 4 ? "" : text_of_count(uint64_t{1} << b), b < 4 ? "" : text_of_share(misses),
               b < 4 ? "" : bar(misses, 12)});
    }
    const double cold = ratio(part.cold, part.accesses);
    t.row({"never before", text_of_count(part.cold), text_of_share(cold), bar(cold, 12), "", "", ""});
    t.row({"all", text_of_count(part.accesses), "", bar(0.0, 12), "", "", ""});
    t.print(out);
}

static void print_part(std::ostream &out, const page_analysis &a, const ww_pages_part &part)
{
    if (ww_pages_instructions(&part) == 0) {
        out << "no access of global memory\n";
        return;
    }
    print_kinds(out, part);
    out << '\n';
    print_instructions(out, part);
    out << '\n';
    print_footprint(out, a, part);
    out << '\n';
    print_reuse(out, a, part);
}

static void print_kernel_table(std::ostream &out, const page_analysis &a)
{
    const ww_pages *pages = a.pages.get();
    table t({"kernel", "launches", "instructions", "lanes", "pages", "neighbourhoods", "page accesses",
             "4 KiB pages"});
    const auto row = [&](const std::string &name, uint32_t launches, const ww_pages_part &part) {
        t.row({name, text_of_count(launches), text_of_count(ww_pages_instructions(&part)),
               text_of_real(mean_of(part.lanes, WKT_WAVE_LANES + 1), 1),
               text_of_real(mean_of(part.pages, WW_COAL_MAX + 1), 1),
               text_of_real(mean_of(part.nbhds, WW_COAL_MAX + 1), 1), text_of_count(part.accesses),
               text_of_count(part.footprint[WW_FOOTPRINT_4K])});
    };
    for (uint32_t k = 0; k < ww_pages_kernels(pages); ++k) {
        const ww_kernel_pages &kernel = *ww_pages_kernel(pages, k);
        row(as_written(readable_name(kernel.name)), kernel.launches, kernel.part);
    }
    row("all", wkt_reader_info(a.trace)->launches, *ww_pages_whole(pages));
    t.print(out);
}

static void print_working_set(std::ostream &out, const page_analysis &a)
{
    const ww_working_set *w = ww_pages_working_set(a.pages.get());
    const uint32_t windows = ww_working_set_windows(w);
    uint64_t most = 1;
    for (uint32_t i = 0; i < windows; ++i)
        most = std::max(most, ww_working_set_distinct(w, i));
    out << "Working set: windows of " << text_of_count(uint64_t{1} << w->shift) << " page accesses.\n\n";
    table t({"window", "from access", "distinct pages", "", "new pages", "kernel"});
    t.align_last_left();
    for (uint32_t i = 0; i < windows; ++i) {
        const uint64_t from = uint64_t{i} << w->shift, distinct = ww_working_set_distinct(w, i);
        t.row({std::to_string(i), text_of_count(from), text_of_count(distinct),
               bar(ratio(distinct, most), 24), text_of_count(ww_working_set_fresh(w, i)),
               as_written(readable_name(kernel_at(a, from)))});
    }
    t.print(out);
}

void print_pages(std::ostream &out, const page_analysis &a)
{
    const ww_pages *pages = a.pages.get();
    out << text_of_setting(a) << ".\nLanes, pages and neighbourhoods are means of an instruction.\n\n";
    print_kernel_table(out, a);
    out << "\n--- the whole trace\n\n";
    print_part(out, a, *ww_pages_whole(pages));
    if (ww_pages_whole(pages)->accesses != 0) {
        out << '\n';
        print_working_set(out, a);
    }
    for (uint32_t k = 0; ww_pages_kernels(pages) > 1 && k < ww_pages_kernels(pages); ++k) {
        const ww_kernel_pages &kernel = *ww_pages_kernel(pages, k);
        out << "\n--- " << as_written(readable_name(kernel.name)) << "\n\n";
        print_part(out, a, kernel.part);
    }
}

} // namespace walkway

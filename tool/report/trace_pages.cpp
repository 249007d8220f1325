/* SPDX-License-Identifier: MIT */
/* report/trace_pages.cpp - runs the analysis of a trace's pages and prints it as JSON; functions that its
 * reports share. */
#include "report/trace_pages.hpp"

#include "kernels/addr.h"
#include "report/table.hpp"
#include "run/progress.hpp"
#include "support/interrupt.hpp"
#include "support/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace walkway
{

const std::vector<number_group> number_groups = {{1, 1},   {2, 2},   {3, 4},   {5, 8},           {9, 16},
                                                 {17, 32}, {33, 63}, {64, 64}, {65, WW_COAL_MAX}};

static const uint8_t kinds[] = {WKT_LOAD, WKT_STORE, WKT_ATOMIC};

static double ratio(uint64_t part, uint64_t whole)
{
    return whole == 0 ? std::numeric_limits<double>::quiet_NaN()
                      : static_cast<double>(part) / static_cast<double>(whole);
}

static uint8_t page_shift_of(const std::string &text)
{
    std::vector<std::string> names;
    for (uint32_t i = 0; i < WW_FOOTPRINTS; ++i) {
        std::string name = ww_page_name(ww_footprint_shift(i));
        if (text == name)
            return ww_footprint_shift(i);
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (text == name)
            return ww_footprint_shift(i);
        names.push_back(name);
    }
    throw failure(exit_usage,
                  "--page " + as_written(text) + ": is none of 4k, 64k, 2m" + did_you_mean(text, names));
}

ww_pages_cfg pages_configuration(const arguments &args)
{
    const auto number = [&](const char *name, uint64_t fallback, uint64_t min, uint64_t max) {
        return static_cast<uint32_t>(args.number(name, fallback, min, max));
    };
    return {
        page_shift_of(args.value("page", "4k")),
        number("windows", 64, WW_WINDOWS_MIN, WW_WINDOWS_MAX),
        {number("resident-waves", 320, 1, UINT32_MAX), number("resident-groups", UINT32_MAX, 1, UINT32_MAX)}};
}

page_analysis analyse_pages(const std::string &path, wkt_reader *trace, const ww_pages_cfg &cfg)
{
    constexpr uint64_t records_at_once = 1 << 14;
    wkt_error error{};
    ww_pages *opened = nullptr;
    if (ww_pages_open(trace, &cfg, &opened, &error) != WKT_OK)
        throw failure(exit_input, path + ": " + error.text);
    page_analysis a = {trace, cfg, std::unique_ptr<ww_pages, pages_closer>(opened)};
    uint64_t all = 0, done = 0;
    for (const uint64_t records : wkt_reader_info(trace)->totals.records)
        all += records;
    progress_line progress(false);
    int status = 1;
    while ((status = ww_pages_advance(opened, records_at_once, &error)) == 1) {
        done += records_at_once;
        if (interrupted())
            throw failure(exit_interrupted, "interrupted");
        progress.message("analysing pages  " + text_of_share(std::min(1.0, ratio(done, all))));
    }
    if (status != 0) {
        const std::string text = error.text;
        throw failure(exit_input, text.compare(0, path.size(), path) == 0 ? text : path + ": " + text);
    }
    return a;
}

std::vector<uint32_t> tlb_sizes_log2(const page_analysis &a)
{
    const ww_pages_part &whole = *ww_pages_whole(a.pages.get());
    std::vector<uint32_t> sizes = {4};
    while (ww_pages_misses(&whole, sizes.back()) > whole.cold)
        sizes.push_back(sizes.back() + 1);
    return sizes;
}

double miss_ratio(const ww_pages_part &part, uint32_t entries_log2)
{
    return ratio(ww_pages_misses(&part, entries_log2), part.accesses);
}

double share_of(const uint64_t *histogram, uint32_t size, const number_group &group)
{
    uint64_t within = 0, all = 0;
    for (uint32_t i = 0; i < size; ++i) {
        all += histogram[i];
        within += i >= group.from && i <= group.to ? histogram[i] : 0;
    }
    return ratio(within, all);
}

double mean_of(const uint64_t *histogram, uint32_t size)
{
    uint64_t sum = 0, all = 0;
    for (uint32_t i = 0; i < size; ++i) {
        all += histogram[i];
        sum += i * histogram[i];
    }
    return ratio(sum, all);
}

double touched_share(const page_analysis &a, const ww_pages_part &part, uint32_t buffer)
{
    const uint64_t touched = part.buffers == nullptr ? 0 : part.buffers[buffer].pages;
    return ratio(touched, ww_pages_of_buffer(wkt_reader_buffer(a.trace, buffer)));
}

uint64_t neighbourhood_bytes(const page_analysis &a)
{
    return WW_LINE_PTES << ww_level_shift(ww_page_level(a.cfg.page_shift));
}

std::string text_of_page(uint8_t page_shift)
{
    std::string text = ww_page_name(page_shift);
    return text.insert(text.size() - 1, " ") + "iB";
}

std::string text_of_setting(const page_analysis &a)
{
    const auto limit = [](uint32_t count, const char *what) {
        return text_of_count(count) + what + (count == 1 ? "" : "s");
    };
    return "pages of " + text_of_page(a.cfg.page_shift) + ", neighbourhoods of " +
           text_of_bytes(neighbourhood_bytes(a)) + ", at most " + limit(a.cfg.order.waves, " wave") +
           (a.cfg.order.groups == UINT32_MAX ? "" : " and " + limit(a.cfg.order.groups, " work-group")) +
           " resident";
}

const char *kernel_at(const page_analysis &a, uint64_t access)
{
    uint32_t launch = 0;
    for (uint32_t i = 0; i < wkt_reader_info(a.trace)->launches; ++i)
        if (ww_pages_launch_start(a.pages.get(), i) <= access)
            launch = i;
    return wkt_reader_launch(a.trace, launch)->name;
}

/* ---- JSON ---- */

static json real(double value)
{
    return std::isfinite(value) ? json(value) : json();
}

static json histogram_json(const uint64_t *histogram, uint32_t size, const char *name)
{
    json list = json::array();
    for (uint32_t i = 0; i < size; ++i)
        if (histogram[i] != 0)
            list.push_back({{name, i}, {"instructions", histogram[i]}});
    return {{"mean", real(mean_of(histogram, size))}, {"histogram", list}};
}

static json buffers_json(const page_analysis &a, const ww_pages_part &part)
{
    json list = json::array();
    for (uint32_t i = 0; part.buffers != nullptr && i < wkt_reader_info(a.trace)->buffers; ++i) {
        const ww_pages_buffer &b = part.buffers[i];
        if (b.pages != 0)
            list.push_back({{"buffer", i},
                            {"pages_touched", b.pages},
                            {"pages", ww_pages_of_buffer(wkt_reader_buffer(a.trace, i))},
                            {"share", real(touched_share(a, part, i))},
                            {"page_accesses", b.accesses}});
    }
    return list;
}

static json part_json(const page_analysis &a, const ww_pages_part &part)
{
    json accesses = json::object(), footprint = json::object(), reuse = json::array(), misses = json::array();
    for (const uint8_t kind : kinds) {
        const ww_pages_kind &k = part.kinds[kind];
        accesses[wkt_kind_name(kind)] = {
            {"instructions", k.instructions}, {"lanes", k.lanes}, {"bytes", k.bytes}};
    }
    for (uint32_t i = 0; i < WW_FOOTPRINTS; ++i)
        footprint[ww_page_name(ww_footprint_shift(i))] = {
            {"pages", part.footprint[i]}, {"bytes", part.footprint[i] << ww_footprint_shift(i)}};
    for (uint32_t b = 0; b < WW_REUSE_BUCKETS; ++b)
        if (part.reuse[b] != 0)
            reuse.push_back({{"from", b == 0 ? 0 : uint64_t{1} << (b - 1)},
                             {"to", (uint64_t{1} << b) - 1},
                             {"page_accesses", part.reuse[b]}});
    for (const uint32_t size : tlb_sizes_log2(a))
        misses.push_back({{"entries", uint64_t{1} << size},
                          {"misses", ww_pages_misses(&part, size)},
                          {"ratio", real(miss_ratio(part, size))}});
    return {{"instructions", ww_pages_instructions(&part)},
            {"kinds", accesses},
            {"lanes", histogram_json(part.lanes, WKT_WAVE_LANES + 1, "lanes")},
            {"pages", histogram_json(part.pages, WW_COAL_MAX + 1, "pages")},
            {"neighbourhoods", histogram_json(part.nbhds, WW_COAL_MAX + 1, "neighbourhoods")},
            {"footprint", footprint},
            {"outside_buffers", part.outside},
            {"buffers", buffers_json(a, part)},
            {"page_accesses", part.accesses},
            {"cold", part.cold},
            {"reuse_distance", reuse},
            {"lru_tlb", misses}};
}

json pages_json(const page_analysis &a)
{
    const ww_pages *pages = a.pages.get();
    json kernels = json::array(), windows = json::array(), starts = json::array();
    for (uint32_t k = 0; k < ww_pages_kernels(pages); ++k) {
        const ww_kernel_pages &kernel = *ww_pages_kernel(pages, k);
        json entry = {{"kernel", kernel.name}, {"launches", kernel.launches}};
        entry.update(part_json(a, kernel.part));
        kernels.push_back(entry);
    }
    const ww_working_set *w = ww_pages_working_set(pages);
    for (uint32_t i = 0; i < ww_working_set_windows(w); ++i)
        windows.push_back({{"distinct", ww_working_set_distinct(w, i)}, {"new", ww_working_set_fresh(w, i)}});
    for (uint32_t i = 0; i < wkt_reader_info(a.trace)->launches; ++i)
        starts.push_back(ww_pages_launch_start(pages, i));
    return {{"page_bytes", ww_page_bytes(a.cfg.page_shift)},
            {"neighbourhood_bytes", neighbourhood_bytes(a)},
            {"resident_waves", a.cfg.order.waves},
            {"resident_groups", a.cfg.order.groups == UINT32_MAX ? json() : json(a.cfg.order.groups)},
            {"whole", part_json(a, *ww_pages_whole(pages))},
            {"kernels", kernels},
            {"working_set",
             {{"window_page_accesses", uint64_t{1} << w->shift},
              {"windows", windows},
              {"launch_starts", starts}}}};
}

json drawn_json(json info, const page_analysis &a, const std::string &title)
{
    info["pages"] = pages_json(a);
    for (json *kernels : {&info["launches"], &info["pages"]["kernels"]})
        for (json &one : *kernels)
            one["kernel"] = readable_name(one["kernel"].get<std::string>());
    const ww_pages_part &whole = *ww_pages_whole(a.pages.get());
    info["title"] = title;
    info["notes"] = {text_of_count(ww_pages_instructions(&whole)) + " instructions, " +
                     text_of_count(whole.accesses) + " page accesses; " + text_of_setting(a)};
    return info;
}

} // namespace walkway

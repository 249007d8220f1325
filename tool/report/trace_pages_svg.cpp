/* SPDX-License-Identifier: MIT */
/* report/trace_pages_svg.cpp - the analysis of a trace's pages as a picture of four panels: pages of an
 * instruction, reuse and TLB misses, working set over time, buffers. */
#include "report/trace_pages.hpp"

#include "kernels/addr.h"
#include "report/svg.hpp"
#include "report/table.hpp"
#include "support/nearest.hpp"

#include <algorithm>
#include <cmath>

namespace walkway
{

namespace
{

constexpr double page_width = 1000, page_height = 726, margin = 16, gap = 14, head_height = 54;
constexpr double panel_width = (page_width - 2 * margin - gap) / 2;
constexpr double panel_height = (page_height - head_height - margin - gap) / 2;
constexpr size_t series_most = 5;

/* A panel with a heading, and its plot area in user units: x 0 ... x_most, y 0 ... y_most. */
struct plot {
    svg &out;
    double left, top, right, bottom;
    double x_most, y_most;

    double x(double value) const { return left + (right - left) * value / x_most; }
    double y(double value) const { return bottom - (bottom - top) * value / y_most; }
};

plot make_plot(svg &out, unsigned column, unsigned row, const std::string &head, double x_most, double y_most)
{
    const double x = margin + column * (panel_width + gap), y = head_height + row * (panel_height + gap);
    out.rect(x, y, panel_width, panel_height, "panel");
    out.text(x + 14, y + 24, head, "head");
    return {out, x + 66, y + 66, x + panel_width - 18, y + panel_height - 46, x_most, y_most};
}

void label_axes(const plot &p, const std::string &x_label, const std::string &y_label)
{
    p.out.line(p.left, p.bottom, p.right, p.bottom, "axis");
    p.out.text((p.left + p.right) / 2, p.bottom + 36, x_label, "label", "middle");
    p.out.text(p.left - 48, (p.top + p.bottom) / 2, y_label, "label", "middle", true);
}

void percent_axis(const plot &p)
{
    for (unsigned percent = 0; percent <= 100; percent += 20) {
        const double y = p.y(percent / 100.0);
        p.out.line(p.left, y, p.right, y, "grid");
        p.out.text(p.left - 6, y + 4, std::to_string(percent) + " %", "tick", "end");
    }
}

/* Returns "5", "500", "12 k", "1.5 M". */
std::string short_count(double value)
{
    const char *unit = value >= 1e9 ? " G" : value >= 1e6 ? " M" : value >= 1e4 ? " k" : "";
    const double scaled = value >= 1e9   ? value * 1e-9
                          : value >= 1e6 ? value * 1e-6
                          : value >= 1e4 ? value * 1e-3
                                         : value;
    return text_of_real(scaled, scaled < 10 && scaled != std::floor(scaled) ? 1 : 0) + unit;
}

/* Draws names in a row below the heading, each after a patch of its colour. */
class legend
{
public:
    explicit legend(const plot &p) : out_(p.out), x_(p.left - 52), y_(p.top - 24) {}
    void add(const std::string &css, const std::string &name)
    {
        out_.rect(x_, y_ - 9, 12, 10, css);
        out_.text(x_ + 17, y_, name, "label");
        x_ += width_of(name);
    }
    static double width_of(const std::string &name)
    {
        return 17 + character * static_cast<double>(name.size()) + 16;
    }
    /* Returns how many characters of a name fit into this width; at least four. */
    static size_t characters(double width)
    {
        return static_cast<size_t>(std::max(4.0, (width - width_of("")) / character));
    }

private:
    static constexpr double character = 6.8; /* mean width at 12 pixels */
    svg &out_;
    double x_, y_;
};

void draw_instructions(svg &out, const page_analysis &a)
{
    const ww_pages_part &part = *ww_pages_whole(a.pages.get());
    struct series {
        const char *name;
        const uint64_t *histogram;
        uint32_t size;
    };
    const series list[] = {{"pages", part.pages, WW_COAL_MAX + 1},
                           {"neighbourhoods", part.nbhds, WW_COAL_MAX + 1},
                           {"lanes", part.lanes, WKT_WAVE_LANES + 1}};
    const bool wide = share_of(part.pages, WW_COAL_MAX + 1, number_groups.back()) > 0.0;
    const size_t groups = number_groups.size() - (wide ? 0 : 1);
    const plot p = make_plot(out, 0, 0, "What a wave instruction touches", static_cast<double>(groups), 1.0);
    percent_axis(p);
    label_axes(p, "of one instruction", "instructions");
    legend names(p);
    for (unsigned s = 0; s < 3; ++s)
        names.add("s" + std::to_string(s), std::string(list[s].name) + (s == 0 ? " (mean " : " (") +
                                               text_of_real(mean_of(list[s].histogram, list[s].size), 1) +
                                               ")");
    for (size_t g = 0; g < groups; ++g) {
        const number_group &group = number_groups[g];
        const bool last = g + 1 == number_groups.size();
        const std::string range = last ? "more"
                                  : group.from == group.to
                                      ? std::to_string(group.from)
                                      : std::to_string(group.from) + "-" + std::to_string(group.to);
        const double at = static_cast<double>(g);
        out.text(p.x(at + 0.5), p.bottom + 16, range, "tick", "middle");
        for (unsigned s = 0; s < 3; ++s) {
            const double share = share_of(list[s].histogram, list[s].size, group);
            if (share > 0.0)
                out.rect(p.x(at + 0.08 + 0.28 * s), p.y(share), p.x(0.28) - p.left - 1, p.bottom - p.y(share),
                         "s" + std::to_string(s),
                         std::string(list[s].name) + " " + range + ": " + text_of_share(share));
        }
    }
}

/* Returns the whole trace, then, if it has several kernels, those with the most page accesses. */
std::vector<std::pair<std::string, const ww_pages_part *>> parts_to_draw(const page_analysis &a)
{
    const ww_pages *pages = a.pages.get();
    std::vector<std::pair<std::string, const ww_pages_part *>> parts;
    for (uint32_t k = 0; k < ww_pages_kernels(pages); ++k)
        if (ww_pages_kernel(pages, k)->part.accesses != 0)
            parts.emplace_back(readable_name(ww_pages_kernel(pages, k)->name),
                               &ww_pages_kernel(pages, k)->part);
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto &x, const auto &y) { return x.second->accesses > y.second->accesses; });
    if (parts.size() < 2)
        parts.clear();
    parts.resize(std::min(parts.size(), series_most - 1));
    parts.insert(parts.begin(), {"all", ww_pages_whole(pages)});
    return parts;
}

/* Returns "512", "1 Ki", "64 Ki", "1 Mi". */
std::string text_of_power(uint32_t log2)
{
    const char *const units[] = {"", " Ki", " Mi", " Gi"};
    return std::to_string(1u << log2 % 10) + units[log2 / 10];
}

void draw_reuse(svg &out, const page_analysis &a)
{
    const uint32_t sizes = tlb_sizes_log2(a).back() + 1;
    const plot p = make_plot(out, 1, 0, "Reuse distance, and misses of an LRU TLB", sizes, 1.0);
    percent_axis(p);
    label_axes(p, "reuse distance in pages (bars), entries of the TLB (lines)", "page accesses");
    for (uint32_t b = 0; b <= sizes; ++b) {
        out.line(p.x(b), p.bottom, p.x(b), p.bottom + 4, "axis");
        if (b % (sizes > 12 ? 2 : 1) == 0)
            out.text(p.x(b), p.bottom + 16, text_of_power(b), "tick", "middle");
    }
    const ww_pages_part &whole = *ww_pages_whole(a.pages.get());
    for (uint32_t b = 1; b <= sizes; ++b) {
        const double share = static_cast<double>(whole.reuse[b]) / static_cast<double>(whole.accesses);
        if (share > 0.0)
            out.rect(p.x(b - 1) + 1, p.y(share), p.x(1) - p.left - 2, p.bottom - p.y(share), "faint",
                     "distance " + std::to_string(uint64_t{1} << (b - 1)) + " to " +
                         std::to_string((uint64_t{1} << b) - 1) + ": " + text_of_share(share));
    }
    legend names(p);
    const auto parts = parts_to_draw(a);
    for (size_t i = parts.size(); i-- > 0;) {
        std::vector<std::pair<double, double>> points;
        for (uint32_t b = 0; b <= sizes; ++b)
            points.emplace_back(p.x(b), p.y(miss_ratio(*parts[i].second, b)));
        out.polyline(points, "l" + std::to_string(i));
    }
    const double room = panel_width - 28 - legend::width_of("all");
    const size_t longest =
        legend::characters(room / static_cast<double>(std::max<size_t>(parts.size() - 1, 1)));
    for (size_t i = 0; i < parts.size(); ++i)
        names.add("s" + std::to_string(i), shortened(parts[i].first, longest));
}

/* Returns the launches at which the kernel changes; none if there are too many to distinguish. */
std::vector<uint32_t> kernel_changes(const page_analysis &a)
{
    constexpr size_t most = 8;
    std::vector<uint32_t> launches;
    const uint64_t all = ww_pages_working_set(a.pages.get())->accesses;
    for (uint32_t i = 0; i < wkt_reader_info(a.trace)->launches; ++i) {
        const uint64_t start = ww_pages_launch_start(a.pages.get(), i);
        const std::string name = wkt_reader_launch(a.trace, i)->name;
        const uint64_t end =
            i + 1 == wkt_reader_info(a.trace)->launches ? all : ww_pages_launch_start(a.pages.get(), i + 1);
        if (start == end || (!launches.empty() && name == wkt_reader_launch(a.trace, launches.back())->name))
            continue;
        launches.push_back(i);
        if (launches.size() > most)
            return {};
    }
    return launches;
}

void draw_working_set(svg &out, const page_analysis &a)
{
    const ww_working_set *w = ww_pages_working_set(a.pages.get());
    const uint32_t windows = ww_working_set_windows(w);
    uint64_t most = 1;
    for (uint32_t i = 0; i < windows; ++i)
        most = std::max(most, ww_working_set_distinct(w, i));
    const double step = nice_step(static_cast<double>(most) * 1.02, 5);
    const plot p = make_plot(out, 0, 1, "Working set over time", static_cast<double>(w->accesses),
                             step * std::ceil(static_cast<double>(most) * 1.02 / step));
    for (double value = 0; value <= p.y_most * 1.0001; value += step) {
        out.line(p.left, p.y(value), p.right, p.y(value), "grid");
        out.text(p.left - 6, p.y(value) + 4, short_count(value), "tick", "end");
    }
    const double x_step = nice_step(p.x_most, 6);
    for (double value = 0; value <= p.x_most; value += x_step)
        out.text(p.x(value), p.bottom + 16, short_count(value), "tick", "middle");
    for (const bool fresh : {false, true}) {
        std::vector<std::pair<double, double>> points = {{p.left, p.bottom}};
        for (uint32_t i = 0; i < windows; ++i) {
            const uint64_t pages = fresh ? ww_working_set_fresh(w, i) : ww_working_set_distinct(w, i);
            const double height = p.y(static_cast<double>(pages));
            const uint64_t end = std::min(w->accesses, (uint64_t{i} + 1) << w->shift);
            points.emplace_back(p.x(static_cast<double>(uint64_t{i} << w->shift)), height);
            points.emplace_back(p.x(static_cast<double>(end)), height);
        }
        points.emplace_back(p.right, p.bottom);
        out.polygon(points, fresh ? "s1" : "faint");
        if (!fresh)
            out.polyline({points.begin() + 1, points.end() - 1}, "l0");
    }
    double free_from = p.left;
    for (const uint32_t launch : kernel_changes(a)) {
        const double x = p.x(static_cast<double>(ww_pages_launch_start(a.pages.get(), launch)));
        const std::string name = shortened(readable_name(wkt_reader_launch(a.trace, launch)->name), 18);
        const double width = 6.2 * static_cast<double>(name.size());
        out.line(x, p.top - 12, x, p.bottom, "mark");
        /* Writes the name on the side of its line that has room. */
        if (x >= free_from && x + 4 + width <= p.right) {
            out.text(x + 4, p.top - 4, name, "tick");
            free_from = x + 4 + width;
        } else if (x - 4 - width >= free_from) {
            out.text(x - 4, p.top - 4, name, "tick", "end");
            free_from = x;
        }
    }
    label_axes(p, "page accesses so far", "pages in a window");
    legend names(p);
    names.add("l0 faint", "distinct in " + text_of_count(uint64_t{1} << w->shift) + " accesses");
    names.add("s1", "of these new");
}

void draw_share(const plot &p, double top, double height, double share, const std::string &css)
{
    p.out.rect(p.left, top, p.right - p.left, height, "track");
    p.out.rect(p.left, top, p.x(share) - p.left, height, css);
    p.out.text(p.right + 6, top + height / 2 + 4, text_of_share(share), "tick");
}

void draw_buffers(svg &out, const page_analysis &a)
{
    constexpr size_t most = 7, rows_least = 4;
    const ww_pages_part &whole = *ww_pages_whole(a.pages.get());
    std::vector<uint32_t> list;
    uint64_t accesses = 0;
    for (uint32_t i = 0; i < wkt_reader_info(a.trace)->buffers; ++i) {
        accesses += whole.buffers[i].accesses;
        if (whole.buffers[i].pages != 0)
            list.push_back(i);
    }
    const size_t all = list.size();
    std::stable_sort(list.begin(), list.end(), [&](uint32_t x, uint32_t y) {
        return whole.buffers[x].accesses > whole.buffers[y].accesses;
    });
    list.resize(std::min(list.size(), most));
    const auto rows = static_cast<double>(std::max(list.size(), rows_least));
    plot p = make_plot(out, 1, 1, "Buffers", 1.0, rows);
    p.left += 44;
    p.right -= 76;
    legend names(p);
    names.add("s0", "touched, of its 4 KiB pages");
    names.add("s2", "its share of all page accesses");
    for (unsigned percent = 0; percent <= 100; percent += 20) {
        const double x = p.x(percent / 100.0);
        out.line(x, p.top, x, p.bottom, "grid");
        out.text(x, p.bottom + 16, std::to_string(percent) + " %", "tick", "middle");
    }
    for (size_t i = 0; i < list.size(); ++i) {
        const ww_pages_buffer &b = whole.buffers[list[i]];
        const double touched = touched_share(a, whole, list[i]);
        const double share = static_cast<double>(b.accesses) / static_cast<double>(accesses);
        const double pitch = (p.bottom - p.top) / rows,
                     middle = p.top + pitch * (static_cast<double>(i) + 0.5);
        const double height = std::min(16.0, pitch / 2 - 4);
        p.out.text(p.left - 8, middle - 3, "buffer " + std::to_string(list[i]), "tick", "end");
        p.out.text(p.left - 8, middle + 10, text_of_bytes(wkt_reader_buffer(a.trace, list[i])->bytes), "tick",
                   "end");
        draw_share(p, middle - height - 1, height, touched, "s0");
        draw_share(p, middle + 1, height, share, "s2");
    }
    if (all > list.size())
        out.text((p.left + p.right) / 2, p.bottom + 36,
                 "and " + text_of_count(all - list.size()) + " more, with fewer page accesses", "label",
                 "middle");
}

} // namespace

std::string pages_svg(const page_analysis &a, const std::string &head)
{
    const ww_pages_part &whole = *ww_pages_whole(a.pages.get());
    svg out(page_width, page_height, head);
    out.text(margin, 26, shortened(head, 100), "title");
    out.text(margin, 44,
             text_of_count(ww_pages_instructions(&whole)) + " instructions, " +
                 text_of_count(whole.accesses) + " page accesses, " +
                 text_of_bytes(whole.footprint[WW_FOOTPRINT_4K] << WW_PAGE_4K) + " touched; " +
                 text_of_setting(a),
             "label");
    if (whole.accesses != 0) {
        draw_instructions(out, a);
        draw_reuse(out, a);
        draw_working_set(out, a);
        draw_buffers(out, a);
    }
    return out.finished();
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* study/study_picture.cpp - a study's report as a picture: a panel for each figure, a row for each of its
 * bars, with the mean as a bar that begins at 1 where it is of ratios and at 0 where it is not, and a mark
 * for each program. */
#include "report/svg.hpp"
#include "study/study.hpp"
#include "support/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace walkway
{

namespace
{

constexpr double width = 960, left = 250, right = 880, row_height = 20, head_height = 46, foot_height = 34,
                 title_height = 56, mark = 3;

/* Of a single run the number, of several their median; not a number where there is none. */
double number_of(const json &value)
{
    const json &one = value.is_object() ? value.at("median") : value;
    return one.is_number() ? one.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

bool is_ratio(const json &bar)
{
    return bar.contains("geometric_mean");
}

double mean_of_bar(const json &bar)
{
    return number_of(bar.at(is_ratio(bar) ? "geometric_mean" : "arithmetic_mean"));
}

/* Ratios on a logarithmic axis around 1, of which the half of one is as far as its double; all else from 0.
 */
class axis
{
public:
    axis(const json &bars, bool ratios) : ratios_(ratios), low_(ratios ? 1 : 0), high_(ratios ? 1 : 0)
    {
        for (const json &bar : bars)
            for (const auto &value : bar.at("values").items())
                take(number_of(value.value()));
        if (ratios_) {
            low_ = std::exp2(std::floor(std::log2(low_)));
            high_ = std::exp2(std::ceil(std::log2(high_)));
        }
        if (!(high_ > low_))
            high_ = low_ + 1;
    }
    double at(double value) const
    {
        const double share = ratios_ ? std::log2(std::max(value, low_) / low_) / std::log2(high_ / low_)
                                     : (value - low_) / (high_ - low_);
        return left + std::min(1.0, std::max(0.0, share)) * (right - left);
    }
    double begin() const { return ratios_ ? 1 : 0; }
    std::vector<double> ticks() const
    {
        std::vector<double> all;
        if (!ratios_) {
            const double step = nice_step(high_, 6);
            for (unsigned n = 0; n * step <= high_; ++n)
                all.push_back(n * step);
            return all;
        }
        const double factor = std::exp2(std::ceil(std::log2(high_ / low_) / 8));
        for (double tick = 1; tick <= high_; tick *= factor)
            all.push_back(tick);
        for (double tick = 1 / factor; tick >= low_; tick /= factor)
            all.push_back(tick);
        return all;
    }

private:
    void take(double value)
    {
        if (!std::isfinite(value) || (ratios_ && value <= 0))
            return;
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
    }
    bool ratios_;
    double low_, high_;
};

double height_of(const json &figure)
{
    return head_height + row_height * static_cast<double>(figure.at("bars").size()) + foot_height;
}

void add_row(svg &picture, const json &bar, const axis &scale, double y)
{
    const double mean = mean_of_bar(bar);
    const auto name = bar.at("name").get<std::string>();
    picture.text(left - 10, y + 14, shortened(name, 36), "label", "end");
    if (!std::isfinite(mean)) {
        picture.text(right + 10, y + 14, "-", "label");
        return;
    }
    const double from = scale.at(scale.begin()), to = scale.at(mean);
    picture.rect(std::min(from, to), y + 5, std::max(1.0, std::fabs(to - from)), 10, "s0",
                 name + ": mean " + text_of_real(mean, 3));
    for (const auto &program : bar.at("values").items()) {
        const double value = number_of(program.value());
        if (std::isfinite(value))
            picture.rect(scale.at(value) - mark, y + 10 - mark, 2 * mark, 2 * mark, "s1",
                         program.key() + ": " + text_of_real(value, 3));
    }
    picture.text(right + 10, y + 14, text_of_real(mean, 2), "label");
}

void add_figure(svg &picture, const json &figure, double top)
{
    const json &bars = figure.at("bars");
    const bool ratios = !bars.empty() && std::all_of(bars.begin(), bars.end(), is_ratio);
    const axis scale(bars, ratios);
    const double end = top + height_of(figure) - foot_height;
    picture.text(16, top + 22,
                 figure.at("id").get<std::string>() + ": " +
                     shortened(figure.at("title").get<std::string>(), 110),
                 "head");
    for (const double tick : scale.ticks()) {
        picture.line(scale.at(tick), top + head_height - 8, scale.at(tick), end, "grid");
        picture.text(scale.at(tick), end + 16,
                     text_of_real(tick, tick < 1 && tick > 0 ? 3
                                        : tick < 10          ? 1
                                                             : 0),
                     "tick", "middle");
    }
    picture.line(scale.at(scale.begin()), top + head_height - 8, scale.at(scale.begin()), end, "axis");
    double y = top + head_height;
    for (const json &bar : bars) {
        add_row(picture, bar, scale, y);
        y += row_height;
    }
}

} // namespace

std::string report_picture(const json &report)
{
    double height = title_height;
    for (const json &figure : report.at("figures"))
        height += height_of(figure);
    const auto missing = report.at("missing").get<size_t>();
    const auto left_out = report.at("programs_left_out").get<size_t>();
    const size_t windows = report.at("windows").size();
    const std::string title =
        report.at("study").get<std::string>() + ", scale " + report.at("scale").get<std::string>() +
        (missing == 0 ? "" : ", PARTIAL: " + std::to_string(missing) + " runs missing") +
        (left_out == 0 ? "" : ", PARTIAL: without " + std::to_string(left_out) + " programs") +
        (windows == 0 ? ""
                      : ", PARTIAL: a window of " + std::to_string(windows) +
                            (windows == 1 ? " program" : " programs"));
    svg picture(width, height, title);
    picture.text(16, 26, title, "title");
    picture.text(16, 44, "bars: means (of ratios geometric ones, from 1 on); squares: programs", "label");
    double top = title_height;
    for (const json &figure : report.at("figures")) {
        add_figure(picture, figure, top);
        top += height_of(figure);
    }
    return picture.finished();
}

} // namespace walkway

/* SPDX-License-Identifier: MIT */
/* report/svg.cpp - writes the shapes and texts of a picture. */
#include "report/svg.hpp"

#include <cmath>
#include <cstdio>

namespace walkway
{

/* Colour-blind readers can distinguish the colours of series, which have contrast on both backgrounds. */
static const char *const style = R"(<style>
text { font-family: system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; fill: #1f2328 }
.title { font-size: 17px; font-weight: 600 } .head { font-size: 14px; font-weight: 600 }
.label { font-size: 12px } .tick { font-size: 11px } text.tick, text.label { fill: #57606a }
.back { fill: #ffffff } .panel { fill: none; stroke: #d0d7de } .grid { stroke: #e4e8ec } .axis { stroke: #8c959f }
.mark { stroke: #8c959f; stroke-dasharray: 3 3 } .track { fill: #eaeef2 }
polyline { fill: none; stroke-width: 2; stroke-linejoin: round }
.s0 { fill: #0969da } .s1 { fill: #e16f24 } .s2 { fill: #1a7f5a } .s3 { fill: #a475f9 } .s4 { fill: #bf3989 }
.l0 { stroke: #0969da } .l1 { stroke: #e16f24 } .l2 { stroke: #1a7f5a } .l3 { stroke: #a475f9 } .l4 { stroke: #bf3989 }
.faint { fill: #0969da; fill-opacity: 0.18 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } text.tick, text.label { fill: #9da7b3 }
.back { fill: #0d1117 } .panel { stroke: #30363d } .grid { stroke: #21262d } .axis { stroke: #6e7681 }
.mark { stroke: #6e7681 } .track { fill: #21262d }
.s0 { fill: #58a6ff } .s1 { fill: #f0883e } .s2 { fill: #3fb984 } .s3 { fill: #bc8cff } .s4 { fill: #f778ba }
.l0 { stroke: #58a6ff } .l1 { stroke: #f0883e } .l2 { stroke: #3fb984 } .l3 { stroke: #bc8cff } .l4 { stroke: #f778ba }
.faint { fill: #58a6ff; fill-opacity: 0.22 }
}
</style>
)";

static std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

std::string xml_text(const std::string &text)
{
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c >= 0x20 && c < 0x7f ? c : '?';
    }
    return out;
}

std::string shortened(const std::string &text, size_t length)
{
    return text.size() <= length ? text : text.substr(0, length - 3) + "...";
}

double nice_step(double most, unsigned steps)
{
    if (!(most > 0.0))
        return 1.0;
    const double least = most / steps, power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1.0 - 1e-9))
            return factor * power;
    return 10.0 * power;
}

svg::svg(double width, double height, const std::string &title)
{
    const std::string w = number(width), h = number(height);
    body_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"" + w + "\" height=\"" + h +
            "\" viewBox=\"0 0 " + w + " " + h + "\">\n<title>" + xml_text(title) + "</title>\n" + style;
    rect(0, 0, width, height, "back");
}

void svg::rect(double x, double y, double width, double height, const std::string &css,
               const std::string &hint)
{
    body_ += "<rect class=\"" + css + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" +
             number(width) + "\" height=\"" + number(height) + "\"";
    body_ += hint.empty() ? "/>\n" : "><title>" + xml_text(hint) + "</title></rect>\n";
}

void svg::line(double x1, double y1, double x2, double y2, const std::string &css)
{
    body_ += "<line class=\"" + css + "\" x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" +
             number(x2) + "\" y2=\"" + number(y2) + "\"/>\n";
}

void svg::points(const std::vector<std::pair<double, double>> &list)
{
    for (const auto &point : list)
        body_ += (&point == &list.front() ? "" : " ") + number(point.first) + "," + number(point.second);
    body_ += "\"/>\n";
}

void svg::polyline(const std::vector<std::pair<double, double>> &list, const std::string &css)
{
    body_ += "<polyline class=\"" + css + "\" points=\"";
    points(list);
}

void svg::polygon(const std::vector<std::pair<double, double>> &list, const std::string &css)
{
    body_ += "<polygon class=\"" + css + "\" points=\"";
    points(list);
}

void svg::text(double x, double y, const std::string &words, const std::string &css, const char *anchor,
               bool turned)
{
    body_ += "<text class=\"" + css + "\" text-anchor=\"" + anchor + "\" x=\"" + number(x) + "\" y=\"" +
             number(y) + "\"";
    if (turned)
        body_ += " transform=\"rotate(-90 " + number(x) + " " + number(y) + ")\"";
    body_ += ">" + xml_text(words) + "</text>\n";
}

} // namespace walkway
